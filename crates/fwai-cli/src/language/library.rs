//! What errors and libraries say. They speak English, which programs read in `--json`. An error brings a key and
//! values ([`told`]). Words that come without one, in the events of a session or as part of another sentence, are
//! recognised: each `said-…` of `en.ftl` and each form of an error is a sentence whose variables stand for what
//! changes. A sentence that nobody knows stays as it is.

use super::{
    choice::{Language, current},
    errors,
    texts::{self, translation},
};
use fwai_schema::said::{self, Said, Speak};
use std::{borrow::Cow, io, sync::OnceLock};

/// How deep a sentence within a sentence is looked for, and how long it may be: words can be anybody's.
const MOST_PARTS: usize = 5;
const LONGEST: usize = 8 * 1024;

/// What an error says, in the user's language.
pub fn told(said: &Said) -> String {
    let translated = match (&said.form, current()) {
        (_, Language::English) => return said.english.clone(),
        (None, _) => return understood(&said.english),
        (Some(filled), _) => {
            let value = |said: &Said| if said.form.is_some() { told(said) } else { part(&said.english, 1) };
            let values: Vec<_> = filled.values.iter().map(|(name, said)| (*name, value(said))).collect();
            translation(filled.key, variant(filled.variant), &values)
        }
    };
    translated.unwrap_or_else(|| understood(&said.english))
}

/// A sentence of a library in the user's language.
pub fn understood(said: &str) -> String {
    understood_within(said, 0)
}

