//! One word: quotes, variables, substitutions and patterns, as far as they are known before the shell runs.

use super::Reader;
use crate::shell::{parse::parse_nested, word::Word};

/// Collects one word.
#[derive(Default)]
struct Building {
    value: String,
    dynamic: bool,
    pattern: bool,
    home: bool,
    quoted: bool,
}

impl Reader<'_> {
    /// The next word, or nothing when an operator or the end comes first.
    pub fn word(&mut self) -> Result<Option<Word>, String> {
        let start = self.at;
        let mut building = Building::default();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | ')' => break,
                '<' | '>' if self.looking_at("<(") || self.looking_at(">(") => {
                    self.at += 2;
                    self.command_substitution()?;
                    // The shell puts the name of a pipe here.
                    building.value.push_str("/dev/fd/63");
                }
                '<' | '>' => break,
                '(' => return Err("`(` stands inside a word".into()),
                '#' if self.at == start => break,
                '\\' => {
                    self.bump();
                    building.quoted = true;
                    match self.bump() {
                        Some('\n') => {}
                        Some(escaped) => building.value.push(escaped),
                        None => return Err("the command ends in a backslash".into()),
                    }
                }
                '\'' => {
                    building.quoted = true;
                    self.bump();
                    let end = self.rest().find('\'').ok_or("a single quote is not closed")?;
                    building.value.push_str(&self.rest()[..end]);
                    self.at += end + 1;
                }
                '"' => {
                    self.bump();
                    self.double_quoted(&mut building)?;
                }
                '$' => self.dollar(&mut building)?,
                '`' => self.backticks(&mut building)?,
                '~' if self.at == start => {
                    self.bump();
                    match self.peek() {
                        None | Some('/' | ' ' | '\t' | '\n' | ';' | '&' | '|' | ')') => building.home = true,
                        _ => building.dynamic = true,
                    }
                    building.value.push('~');
                }
                '*' | '?' | '[' | '{' => {
                    building.pattern = true;
                    building.value.push(c);
                    self.bump();
                }
                _ => {
                    building.value.push(c);
                    self.bump();
                }
            }
        }
        if self.at == start {
            return Ok(None);
        }
        // A lone `{` or `[`, and `{}` of find, stand for themselves.
        let raw = self.since(start).to_owned();
        let pattern = building.pattern && !matches!(raw.as_str(), "[" | "{" | "{}");
        Ok(Some(Word {
            value: (!building.dynamic).then_some(building.value),
            raw,
            pattern,
            home: building.home,
            quoted: building.quoted,
        }))
    }

    fn double_quoted(&mut self, building: &mut Building) -> Result<(), String> {
        building.quoted = true;
        loop {
            match self.peek() {
                None => return Err("a double quote is not closed".into()),
                Some('"') => {
                    self.bump();
                    return Ok(());
                }
                Some('\\') => {
                    self.bump();
                    match self.bump() {
                        Some('\n') => {}
                        Some(c @ ('$' | '`' | '"' | '\\')) => building.value.push(c),
                        Some(c) => {
                            building.value.push('\\');
                            building.value.push(c);
                        }
                        None => return Err("a double quote is not closed".into()),
                    }
                }
                Some('$') if self.looking_at("$\"") || self.looking_at("$'") => {
                    building.value.push('$');
                    self.bump();
                }
                Some('$') => self.dollar(building)?,
                Some('`') => self.backticks(building)?,
                Some(c) => {
                    building.value.push(c);
                    self.bump();
                }
            }
        }
    }

    fn dollar(&mut self, building: &mut Building) -> Result<(), String> {
        self.bump();
        if self.looking_at("((") {
            building.dynamic = true;
            // `$((…))`, unless it turns out to be `$( (…) )`.
            let start = self.at;
            if self.arithmetic("((", "))").is_ok() {
                return Ok(());
            }
            self.at = start;
        }
        if self.take("(") {
            building.dynamic = true;
            return self.command_substitution();
        }
        if self.take("{") {
            return self.parameter(building);
        }
        if self.take("'") {
            building.quoted = true;
            return self.ansi_c_quoted(building);
        }
        if self.looking_at("\"") {
            return Ok(());
        }
        let length = self.rest().bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = &self.rest()[..length];
        if name == "HOME" && building.value.is_empty() && !building.dynamic {
            building.home = true;
            building.value.push('~');
            self.at += length;
        } else if length > 0 {
            building.dynamic = true;
            self.at += length;
        } else if self.peek().is_some_and(|c| "?!@*#$-".contains(c)) {
            building.dynamic = true;
            self.bump();
        } else {
            building.value.push('$');
        }
        Ok(())
    }

    fn parameter(&mut self, building: &mut Building) -> Result<(), String> {
        if self.looking_at("HOME}") && building.value.is_empty() && !building.dynamic {
            self.at += "HOME}".len();
            building.home = true;
            building.value.push('~');
            return Ok(());
        }
        building.dynamic = true;
        let start = self.at;
        let mut level = 0usize;
        while let Some(c) = self.bump() {
            match c {
                '\\' => {
                    self.bump();
                }
                '\'' if level == 0 => {
                    if let Some(end) = self.rest().find('\'') {
                        self.at += end + 1;
                    }
                }
                '{' => level += 1,
                '}' if level == 0 => {
                    let body = self.since(start);
                    let body = &body[..body.len() - 1];
                    // `${x@P}` expands its value as a prompt, commands included.
                    if body.ends_with("@P") {
                        return Err("`${…@P}` runs what a variable holds".into());
                    }
                    let body = body.to_owned();
                    return self.substitutions_of(&body);
                }
                '}' => level -= 1,
                _ => {}
            }
        }
        Err("`${` is not closed".into())
    }

    /// Substitutions in text that the shell expands but that is not code itself.
    pub(super) fn substitutions_of(&mut self, text: &str) -> Result<(), String> {
        if !text.contains(['$', '`']) {
            return Ok(());
        }
        let mut inner = Reader::new(text, self.depth);
        let mut building = Building::default();
        while let Some(c) = inner.peek() {
            match c {
                '\\' => {
                    inner.bump();
                    inner.bump();
                }
                '$' => inner.dollar(&mut building)?,
                '`' => inner.backticks(&mut building)?,
                _ => {
                    inner.bump();
                }
            }
        }
        let nested = inner.take_nested();
        self.nested.absorb(nested);
        Ok(())
    }

    fn command_substitution(&mut self) -> Result<(), String> {
        // The closing bracket is found by reading the script that the brackets hold.
        let length = closing_bracket(self.rest()).ok_or("`$(` is not closed")?;
        let body = self.rest()[..length].to_owned();
        self.at += length + 1;
        let nested = parse_nested(&body, self.depth + 1);
        self.nested.absorb(nested);
        Ok(())
    }

    fn backticks(&mut self, building: &mut Building) -> Result<(), String> {
        building.dynamic = true;
        self.bump();
        let mut body = String::new();
        loop {
            match self.bump() {
                None => return Err("a backtick is not closed".into()),
                Some('`') => break,
                Some('\\') => match self.bump() {
                    Some(c @ ('`' | '\\' | '$')) => body.push(c),
                    Some(c) => {
                        body.push('\\');
                        body.push(c);
                    }
                    None => return Err("a backtick is not closed".into()),
                },
                Some(c) => body.push(c),
            }
        }
        let nested = parse_nested(&body, self.depth + 1);
        self.nested.absorb(nested);
        Ok(())
    }

    fn ansi_c_quoted(&mut self, building: &mut Building) -> Result<(), String> {
        loop {
            match self.bump() {
                None => return Err("`$'` is not closed".into()),
                Some('\'') => return Ok(()),
                Some('\\') => match self.bump() {
                    Some('n') => building.value.push('\n'),
                    Some('t') => building.value.push('\t'),
                    Some('r') => building.value.push('\r'),
                    Some('e' | 'E') => building.value.push('\u{1b}'),
                    Some('x') => {
                        let digits = self.rest().bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
                        let code = u32::from_str_radix(&self.rest()[..digits], 16);
                        self.at += digits;
                        match code.ok().and_then(char::from_u32) {
                            Some(c) if c.is_ascii() => building.value.push(c),
                            _ => building.dynamic = true,
                        }
                    }
                    Some(digit @ '0'..='7') => {
                        let more =
                            self.rest().bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
                        let code = u32::from_str_radix(&format!("{digit}{}", &self.rest()[..more]), 8);
                        self.at += more;
                        match code.ok().and_then(char::from_u32) {
                            Some(c) if c.is_ascii() => building.value.push(c),
                            _ => building.dynamic = true,
                        }
                    }
                    Some('u' | 'U' | 'c') => building.dynamic = true,
                    Some(c) => building.value.push(c),
                    None => return Err("`$'` is not closed".into()),
                },
                Some(c) => building.value.push(c),
            }
        }
    }
}

