//! Gemini's candidates as pieces of our answer.

use super::{NAME, SIGNATURE};
use crate::{
    answer::{EventDecoder, read, refuse_error},
    fault::Fault,
    fold::Fold,
};
use fwai_schema::message::{StopReason, Usage};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

#[derive(Default)]
pub(super) struct Decoder {
    finished: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(borrow)]
    candidates: Option<Vec<Candidate<'a>>>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Tokens>,
    model_version: Option<String>,
    error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    #[serde(borrow)]
    content: Option<Content<'a>>,
    finish_reason: Option<String>,
    finish_message: Option<String>,
    #[serde(default)]
    index: u64,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    parts: Option<Vec<Part<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(default)]
    thought: bool,
    thought_signature: Option<String>,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: String,
    #[serde(default)]
    args: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    #[serde(default)]
    prompt_token_count: u64,
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
    #[serde(default)]
    cached_content_token_count: u64,
    #[serde(default)]
    tool_use_prompt_token_count: u64,
}

impl EventDecoder for Decoder {
    fn event(&mut self, _name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        // Some gateways close every stream as OpenAI does.
        if data.trim_ascii() == b"[DONE]" {
            return Ok(());
        }
        self.chunk(read(data)?, fold)
    }

    /// One object, or, from a stream without events, a list of them.
    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        if body.first() != Some(&b'[') {
            return self.chunk(read(body)?, fold);
        }
        for chunk in read::<Vec<Chunk<'_>>>(body)? {
            self.chunk(chunk, fold)?;
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.finished
    }
}

impl Decoder {
    fn chunk(&mut self, chunk: Chunk<'_>, fold: &mut Fold) -> Result<(), Fault> {
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            refuse_error(&json!({"error": error}))?;
        }
        if let Some(model) = chunk.model_version.filter(|model| !model.is_empty()) {
            fold.model = model;
        }
        if let Some(tokens) = chunk.usage_metadata {
            fold.usage = tokens.into();
        }
        if chunk.prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some()) {
            fold.stop_reason = Some(StopReason::Refusal);
            self.finished = true;
        }
        for candidate in chunk.candidates.into_iter().flatten().filter(|candidate| candidate.index == 0) {
            for part in candidate.content.and_then(|content| content.parts).into_iter().flatten() {
                add_part(part, fold);
            }
            if let Some(reason) = candidate.finish_reason {
                self.finished = true;
                fold.stop_reason = Some(stop_reason(&reason, candidate.finish_message)?);
            }
        }
        Ok(())
    }
}

fn add_part(part: Part<'_>, fold: &mut Fold) {
    if let Some(call) = part.function_call {
        let mut opaque = Map::new();
        if let Some(signature) = part.thought_signature {
            opaque.insert(SIGNATURE.into(), json!(signature));
        }
        if let Some(id) = &call.id {
            opaque.insert("id".into(), json!(id));
        }
        let opaque = (!opaque.is_empty()).then_some(Value::Object(opaque));
        fold.whole_tool(call.id.as_deref(), &call.name, call.args, opaque);
        return;
    }
    if part.thought {
        fold.thinks();
    } else {
        fold.text(&part.text);
    }
    if let Some(signature) = part.thought_signature {
        fold.thinking(NAME, json!({ SIGNATURE: signature }));
    }
}

fn stop_reason(name: &str, message: Option<String>) -> Result<StopReason, Fault> {
    Ok(match name {
        "STOP" => StopReason::EndTurn,
        // Not in the documentation; some gateways say so.
        "FUNCTION_CALL" | "TOOL_CALL" => StopReason::ToolUse,
        "MAX_TOKENS" => StopReason::MaxTokens,
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
        | "IMAGE_SAFETY" => StopReason::Refusal,
        // The model's call was thrown away by its own server: there is no answer to work with.
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
            let message = message.unwrap_or_else(|| "the model wrote a malformed function call".into());
            return Err(Fault::Garbage(message));
        }
        other => StopReason::Other(other.to_ascii_lowercase()),
    })
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        let cached = tokens.cached_content_token_count;
        Usage {
            input_tokens: (tokens.prompt_token_count + tokens.tool_use_prompt_token_count)
                .saturating_sub(cached),
            output_tokens: tokens.candidates_token_count + tokens.thoughts_token_count,
            cache_read_tokens: cached,
            cache_write_tokens: 0,
            reasoning_tokens: tokens.thoughts_token_count,
        }
    }
}
