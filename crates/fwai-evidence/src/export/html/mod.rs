//! One self-contained page per run, and an index for many. No script, no outside file.

mod diff;
mod escape;
mod index;
mod page;
mod parts;
mod timeline;
mod tools;

pub use escape::escape;
pub use index::index;
pub use page::page;
