//! `fwai man`: manual pages made from the same doc comments as `--help`.

mod markdown;
#[cfg(test)]
mod tests;

use crate::{failure::Failure, language};
use std::path::PathBuf;

/// Print the manual page, or write all of them to a directory
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directory for fwai.1, fwai-build.1 and so on
    #[arg(value_name = "DIR")]
    pages: Option<PathBuf>,
    /// Write the reference pages of the guide to its directory
    #[arg(long, hide = true)]
    markdown: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::failed(format_args!("cannot write the manual: {error}"));
    match args.pages {
        Some(directory) if args.markdown => {
            let introduction = |name: &str| std::fs::read_to_string(directory.join(name)).ok();
            for (name, text) in markdown::pages(&introduction) {
                let path = directory.join(name);
                path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(fail)?;
                if std::fs::read_to_string(&path).is_ok_and(|before| before == text) {
                    continue;
                }
                std::fs::write(&path, text).map_err(fail)?;
            }
            Ok(())
        }
        Some(directory) => {
            std::fs::create_dir_all(&directory).map_err(fail)?;
            clap_mangen::generate_to(language::manual(), &directory).map_err(fail)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(language::manual()).render(&mut page).map_err(fail)?;
            crate::output::line(String::from_utf8_lossy(&page).trim_end());
            Ok(())
        }
    }
}
