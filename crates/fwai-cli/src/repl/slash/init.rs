//! `/init`: sets the project up as on the command line. With a model, the agent then reads the code for what the
//! files do not say outright, and asks for the rest.

use super::{Next, Repl, program};
use crate::{commands::init, failure::Failure, language::say};

pub fn run(rest: &str, repl: &mut Repl) -> Result<Next, Failure> {
    if !rest.is_empty() || !has_model(repl) {
        return program::run("init", format!("init {rest}").trim_end(), repl);
    }
    // What is certain is written at once; only the rest is worth a model's time.
    program::run("init", "init --yes", repl)?;
    let open = init::open_questions(&repl.context)?;
    if open.is_empty() {
        return Ok(Next::Continue);
    }
    repl.context.note(say!("init-agent", keys = open.join(", ")));
    repl.say(&task(&open))?;
    repl.reload(Vec::new());
    Ok(Next::Continue)
}

fn has_model(repl: &Repl) -> bool {
    let config = repl.context.config().ok();
    config.is_some_and(|layered| fwai_app::provider::choose(&layered.config.provider).is_ok())
}

/// The words for the model; the person sees only what comes of them.
fn task(open: &[&str]) -> String {
    format!(
        "Set this project up. Detection has written .fwai/project.yaml, but these settings are still open: {}. \
         Look for them in the build files, linker scripts, sources and documents. Ask me with ask_user_question about \
         each one that they leave in doubt, and about nothing else. Then call init_project with `answers` for what is \
         settled; leave out what I do not know. End with one sentence that says what was set.",
        open.join(", ")
    )
}
