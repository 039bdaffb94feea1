//! The heart that a session's parts share: its state, its log, and the one place where events are made.

use crate::{
    config::SessionConfig,
    host::{EventLog, Host, HostError},
    registry::Registry,
    state::State,
    tool::{CallSink, PathScope},
};
use futures_channel::mpsc::UnboundedSender;
use fwai_llm::Provider;
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    message::{Message, ToolDefinition},
    permission::Mode,
};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

pub(crate) struct Core {
    pub(crate) host: Host,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) config: SessionConfig,
    /// Every tool, whatever the mode.
    pub(crate) registry: Registry,
    pub(crate) system: Vec<String>,
    pub(crate) scopes: Vec<PathScope>,
    /// 0 for the session of a person, 1 for its agents.
    pub(crate) depth: u32,
    pub(crate) audience: Audience,
    pub(crate) asking: crate::asking::Asking,
    log: Arc<dyn EventLog>,
    state: Mutex<State>,
    offered: Mutex<Option<Offered>>,
    /// Put into the conversation after the running calls are answered.
    injections: Mutex<Vec<EventBody>>,
    /// Ends the turn after the running calls are answered.
    stop: Mutex<Option<TurnStop>>,
    broken: Mutex<Option<HostError>>,
    cost_before_turn: Mutex<f64>,
}

/// The tools of a mode as they go into every request.
#[derive(Clone)]
struct Offered {
    mode: Mode,
    tools: Arc<Vec<ToolDefinition>>,
    tokens: u64,
}

/// Who hears the events of a session.
pub(crate) enum Audience {
    Door(UnboundedSender<Event>),
    /// The call of another session that started this one.
    Parent {
        core: Arc<Core>,
        call: String,
        agent: String,
    },
}

pub(crate) struct CoreParts {
    pub(crate) host: Host,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) config: SessionConfig,
    pub(crate) registry: Registry,
    pub(crate) scopes: Vec<PathScope>,
    pub(crate) depth: u32,
    pub(crate) audience: Audience,
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) state: State,
}

impl Core {
    /// The session's own tools join the registry here, since they need the session.
    pub(crate) fn assemble(
        parts: CoreParts,
        add_tools: impl FnOnce(Registry, Weak<Core>) -> Registry,
    ) -> Arc<Self> {
        let system = crate::prompt::system(&parts.config, &parts.host);
        Arc::new_cyclic(|weak| Self {
            registry: add_tools(parts.registry, weak.clone()),
            host: parts.host,
            provider: parts.provider,
            config: parts.config,
            system,
            scopes: parts.scopes,
            depth: parts.depth,
            audience: parts.audience,
            asking: Default::default(),
            log: parts.log,
            state: Mutex::new(parts.state),
            offered: Mutex::new(None),
            injections: Mutex::default(),
            stop: Mutex::default(),
            broken: Mutex::default(),
            cost_before_turn: Mutex::default(),
        })
    }

    /// Never held across an await.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The present mode; an agent's is never freer than that of the session that started it.
    pub(crate) fn mode(&self) -> Mode {
        let own = self.state().mode;
        match &self.audience {
            Audience::Door(_) => own,
            Audience::Parent { core, .. } => own.min(core.mode()),
        }
    }

    /// US dollars since the running turn began, agents included.
    pub(crate) fn cost_this_turn(&self) -> f64 {
        let before = *lock(&self.cost_before_turn);
        self.state().cost_usd - before
    }

    pub(crate) fn mark_cost(&self) {
        *lock(&self.cost_before_turn) = self.state().cost_usd;
    }

    /// Makes an event: logged, folded into the state, and shown, in this order.
    pub(crate) fn emit(&self, body: EventBody) -> Result<(), HostError> {
        let (event, logged) = self.record(body);
        self.show(event);
        logged
    }

    /// Makes an event that belongs to the past of the log: a door that waits for the end of its turn must not
    /// take the late end of an old one for it.
    pub(crate) fn emit_late(&self, body: EventBody) -> Result<(), HostError> {
        self.record(body).1
    }

    fn record(&self, body: EventBody) -> (Event, Result<(), HostError>) {
        let mut state = self.state();
        if matches!(body, EventBody::TurnStarted {}) {
            state.turn += 1;
        }
        state.seq += 1;
        let event = Event {
            seq: state.seq,
            ts: self.host.clock.now(),
            session: self.config.session.clone(),
            turn: state.turn,
            body,
        };
        let logged = if event.body.is_persisted() { self.log.append(&event) } else { Ok(()) };
        if logged.is_ok() {
            state.apply(&event);
        }
        drop(state);
        if let Err(error) = &logged {
            lock(&self.broken).get_or_insert_with(|| error.clone());
        }
        (event, logged)
    }

