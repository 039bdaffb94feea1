//! Walking a tree as ripgrep does, without following links out of it.

use ignore::{WalkBuilder, overrides::OverrideBuilder};
use std::path::Path;

/// A walk over a tree; `glob` narrows it, `hidden` adds what git ignores.
pub fn builder(start: &Path, glob: Option<&str>, hidden: bool) -> Result<WalkBuilder, String> {
    let mut builder = WalkBuilder::new(start);
    builder.hidden(!hidden).ignore(!hidden).git_ignore(!hidden).git_exclude(!hidden).git_global(false);
    builder.require_git(false).follow_links(false).threads(threads());
    // fwai's own records would answer every search with themselves.
    builder.filter_entry(|entry| {
        let name = entry.file_name();
        !(entry.depth() > 0 && (name == ".git" || name == ".fwai"))
    });
    if let Some(glob) = glob {
        let mut overrides = OverrideBuilder::new(start);
        let anchored = if glob.contains('/') {
            format!("/{}", glob.trim_start_matches("./").trim_start_matches('/'))
        } else {
            glob.to_owned()
        };
        overrides.add(&anchored).map_err(|error| format!("the glob `{glob}` cannot be used: {error}"))?;
        builder.overrides(overrides.build().map_err(|error| error.to_string())?);
    }
    Ok(builder)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().min(8))
}
