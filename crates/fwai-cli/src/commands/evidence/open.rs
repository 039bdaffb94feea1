//! `fwai evidence open`: the directory of a run, in whatever shows directories.

use crate::{context::Context, failure::Failure, language::say};
use serde_json::json;
use std::process::{Command, Stdio};

/// Open the directory of a run
///
/// In a terminal the desktop's file manager or browser opens it; elsewhere its path is printed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Run id, its beginning, a label such as `build`, or `latest`
    #[arg(default_value = "latest")]
    run: String,
    /// A file of the run instead, for instance changes.diff
    file: Option<String>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let run_id = crate::commands::audit::resolve(context, &args.run)?;
    let mut path = context.paths.fwai().join("runs").join(&run_id);
    if let Some(file) = &args.file {
        if file.contains(['/', '\\']) || file.starts_with('.') {
            return Err(Failure::usage(format_args!("{file} is not a file of a run")));
        }
        path.push(file);
        if !path.is_file() {
            return Err(Failure::failed(format_args!("run {run_id} has no {file}")));
        }
    }
    if context.json() {
        context.print_json(&json!({"run_id": run_id, "path": path}));
        return Ok(());
    }
    context.print(path.display());
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if context.is_interactive() && has_desktop {
        let opened = Command::new("xdg-open").arg(&path).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        if opened.is_err() {
            context.note(say!("evidence-no-opener"));
        }
    }
    Ok(())
}
