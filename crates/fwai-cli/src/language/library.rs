//! What errors and libraries say. They speak English, which programs read in `--json`; for people it is
//! recognised by its words: each `said-…` of `en.ftl` is such a sentence, whose variables stand for what
//! changes. A sentence that nobody knows stays as it is.

use super::{
    choice::{Language, current},
    texts::{self, translation},
};

/// A sentence of a library in the user's language.
pub fn understood(said: &str) -> String {
    if let Some(told) = recognise(said, "said-") {
        return told;
    }
    // Several lines: a sentence with the place that it speaks of below it, and what to do about it.
    let lines = said.split('\n').map(|line| {
        let words = line.trim_start();
        let told = recognise(words, "said-").unwrap_or_else(|| words.to_owned());
        format!("{}{told}", &line[..line.len() - words.len()])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a permission is asked for, or why, in the user's language. Its sentences are so short that they
/// would be mistaken for others elsewhere.
pub fn permission(said: &str) -> String {
    recognise(said, "may-").unwrap_or_else(|| understood(said))
}

fn recognise(said: &str, family: &str) -> Option<String> {
    if current() == Language::English {
        return None;
    }
    let known = texts::files(Language::English).iter().flat_map(|file| texts::messages(file));
    // Whatever has a place before its words is one line.
    let several = said.contains('\n');
    let mut known = known.filter(|(key, _)| key.starts_with(family) && !(several && *key == "said-anywhere"));
    known.find_map(|(key, source)| {
        let pieces = pieces(source.split_once('=')?.1.trim());
        let found = fit(&pieces, said)?;
        // A part of a sentence can be a sentence; a single word is a name.
        let whole = |value: &str| recognise(value, family).unwrap_or_else(|| value.to_owned());
        let part = |value: &str| if value.contains(' ') { whole(value) } else { value.to_owned() };
        let found: Vec<_> = found.into_iter().map(|(name, value)| (name, part(value))).collect();
        translation(key, None, &found)
    })
}

/// A piece of a sentence: words, or a variable.
#[derive(Debug, PartialEq)]
enum Piece {
    Words(String),
    Variable(&'static str),
}

/// Takes a pattern of `en.ftl` apart. Only words, variables and quoted characters are known here.
fn pieces(pattern: &'static str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut words = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        words.push_str(before);
        // A quoted brace closes nothing.
        let inner = after.trim_start();
        let (placed, behind) = match inner.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
            Some((literal, behind)) => {
                words.push_str(literal);
                ("", behind.split_once('}').map_or("", |(_, behind)| behind))
            }
            None => inner.split_once('}').unwrap_or((inner, "")),
        };
        if let Some(name) = placed.trim().strip_prefix('$') {
            found.push(Piece::Words(dedented(&std::mem::take(&mut words))));
            found.push(Piece::Variable(name));
        }
        rest = behind;
    }
    words.push_str(rest);
    found.push(Piece::Words(dedented(&words)));
    found
}

/// Further lines of a pattern are indented in the file.
fn dedented(words: &str) -> String {
    let (first, rest) = words.split_once('\n').unwrap_or((words, ""));
    let rest = rest.lines().map(|line| format!("\n{}", line.trim_start()));
    first.to_owned() + &rest.collect::<String>()
}

/// What the variables stand for, where the whole sentence fits.
fn fit<'a>(pieces: &[Piece], said: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut found = Vec::new();
    let mut rest = said;
    let mut open: Option<&'static str> = None;
    for (number, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Variable(name) => open = Some(name),
            Piece::Words(words) => {
                let last = number + 1 == pieces.len();
                let at = match open {
                    None => rest.starts_with(words.as_str()).then_some(0)?,
                    Some(_) if last => rest.ends_with(words.as_str()).then(|| rest.len() - words.len())?,
                    Some(_) => rest.find(words.as_str())?,
                };
                if let Some(name) = open.take() {
                    found.push((name, &rest[..at]));
                }
                rest = &rest[at + words.len()..];
                if last && !rest.is_empty() {
                    return None;
                }
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &'static str, said: &str, expect: Option<&[(&str, &str)]>) {
        assert_eq!(fit(&pieces(pattern), said).as_deref(), expect, "{pattern} / {said}");
    }

    #[test]
    fn sentences_are_recognised_as_a_whole() {
        check("nothing to undo", "nothing to undo", Some(&[]));
        check("nothing to undo", "nothing to undo here", None);
        check(
            "cannot read { $path }: { $error }",
            "cannot read a: b: c",
            Some(&[("path", "a"), ("error", "b: c")]),
        );
        check("{ $path } is not empty", "/tmp/x is not empty", Some(&[("path", "/tmp/x")]));
        check("{ $path } is not empty", "/tmp/x is not empty!", None);
        check("say { \"{\" }elf{ \"}\" } once", "say {elf} once", Some(&[]));
        check("`{ $name }` is not set", "`a` is not set", Some(&[("name", "a")]));
    }
}
