//! The reader under the parser: characters become words, redirections, assignments and here-documents, and
//! every substitution inside a word is parsed as a script of its own.

mod words;

use super::{
    parse::{MAX_DEPTH, Script},
    word::{Redirect, RedirectKind, Word},
};

pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    levels: usize,
    nested: Script,
    here_documents: Vec<(String, bool, bool)>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str, depth: usize) -> Self {
        Self { text, at: 0, depth, levels: 0, nested: Script::default(), here_documents: Vec::new() }
    }

    pub fn take_nested(&mut self) -> Script {
        std::mem::take(&mut self.nested)
    }

    pub fn deeper(&mut self) -> Result<(), String> {
        self.levels += 1;
        if self.levels > MAX_DEPTH { Err("the command is nested too deeply".into()) } else { Ok(()) }
    }

    pub fn shallower(&mut self) {
        self.levels -= 1;
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    pub fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    pub fn looking_at(&self, mark: &str) -> bool {
        self.rest().starts_with(mark)
    }

    pub fn take(&mut self, mark: &str) -> bool {
        let found = self.looking_at(mark);
        if found {
            self.at += mark.len();
        }
        found
    }

    pub fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(format!("`{mark}` is missing")) }
    }

    pub fn skip_blanks(&mut self) {
        loop {
            if self.looking_at("\\\n") {
                self.at += 2;
            } else if self.looking_at("\\\r\n") {
                self.at += 3;
            } else if matches!(self.peek(), Some(' ' | '\t' | '\r')) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Blanks, newlines and comments. A newline is where the bodies of here-documents begin.
    pub fn skip_blank_lines(&mut self) -> Result<(), String> {
        loop {
            self.skip_blanks();
            if self.take("\n") {
                self.read_here_documents()?;
            } else if self.looking_at("#") {
                let end = self.rest().find('\n').map_or(self.text.len(), |offset| self.at + offset);
                self.at = end;
            } else {
                return Ok(());
            }
        }
    }

    /// One of these words, when it stands here as a word of its own.
    pub fn peek_reserved<'w>(&self, words: &[&'w str]) -> Option<&'w str> {
        words.iter().copied().find(|word| {
            self.rest().strip_prefix(word).is_some_and(|rest| {
                rest.chars().next().is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c))
            })
        })
    }

    pub fn take_word_if(&mut self, word: &str) {
        if self.peek_reserved(&[word]).is_some() {
            self.at += word.len();
        }
    }

    pub fn name(&mut self) -> String {
        let length = self.rest().find(|c: char| c.is_whitespace() || ";&|()<>".contains(c));
        let name = &self.rest()[..length.unwrap_or(self.rest().len())];
        self.at += name.len();
        name.to_owned()
    }

    /// `name ()` at this place, consumed.
    pub fn function_definition(&mut self) -> Option<String> {
        let length = self.rest().find(|c: char| c.is_whitespace() || ";&|()<>'\"$`\\=".contains(c))?;
        let name = &self.rest()[..length];
        let after = self.rest()[length..].trim_start_matches([' ', '\t']);
        let body = after.strip_prefix('(')?.trim_start_matches([' ', '\t']).strip_prefix(')')?;
        if name.is_empty() {
            return None;
        }
        let name = name.to_owned();
        self.at = self.text.len() - body.len();
        Some(name)
    }

    /// `NAME=value`, `NAME+=value`, `NAME[i]=value` or `NAME=(…)` at this place.
    pub fn assignment(&mut self) -> Result<Option<(String, Word)>, String> {
        let rest = self.rest();
        let name_length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = &rest[..name_length];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let mut after = &rest[name_length..];
        if after.starts_with('[') {
            match after.find(']') {
                Some(end) if !after[..end].contains(['$', '`', '\n', ' ']) => after = &after[end + 1..],
                _ => return Ok(None),
            }
        }
        let Some(value) = after.strip_prefix("+=").or_else(|| after.strip_prefix('=')) else {
            return Ok(None);
        };
        self.at = self.text.len() - value.len();
        if self.take("(") {
            loop {
                self.skip_blank_lines()?;
                if self.take(")") {
                    break;
                }
                if self.word()?.is_none() {
                    return Err(format!("cannot read the array `{name}`"));
                }
            }
            let raw = self.since(self.text.len() - value.len()).to_owned();
            return Ok(Some((name.to_owned(), Word { raw, ..Word::default() })));
        }
        let word = self.word()?.unwrap_or_else(|| Word::literal(""));
        Ok(Some((name.to_owned(), word)))
    }

    pub fn redirect(&mut self) -> Result<Option<Redirect>, String> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let mut operator_at = self.at + digits;
        if digits == 0
            && self.looking_at("{")
            && let Some(end) = self.rest().find('}')
            && self.rest()[1..end].chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && self.rest()[end + 1..].starts_with(['<', '>'])
        {
            operator_at = self.at + end + 1;
        }
        let operators: [(&str, RedirectKind); 12] = [
            ("&>>", RedirectKind::Write),
            ("&>", RedirectKind::Write),
            ("<<<", RedirectKind::Text),
            ("<<-", RedirectKind::Text),
            ("<<", RedirectKind::Text),
            ("<&", RedirectKind::Duplicate),
            ("<>", RedirectKind::Write),
            (">&", RedirectKind::Duplicate),
            (">>", RedirectKind::Write),
            (">|", RedirectKind::Write),
            (">", RedirectKind::Write),
            ("<", RedirectKind::Read),
        ];
        let after = &self.text[operator_at..];
        // `<(…)` and `>(…)` are words.
        if after.starts_with("<(") || after.starts_with(">(") {
            return Ok(None);
        }
        let Some((operator, mut kind)) = operators.iter().find(|(text, _)| after.starts_with(text)).copied()
        else {
            return Ok(None);
        };
        self.at = operator_at + operator.len();
        self.skip_blanks();
        let start = self.at;
        let target = self.word()?.ok_or_else(|| format!("`{operator}` without a target"))?;
        match operator {
            "<<" | "<<-" => {
                let raw = self.since(start);
                let quoted = raw.contains(['\'', '"', '\\']);
                let delimiter: String = raw.chars().filter(|c| !"'\"\\".contains(*c)).collect();
                self.here_documents.push((delimiter, operator == "<<-", quoted));
            }
            // `>& file` writes a file; `>&2` and `>&-` do not.
            "<&" | ">&" if !target.text().is_some_and(is_descriptor) => kind = RedirectKind::Write,
            _ => {}
        }
        Ok(Some(Redirect { kind, target }))
    }

    fn read_here_documents(&mut self) -> Result<(), String> {
        for (delimiter, strip_tabs, quoted) in std::mem::take(&mut self.here_documents) {
            let mut body = String::new();
            loop {
                if self.at_end() {
                    return Err(format!("the here-document `{delimiter}` has no end"));
                }
                let line_end = self.rest().find('\n').map_or(self.text.len(), |offset| self.at + offset);
                let line = &self.text[self.at..line_end];
                self.at = (line_end + 1).min(self.text.len());
                let line = if strip_tabs { line.trim_start_matches('\t') } else { line };
                if line == delimiter {
                    // A newline belongs to the here-document's last line; the parser must see one.
                    self.at -= usize::from(self.at > line_end);
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            if !quoted {
                self.substitutions_of(&body)?;
            }
        }
        Ok(())
    }

    /// `((…))`, with the substitutions inside it.
    pub fn arithmetic(&mut self, open: &str, close: &str) -> Result<(), String> {
        self.expect(open)?;
        let start = self.at;
        let mut level = 0usize;
        while !self.at_end() {
            if level == 0 && self.looking_at(close) {
                let body = self.since(start).to_owned();
                self.at += close.len();
                return self.substitutions_of(&body);
            }
            match self.bump() {
                Some('(') => level += 1,
                Some(')') if level == 0 => break,
                Some(')') => level -= 1,
                _ => {}
            }
        }
        Err(format!("`{close}` is missing"))
    }
}

fn is_descriptor(text: &str) -> bool {
    text == "-" || text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit())
}
