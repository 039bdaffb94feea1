//! Makefiles: assignments, conditionals, includes and targets, with `$(shell …)` left alone.

use std::collections::BTreeMap;

/// One thing that a Makefile states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    Assignment { name: String, value: String, line: u32 },
    Include { path: String, line: u32 },
    Target { name: String, line: u32 },
}

/// Variables in the order of their definition.
#[derive(Debug, Default)]
pub struct Variables {
    values: BTreeMap<String, String>,
}

impl Variables {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub fn expand(&self, text: &str) -> String {
        self.expand_within(text, 10)
    }

    fn assign(&mut self, name: &str, operator: &str, value: &str) {
        match operator {
            "?=" if self.values.contains_key(name) => {}
            "+=" => {
                let old = self.values.entry(name.to_owned()).or_default();
                if old.len() < 20_000 {
                    old.push(' ');
                    old.push_str(value);
                }
            }
            ":=" | "::=" => {
                // Expanded at once, so that `A := $(A) more` ends.
                let value = self.expand(value);
                self.values.insert(name.to_owned(), value);
            }
            _ => {
                self.values.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    fn expand_within(&self, text: &str, depth: u8) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('$') {
            result.push_str(&rest[..start]);
            let after = &rest[start + 1..];
            let Some(opening) = after.chars().next() else {
                rest = "";
                break;
            };
            let closing = match opening {
                '(' => ')',
                '{' => '}',
                other => {
                    // `$$` is a dollar; `$x` is a one-letter variable.
                    if other == '$' {
                        result.push('$');
                    }
                    rest = &after[other.len_utf8()..];
                    continue;
                }
            };
            let Some(end) = closing_at(after, opening, closing) else {
                rest = "";
                break;
            };
            if depth > 0 && result.len() < 8_000 {
                result.push_str(&self.reference(&after[1..end], depth - 1));
            }
            rest = &after[end + 1..];
        }
        result.push_str(rest);
        result.truncate(super::cmake::floor_boundary(&result, 8_000));
        result
    }

    /// What stands between the parentheses: a name, or one of the harmless functions.
    fn reference(&self, inner: &str, depth: u8) -> String {
        if let Some((function, argument)) = inner.split_once(' ') {
            let argument = argument.trim();
            return match function {
                "strip" | "abspath" | "realpath" => self.expand_within(argument, depth),
                "notdir" => {
                    let text = self.expand_within(argument, depth);
                    text.split_whitespace().map(super::super::tree::file_name).collect::<Vec<_>>().join(" ")
                }
                "basename" => {
                    let text = self.expand_within(argument, depth);
                    text.rsplit_once('.').map_or(text.clone(), |(stem, _)| stem.to_owned())
                }
                "firstword" | "lastword" => {
                    let text = self.expand_within(argument, depth);
                    let word = if function == "firstword" {
                        text.split_whitespace().next()
                    } else {
                        text.split_whitespace().last()
                    };
                    word.unwrap_or_default().to_owned()
                }
                "addprefix" => {
                    let (prefix, words) = argument.split_once(',').unwrap_or(("", argument));
                    let prefix = self.expand_within(prefix, depth);
                    let words = self.expand_within(words, depth);
                    words
                        .split_whitespace()
                        .map(|word| format!("{prefix}{word}"))
                        .collect::<Vec<_>>()
                        .join(" ")
                }
                _ => String::new(),
            };
        }
        // `$(NAME:.c=.o)`: only the name counts here.
        let name = self.expand_within(inner, depth);
        let name = name.split(':').next().unwrap_or_default().trim();
        self.values.get(name).map(|value| self.expand_within(value, depth)).unwrap_or_default()
    }
}

fn closing_at(text: &str, opening: char, closing: char) -> Option<usize> {
    let mut depth = 0;
    for (offset, c) in text.char_indices() {
        if c == opening {
            depth += 1;
        } else if c == closing {
            depth -= 1;
            if depth == 0 {
                return Some(offset);
            }
        }
    }
    None
}

/// Reads a file into `variables` and returns what it states, in order. Branches whose condition is
/// known to be false are left out.
pub fn statements(text: &str, variables: &mut Variables) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut branches: Vec<Branch> = Vec::new();
    for (line, logical) in logical_lines(text) {
        if logical.starts_with('\t') && !logical.trim_start().contains('=') {
            continue;
        }
        let trimmed = logical.trim();
        if let Some(word) = trimmed.split([' ', '\t', '(']).next()
            && conditional(word, trimmed, variables, &mut branches)
        {
            continue;
        }
        if branches.iter().any(|branch| !branch.active) || logical.starts_with('\t') {
            continue;
        }
        for keyword in ["-include ", "include ", "sinclude ", "-include\t", "include\t"] {
            if let Some(paths) = trimmed.strip_prefix(keyword) {
                for path in variables.expand(paths).split_whitespace() {
                    statements.push(Statement::Include { path: path.to_owned(), line });
                }
            }
        }
        let body = trimmed.strip_prefix("export ").or(trimmed.strip_prefix("override ")).unwrap_or(trimmed);
        if let Some((name, operator, value)) = assignment(body) {
            variables.assign(&name, operator, value);
            statements.push(Statement::Assignment { name, value: value.to_owned(), line });
        } else if let Some((names, _)) = trimmed.split_once(':')
            && !names.contains(['=', '#', '"', '\''])
        {
            for name in variables.expand(names).split_whitespace() {
                statements.push(Statement::Target { name: name.to_owned(), line });
            }
        }
    }
    statements
}

struct Branch {
    active: bool,
    /// One branch of this conditional was already taken.
    taken: bool,
}

fn conditional(word: &str, line: &str, variables: &Variables, branches: &mut Vec<Branch>) -> bool {
    match word {
        "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
            let active = holds(word, line, variables);
            branches.push(Branch { active, taken: active });
        }
        "else" => {
            if let Some(branch) = branches.last_mut() {
                let rest = line.trim_start_matches("else").trim();
                let word = rest.split([' ', '\t', '(']).next().unwrap_or_default();
                let condition = word.is_empty() || holds(word, rest, variables);
                branch.active = !branch.taken && condition;
                branch.taken |= branch.active;
            }
        }
        "endif" => {
            branches.pop();
        }
        _ => return false,
    }
    true
}

