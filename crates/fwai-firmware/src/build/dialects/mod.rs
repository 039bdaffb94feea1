//! The ways in which tools complain, one file each.

mod arm_compiler;
mod build_tools;
mod cmake;
mod gcc;
mod iar;
mod linker;
mod lld;
mod rust;

use super::parser::Context;

/// Each takes the line if it is its own.
type Dialect = fn(&str, &mut Context) -> bool;

/// The list, in the order in which they are asked: the pickiest first.
const DIALECTS: &[Dialect] = &[
    rust::read,
    cmake::read,
    lld::read,
    build_tools::read_directories,
    linker::read,
    iar::read,
    arm_compiler::read,
    build_tools::read,
    gcc::read,
    build_tools::read_loose,
];

/// Read one line that may be a complaint.
pub(super) fn read(line: &str, context: &mut Context) {
    for dialect in DIALECTS {
        if dialect(line, context) {
            return;
        }
    }
}

/// What stands between `open` and the last `close` after it.
pub(super) fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inner, _)| inner)
}
