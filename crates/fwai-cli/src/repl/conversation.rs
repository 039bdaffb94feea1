//! The session behind the prompt: started with the first words, kept for all later ones.

use super::{attach, queue::Queue, recall, turn};
use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    language::say,
    render::{Status, call::Call},
};
use futures_channel::mpsc::UnboundedReceiver;
use fwai_agent::session::{SessionHandle, Started};
use fwai_agent::skills::NO_MODEL;
use fwai_app::{
    bench::Bench,
    session::{Assembled, Wanted},
    session_store::SessionStore,
};
use fwai_llm::Provider;
use fwai_policy::secrets::Redactor;
use fwai_schema::{
    board::BoardKind,
    event::{Event, EventBody, TurnStop},
    message::Usage,
    op::Op,
    permission::Mode,
    skill::StepStatus,
    todo::Todo,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
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
    /// Every call of this conversation, for `/open`.
    pub calls: Vec<Call>,
    status: Status,
    /// How the last skill ended.
    skill: Option<StepStatus>,
    /// The session was started for a skill, without a model.
    modelless: bool,
    ended: bool,
    /// For whoever must end the session from outside.
    at_the_end: SharedHandle,
}

/// The running session, if there is one.
pub type SharedHandle = Arc<Mutex<Option<SessionHandle>>>;

/// A session that runs.
pub struct Live {
    pub id: String,
    pub handle: SessionHandle,
    pub events: UnboundedReceiver<Event>,
    pub redactor: Redactor,
    driver: JoinHandle<()>,
}

impl Conversation {
    pub fn new(context: &Context) -> Self {
        Self::with_handle(context, SharedHandle::default())
    }

    /// A new one in place of an old one, known to whom the old one was known.
    pub fn with_handle(context: &Context, at_the_end: SharedHandle) -> Self {
        let mut conversation = Self {
            live: None,
            resume: None,
            mode: None,
            todos: Vec::new(),
            usage: Usage::default(),
            cost: Some(0.0),
            calls: Vec::new(),
            status: Status::default(),
            skill: None,
            modelless: false,
            ended: false,
            at_the_end,
        };
        conversation.refresh(context);
        conversation
    }

    pub fn shared_handle(&self) -> SharedHandle {
        self.at_the_end.clone()
    }

    /// Mode, model, board, tokens, cost.
    pub fn status(&self) -> Status {
        self.status.clone()
    }

    /// The mode now, or of the session to come.
    pub fn current_mode(&self, context: &Context) -> Option<Mode> {
        self.mode.or_else(|| Some(context.config().ok()?.config.agent.mode))
    }

    /// Reads the state anew that the configuration decides.
    pub fn refresh(&mut self, context: &Context) {
        let config = context.config().ok();
        let model = config.and_then(|layered| fwai_app::provider::choose(&layered.config.provider).ok());
        let mut status = Status::default();
        if let Some(mode) = self.current_mode(context) {
            status.push(0, mode.to_string(), mode.to_string());
        }
        match model {
            Some(choice) => status.push(1, format!("{}/{}", choice.name, choice.model), choice.model),
            None => status.push(1, say!("repl-no-model"), say!("repl-no-model")),
        }
        if let Some((long, short)) = board(context) {
            status.push(3, long, short);
        }
        let tokens = self.usage.total_input() + self.usage.output_tokens;
        if tokens > 0 {
            let count = short_count(tokens);
            status.push(4, say!("repl-tokens", count = count), count);
            match self.cost {
                Some(cost) => status.push(2, format!("${cost:.4}"), format!("${cost:.2}")),
                None => status.push(5, say!("repl-cost-unknown"), say!("repl-cost-unknown")),
            }
        }
        self.status = status;
    }

    pub fn id(&self) -> Option<&str> {
        self.live.as_ref().map(|live| live.id.as_str()).or(self.resume.as_deref())
    }

    /// False once the session was told to end in the middle of its turn.
    pub fn goes_on(&self) -> bool {
        !self.ended
    }

    pub fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Goes on with another session from the next words on, with all that it has come to. Nothing changes where it
    /// cannot be gone on with. Returns what has happened in it.
    pub fn resume(&mut self, context: &Context, id: String) -> Result<Vec<Event>, Failure> {
        let store = SessionStore::new(&context.paths.project);
        store.check_free(&id)?;
        let events = store.load(&id)?;
        self.close(context);
        *self = Self::with_handle(context, self.shared_handle());
        for event in &events {
            if let EventBody::SessionStarted { mode, .. } = &event.body {
                self.mode = Some(*mode);
            }
            self.note(event);
        }
        self.calls = recall::calls(&events);
        self.resume = Some(id);
        self.refresh(context);
        Ok(events)
    }

    /// Starts the session anew with the next words: what it is made of has changed.
    pub fn renew(&mut self, context: &Context) {
        if let Some(id) = self.live.as_ref().map(|live| live.id.clone()) {
            self.close(context);
            self.resume = Some(id);
        }
        self.refresh(context);
    }

    /// Says something and shows the turn to its end.
    pub fn say(&mut self, context: &Context, queue: &mut Queue, line: &str) -> Result<(), Failure> {
        let (content, problems) = attach::content(line, &context.paths.project);
        for problem in problems {
            context.warn(problem);
        }
        // A model may have been set since.
        if self.modelless {
            self.renew(context);
        }
        self.start(context)?;
        self.turn(context, queue, Op::UserInput { content })
    }

