//! What every command is given: flags, paths, configuration on demand, a runtime on demand, and the
//! ways to speak to the user.

use crate::{
    cli::{Color, GlobalFlags},
    failure::{Failure, Kind},
    interrupts,
    language::{self, say},
    logging, output,
    render::{background, clean::clean_line},
    repl::{line_editor, one_key, slash::spoken},
    terminal_mode,
};
use fwai_app::{
    ci::CiSystem,
    config::{self, Layered, Sources},
    paths::Paths,
};
use fwai_schema::config::{ColorChoice, UiConfig};
use serde::Serialize;
use std::{
    cell::OnceCell,
    future::Future,
    io::{BufRead, IsTerminal, Write},
    rc::Rc,
};

/// The surroundings of one command.
pub struct Context {
    pub flags: GlobalFlags,
    pub paths: Paths,
    pub ci: Option<CiSystem>,
    layered: OnceCell<Layered>,
    /// Commands are typed after a slash.
    in_session: bool,
    /// Shared by all surroundings that come from these.
    runtime: Rc<OnceCell<tokio::runtime::Runtime>>,
}

impl Context {
    pub fn new(flags: GlobalFlags) -> Result<Self, Failure> {
        match flags.color {
            Color::Auto => {}
            Color::Always => anstream::ColorChoice::Always.write_global(),
            Color::Never => anstream::ColorChoice::Never.write_global(),
        }
        logging::start(&flags);
        let start = match &flags.directory {
            Some(directory) => directory.clone(),
            None => std::env::current_dir().map_err(|error| {
                Failure::usage(format_args!("the current directory cannot be used: {error}"))
                    .hint("cd to a directory that exists")
            })?,
        };
        if !start.is_dir() {
            return Err(Failure::usage(format_args!("{} is not a directory", start.display())));
        }
        let ci = CiSystem::detect();
        let paths = Paths::find(&start);
        language::begin(flags.lang, &paths);
        let (layered, runtime) = (OnceCell::new(), Rc::default());
        Ok(Self { paths, flags, ci, layered, in_session: false, runtime })
    }

    /// The same surroundings with further `--set` values.
    pub fn with_settings(&self, set: Vec<String>) -> Self {
        let mut flags = self.flags.clone();
        flags.set.extend(set);
        let (paths, ci, runtime) = (self.paths.clone(), self.ci, self.runtime.clone());
        Self { flags, paths, ci, layered: OnceCell::new(), in_session: self.in_session, runtime }
    }

    /// The same surroundings for a command with flags of its own, typed inside a session.
    pub fn with_flags(&self, mut flags: GlobalFlags) -> Self {
        flags.directory = Some(self.paths.project.clone());
        flags.yes |= self.flags.yes;
        flags.ci |= self.flags.ci;
        flags.quiet |= self.flags.quiet;
        flags.set = self.flags.set.iter().cloned().chain(flags.set).collect();
        let (paths, ci, runtime) = (self.paths.clone(), self.ci, self.runtime.clone());
        Self { flags, paths, ci, layered: OnceCell::new(), in_session: true, runtime }
    }

    /// A next step as it is typed here.
    pub fn spoken(&self, text: &str) -> String {
        match self.in_session {
            true => spoken(text),
            false => text.to_owned(),
        }
    }

    pub fn json(&self) -> bool {
        self.flags.json
    }

    /// The merged configuration; warnings are told once.
    pub fn config(&self) -> Result<&Layered, Failure> {
        if let Some(layered) = self.layered.get() {
            return Ok(layered);
        }
        let environment: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let flags = self.config_flags()?;
        let layered = config::load(&self.paths, &Sources { environment: &environment, flags: &flags })?;
        self.settle_colours(&layered.config.ui);
        for warning in &layered.warnings {
            self.warn(warning);
        }
        if !layered.untrusted.is_empty() {
            let keys: Vec<String> =
                layered.untrusted.iter().map(|(key, line)| format!("{key} (line {line})")).collect();
            self.warn(format_args!(
                "{}\n  {}{}",
                say!("untrusted-settings", keys = keys.join(", ")),
                say!("next"),
                say!("untrusted-settings-next")
            ));
        }
        Ok(self.layered.get_or_init(|| layered))
    }

    /// A flag goes before the configuration.
    fn settle_colours(&self, ui: &UiConfig) {
        if self.flags.color == Color::Auto {
            let choice = match ui.color {
                ColorChoice::Auto => anstream::ColorChoice::Auto,
                ColorChoice::Always => anstream::ColorChoice::Always,
                ColorChoice::Never => anstream::ColorChoice::Never,
            };
            choice.write_global();
        }
        background::choose(ui.background);
    }

    /// Whether nobody can be asked.
    pub fn is_ci(&self) -> bool {
        self.flags.ci || self.ci.is_some()
    }

