//! Shell commands, read without running them: [`parse`] finds every simple command of a line wherever it
//! hides, [`judge`] says what each of them would do, from the facts in [`table`],
//! [`need`] whether a shell is needed at all.

pub mod consequence;
mod git;
pub mod judge;
mod known_programs;
mod lexing;
pub mod need;
pub mod parse;
pub mod table;
mod unwrap;
pub mod word;
