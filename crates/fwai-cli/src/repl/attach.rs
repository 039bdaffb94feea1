//! `@src/uart.c` in a line attaches that file to the message.

use fwai_agent::fence;
use fwai_schema::message::ContentBlock;
use std::path::Path;

const LIMIT: usize = 200_000;

/// The line as content: its words, then each file that it names with `@`.
pub fn content(line: &str, root: &Path) -> (Vec<ContentBlock>, Vec<String>) {
    let mut blocks = vec![ContentBlock::text(line)];
    let mut problems = Vec::new();
    for word in line.split_whitespace() {
        let Some(name) = word.strip_prefix('@') else { continue };
        let name = name.trim_end_matches([',', '.', ';', ':', '?', '!', ')']);
        if name.is_empty() {
            continue;
        }
        let path = root.join(name);
        // What lies outside the project, also behind a link, is not attached by a mere name.
        let inside = path
            .canonicalize()
            .is_ok_and(|real| root.canonicalize().is_ok_and(|root| real.starts_with(root)));
        match std::fs::read(&path) {
            Ok(bytes) if inside => {
                let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LIMIT)]).into_owned();
                blocks.push(ContentBlock::text(fence::data(name, &text)));
            }
            Ok(_) => problems.push(format!("@{name} lies outside the project and is not attached")),
            Err(error) => problems.push(format!("@{name}: {error}")),
        }
    }
    (blocks, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_attached_and_strays_are_told() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.c"), "int a;").unwrap();
        let (blocks, problems) = content("look at @a.c, and @b.c and @../../etc/passwd", directory.path());
        assert_eq!(blocks.len(), 2);
        assert!(matches!(&blocks[1], ContentBlock::Text { text } if text.contains("int a;")));
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
