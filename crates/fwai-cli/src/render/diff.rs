//! What a call will change in a file, as coloured lines with their numbers.

use super::{
    Abilities,
    clean::{clean, clean_line},
    palette,
    text::{Line, Span},
};
use crate::language::say;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use std::path::Path;

/// A change of one file.
pub struct FileDiff {
    pub path: String,
    pub added: usize,
    pub removed: usize,
    pub lines: Vec<Line>,
}

/// What a call of `edit_file` or `write_file` would change now; nothing for other tools.
pub fn of_call(tool: &str, input: &Value, root: &Path, redact: &dyn Fn(&str) -> String) -> Option<FileDiff> {
    let path = input.get("path")?.as_str()?;
    let before = std::fs::read(root.join(path)).ok().filter(|bytes| bytes.len() < 4 << 20);
    let before = before.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match tool {
        "write_file" => {
            let after = input.get("content")?.as_str()?;
            // Written already: what stood there before is not known any more.
            if before.as_deref() == Some(after) {
                return None;
            }
            Some(of_texts(path, &redact(before.as_deref().unwrap_or_default()), &redact(after)))
        }
        "edit_file" => {
            let edits: Vec<(&str, &str, bool)> = input
                .get("edits")?
                .as_array()?
                .iter()
                .filter_map(|edit| {
                    let all = edit.get("all").and_then(Value::as_bool).unwrap_or(false);
                    Some((edit.get("old")?.as_str()?, edit.get("new")?.as_str()?, all))
                })
                .collect();
            let whole = before.as_deref().and_then(|now| {
                // The tool may have been quicker than we are: then the edits are taken back.
                match (replaced(now, edits.iter().copied()), edits.iter().rev()) {
                    (Some(after), _) => Some(of_texts(path, &redact(now), &redact(&after))),
                    (None, edits) => {
                        let back = edits.map(|(old, new, all)| (*new, *old, *all));
                        let before = replaced(now, back)?;
                        Some(of_texts(path, &redact(&before), &redact(now)))
                    }
                }
            });
            // Where the edit will not fit, its own words are still what is asked for.
            Some(whole.unwrap_or_else(|| {
                let join =
                    |pick: fn(&(&str, &str, bool)) -> String| edits.iter().map(pick).collect::<String>();
                let old = join(|edit| format!("{}\n", edit.0));
                let new = join(|edit| format!("{}\n", edit.1));
                of_texts(path, &redact(&old), &redact(&new))
            }))
        }
        _ => None,
    }
}

/// A text after these edits, if they all fit.
fn replaced<'a>(text: &str, edits: impl Iterator<Item = (&'a str, &'a str, bool)>) -> Option<String> {
    let mut text = text.to_owned();
    for (old, new, all) in edits {
        if old.is_empty() || !text.contains(old) {
            return None;
        }
        text = if all { text.replace(old, new) } else { text.replacen(old, new, 1) };
    }
    Some(text)
}

/// The difference of two texts, with two lines around each change.
pub fn of_texts(path: &str, before: &str, after: &str) -> FileDiff {
    let diff = TextDiff::from_lines(before, after);
    let (mut added, mut removed) = (0, 0);
    let mut lines = Vec::new();
    for (number, group) in diff.grouped_ops(2).iter().enumerate() {
        if number > 0 {
            lines.push(Line::styled("     ...", palette::DIM));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, style, place) = match change.tag() {
                ChangeTag::Insert => ("+", palette::ADDED, change.new_index()),
                ChangeTag::Delete => ("-", palette::REMOVED, change.old_index()),
                ChangeTag::Equal => (" ", palette::PLAIN, change.new_index()),
            };
            match change.tag() {
                ChangeTag::Insert => added += 1,
                ChangeTag::Delete => removed += 1,
                ChangeTag::Equal => {}
            }
            let place = place.map(|at| (at + 1).to_string()).unwrap_or_default();
            let text = clean(change.value().trim_end_matches(['\n', '\r'])).replace('\t', "    ");
            lines.push(Line(vec![
                Span::new(format!("{place:>5} "), palette::DIM),
                Span::new(format!("{sign} {text}"), style),
            ]));
        }
    }
    FileDiff { path: clean_line(path), added, removed, lines }
}

impl FileDiff {
    /// `src/led.c  +3 -1`
    pub fn title(&self) -> Vec<Span> {
        vec![
            Span::new(self.path.clone(), palette::BOLD),
            Span::plain("  "),
            Span::new(format!("+{}", self.added), palette::ADDED),
            Span::plain(" "),
            Span::new(format!("-{}", self.removed), palette::REMOVED),
        ]
    }

    /// At most so many lines, each cut to the width.
    pub fn shown(self, most: usize, columns: usize, abilities: Abilities) -> Vec<Line> {
        let mark = abilities.sign("…", "~");
        let more = self.lines.len().saturating_sub(most);
        let mut lines: Vec<Line> =
            self.lines.into_iter().take(most).map(|line| line.cut(columns, mark)).collect();
        if more > 0 {
            lines.push(Line::styled(
                format!("      {mark} {}", say!("repl-more-lines", count = more)),
                palette::DIM,
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(diff: &FileDiff) -> String {
        let lines: Vec<String> = diff.lines.iter().map(|line| line.text().trim_end().to_owned()).collect();
        format!("{} +{} -{}\n{}", diff.path, diff.added, diff.removed, lines.join("\n"))
    }

    #[test]
    fn an_edit_is_shown_in_its_file() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.c"), "one\ntwo\nthree\nfour\nfive\nsix\n").unwrap();
        let input = json!({"path": "a.c", "edits": [{"old": "four", "new": "4\n4b"}]});
        insta::assert_snapshot!(shown(&of_call("edit_file", &input, directory.path(), &str::to_owned).unwrap()), @r"
        a.c +2 -1
            2   two
            3   three
            4 - four
            4 + 4
            5 + 4b
            6   five
            7   six
        ");
        let made = json!({"path": "a.c", "edits": [{"old": "vier", "new": "four"}]});
        let made = of_call("edit_file", &made, directory.path(), &str::to_owned).unwrap();
        assert!(
            shown(&made).contains("    4 - vier\n    4 + four"),
            "an edit that was made already: {}",
            shown(&made)
        );
        let stray = json!({"path": "a.c", "edits": [{"old": "nowhere", "new": "x\u{1b}[2J"}]});
        insta::assert_snapshot!(shown(&of_call("edit_file", &stray, directory.path(), &str::to_owned).unwrap()), @r"
        a.c +1 -1
            1 - nowhere
            1 + x
        ");
        let fresh = json!({"path": "b.c", "content": "int b;\n"});
        insta::assert_snapshot!(shown(&of_call("write_file", &fresh, directory.path(), &str::to_owned).unwrap()), @r"
        b.c +1 -0
            1 + int b;
        ");
        assert!(of_call("bash", &json!({"command": "ls"}), directory.path(), &str::to_owned).is_none());
        assert!(of_call("edit_file", &json!({"path": 3}), directory.path(), &str::to_owned).is_none());
    }
}
