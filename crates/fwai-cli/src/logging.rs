//! Levelled logs on standard error, through a writer that removes secrets.

use crate::cli::GlobalFlags;
use tracing_subscriber::EnvFilter;

/// Starts logging at the level that `-v`, `FWAI_LOG` or `RUST_LOG` ask for.
pub fn start(flags: &GlobalFlags) {
    let asked = std::env::var("FWAI_LOG").or_else(|_| std::env::var("RUST_LOG")).ok();
    let level = match (flags.verbose, flags.quiet) {
        (0, true) => "error".to_owned(),
        (0, false) => asked.unwrap_or_else(|| "warn".to_owned()),
        (1, _) => "fwai=info,warn".to_owned(),
        (2, _) => "fwai=debug,info".to_owned(),
        _ => "trace".to_owned(),
    };
    let filter = EnvFilter::try_new(&level).unwrap_or_else(|_| EnvFilter::new("warn"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(flags.verbose > 1)
        .without_time()
        .try_init();
}
