//! `grep`: text in files, by ripgrep's own engine.

use super::walk;
use crate::{prelude::*, world::ToolPaths};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use ignore::WalkState;
use std::{
    io::Read,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

const MOST_LINES: usize = 300;
const LINE_LIMIT: usize = 300;

/// Search file contents with a regular expression. Answers `path:line: text`. Files that git ignores and binary files are left out.
#[derive(Deserialize, JsonSchema)]
pub struct Grep {
    /// Regular expression (Rust syntax).
    pattern: String,
    /// File or directory; the project unless given.
    #[serde(default)]
    path: Option<String>,
    /// Only files that match this glob, for instance `*.c`.
    #[serde(default)]
    glob: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    /// Lines to show around each match.
    #[serde(default)]
    context: usize,
    /// Only the names of files that match.
    #[serde(default)]
    files_only: bool,
    /// Search files that git ignores, too.
    #[serde(default)]
    hidden: bool,
}

impl Tool<World> for Grep {
    const NAME: &str = "grep";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 2;

    fn examples() -> Vec<Example> {
        examples![
            ("a word with its place", {"pattern": "main\\("}, contains "src/main.c:1: int main"),
            ("only names", {"pattern": "main", "files_only": true}, contains "src/main.c"),
            ("a pattern that is none", {"pattern": "("}, fails_with "regular expression"),
        ]
    }

    fn effects(&self) -> Effects {
        Effects::reads(self.path.as_deref().unwrap_or("."))
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let start = match ctx.readable(self.path.as_deref().unwrap_or(".")) {
            Ok(start) => start,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(self.ignore_case)
            .line_terminator(Some(b'\n'))
            .build(&self.pattern);
        let matcher = match matcher {
            Ok(matcher) => matcher,
            Err(error) => {
                return Ok(ToolOutcome::failed(format!(
                    "the regular expression cannot be used: {error}; escape what is meant literally"
                )));
            }
        };
        let builder = match walk::builder(&start, self.glob.as_deref(), self.hidden) {
            Ok(builder) => builder,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let task_ctx = ctx.clone();
        let found = tokio::task::spawn_blocking(move || self.search(&builder, &matcher, &task_ctx))
            .await
            .map_err(|error| HostError::new(error.to_string()))?;
        Ok(ToolOutcome::ok(found))
    }
}

impl Grep {
    fn search(
        &self,
        builder: &ignore::WalkBuilder,
        matcher: &RegexMatcher,
        ctx: &ToolContext<World>,
    ) -> String {
        let results: Mutex<Vec<(String, Vec<String>)>> = Mutex::new(Vec::new());
        let lines = AtomicUsize::new(0);
        builder.build_parallel().run(|| {
            let mut searcher = self.searcher();
            let mut buffer = Vec::new();
            let (results, lines) = (&results, &lines);
            Box::new(move |entry| {
                if ctx.cancel().is_cancelled() || lines.load(Ordering::Relaxed) > 10 * MOST_LINES {
                    return WalkState::Quit;
                }
                if let Ok(entry) = entry
                    && entry.file_type().is_some_and(|kind| kind.is_file())
                    && ctx.may_read(entry.path())
                {
                    let found = self.search_file(&mut searcher, &mut buffer, matcher, entry.path(), ctx);
                    if !found.is_empty() {
                        lines.fetch_add(found.len(), Ordering::Relaxed);
                        let mut results = results.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                        results.push((ctx.shown(entry.path()), found));
                    }
                }
                WalkState::Continue
            })
        });
        let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        results.sort();
        self.render(&results)
    }

    fn searcher(&self) -> Searcher {
        SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(true)
            .before_context(if self.files_only { 0 } else { self.context.min(20) })
            .after_context(if self.files_only { 0 } else { self.context.min(20) })
            .build()
    }

    fn search_file(
        &self,
        searcher: &mut Searcher,
        buffer: &mut Vec<u8>,
        matcher: &RegexMatcher,
        path: &Path,
        ctx: &ToolContext<World>,
    ) -> Vec<String> {
        let mut sink = Lines { name: ctx.shown(path), files_only: self.files_only, found: Vec::new() };
        // A file that vanishes or cannot be read while we walk is no result, and no failure either.
        if let Ok((file, _)) = ctx.open_file(path) {
            // Most files are read at one go; only large ones are worth reading piece by piece.
            let _ = match whole(&file, buffer) {
                Some(text) => searcher.search_slice(matcher, text, &mut sink),
                None => searcher.search_file(matcher, &file, &mut sink),
            };
        }
        sink.found
    }

    fn render(&self, results: &[(String, Vec<String>)]) -> String {
        if results.is_empty() {
            return format!("nothing matches `{}`", self.pattern);
        }
        let all: Vec<&str> = results.iter().flat_map(|(_, lines)| lines.iter().map(String::as_str)).collect();
        let mut text = all[..all.len().min(MOST_LINES)].join("\n");
        if all.len() > MOST_LINES {
            text.push_str(&format!(
                "\n(more than {MOST_LINES} lines; narrow the pattern, the path or the glob)"
            ));
        }
        text
    }
}

/// Larger files are read piece by piece.
const WHOLE: u64 = 4 << 20;

/// A small file as it is, in a buffer that serves all of them.
fn whole<'b>(mut file: &std::fs::File, buffer: &'b mut Vec<u8>) -> Option<&'b [u8]> {
    let size =
        file.metadata().ok().filter(|metadata| metadata.is_file() && metadata.len() <= WHOLE)?.len() as usize;
    if buffer.len() < size {
        buffer.resize(size, 0);
    }
    let mut filled = 0;
    while filled < size {
        match file.read(&mut buffer[filled..size]) {
            Ok(0) | Err(_) => break,
            Ok(count) => filled += count,
        }
    }
    Some(&buffer[..filled])
}

struct Lines {
    name: String,
    files_only: bool,
    found: Vec<String>,
}

impl Lines {
    fn push(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let cut = text.char_indices().nth(LINE_LIMIT).map_or(text, |(end, _)| &text[..end]);
        self.found.push(format!("{}{mark}{}{mark} {cut}", self.name, number.unwrap_or(0)));
    }
}

impl Sink for Lines {
    type Error = std::io::Error;

    fn matched(&mut self, _searcher: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        if self.files_only {
            self.found.push(self.name.clone());
            return Ok(false);
        }
        self.push(matched.line_number(), ':', matched.bytes());
        Ok(self.found.len() <= MOST_LINES)
    }

    fn context(&mut self, _searcher: &Searcher, context: &SinkContext<'_>) -> Result<bool, Self::Error> {
        self.push(context.line_number(), '-', context.bytes());
        Ok(true)
    }
}
