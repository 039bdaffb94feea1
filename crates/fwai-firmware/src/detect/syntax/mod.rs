//! Just enough of each build language to read what a file states, with line numbers. Nothing of a
//! project is ever executed.

pub mod cmake;
pub mod ini;
pub mod json;
pub mod make;
