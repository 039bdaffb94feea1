//! `fwai trust`: lets a project's hooks, tools, rules and addresses have an effect.

use crate::{context::Context, failure::Failure};
use fwai_app::trust::{self, Trust};
use serde_json::json;

/// Trust this project's hooks, tools, agents, skills and rules as they are now
///
/// A project that was not trusted, or that changed since, cannot run anything of its own.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only say whether the project is trusted
    #[arg(long)]
    show: bool,
    /// Take the trust back
    #[arg(long, conflicts_with = "show")]
    revoke: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let paths = &context.paths;
    let broken = |error: std::io::Error| Failure::failed(format_args!("cannot keep the trust: {error}"));
    if args.revoke {
        trust::revoke(paths).map_err(broken)?;
    } else if !args.show && trust::of(paths) == Trust::Untrusted {
        let files = trust::files(paths);
        if files.is_empty() {
            context.note("this project holds nothing that needs trust");
        } else {
            context.note("These files will count:");
            for file in &files {
                context.note(format_args!("  {}", file.display()));
            }
            if !context.confirm("Did you read them, and do you trust them as they are now?")? {
                return Err(Failure::failed("not trusted"));
            }
            trust::grant(paths).map_err(broken)?;
        }
    }
    let trusted = trust::of(paths) == Trust::Trusted;
    if context.json() {
        context.print_json(&json!({"trusted": trusted, "files": trust::files(paths)}));
    }
    context.print(if trusted { "trusted" } else { "not trusted" });
    Ok(())
}
