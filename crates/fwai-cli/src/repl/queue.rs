//! What was typed while fwai worked: lines that wait, and the line that is not finished.

use crate::render::clean::clean;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::VecDeque;

/// Lines that wait for the work to end, the oldest first.
#[derive(Debug, Default)]
pub struct Queue {
    pub waiting: VecDeque<String>,
    pub typed: Typed,
}

impl Queue {
    /// Takes the newest line back to change it.
    pub fn take_back(&mut self) -> bool {
        match self.waiting.pop_back() {
            Some(line) => {
                self.typed.set(&line);
                true
            }
            None => false,
        }
    }

    /// Keys that came before anybody read them: whole lines wait, the rest stands at the prompt.
    pub fn type_ahead(&mut self, keys: &str) {
        let mut lines = keys.split(['\r', '\n']);
        let rest = lines.next_back().unwrap_or_default();
        self.waiting.extend(lines.filter(|line| !line.trim().is_empty()).map(clean));
        self.typed.insert(&clean(rest));
    }

    /// Everything, as one text for the prompt; after an interruption nothing runs by itself.
    pub fn take_all(&mut self) -> String {
        let mut lines: Vec<String> = self.waiting.drain(..).collect();
        let unfinished = self.typed.take();
        if !unfinished.is_empty() {
            lines.push(unfinished);
        }
        lines.join("\n")
    }
}

/// A line that is being typed.
#[derive(Debug, Default)]
pub struct Typed {
    letters: Vec<char>,
    place: usize,
}

impl Typed {
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub fn place(&self) -> usize {
        self.place
    }

    pub fn take(&mut self) -> String {
        self.place = 0;
        std::mem::take(&mut self.letters).into_iter().collect()
    }

    pub fn set(&mut self, text: &str) {
        self.letters = text.chars().collect();
        self.place = self.letters.len();
    }

    /// A paste, whole, with its line ends.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for letter in text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')) {
            self.letters.insert(self.place, letter);
            self.place += 1;
        }
    }

    /// Changes the line; a finished one comes back.
    pub fn key(&mut self, key: KeyEvent) -> Option<String> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter if alt => self.insert("\n"),
            KeyCode::Enter if self.place > 0 && self.letters[self.place - 1] == '\\' => {
                self.letters[self.place - 1] = '\n';
            }
            KeyCode::Enter => return Some(self.take()),
            KeyCode::Char('u') if control => {
                self.letters.drain(..self.place);
                self.place = 0;
            }
            KeyCode::Char('k') if control => self.letters.truncate(self.place),
            KeyCode::Char('a') if control => self.place = 0,
            KeyCode::Char('e') if control => self.place = self.letters.len(),
            KeyCode::Char('w') if control => self.delete_word(),
            KeyCode::Char('h') if control => self.delete_before(),
            KeyCode::Char(letter) if !control && !alt => self.insert(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if alt => self.delete_word(),
            KeyCode::Backspace => self.delete_before(),
            KeyCode::Delete if self.place < self.letters.len() => {
                self.letters.remove(self.place);
            }
            KeyCode::Left => self.place = self.place.saturating_sub(1),
            KeyCode::Right => self.place = (self.place + 1).min(self.letters.len()),
            KeyCode::Home => self.place = 0,
            KeyCode::End => self.place = self.letters.len(),
            _ => {}
        }
        None
    }

    fn delete_before(&mut self) {
        if self.place > 0 {
            self.place -= 1;
            self.letters.remove(self.place);
        }
    }

    fn delete_word(&mut self) {
        let mut start = self.place;
        while start > 0 && self.letters[start - 1].is_whitespace() {
            start -= 1;
        }
        while start > 0 && !self.letters[start - 1].is_whitespace() {
            start -= 1;
        }
        self.letters.drain(start..self.place);
        self.place = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(typed: &mut Typed, text: &str) -> Option<String> {
        let mut last = None;
        for letter in text.chars() {
            let code = match letter {
                '\r' => KeyCode::Enter,
                '<' => KeyCode::Left,
                '\u{8}' => KeyCode::Backspace,
                letter => KeyCode::Char(letter),
            };
            last = typed.key(KeyEvent::new(code, KeyModifiers::NONE));
        }
        last
    }

    #[test]
    fn letters_come_together_and_enter_ends_them() {
        let mut typed = Typed::default();
        assert_eq!(type_in(&mut typed, "hallo\u{8}x<y\r").as_deref(), Some("hallyx"));
        assert!(typed.is_empty());
        assert_eq!(type_in(&mut typed, "one\\\rtwo\r").as_deref(), Some("one\ntwo"));
        typed.insert("a b\r\nc\x1b");
        assert_eq!(typed.text(), "a b\nc");
        typed.key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!(typed.text(), "a b\n");
    }

    #[test]
    fn queued_lines_come_back() {
        let mut queue = Queue::default();
        queue.waiting.extend(["one".to_owned(), "two".to_owned()]);
        assert!(queue.take_back());
        assert_eq!(queue.typed.text(), "two");
        assert_eq!(queue.take_all(), "one\ntwo");
        assert!(!queue.take_back());
    }

    #[test]
    fn keys_before_the_prompt_are_lines_and_a_rest() {
        let mut queue = Queue::default();
        queue.type_ahead("/cost\r\r\x1b[Ahalf a li");
        assert_eq!(queue.waiting, ["/cost"]);
        assert_eq!(queue.typed.text(), "half a li");
        queue.type_ahead("");
        assert_eq!(queue.typed.text(), "half a li");
    }
}
