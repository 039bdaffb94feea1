//! `/export`: the conversation as Markdown where a file `….md` is named, else runs as on the command line.

use super::{Next, Repl, program};
use crate::{failure::Failure, language::say, render::transcript};
use fwai_app::session_store::SessionStore;

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if rest.contains(char::is_whitespace) || !rest.ends_with(".md") {
        return program::run("export", format!("export {rest}").trim_end(), repl);
    }
    let Some(id) = repl.conversation.id() else {
        return Err(Failure::usage(say!("repl-no-conversation")).hint("/export alone exports the latest run"));
    };
    let events = SessionStore::new(&repl.context.paths.project).load(id)?;
    let file = repl.context.paths.project.join(rest);
    let written = std::fs::File::create_new(&file)
        .and_then(|mut new| std::io::Write::write_all(&mut new, transcript(&events).as_bytes()));
    written.map_err(|error| match error.kind() {
        // Somebody's notes are not written over.
        std::io::ErrorKind::AlreadyExists => {
            Failure::usage(say!("repl-export-exists", file = rest)).hint("/export talk-2.md")
        }
        _ => Failure::failed(format_args!("cannot write {}: {error}", file.display())),
    })?;
    repl.context.print(file.display());
    Ok(Next::Continue)
}
