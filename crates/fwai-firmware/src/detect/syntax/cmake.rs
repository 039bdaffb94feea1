//! CMake's command syntax: names, arguments, quotes, brackets and comments.

use std::collections::BTreeMap;

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    pub text: String,
    pub line: u32,
}

/// One command invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// In lower case.
    pub name: String,
    pub line: u32,
    pub arguments: Vec<Argument>,
}

impl Command {
    pub fn argument(&self, index: usize) -> Option<&str> {
        self.arguments.get(index).map(|argument| argument.text.as_str())
    }
}

/// The commands of a file. Text that is no CMake is skipped.
pub fn commands(text: &str) -> Vec<Command> {
    let mut reader = Reader { bytes: text.as_bytes(), position: 0, line: 1 };
    let mut commands = Vec::new();
    while reader.position < reader.bytes.len() {
        if let Some(command) = reader.command() {
            commands.push(command);
        }
    }
    commands
}

/// Variables that `set` gave a value, as far as a file states them.
#[derive(Debug, Default, Clone)]
pub struct Variables {
    values: BTreeMap<String, String>,
}

impl Variables {
    pub fn set(&mut self, name: &str, value: String) {
        self.values.insert(name.to_owned(), value);
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The text with `${NAME}` filled in; unknown names become empty, as in CMake.
    pub fn expand(&self, text: &str) -> String {
        self.expand_within(text, 8)
    }

    fn expand_within(&self, text: &str, depth: u8) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            result.push_str(&rest[..start]);
            let after = &rest[start + 2..];
            let Some(end) = matching_brace(after) else {
                result.push_str(&rest[start..]);
                return result;
            };
            if depth > 0 && result.len() < 8_000 {
                let name = self.expand_within(&after[..end], depth - 1);
                if let Some(value) = self.values.get(&name) {
                    result.push_str(&self.expand_within(value, depth - 1));
                }
            }
            rest = &after[end + 1..];
        }
        result.push_str(rest);
        result.truncate(floor_boundary(&result, 8_000));
        result
    }
}

