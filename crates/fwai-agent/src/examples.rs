//! Examples of tool calls: one list that feeds the generated reference, `fwai help`, and the tests.

use serde_json::Value;

/// One call of a tool and what its answer must look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What the example shows, in a few words.
    pub title: &'static str,
    pub arguments: Value,
    pub expect: Expect,
}

/// What the text of an example's answer must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Succeeds; the text does not matter, or depends on the machine.
    Succeeds,
    Contains(&'static str),
    EndsWith(&'static str),
    /// Fails, with this in its text.
    FailsWith(&'static str),
}

impl Expect {
    /// Why `outcome` is not what was expected.
    pub fn check(self, outcome: &crate::outcome::ToolOutcome) -> Result<(), String> {
        let text = outcome.text();
        let fits = match self {
            Expect::Succeeds => outcome.success,
            Expect::Contains(part) => outcome.success && text.contains(part),
            Expect::EndsWith(part) => outcome.success && text.trim_end().ends_with(part),
            Expect::FailsWith(part) => !outcome.success && text.contains(part),
        };
        if fits { Ok(()) } else { Err(format!("expected {self:?}, got success={}: {text}", outcome.success)) }
    }
}

/// A list of examples: `examples![("title", {"path": "a.c"}, contains "int main")]`. The last part is
/// `succeeds`, `contains "…"`, `ends_with "…"` or `fails_with "…"`.
#[macro_export]
macro_rules! examples {
    ($(($title:literal, {$($json:tt)*}, $verb:ident $($text:literal)?)),* $(,)?) => {
        vec![$($crate::examples::Example {
            title: $title,
            arguments: $crate::serde_json::json!({$($json)*}),
            expect: $crate::examples!(@expect $verb $($text)?),
        }),*]
    };
    (@expect succeeds) => { $crate::examples::Expect::Succeeds };
    (@expect contains $text:literal) => { $crate::examples::Expect::Contains($text) };
    (@expect ends_with $text:literal) => { $crate::examples::Expect::EndsWith($text) };
    (@expect fails_with $text:literal) => { $crate::examples::Expect::FailsWith($text) };
}
