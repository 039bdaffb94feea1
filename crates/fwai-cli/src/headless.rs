//! Driving a session where nobody types: a script, a CI job, `fwai run`.
//!
//! However it is stopped (Ctrl-C, SIGTERM, the watchdog), the session is interrupted in good order first, so that
//! every tool call has its end and the evidence says what is known; whoever does not stop in time is killed
//! with everything it started.

use crate::{
    context::Context,
    interrupts,
    language::{permission, say},
    render,
};
use futures_util::StreamExt;
use fwai_agent::session::{SessionHandle, Started};
use fwai_app::process_tree;
use fwai_schema::{
    event::{Event, EventBody, TurnStop},
    op::{Answer, Op, PermissionReply},
    permission::{DeviceVerb, Level},
};
use std::time::Duration;
use tokio::{
    signal::unix::{SignalKind, signal},
    time::Instant,
};

/// How long a session may take to stop.
const GRACE: Duration = Duration::from_secs(10);

/// What a turn came to.
#[derive(Debug)]
pub struct Ended {
    pub stop: TurnStop,
    pub final_text: String,
    /// What a person was needed for.
    pub asked: Option<String>,
    pub asked_for: AskedFor,
    pub error: Option<(String, Option<String>)>,
    /// What ended it from outside.
    pub cause: Option<Cause>,
}

/// What kind of answer was needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AskedFor {
    #[default]
    Permission,
    Answer,
    Plan,
}

/// Who ended a turn from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Interrupt,
    Terminate,
    /// After so many seconds.
    Watchdog(u64),
}

/// Sees what happens, and makes room where something is asked.
pub trait Viewer {
    fn show(&mut self, event: &Event);

    /// Something else is about to write to the terminal.
    fn pause(&mut self) {}

    /// Time passes.
    fn tick(&mut self) {}
}

/// Sends `op` and shows what happens until the turn ends. `watchdog` is in seconds; 0 means none.
pub async fn drive(
    context: &Context,
    started: Started,
    op: Op,
    watchdog: Option<u64>,
    viewer: &mut dyn Viewer,
) -> Ended {
    let Started { handle, mut events, driver, .. } = started;
    let driver = tokio::spawn(driver);
    handle.send(op);
    let mut ended = Ended {
        stop: TurnStop::Error,
        final_text: String::new(),
        asked: None,
        asked_for: AskedFor::default(),
        error: None,
        cause: None,
    };
    let mut interrupts = signal(SignalKind::interrupt()).ok();
    interrupts::watch();
    let mut terminations = signal(SignalKind::terminate()).ok();
    let mut hang_ups = signal(SignalKind::hangup()).ok();
    let mut beat = tokio::time::interval(render::BEAT);
    let watchdog = watchdog.filter(|seconds| *seconds > 0);
    let mut deadline = watchdog.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    loop {
        let cause = tokio::select! {
            event = events.next() => {
                let Some(event) = event else { break };
                viewer.show(&event);
                if matches!(
                    event.body,
                    EventBody::PermissionRequest { .. } | EventBody::Question { .. } | EventBody::TurnEnded { .. }
                ) {
                    viewer.pause();
                }
                answer(context, &handle, &event, &mut ended);
                if let EventBody::TurnEnded { stop_reason, final_text, .. } = event.body {
                    ended.stop = stop_reason;
                    ended.final_text = final_text;
                    break;
                }
                continue;
            }
            _ = beat.tick() => {
                viewer.tick();
                continue;
            }
            () = heard(&mut interrupts) => Cause::Interrupt,
            () = heard(&mut terminations) => Cause::Terminate,
            () = heard(&mut hang_ups) => Cause::Terminate,
            () = at(deadline) => Cause::Watchdog(watchdog.unwrap_or_default()),
        };
        // The second time, and when grace has passed, nothing is waited for.
        if ended.cause.is_some() {
            break;
        }
        ended.cause = Some(cause);
        deadline = Some(Instant::now() + GRACE);
        handle.send(Op::Interrupt);
    }
    handle.send(Op::Shutdown);
    // The driver closes the log; a task that hangs there must not hang us.
    let closed = tokio::time::timeout(Duration::from_secs(5), driver).await;
    if ended.cause.is_some() || closed.is_err() {
        let _ = tokio::task::spawn_blocking(process_tree::kill_descendants).await;
    }
    ended
}

async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
    let came = match signal {
        Some(signal) => signal.recv().await.is_some(),
        None => false,
    };
    if !came {
        std::future::pending().await
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Answers what the session asks, where `--yes` or a terminal can.
fn answer(context: &Context, handle: &SessionHandle, event: &Event, ended: &mut Ended) {
    match &event.body {
        EventBody::PermissionRequest { id, what, reason, level, .. } => {
            ended.asked = Some(format!("permission to {what} ({reason})"));
            ended.asked_for = AskedFor::Permission;
            let final_deed = matches!(level, Level::Device(DeviceVerb::Erase | DeviceVerb::Fuse));
            let reply = if context.flags.yes && !final_deed {
                PermissionReply::Once
            } else if context.is_interactive() {
                ask_permission(context, what, reason)
            } else if context.flags.yes {
                PermissionReply::Deny
            } else {
                // The session knows that nobody is there, and ends by itself.
                return;
            };
            handle.send(Op::PermissionReply { id: id.clone(), reply, note: None });
        }
        EventBody::Question { id, questions, markdown } => {
            let words: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
            ended.asked = Some(format!("an answer to: {}", words.join(" ")));
            ended.asked_for = match markdown {
                Some(_) => AskedFor::Plan,
                None => AskedFor::Answer,
            };
            if !context.flags.yes && !context.is_interactive() {
                return;
            }
            // The session waits for one answer to each.
            for question in questions {
                let answer = if context.flags.yes {
                    let first = question.options.first().map(|option| option.label.clone());
                    Answer { choices: first.into_iter().collect(), text: None }
                } else {
                    match context.ask(&render::clean::clean(&render::question(question))) {
                        Ok(text) => render::answer_from(Some(question), &text),
                        Err(_) => Answer::default(),
                    }
                };
                handle.send(Op::Answer { id: id.clone(), answer });
            }
        }
        EventBody::Error { message, hint } => ended.error = Some((message.clone(), hint.clone())),
        _ => {}
    }
}

fn ask_permission(context: &Context, what: &str, reason: &str) -> PermissionReply {
    let (what, reason) = (&render::clean::clean(what), &render::clean::clean(reason));
    let wants = say!("permission-wants", what = permission(what));
    let question = format!("{wants}\n  {}\n{} ", permission(reason), say!("permission-choices"));
    match context.ask(&question).unwrap_or_default().trim() {
        "y" | "yes" => PermissionReply::Once,
        "s" => PermissionReply::Session,
        "a" => PermissionReply::Always,
        _ => PermissionReply::Deny,
    }
}
