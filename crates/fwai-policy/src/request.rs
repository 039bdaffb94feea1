//! What is about to happen, in the words that policy judges by.

use fwai_schema::permission::Level;

/// A call that waits for a decision. Paths and command are as the model wrote them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub tool: String,
    pub level: Level,
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// Shell text.
    pub command: Option<String>,
    /// Addresses or host names that will be contacted.
    pub urls: Vec<String>,
    /// The board is a virtual one: nothing that is done to it lasts.
    pub virtual_board: bool,
    /// Directory in which paths and command are meant; the project's root where absent.
    pub cwd: Option<String>,
    /// Project-relative path of the session's plan, which plan mode may write.
    pub plan_path: Option<String>,
}

impl Request {
    pub fn new(tool: impl Into<String>, level: Level) -> Self {
        Self {
            tool: tool.into(),
            level,
            reads: Vec::new(),
            writes: Vec::new(),
            command: None,
            urls: Vec::new(),
            virtual_board: false,
            cwd: None,
            plan_path: None,
        }
    }

    /// A shell command of the tool `bash`.
    pub fn shell(command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..Self::new("bash", Level::Execute) }
    }

    pub fn reads(mut self, path: impl Into<String>) -> Self {
        self.reads.push(path.into());
        self
    }

    pub fn writes(mut self, path: impl Into<String>) -> Self {
        self.writes.push(path.into());
        self
    }

    pub fn url(mut self, address: impl Into<String>) -> Self {
        self.urls.push(address.into());
        self
    }

    pub fn cwd(mut self, directory: impl Into<String>) -> Self {
        self.cwd = Some(directory.into());
        self
    }
}

/// Where requests are judged: facts about the machine that do not change during a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Absolute path of the project, symlinks resolved.
    pub root: String,
    /// Absolute path of the user's home directory.
    pub home: Option<String>,
    /// Commands run behind walls (see `fwai-tools`' sandbox); without them unknown programs ask.
    pub walls: bool,
    /// Absolute directories outside the project that commands may write.
    pub writable: Vec<String>,
    /// Absolute paths, beside the built-in ones, that nothing may read.
    pub private: Vec<String>,
}
