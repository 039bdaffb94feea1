//! One file's text with its line numbers.

/// A place in the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    pub file: String,
    /// Counts from 1.
    pub line: u32,
}

/// The text of one file. Bytes that are no UTF-8 become replacement characters, so junk is only junk.
#[derive(Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn new(path: &str, bytes: &[u8]) -> Self {
        // A byte order mark is no part of the first word.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { path: path.to_owned(), text: String::from_utf8_lossy(bytes).into_owned() }
    }

    pub fn at(&self, line: u32) -> At {
        At { file: self.path.clone(), line }
    }

    /// Lines with their numbers, from 1.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The place of a byte offset.
    pub fn at_offset(&self, offset: usize) -> At {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        self.at(1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32)
    }

    /// The first line that contains a text.
    pub fn find(&self, needle: &str) -> Option<At> {
        self.lines().find(|(_, line)| line.contains(needle)).map(|(number, _)| self.at(number))
    }

    /// The first line that contains both texts, else the first that contains the second.
    pub fn find_pair(&self, key: &str, value: &str) -> Option<At> {
        self.lines()
            .find(|(_, line)| line.contains(key) && line.contains(value))
            .map(|(number, _)| self.at(number))
            .or_else(|| self.find(value))
    }
}