/// Offset of the `)` that closes a substitution whose body starts at the beginning of `text`.
fn closing_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut level = 0usize;
    let mut at = 0;
    let mut cases = 0usize;
    let mut here: Vec<&str> = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'<' if text[at..].starts_with("<<<") => at += 2,
            b'<' if text[at..].starts_with("<<") => {
                let after = text[at + 2..].trim_start_matches(['-', ' ', '\t']);
                let end =
                    after.find(|c: char| c.is_whitespace() || ";&|()<>".contains(c)).unwrap_or(after.len());
                here.push(after[..end].trim_matches(['\'', '"', '\\']));
                at = text.len() - after.len() + end - 1;
            }
            b'\n' if !here.is_empty() => {
                let mut line_start = at + 1;
                for delimiter in here.drain(..) {
                    loop {
                        let line_end = text[line_start..].find('\n').map(|offset| line_start + offset)?;
                        let line = text[line_start..line_end].trim_start_matches('\t');
                        line_start = line_end + 1;
                        if line == delimiter {
                            break;
                        }
                    }
                }
                at = line_start - 1;
            }
            b'\\' => at += 1,
            b'\'' => at += 1 + text[at + 1..].find('\'')?,
            b'"' => at = end_of_double_quote(text, at + 1)?,
            b'`' => at += 1 + text[at + 1..].find('`')?,
            b'(' => level += 1,
            b')' if level == 0 && cases == 0 => return Some(at),
            b')' => level = level.saturating_sub(1),
            b'#' if at == 0 || bytes[at - 1].is_ascii_whitespace() || bytes[at - 1] == b';' => {
                at += text[at..].find('\n').unwrap_or(0);
            }
            b'c' if text[at..].starts_with("case ")
                && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric()) =>
            {
                cases += 1
            }
            b'e' if text[at..].starts_with("esac") && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric()) => {
                cases = cases.saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn end_of_double_quote(text: &str, mut at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => return Some(at),
            b'$' if bytes.get(at + 1) == Some(&b'(') => at += 2 + closing_bracket(&text[at + 2..])?,
            b'`' => at += 1 + text[at + 1..].find('`')?,
            _ => {}
        }
        at += 1;
    }
    None
}
