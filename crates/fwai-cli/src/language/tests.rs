//! Every text that the source asks for exists in every language, with the same variables, and no other does.

mod characters;
mod shipped;

use super::{choice::Language, errors, help, texts};
use clap::CommandFactory;
use fluent_syntax::{
    ast::{Entry, Expression, InlineExpression, Pattern, PatternElement},
    parser,
};
use fwai_schema::said::{Form, Piece};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

pub(super) const CHINESE: [Language; 2] = [Language::TraditionalChinese, Language::SimplifiedChinese];

/// Keys whose English is not in `en.ftl`: doc comments, clap and libraries have it.
fn english_elsewhere(key: &str) -> bool {
    let families = ["help-", "heading-", "remark-", "mistake-"];
    families.iter().any(|prefix| key.starts_with(prefix)) || of_an_error(key) || of_data(key)
}

/// Skills, rules for secrets, the recording of the demo.
fn of_data(key: &str) -> bool {
    ["skill-", "secret-", "recorded-"].iter().any(|prefix| key.starts_with(prefix))
}

/// `app-KeyError.Open`: the name of a type, and what the operating system says.
pub(super) fn of_an_error(key: &str) -> bool {
    let is_type = |name: &str| name.starts_with(|letter: char| letter.is_ascii_uppercase());
    key.split('.').next() == Some(fwai_schema::said::SYSTEM)
        || key.split_once('-').is_some_and(|(_, name)| is_type(name))
}

/// Sentences that are recognised, and not asked for by their key.
fn is_sentence(key: &str) -> bool {
    ["said-", "may-", "fault-"].iter().any(|prefix| key.starts_with(prefix))
}

/// Key (or `key.attribute`) to the variables that its text uses.
pub(super) type Texts = BTreeMap<String, BTreeSet<String>>;

pub(super) fn texts_of(language: Language) -> Texts {
    let mut found = Texts::new();
    for file in texts::files(language) {
        let resource = parser::parse(*file).unwrap_or_else(|(_, errors)| panic!("{language:?}: {errors:?}"));
        for entry in &resource.body {
            let Entry::Message(message) = entry else { continue };
            let mut add = |name: String, pattern: &Pattern<&str>| {
                let mut variables = BTreeSet::new();
                collect(pattern, &mut variables);
                assert!(
                    found.insert(name.clone(), variables).is_none(),
                    "{language:?}: {name} stands there twice"
                );
            };
            if let Some(pattern) = &message.value {
                add(message.id.name.to_owned(), pattern);
            }
            for attribute in &message.attributes {
                add(format!("{}.{}", message.id.name, attribute.id.name), &attribute.value);
            }
        }
    }
    found
}

fn collect(pattern: &Pattern<&str>, found: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => variable(inline, found),
            Expression::Select { selector, variants } => {
                variable(selector, found);
                variants.iter().for_each(|variant| collect(&variant.value, found));
            }
        }
    }
}

fn variable(inline: &InlineExpression<&str>, found: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            found.insert(id.name.to_owned());
        }
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
        other => panic!("texts are parsed one by one and cannot refer to others: {other:?}"),
    }
}

/// Every use in the source: file and line, key, variables.
fn uses() -> Vec<(String, String, BTreeSet<String>)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&source, &mut files);
    let mut found = Vec::new();
    for (name, text) in files {
        for opening in [concat!("sa", "y!("), concat!("transla", "ted!(")] {
            for (at, _) in text.match_indices(opening) {
                let line = text[..at].lines().count();
                let call = inside(&text[at + opening.len()..]);
                let Some((key, rest)) = call.trim_start().strip_prefix('"').and_then(|c| c.split_once('"'))
                else {
                    continue;
                };
                found.push((format!("{name}:{line}"), key.to_owned(), names(rest)));
            }
        }
    }
    found
}