fn holds(word: &str, line: &str, variables: &Variables) -> bool {
    let rest = line.strip_prefix(word).unwrap_or_default().trim();
    match word {
        "ifdef" => variables.get(rest).is_some_and(|value| !value.is_empty()),
        "ifndef" => variables.get(rest).is_none_or(str::is_empty),
        "ifeq" | "ifneq" => {
            let (one, other) = comparison(rest).unwrap_or_default();
            let same = variables.expand(&one).trim() == variables.expand(&other).trim();
            same == (word == "ifeq")
        }
        _ => true,
    }
}

/// The two sides of `(a,b)`, `"a" "b"` and `'a' 'b'`.
fn comparison(text: &str) -> Option<(String, String)> {
    if let Some(inner) = text.strip_prefix('(') {
        let inner = inner.strip_suffix(')').unwrap_or(inner);
        let mut depth = 0;
        for (offset, c) in inner.char_indices() {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    return Some((inner[..offset].to_owned(), inner[offset + 1..].to_owned()));
                }
                _ => {}
            }
        }
        return None;
    }
    let mut sides = text.split(['"', '\'']).skip(1).step_by(2);
    Some((sides.next()?.to_owned(), sides.next()?.to_owned()))
}

fn assignment(line: &str) -> Option<(String, &'static str, &str)> {
    let at = line.find('=')?;
    let (left, value) = (&line[..at], line[at + 1..].trim());
    let (name, operator) = [("::", "::="), (":", ":="), ("?", "?="), ("+", "+="), ("!", "!=")]
        .into_iter()
        .find_map(|(mark, operator)| left.strip_suffix(mark).map(|name| (name, operator)))
        .unwrap_or((left, "="));
    let name = name.trim();
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
        && operator != "!=";
    plain.then(|| (name.to_owned(), operator, value))
}

/// Lines with `\` at the end joined, comments cut off, numbered by their first line.
fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = without_comment(line);
        let (body, continues) = line.strip_suffix('\\').map_or((line, false), |body| (body, true));
        match lines.last_mut() {
            Some((_, last)) if open => {
                if last.len() < 100_000 {
                    last.push(' ');
                    last.push_str(body.trim());
                }
            }
            _ => lines.push((number, body.to_owned())),
        }
        open = continues;
    }
    lines
}

/// A line up to its comment.
pub fn without_comment(line: &str) -> &str {
    let mut escaped = false;
    for (offset, c) in line.char_indices() {
        match c {
            '#' if !escaped => return line[..offset].trim_end(),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    line.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_expand_and_shell_is_never_run() {
        let mut variables = Variables::default();
        statements(
            "A = $(B)-$(shell touch /tmp/never)\nB ?= b\nB ?= c\nC := $(C) one\nC += two\nSELF = $(SELF)\nP = $(notdir a/b.ld)\n",
            &mut variables,
        );
        assert_eq!(variables.expand("$(A)|${C}|$(P)"), "b-| one two|b.ld");
        assert!(variables.expand("$(SELF)").is_empty());
    }

    #[test]
    fn conditionals_take_one_branch() {
        let mut variables = Variables::default();
        statements(
            "BOARD ?= two\nifeq ($(BOARD),one)\nMCU = m1\nelse ifeq ($(BOARD),two)\nMCU = m2\nelse\nMCU = m3\nendif\nifndef X\nX = set\nendif\n",
            &mut variables,
        );
        assert_eq!((variables.get("MCU"), variables.get("X")), (Some("m2"), Some("set")));
    }

    #[test]
    fn targets_and_includes_are_seen() {
        let mut variables = Variables::default();
        let read =
            statements("D = mk\ninclude $(D)/x.mk\nflash: all\n\topenocd -c \"a=b\"\n", &mut variables);
        assert!(read.contains(&Statement::Include { path: "mk/x.mk".into(), line: 2 }));
        assert!(read.contains(&Statement::Target { name: "flash".into(), line: 3 }));
    }

    proptest::proptest! {
        #[test]
        fn junk_is_only_junk(text in "[\\x00-\\x7fä$(){}:=?+\\\\#\n\t]{0,200}") {
            let mut variables = Variables::default();
            statements(&text, &mut variables);
            variables.expand(&text);
        }
    }
}
