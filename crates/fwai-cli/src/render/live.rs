//! A session on a terminal: finished text scrolls up, and below it stand the text that is arriving, what
//! is being done, what was typed meanwhile, and one line of state.

use super::{
    Abilities, abilities,
    call::{self, Call, Waits},
    change_word,
    clean::clean,
    diff::{self, FileDiff},
    footer::{Footer, all_columns, columns, spinner},
    markdown::MarkdownStream,
    palette,
    screen::Screen,
    status_word,
    text::{Indent, Line, Span, wrap},
};
use crate::{
    context::Context,
    language::{say, understood},
};
use fwai_agent::{decision::trace_line, outcome::text_of};
use fwai_policy::secrets::Redactor;
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Role},
    todo::{Todo, TodoStatus},
};
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    time::{Duration, Instant},
};

/// Quicker things need no sign that they go on.
const PATIENCE: Duration = Duration::from_millis(500);
const FRAME: Duration = Duration::from_millis(33);
const DIFF_LINES: usize = 24;
const COMPLAINT_LINES: usize = 4;
/// Calls that a person sees without a line of their own: questions with their answers, and the list of todos.
const TOLD_OTHERWISE: &[&str] = &["ask_user_question", "submit_plan", "todo_write"];

/// What was shown last decides whether the next thing keeps a line's distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Text,
    Call,
    Aside,
}

struct Running {
    id: String,
    name: String,
    about: String,
    since: Instant,
    output: String,
}

/// Shows a session with a live bottom.
pub struct Live {
    screen: Screen,
    abilities: Abilities,
    root: PathBuf,
    trace: bool,
    stream: MarkdownStream,
    tail: Vec<Line>,
    ready: Vec<Line>,
    last: Kind,
    running: Vec<Running>,
    inputs: HashMap<String, Value>,
    diffs: HashMap<String, FileDiff>,
    told_files: HashSet<String>,
    todos: Vec<Todo>,
    finished: Vec<Call>,
    working: bool,
    since: Instant,
    pub footer: Footer,
    drawn: Instant,
    /// How long the last layout took; a slow one is done less often.
    cost: Duration,
    dirty: bool,
    shown_footer: Footer,
    redactor: Option<Redactor>,
    waits: Waits,
}

impl Live {
    pub fn new(context: &Context) -> Self {
        let now = Instant::now();
        Self {
            screen: Screen::default(),
            abilities: Abilities::of_stdout(),
            root: context.paths.project.clone(),
            trace: context.flags.verbose > 0,
            stream: MarkdownStream::default(),
            tail: Vec::new(),
            ready: Vec::new(),
            last: Kind::Nothing,
            running: Vec::new(),
            inputs: HashMap::new(),
            diffs: HashMap::new(),
            told_files: HashSet::new(),
            todos: Vec::new(),
            finished: Vec::new(),
            working: false,
            since: now,
            footer: Footer::default(),
            drawn: now - PATIENCE,
            cost: Duration::ZERO,
            dirty: false,
            shown_footer: Footer::default(),
            redactor: None,
            waits: Waits::default(),
        }
    }

    /// What is shown of a call's input passes this.
    pub fn redact_with(&mut self, redactor: Redactor) {
        self.redactor = Some(redactor);
    }

    /// What a call would change in a file, secrets left out.
    pub fn change_of(&self, call: &str, tool: &str) -> Option<FileDiff> {
        let redact = |text: &str| match &self.redactor {
            Some(redactor) => redactor.redact(text).into_owned(),
            None => text.to_owned(),
        };
        diff::of_call(tool, self.inputs.get(call)?, &self.root, &redact)
    }

    /// One line below what was asked.
    pub fn answer(&mut self, line: Line) {
        self.ready.push(line.cut(Self::columns(), self.abilities.sign("…", "~")));
        self.dirty = true;
    }

    /// Draws the footer with the next frame if it has changed.
    pub fn touch(&mut self) {
        if self.shown_footer != self.footer {
            self.shown_footer = self.footer.clone();
            self.dirty = true;
        }
    }

