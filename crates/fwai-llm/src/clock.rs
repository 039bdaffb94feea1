//! Time and chance, as the crate needs them: it has neither of its own.

use crate::{BoxFuture, MaybeSend, MaybeSync};
use std::time::Duration;

/// Lets time pass.
pub trait Clock: MaybeSend + MaybeSync {
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// A number in `0.0..1.0`, so that a thousand clients do not come back in the same millisecond.
    fn jitter(&self) -> f64;
}
