//! Stopping work that runs: a token that many can watch and one can trip. No runtime needed.

use futures_channel::oneshot;
use futures_util::{
    FutureExt,
    future::{Either, Shared, select},
};
use std::{
    future::Future,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// Watches for, and causes, the end of some work. Clones share one fate.
#[derive(Clone)]
pub struct CancelToken {
    state: Arc<State>,
    tripped: Shared<oneshot::Receiver<()>>,
}

struct State {
    flag: AtomicBool,
    trip: Mutex<Option<oneshot::Sender<()>>>,
    parent: Option<CancelToken>,
}

impl Default for CancelToken {
    fn default() -> Self {
        Self::new()
    }
}

impl CancelToken {
    pub fn new() -> Self {
        Self::with_parent(None)
    }

    /// A token that is cancelled when this one is, and can be cancelled alone.
    pub fn child(&self) -> Self {
        Self::with_parent(Some(self.clone()))
    }

    fn with_parent(parent: Option<CancelToken>) -> Self {
        let (trip, tripped) = oneshot::channel();
        let state = State { flag: AtomicBool::new(false), trip: Mutex::new(Some(trip)), parent };
        Self { state: Arc::new(state), tripped: tripped.shared() }
    }

    pub fn cancel(&self) {
        self.state.flag.store(true, Ordering::SeqCst);
        let trip = self.state.trip.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(trip) = trip {
            // Nobody watching is fine: the flag tells those who look later.
            let _ = trip.send(());
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.state.flag.load(Ordering::SeqCst)
            || self.state.parent.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Ends when the token is cancelled.
    pub async fn cancelled(&self) {
        let mut chain = vec![self.tripped.clone()];
        let mut at = self.state.parent.as_ref();
        while let Some(token) = at {
            chain.push(token.tripped.clone());
            at = token.state.parent.as_ref();
        }
        let _ = futures_util::future::select_all(chain).await;
    }

    /// The result of `work`, or `None` when the token was cancelled first; `work` is then dropped.
    pub async fn or_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if self.is_cancelled() {
            return None;
        }
        let work = std::pin::pin!(work);
        let cancelled = std::pin::pin!(self.cancelled());
        match select(work, cancelled).await {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_ends_with_its_parent_but_not_the_other_way_round() {
        let parent = CancelToken::new();
        let (one, two) = (parent.child(), parent.child());
        one.cancel();
        assert!(one.is_cancelled() && !two.is_cancelled() && !parent.is_cancelled());
        assert_eq!(one.or_cancelled(std::future::pending::<()>()).now_or_never(), Some(None));
        parent.cancel();
        assert_eq!(two.child().or_cancelled(std::future::pending::<()>()).now_or_never(), Some(None));
    }
}
