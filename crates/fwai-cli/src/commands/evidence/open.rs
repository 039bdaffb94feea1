//! `fwai evidence open`: the report of a run, in the browser.

use crate::{commands::export, context::Context, failure::Failure, language::say};
use serde_json::json;
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Open the report of a run in the browser
///
/// The page is written anew and shows the verification as it stands now. $BROWSER opens it, else the desktop's own program; without a desktop its path is printed.
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
    let path = match &args.file {
        Some(file) => {
            if file.contains(['/', '\\']) || file.starts_with('.') {
                return Err(Failure::usage(format_args!("{file} is not a file of a run")));
            }
            let path = context.paths.fwai().join("runs").join(&run_id).join(file);
            if !path.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                return Err(Failure::failed(format_args!("run {run_id} has no {file}")));
            }
            path
        }
        // Beside the runs, never inside: a file added to a run is what verification reports.
        None => export::write_page(
            context,
            &run_id,
            &context.paths.fwai().join("cache/reports").join(format!("{run_id}.html")),
        )?,
    };
    let opened = !context.flags.ci && open(&path);
    if context.json() {
        context.print_json(&json!({"run_id": run_id, "path": path, "opened": opened}));
    } else {
        context.print(path.display());
        if !opened && context.is_interactive() {
            context.note(say!("evidence-no-opener"));
        }
    }
    Ok(())
}

/// Whether a program was found that shows the file; it goes on by itself.
fn open(path: &Path) -> bool {
    let named = std::env::var("BROWSER").unwrap_or_default();
    // The variable may list several, and may say with %s where the address goes.
    for program in named.split(':').filter(|program| !program.trim().is_empty()) {
        let mut words = program.split_whitespace().map(str::to_owned);
        let Some(first) = words.next() else { continue };
        let shown = path.display().to_string();
        let mut arguments: Vec<String> = words.collect();
        match arguments.iter().any(|word| word.contains("%s")) {
            true => arguments.iter_mut().for_each(|word| *word = word.replace("%s", &shown)),
            false => arguments.push(shown),
        }
        if start(Command::new(first).args(arguments)) {
            return true;
        }
    }
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    has_desktop && ["xdg-open", "open"].iter().any(|program| start(Command::new(program).arg(path)))
}

fn start(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
