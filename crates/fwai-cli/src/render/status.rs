//! One calm line of state: mode, model, board, tokens, cost.

use super::{
    Abilities, palette,
    text::{Line, width},
};

/// What the line says. Where it is too long for the screen its parts are said in short, and those that matter less
/// are left out.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Status {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    long: String,
    short: String,
    /// Parts with a lower number stay longer.
    rank: u8,
}

impl Status {
    /// A further part, and the same in short.
    pub fn push(&mut self, rank: u8, long: impl Into<String>, short: impl Into<String>) {
        self.parts.push(Part { long: long.into(), short: short.into(), rank });
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn line(&self, columns: usize, signs: Abilities) -> Line {
        let between = signs.sign(" · ", " | ");
        let joined = |parts: &[&str]| parts.join(between);
        let long: Vec<&str> = self.parts.iter().map(|part| part.long.as_str()).collect();
        let text = match joined(&long) {
            text if width(&text) <= columns => text,
            _ => {
                let mut ranked: Vec<usize> = (0..self.parts.len()).collect();
                ranked.sort_by_key(|at| self.parts[*at].rank);
                let mut kept: Vec<usize> = Vec::new();
                for at in ranked {
                    let mut more = kept.clone();
                    more.push(at);
                    more.sort_unstable();
                    let short: Vec<&str> = more.iter().map(|at| self.parts[*at].short.as_str()).collect();
                    if kept.is_empty() || width(&joined(&short)) <= columns {
                        kept = more;
                    }
                }
                joined(&kept.iter().map(|at| self.parts[*at].short.as_str()).collect::<Vec<_>>())
            }
        };
        Line::styled(text, palette::DIM).cut(columns, signs.sign("…", "~"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_screen_has_the_parts_that_matter_in_short() {
        let mut status = Status::default();
        status.push(0, "auto", "auto");
        status.push(1, "anthropic/claude-sonnet", "claude-sonnet");
        status.push(3, "stm32vldiscovery (virtual)", "stm32vldiscovery");
        status.push(4, "26.6k tokens", "26.6k");
        status.push(2, "$0.0580", "$0.06");
        let utf8 = Abilities { colours: true, unicode: true };
        let shown = |columns| status.line(columns, utf8).text();
        assert_eq!(
            shown(100),
            "auto · anthropic/claude-sonnet · stm32vldiscovery (virtual) · 26.6k tokens · $0.0580"
        );
        assert_eq!(shown(60), "auto · claude-sonnet · stm32vldiscovery · 26.6k · $0.06");
        assert_eq!(shown(40), "auto · claude-sonnet · 26.6k · $0.06");
        assert_eq!(shown(30), "auto · claude-sonnet · $0.06");
        assert_eq!(shown(20), "auto · claude-sonnet");
        assert_eq!(shown(12), "auto · $0.06");
        assert_eq!(shown(2), "a…");
        assert_eq!(Status::default().line(10, utf8).text(), "");
    }
}
