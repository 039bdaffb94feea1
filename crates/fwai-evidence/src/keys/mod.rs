//! Private keys in the user's own directory, and their public halves in the project.

mod pem;
mod project_keys;
mod user_keys;

pub use project_keys::ProjectKeys;
pub use user_keys::{KeyError, Rotated, UserKeys, user_directory};
