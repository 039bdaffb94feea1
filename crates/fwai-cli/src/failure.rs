//! The one error type at the door: what happened, the next step, and the exit code.

use crate::{
    language::{say, told, understood},
    render::clean::clean,
    repl::slash::spoken,
};
use fwai_app::config::ConfigError;
use fwai_schema::said::{Said, Speak};
use std::{fmt, process::ExitCode};

/// What kind of failure it is; each has its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The work itself failed.
    Failed,
    /// The command line or the configuration is wrong.
    Usage,
    Denied,
    /// A question or a permission needs a person, and none is there.
    NeedsPerson,
    Watchdog,
    Interrupted,
}

impl Kind {
    pub fn code(self) -> u8 {
        match self {
            Kind::Failed => 1,
            Kind::Usage => 2,
            Kind::Denied => 3,
            Kind::NeedsPerson => 4,
            Kind::Watchdog => 124,
            Kind::Interrupted => 130,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Failed => "failed",
            Kind::Usage => "usage",
            Kind::Denied => "denied",
            Kind::NeedsPerson => "needs_person",
            Kind::Watchdog => "watchdog",
            Kind::Interrupted => "interrupted",
        }
    }
}

/// A command that did not succeed.
#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    message: Said,
    hint: Option<String>,
    /// The command has already told everything; only the exit code is left.
    told: bool,
    /// Standard output already holds a stream of events.
    streamed: bool,
}

impl Failure {
    pub fn new(kind: Kind, message: impl Speak) -> Self {
        Self { kind, message: message.said(), hint: None, told: false, streamed: false }
    }

    pub fn failed(message: impl Speak) -> Self {
        Self::new(Kind::Failed, message)
    }

    pub fn usage(message: impl Speak) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// For a command that has printed its own result, bad as it is.
    pub fn told(kind: Kind) -> Self {
        Self { kind, message: Said::plain(""), hint: None, told: true, streamed: false }
    }

    pub fn message(&self) -> &str {
        &self.message.english
    }

    /// The next step.
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// Leaves the JSON object out, where the command's own stream has told it.
    pub fn quiet(mut self, json: bool) -> Self {
        self.streamed = json;
        self
    }

    /// What `error` holds in the output of `--json`.
    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "kind": self.kind.name(), "message": self.message.english, "hint": self.hint })
    }

    /// For a run that failed: with `--json`, its own object gets the error as a field; people read it as ever.
    pub fn within(self, context: &crate::context::Context, mut object: serde_json::Value) -> Self {
        if !context.json() {
            return self;
        }
        object["error"] = self.to_json();
        context.print_json(&object);
        self.quiet(true)
    }

    /// Tells the user, inside a session that goes on.
    pub fn tell(self) {
        let _ = self.report_as(false, &spoken);
    }

    /// Tells the user and gives the exit code. With `--json` the error is an object on standard output.
    pub fn report(self, json: bool) -> ExitCode {
        self.report_as(json, &str::to_owned)
    }

    fn report_as(self, json: bool, here: &dyn Fn(&str) -> String) -> ExitCode {
        if !self.told {
            if json && !self.streamed {
                crate::output::line(&serde_json::json!({ "error": self.to_json() }).to_string());
            }
            let bold = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
            crate::output::error_line(&format!(
                "{bold}{}{bold:#}{}",
                say!("error"),
                clean(&here(&told(&self.message)))
            ));
            if let Some(hint) = &self.hint {
                crate::output::error_line(&format!("  {}{}", say!("next"), here(&understood(hint))));
            }
        }
        ExitCode::from(self.kind.code())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(error)
    }
}
