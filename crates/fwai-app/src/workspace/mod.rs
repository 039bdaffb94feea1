//! What `fwai init` writes: the `.fwai` directory of a project, and new projects from templates.
//!
//! [`write`] makes or updates `.fwai`; either all of it is there afterwards or nothing changed. What a
//! person wrote into its files stays byte for byte: [`record`] remembers what fwai itself wrote, and only
//! that is ever replaced. [`new_project`] lays down a template.

mod error;
mod new_project;
mod project_file;
mod record;
mod staging;
mod texts;
mod values;
mod write;

pub use error::WorkspaceError;
pub use new_project::{NewProject, new_project};
pub use values::{ProjectValue, answer_keys, project_values};
pub use write::{Kept, Written, write};
