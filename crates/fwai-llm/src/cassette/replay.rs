//! A provider that plays a cassette.

use super::{Exchange, Outcome, Tape, VERSION, departure::departure, map_strings};
use crate::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, ModelInfo, Provider, ProviderStatus, Request,
};
use futures_util::stream;
use fwai_schema::{config::ModelFacts, message::ContentBlock};
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// Answers each request as the recording does, and refuses one that departs from it.
///
/// Requests are expected in the order of the recording. One that fits a later exchange exactly is
/// answered with that, since agents that work side by side need not finish in the same order.
pub struct Replay {
    name: String,
    model: String,
    facts: ModelFacts,
    tape: Arc<dyn Tape>,
    exchanges: Vec<Exchange>,
    played: Mutex<Vec<bool>>,
}

impl Replay {
    /// Reads a cassette; `name` is what errors call it.
    pub fn new(name: &str, text: &str, facts: ModelFacts, tape: Arc<dyn Tape>) -> Result<Self, LlmError> {
        let mut exchanges = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |why: String| LlmError::Replay {
                message: format!("{name}:{}: not an exchange: {why}", at + 1),
            };
            let exchange: Exchange = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            if exchange.v != VERSION {
                return Err(wrong(format!("version {}, this fwai reads {VERSION}", exchange.v)));
            }
            exchanges.push(exchange);
        }
        let Some(first) = exchanges.first() else {
            return Err(LlmError::Replay { message: format!("{name}: the cassette is empty") });
        };
        let model = first.model.clone();
        let played = Mutex::new(vec![false; exchanges.len()]);
        Ok(Self { name: name.to_owned(), model, facts, tape, exchanges, played })
    }

    fn answer(&self, request: &Request) -> Result<Completion, LlmError> {
        let mut now = serde_json::to_value(request)
            .map_err(|error| LlmError::Replay { message: format!("cannot compare: {error}") })?;
        map_strings(&mut now, &|text| self.tape.tape_text(text));
        let mut played = self.played.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let open: Vec<usize> = (0..self.exchanges.len()).filter(|at| !played[*at]).collect();
        let Some(next) = open.first().copied() else {
            let count = self.exchanges.len();
            let message =
                format!("{}: all {count} exchanges are played, and one more is asked for", self.name);
            return Err(LlmError::Replay { message });
        };
        let found = open.iter().copied().find(|at| self.compare(*at, &now).is_none());
        let Some(at) = found else {
            let reason = self.compare(next, &now).unwrap_or_default();
            let message = format!(
                "{}: exchange {} of {}: the request departs from the recording {reason}",
                self.name,
                next + 1,
                self.exchanges.len()
            );
            return Err(LlmError::Replay { message });
        };
        played[at] = true;
        drop(played);
        self.outcome(at)
    }

    fn compare(&self, at: usize, now: &Value) -> Option<String> {
        let recorded = serde_json::to_value(&self.exchanges[at].request).unwrap_or_default();
        departure(&recorded, now)
    }

    fn outcome(&self, at: usize) -> Result<Completion, LlmError> {
        match &self.exchanges[at].outcome {
            Outcome::Error(error) => Err(error.clone()),
            Outcome::Completion(completion) => {
                let broken = |error: serde_json::Error| LlmError::Replay { message: error.to_string() };
                let mut value = serde_json::to_value(completion).map_err(broken)?;
                map_strings(&mut value, &|text| self.tape.play_text(text));
                serde_json::from_value(value).map_err(broken)
            }
        }
    }
}

impl Provider for Replay {
    fn name(&self) -> &str {
        "replay"
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn facts(&self) -> ModelFacts {
        self.facts.clone()
    }

    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move { self.answer(&request) })
    }

    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        let items: Vec<Result<Delta, LlmError>> = match self.answer(&request) {
            Err(error) => vec![Err(error)],
            Ok(completion) => {
                let pieces: Vec<Delta> = completion.content.iter().flat_map(deltas).collect();
                pieces.into_iter().chain([Delta::Done { completion }]).map(Ok).collect()
            }
        };
        Box::pin(stream::iter(items))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        let detail = format!("{}, {} exchanges", self.name, self.exchanges.len());
        let status = ProviderStatus { name: "replay".into(), model: self.model.clone(), ready: true, detail };
        Box::pin(std::future::ready(status))
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        let mut names: Vec<&str> = self.exchanges.iter().map(|exchange| exchange.model.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let models = names.into_iter().map(|name| ModelInfo { name: name.to_owned(), context_window: None });
        Box::pin(std::future::ready(Ok(models.collect())))
    }
}

fn deltas(block: &ContentBlock) -> Vec<Delta> {
    match block {
        ContentBlock::Text { text } => vec![Delta::Text { text: text.clone() }],
        ContentBlock::ToolUse { id, name, input, .. } => {
            // Arguments that were no JSON are text of their own.
            let json = input.as_str().map_or_else(|| input.to_string(), str::to_owned);
            vec![
                Delta::ToolUseStart { id: id.clone(), name: name.clone() },
                Delta::ToolUseInput { id: id.clone(), json },
            ]
        }
        ContentBlock::Thinking { .. } => vec![Delta::Thinking],
        ContentBlock::ToolResult { .. } | ContentBlock::Image { .. } => Vec::new(),
    }
}
