//! Watching a console: boot status, safe display, and explanations of what firmware says when it dies.
//!
//! [`watch`] runs the loop over a [`Console`](crate::boards::Console); [`Watcher`] decides from bytes alone
//! whether the boot succeeded; [`Screen`] turns bytes into lines that cannot control a terminal;
//! [`explain`] knows the crash reports of Cortex-M handlers, ESP-IDF, Zephyr, FreeRTOS and others.

mod defmt_console;
mod explain;
mod safe_text;
mod screen;
mod watch;
mod watcher;

pub use defmt_console::DefmtConsole;
pub use explain::{Explanation, explain};
pub use safe_text::{SafeText, strip_escapes};
pub use screen::{Screen, ScreenOptions, View};
pub use watch::{MonitorOptions, MonitorOutcome, Sink, describe_core, watch};
pub use watcher::{PatternError, Patterns, Verdict, Watcher, compile};
