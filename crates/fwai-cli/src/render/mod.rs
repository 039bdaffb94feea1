//! Events as people see them: [`Live`] on a terminal, [`Plain`] everywhere else.

pub mod abilities;
pub mod background;
pub mod call;
pub mod clean;
pub mod diff;
pub mod footer;
mod highlight;
pub mod letters;
mod live;
mod markdown;
pub mod palette;
mod plain;
mod questions;
pub mod screen;
mod skill;
mod status;
pub mod text;
mod transcript;
mod view;

pub use abilities::Abilities;
pub use clean::clean as printable;
pub use highlight::diff_style;
pub use live::{Live, todo_mark};
pub use markdown::render as markdown;
pub use plain::Plain;
pub use questions::{answer_from, question};
pub use skill::{change_word, retry, skill_line, status_word};
pub use status::Status;
pub use transcript::transcript;
pub use view::{BEAT, View};
