//! Words of a shell line, as far as they are known before the shell expands them.

/// One word. What the shell would only know at run time is absent from `value`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub raw: String,
    /// The text after quote removal, with a leading `~` for the home directory; absent when a part of it
    /// comes from a variable or a substitution.
    pub value: Option<String>,
    /// Contains unquoted `*`, `?`, `[` or braces, so that it may become several words.
    pub pattern: bool,
    /// Starts with an unquoted `~` or `$HOME`.
    pub home: bool,
    /// Any part was quoted: never a reserved word or an alias.
    pub quoted: bool,
}

impl Word {
    /// A word that is exactly this text.
    pub fn literal(text: &str) -> Self {
        Self { raw: text.to_owned(), value: Some(text.to_owned()), ..Self::default() }
    }

    /// The text, when it is fully known and stands for itself.
    pub fn plain(&self) -> Option<&str> {
        if self.pattern || self.home { None } else { self.value.as_deref() }
    }

    /// The text when nothing in it depends on the run, patterns included.
    pub fn text(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Whether the word can be an option; an unknown word can be anything.
    pub fn could_be_option(&self) -> bool {
        self.value.as_deref().is_none_or(|text| text.starts_with('-'))
    }
}

/// `>`, `<`, `>>`, `<<<` … with its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub kind: RedirectKind,
    pub target: Word,
}

/// What a redirection does with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    Read,
    Write,
    /// `2>&1`: another descriptor.
    Duplicate,
    /// A here-document or here-string: text on standard input.
    Text,
}

/// One command with its arguments, wherever in the line it stood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simple {
    /// As written, for people.
    pub text: String,
    pub assignments: Vec<(String, Word)>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
    /// Its standard input is the output of another command.
    pub piped_in: bool,
    /// The function in whose body it stands.
    pub in_function: Option<String>,
}
