//! A session: operations in at one place, events out at one place.
//!
//! ```text
//! let started = Session::start(config, host, provider, registry)?;
//! tokio::spawn(started.driver);                     // or any other executor; the browser's, too
//! started.handle.send(Op::UserInput { content });   // starts a turn, or waits in the queue
//! while let Some(event) = started.events.next().await { … }
//! ```
//!
//! The driver ends after `Op::Shutdown`, or when every handle is dropped and the queue is empty; then the
//! stream of events ends too. Starting a session whose log has events resumes it: the state is the fold
//! over that log, and a turn that a crash cut off is closed first.

use crate::{
    cancel::CancelToken,
    config::SessionConfig,
    context,
    core::{Audience, Core, CoreParts},
    history::INTERRUPTED_CALL,
    host::{Host, HostError},
    registry::Registry,
    session_tools, skills,
    state::State,
    turn,
};
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{
    StreamExt,
    future::{Either, select},
};
use fwai_llm::{BoxFuture, Provider};
use fwai_schema::{
    event::{Event, EventBody, ForkPoint, TurnStop},
    message::{ContentBlock, Message, ToolResultContent, Usage},
    op::Op,
};
use std::{collections::VecDeque, sync::Arc};

/// How sessions are started.
pub struct Session;

/// A session that was started.
pub struct Started {
    pub handle: SessionHandle,
    /// Every event, persisted or not, in order.
    pub events: UnboundedReceiver<Event>,
    /// Must be polled for the session to live.
    pub driver: BoxFuture<'static, ()>,
    /// What the log said, folded; empty for a new session.
    pub resumed: State,
}

/// Sends operations to a session. Clones send to the same one.
#[derive(Clone)]
pub struct SessionHandle {
    ops: UnboundedSender<Op>,
}

impl SessionHandle {
    /// False when the session has ended.
    pub fn send(&self, op: Op) -> bool {
        self.ops.unbounded_send(op).is_ok()
    }

    pub fn say(&self, text: impl Into<String>) -> bool {
        self.send(Op::UserInput { content: vec![ContentBlock::text(text)] })
    }
}

impl Session {
    /// Starts a session, or resumes the one that the log of `config.session` holds.
    pub fn start(
        config: SessionConfig,
        host: Host,
        provider: Arc<dyn Provider>,
        registry: Registry,
    ) -> Result<Started, HostError> {
        let log = host.logs.open(&config.session)?;
        let events = log.load()?;
        let state = State::fold(&events);
        let is_new = events.is_empty();
        let resumed = state.clone();
        let has_skills = !host.library.skills().is_empty();
        let (door, heard) = unbounded();
        let scopes = config.scopes.clone();
        let parts = CoreParts {
            host,
            provider,
            registry,
            scopes,
            depth: 0,
            audience: Audience::Door(door),
            log,
            state,
            config,
        };
        let core = Core::assemble(parts, |registry, core| session_tools::bind(registry, core, has_skills));
        if is_new {
            announce(&core, None, None)?;
        } else {
            close_cut_turn(&core)?;
        }
        let (ops, received) = unbounded();
        let driver = Box::pin(drive(core, received));
        Ok(Started { handle: SessionHandle { ops }, events: heard, driver, resumed })
    }
}

/// The first event of a log.
pub(crate) fn announce(
    core: &Core,
    forked_from: Option<ForkPoint>,
    parent: Option<String>,
) -> Result<(), HostError> {
    core.emit(EventBody::SessionStarted {
        version: core.config.version.clone(),
        provider: core.provider.name().into(),
        model: core.provider.model().into(),
        mode: core.config.agent.mode,
        cwd: core.config.cwd.to_string_lossy().into_owned(),
        title: None,
        forked_from,
        parent,
    })?;
    core.sync()
}

/// A turn without an end was cut off by a crash: every call gets its answer and the turn its end.
fn close_cut_turn(core: &Core) -> Result<(), HostError> {
    let (in_turn, open) = {
        let state = core.state();
        (state.in_turn, state.open_calls.clone())
    };
    if !in_turn {
        return Ok(());
    }
    for (id, name) in open {
        core.emit_late(EventBody::ToolCallEnd {
            id,
            name,
            success: false,
            content: vec![ToolResultContent::Text { text: INTERRUPTED_CALL.into() }],
            duration_ms: 0,
            full_output: None,
            files_read: Vec::new(),
            files_written: Vec::new(),
            refused: None,
        })?;
    }
    core.emit(EventBody::Warning {
        message: "the session ended in the middle of a turn; it goes on from there".into(),
    })?;
    core.emit_late(EventBody::TurnEnded {
        stop_reason: TurnStop::Interrupted,
        final_text: String::new(),
        tool_calls: 0,
        iterations: 0,
        usage: Usage::default(),
        cost_usd: None,
    })?;
    core.sync()
}

