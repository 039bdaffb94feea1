//! Talking to a model from a command: open the configured provider, watch one answer arrive, and tell the
//! user in one line whatever goes wrong on the way.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::say,
    output,
};
use futures_util::StreamExt;
use fwai_app::provider::{self, Choice, ProviderError};
use fwai_llm::{Completion, Delta, LlmError, Provider, Request};
use fwai_schema::config::ProviderName;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The provider that the configuration names or implies.
pub fn open_provider(context: &Context) -> Result<Arc<dyn Provider>, Failure> {
    let layered = context.config()?;
    let choice = provider::choose(&layered.config.provider)?;
    Ok(provider::make(layered, &context.paths, &choice)?)
}

/// A provider by its name. The configured model, address and key belong to the configured provider; any
/// other is taken as it is by default.
pub fn open_named(context: &Context, name: ProviderName) -> Result<Arc<dyn Provider>, Failure> {
    let layered = context.config()?;
    let same = |one: ProviderName| provider::offer(one).name == provider::offer(name).name;
    if layered.config.provider.name.is_none_or(same) {
        let mut config = layered.config.provider.clone();
        config.name = Some(name);
        let choice = provider::choose(&config)?;
        return Ok(provider::make(layered, &context.paths, &choice)?);
    }
    let mut layered = layered.clone();
    let config = &mut layered.config.provider;
    config.name = Some(name);
    config.model = context.flags.model.clone();
    config.base_url = context.flags.base_url.clone();
    config.api_key_env = None;
    config.api_key_file = None;
    config.api_key_cmd = None;
    let choice = provider::choose(config)?;
    Ok(provider::make(&layered, &context.paths, &Choice { name: choice.name, ..choice })?)
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Failure::usage(error)
    }
}

/// An answer, and how it arrived.
pub struct Watched {
    pub completion: Completion,
    pub retries: u32,
    /// Milliseconds until the first piece of text.
    pub first_ms: Option<u64>,
    pub total_ms: u64,
}

/// Asks and prints what arrives. Ctrl-C ends the call at once.
pub async fn watch(
    provider: &dyn Provider,
    request: Request,
    stream: bool,
    printer: &mut Printer,
    context: &Context,
) -> Result<Watched, Failure> {
    let began = Instant::now();
    let elapsed = || began.elapsed().as_millis() as u64;
    let (mut retries, mut first_ms) = (0, None);
    let work = async {
        if !stream {
            return provider.complete(request).await;
        }
        let mut pieces = provider.stream(request);
        while let Some(piece) = pieces.next().await {
            match piece? {
                Delta::Text { text } => {
                    first_ms.get_or_insert_with(elapsed);
                    printer.piece(&text);
                }
                Delta::Retrying { error, delay_ms, .. } => {
                    retries += 1;
                    printer.restart();
                    let delay = Duration::from_millis(delay_ms);
                    let seconds = format!("{:.1}", delay.as_secs_f64());
                    context.warn(say!("model-again", error = error, seconds = seconds));
                }
                Delta::Done { completion } => return Ok(completion),
                Delta::Thinking | Delta::ToolUseStart { .. } | Delta::ToolUseInput { .. } => {}
            }
        }
        Err(LlmError::Cut { provider: provider.name().into(), received: 0, message: "no end".into() })
    };
    let result = tokio::select! {
        result = work => result,
        _ = tokio::signal::ctrl_c() => Err(LlmError::Cancelled),
    };
    match result {
        Ok(completion) => Ok(Watched { completion, retries, first_ms, total_ms: elapsed() }),
        Err(LlmError::Cancelled) => {
            printer.end();
            Err(Failure::new(Kind::Interrupted, "interrupted"))
        }
        Err(error) => {
            let cut_short = printer.has_printed();
            printer.end();
            let failure = Failure::failed(&error);
            Err(match error.root() {
                _ if cut_short => failure.hint("what was printed is not the whole answer; ask again"),
                LlmError::Connect { .. } => failure.hint("fwai provider status"),
                LlmError::Auth { .. } => {
                    failure.hint("check the key; fwai provider list shows where it comes from")
                }
                _ => failure,
            })
        }
    }
}

/// Puts an answer on standard output while it arrives.
///
/// A call that is tried again begins anew. As long as the new answer repeats what is already printed,
/// nothing is printed twice; where it departs, it starts on a line of its own.
pub struct Printer {
    on: bool,
    printed: String,
    /// How much of `printed` the current try has repeated; equal to its length outside a retry.
    repeated: usize,
}

impl Printer {
    pub fn new(on: bool) -> Self {
        Self { on, printed: String::new(), repeated: 0 }
    }

    pub fn whole(&mut self, text: &str) {
        self.on = true;
        self.piece(text);
    }

    fn piece(&mut self, text: &str) {
        if !self.on {
            return;
        }
        let expected = &self.printed[self.repeated..];
        if expected.is_empty() {
            output::piece(text);
            self.printed.push_str(text);
            self.repeated = self.printed.len();
        } else if expected.starts_with(text) {
            self.repeated += text.len();
        } else if let Some(rest) = text.strip_prefix(expected) {
            output::piece(rest);
            self.printed.push_str(rest);
            self.repeated = self.printed.len();
        } else {
            let again = format!("{}{text}", &self.printed[..self.repeated]);
            output::error_line(&say!("model-void"));
            output::piece(&format!("\n{again}"));
            self.printed = again;
            self.repeated = self.printed.len();
        }
    }

    fn restart(&mut self) {
        self.repeated = 0;
    }

    pub fn has_printed(&self) -> bool {
        !self.printed.is_empty()
    }

    /// Ends the last line.
    pub fn end(&mut self) {
        if self.on && self.has_printed() && !self.printed.ends_with('\n') {
            output::piece("\n");
            self.printed.push('\n');
            self.repeated = self.printed.len();
        }
    }
}
