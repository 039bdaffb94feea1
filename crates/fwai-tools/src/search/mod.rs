//! Tools that find files and text. They see what git would see: ignored files stay out unless asked for.

mod glob;
mod grep;
mod list_directory;
mod walk;

pub use glob::Glob;
pub use grep::Grep;
pub use list_directory::ListDirectory;
