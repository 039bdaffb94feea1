//! [`Watcher`]: from console bytes to a boot status.

use regex::Regex;

use super::{SafeText, explain::is_fatal};

/// A pattern that is no regular expression.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
#[error("`{pattern}` is not a regular expression: {what}; escape its special characters with `\\`")]
pub struct PatternError {
    pub pattern: String,
    pub what: String,
}

/// Compile a list of patterns.
pub fn compile<'a>(patterns: impl IntoIterator<Item = &'a String>) -> Result<Vec<Regex>, PatternError> {
    let compile = |pattern: &String| {
        Regex::new(pattern)
            .map_err(|error| PatternError { pattern: pattern.clone(), what: error.to_string() })
    };
    patterns.into_iter().map(compile).collect()
}

/// What decides a boot.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    pub success: Vec<Regex>,
    pub failure: Vec<Regex>,
}

/// How a boot was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub success: bool,
    /// The line that decided.
    pub line: String,
    /// The pattern that matched; absent for a crash report that is known without one.
    pub pattern: Option<String>,
}

/// Splits bytes into lines and holds each against the patterns. The first match decides.
pub struct Watcher {
    patterns: Patterns,
    filter: SafeText,
    line: String,
    /// Completed lines that nobody has taken yet.
    lines: Vec<String>,
    verdict: Option<Verdict>,
}

/// A line longer than this is cut in two; a binary stream has no lines at all.
const LONGEST_LINE: usize = 16 * 1024;

impl Watcher {
    pub fn new(patterns: Patterns) -> Self {
        Self { patterns, filter: SafeText::new(false), line: String::new(), lines: Vec::new(), verdict: None }
    }

    /// Take bytes in. Returns true when they decided the boot.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        let undecided = self.verdict.is_none();
        let text = self.filter.feed(bytes);
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece.trim_end_matches('\n'));
            if piece.ends_with('\n') || self.line.len() >= LONGEST_LINE {
                let line = std::mem::take(&mut self.line);
                self.judge(&line);
                self.lines.push(line);
            }
        }
        // A prompt has no line end; it must count too.
        if self.verdict.is_none() && !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.judge(&line);
            self.line = line;
        }
        undecided && self.verdict.is_some()
    }

    fn judge(&mut self, line: &str) {
        if self.verdict.is_some() {
            return;
        }
        let first = |patterns: &[Regex]| {
            patterns.iter().find(|pattern| pattern.is_match(line)).map(ToString::to_string)
        };
        let (success, pattern) = match (first(&self.patterns.failure), first(&self.patterns.success)) {
            (Some(pattern), _) => (false, Some(pattern)),
            (None, Some(pattern)) => (true, Some(pattern)),
            (None, None) if is_fatal(line) => (false, None),
            (None, None) => return,
        };
        self.verdict = Some(Verdict { success, line: line.trim().to_string(), pattern });
    }

    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// Lines completed since the last call.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// The line that has no end yet.
    pub fn open_line(&self) -> &str {
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watcher(success: &[&str], failure: &[&str]) -> Watcher {
        let compile =
            |list: &[&str]| super::compile(&list.iter().map(|p| p.to_string()).collect::<Vec<_>>()).unwrap();
        Watcher::new(Patterns { success: compile(success), failure: compile(failure) })
    }

    #[test]
    fn a_pattern_is_found_across_chunks_colours_and_without_a_line_end() {
        let mut watch = watcher(&["boot ok$"], &[]);
        assert!(!watch.feed(b"hello\r\n\x1b[32mbo"));
        assert!(watch.feed(b"ot ok\x1b[0"));
        assert!(!watch.feed(b"m\r\n"), "only decided once");
        assert_eq!(watch.verdict().unwrap().line, "boot ok");
        assert_eq!(watch.take_lines(), ["hello", "boot ok"]);
    }

    #[test]
    fn failure_wins_on_the_same_line_and_crash_reports_count_without_patterns() {
        let mut watch = watcher(&["ready"], &["not ready"]);
        watch.feed(b"not ready\n");
        assert!(!watch.verdict().unwrap().success);
        let mut watch = watcher(&["ready"], &[]);
        watch.feed(b"Guru Meditation Error: Core  0 panic'ed (LoadProhibited)\nready\n");
        assert_eq!(watch.verdict().unwrap().pattern, None);
        assert!(!watch.verdict().unwrap().success);
    }

    #[test]
    fn a_stream_without_lines_does_not_grow() {
        let mut watch = watcher(&["needle"], &[]);
        for _ in 0..100 {
            watch.feed(&[b'x'; 4096]);
            watch.take_lines();
        }
        assert!(watch.line.len() <= LONGEST_LINE + 4096);
        watch.feed(b"needle");
        assert!(watch.verdict().is_some());
    }
}
