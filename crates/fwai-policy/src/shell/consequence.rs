//! What a command would do, from harmless to final. A line is judged by the worst of its parts.

use fwai_schema::permission::DeviceVerb;

/// What a part of a command does to the world, ordered by how much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consequence {
    /// Changes nothing.
    Reads,
    /// Changes files of the project, which undo restores.
    WritesInside,
    /// Runs a program that fwai knows nothing about; the sandbox bounds it.
    Runs,
    /// Reads files of the user's outside the project.
    ReadsOutside,
    /// Could be anything: the line was not understood.
    NotUnderstood,
    /// Sends or fetches something.
    LeavesMachine,
    TouchesBoard(DeviceVerb),
    CannotBeUndone,
    /// No mode and no rule allows it.
    Forbidden,
}

/// A consequence, where it comes from and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The command as written.
    pub text: String,
    /// The words that rules compare with, wrappers such as `sudo` and `env` taken off.
    pub words: Vec<String>,
    /// Project-relative paths that it touches, as far as they are known.
    pub paths: Vec<String>,
    pub consequence: Consequence,
    pub why: String,
    /// Name of the built-in fact that decided, for instance `builtin:read-only`.
    pub fact: &'static str,
    /// An allow rule may not vouch for it: words or environment change what the command really is.
    pub disguised: bool,
    /// Wants to write git's own files (index, refs, objects).
    pub writes_git: bool,
}
