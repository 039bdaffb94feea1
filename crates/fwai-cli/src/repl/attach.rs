//! `@src/uart.c` in a line attaches that file to the message, `@src/` the names of what lies there, and
//! `@"a name with spaces.c"` does what it says.

use super::files;
use crate::{
    commands::exec::material::{Material, dump},
    language::say,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use fwai_agent::{fence, truncate};
use fwai_schema::message::ContentBlock;
use std::{fs, path::Path};

/// Of a text, so much is sent.
const TEXT: usize = 200_000;
/// Larger pictures are taken by no model.
const PICTURE: usize = 5 << 20;
/// More is not read.
const READ: u64 = 64 << 20;
/// Names of a folder.
const NAMES: usize = 500;

/// The line as content: its words, then each file that it names with `@`. Problems are told, and the words still go.
pub fn content(line: &str, root: &Path) -> (Vec<ContentBlock>, Vec<String>) {
    let mut blocks = vec![ContentBlock::text(line)];
    let mut problems = Vec::new();
    for name in names(line) {
        match attached(name, root) {
            Ok((block, told)) => {
                blocks.push(block);
                problems.extend(told);
            }
            // `@param` in a pasted comment is a word like any other.
            Err(Problem::Missing) if !name.contains(['.', '/']) => {}
            Err(Problem::Missing) => problems.push(missing(name, root)),
            Err(Problem::Told(problem)) => problems.push(problem),
        }
    }
    (blocks, problems)
}

/// What the line names, each once.
fn names(line: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('@') {
        let begins =
            rest[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == '(');
        rest = &rest[at + 1..];
        if !begins {
            continue;
        }
        let name = match rest.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
            Some((name, behind)) => {
                rest = behind;
                name
            }
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                rest[..end].trim_end_matches([',', '.', ';', ':', '?', '!', ')', '，', '。', '？', '！'])
            }
        };
        if !name.is_empty() && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

enum Problem {
    Missing,
    Told(String),
}

fn attached(name: &str, root: &Path) -> Result<(ContentBlock, Option<String>), Problem> {
    let told = |problem: String| Problem::Told(problem);
    let path = root.join(name);
    let Ok(real) = path.canonicalize() else { return Err(Problem::Missing) };
    // What lies outside the project, also behind a link, is not attached by a mere name.
    if !root.canonicalize().is_ok_and(|root| real.starts_with(root)) {
        return Err(told(say!("attach-outside", name = name)));
    }
    if real.is_dir() {
        return Ok((ContentBlock::text(fence::data(name, &listing(root, name))), None));
    }
    // Whoever opens a pipe waits for ever.
    if !real.is_file() {
        return Err(told(say!("attach-no-file", name = name)));
    }
    let unreadable = |error: std::io::Error| told(say!("attach-unreadable", name = name, error = error));
    let size = fs::metadata(&real).map_err(unreadable)?.len();
    if size > READ {
        return Err(told(say!("attach-too-large", name = name, bytes = size)));
    }
    let bytes = fs::read(&real).map_err(unreadable)?;
    if let Some(media_type) = picture(&bytes).filter(|_| bytes.len() <= PICTURE) {
        let block = ContentBlock::Image { media_type: media_type.to_owned(), data: STANDARD.encode(&bytes) };
        return Ok((block, None));
    }
    let (text, told) = match Material::of(&bytes) {
        Material::Nothing => (String::from("(empty)"), None),
        Material::Text(text) if text.len() > TEXT => {
            let told = say!("attach-cut", name = name, bytes = text.len(), kept = TEXT);
            (truncate::middle(&text, TEXT).into_owned(), Some(told))
        }
        Material::Text(text) => (text, None),
        Material::Binary => (dump(&bytes), Some(say!("attach-binary", name = name, bytes = bytes.len()))),
    };
    Ok((ContentBlock::text(fence::data(name, &text)), told))
}

/// The kind of a picture by its first bytes.
fn picture(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// The names in a folder, one a line.
fn listing(root: &Path, name: &str) -> String {
    let folder = format!("{}/", name.trim_end_matches('/'));
    let mut names: Vec<String> = files::beginning(root, &folder);
    names.truncate(NAMES);
    if names.is_empty() { "(empty)".to_owned() } else { names.join("\n") }
}

/// That a file is not there, and which one may have been meant.
fn missing(name: &str, root: &Path) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    match files::having(root, last).first() {
        Some(guess) => say!("attach-missing-guess", name = name, guess = guess),
        None => say!("attach-missing", name = name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(block: &ContentBlock) -> &str {
        match block {
            ContentBlock::Text { text } => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_are_attached_and_strays_are_told() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("a.c"), "int a;").unwrap();
        fs::write(root.join("src/my file.c"), "int b;").unwrap();
        let line = "look at @a.c, (@a.c) and @\"src/my file.c\" in @src/, not me@a.c";
        let (blocks, problems) = content(line, root);
        assert!(problems.is_empty(), "{problems:?}");
        let rest: Vec<&str> = blocks[1..].iter().map(text).collect();
        assert_eq!(rest.len(), 3, "each once: {rest:?}");
        assert!(
            rest[0].contains("int a;") && rest[1].contains("int b;") && rest[2].contains("src/my file.c")
        );
        let (blocks, problems) = content("see @b.c, @../../etc/passwd and @myfile.c; /** @param x */", root);
        assert_eq!(blocks.len(), 1);
        assert_eq!(problems.len(), 3, "words are words: {problems:?}");
        let (_, problems) = content("@lib/my file.c", root);
        assert!(problems[0].contains("lib/my") && problems[0].contains("src/my file.c"), "{problems:?}");
    }

    #[test]
    fn what_is_no_text_is_described_shown_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let png = [&[0x89, b'P', b'N', b'G', 13, 10, 26, 10][..], &[0; 40]].concat();
        fs::write(root.join("scope.png"), &png).unwrap();
        fs::write(root.join("fw.bin"), [0; 3000]).unwrap();
        fs::write(root.join("big.log"), "a line of a log\n".repeat(40_000)).unwrap();
        fs::write(root.join("none.txt"), "").unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe"), rustix::fs::Mode::RUSR).unwrap();
        let (blocks, problems) = content("@scope.png @fw.bin @big.log @none.txt @pipe", root);
        assert!(matches!(&blocks[1], ContentBlock::Image { media_type, .. } if media_type == "image/png"));
        assert!(text(&blocks[2]).contains("binary data, 3000 bytes") && text(&blocks[2]).len() < 4000);
        assert!(text(&blocks[3]).len() < TEXT + 1000 && text(&blocks[3]).contains("left out"));
        assert!(text(&blocks[4]).contains("(empty)"));
        assert_eq!(blocks.len(), 5);
        assert_eq!(problems.len(), 3, "{problems:?}");
    }
}
