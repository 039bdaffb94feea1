//! Chores of the repository: `cargo xtask <chore>`.
//!
//! Each chore lives in the file of its name.

#![forbid(unsafe_code)]

mod bench;
mod codegen;
mod demo;
mod dist;
mod picture;
mod places;
mod probes;
mod setup;
mod shell;
mod test;
mod tidy;
mod typescript;
mod wasm;

use anyhow::{Result, bail};

/// Name, what it does, and how.
type Chore = (&'static str, &'static str, fn(&[String]) -> Result<()>);

const CHORES: &[Chore] = &[
    ("setup", "install what is missing on this machine", setup::run),
    ("demo", "set up, build, and show the main job on a virtual board", demo::run),
    (
        "test",
        "set up and run the whole test suite (--fast: only formatting, lints and Rust tests)",
        test::run,
    ),
    ("bench", "measure the numbers of the design and compare them", bench::run),
    ("tidy", "check the rules of the house: directions, headers, words", tidy::run),
    ("codegen", "write schemas and types (--check: fail when they are out of date)", codegen::run),
    ("wasm", "compile the clean crates for the browser", wasm::run),
    ("probes", "compile the back end for debug probes and look for one", probes::run),
    ("picture", "draw the picture of the README anew", picture::run),
    ("dist", "build the release archive into dist/", dist::run),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("help", String::as_str);
    if let Some((_, _, run)) = CHORES.iter().find(|(chore, ..)| *chore == name) {
        return run(&arguments[1..]);
    }
    println!("cargo xtask <chore>\n");
    for (chore, what, _) in CHORES {
        println!("  {chore:8} {what}");
    }
    if matches!(name, "help" | "--help" | "-h") { Ok(()) } else { bail!("no chore is called `{name}`") }
}
