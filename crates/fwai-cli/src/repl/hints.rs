//! What stands dimmed behind the cursor: how an earlier line went on, the rest of a command's name, or the words
//! that it wants. Right takes over all but the last, which are no text of anybody's.

use super::slash;
use reedline::{Color, DefaultHinter, Hinter, History};

pub struct Hints {
    earlier: DefaultHinter,
    /// Names and the words that may follow, in the order of the alphabet.
    commands: Vec<(String, &'static str)>,
    rest_of_name: String,
}

impl Hints {
    pub fn new() -> Self {
        Self {
            earlier: DefaultHinter::default().with_style(Color::Default.dimmed()),
            commands: slash::names().into_iter().map(|name| (name.clone(), slash::words_of(&name))).collect(),
            rest_of_name: String::new(),
        }
    }

    /// The rest of a name, and the words behind a whole one.
    fn of_commands(&self, line: &str) -> (String, String) {
        let Some(typed) = line.strip_prefix('/').filter(|typed| !typed.is_empty()) else {
            return Default::default();
        };
        let name = typed.strip_suffix(' ').unwrap_or(typed);
        if let Some((_, words)) = self.commands.iter().find(|(known, _)| known == name) {
            let between = if typed.ends_with(' ') || words.is_empty() { "" } else { " " };
            return (String::new(), format!("{between}{words}"));
        }
        let begun = self.commands.iter().find(|(known, _)| known.starts_with(typed));
        (begun.map(|(known, _)| known[typed.len()..].to_owned()).unwrap_or_default(), String::new())
    }
}

impl Hinter for Hints {
    fn handle(&mut self, line: &str, pos: usize, history: &dyn History, colours: bool, cwd: &str) -> String {
        self.rest_of_name.clear();
        // Without colours a hint could not be told from what was typed.
        if !colours || pos < line.len() {
            self.earlier.handle("", 0, history, false, cwd);
            return String::new();
        }
        let earlier = self.earlier.handle(line, pos, history, colours, cwd);
        if !earlier.is_empty() {
            return earlier;
        }
        let (rest, words) = self.of_commands(line);
        self.rest_of_name = rest;
        match format!("{}{words}", self.rest_of_name) {
            nothing if nothing.is_empty() => nothing,
            hint => Color::Default.dimmed().paint(hint).to_string(),
        }
    }

    fn complete_hint(&self) -> String {
        self.earlier.complete_hint() + &self.rest_of_name
    }

    fn next_hint_token(&self) -> String {
        self.earlier.next_hint_token() + &self.rest_of_name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reedline::{FileBackedHistory, HistoryItem};

    #[test]
    fn earlier_lines_names_and_words() {
        let mut history = FileBackedHistory::new(8).unwrap();
        history.save(HistoryItem::from_command_line("/build --clean")).unwrap();
        let mut hints = Hints::new();
        for (line, shown, taken) in [
            ("/bui", "ld --clean", "ld --clean"),
            ("/evid", "ence", "ence"),
            ("/agent", " NAME TASK", ""),
            ("/agent ", "NAME TASK", ""),
            ("/agent x", "", ""),
            ("/nothing", "", ""),
            ("/", "build --clean", "build --clean"),
            ("words", "", ""),
        ] {
            let hint = hints.handle(line, line.len(), &history, true, "");
            let plain = crate::render::printable(&hint);
            assert_eq!((plain.as_str(), hints.complete_hint().as_str()), (shown, taken), "{line:?}");
        }
        assert_eq!(hints.handle("/evid", 5, &history, false, ""), "", "without colours nothing is hinted at");
        assert_eq!(hints.complete_hint(), "");
        assert_eq!(hints.handle("/evid", 2, &history, true, ""), "", "in the middle of a line neither");
    }
}