    /// Whether a person sits at the terminal.
    pub fn is_interactive(&self) -> bool {
        !self.is_ci() && !self.flags.json && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// The one object of `--json`.
    pub fn print_json(&self, value: &impl Serialize) {
        let text = serde_json::to_string_pretty(value).expect("plain data");
        output::line(&text);
    }

    /// A line of the result for people; nothing with `--json`.
    pub fn print(&self, text: impl std::fmt::Display) {
        if !self.flags.json {
            output::words(&text.to_string());
        }
    }

    /// The same for what is code: a diff, a value, what a debugger says. Its lines stay as they are.
    pub fn print_code(&self, text: impl std::fmt::Display) {
        if !self.flags.json {
            output::line(&text.to_string());
        }
    }

    /// A line that accompanies the result; nothing with `--quiet`.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.flags.quiet {
            output::error_line(&self.spoken(&text.to_string()));
        }
    }

    pub fn warn(&self, text: impl std::fmt::Display) {
        // Yellow cannot be read on a light background.
        let style = crate::render::palette::WARNING.bold();
        let text = self.spoken(&language::understood(&text.to_string()));
        output::error_line(&format!("{style}{}{style:#}{text}", say!("warning")));
    }

    /// Asks for a yes. `--yes` answers; without a person it is exit code 4.
    pub fn confirm(&self, question: &str) -> Result<bool, Failure> {
        if self.flags.yes {
            return Ok(true);
        }
        if self.is_ci() {
            return Err(Failure::new(Kind::NeedsPerson, format_args!("needs a yes: {question}"))
                .hint("run again with --yes, or in a terminal"));
        }
        let prompt = format!("{question} [y/N] ");
        if self.in_session && line_editor::is_possible() {
            let answer = crate::busy::paused(|| one_key::ask(&prompt, &one_key::yes_or_no));
            return match answer {
                Some(answer) => Ok(answer == "y"),
                None => Err(Failure::new(Kind::Interrupted, "interrupted")),
            };
        }
        Ok(matches!(self.ask(&prompt)?.trim(), "y" | "Y" | "yes" | "是" | "好"))
    }

    /// One line from standard input; works with a terminal and with a pipe.
    pub fn ask(&self, prompt: &str) -> Result<String, Failure> {
        crate::busy::paused(|| terminal_mode::while_cooked(|| self.ask_here(prompt)))
    }

    fn ask_here(&self, prompt: &str) -> Result<String, Failure> {
        let mut err = anstream::stderr();
        let _ = write!(err, "{prompt}").and_then(|()| err.flush());
        if !interrupts::line_comes_first() {
            let _ = writeln!(err);
            return Err(Failure::new(Kind::Interrupted, "interrupted"));
        }
        let mut answer = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut answer) {
            Ok(0) => {
                let _ = writeln!(err);
                Err(Failure::new(Kind::NeedsPerson, format_args!("no answer to: {}", prompt.trim()))
                    .hint("run again with --yes, or in a terminal"))
            }
            Ok(_) => {
                let answer = String::from_utf8_lossy(&answer).trim_end_matches(['\n', '\r']).to_owned();
                // A terminal has shown what was typed; the answer of a pipe is shown by nobody.
                if !std::io::stdin().is_terminal() {
                    let _ = writeln!(err, "{}", clean_line(&answer));
                }
                Ok(answer)
            }
            Err(error) => Err(Failure::failed(format_args!("cannot read the answer: {error}"))),
        }
    }

    /// Runs a future to its end on the program's runtime, which starts with the first use.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime().block_on(future)
    }

    pub fn runtime(&self) -> &tokio::runtime::Runtime {
        self.runtime.get_or_init(|| {
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("the system can start two threads")
        })
    }

    fn config_flags(&self) -> Result<Vec<(String, String, String)>, Failure> {
        let flags = &self.flags;
        let named = [
            ("provider.name", "--provider", &flags.provider),
            ("provider.model", "--model", &flags.model),
            ("provider.base_url", "--base-url", &flags.base_url),
        ];
        let mut found: Vec<_> = named
            .into_iter()
            .filter_map(|(key, flag, value)| Some((key.to_owned(), value.clone()?, flag.to_owned())))
            .collect();
        if let Some(language) = flags.lang {
            let tag = serde_json::to_value(language).expect("plain data");
            let tag = tag.as_str().unwrap_or_default().to_owned();
            found.push(("ui.language".to_owned(), tag, "--lang".to_owned()));
        }
        for assignment in &flags.set {
            let (key, value) = assignment
                .split_once('=')
                .ok_or_else(|| Failure::usage(format_args!("--set {assignment}: write KEY=VALUE")))?;
            found.push((key.to_owned(), value.to_owned(), format!("--set {key}")));
        }
        Ok(found)
    }
}