/// Takes operations one after the other; while a turn runs, those that concern it at once.
async fn drive(core: Arc<Core>, mut ops: UnboundedReceiver<Op>) {
    let mut queue: VecDeque<Op> = VecDeque::new();
    loop {
        let op = match queue.pop_front() {
            Some(op) => op,
            None => match ops.next().await {
                Some(op) => op,
                None => return,
            },
        };
        let leave = match op {
            Op::Shutdown => true,
            Op::UserInput { content } => {
                let work = |cancel: CancelToken| {
                    let core = core.clone();
                    async move { drop(turn::run(&core, content, &cancel).await) }
                };
                run_turn(&core, work, &mut ops, &mut queue).await
            }
            Op::RunSkill { name, inputs } => {
                let work = |cancel: CancelToken| {
                    let core = core.clone();
                    async move { skills::runner::run(&core, &name, inputs, &cancel).await }
                };
                run_turn(&core, work, &mut ops, &mut queue).await
            }
            other => {
                if let Err(error) = perform(&core, other).await {
                    let _ = core.emit(EventBody::Error { message: error.what, hint: error.hint });
                }
                false
            }
        };
        if leave {
            return;
        }
    }
}

/// Runs a turn while listening; true when the session must end after it.
async fn run_turn<F: Future<Output = ()>>(
    core: &Arc<Core>,
    work: impl FnOnce(CancelToken) -> F,
    ops: &mut UnboundedReceiver<Op>,
    queue: &mut VecDeque<Op>,
) -> bool {
    let cancel = CancelToken::new();
    let mut turn = Box::pin(work(cancel.clone()));
    let mut leave = false;
    loop {
        match select(turn, ops.next()).await {
            Either::Left(_) => return leave,
            Either::Right((op, unfinished)) => {
                turn = unfinished;
                match op {
                    Some(Op::Interrupt) => cancel.cancel(),
                    Some(Op::Shutdown) => {
                        cancel.cancel();
                        leave = true;
                    }
                    Some(op @ (Op::PermissionReply { .. } | Op::Answer { .. })) => {
                        if !core.deliver(op) {
                            warn_of_stray_answer(core);
                        }
                    }
                    Some(Op::SetMode { mode }) => {
                        // A broken log ends the turn by itself.
                        let _ = core.set_mode(mode);
                    }
                    Some(
                        op @ (Op::UserInput { .. } | Op::RunSkill { .. } | Op::Compact | Op::Undo { .. }),
                    ) => queue.push_back(op),
                    // Every handle is gone: nobody can answer any more, but the work was asked for.
                    None => {
                        core.desert();
                        turn.await;
                        return leave;
                    }
                }
            }
        }
    }
}

fn warn_of_stray_answer(core: &Core) {
    let _ =
        core.emit(EventBody::Warning { message: "an answer came to a question that nobody asked".into() });
}

/// What can be done between turns.
async fn perform(core: &Arc<Core>, op: Op) -> Result<(), HostError> {
    match op {
        Op::SetMode { mode } => core.set_mode(mode),
        Op::Compact => {
            let keep = core.state().history.tokens() / 4;
            if !context::compact(core, keep, &CancelToken::new()).await? {
                core.emit(EventBody::Warning {
                    message: "the conversation is too short to be shortened".into(),
                })?;
            }
            Ok(())
        }
        Op::Undo { to } => {
            let (text, events) = core.host.gate.undo(to).await?;
            for body in events {
                core.emit(body)?;
            }
            let note = crate::fence::contain("note", &[], &format!("The user undid changes: {text}"));
            core.emit(EventBody::Message { message: Message::user_text(note), injected: true })?;
            core.emit(EventBody::Warning { message: text })?;
            core.sync()
        }
        Op::PermissionReply { .. } | Op::Answer { .. } => {
            warn_of_stray_answer(core);
            Ok(())
        }
        Op::Interrupt | Op::UserInput { .. } | Op::RunSkill { .. } | Op::Shutdown => Ok(()),
    }
}
