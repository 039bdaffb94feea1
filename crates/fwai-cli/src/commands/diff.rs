//! `fwai diff`: what the last session changed, by tools and by shell commands alike.

use crate::{context::Context, failure::Failure, language::say};
use anstyle::{AnsiColor, Style};
use fwai_app::gate::changes;
use serde_json::json;

/// Show what the agent changed, shell commands included
#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args, context: &Context) -> Result<(), Failure> {
    let diff = changes::diff(&context.paths.project).map_err(Failure::failed)?;
    if context.json() {
        context.print_json(&json!({"diff": diff}));
    } else if diff.is_empty() {
        context.note(say!("diff-nothing"));
    } else {
        context.print_code(coloured(&diff));
    }
    Ok(())
}

/// A unified diff with the usual colours.
pub fn coloured(diff: &str) -> String {
    let style = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    let mut out = String::with_capacity(diff.len() * 2);
    for line in diff.lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', ..] | [b'-', b'-', ..] => Style::new().bold(),
            [b'+', ..] => style(AnsiColor::Green),
            [b'-', ..] => style(AnsiColor::Red),
            [b'@', ..] => style(AnsiColor::Cyan),
            _ => Style::new(),
        };
        out.push_str(&format!("{style}{}{style:#}\n", crate::render::printable(line)));
    }
    out.trim_end().to_owned()
}
