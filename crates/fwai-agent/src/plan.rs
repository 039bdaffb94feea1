//! The session's plan: one file, written in plan mode, shown to the user with the files it will touch.

use crate::{core::Core, host::HostError, outcome::ToolOutcome};
use fwai_schema::event::EventBody;

/// A plan shorter than this says nothing.
pub const SHORTEST_PLAN: usize = 50;

/// Writes the plan file and tells the session.
pub(crate) async fn write(core: &Core, text: &str) -> Result<ToolOutcome, HostError> {
    let path = core.plan_path();
    core.sync()?;
    core.host.files.write_plan(&core.config.session, text).await?;
    announce(core).await?;
    Ok(ToolOutcome::ok(format!("wrote {} bytes to {path}; call submit_plan when it is complete", text.len()))
        .wrote(path))
}

/// Tells the session what the plan file says now, where that is news.
pub(crate) async fn announce(core: &Core) -> Result<Option<String>, HostError> {
    let plan = core.host.files.read_plan(&core.config.session).await?;
    let known = core.state().plan.as_ref().map(|known| known.text.clone());
    if let Some(plan) = &plan
        && known.as_ref() != Some(plan)
    {
        core.emit(EventBody::PlanUpdated {
            path: core.plan_path(),
            plan: plan.clone(),
            files: files_named(plan),
        })?;
    }
    Ok(plan)
}

/// Files that a plan names, in the order in which it names them: what stands in backticks and looks like a
/// path, and bare words with a slash and an extension.
pub fn files_named(plan: &str) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let word = word.split(':').next().unwrap_or_default();
        let word = word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '(' | ')' | '"' | '\''));
        if looks_like_path(word) && !files.iter().any(|file| file == word) {
            files.push(word.to_owned());
        }
    };
    for (index, part) in plan.split('`').enumerate() {
        let quoted = index % 2 == 1;
        for word in part.split_whitespace() {
            if quoted || word.contains('/') {
                add(word);
            }
        }
    }
    files
}

fn looks_like_path(word: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@');
    let name = word.rsplit('/').next().unwrap_or_default();
    let known = matches!(name, "Makefile" | "Dockerfile" | "Kconfig" | "CMakeLists.txt");
    let extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=8).contains(&extension.len())
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
    });
    !word.contains("//") && word.chars().all(allowed) && (known || extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_where_people_name_them() {
        let plan = "1. In `src/uart.c:42` set BAUD, see include/uart.h.\n2. `Makefile` gets -O2 (and `src/uart.c`).\n\
                    Not files: `printf()`, 3.3 V, and/or, https://example.org/a.html, `make all`, v1.2";
        assert_eq!(files_named(plan), ["src/uart.c", "include/uart.h", "Makefile"]);
    }
}
