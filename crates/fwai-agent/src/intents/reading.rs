//! A text taken apart: which meanings it has, what is left over, whether it says no, whether it asks.

use super::{
    concepts::{CONCEPTS, NEGATIONS, NEGATIONS_HAN, QUESTIONS, QUESTIONS_HAN, STOP_HAN, STOP_WORDS},
    normalise::is_han,
};
use std::collections::BTreeSet;

/// What is known of a text, or of what is left of it once a phrase was taken out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Names of meanings, and words of skills that no table knows.
    pub concepts: BTreeSet<String>,
    /// Words that fit nothing; two Chinese characters count as one.
    pub unknown: usize,
    pub negated: bool,
    pub question: bool,
}

/// Reads a text in its core form. `own_words` are words of skills beyond the table.
pub fn read(core: &str, asks: bool, own_words: &[String]) -> Reading {
    let mut rest = format!(" {core} ");
    let mut reading = Reading { question: asks, ..Reading::default() };
    let table = CONCEPTS
        .iter()
        .flat_map(|(name, words)| words.iter().map(|word| ((*name).to_owned(), (*word).to_owned())));
    let mut words: Vec<(String, String)> =
        table.chain(own_words.iter().map(|word| (word.clone(), word.clone()))).collect();
    words.sort_by_key(|(_, word)| std::cmp::Reverse(word.chars().count()));
    for (concept, word) in words {
        if take(&mut rest, &word) {
            reading.concepts.insert(concept);
        }
    }
    for word in NEGATIONS.iter().chain(NEGATIONS_HAN) {
        reading.negated |= take(&mut rest, word);
    }
    for word in QUESTIONS.iter().chain(QUESTIONS_HAN) {
        if take(&mut rest, word) {
            reading.question = true;
            reading.unknown += 1;
        }
    }
    for word in STOP_HAN {
        take(&mut rest, word);
    }
    let mut han = 0;
    for word in rest.split_whitespace() {
        let chinese = word.chars().filter(|c| is_han(*c)).count();
        han += chinese;
        let foreign = match chinese {
            0 => !STOP_WORDS.contains(&word) && word != ",",
            _ => word.chars().count() > chinese,
        };
        reading.unknown += usize::from(foreign);
    }
    reading.unknown += han.div_ceil(2);
    reading
}

/// Takes every occurrence of a word out of a text: whole words in English, anywhere in Chinese.
pub fn take(rest: &mut String, word: &str) -> bool {
    let han = word.chars().any(is_han);
    let mut found = false;
    loop {
        let at = if han { rest.find(word) } else { whole_word(rest, word) };
        let Some(at) = at else { return found };
        rest.replace_range(at..at + word.len(), " ");
        found = true;
    }
}

/// Where a word stands with no letter of its own script beside it.
fn whole_word(text: &str, word: &str) -> Option<usize> {
    let beside = |c: Option<char>| c.is_some_and(|c| (c.is_alphanumeric() && !is_han(c)) || c == '\'');
    let mut from = 0;
    while let Some(at) = text[from..].find(word).map(|offset| from + offset) {
        let (before, after) = (text[..at].chars().next_back(), text[at + word.len()..].chars().next());
        if !beside(before) && !beside(after) {
            return Some(at);
        }
        from = at + word.chars().next().map_or(1, char::len_utf8);
    }
    None
}
