//! The view that fits what standard output is: live on a terminal, plain lines otherwise.

use super::{Live, Plain, abilities};
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