fn understood_within(said: &str, depth: usize) -> String {
    if let Some(told) = recognise(said, Family::Said, depth) {
        return told;
    }
    if !said.contains('\n') && !said.starts_with(' ') {
        return said.to_owned();
    }
    // Several lines: a sentence with the place that it speaks of below it, and what to do about it.
    let lines = said.split('\n').map(|line| {
        let words = line.trim_start();
        let told = recognise(words, Family::Said, depth).unwrap_or_else(|| words.to_owned());
        format!("{}{told}", &line[..line.len() - words.len()])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The same where the words may be anybody's, such as a question: only a sentence without variables counts.
pub fn exactly(said: &str) -> String {
    if current() == Language::English {
        return said.to_owned();
    }
    let whole = |sentence: &&Sentence| match &*sentence.pieces {
        [Piece::Words(words)] => sentence.family == Family::Said && **words == *said,
        _ => false,
    };
    let known = sentences().iter().find(whole);
    let told = known.and_then(|sentence| translation(sentence.key, sentence.variant, &[]));
    told.unwrap_or_else(|| said.to_owned())
}

/// What a permission is asked for, or why, in the user's language. Its sentences are so short that they
/// would be mistaken for others elsewhere.
pub fn permission(said: &str) -> String {
    recognise(said, Family::May, 0).unwrap_or_else(|| understood(said))
}

/// What is said of a crash, line by line, in the user's language. Registers and places in code stay.
pub fn fault(said: &str) -> String {
    let lines = said.split('\n').map(|line| {
        let words = line.trim_start_matches([' ', '-']);
        let told = recognise(words, Family::Fault, 0).unwrap_or_else(|| understood(words));
        format!("{}{told}", &line[..line.len() - words.len()])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A part of a sentence can be a sentence; a single word is a name.
fn part(value: &str, depth: usize) -> String {
    match value.contains(' ') && depth <= MOST_PARTS {
        true => understood_within(value, depth),
        false => value.to_owned(),
    }
}

/// An attribute's name, where there is one.
pub(super) fn variant(name: &'static str) -> Option<&'static str> {
    (!name.is_empty()).then_some(name)
}

/// The sentences that are recognised where nothing else tells what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Said,
    May,
    /// Explanations of crashes, whose joints are a comma or a colon.
    Fault,
}

struct Sentence {
    family: Family,
    key: &'static str,
    variant: Option<&'static str>,
    pieces: Vec<Piece>,
}

impl Sentence {
    fn several(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Words(words) if words.contains('\n')))
    }

    fn letters(&self) -> usize {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Words(words) => Some(words.chars().filter(|letter| letter.is_alphabetic()).count()),
            Piece::Variable(_) => None,
        });
        words.sum()
    }
}

/// Everything that can be recognised, the most exact first.
fn sentences() -> &'static [Sentence] {
    static SENTENCES: OnceLock<Vec<Sentence>> = OnceLock::new();
    SENTENCES.get_or_init(|| {
        let texts = texts::files(Language::English).iter().flat_map(|file| texts::messages(file));
        let texts = texts.filter_map(|(key, source)| {
            let family = match key {
                _ if key.starts_with("said-") => Family::Said,
                _ if key.starts_with("may-") => Family::May,
                _ if key.starts_with("fault-") => Family::Fault,
                _ => return None,
            };
            Some(Sentence { family, key, variant: None, pieces: pieces(source.split_once('=')?.1.trim()) })
        });
        let forms = errors::FORMS.iter().flat_map(|forms| forms.iter()).map(|form| Sentence {
            family: Family::Said,
            key: form.key,
            variant: variant(form.variant),
            pieces: of_form(form.pieces),
        });
        let mut all: Vec<Sentence> = texts.chain(forms.filter(|form| form.letters() > 2)).collect();
        all.sort_by_key(|sentence| std::cmp::Reverse(sentence.letters()));
        all
    })
}

fn recognise(said: &str, family: Family, depth: usize) -> Option<String> {
    if current() == Language::English || said.len() > LONGEST {
        return None;
    }
    if let Some(told) = of_the_system(said) {
        return Some(told);
    }
    // A variable stands for a part of a line; only a sentence of several lines fits several.
    let several = said.contains('\n');
    let mut known = sentences().iter().filter(|one| one.family == family && one.several() == several);
    known.find_map(|sentence| {
        let found = fit(&sentence.pieces, said)?;
        let own = |value: &str| {
            let deeper = family != Family::Said && value.contains(' ') && depth < MOST_PARTS;
            deeper.then(|| recognise(value.trim_start(), family, depth + 1)).flatten()
        };
        let told = |value: &str| own(value).unwrap_or_else(|| part(value, depth + 1));
        let found: Vec<_> = found.into_iter().map(|(name, value)| (name, told(value))).collect();
        translation(sentence.key, sentence.variant, &found)
    })
}

/// `No such file or directory (os error 2)` is known by its number.
fn of_the_system(said: &str) -> Option<String> {
    let (_, number) = said.strip_suffix(')')?.rsplit_once(" (os error ")?;
    let error = io::Error::from_raw_os_error(number.parse().ok()?).said();
    (error.english == said && error.form.is_some()).then(|| told(&error))
}

/// A piece of a sentence: words, or a variable.
#[derive(Debug, PartialEq)]
enum Piece {
    Words(Cow<'static, str>),
    Variable(&'static str),
}

/// The pieces of an error's sentence, with words, if none at all, behind every variable.
fn of_form(pieces: &[said::Piece]) -> Vec<Piece> {
    let mut found = Vec::new();
    for piece in pieces {
        let follows = matches!(found.last(), Some(Piece::Variable(_)));
        match piece {
            said::Piece::Words(words) => found.push(Piece::Words(Cow::Borrowed(words))),
            said::Piece::Value(name) => {
                found.extend(follows.then(|| Piece::Words("".into())));
                found.push(Piece::Variable(name));
            }
        }
    }
    let ends = matches!(found.last(), Some(Piece::Variable(_)));
    found.extend(ends.then(|| Piece::Words("".into())));
    found
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
            found.push(Piece::Words(dedented(&std::mem::take(&mut words)).into()));
            found.push(Piece::Variable(name));
        }
        rest = behind;
    }
    words.push_str(rest);
    found.push(Piece::Words(dedented(&words).into()));
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
                    None => rest.starts_with(&**words).then_some(0)?,
                    Some(_) if last => rest.ends_with(&**words).then(|| rest.len() - words.len())?,
                    Some(_) => rest.find(&**words)?,
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
