//! Tools that read and change files.

mod edit_file;
mod read_file;
mod text;
mod write_file;

pub use edit_file::EditFile;
pub use read_file::ReadFile;
pub use write_file::WriteFile;