    pub fn abilities(&self) -> Abilities {
        self.abilities
    }

    pub fn columns() -> usize {
        columns()
    }

    /// Calls that have ended since the last question.
    pub fn take_finished(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.finished)
    }

    pub fn show(&mut self, event: &Event) {
        self.dirty = true;
        self.waits.note(&event.body);
        match &event.body {
            EventBody::TurnStarted {} => {
                self.working = true;
                self.since = Instant::now();
                self.told_files.clear();
            }
            EventBody::TextDelta { text } => {
                if self.stream.is_empty() {
                    self.space(Kind::Text);
                }
                self.stream.push(text);
                self.since = Instant::now();
            }
            EventBody::Message { message, injected } => {
                self.end_text();
                if message.role == Role::Assistant && !injected {
                    for block in &message.content {
                        if let ContentBlock::ToolUse { id, name: _, input, .. } = block {
                            self.inputs.insert(id.clone(), input.clone());
                        }
                    }
                }
            }
            EventBody::Decision { step, thought, plan_steps } if self.trace => {
                self.aside(&trace_line(*step, thought, *plan_steps));
            }
            EventBody::ToolCallStart { id, name, arguments } => {
                if let Some(diff) = self.change_of(id, name) {
                    self.told_files.insert(diff.path.clone());
                    self.diffs.insert(id.clone(), diff);
                }
                self.running.push(Running {
                    id: id.clone(),
                    name: clean(name),
                    about: call::about(arguments, self.abilities),
                    since: Instant::now(),
                    output: String::new(),
                });
            }
            EventBody::ToolOutput { id, text } => {
                if let Some(running) = self.running.iter_mut().find(|running| running.id == *id) {
                    running.output.push_str(text);
                    let over = running.output.len().saturating_sub(8192);
                    let cut = (over..running.output.len()).find(|at| running.output.is_char_boundary(*at));
                    running.output.drain(..cut.unwrap_or(0).min(running.output.len()));
                }
            }
            EventBody::ToolCallEnd { id, name, success, content, duration_ms, full_output, .. } => {
                let began = self.running.iter().position(|running| running.id == *id);
                let about = began.map(|at| self.running.remove(at).about).unwrap_or_default();
                let call = Call {
                    name: clean(name),
                    about,
                    success: *success,
                    duration_ms: self.waits.without(id, *duration_ms),
                    text: self.near(&clean(&text_of(content))),
                    full_output: full_output.clone(),
                };
                let diff = self.diffs.remove(id).filter(|_| *success);
                self.call(call, diff);
                self.inputs.remove(id);
                self.since = Instant::now();
            }
            EventBody::FileChanged { path, how, lines_added, lines_removed } => {
                if self.told_files.insert(clean(path)) {
                    let how = change_word(how);
                    self.aside(&format!("{how} {path} +{lines_added} -{lines_removed}"));
                }
            }
            EventBody::TodosUpdated { todos } => self.show_todos(todos),
            EventBody::Warning { message } => self.alarm(&say!("warning"), message, palette::WARNING),
            EventBody::Error { message, hint } => {
                self.alarm(&say!("error"), message, palette::BAD);
                if let Some(hint) = hint {
                    self.aside(&format!("{}{}", say!("next"), understood(hint)));
                }
            }
            EventBody::Hint { text } if self.trace => self.aside(&say!("repl-hint", text = text)),
            EventBody::EvidenceWritten { run_id, status, .. } => {
                self.aside(&say!("repl-evidence", run = run_id, status = status_word(status)));
            }
            EventBody::PlanUpdated { path, .. } => self.aside(&say!("repl-plan", path = path)),
            EventBody::ModeChanged { to, .. } => self.aside(&say!("repl-mode", mode = to)),
            EventBody::ContextCompacted { tokens_before, tokens_after, .. } => {
                self.aside(&say!("repl-shortened", before = tokens_before, after = tokens_after));
            }
            EventBody::TurnEnded { .. } => {
                self.end_text();
                self.running.clear();
                self.inputs.clear();
                self.working = false;
            }
            other => {
                if let Some(line) = super::skill_line(other) {
                    self.aside(&line);
                }
            }
        }
    }

    /// Paths as they are seen from the project.
    fn near(&self, text: &str) -> String {
        match self.root.to_str() {
            Some(root) if root.len() > 1 => text.replace(&format!("{root}/"), ""),
            _ => text.to_owned(),
        }
    }

    /// Lines for good, at a distance from what stands above.
    pub fn say(&mut self, lines: Vec<Line>) {
        self.end_text();
        self.space(Kind::Text);
        self.ready.extend(lines);
        self.dirty = true;
    }

    /// Markdown for good.
    pub fn say_markdown(&mut self, text: &str) {
        let lines = super::markdown(&clean(text), Self::columns(), self.abilities);
        self.say(lines);
    }

    /// Draws what has changed, at most so often that nobody sees a difference.
    pub fn draw(&mut self) {
        let pause = FRAME.max(self.cost * 4);
        if self.dirty && self.drawn.elapsed() >= pause {
            self.draw_now();
        }
    }

    /// Called a few times in a second.
    pub fn tick(&mut self) {
        self.dirty |= self.working;
        self.draw();
    }

    pub fn draw_now(&mut self) {
        let began = Instant::now();
        let (_, rows) = abilities::size();
        let (footer, cursor) = self.footer.lines(self.activity(), self.abilities);
        let room = rows.saturating_sub(footer.len() + 1).max(1);
        let piece = self.stream.show(Self::columns(), room, self.abilities);
        self.ready.extend(piece.lines);
        self.tail = piece.tail;
        let mut live = self.tail.clone();
        let above = live.len();
        live.extend(footer);
        let cursor = cursor.map(|(row, column)| (row + above, column));
        let ready = std::mem::take(&mut self.ready);
        self.screen.update(&ready, live, cursor, self.abilities);
        self.drawn = Instant::now();
        self.cost = self.drawn - began;
        self.dirty = false;
    }

    /// Prints all that is left and takes the bottom away.
    pub fn finish(&mut self) {
        self.end_text();
        let ready = std::mem::take(&mut self.ready);
        self.screen.update(&ready, Vec::new(), None, self.abilities);
        self.screen.erase();
        self.tail.clear();
    }

    fn call(&mut self, call: Call, diff: Option<FileDiff>) {
        self.end_text();
        let (columns, mark) = (Self::columns(), self.abilities.sign("…", "~"));
        // What was asked and answered, or planned, stands above in full.
        if call.success && TOLD_OTHERWISE.contains(&call.name.as_str()) {
            self.finished.push(call);
            return;
        }
        self.space(Kind::Call);
        let mut line = call.line(columns, self.abilities);
        if let Some(diff) = &diff {
            let mut spans = Vec::from(&line.0[..3]);
            spans.push(Span::plain(" "));
            spans.extend(diff.title());
            spans.push(Span::new(
                format!("  {}", call::took(Duration::from_millis(call.duration_ms))),
                palette::DIM,
            ));
            line = Line(spans);
        }
        self.ready.push(line.cut(columns, mark));
        match diff {
            Some(diff) => self.ready.extend(diff.shown(DIFF_LINES, all_columns(), self.abilities)),
            None => self
                .ready
                .extend(call.complaint(COMPLAINT_LINES).into_iter().map(|line| line.cut(columns, mark))),
        }
        self.finished.push(call);
    }

    fn show_todos(&mut self, todos: &[Todo]) {
        let changed = |todo: &&Todo| {
            self.todos.iter().find(|old| old.id == todo.id).is_none_or(|old| old.status != todo.status)
        };
        let lines: Vec<Line> =
            todos.iter().filter(changed).take(10).map(|todo| self.todo_line(todo)).collect();
        self.todos = todos.to_vec();
        if !lines.is_empty() {
            self.end_text();
            self.space(Kind::Aside);
            self.ready.extend(lines);
        }
    }

    fn todo_line(&self, todo: &Todo) -> Line {
        let signs = self.abilities;
        let (mark, style) = todo_mark(todo.status, signs);
        let depth = if todo.parent.is_some() { "    " } else { "  " };
        Line::styled(format!("{depth}{mark} {}", super::clean::clean_line(&todo.content)), style)
            .cut(Self::columns(), signs.sign("…", "~"))
    }

    fn alarm(&mut self, word: &str, message: &str, style: anstyle::Style) {
        self.end_text();
        self.space(Kind::Aside);
        let spans = [Span::new(word, style), Span::plain(clean(&understood(message)))];
        let indent = Indent { first: Vec::new(), rest: vec![Span::plain("  ")] };
        self.ready.extend(wrap(&spans, Self::columns(), &indent));
    }

    fn aside(&mut self, text: &str) {
        self.end_text();
        self.space(Kind::Aside);
        let spans = [Span::new(clean(text), palette::DIM)];
        self.ready.extend(wrap(&spans, Self::columns(), &Indent::same("  ", palette::DIM)));
    }

    fn end_text(&mut self) {
        if !self.stream.is_empty() {
            self.last = Kind::Text;
        }
        let lines = self.stream.finish(Self::columns(), self.abilities);
        self.ready.extend(lines);
        self.tail.clear();
    }

    /// A blank line where the kind changes; the first line follows the user's own.
    fn space(&mut self, kind: Kind) {
        let together = |kind| matches!(kind, Kind::Call | Kind::Aside);
        let apart = self.last != Kind::Nothing && !(together(self.last) && together(kind));
        if apart || self.last == Kind::Nothing {
            self.ready.push(Line::default());
        }
        self.last = kind;
    }

    /// What is going on, once it takes its time.
    fn activity(&self) -> Line {
        let began = self.running.first().map_or(self.since, |running| running.since);
        if !self.working || began.elapsed() < PATIENCE {
            return Line::default();
        }
        let sign = spinner(began.elapsed(), self.abilities);
        let mut spans = vec![Span::new(format!("{sign} "), palette::PROMPT)];
        match self.running.first() {
            Some(running) => {
                spans.push(Span::new(running.name.clone(), palette::BOLD));
                if self.running.len() > 1 {
                    spans.push(Span::plain(format!(" +{}", self.running.len() - 1)));
                } else if !running.about.is_empty() {
                    // Time and output matter more on a narrow screen.
                    let room = (Self::columns() / 2).saturating_sub(super::text::width(&running.name)).max(8);
                    let about = Line::plain(format!(" {}", running.about));
                    spans.extend(about.cut(room, self.abilities.sign("…", "~")).0);
                }
            }
            None => spans.push(Span::plain(say!("repl-thinking"))),
        }
        let seconds = format!("  {:.0} s", began.elapsed().as_secs_f64());
        spans.push(Span::new(seconds, palette::DIM));
        let output = self.running.first().map(|running| call::last_line(&running.output)).unwrap_or_default();
        match output.is_empty() {
            true => spans.push(Span::new(format!("  {}", say!("repl-ctrl-c-stops")), palette::DIM)),
            false => {
                spans.push(Span::new(format!("  {} {output}", self.abilities.sign("│", "|")), palette::DIM))
            }
        }
        Line(spans)
    }
}

/// The sign of a todo, and how its line looks.
pub fn todo_mark(status: TodoStatus, signs: Abilities) -> (&'static str, anstyle::Style) {
    match status {
        TodoStatus::Pending => (signs.sign("☐", "[ ]"), palette::PLAIN),
        TodoStatus::InProgress => (signs.sign("▸", "[>]"), palette::BOLD),
        TodoStatus::Completed => (signs.sign("☑", "[x]"), palette::DIM),
        TodoStatus::Cancelled => (signs.sign("☒", "[-]"), palette::DIM),
    }
}