fn matching_brace(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(offset),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The largest character boundary that is not above `limit`.
pub fn floor_boundary(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    line: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    /// Bytes of the text; an end in the middle of a character is a replacement character.
    fn slice(&self, start: usize, end: usize) -> String {
        let end = end.min(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[start.min(end)..end]).into_owned()
    }

    fn step(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.position += 1;
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'#' {
                self.position += 1;
                if !self.skip_bracket() {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.position += 1;
                    }
                }
            } else if byte.is_ascii_whitespace() || byte == b';' {
                self.step();
            } else {
                return;
            }
        }
    }

    fn command(&mut self) -> Option<Command> {
        self.skip_blank();
        let start = self.position;
        let line = self.line;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.position += 1;
        }
        let name = self.slice(start, self.position);
        if name.is_empty() {
            if self.position < self.bytes.len() {
                self.step();
            }
            return None;
        }
        while self.peek().is_some_and(|byte| byte == b' ' || byte == b'\t') {
            self.position += 1;
        }
        if self.peek() != Some(b'(') {
            return None;
        }
        self.position += 1;
        let arguments = self.arguments();
        Some(Command { name: name.to_ascii_lowercase(), line, arguments })
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let mut depth = 0;
        loop {
            self.skip_blank();
            let line = self.line;
            match self.peek() {
                None => return arguments,
                Some(b')') => {
                    self.position += 1;
                    if depth == 0 {
                        return arguments;
                    }
                    depth -= 1;
                }
                Some(b'(') => {
                    self.position += 1;
                    depth += 1;
                }
                Some(b'"') => {
                    let text = self.quoted();
                    // A quoted argument over several lines is reported piece by piece.
                    let mut pieces = text.split('\n').map(|piece| piece.trim().trim_end_matches('\\'));
                    let first = pieces.next().unwrap_or_default().to_owned();
                    arguments.push(Argument { text: first, line });
                    for (extra, piece) in (1..).zip(pieces) {
                        if !piece.trim().is_empty() {
                            arguments.push(Argument { text: piece.trim().to_owned(), line: line + extra });
                        }
                    }
                }
                Some(b'[') => {
                    let start = self.position;
                    if self.skip_bracket() {
                        arguments.push(Argument { text: self.slice(start, self.position), line });
                    } else {
                        self.bare(&mut arguments);
                    }
                }
                Some(_) => self.bare(&mut arguments),
            }
        }
    }

    fn bare(&mut self, arguments: &mut Vec<Argument>) {
        let start = self.position;
        let line = self.line;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b')' | b'#' => break,
                b'"' => {
                    self.quoted();
                }
                b'\\' => {
                    self.step();
                    if self.peek().is_some() {
                        self.step();
                    }
                }
                byte if byte.is_ascii_whitespace() => break,
                _ => self.position += 1,
            }
        }
        if self.position == start {
            self.step();
            return;
        }
        for piece in self.slice(start, self.position).split(';').filter(|piece| !piece.is_empty()) {
            arguments.push(Argument { text: piece.replace('"', ""), line });
        }
    }

    fn quoted(&mut self) -> String {
        self.position += 1;
        let start = self.position;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => break,
                b'\\' => {
                    self.step();
                    if self.peek().is_some() {
                        self.step();
                    }
                }
                _ => self.step(),
            }
        }
        let text = self.slice(start, self.position);
        self.position = (self.position + 1).min(self.bytes.len());
        text
    }

    /// Skips `[==[ … ]==]`; false, and nothing moved, when there is none here.
    fn skip_bracket(&mut self) -> bool {
        if self.peek() != Some(b'[') {
            return false;
        }
        let mut ahead = self.position + 1;
        while self.bytes.get(ahead) == Some(&b'=') {
            ahead += 1;
        }
        if self.bytes.get(ahead) != Some(&b'[') {
            return false;
        }
        let close = format!("]{}]", "=".repeat(ahead - self.position - 1));
        let end = self.bytes[ahead..]
            .windows(close.len())
            .position(|window| window == close.as_bytes())
            .map_or(self.bytes.len(), |offset| ahead + offset + close.len());
        while self.position < end {
            self.step();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_keep_their_lines() {
        let read = commands(
            "# set(MCU no)\n#[[ set(MCU\nno) ]]\nSet(A \"x y\" # c\n  b;c)\nadd_compile_definitions(\n  STM32F401xC\n  $<$<CONFIG:Debug>:DEBUG>\n)\n",
        );
        let got: Vec<_> = read
            .iter()
            .flat_map(|command| {
                command.arguments.iter().map(move |a| (command.name.as_str(), a.text.as_str(), a.line))
            })
            .collect();
        assert_eq!(
            got,
            [
                ("set", "A", 4),
                ("set", "x y", 4),
                ("set", "b", 5),
                ("set", "c", 5),
                ("add_compile_definitions", "STM32F401xC", 7),
                ("add_compile_definitions", "$<$<CONFIG:Debug>:DEBUG>", 8),
            ]
        );
    }

    #[test]
    fn variables_are_filled_in_and_loops_end() {
        let mut variables = Variables::default();
        variables.set("A", "${B}-x".into());
        variables.set("B", "b".into());
        variables.set("LOOP", "${LOOP}${LOOP}".into());
        assert_eq!(variables.expand("${A}/${NONE}/${${C}B}"), "b-x//b");
        assert!(variables.expand("${LOOP}").len() <= 8_000);
    }

    proptest::proptest! {
        #[test]
        fn junk_is_only_junk(text in "[\\x00-\\x7fä()\"\\[\\]#=\\\\;${}\n]{0,200}") {
            let read = commands(&text);
            for command in read {
                for argument in command.arguments {
                    Variables::default().expand(&argument.text);
                }
            }
        }
    }
}
