//! The trait that the agent speaks to, and the shapes that cross it.

use crate::{BoxFuture, BoxStream, LlmError, MaybeSend, MaybeSync};
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, Message, StopReason, ToolDefinition, Usage},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A model behind some wire format.
pub trait Provider: MaybeSend + MaybeSync {
    /// `anthropic`, `openai`, `gemini`, `ollama`, `replay`.
    fn name(&self) -> &str;

    fn model(&self) -> &str;

    /// What is known of the model; empty facts where nothing is.
    fn facts(&self) -> ModelFacts;

    /// One whole answer. Retries what can be retried.
    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>>;

    /// The same answer, piece by piece. The last item is [`Delta::Done`], or an error; a stream that
    /// ends without either was cut, which the implementation must report as [`LlmError::Cut`]. Dropping the
    /// stream (or the future of `complete`) cancels the call at once.
    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>>;

    /// [`Provider::complete`] with these tools instead of the request's own.
    fn complete_with_tools(
        &self,
        mut request: Request,
        tools: Arc<Vec<ToolDefinition>>,
    ) -> BoxFuture<'_, Result<Completion, LlmError>> {
        request.tools = tools;
        self.complete(request)
    }

    /// [`Provider::stream`] with these tools instead of the request's own.
    fn stream_with_tools(
        &self,
        mut request: Request,
        tools: Arc<Vec<ToolDefinition>>,
    ) -> BoxStream<'_, Result<Delta, LlmError>> {
        request.tools = tools;
        self.stream(request)
    }

    /// Whether the provider can be used, without spending tokens.
    fn status(&self) -> BoxFuture<'_, ProviderStatus>;

    /// Names of the models that the server offers.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>>;
}

/// What a model is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Parts of the system prompt, the most stable first; each ends a cacheable prefix.
    pub system: Vec<String>,
    /// Shared, since a session sends the same tools in every request.
    pub tools: Arc<Vec<ToolDefinition>>,
    /// Shared with the conversation, which is sent again with every turn.
    pub messages: Vec<Arc<Message>>,
    pub max_tokens: Option<u32>,
    pub temperature: Option<f32>,
    /// The answer must be JSON of this schema, where the wire can ask for that.
    pub output_schema: Option<serde_json::Value>,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    pub content: Vec<ContentBlock>,
    pub stop_reason: StopReason,
    pub usage: Usage,
    /// The model that answered, as the server names it.
    pub model: String,
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    Text {
        text: String,
    },
    /// The model reasons; the content is opaque and arrives with `Done`.
    Thinking,
    ToolUseStart {
        id: String,
        name: String,
    },
    /// A piece of the arguments' JSON text.
    ToolUseInput {
        id: String,
        json: String,
    },
    /// A failed call is tried again; what arrived before is void.
    Retrying {
        error: String,
        attempt: u32,
        delay_ms: u64,
    },
    /// The whole answer; equals what `complete` would have returned.
    Done {
        completion: Completion,
    },
}

/// Whether a provider can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderStatus {
    pub name: String,
    pub model: String,
    pub ready: bool,
    /// Why not, or where it runs.
    pub detail: String,
}

/// A model that a server offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u32>,
}
