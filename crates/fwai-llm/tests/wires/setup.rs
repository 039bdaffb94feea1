//! A provider of each wire, pointed at a scripted server.

use futures_util::StreamExt;
use fwai_llm::{
    ApiKey, Completion, Delta, HttpProvider, LlmError, Provider, Request,
    native::{ReqwestTransport, TokioClock},
    wire::{Wire, WireSettings},
    wires::{
        anthropic::Anthropic, gemini::Gemini, ollama::Ollama, openai_chat::OpenAiChat,
        openai_responses::OpenAiResponses,
    },
};
use fwai_schema::{
    config::{RetryConfig, TimeoutConfig},
    message::{Message, ToolDefinition},
};
use fwai_testkit::model_server::{ModelServer, WireName};
use serde_json::json;
use std::{sync::Arc, time::Duration};

pub const KEY: &str = "secret-key-4711";

pub fn wire(name: WireName) -> Box<dyn Wire> {
    match name {
        WireName::Anthropic => Box::new(Anthropic),
        WireName::OpenaiChat => Box::new(OpenAiChat),
        WireName::OpenaiResponses => Box::new(OpenAiResponses),
        WireName::Gemini => Box::new(Gemini),
        WireName::Ollama => Box::new(Ollama),
    }
}

pub fn provider(server: &ModelServer, name: WireName) -> HttpProvider {
    provider_at(server.url(), name)
}

pub fn provider_at(url: &str, name: WireName) -> HttpProvider {
    HttpProvider {
        name: name.provider().into(),
        wire: wire(name),
        settings: WireSettings {
            base_url: url.into(),
            model: "test-model".into(),
            key: ApiKey::new(KEY),
            ..WireSettings::default()
        },
        facts: Default::default(),
        timeouts: TimeoutConfig { connect_s: 5, first_byte_s: 20, idle_s: 20 },
        retry: RetryConfig { max_retries: 3, initial_ms: 1, max_ms: 20 },
        transport: Arc::new(ReqwestTransport::new(Duration::from_secs(5))),
        clock: Arc::new(TokioClock),
        served_window: Default::default(),
    }
}

pub fn ask(text: &str) -> Request {
    Request {
        system: vec!["You are a test.".into()],
        messages: vec![Message::user_text(text).into()],
        tools: Arc::new(vec![ToolDefinition {
            name: "bash".into(),
            description: "Runs a command".into(),
            input_schema: json!({"type": "object", "properties": {"command": {"type": "string"}},
                "required": ["command"], "additionalProperties": false}),
        }]),
        ..Request::default()
    }
}

/// All deltas of a call but the last, and how it ended.
pub async fn collect(
    provider: &HttpProvider,
    request: Request,
) -> (Vec<Delta>, Result<Completion, LlmError>) {
    let mut stream = provider.stream(request);
    let mut deltas = Vec::new();
    while let Some(item) = stream.next().await {
        match item {
            Ok(Delta::Done { completion }) => {
                assert!(stream.next().await.is_none(), "nothing follows the end");
                return (deltas, Ok(completion));
            }
            Ok(delta) => deltas.push(delta),
            Err(error) => return (deltas, Err(error)),
        }
    }
    panic!("the stream ended without an end");
}
