//! `fwai sessions`: the conversations of this project.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{pad, say},
    render::transcript,
};
use clap::Subcommand;
use fwai_app::{
    native_clock::NativeClock,
    session_store::{SessionError, SessionStore},
    sessions::new_session_id,
};
use serde_json::json;

/// List, show, resume, fork and remove sessions
///
/// A session is named by its id, the beginning of its id, or `last`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai sessions list\n  fwai sessions show last\n  fwai sessions fork last --turn 2\n  fwai exec --resume last \"go on\""
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all sessions, newest first
    List {
        /// Those of agents, too
        #[arg(long)]
        all: bool,
    },
    /// Print what was said and done
    Show {
        /// Id, beginning of an id, or `last`
        #[arg(default_value = "last")]
        session: String,
    },
    /// Go on with a session
    Resume {
        /// Id, beginning of an id, or `last`
        #[arg(default_value = "last")]
        session: String,
    },
    /// Copy a session up to one of its turns, to go on differently
    Fork {
        /// Id, beginning of an id, or `last`
        #[arg(default_value = "last")]
        session: String,
        /// The last turn to keep; all where absent
        #[arg(long, value_name = "N")]
        turn: Option<u32>,
    },
    /// Remove sessions
    Rm {
        /// Id, beginning of an id, or `last`
        #[arg(required = true)]
        sessions: Vec<String>,
    },
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let store = SessionStore::new(&context.paths.project);
    match args.command {
        Command::List { all } => list(context, &store, all),
        Command::Show { session } => show(context, &store, &session),
        Command::Resume { session } => resume(context, &store, &session),
        Command::Fork { session, turn } => fork(context, &store, &session, turn),
        Command::Rm { sessions } => remove(context, &store, &sessions),
    }
}

fn list(context: &Context, store: &SessionStore, all: bool) -> Result<(), Failure> {
    let mut sessions = store.list()?;
    sessions.retain(|session| all || session.parent.is_none());
    if context.json() {
        context.print_json(&json!({"sessions": sessions}));
        return Ok(());
    }
    if sessions.is_empty() {
        context.note(say!("sessions-none"));
    }
    for session in sessions {
        let started = session.started.get(..16).unwrap_or(&session.started).replace('T', " ");
        context.print(format_args!(
            "{}  {started}  {:>3} {}  {}",
            session.id,
            session.turns,
            pad(&say!("turns", count = session.turns), 5),
            session.title
        ));
    }
    Ok(())
}

fn show(context: &Context, store: &SessionStore, session: &str) -> Result<(), Failure> {
    let id = store.resolve(session)?;
    let events = store.load(&id)?;
    if context.json() {
        context.print_json(&json!({"id": id, "events": events}));
        return Ok(());
    }
    context.print(transcript(&events).trim_end());
    Ok(())
}

fn resume(context: &Context, store: &SessionStore, session: &str) -> Result<(), Failure> {
    let id = store.resolve(session)?;
    crate::repl::run(context, Some(id))
}

fn fork(context: &Context, store: &SessionStore, session: &str, turn: Option<u32>) -> Result<(), Failure> {
    let id = store.resolve(session)?;
    let clock = NativeClock::default();
    let new_id = new_session_id(&clock);
    store.fork(&id, turn, &new_id, &fwai_app::sessions::now(&clock))?;
    if context.json() {
        context.print_json(&json!({"id": new_id, "forked_from": {"session": id, "turn": turn}}));
    } else {
        context.print(&new_id);
        context.note(say!("sessions-go-on", command = format!("fwai exec --resume {new_id} \"…\"")));
    }
    Ok(())
}

fn remove(context: &Context, store: &SessionStore, sessions: &[String]) -> Result<(), Failure> {
    // All names are looked up before the first session goes.
    let ids = sessions.iter().map(|session| store.resolve(session)).collect::<Result<Vec<_>, _>>()?;
    for id in &ids {
        if store.directory(id)?.exists() {
            store.remove(id)?;
        }
    }
    if context.json() {
        context.print_json(&json!({"removed": ids}));
    } else {
        for id in ids {
            context.print(say!("sessions-removed", session = id));
        }
    }
    Ok(())
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        let kind = match &error {
            SessionError::InUse { .. } | SessionError::Io { .. } => Kind::Failed,
            _ => Kind::Usage,
        };
        Failure::new(kind, error)
    }
}
