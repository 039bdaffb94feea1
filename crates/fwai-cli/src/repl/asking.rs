//! Permissions, plans and other questions on a terminal, answered by one key.

use super::queue::Typed;
use crate::language::{self, exactly, say};
use crate::render::{
    Live, answer_from, footer, palette,
    text::{Indent, Line, Span, wrap},
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use fwai_schema::{
    event::Question,
    op::{Answer, Op, PermissionReply},
};

const DIFF_LINES: usize = 40;

/// The plan as it is, and what fwai says below it in the user's language.
fn plan_in_words(markdown: &str) -> String {
    let lines = markdown.lines().map(|line| {
        let marks = |mark: &str| line.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        match marks("**").map(|words| ("**", words)).or_else(|| marks("_").map(|words| ("_", words))) {
            Some((mark, words)) => format!("{mark}{}{mark}", exactly(words)),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Something that waits for the user.
pub struct Asking {
    id: String,
    what: What,
    /// The answer is being written in words.
    pub writing: bool,
}

enum What {
    Permission,
    /// Questions, the answers so far to the first of them, and whether it is about a plan.
    Questions {
        questions: Vec<Question>,
        at: usize,
        chosen: Vec<usize>,
        plan: bool,
    },
}

/// An answer for the session, and how it is told.
pub struct Reply {
    pub op: Op,
    pub told: String,
    /// The next question of the same event follows.
    pub more: bool,
}

impl Asking {
    /// Shows what a call wants, and what exactly it would do.
    pub fn permission(live: &mut Live, id: &str, call: &str, tool: &str, what: &str, why: &str) -> Self {
        let columns = Live::columns();
        let clean = crate::render::clean::clean;
        let mark = live.abilities().sign("◆ ", "* ");
        let asked = [
            Span::new(mark, palette::QUESTION),
            Span::new(say!("permission-wants", what = language::permission(&clean(what))), palette::BOLD),
        ];
        let indent = Indent { first: Vec::new(), rest: vec![Span::plain("  ")] };
        let mut lines = wrap(&asked, columns, &indent);
        lines.extend(wrap(
            &[Span::new(language::permission(&clean(why)), palette::DIM)],
            columns,
            &Indent::same("  ", palette::DIM),
        ));
        let change = live.change_of(call, tool);
        if let Some(change) = change {
            lines.push(Line([vec![Span::plain("  ")], change.title()].concat()));
            lines.extend(change.shown(DIFF_LINES, footer::all_columns(), live.abilities()));
        }
        live.say(lines);
        Self { id: id.to_owned(), what: What::Permission, writing: false }
    }

    pub fn questions(live: &mut Live, id: &str, questions: &[Question], markdown: Option<&str>) -> Self {
        if let Some(markdown) = markdown {
            live.say_markdown(&plan_in_words(markdown));
        }
        let plan =
            markdown.is_some() && questions.first().is_some_and(|question| question.options.len() == 2);
        let what = What::Questions { questions: questions.to_vec(), at: 0, chosen: Vec::new(), plan };
        let mut asking = Self { id: id.to_owned(), what, writing: false };
        asking.show(live);
        asking
    }

    /// Shows the question that is next.
    pub fn show(&mut self, live: &mut Live) {
        let What::Questions { questions, at, plan, .. } = &self.what else { return };
        let Some(question) = questions.get(*at) else { return };
        let clean = crate::render::clean::clean;
        let mark = live.abilities().sign("◆ ", "* ");
        let columns = Live::columns();
        let words = [
            Span::new(mark, palette::QUESTION),
            Span::new(exactly(&clean(&question.question)), palette::BOLD),
        ];
        let indent = Indent { first: Vec::new(), rest: vec![Span::plain("  ")] };
        let mut lines = wrap(&words, columns, &indent);
        for (number, option) in question.options.iter().enumerate().filter(|_| !plan) {
            let mut words = vec![Span::plain(clean(&option.label))];
            if let Some(more) = &option.description {
                words.push(Span::new(format!("  {}", clean(more)), palette::DIM));
            }
            let indent = Indent {
                first: vec![Span::new(format!("  {}. ", number + 1), palette::PROMPT)],
                rest: vec![Span::plain("     ")],
            };
            lines.extend(wrap(&words, columns, &indent));
        }
        self.writing = question.options.is_empty();
        live.say(lines);
    }

    /// What each key means.
    pub fn keys(&self) -> Option<Line> {
        let keys: Vec<(String, String)> = match &self.what {
            _ if self.writing => {
                let mut keys = vec![("Enter".to_owned(), say!("repl-enter-sends"))];
                if self.has_keys() {
                    keys.push(("Esc".to_owned(), say!("repl-esc-back")));
                }
                keys
            }
            What::Permission => [
                ("y", say!("repl-once")),
                ("s", say!("repl-session")),
                ("a", say!("repl-always")),
                ("n", say!("repl-no")),
                ("e", say!("repl-instead")),
            ]
            .map(|(key, meaning)| (key.to_owned(), meaning))
            .into(),
            What::Questions { plan: true, .. } => [
                ("y", say!("repl-approve")),
                ("n", say!("repl-keep-planning")),
                ("e", say!("repl-change-plan")),
            ]
            .map(|(key, meaning)| (key.to_owned(), meaning))
            .into(),
            What::Questions { questions, at, chosen, .. } => {
                let question = questions.get(*at)?;
                let last = question.options.len().min(9);
                let mut keys = vec![(format!("1-{last}"), say!("repl-choose"))];
                if question.multiple {
                    let so_far: Vec<String> = chosen.iter().map(|number| (number + 1).to_string()).collect();
                    keys.push(("Enter".to_owned(), format!("{} [{}]", say!("repl-done"), so_far.join(" "))));
                }
                if question.free_text {
                    keys.push(("e".to_owned(), say!("repl-own-words")));
                }
                keys
            }
        };
        let mut spans = Vec::new();
        for (number, (key, meaning)) in keys.into_iter().enumerate() {
            if number > 0 {
                spans.push(Span::plain("   "));
            }
            spans.push(Span::new(key, palette::QUESTION));
            spans.push(Span::plain(format!(" {meaning}")));
        }
        Some(Line(spans))
    }

    /// A key; an answer, if it is one.
    pub fn key(&mut self, key: KeyEvent, typed: &mut Typed) -> Option<Reply> {
        if key.code == KeyCode::Esc && self.writing && self.has_keys() {
            typed.take();
            self.writing = false;
            return None;
        }
        if self.writing && key.code != KeyCode::Esc {
            let words = typed.key(key)?;
            return self.in_words(words.trim());
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return None;
        }
        let letter = match key.code {
            KeyCode::Char(letter) => letter.to_ascii_lowercase(),
            KeyCode::Esc => 'n',
            KeyCode::Enter => '\n',
            _ => return None,
        };
        match &mut self.what {
            _ if letter == 'e' => {
                self.writing = true;
                None
            }
            What::Permission => {
                let (reply, told) = match letter {
                    'y' => (PermissionReply::Once, say!("repl-once")),
                    's' => (PermissionReply::Session, say!("repl-session")),
                    'a' => (PermissionReply::Always, say!("repl-always")),
                    'n' => (PermissionReply::Deny, say!("repl-no")),
                    _ => return None,
                };
                Some(self.permit(reply, None, told))
            }
            What::Questions { questions, at, chosen, plan } => {
                let question = questions.get(*at)?;
                let number = match (letter, &plan) {
                    ('y', true) => Some(0),
                    ('n', true) => Some(1),
                    ('1'..='9', _) => Some(letter as usize - '1' as usize),
                    _ => None,
                };
                match number.filter(|number| *number < question.options.len()) {
                    Some(number) if question.multiple => {
                        match chosen.iter().position(|known| *known == number) {
                            Some(known) => drop(chosen.remove(known)),
                            None => chosen.push(number),
                        }
                        None
                    }
                    Some(number) => {
                        let label = question.options[number].label.clone();
                        Some(self.answer(Answer { choices: vec![label], text: None }))
                    }
                    None if letter == '\n' && question.multiple && !chosen.is_empty() => {
                        let labels =
                            chosen.iter().map(|number| question.options[*number].label.clone()).collect();
                        Some(self.answer(Answer { choices: labels, text: None }))
                    }
                    // Esc says that nothing fits.
                    None if key.code == KeyCode::Esc => Some(self.answer(Answer::default())),
                    None => None,
                }
            }
        }
    }

    fn has_keys(&self) -> bool {
        match &self.what {
            What::Permission => true,
            What::Questions { questions, at, .. } => {
                questions.get(*at).is_some_and(|question| !question.options.is_empty())
            }
        }
    }

    fn in_words(&mut self, words: &str) -> Option<Reply> {
        match &self.what {
            What::Permission => {
                let note = Some(words.to_owned()).filter(|words| !words.is_empty());
                Some(self.permit(PermissionReply::Deny, note, format!("{}: {words}", say!("repl-no"))))
            }
            What::Questions { questions, at, .. } => {
                let answer = answer_from(questions.get(*at), words);
                Some(self.answer(answer))
            }
        }
    }

    fn permit(&self, reply: PermissionReply, note: Option<String>, told: String) -> Reply {
        Reply { op: Op::PermissionReply { id: self.id.clone(), reply, note }, told, more: false }
    }

    fn answer(&mut self, answer: Answer) -> Reply {
        let told = match (&answer.text, answer.choices.is_empty()) {
            (Some(text), _) if !text.trim().is_empty() => exactly(text),
            (_, false) => answer.choices.iter().map(|label| exactly(label)).collect::<Vec<_>>().join(", "),
            (_, true) => say!("repl-no-answer"),
        };
        let mut more = false;
        if let What::Questions { questions, at, chosen, .. } = &mut self.what {
            *at += 1;
            chosen.clear();
            more = *at < questions.len();
        }
        self.writing = false;
        Reply { op: Op::Answer { id: self.id.clone(), answer }, told, more }
    }
}
