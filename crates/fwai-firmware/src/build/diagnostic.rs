//! What compilers, linkers and build systems complain about, in one shape.

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    #[default]
    Error,
    Warning,
    Note,
}

/// One complaint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Relative to the project where it is inside.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub severity: Severity,
    /// `-Wunused-variable`, `E0308`, `Pe020`, `#20`, `L6218E`…
    pub code: Option<String>,
    pub message: String,
    /// Function that the compiler was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// `gcc`, `ld`, `rustc`, `cmake`, `make`…
    #[serde(default)]
    pub source: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// How often it was said.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub count: u32,
    /// Was not there in the last build.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new: bool,
    /// Directory that the tool said it was in, for relative names.
    #[serde(skip)]
    pub(super) directory: Option<String>,
}

fn once() -> u32 {
    1
}

fn is_once(count: &u32) -> bool {
    *count <= 1
}

/// Something said about a complaint: an include chain, "declared here", help.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    pub message: String,
}

/// What a machine wants to know about some kinds of complaint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Detail {
    /// The image does not fit a memory region.
    RegionOverflow {
        region: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        section: Option<String>,
    },
    /// A symbol is used and nobody defines it.
    UndefinedReference {
        symbol: String,
        users: Vec<SymbolUser>,
    },
    /// A symbol is defined more than once.
    MultipleDefinition {
        symbol: String,
        places: Vec<SymbolUser>,
    },
    MissingHeader {
        name: String,
    },
    MissingLibrary {
        name: String,
    },
    MissingFile {
        name: String,
    },
    CommandNotFound {
        program: String,
    },
    /// Only says that something before went wrong.
    FollowUp,
}

/// Where a symbol is used or defined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolUser {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
}

impl Diagnostic {
    pub(super) fn new(source: &str, severity: Severity, message: impl Into<String>) -> Self {
        Self { source: source.to_string(), severity, message: message.into(), count: 1, ..Self::default() }
    }

    pub(super) fn at(mut self, place: Place) -> Self {
        (self.file, self.line, self.column) = (place.file, place.line, place.column);
        self
    }

    pub(super) fn code(mut self, code: Option<String>) -> Self {
        self.code = code;
        self
    }

    pub(super) fn detail(mut self, detail: Detail) -> Self {
        self.detail = Some(detail);
        self
    }

    pub(super) fn is_follow_up(&self) -> bool {
        self.detail == Some(Detail::FollowUp)
    }

    /// `main.c:12:3: error: …` as a compiler would say it.
    pub fn one_line(&self) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut place = self.file.clone().unwrap_or_default();
        for number in [self.line, self.column].into_iter().flatten() {
            place.push_str(&format!(":{number}"));
        }
        let code = self.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        let separator = if place.is_empty() { "" } else { ": " };
        format!("{place}{separator}{severity}: {}{code}", self.message)
    }
}

/// A file with line and column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

impl Place {
    pub fn file(name: &str) -> Self {
        Self { file: Some(name.to_string()), ..Self::default() }
    }

    /// `file`, `file:12` or `file:12:3`, also with a drive letter.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let split = |text: &str| {
            let (head, tail) = text.rsplit_once(':')?;
            let number = tail.parse::<u32>().ok()?;
            (!head.is_empty()).then(|| (head.to_string(), number))
        };
        match split(text) {
            None => Self::file(text),
            Some((head, last)) => match split(&head) {
                Some((file, line)) => Self { file: Some(file), line: Some(line), column: Some(last) },
                None => Self { file: Some(head), line: Some(last), column: None },
            },
        }
    }

    pub fn note(self, message: impl Into<String>) -> Note {
        Note { file: self.file, line: self.line, column: self.column, message: message.into() }
    }
}
