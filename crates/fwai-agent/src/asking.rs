//! Waiting for a person: permission requests and questions, answered by `Op`s with the same id.
//!
//! Agents that a session started ask through that session: its door is where the person is.

use crate::{
    cancel::CancelToken,
    core::{Core, lock},
    host::{CallRequest, Decision, HostError},
};
use futures_channel::oneshot;
use fwai_schema::{
    event::{EventBody, Question, TurnStop},
    op::{Answer, Op, PermissionReply},
};
use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// Those who wait, by the id of what they asked.
#[derive(Default)]
pub(crate) struct Asking {
    waiting: Mutex<HashMap<String, Waiter>>,
    /// The last door has closed.
    deserted: AtomicBool,
}

enum Waiter {
    Permission(oneshot::Sender<(PermissionReply, Option<String>)>),
    Question { needed: usize, answers: Vec<Answer>, done: oneshot::Sender<Vec<Answer>> },
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Asked<T> {
    Answered(T),
    /// No person is there; the turn ends after the running calls.
    Nobody,
    Interrupted,
}

impl Core {
    /// Asks whether a call may run.
    pub(crate) async fn ask_permission(
        &self,
        call: &CallRequest,
        decision: &Decision,
        cancel: &CancelToken,
    ) -> Result<Asked<(PermissionReply, Option<String>)>, HostError> {
        let door = self.at_door();
        let id = door.host.clock.random_id();
        let (reply, replied) = oneshot::channel();
        lock(&door.asking.waiting).insert(id.clone(), Waiter::Permission(reply));
        let what =
            if decision.what.is_empty() { format!("call {}", call.tool) } else { decision.what.clone() };
        door.emit(EventBody::PermissionRequest {
            id: id.clone(),
            tool_call: call.id.clone(),
            tool: call.tool.clone(),
            level: call.level,
            what: door.host.gate.redact(&what).into_owned(),
            reason: door.host.gate.redact(&decision.reason).into_owned(),
        })?;
        let asked = self.wait(door, &id, replied, cancel).await;
        if let Asked::Answered((reply, note)) = &asked {
            door.emit(EventBody::PermissionResolved { id, reply: *reply, note: note.clone() })?;
        }
        Ok(asked)
    }

    /// Asks a person; one answer for each question, in order.
    pub(crate) async fn ask_questions(
        &self,
        questions: Vec<Question>,
        markdown: Option<String>,
        cancel: &CancelToken,
    ) -> Result<Asked<Vec<Answer>>, HostError> {
        let door = self.at_door();
        let id = door.host.clock.random_id();
        let (done, answered) = oneshot::channel();
        let waiter = Waiter::Question { needed: questions.len(), answers: Vec::new(), done };
        lock(&door.asking.waiting).insert(id.clone(), waiter);
        door.emit(EventBody::Question { id: id.clone(), questions, markdown })?;
        let asked = self.wait(door, &id, answered, cancel).await;
        if let Asked::Answered(answers) = &asked {
            door.emit(EventBody::Answer { id, answers: answers.clone() })?;
        }
        Ok(asked)
    }

    async fn wait<T>(
        &self,
        door: &Core,
        id: &str,
        answer: oneshot::Receiver<T>,
        cancel: &CancelToken,
    ) -> Asked<T> {
        let somebody = door.config.person && !door.asking.deserted.load(Ordering::SeqCst);
        let asked = match somebody {
            true => cancel.or_cancelled(answer).await,
            false => Some(Err(oneshot::Canceled)),
        };
        lock(&door.asking.waiting).remove(id);
        match asked {
            Some(Ok(answer)) => Asked::Answered(answer),
            Some(Err(oneshot::Canceled)) => {
                self.stop_after_calls(TurnStop::NeedsPerson);
                door.stop_after_calls(TurnStop::NeedsPerson);
                Asked::Nobody
            }
            None => Asked::Interrupted,
        }
    }

    /// Every door has closed: those who wait, and all who ask from now on, hear that nobody is there.
    pub(crate) fn desert(&self) {
        self.asking.deserted.store(true, Ordering::SeqCst);
        lock(&self.asking.waiting).clear();
    }

    /// Brings an answer to the one who waits for it; false where nobody does.
    pub(crate) fn deliver(&self, op: Op) -> bool {
        let mut waiting = lock(&self.asking.waiting);
        match op {
            Op::PermissionReply { id, reply, note } => match waiting.remove(&id) {
                Some(Waiter::Permission(waiter)) => waiter.send((reply, note)).is_ok(),
                Some(other) => {
                    waiting.insert(id, other);
                    false
                }
                None => false,
            },
            Op::Answer { id, answer } => match waiting.remove(&id) {
                Some(Waiter::Question { needed, mut answers, done }) => {
                    answers.push(answer);
                    if answers.len() >= needed {
                        return done.send(answers).is_ok();
                    }
                    waiting.insert(id, Waiter::Question { needed, answers, done });
                    true
                }
                Some(other) => {
                    waiting.insert(id, other);
                    false
                }
                None => false,
            },
            _ => false,
        }
    }
}
