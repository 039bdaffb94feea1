//! A model that says what a script says, and remembers what it was sent.

use futures_util::{StreamExt, stream};
use fwai_llm::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, Provider, ProviderStatus, Request, provider::ModelInfo,
};
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, StopReason, Usage},
};
use serde_json::Value;
use std::{collections::VecDeque, sync::Mutex};

/// Makes an answer out of what was asked.
type Decides = Box<dyn Fn(&Request) -> Vec<ContentBlock> + Send + Sync>;

/// One answer of the model.
pub enum Step {
    Says(Vec<ContentBlock>, StopReason),
    Fails(LlmError),
    /// Says this much and then nothing, forever.
    Hangs(&'static str),
    /// Decides by what it was sent.
    Decides(Decides),
}

/// Plain words, which end a turn.
pub fn says(text: &str) -> Step {
    Step::Says(vec![ContentBlock::text(text)], StopReason::EndTurn)
}

/// Words and calls.
pub fn calls(text: &str, calls: &[(&str, &str, Value)]) -> Step {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(ContentBlock::text(text));
    }
    content.extend(calls.iter().map(|(id, name, input)| ContentBlock::tool_use(*id, *name, input.clone())));
    Step::Says(content, StopReason::ToolUse)
}

pub struct ScriptedModel {
    script: Mutex<VecDeque<Step>>,
    requests: Mutex<Vec<Request>>,
    pub facts: Mutex<ModelFacts>,
    /// What each answer counts.
    pub usage: Mutex<Option<Usage>>,
}

impl ScriptedModel {
    pub fn new(script: Vec<Step>) -> Self {
        let facts = ModelFacts { context_window: Some(200_000), ..ModelFacts::default() };
        Self {
            script: Mutex::new(script.into()),
            requests: Mutex::default(),
            facts: Mutex::new(facts),
            usage: Mutex::default(),
        }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub fn add(&self, step: Step) {
        self.script.lock().unwrap().push_back(step);
    }

    fn answer(&self, request: Request) -> Result<(Vec<ContentBlock>, StopReason), Step> {
        super::valid::assert_valid(&request.messages);
        let step = self.script.lock().unwrap().pop_front();
        let step = step.unwrap_or_else(|| says("The script is over."));
        let answer = match step {
            Step::Says(content, stop) => Ok((content, stop)),
            Step::Decides(decide) => {
                let content = decide(&request);
                let calls = content.iter().any(|block| matches!(block, ContentBlock::ToolUse { .. }));
                Ok((content, if calls { StopReason::ToolUse } else { StopReason::EndTurn }))
            }
            other => Err(other),
        };
        self.requests.lock().unwrap().push(request);
        answer
    }

    fn completion(&self, content: Vec<ContentBlock>, stop_reason: StopReason) -> Completion {
        let default = Usage { input_tokens: 0, output_tokens: 10, ..Usage::default() };
        let usage = self.usage.lock().unwrap().unwrap_or(default);
        Completion { content, stop_reason, usage, model: "scripted-1".into() }
    }
}

impl Provider for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn model(&self) -> &str {
        "scripted-1"
    }

    fn facts(&self) -> ModelFacts {
        self.facts.lock().unwrap().clone()
    }

    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move {
            match self.answer(request) {
                Ok((content, stop)) => Ok(self.completion(content, stop)),
                Err(Step::Fails(error)) => Err(error),
                Err(_) => std::future::pending().await,
            }
        })
    }

    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        match self.answer(request) {
            Ok((content, stop)) => {
                let mut deltas: Vec<Result<Delta, LlmError>> = Vec::new();
                for block in &content {
                    if let ContentBlock::Text { text } = block {
                        let words =
                            text.split_inclusive(' ').map(|word| Ok(Delta::Text { text: word.into() }));
                        deltas.extend(words);
                    }
                }
                deltas.push(Ok(Delta::Done { completion: self.completion(content, stop) }));
                // Others get their turn before a model answers.
                let answer = async move {
                    tokio::task::yield_now().await;
                    stream::iter(deltas)
                };
                Box::pin(stream::once(answer).flatten())
            }
            Err(Step::Fails(error)) => Box::pin(stream::iter([Err(error)])),
            Err(Step::Hangs(text)) => {
                let said = stream::iter([Ok(Delta::Text { text: text.into() })]);
                Box::pin(said.chain(stream::pending()))
            }
            Err(_) => unreachable!("answers are given above"),
        }
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        Box::pin(async { unreachable!("sessions do not ask for the status") })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}
