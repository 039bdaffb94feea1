//! The recorded model of the demo: its words and its calls, one after the other. What the tools answer
//! is real and is not in the recording.

use crate::language;
use futures_util::{StreamExt, stream};
use fwai_llm::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, Provider, ProviderStatus, Request, provider::ModelInfo,
};
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, StopReason, Usage},
};
use serde::Deserialize;
use serde_json::Value;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

const TURNS: &str = include_str!("recording.json");

#[derive(Deserialize)]
struct Turn {
    text: String,
    #[serde(default)]
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    tool: String,
    input: Value,
}

/// Plays the recording.
pub struct Recording {
    turns: Vec<Turn>,
    next: AtomicUsize,
}

impl Recording {
    pub fn new() -> Self {
        let turns = serde_json::from_str(TURNS).expect("the recording is part of the program and is tested");
        Self { turns, next: AtomicUsize::new(0) }
    }

    fn play(&self) -> Result<Completion, LlmError> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let turn = self
            .turns
            .get(at)
            .ok_or_else(|| LlmError::Replay { message: "the recording is at its end".into() })?;
        // The words are ours: they were recorded in every language.
        let words = language::translation(&format!("recorded-{}", at + 1), None, &[]);
        let mut content = vec![ContentBlock::text(words.as_deref().unwrap_or(&turn.text))];
        for (number, call) in turn.calls.iter().enumerate() {
            content.push(ContentBlock::tool_use(
                format!("demo_{at}_{number}"),
                &call.tool,
                call.input.clone(),
            ));
        }
        let stop_reason = if turn.calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
        Ok(Completion { content, stop_reason, usage: Usage::default(), model: self.model().to_owned() })
    }
}

impl Provider for Recording {
    fn name(&self) -> &str {
        "recording"
    }

    fn model(&self) -> &str {
        "demo"
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts { context_window: Some(200_000), ..ModelFacts::default() }
    }

    fn complete(&self, _request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move { self.play() })
    }

    /// Word by word, at a pace that a person can follow.
    fn stream(&self, _request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        let completion = match self.play() {
            Ok(completion) => completion,
            Err(error) => return Box::pin(stream::once(async { Err(error) })),
        };
        let text = match completion.content.first() {
            Some(ContentBlock::Text { text }) => text.clone(),
            _ => String::new(),
        };
        // Chinese has no blanks between its words.
        let ends = |letter: char| letter == ' ' || !letter.is_ascii();
        let words: Vec<String> = text.split_inclusive(ends).map(str::to_owned).collect();
        let spoken = stream::iter(words).then(|word| async move {
            tokio::time::sleep(Duration::from_millis(25)).await;
            Ok(Delta::Text { text: word })
        });
        Box::pin(spoken.chain(stream::once(async move { Ok(Delta::Done { completion }) })))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        let status = ProviderStatus {
            name: self.name().into(),
            model: self.model().into(),
            ready: true,
            detail: "a recording".into(),
        };
        Box::pin(async move { status })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}
