//! A text taken apart: which meanings it has, what is left over, whether it says no, whether it asks.

use super::{
    concepts::{
        CONCEPTS, NEGATIONS, NEGATIONS_HAN, OTHER_DEEDS, QUESTIONS, QUESTIONS_HAN, STOP_HAN, STOP_WORDS,
        THINGS,
    },
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
    /// The first word that says no or asks.
    pub doubt: Option<String>,
    /// A word that was taken for another because one letter is out of place, and that other.
    pub slip: Option<(String, String)>,
}

/// Reads a text in its core form. `own_words` are words of skills beyond the table.
pub fn read(core: &str, asks: bool, own_words: &[String]) -> Reading {
    let mut rest = format!(" {core} ");
    let mut reading = Reading { question: asks, ..Reading::default() };
    take_meanings(&mut rest, own_words, &mut reading);
    let contracted: Vec<String> =
        rest.split_whitespace().filter(|word| word.ends_with("n't")).map(str::to_owned).collect();
    let negations = NEGATIONS.iter().chain(NEGATIONS_HAN).copied();
    for word in negations.chain(contracted.iter().map(String::as_str)) {
        if take(&mut rest, word) {
            reading.negated = true;
            reading.doubt.get_or_insert_with(|| word.to_owned());
        }
    }
    for word in QUESTIONS.iter().chain(QUESTIONS_HAN) {
        if take(&mut rest, word) {
            reading.question = true;
            reading.unknown += 1;
            reading.doubt.get_or_insert_with(|| (*word).to_owned());
        }
    }
    for word in OTHER_DEEDS {
        if take(&mut rest, word) {
            reading.unknown += 2;
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
        if !foreign {
            continue;
        }
        match slip_of(word) {
            Some((concept, meant)) => {
                reading.concepts.insert(concept.to_owned());
                reading.slip.get_or_insert_with(|| (word.to_owned(), meant.to_owned()));
            }
            None => reading.unknown += 1,
        }
    }
    reading.unknown += han.div_ceil(2);
    reading
}

/// Takes out what the tables and the skills know, the longest first.
fn take_meanings(rest: &mut String, own_words: &[String], reading: &mut Reading) {
    let table = CONCEPTS.iter().flat_map(|(name, words)| words.iter().map(|word| (Some(*name), *word)));
    let own = own_words.iter().map(|word| (Some(word.as_str()), word.as_str()));
    let mut words: Vec<(Option<&str>, &str)> =
        own.chain(table).chain(THINGS.iter().map(|word| (None, *word))).collect();
    // Of equal words the one that means something comes first.
    words.sort_by_key(|(concept, word)| (std::cmp::Reverse(word.chars().count()), concept.is_none()));
    for (concept, word) in words {
        if !take(rest, word) {
            continue;
        }
        match concept {
            Some(concept) => drop(reading.concepts.insert(concept.to_owned())),
            None => reading.unknown += 1,
        }
    }
}

/// The word of the table that a word with one slip of the finger was meant to be.
fn slip_of(word: &str) -> Option<(&'static str, &'static str)> {
    let all = CONCEPTS.iter().flat_map(|(name, words)| words.iter().map(move |known| (*name, *known)));
    all.filter(|(_, known)| known.len() >= 5 && known.is_ascii()).find(|(_, known)| is_slip(word, known))
}

/// Two letters changed places, one is missing, or one is too many. Another letter makes another word (flush, built),
/// and so does an ending.
fn is_slip(word: &str, known: &str) -> bool {
    let (word, known) = (word.as_bytes(), known.as_bytes());
    if word.first() != known.first() {
        return false;
    }
    let one_less = |long: &[u8], short: &[u8]| {
        let same = long.iter().zip(short).take_while(|(one, other)| one == other).count();
        long[same + 1..] == short[same..]
    };
    match word.len().abs_diff(known.len()) {
        0 => {
            let same = word.iter().zip(known).take_while(|(one, other)| one == other).count();
            same + 1 < word.len()
                && word[same] == known[same + 1]
                && word[same + 1] == known[same]
                && word[same + 2..] == known[same + 2..]
        }
        1 if word.len() < known.len() => word.last() == known.last() && one_less(known, word),
        1 => word.last() == known.last() && one_less(word, known),
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn a_slip_is_one_letter_out_of_place_and_no_other_word() {
        for (word, known) in [
            ("flahs", "flash"),
            ("flsh", "flash"),
            ("falsh", "flash"),
            ("biuld", "build"),
            ("compille", "compile"),
        ] {
            assert!(is_slip(word, known), "{word}");
        }
        for (word, known) in [
            ("flush", "flash"),
            ("flask", "flash"),
            ("built", "build"),
            ("builds", "build"),
            ("flashy", "flash"),
            ("flas", "flash"),
            ("flash", "flash"),
            ("lash", "flash"),
            ("f", "flash"),
            ("", "flash"),
        ] {
            assert!(!is_slip(word, known), "{word}");
        }
    }
}
