//! What the program says to people, in their language: English, 繁體中文 or 简体中文.
//!
//! Texts lie in `locales/*.ftl` (Fluent). [`say!`] gives one of them, [`translated!`] the translation of
//! what a library or a doc comment says in English. [`choice`] finds the language, [`texts`] reads the
//! files when the first text is needed, [`help`] puts `--help` into it, [`library`] says what libraries and
//! errors say, [`errors`] is the list of them. Programs always read English: `--json`, logs and evidence do not
//! pass through here.

mod choice;
mod columns;
mod errors;
mod help;
mod library;
mod mistakes;
mod shipped;
mod texts;

#[cfg(test)]
mod tests;

pub use choice::{Language, begin, for_machines, parse, tag};
pub use columns::{fit, pad, width};
pub use help::{command, manual, mistake, report, shown};
pub use library::{exactly, fault, permission, told, understood};
pub use shipped::{of_input, of_secret, of_skill, of_workflow};
pub use texts::{text, translation};

/// The text of a key, with its variables: `say!("build-up-to-date", seconds = 1.2)`.
macro_rules! say {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::language::text($key, &[$((stringify!($name), ($value).to_string())),*])
    };
}

/// The translation of something whose English lives elsewhere; nothing while English is spoken.
macro_rules! translated {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::language::translation($key, None, &[$((stringify!($name), ($value).to_string())),*])
    };
}

pub(crate) use {say, translated};
