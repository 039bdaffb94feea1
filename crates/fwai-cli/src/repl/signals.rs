//! A signal that ends the program gives the terminal back and lets the session close its log.

use super::conversation::SharedHandle;
use crate::{context::Context, terminal_mode};
use fwai_schema::op::Op;
use std::{sync::PoisonError, time::Duration};
use tokio::signal::unix::{SignalKind, signal};

const PATIENCE: Duration = Duration::from_secs(2);

/// Watches for the rest of the program.
pub fn watch(context: &Context, session: SharedHandle) {
    let _inside = context.runtime().enter();
    let hear = |kind| signal(kind).ok();
    let (mut terminate, mut hang_up) = (hear(SignalKind::terminate()), hear(SignalKind::hangup()));
    // From now on Ctrl-C is a wish, not an end: whoever runs hears it, and the prompt reads it as a key.
    let interrupt = hear(SignalKind::interrupt());
    tokio::spawn(async move {
        let _kept = interrupt;
        let code = tokio::select! {
            () = heard(&mut terminate) => 143,
            () = heard(&mut hang_up) => 129,
        };
        let handle = session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(handle) = handle {
            handle.send(Op::Shutdown);
            // It no longer listens once it has ended.
            let closed = async {
                while handle.send(Op::Interrupt) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let _ = tokio::time::timeout(PATIENCE, closed).await;
        }
        terminal_mode::restore();
        std::process::exit(code);
    });
}

async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
