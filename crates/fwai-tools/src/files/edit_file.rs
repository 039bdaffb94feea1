//! `edit_file`: exact replacements in one file, all of them or none.

use super::text;
use crate::{prelude::*, world::ToolPaths};
use std::io::Read;

/// Replace exact text in a file. Each `old` must occur exactly once, unless `all` is set; several edits are made together or not at all. Line ends and encoding of the file are kept.
#[derive(Deserialize, JsonSchema)]
pub struct EditFile {
    /// Path below the project.
    path: String,
    /// Replacements, made in this order.
    edits: Vec<Edit>,
}

/// One replacement.
#[derive(Deserialize, JsonSchema)]
pub struct Edit {
    /// The text as it stands in the file, without line numbers.
    old: String,
    new: String,
    /// Replace every occurrence.
    #[serde(default)]
    all: bool,
}

impl Tool<World> for EditFile {
    const NAME: &str = "edit_file";
    const LEVEL: Level = Level::Write;
    const GENERATION: u8 = 1;

    fn examples() -> Vec<Example> {
        examples![
            ("one replacement", {"path": "src/main.c", "edits": [{"old": "return 0", "new": "return 1"}]}, contains "+    return 1;"),
            ("text that is not there", {"path": "src/main.c", "edits": [{"old": "retrun 0;", "new": ""}]}, fails_with "nearest"),
        ]
    }

    fn effects(&self) -> Effects {
        Effects::writes(&self.path)
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let path = match ctx.writable(&self.path) {
            Ok(path) => path,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let mut bytes = Vec::new();
        let read = ctx
            .project_dir
            .open_read(&path)
            .map(|file| file.take(text::LARGEST_EDITED + 1).read_to_end(&mut bytes));
        if let Err(error) = read {
            return Ok(ToolOutcome::failed(format!("{error}; to create a file use write_file")));
        }
        if bytes.len() as u64 > text::LARGEST_EDITED {
            return Ok(ToolOutcome::failed(format!(
                "{path} has more than {} MB, too much to edit here; change it with a command",
                text::LARGEST_EDITED >> 20
            )));
        }
        let Some((before, shape)) = text::decode(bytes) else {
            return Ok(ToolOutcome::failed(format!("{path} is a binary file")));
        };
        let after = match apply(&before, &self.edits) {
            Ok(after) => after,
            Err(why) => return Ok(ToolOutcome::failed(format!("{path}: {why}; nothing was changed"))),
        };
        if after == before {
            return Ok(ToolOutcome::failed(format!("{path}: these edits change nothing")));
        }
        let encoded = match text::encode(&after, shape) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(ToolOutcome::failed(format!("{path}: {why}; nothing was changed"))),
        };
        if let Err(error) = ctx.project_dir.write_atomic(&path, &encoded) {
            return Ok(ToolOutcome::failed(error.to_string()));
        }
        let diff = crate::diff::unified(&path.to_string(), &before, &after, 60);
        Ok(ToolOutcome::ok(format!("edited {path}\n{diff}")).wrote(path.to_string()))
    }
}

fn apply(before: &str, edits: &[Edit]) -> Result<String, String> {
    if edits.is_empty() {
        return Err("no edits given".to_owned());
    }
    let mut text = before.to_owned();
    for (index, edit) in edits.iter().enumerate() {
        let which = if edits.len() == 1 { String::new() } else { format!("edit {}: ", index + 1) };
        let old = edit.old.replace("\r\n", "\n");
        let new = edit.new.replace("\r\n", "\n");
        if old.is_empty() {
            return Err(format!("{which}`old` is empty"));
        }
        let mut places = memchr::memmem::find_iter(text.as_bytes(), old.as_bytes());
        let Some(first) = places.next() else {
            return Err(format!("{which}`old` does not occur{}", nearest(&text, &old)));
        };
        if edit.all {
            text = text.replace(&old, &new);
        } else if places.next().is_some() {
            let lines: Vec<String> = text
                .match_indices(&old)
                .take(10)
                .map(|(at, _)| (1 + text[..at].matches('\n').count()).to_string())
                .collect();
            return Err(format!(
                "{which}`old` occurs several times (lines {}); add surrounding lines, or set `all`",
                lines.join(", ")
            ));
        } else {
            text.replace_range(first..first + old.len(), &new);
        }
    }
    Ok(text)
}

/// The place in the file that looks most like what was searched for, with its true text.
fn nearest(text: &str, old: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<&str> = old.lines().collect();
    let height = wanted.len().clamp(1, 40);
    let key = wanted.iter().copied().max_by_key(|line| line.trim().len()).unwrap_or("").trim();
    // Only lines that share a word with the longest wanted line are compared in full: the file may be large.
    let words: Vec<&str> =
        key.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| w.len() > 2).collect();
    let candidates = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| {
            words.is_empty() || words.iter().any(|word| line.contains(word)) || line.len() < 200
        })
        .take(20_000);
    let score =
        |line: &str| strsim::normalized_levenshtein(&line.trim().chars().take(200).collect::<String>(), key);
    let offset = wanted.iter().position(|line| line.trim() == key).unwrap_or(0);
    let best = candidates.map(|(at, line)| (at, score(line))).max_by(|a, b| a.1.total_cmp(&b.1));
    match best {
        Some((at, score)) if score > 0.4 => {
            let start = at.saturating_sub(offset);
            let shown = lines[start..(start + height).min(lines.len())].join("\n");
            format!("; the nearest text is at line {}:\n{shown}\n", start + 1)
        }
        _ => "; read the file again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str, all: bool) -> Edit {
        Edit { old: old.into(), new: new.into(), all }
    }

    #[test]
    fn several_edits_are_made_together_or_not_at_all() {
        let text = "a\nb\nc\n";
        assert_eq!(apply(text, &[edit("a", "x", false), edit("b", "y", false)]).unwrap(), "x\ny\nc\n");
        assert!(apply(text, &[edit("a", "x", false), edit("z", "y", false)]).unwrap_err().contains("edit 2"));
        assert!(apply("a\na\n", &[edit("a", "x", false)]).unwrap_err().contains("lines 1, 2"));
        assert_eq!(apply("a\na\n", &[edit("a", "x", true)]).unwrap(), "x\nx\n");
    }

    #[test]
    fn a_near_miss_shows_the_true_text() {
        let why = apply("int x;\nUART_Init(115200);\n", &[edit("UART_init(115200)", "", false)]).unwrap_err();
        assert!(why.contains("line 2:\nUART_Init(115200);"), "{why}");
    }
}
