//! Finds every simple command of a shell line: in pipelines and lists, loops and conditions, subshells,
//! substitutions, process substitutions, here-documents and function bodies.
//!
//! This is not a shell. It is a reader that would rather say "I do not understand" ([`Script::problems`])
//! than miss a command: callers must treat a script with problems as one that could do anything.

use super::{
    lexing::Reader,
    word::{Simple, Word},
};

/// Longest line that is read.
const MAX_BYTES: usize = 128 * 1024;
/// Deepest nesting of substitutions and groups.
pub(super) const MAX_DEPTH: usize = 48;

/// Every simple command of a line, in the order of their appearance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    pub commands: Vec<Simple>,
    /// Names of functions that the line defines.
    pub functions: Vec<String>,
    /// What could not be understood; empty when all was.
    pub problems: Vec<String>,
}

impl Script {
    pub(super) fn absorb(&mut self, other: Script) {
        self.commands.extend(other.commands);
        self.functions.extend(other.functions);
        self.problems.extend(other.problems);
    }
}

/// Read a line or a whole script.
pub fn parse(text: &str) -> Script {
    parse_nested(text, 0)
}

pub(super) fn parse_nested(text: &str, depth: usize) -> Script {
    let mut script = Script::default();
    if text.len() > MAX_BYTES {
        script.problems.push(format!("the command has more than {MAX_BYTES} bytes"));
        return script;
    }
    if text.contains('\0') {
        script.problems.push("the command contains a NUL byte".into());
        return script;
    }
    if depth > MAX_DEPTH {
        script.problems.push("the command is nested too deeply".into());
        return script;
    }
    let mut parser = Parser { reader: Reader::new(text, depth), script, function: None };
    let outcome = parser.list(&[]);
    match outcome {
        Ok(()) if !parser.reader.at_end() => {
            let rest: String = parser.reader.rest().chars().take(20).collect();
            parser.script.problems.push(format!("cannot read the command from `{rest}` on"));
        }
        Ok(()) => {}
        Err(problem) => parser.script.problems.push(problem),
    }
    let nested = parser.reader.take_nested();
    let mut script = parser.script;
    script.absorb(nested);
    script
}

struct Parser<'a> {
    reader: Reader<'a>,
    script: Script,
    function: Option<String>,
}

/// Words that only give a line its structure; what follows them is again a command.
const STRUCTURE: [&str; 13] =
    ["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!", "time"];

