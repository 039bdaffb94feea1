//! A new session that shares its beginning with an old one: the same fold over a part of the same events.

use fwai_schema::event::{Event, EventBody, ForkPoint};
use thiserror::Error;

/// Why a session cannot be forked there.
#[derive(Debug, Clone, PartialEq, Eq, Error, fwai_schema::Speak)]
pub enum ForkError {
    #[error("session {session} has no events to fork from")]
    Empty { session: String },
    #[error("session {session} has {turns} turns; there is no turn {turn}")]
    NoSuchTurn { session: String, turn: u32, turns: u32 },
}

/// The events of a fork after `turn` (the last one where absent). They differ from the originals only in
/// their session and in the first one, which says where the fork left its origin.
pub fn fork(
    events: &[Event],
    turn: Option<u32>,
    new_session: &str,
    now: &str,
) -> Result<Vec<Event>, ForkError> {
    let origin = events.first().map(|event| event.session.clone()).unwrap_or_default();
    let turns = events.iter().map(|event| event.turn).max();
    let Some(turns) = turns else { return Err(ForkError::Empty { session: origin }) };
    let turn = turn.unwrap_or(turns);
    if turn > turns {
        return Err(ForkError::NoSuchTurn { session: origin, turn, turns });
    }
    let mut forked: Vec<Event> = events.iter().filter(|event| event.turn <= turn).cloned().collect();
    for event in &mut forked {
        event.session = new_session.to_owned();
    }
    if let Some(first) = forked.first_mut()
        && let EventBody::SessionStarted { forked_from, .. } = &mut first.body
    {
        *forked_from = Some(ForkPoint { session: origin, turn });
        first.ts = now.to_owned();
    }
    Ok(forked)
}