    /// Carries a skill out in this session, so that the model can be asked about it afterwards.
    pub fn run_skill(
        &mut self,
        context: &Context,
        queue: &mut Queue,
        name: String,
        inputs: BTreeMap<String, String>,
        provider: Arc<dyn Provider>,
    ) -> Result<(), Failure> {
        self.skill = None;
        if self.live.is_none() {
            self.modelless = provider.name() == NO_MODEL;
            self.start_with(context, |wanted| door::open_with(context, wanted, provider))?;
        }
        let turn = self.turn(context, queue, Op::RunSkill { name, inputs });
        match (turn, self.skill) {
            (Err(failure), _) if failure.kind == Kind::Interrupted => Err(failure),
            (_, Some(StepStatus::Success)) => Ok(()),
            (_, Some(StepStatus::Denied)) => Err(Failure::told(Kind::Denied)),
            (turn, None) => turn.and(Err(Failure::told(Kind::Failed))),
            _ => Err(Failure::told(Kind::Failed)),
        }
    }

    fn turn(&mut self, context: &Context, queue: &mut Queue, op: Op) -> Result<(), Failure> {
        let Some(mut live) = self.live.take() else { return Ok(()) };
        live.handle.send(op);
        let outcome = context.block_on(turn::watch(self, context, &mut live, queue));
        self.ended |= matches!(outcome, Err(ref failure) if failure.kind == Kind::Interrupted);
        if !matches!(outcome, Err(ref failure) if failure.kind == Kind::Failed) {
            self.live = Some(live);
        } else {
            self.resume = Some(live.id);
            *self.at_the_end.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        self.refresh(context);
        // Everything was told already; a script that feeds lines reads the exit code.
        match outcome? {
            TurnStop::EndTurn | TurnStop::Interrupted | TurnStop::Other(_) => Ok(()),
            TurnStop::NeedsPerson => Err(Failure::told(Kind::NeedsPerson)),
            _ => Err(Failure::told(Kind::Failed)),
        }
    }

    /// Sets the mode now, or for the session to come.
    pub fn set_mode(&mut self, context: &Context, mode: Mode) {
        self.mode = Some(mode);
        if let Some(live) = &self.live {
            live.handle.send(Op::SetMode { mode });
        }
        self.refresh(context);
        context.note(say!("repl-mode", mode = mode));
    }

    /// Carries an operation out that is no turn, and tells what came of it.
    pub fn perform(&mut self, context: &Context, op: Op) -> Result<(), Failure> {
        self.start(context)?;
        let Some(mut live) = self.live.take() else { return Ok(()) };
        live.handle.send(op);
        let outcome = context.block_on(turn::hear_outcome(self, context, &mut live));
        self.live = Some(live);
        outcome
    }

    /// Takes note of what an event says about the conversation.
    pub fn note(&mut self, event: &Event) {
        match &event.body {
            EventBody::TodosUpdated { todos } => self.todos.clone_from(todos),
            EventBody::ModeChanged { to, .. } => self.mode = Some(*to),
            EventBody::SkillEnded { status, .. } => self.skill = Some(*status),
            EventBody::Usage { usage, cost_usd, .. } => {
                self.usage += *usage;
                self.cost = self.cost.zip(*cost_usd).map(|(sum, cost)| sum + cost);
            }
            _ => {}
        }
    }

    fn start(&mut self, context: &Context) -> Result<(), Failure> {
        if self.live.is_some() {
            return Ok(());
        }
        self.modelless = false;
        self.start_with(context, |wanted| door::open(context, wanted))
    }

    fn start_with(
        &mut self,
        context: &Context,
        open: impl FnOnce(Wanted) -> Result<Assembled, Failure>,
    ) -> Result<(), Failure> {
        let _inside = context.runtime().enter();
        let resume = self.resume.clone();
        let wanted = Wanted { resume, mode: self.mode, person: true, output_schema: None };
        let assembled = open(wanted)?;
        self.resume = None;
        let Started { handle, events, driver, resumed } = assembled.started;
        if self.todos.is_empty() {
            self.todos = resumed.todos().to_vec();
        }
        let driver = tokio::spawn(driver);
        *self.at_the_end.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle.clone());
        self.live = Some(Live { id: assembled.id, handle, events, redactor: assembled.redactor, driver });
        Ok(())
    }

    /// Ends the session in good order.
    pub fn close(&mut self, context: &Context) {
        *self.at_the_end.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(live) = self.live.take() {
            live.handle.send(Op::Shutdown);
            let limit = std::time::Duration::from_secs(5);
            let _ = context.block_on(async { tokio::time::timeout(limit, live.driver).await });
        }
    }
}

/// The board that would be used, with a word on what it is.
fn board(context: &Context) -> Option<(String, String)> {
    let named = door::project(context).ok().and_then(|project| project.target.board);
    let bench = Bench::open(&context.paths, &context.config().ok()?.config).ok()?;
    match bench.choose(None) {
        Ok(board) if board.kind == BoardKind::Virtual => {
            Some((say!("repl-virtual", board = board.name), board.name.clone()))
        }
        Ok(board) => Some((board.name.clone(), board.name.clone())),
        Err(_) => named.map(|name| (name.clone(), name)),
    }
}

/// 950, 12.3k, 1.2M
fn short_count(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..1_000_000 => format!("{:.1}k", count as f64 / 1e3),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}
