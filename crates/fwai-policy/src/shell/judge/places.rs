//! Where the words of a command point, and what reading or writing there means.

use super::{Judge, raise};
use crate::{
    paths::{Place, absolute, locate},
    shell::{
        consequence::{Consequence, Part},
        word::Word,
    },
};

impl Judge<'_> {
    pub(super) fn change_directory(&mut self, words: &[Word]) {
        let target = words[1..].iter().find(|word| !word.could_be_option() || word.text().is_none());
        match target.map(|word| (word.text(), word)) {
            Some((Some(text), word)) if !word.pattern => {
                let home = self.surroundings.home.as_deref().unwrap_or("/");
                let text = if word.home { format!("{home}{}", &text[1..]) } else { text.to_owned() };
                let next: Vec<String> =
                    self.directories.iter().map(|directory| absolute(directory, &text)).collect();
                for directory in next {
                    if !self.directories.contains(&directory) {
                        self.directories.push(directory);
                    }
                }
                self.lost |= self.directories.len() > 64;
            }
            _ => self.lost = true,
        }
    }

    /// Arguments of programs that are not known, as far as they name secrets.
    pub(super) fn private_operands(&self, part: &mut Part, words: &[Word]) {
        for word in &words[1..] {
            let value = path_in_option(word);
            let word = value.as_ref().unwrap_or(word);
            for place in self.places(word).unwrap_or_default() {
                if let Place::Private(path) = place {
                    forbid_private(part, &path);
                }
            }
        }
    }

    pub(super) fn read(&self, part: &mut Part, word: &Word) {
        let Some(places) = self.places(word) else {
            // The walls hide what must not be read; without them nothing does.
            if !self.surroundings.walls && !self.is_relative_pattern(word) {
                let why =
                    format!("reads `{}`, which is known only when it runs, without a sandbox", word.raw);
                raise(part, Consequence::NotUnderstood, &why, "builtin:not-understood");
            }
            return;
        };
        for place in places {
            match place {
                Place::Inside(path) => part.paths.push(path),
                Place::Scratch | Place::System(_) => {}
                Place::Private(path) => forbid_private(part, &path),
                Place::Elsewhere(path) => {
                    raise(
                        part,
                        Consequence::ReadsOutside,
                        &format!("reads {path}, which is outside the project"),
                        "builtin:outside-project",
                    );
                }
            }
        }
    }

    pub(super) fn write(&self, part: &mut Part, word: &Word, destructive: bool) {
        let Some(places) = self.places(word) else {
            let consequence = if destructive { Consequence::NotUnderstood } else { Consequence::Runs };
            let why = format!("changes `{}`, which is known only when it runs", word.raw);
            return raise(part, consequence, &why, "builtin:not-understood");
        };
        for place in places {
            match place {
                Place::Inside(path) => {
                    raise(part, Consequence::WritesInside, "changes files of the project", "builtin:writes");
                    if let Some((rule, why)) = self.protection.refusal(&path).filter(|_| !path.is_empty()) {
                        raise(part, Consequence::Forbidden, &why, rule);
                    }
                    if path.is_empty() && destructive && !word.pattern {
                        raise(
                            part,
                            Consequence::CannotBeUndone,
                            "takes the whole project",
                            "builtin:cannot-be-undone",
                        );
                    }
                    part.paths.push(path);
                }
                Place::Scratch => {}
                Place::Private(path) => forbid_private(part, &path),
                Place::System(path) | Place::Elsewhere(path) => {
                    let why = format!("changes {path}, which is outside the project");
                    raise(part, Consequence::Forbidden, &why, "builtin:outside-project");
                }
            }
        }
    }

    /// A pattern that cannot lead out of the directory, which is the project's.
    fn is_relative_pattern(&self, word: &Word) -> bool {
        let stays =
            |text: &str| !text.starts_with(['/', '~', '{']) && !text.contains("..") && !text.contains("{/");
        word.pattern && !self.lost && !word.home && word.text().is_some_and(stays)
    }

    /// Where a word may point, or nothing when it cannot be said.
    fn places(&self, word: &Word) -> Option<Vec<Place>> {
        let text = word.text()?;
        let mut fixed = text;
        if word.pattern {
            let wild = text.find(['*', '?', '[', '{']).unwrap_or(text.len());
            let (before, after) = text.split_at(wild);
            let start = before.rfind('/').map_or(0, |at| at + 1);
            // A pattern that could reach `..`, a hidden directory or, by `{/a,~/b}`, any place is not guessed at.
            if after.contains("..")
                || before[start..].starts_with('.')
                || after.contains("/.")
                || after.contains('{')
                    && (after.contains("{/") || after.contains(",/") || after.contains('~'))
            {
                return None;
            }
            fixed = if start == 0 { "." } else { &before[..start] };
        }
        let relative = !fixed.starts_with('/') && !word.home;
        if relative && self.lost {
            return None;
        }
        let directories = if relative { &self.directories[..] } else { &self.directories[..1] };
        Some(
            directories
                .iter()
                .map(|directory| locate(self.surroundings, directory, fixed, word.home))
                .collect(),
        )
    }
}

fn forbid_private(part: &mut Part, path: &str) {
    raise(part, Consequence::Forbidden, &format!("{path} holds secrets"), "policy:private-paths");
}

/// The path in `--file=/x`, `-f/x` or `if=~/x`.
pub(super) fn path_in_option(word: &Word) -> Option<Word> {
    let text = word.text()?;
    if !text.starts_with('-') && !text.contains('=') {
        return None;
    }
    let at = text.find(['/', '~'])?;
    if at == 0 {
        return None;
    }
    // `-I../include` is relative; only what is surely absolute or in the home directory is taken.
    if text[..at].ends_with('.')
        || text[..at].ends_with(|c: char| c.is_alphanumeric()) && text[..at].len() > 2
    {
        return None;
    }
    let value = &text[at..];
    Some(Word { home: value.starts_with('~'), ..Word::literal(value) })
}