pub(super) fn walk(directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        // The room's own files show the macros without using them.
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !path.ends_with("language/mod.rs")
            && !path.ends_with("language/tests.rs")
        {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The text up to the bracket that closes the call.
fn inside(text: &str) -> &str {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return &text[..at],
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("a call that does not end: {text:.80}")
}

/// The names before `=` at the call's own level.
fn names(arguments: &str) -> BTreeSet<String> {
    let (mut depth, mut quoted, mut escaped, mut start) = (0, false, false, 0);
    let mut pieces = Vec::new();
    for (at, c) in arguments.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&arguments[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&arguments[start..]);
    let names =
        pieces.iter().filter_map(|piece| piece.split_once('=')).map(|(name, _)| name.trim().to_owned());
    names.collect()
}

#[test]
fn every_text_that_the_source_names_exists_with_its_variables() {
    let english = texts_of(Language::English);
    let mut problems = Vec::new();
    for (place, key, variables) in uses() {
        let languages = if english_elsewhere(&key) { &CHINESE[..] } else { &[Language::English] };
        for language in languages {
            match texts_of(*language).get(&key) {
                None => problems.push(format!("{place}: {key} is not in {language:?}")),
                // A translation may leave out what its grammar does not need; it cannot invent.
                Some(wanted) if !wanted.is_subset(&variables) => {
                    problems.push(format!(
                        "{place}: {key} of {language:?} wants {wanted:?}, given {variables:?}"
                    ));
                }
                Some(wanted) if *language == Language::English && *wanted != variables => {
                    problems.push(format!("{place}: {key} does not use all of {variables:?}"));
                }
                Some(_) => {}
            }
        }
    }
    for key in english.keys() {
        assert!(!english_elsewhere(key), "{key}: its English lives elsewhere");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_language_has_the_same_texts_with_the_same_variables() {
    let english = texts_of(Language::English);
    let mut problems = Vec::new();
    for language in CHINESE {
        let texts = texts_of(language);
        for (key, variables) in &english {
            match texts.get(key) {
                None => problems.push(format!("{language:?} lacks {key}")),
                Some(here) if here != variables => {
                    problems.push(format!("{key} of {language:?} has {here:?} instead of {variables:?}"));
                }
                Some(_) => {}
            }
        }
        let extra = texts.keys().filter(|key| !english_elsewhere(key) && !english.contains_key(*key));
        problems.extend(extra.map(|key| format!("{language:?} has {key}, which English has not")));
    }
    let [traditional, simplified] = CHINESE.map(texts_of);
    let difference = traditional.keys().filter(|key| !simplified.contains_key(*key));
    problems.extend(difference.map(|key| format!("SimplifiedChinese lacks {key}")));
    let difference = simplified.keys().filter(|key| !traditional.contains_key(*key));
    problems.extend(difference.map(|key| format!("TraditionalChinese lacks {key}")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_text_is_left_over() {
    let used: BTreeSet<String> = uses().into_iter().map(|(_, key, _)| key).collect();
    let all = texts_of(Language::English).into_keys().chain(texts_of(CHINESE[0]).into_keys());
    let left: Vec<String> = all
        .filter(|key| !key.contains('.') && !is_sentence(key) && !used.contains(key))
        .filter(|key| !of_an_error(key) && !of_data(key))
        .filter(|key| !key.starts_with("help-") || !help_keys().contains(key))
        .collect();
    assert!(left.is_empty(), "nothing uses {left:?}");
}

/// A sentence with every variable as `{}`. Braces of code are left alone.
fn bare(sentence: &str) -> String {
    let sentence = sentence.replace("\\u{201c}", "“").replace("\\u{201d}", "”");
    let mut out = String::new();
    let mut rest = sentence.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let variable = after.split_once('}').filter(|(name, _)| !name.contains(['\n', '"', '{']));
        out.push_str(if variable.is_some() { "{}" } else { "{" });
        rest = variable.map_or(after, |(_, behind)| behind);
    }
    (out + rest).replace("\\\"", "\"")
}

#[test]
fn what_libraries_are_said_to_say_stands_in_their_source() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    walk(&root.join("crates"), &mut files);
    let boards = std::fs::read_dir(root.join("boards")).unwrap().map(|entry| entry.unwrap().path());
    let chips = root.join("crates/fwai-firmware/data/chip-families.tsv");
    let data = boards.chain([chips]).map(|path| std::fs::read_to_string(path).unwrap());
    let source: String = files.into_iter().map(|(_, text)| text).chain(data).collect();
    let source =
        source.replace("\\u{201c}", "“").replace("\\u{201d}", "”").replace("\\\"", "\"").to_lowercase();
    let english = texts::files(Language::English).iter().flat_map(|file| texts::messages(file));
    let mut gone = Vec::new();
    for (key, text) in english.filter(|(key, _)| is_sentence(key) && !key.starts_with("said-number-")) {
        // Sentences are put together from parts: each must stand somewhere.
        let sentence = bare(text.split_once('=').unwrap().1.trim()).to_lowercase();
        let parts = sentence.split("{}").flat_map(|part| part.split("; did you mean"));
        let parts = parts.flat_map(|part| part.split(", with the network"));
        let mut words = parts.map(|part| part.trim_matches(|letter: char| !letter.is_alphanumeric()));
        if !words.all(|part| source.contains(part)) {
            gone.push(format!("{key}: {sentence}"));
        }
    }
    assert!(gone.is_empty(), "nobody says this any more:\n{}", gone.join("\n"));
}

#[test]
fn every_failure_of_this_program_is_translated() {
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let english = texts::files(Language::English).iter().flat_map(|file| texts::messages(file));
    let known: BTreeSet<String> = english
        .filter(|(key, _)| key.starts_with("said-"))
        .map(|(_, text)| bare(text.split_once('=').unwrap().1.trim()))
        .chain(errors::FORMS.iter().flat_map(|forms| forms.iter()).map(of_form))
        .collect();
    let mut unknown = Vec::new();
    for (name, text) in files {
        for opening in ["Failure::usage(", "Failure::failed(", "Failure::new(", ".hint("] {
            for (at, _) in text.match_indices(opening) {
                let mut call = inside(&text[at + opening.len()..]).trim_start();
                if let Some((_, message)) = call.split_once(',').filter(|_| opening == "Failure::new(") {
                    call = message.trim_start();
                }
                let call =
                    call.trim_start_matches("format_args!(").trim_start_matches("format!(").trim_start();
                let Some(literal) = call.strip_prefix('"') else { continue };
                let mut quotes = literal.match_indices('"').map(|(at, _)| at);
                let end = quotes.find(|at| !literal[..*at].ends_with('\\')).unwrap();
                let sentence = bare(&literal[..end]);
                // A hint that is a command, and a name before another's words, need no translation.
                let is_slash = sentence.starts_with('/') && sentence.split(' ').count() < 3;
                let is_command = sentence.starts_with("fwai ") || sentence.starts_with("cd {}") || is_slash;
                let has_words = sentence.chars().any(char::is_alphabetic);
                let with_guess = sentence.strip_suffix("{}").unwrap_or(&sentence);
                let is_known = known.contains(&sentence) || known.contains(with_guess);
                if has_words && !is_command && !is_known {
                    unknown.push(format!("{name}:{}: {sentence}", text[..at].lines().count()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "add a said-… to the three files of texts for:\n{}", unknown.join("\n"));
}

/// The English of an error with every hole as `{}`.
fn of_form(form: &Form) -> String {
    let pieces = form.pieces.iter().map(|piece| match piece {
        Piece::Words(words) => words,
        Piece::Value(_) => "{}",
    });
    pieces.collect()
}

/// Keys of everything that `--help` shows.
fn help_keys() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut visit = |path: &[&str], command: &clap::Command| {
        let key = help::key(path);
        for argument in command
            .get_arguments()
            .filter(|argument| argument.get_help().is_some() && !argument.is_hide_set())
        {
            found.insert(format!("{key}.{}", argument.get_id()));
        }
        if command.get_long_about().is_some() {
            found.insert(format!("{key}.more"));
        }
        // Examples of bare commands read the same everywhere.
        let prose = |text: &str| text.lines().any(|line| !line.starts_with("  ") && line != "Examples:");
        if command.get_after_help().is_some_and(|text| prose(&text.to_string())) {
            found.insert(format!("{key}.examples"));
        }
        found.insert(key);
    };
    descend(&crate::cli::Cli::command(), &mut Vec::new(), &mut visit);
    found
}

fn descend<'a>(
    command: &'a clap::Command,
    path: &mut Vec<&'a str>,
    visit: &mut impl FnMut(&[&str], &clap::Command),
) {
    visit(path, command);
    for below in command.get_subcommands() {
        path.push(below.get_name());
        descend(below, path, visit);
        path.pop();
    }
}

#[test]
fn the_index_finds_what_the_parser_finds() {
    for language in [Language::English, CHINESE[0], CHINESE[1]] {
        let parsed: BTreeSet<String> =
            texts_of(language).keys().filter_map(|key| key.split('.').next()).map(str::to_owned).collect();
        let indexed: BTreeSet<String> = texts::files(language)
            .iter()
            .flat_map(|file| texts::messages(file))
            .map(|(key, _)| key.to_owned())
            .collect();
        assert_eq!(parsed, indexed);
    }
}

#[test]
fn every_command_and_argument_has_its_help_in_every_language() {
    let wanted = help_keys();
    for language in CHINESE {
        let texts = texts_of(language);
        let missing: Vec<_> = wanted.iter().filter(|key| !texts.contains_key(*key)).collect();
        assert!(missing.is_empty(), "{language:?} lacks {missing:#?}");
        let of_help = texts.keys().filter(|key| key.starts_with("help-") && !key.starts_with("help-of-"));
        // Examples may be translated where the English ones need it not.
        let extra: Vec<_> =
            of_help.filter(|key| !wanted.contains(*key) && !key.ends_with(".examples")).collect();
        assert!(extra.is_empty(), "{language:?} has help for what does not exist: {extra:#?}");
    }
}
