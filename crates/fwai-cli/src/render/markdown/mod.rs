//! Markdown on a terminal: [`render`] lays blocks out as lines, [`stream`] does so while they arrive.

mod blocks;
mod mend;
mod stream;
mod table;

pub use blocks::render;
pub use stream::MarkdownStream;
