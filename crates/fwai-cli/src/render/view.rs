//! The view that fits what standard output is: live on a terminal, plain lines otherwise.

use super::{Live, Plain, abilities, plain::Streams};
use crate::context::Context;
use fwai_schema::event::Event;
use std::time::Duration;

/// How often a live view wants to be woken.
pub const BEAT: Duration = Duration::from_millis(50);

/// Shows a session that nobody types into.
pub enum View {
    Live(Box<Live>),
    Plain(Plain),
}

impl View {
    pub fn new(context: &Context) -> Self {
        match abilities::has_live_screen() && !context.flags.quiet && !context.json() {
            true => Self::Live(Box::new(Live::new(context))),
            false => Self::Plain(Plain::new(context)),
        }
    }

    /// Everything on one stream, for what people read as a whole; standard output stays free with `--json`.
    pub fn on_one_stream(self, context: &Context) -> Self {
        let streams = if context.json() { Streams::Error } else { Streams::Out };
        match self {
            Self::Plain(plain) => Self::Plain(plain.on(streams)),
            live => live,
        }
    }

    pub fn show(&mut self, event: &Event) {
        match self {
            Self::Live(live) => {
                live.show(event);
                live.draw();
            }
            Self::Plain(plain) => plain.show(event),
        }
    }

    pub fn tick(&mut self) {
        if let Self::Live(live) = self {
            live.tick();
        }
    }

    /// Leaves the terminal to others: a question, or the end.
    pub fn pause(&mut self) {
        if let Self::Live(live) = self {
            live.finish();
        }
    }
}
