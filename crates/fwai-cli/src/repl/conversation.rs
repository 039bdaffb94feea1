//! The session behind the prompt: started with the first words, kept for all later ones.

use super::attach;
use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    render::{Plain, answer_from, question},
};
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use fwai_agent::session::{SessionHandle, Started};
use fwai_app::session::Wanted;
use fwai_schema::{
    event::{Event, EventBody, Question, TurnStop},
    message::Usage,
    op::{Answer, Op, PermissionReply},
    permission::Mode,
    todo::Todo,
};
use tokio::task::JoinHandle;

/// A conversation and what the prompt shows of it.
pub struct Conversation {
    live: Option<Live>,
    resume: Option<String>,
    pub mode: Option<Mode>,
    pub todos: Vec<Todo>,
    pub usage: Usage,
    /// Absent once a price is not known.
    pub cost: Option<f64>,
    status: Vec<String>,
}

struct Live {
    id: String,
    handle: SessionHandle,
    events: UnboundedReceiver<Event>,
    driver: JoinHandle<()>,
}

impl Conversation {
    pub fn new(context: &Context) -> Self {
        let mut conversation = Self {
            live: None,
            resume: None,
            mode: None,
            todos: Vec::new(),
            usage: Usage::default(),
            cost: Some(0.0),
            status: Vec::new(),
        };
        conversation.refresh(context);
        conversation
    }

    /// Mode, model, board, tokens, cost.
    pub fn status(&self) -> Vec<String> {
        self.status.clone()
    }

    fn refresh(&mut self, context: &Context) {
        let config = context.config().ok();
        let mode = self.mode.or_else(|| Some(config?.config.agent.mode));
        let model = config.and_then(|layered| fwai_app::provider::choose(&layered.config.provider).ok());
        let board = door::project(context).ok().and_then(|project| project.target.board);
        let mut parts: Vec<String> = mode.map(|mode| mode.to_string()).into_iter().collect();
        parts.push(
            model.map_or_else(|| "no model".to_owned(), |choice| format!("{}/{}", choice.name, choice.model)),
        );
        parts.extend(board);
        let tokens = self.usage.total_input() + self.usage.output_tokens;
        if tokens > 0 {
            parts.push(format!("{tokens} tokens"));
            parts.push(self.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${cost:.4}")));
        }
        self.status = parts;
    }

    pub fn id(&self) -> Option<&str> {
        self.live.as_ref().map(|live| live.id.as_str())
    }

    /// Goes on with another session from the next words on.
    pub fn resume(&mut self, context: &Context, id: String) {
        self.close(context);
        self.resume = Some(id);
    }

    /// Says something and shows the turn to its end.
    pub fn say(&mut self, context: &Context, line: &str) -> Result<(), Failure> {
        let (content, problems) = attach::content(line, &context.paths.project);
        for problem in problems {
            context.warn(problem);
        }
        self.start(context)?;
        self.perform(context, Op::UserInput { content })
    }

    /// Sets the mode now, or for the session to come.
    pub fn set_mode(&mut self, context: &Context, mode: Mode) {
        self.mode = Some(mode);
        if let Some(live) = &self.live {
            live.handle.send(Op::SetMode { mode });
        }
        self.refresh(context);
        context.note(format_args!("mode: {mode}"));
    }

    /// Sends an operation that is no turn, where a session is there.
    pub fn send(&mut self, context: &Context, op: Op) -> Result<(), Failure> {
        self.start(context)?;
        if let Some(live) = &self.live {
            live.handle.send(op);
        }
        Ok(())
    }

    fn start(&mut self, context: &Context) -> Result<(), Failure> {
        if self.live.is_some() {
            return Ok(());
        }
        let _inside = context.runtime().enter();
        let wanted =
            Wanted { resume: self.resume.take(), mode: self.mode, person: true, output_schema: None };
        let assembled = door::open(context, wanted)?;
        let Started { handle, events, driver, .. } = assembled.started;
        let driver = tokio::spawn(driver);
        self.live = Some(Live { id: assembled.id, handle, events, driver });
        Ok(())
    }

    fn perform(&mut self, context: &Context, op: Op) -> Result<(), Failure> {
        let Some(mut live) = self.live.take() else { return Ok(()) };
        live.handle.send(op);
        let mut plain = Plain::new(context);
        let outcome = context.block_on(self.watch(context, &mut live, &mut plain));
        if !matches!(outcome, Err(ref failure) if failure.kind == Kind::Failed) {
            self.live = Some(live);
        }
        self.refresh(context);
        outcome
    }

    async fn watch(&mut self, context: &Context, live: &mut Live, plain: &mut Plain) -> Result<(), Failure> {
        loop {
            let event = tokio::select! {
                event = live.events.next() => event,
                _ = tokio::signal::ctrl_c() => {
                    live.handle.send(Op::Interrupt);
                    continue;
                }
            };
            let Some(event) = event else { return Err(Failure::failed("the session has ended")) };
            plain.show(&event);
            match &event.body {
                EventBody::PermissionRequest { id, what, reason, .. } => {
                    let (reply, note) = ask_permission(context, what, reason);
                    live.handle.send(Op::PermissionReply { id: id.clone(), reply, note });
                }
                EventBody::Question { id, questions, .. } => {
                    let answer = ask_question(context, questions.first());
                    live.handle.send(Op::Answer { id: id.clone(), answer });
                }
                EventBody::TodosUpdated { todos } => self.todos.clone_from(todos),
                EventBody::ModeChanged { to, .. } => self.mode = Some(*to),
                EventBody::Usage { usage, cost_usd, .. } => {
                    self.usage += *usage;
                    self.cost = self.cost.zip(*cost_usd).map(|(sum, cost)| sum + cost);
                }
                EventBody::Error { message, hint } => {
                    context.warn(message);
                    if let Some(hint) = hint {
                        context.note(format_args!("  next: {hint}"));
                    }
                }
                EventBody::TurnEnded { stop_reason, .. } => {
                    return match stop_reason {
                        TurnStop::Interrupted => {
                            context.note("interrupted; say what to do instead");
                            Ok(())
                        }
                        TurnStop::Error => Err(Failure::told(Kind::Watchdog)),
                        _ => Ok(()),
                    };
                }
                _ => {}
            }
        }
    }

    /// Ends the session in good order.
    pub fn close(&mut self, context: &Context) {
        if let Some(live) = self.live.take() {
            live.handle.send(Op::Shutdown);
            let limit = std::time::Duration::from_secs(5);
            let _ = context.block_on(async { tokio::time::timeout(limit, live.driver).await });
        }
    }
}

fn ask_permission(context: &Context, what: &str, reason: &str) -> (PermissionReply, Option<String>) {
    let bold = anstyle::Style::new().bold();
    context.note(format_args!("{bold}fwai wants to {what}{bold:#}\n  {reason}"));
    let answer = context.ask_key("Allow? [y]es  [s]ession  [a]lways  [n]o ", "ysan").unwrap_or_default();
    match answer.trim() {
        "y" | "yes" => (PermissionReply::Once, None),
        "s" => (PermissionReply::Session, None),
        "a" => (PermissionReply::Always, None),
        "" | "n" | "no" => (PermissionReply::Deny, None),
        words => (PermissionReply::Deny, Some(words.to_owned())),
    }
}

fn ask_question(context: &Context, asked: Option<&Question>) -> Answer {
    let prompt = asked.map_or_else(|| "Your answer: ".to_owned(), question);
    match context.ask(&prompt) {
        Ok(text) => answer_from(asked, &text),
        Err(_) => Answer::default(),
    }
}
