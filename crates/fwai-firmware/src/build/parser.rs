//! [`DiagnosticParser`]: build output in, complaints out, as it streams.
//!
//! Almost every line of a build log is of no interest, so each line first passes one multi-pattern
//! search; only candidates become text and are tried by the dialects, in the order of one list.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use super::{
    diagnostic::{Diagnostic, Note},
    dialects,
    lines::Lines,
    order,
};

/// Words of which an interesting line has at least one, in any case.
const SIGNS: &[&str] = &[
    "error",
    "warning",
    "undefined",
    "overflow",
    "will not fit",
    "not found",
    "no such file",
    "in function",
    "in file included",
    "                 from ",
    "multiple definition",
    "***",
    "--> ",
    ">>> ",
    "note:",
    "note[",
    "remark",
    "cannot ",
    "can't ",
    "failed",
    "first defined",
    "ing directory",
    "assembler messages",
    "exceeds",
    "too big",
    "fatal",
    "in member function",
    "at global scope",
    "at top level",
    "in constructor",
    "in destructor",
    "in static member",
    "required from",
    "sorry",
    "overlaps",
    "truncated to fit",
    "help:",
    "no rule to make",
    "does not exist",
    "unknownboard",
    "failed to",
    "duplicate symbol",
    "in lambda function",
    "in instantiation of",
    "missing separator",
    "note: ",
];

/// Complaints kept at most; a log with more has said what it has to say.
const MOST_DIAGNOSTICS: usize = 20_000;

fn signs() -> &'static AhoCorasick {
    static SEARCH: OnceLock<AhoCorasick> = OnceLock::new();
    SEARCH.get_or_init(|| {
        AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .kind(Some(aho_corasick::AhoCorasickKind::DFA))
            .build(SIGNS)
            .expect("a fixed list of short words")
    })
}

/// What dialects know of the lines before.
#[derive(Default)]
pub(super) struct Context {
    pub found: Vec<Diagnostic>,
    /// `In file included from` lines that await their complaint.
    pub includes: Vec<Note>,
    /// Function that the compiler named last.
    pub function: Option<String>,
    /// Function and object that the linker named last.
    pub linker_function: Option<String>,
    pub linker_object: Option<String>,
    pub directories: Vec<String>,
    /// Following lines belong to the last complaint.
    pub open: Open,
}

/// What kind of continuation lines the last complaint may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Open {
    #[default]
    None,
    /// CMake: an indented paragraph is the message.
    CmakeMessage,
    /// rustc: `-->`, `= note:`, `help:`.
    Rust,
    /// lld: `>>>` lines.
    Lld,
    /// rustc said that linking failed; the linker's own words follow as a note.
    RustLinker,
}

impl Context {
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if self.found.len() >= MOST_DIAGNOSTICS {
            return;
        }
        diagnostic.directory = self.directories.last().cloned();
        let mut notes = std::mem::take(&mut self.includes);
        notes.append(&mut diagnostic.notes);
        diagnostic.notes = notes;
        self.found.push(diagnostic);
        self.open = Open::None;
    }

    /// Attach to the last complaint.
    pub fn note(&mut self, note: Note) {
        const MOST_NOTES: usize = 50;
        if let Some(last) = self.found.last_mut()
            && last.notes.len() < MOST_NOTES
        {
            last.notes.push(note);
        }
    }
}

/// Reads build output as it comes.
#[derive(Default)]
pub struct DiagnosticParser {
    lines: Lines,
    context: Context,
    last_line: String,
}

impl DiagnosticParser {
    pub fn new() -> Self {
        Self::default()
    }

    /// Read the next piece; it may end anywhere.
    pub fn feed(&mut self, chunk: &[u8]) {
        let Self { lines, context, last_line } = self;
        lines.feed(chunk, &mut |line| take_line(context, last_line, line));
    }

    /// The end of the output: complaints, each once, likely causes first. `failed` says how the build
    /// went; a build that failed without a word we know is described by its last line.
    pub fn finish(mut self, failed: bool) -> Vec<Diagnostic> {
        let Self { lines, context, last_line } = &mut self;
        lines.finish(&mut |line| take_line(context, last_line, line));
        order::ordered(self.context.found, failed, &self.last_line)
    }

    /// All of a text at once.
    pub fn parse(text: &[u8], failed: bool) -> Vec<Diagnostic> {
        let mut parser = Self::new();
        parser.feed(text);
        parser.finish(failed)
    }
}

fn take_line(context: &mut Context, last_line: &mut String, line: &[u8]) {
    if context.open == Open::None && (is_command_line(line) || !signs().is_match(line)) {
        return keep_last(context, last_line, line);
    }
    let before = context.found.len();
    dialects::read(&String::from_utf8_lossy(line), context);
    if context.found.len() == before && context.open == Open::None {
        keep_last(context, last_line, line);
    }
}

/// Long and without a colon: a compiler's command line, whose `-Werror` is no error. Every complaint of
/// that length has a place or a severity before a colon.
fn is_command_line(line: &[u8]) -> bool {
    line.len() > 160 && memchr::memchr(b':', line).is_none()
}

/// Remembers what was said last before something reported a failure, in case nothing else explains it.
fn keep_last(context: &Context, last_line: &mut String, line: &[u8]) {
    const LONGEST: usize = 500;
    let told = context.found.last().is_some_and(Diagnostic::is_follow_up);
    if !told && line.len() <= LONGEST && line.iter().any(u8::is_ascii_alphabetic) {
        last_line.clear();
        last_line.push_str(&String::from_utf8_lossy(line));
    }
}
