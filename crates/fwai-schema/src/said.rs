//! What errors say to people: English words, and the key and values from which a door says the same in another
//! language. Libraries speak English alone and know nothing of translations.
//!
//! `#[derive(Speak)]` beside thiserror's `Error` gives a type its [`Speak`]; [`Forms`] lists what it can say, so
//! that tests see that nothing lacks a translation, and words that have lost their error (in the events of a
//! session) can be told apart.

use std::{ffi::OsString, fmt, io, path::PathBuf};

pub use fwai_derive::Speak;

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub english: String,
    /// Nothing for plain words: names, numbers, what other programs print.
    pub form: Option<Filled>,
}

/// A form with what fills its holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The crate and the type: `app-KeyError`.
    pub key: &'static str,
    /// The variant; empty for a struct.
    pub variant: &'static str,
    pub values: Vec<(&'static str, Said)>,
}

impl Said {
    pub fn new(
        english: &impl fmt::Display,
        key: &'static str,
        variant: &'static str,
        values: Vec<(&'static str, Said)>,
    ) -> Self {
        Self { english: english.to_string(), form: Some(Filled { key, variant, values }) }
    }

    pub fn plain(english: impl fmt::Display) -> Self {
        Self { english: english.to_string(), form: None }
    }
}

/// What can be said in more than one language.
pub trait Speak {
    fn said(&self) -> Said;
}

/// Everything that a type of errors can say.
pub trait Forms {
    const FORMS: &'static [Form];
}

/// A sentence of an error, as its English stands in the source.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub key: &'static str,
    pub variant: &'static str,
    pub pieces: &'static [Piece],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Words(&'static str),
    /// A hole, under the name of its value.
    Value(&'static str),
}

impl<T: Speak + ?Sized> Speak for &T {
    fn said(&self) -> Said {
        (**self).said()
    }
}

impl<T: Speak + ?Sized> Speak for Box<T> {
    fn said(&self) -> Said {
        (**self).said()
    }
}

impl Speak for PathBuf {
    fn said(&self) -> Said {
        Said::plain(self.display())
    }
}

impl Speak for OsString {
    fn said(&self) -> Said {
        Said::plain(self.to_string_lossy())
    }
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl Speak for $type {
            fn said(&self) -> Said {
                Said::plain(self)
            }
        }
    )*};
}