impl Parser<'_> {
    /// Commands until the end or one of the closing marks, which is not consumed.
    fn list(&mut self, closers: &[&str]) -> Result<(), String> {
        let mut piped = false;
        loop {
            self.reader.skip_blank_lines()?;
            if self.reader.at_end() || closers.iter().any(|closer| self.reader.looking_at(closer)) {
                return Ok(());
            }
            if self.reader.looking_at(")") || self.reader.looking_at(";;") || self.reader.looking_at(";&") {
                return Ok(());
            }
            self.command(piped)?;
            self.reader.skip_blanks();
            piped = false;
            if self.reader.take("|&") || (!self.reader.looking_at("||") && self.reader.take("|")) {
                piped = true;
            } else if self.reader.take("&&") || self.reader.take("||") {
            } else if self.reader.looking_at(";;") || self.reader.looking_at(";&") {
                return Ok(());
            } else if self.reader.take(";") || self.reader.take("&") || self.reader.looking_at("\n") {
            } else if self.reader.at_end()
                || self.reader.looking_at(")")
                || closers.iter().any(|closer| self.reader.looking_at(closer))
            {
                return Ok(());
            }
        }
    }

    fn command(&mut self, piped_in: bool) -> Result<(), String> {
        self.reader.deeper()?;
        let outcome = self.command_inner(piped_in);
        self.reader.shallower();
        outcome
    }

    fn command_inner(&mut self, piped_in: bool) -> Result<(), String> {
        self.reader.skip_blanks();
        if self.reader.looking_at("((") {
            return self.reader.arithmetic("((", "))");
        }
        if self.reader.take("(") {
            self.list(&[])?;
            self.reader.expect(")")?;
            return self.trailing_redirects(piped_in);
        }
        if let Some(word) = self.reader.peek_reserved(&STRUCTURE) {
            self.reader.advance(word.len());
            if word == "time" {
                self.reader.skip_blanks();
                self.reader.take_word_if("-p");
            }
            if matches!(word, "fi" | "done" | "}") {
                return self.trailing_redirects(piped_in);
            }
            self.reader.skip_blanks();
            // `then` and the like end a line; the next round of the list reads on.
            if self.reader.at_end() || self.reader.looking_at("\n") || self.reader.looking_at(";") {
                return Ok(());
            }
            return self.command_inner(piped_in);
        }
        match self.reader.peek_reserved(&["for", "select", "case", "function", "[[", "coproc", "esac", "in"])
        {
            Some("for" | "select") => self.for_loop(),
            Some("case") => self.case(),
            Some("function") => {
                self.reader.advance("function".len());
                self.reader.skip_blanks();
                let name = self.reader.name();
                self.reader.skip_blanks();
                self.reader.take("()");
                self.function_body(name)
            }
            Some("[[") => self.test_expression(),
            Some("coproc") => {
                self.reader.advance("coproc".len());
                self.command_inner(piped_in)
            }
            Some(word) => Err(format!("`{word}` stands where a command should")),
            None => match self.reader.function_definition() {
                Some(name) => self.function_body(name),
                None => self.simple(piped_in),
            },
        }
    }

    fn function_body(&mut self, name: String) -> Result<(), String> {
        if name.is_empty() {
            return Err("a function without a name".into());
        }
        self.script.functions.push(name.clone());
        self.reader.skip_blank_lines()?;
        let outer = self.function.replace(name);
        let outcome = if self.reader.take("{") {
            self.list(&["}"]).and_then(|()| self.reader.expect("}"))
        } else {
            self.command(false)
        };
        self.function = outer;
        outcome
    }

    fn for_loop(&mut self) -> Result<(), String> {
        let keyword = if self.reader.looking_at("for") { "for" } else { "select" };
        self.reader.advance(keyword.len());
        self.reader.skip_blanks();
        if self.reader.looking_at("((") {
            return self.reader.arithmetic("((", "))");
        }
        let variable = self.reader.name();
        if super::table::changes_programs(&variable) {
            self.script.problems.push(format!("the loop sets `{variable}`, which changes what commands are"));
        }
        self.reader.skip_blanks();
        if self.reader.peek_reserved(&["in"]).is_some() {
            self.reader.advance(2);
            loop {
                self.reader.skip_blanks();
                match self.reader.word()? {
                    Some(_) => {}
                    None => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn case(&mut self) -> Result<(), String> {
        self.reader.advance("case".len());
        self.reader.skip_blanks();
        self.reader.word()?.ok_or("`case` without a word")?;
        self.reader.skip_blank_lines()?;
        if self.reader.peek_reserved(&["in"]).is_none() {
            return Err("`case` without `in`".into());
        }
        self.reader.advance(2);
        loop {
            self.reader.skip_blank_lines()?;
            if self.reader.peek_reserved(&["esac"]).is_some() {
                self.reader.advance(4);
                return self.trailing_redirects(false);
            }
            self.reader.take("(");
            loop {
                self.reader.skip_blanks();
                self.reader.word()?.ok_or("a `case` pattern is missing")?;
                self.reader.skip_blanks();
                if self.reader.take(")") {
                    break;
                }
                self.reader.expect("|")?;
            }
            self.list(&["esac"])?;
            let _ = self.reader.take(";;&") || self.reader.take(";;") || self.reader.take(";&");
            if self.reader.at_end() {
                return Err("`case` without `esac`".into());
            }
        }
    }

    fn test_expression(&mut self) -> Result<(), String> {
        let start = self.reader.position();
        self.reader.advance(2);
        let mut words = vec![Word::literal("[[")];
        loop {
            self.reader.skip_blank_lines()?;
            if self.reader.at_end() {
                return Err("`[[` without `]]`".into());
            }
            if self.reader.take("]]") {
                break;
            }
            if ["&&", "||", "(", ")", "<", ">", "|", "=~"].iter().any(|mark| self.reader.take(mark)) {
                continue;
            }
            words.push(self.reader.word()?.ok_or("cannot read the `[[` expression")?);
        }
        let text = self.reader.since(start).to_owned();
        self.push(Simple { text, words, ..Simple::default() });
        self.trailing_redirects(false)
    }

    /// Redirections behind a group, a loop or a subshell.
    fn trailing_redirects(&mut self, piped_in: bool) -> Result<(), String> {
        let start = self.reader.position();
        let mut command = Simple { piped_in, ..Simple::default() };
        loop {
            self.reader.skip_blanks();
            match self.reader.redirect()? {
                Some(redirect) => command.redirects.push(redirect),
                None => break,
            }
        }
        if !command.redirects.is_empty() {
            command.text = self.reader.since(start).trim().to_owned();
            self.push(command);
        }
        Ok(())
    }

    fn simple(&mut self, piped_in: bool) -> Result<(), String> {
        let start = self.reader.position();
        let mut command = Simple { piped_in, ..Simple::default() };
        loop {
            self.reader.skip_blanks();
            if let Some(redirect) = self.reader.redirect()? {
                command.redirects.push(redirect);
                continue;
            }
            if command.words.is_empty()
                && let Some(assignment) = self.reader.assignment()?
            {
                command.assignments.push(assignment);
                continue;
            }
            match self.reader.word()? {
                Some(word) => command.words.push(word),
                None => break,
            }
        }
        if command.words.is_empty() && command.assignments.is_empty() && command.redirects.is_empty() {
            let rest: String = self.reader.rest().chars().take(20).collect();
            return Err(format!("cannot read the command from `{rest}` on"));
        }
        command.text = self.reader.since(start).trim().to_owned();
        self.push(command);
        Ok(())
    }

    fn push(&mut self, mut command: Simple) {
        command.in_function = self.function.clone();
        self.script.commands.push(command);
    }
}
