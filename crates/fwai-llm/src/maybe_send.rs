//! How futures travel: `Send` natively, where a turn may move between threads; not `Send` in the
//! browser, where nothing can. Every trait of the clean crates uses these names, so that one core
//! serves both.

use std::{future::Future, pin::Pin};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::*;

    /// `Send` natively, nothing in the browser.
    pub trait MaybeSend: Send {}
    impl<T: Send + ?Sized> MaybeSend for T {}
    /// `Sync` natively, nothing in the browser.
    pub trait MaybeSync: Sync {}
    impl<T: Sync + ?Sized> MaybeSync for T {}

    pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
    pub type BoxStream<'a, T> = Pin<Box<dyn futures_util::Stream<Item = T> + Send + 'a>>;
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use super::*;

    /// `Send` natively, nothing in the browser.
    pub trait MaybeSend {}
    impl<T: ?Sized> MaybeSend for T {}
    /// `Sync` natively, nothing in the browser.
    pub trait MaybeSync {}
    impl<T: ?Sized> MaybeSync for T {}

    pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;
    pub type BoxStream<'a, T> = Pin<Box<dyn futures_util::Stream<Item = T> + 'a>>;
}

#[cfg(target_arch = "wasm32")]
pub use browser::*;
#[cfg(not(target_arch = "wasm32"))]
pub use native::*;