plain!(str, String, fmt::Arguments<'_>, u16, u32, u64, usize, serde_json::Error);

/// The key of what the operating system says; its variants are those of [`io::ErrorKind`].
pub const SYSTEM: &str = "system";

impl Speak for io::Error {
    fn said(&self) -> Said {
        match (self.raw_os_error(), system_variant(self.kind())) {
            (Some(_), Some(variant)) => Said::new(self, SYSTEM, variant, Vec::new()),
            // Somebody's own words travel as an error of the system.
            _ => Said::plain(self),
        }
    }
}

/// The errors of the system that people meet, by their name.
pub const SYSTEM_VARIANTS: &[(io::ErrorKind, &str)] = &[
    (io::ErrorKind::NotFound, "NotFound"),
    (io::ErrorKind::PermissionDenied, "PermissionDenied"),
    (io::ErrorKind::ConnectionRefused, "ConnectionRefused"),
    (io::ErrorKind::ConnectionReset, "ConnectionReset"),
    (io::ErrorKind::ConnectionAborted, "ConnectionAborted"),
    (io::ErrorKind::NetworkUnreachable, "NetworkUnreachable"),
    (io::ErrorKind::HostUnreachable, "HostUnreachable"),
    (io::ErrorKind::AddrInUse, "AddrInUse"),
    (io::ErrorKind::AddrNotAvailable, "AddrNotAvailable"),
    (io::ErrorKind::BrokenPipe, "BrokenPipe"),
    (io::ErrorKind::AlreadyExists, "AlreadyExists"),
    (io::ErrorKind::NotADirectory, "NotADirectory"),
    (io::ErrorKind::IsADirectory, "IsADirectory"),
    (io::ErrorKind::DirectoryNotEmpty, "DirectoryNotEmpty"),
    (io::ErrorKind::ReadOnlyFilesystem, "ReadOnlyFilesystem"),
    (io::ErrorKind::InvalidInput, "InvalidInput"),
    (io::ErrorKind::TimedOut, "TimedOut"),
    (io::ErrorKind::StorageFull, "StorageFull"),
    (io::ErrorKind::QuotaExceeded, "QuotaExceeded"),
    (io::ErrorKind::FileTooLarge, "FileTooLarge"),
    (io::ErrorKind::ResourceBusy, "ResourceBusy"),
    (io::ErrorKind::ExecutableFileBusy, "ExecutableFileBusy"),
    (io::ErrorKind::CrossesDevices, "CrossesDevices"),
    (io::ErrorKind::TooManyLinks, "TooManyLinks"),
    (io::ErrorKind::InvalidFilename, "InvalidFilename"),
    (io::ErrorKind::ArgumentListTooLong, "ArgumentListTooLong"),
    (io::ErrorKind::Interrupted, "Interrupted"),
    (io::ErrorKind::WouldBlock, "WouldBlock"),
    (io::ErrorKind::OutOfMemory, "OutOfMemory"),
];

fn system_variant(kind: io::ErrorKind) -> Option<&'static str> {
    SYSTEM_VARIANTS.iter().find(|(known, _)| *known == kind).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use thiserror::Error;

    const LIMIT: usize = 3;

    #[derive(Debug, Error, Speak)]
    enum Trouble {
        #[error("{} is too long ({LIMIT} at most)", path.display())]
        Long { path: PathBuf },
        #[error("cannot read {path}: {source}; run: chmod 600 {path}")]
        Unreadable { path: String, source: io::Error },
        #[error("`{{` is missing in {line:?}{}", hint(.line))]
        Brace { line: String },
        #[error("{0} is not a key")]
        Key(String),
        #[error("fits several: {}", .fitting.join(", "))]
        Several {
            fitting: Vec<String>,
            #[allow(dead_code)]
            unsaid: fn(),
        },
        #[error(transparent)]
        Inner(#[from] Simple),
    }

    #[derive(Debug, Error, Speak)]
    #[error("nothing there")]
    struct Simple;

    fn hint(text: &str) -> String {
        format!("; write {{{text}}}")
    }

    fn check(trouble: Trouble, variant: &str, values: &[(&str, &str)]) {
        let said = trouble.said();
        assert_eq!(said.english, trouble.to_string());
        let filled = said.form.expect("a form");
        assert_eq!((filled.key, filled.variant), ("schema-Trouble", variant));
        let found: Vec<_> =
            filled.values.iter().map(|(name, value)| (*name, value.english.as_str())).collect();
        assert_eq!(found, values);
    }

    #[test]
    fn an_error_is_a_key_with_values() {
        check(Trouble::Long { path: "/a".into() }, "Long", &[("path", "/a"), ("limit", "3")]);
        let brace = Trouble::Brace { line: "x".into() };
        check(brace, "Brace", &[("line", "\"x\""), ("hint", "; write {x}")]);
        check(Trouble::Key("k".into()), "Key", &[("it", "k")]);
        let fitting = vec!["a".to_owned(), "b".to_owned()];
        check(Trouble::Several { fitting, unsaid: || {} }, "Several", &[("fitting", "a, b")]);
    }

    #[test]
    fn what_is_transparent_passes_the_word_on() {
        let said = Trouble::from(Simple).said();
        let form = said.form.expect("a form");
        assert_eq!((said.english.as_str(), form.key, form.variant), ("nothing there", "schema-Simple", ""));
    }

    #[test]
    fn what_the_system_says_is_known_by_its_kind() {
        let source = io::Error::from_raw_os_error(13);
        let said = Trouble::Unreadable { path: "/a".into(), source }.said();
        let values = said.form.expect("a form").values;
        let system = values[1].1.form.as_ref().expect("a form");
        assert_eq!((values[1].0, system.key, system.variant), ("source", SYSTEM, "PermissionDenied"));
        assert_eq!(io::Error::other("our own words").said().form, None);
        assert_eq!(io::Error::from_raw_os_error(9999).said().form, None);
    }

    #[test]
    fn forms_hold_the_english_in_pieces() {
        let forms: Vec<(&str, usize)> =
            Trouble::FORMS.iter().map(|form| (form.variant, form.pieces.len())).collect();
        assert_eq!(forms, [("Long", 4), ("Unreadable", 6), ("Brace", 3), ("Key", 2), ("Several", 2)]);
        assert_eq!(Trouble::FORMS[2].pieces[0], Piece::Words("`{` is missing in "));
    }
}
