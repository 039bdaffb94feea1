//! New projects: complete sources that build without downloading anything, or that say where the parts
//! must lie which they cannot bring.

mod name;
mod templates;

pub use name::{NameError, project_name};
pub use templates::{RenderedFile, TEMPLATES, Template, by_name};
