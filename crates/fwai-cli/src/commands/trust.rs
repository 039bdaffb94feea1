//! `fwai trust`: lets a project's hooks, tools, rules and addresses have an effect.

use crate::{context::Context, failure::Failure, language::say};
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
            context.note(say!("trust-nothing"));
        } else {
            context.note(say!("trust-files"));
            for file in &files {
                context.note(format_args!("  {}", file.display()));
            }
            if !context.confirm(&say!("trust-confirm"))? {
                return Err(Failure::failed("not trusted"));
            }
            trust::grant(paths).map_err(broken)?;
        }
    }
    let trusted = trust::of(paths) == Trust::Trusted;
    if context.json() {
        context.print_json(&json!({"trusted": trusted, "files": trust::files(paths)}));
    }
    context.print(if trusted { say!("trust-yes") } else { say!("trust-no") });
    Ok(())
}
