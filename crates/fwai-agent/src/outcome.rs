//! What a tool gives back. A tool that could not do its work is a *failed outcome*, which the model
//! reads and reacts to; only a broken host is an error ([`HostError`](crate::host::HostError)).

use fwai_schema::message::ToolResultContent;
use serde_json::{Map, Value};

/// Key of an outcome's metadata: there was nothing to do, such as no tests to run. For a model that is a failure that
/// it should hear of; a step of a skill is left out.
pub const NOTHING_TO_DO: &str = "nothing_to_do";

/// The result of one tool call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolOutcome {
    pub success: bool,
    /// What the model reads. Text longer than the session's limit is cut in the middle by the executor,
    /// which keeps the whole in a file; a tool need not cut.
    pub content: Vec<ToolResultContent>,
    /// Project-relative paths that the call read.
    pub files_read: Vec<String>,
    /// Project-relative paths that the call created, changed or deleted.
    pub files_written: Vec<String>,
    /// Facts for evidence and doors, never sent to the model: `exit_code`, `command`, `run_id`…
    pub metadata: Map<String, Value>,
}

impl ToolOutcome {
    pub fn ok(text: impl Into<String>) -> Self {
        Self {
            success: true,
            content: vec![ToolResultContent::Text { text: text.into() }],
            ..Self::default()
        }
    }

    /// The work was not done; `text` says why and what to try instead.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { success: false, ..Self::ok(text) }
    }

    pub fn image(media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        let image = ToolResultContent::Image { media_type: media_type.into(), data: base64.into() };
        Self { success: true, content: vec![image], ..Self::default() }
    }

    pub fn read(mut self, path: impl Into<String>) -> Self {
        self.files_read.push(path.into());
        self
    }

    pub fn wrote(mut self, path: impl Into<String>) -> Self {
        self.files_written.push(path.into());
        self
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.to_owned(), value.into());
        self
    }

    /// All text of the content, for tests and for people.
    pub fn text(&self) -> String {
        text_of(&self.content)
    }
}

/// All text of a tool's answer, joined by newlines.
pub fn text_of(content: &[ToolResultContent]) -> String {
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| match part {
            ToolResultContent::Text { text } => Some(text.as_str()),
            ToolResultContent::Image { .. } => None,
        })
        .collect();
    texts.join("\n")
}
