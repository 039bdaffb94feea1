//! The reader under the parser: characters become words, redirections, assignments and here-documents, and
//! every substitution inside a word is parsed as a script of its own.

use super::{
    parse::{MAX_DEPTH, Script, parse_nested},
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

/// Collects one word.
#[derive(Default)]
struct Building {
    value: String,
    dynamic: bool,
    pattern: bool,
    home: bool,
    quoted: bool,
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

    /// Substitutions in text that the shell expands but that is not code itself.
    fn substitutions_of(&mut self, text: &str) -> Result<(), String> {
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

fn is_descriptor(text: &str) -> bool {
    text == "-" || text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit())
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
