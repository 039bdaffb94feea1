//! Events as people see them: [`Live`] on a terminal, [`Plain`] everywhere else.

pub mod abilities;
pub mod call;
pub mod clean;
pub mod diff;
mod highlight;
mod live;
mod markdown;
pub mod palette;
mod plain;
mod questions;
mod screen;
mod skill;
pub mod text;
mod view;

pub use abilities::Abilities;
pub use clean::clean as printable;
pub use highlight::diff_style;
pub use live::{Live, status_line};
pub use markdown::render as markdown;
pub use plain::Plain;
pub use questions::{answer_from, question};
pub use skill::skill_line;
pub use view::{BEAT, View};