    fn show(&self, event: Event) {
        match &self.audience {
            // A door that left does not stop the work that it asked for.
            Audience::Door(door) => drop(door.unbounded_send(event)),
            Audience::Parent { core, call, agent } => {
                if let Some(body) = retold(event.body, call, agent) {
                    // The parent notes its own broken log.
                    let _ = core.emit(body);
                }
            }
        }
    }

    pub(crate) fn sync(&self) -> Result<(), HostError> {
        self.log.sync()
    }

    /// A log that broke while a tool was emitting.
    pub(crate) fn take_broken(&self) -> Option<HostError> {
        lock(&self.broken).take()
    }

    /// The tools that the model is told of in the present mode. The same allocation as long as the mode
    /// stays, so that a request costs nothing for them.
    pub(crate) fn offered_tools(&self) -> Arc<Vec<ToolDefinition>> {
        self.offered().tools
    }

    /// What the offered tools cost in every request.
    pub(crate) fn offered_tokens(&self) -> u64 {
        self.offered().tokens
    }

    fn offered(&self) -> Offered {
        let mode = self.mode();
        let mut offered = lock(&self.offered);
        match &*offered {
            Some(offered) if offered.mode == mode => offered.clone(),
            _ => {
                let tools = crate::context::fitting_definitions(
                    &self.registry.for_mode(mode),
                    crate::context::window(self),
                );
                let tokens = crate::tokens::of_tools(&tools);
                offered.insert(Offered { mode, tools, tokens }).clone()
            }
        }
    }

    pub(crate) fn plan_path(&self) -> String {
        self.host.files.plan_path(&self.config.session)
    }

    pub(crate) fn set_mode(&self, to: Mode) -> Result<(), HostError> {
        let from = self.mode();
        if from == to { Ok(()) } else { self.emit(EventBody::ModeChanged { from, to }) }
    }

    /// Says something to the model once the running calls are answered.
    pub(crate) fn inject_later(&self, text: String) {
        let message = Message::user_text(text);
        lock(&self.injections).push(EventBody::Message { message, injected: true });
    }

    pub(crate) fn hint_later(&self, text: String) {
        lock(&self.injections).push(EventBody::Hint { text });
    }

    pub(crate) fn take_injections(&self) -> Vec<EventBody> {
        std::mem::take(&mut lock(&self.injections))
    }

    pub(crate) fn stop_after_calls(&self, stop: TurnStop) {
        lock(&self.stop).get_or_insert(stop);
    }

    pub(crate) fn take_stop(&self) -> Option<TurnStop> {
        lock(&self.stop).take()
    }

    /// The session of the person, whoever's agent this is.
    pub(crate) fn at_door(&self) -> &Core {
        match &self.audience {
            Audience::Door(_) => self,
            Audience::Parent { core, .. } => core.at_door(),
        }
    }
}

/// What the session that started an agent says of the agent's events.
fn retold(body: EventBody, call: &str, agent: &str) -> Option<EventBody> {
    let line = |text: String| Some(EventBody::ToolOutput { id: call.to_owned(), text });
    match body {
        EventBody::ToolCallStart { name, arguments, .. } => {
            let shown: String = arguments.to_string().chars().take(120).collect();
            line(format!("[{agent}] {name} {shown}\n"))
        }
        EventBody::Warning { message } | EventBody::Error { message, .. } => {
            line(format!("[{agent}] {message}\n"))
        }
        EventBody::Usage { provider, model, usage, cost_usd, duration_ms, .. } => {
            let purpose = format!("task:{agent}");
            Some(EventBody::Usage { provider, model, purpose, usage, cost_usd, duration_ms })
        }
        body @ (EventBody::FileChanged { .. }
        | EventBody::Board { .. }
        | EventBody::EvidenceWritten { .. }) => Some(body),
        _ => None,
    }
}

/// Where the events of a running tool go.
pub(crate) struct ToolSink(pub(crate) Arc<Core>);

impl CallSink for ToolSink {
    fn emit(&self, body: EventBody) {
        // A broken log is kept by the core and ends the turn.
        let _ = self.0.emit(body);
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere must not take the session's history with it.
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
