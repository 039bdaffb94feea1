//! The context manager: what fits into the model's window, and what happens when it no longer does.
//!
//! System prompt and tools are the stable prefix; messages are only ever appended. When the estimate
//! passes the threshold, older messages are replaced by a summary, written by the model or, with no model
//! to spare, made of what is known anyway. How the history is cut is in [`crate::history`].

use crate::{
    cancel::CancelToken, core::Core, fence, history::Cut, host::HostError, prompt, registry::Registry,
    tokens, truncate,
};
use fwai_llm::Request;
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Message, ToolDefinition},
};
use serde_json::Value;
use std::sync::Arc;

/// Assumed where nobody knows the model.
const UNKNOWN_WINDOW: u64 = 100_000;
const SMALLEST_WINDOW: u64 = 4_096;

/// Tokens that the model can read and write together.
pub(crate) fn window(core: &Core) -> u64 {
    let known = core.config.context_window.or(core.provider.facts().context_window);
    known.map_or(UNKNOWN_WINDOW, u64::from).max(SMALLEST_WINDOW)
}

/// Tokens that are left free for the answer.
pub(crate) fn answer_reserve(core: &Core) -> u64 {
    let wanted = core.config.max_answer_tokens.or(core.provider.facts().max_output).unwrap_or(8_192);
    u64::from(wanted).min(window(core) / 4)
}

/// Bytes of output that one of `calls` calls may put into the conversation.
pub(crate) fn output_limit(core: &Core, calls: usize) -> usize {
    let share = usize::try_from(window(core)).unwrap_or(usize::MAX) / 2 / calls.max(1);
    core.config.agent.max_tool_output.min(share).max(400)
}

/// The tools as the model is told of them; in a small window without the words that it can do without.
pub(crate) fn fitting_definitions(registry: &Registry, window: u64) -> Arc<Vec<ToolDefinition>> {
    let full = registry.definitions();
    if tokens::of_tools(&full) * 4 <= window {
        return full;
    }
    let mut short = full.as_ref().clone();
    for tool in &mut short {
        tool.description = first_sentence(&tool.description).to_owned();
        drop_descriptions(&mut tool.input_schema);
    }
    Arc::new(short)
}

fn first_sentence(text: &str) -> &str {
    match text.find(". ").or_else(|| text.find(".\n")) {
        Some(end) => &text[..=end],
        None => text,
    }
}

fn drop_descriptions(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if map.get("description").is_some_and(Value::is_string) {
        map.shift_remove("description");
    }
    map.shift_remove("default");
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(drop_descriptions);
    }
    if let Some(items) = map.get_mut("items") {
        drop_descriptions(items);
    }
}

/// Estimated tokens of the next request.
pub(crate) fn estimate(core: &Core) -> u64 {
    let overhead = overhead(core);
    let state = core.state();
    let history = state.history.tokens();
    let estimated = overhead + history;
    match state.measured {
        Some(measured) => {
            estimated.max(measured.input_tokens + history.saturating_sub(measured.estimated_history))
        }
        None => estimated,
    }
}

fn overhead(core: &Core) -> u64 {
    let system: u64 = core.system.iter().map(|part| tokens::of_text(part)).sum();
    system + core.offered_tokens()
}

/// Tokens at which older messages are summarised.
fn threshold(core: &Core) -> u64 {
    let usable = window(core) - answer_reserve(core);
    let part = core.config.agent.compact_at.clamp(0.1, 0.95);
    (usable as f64 * part) as u64
}

/// Shortens the conversation where it has grown too long for the next request.
pub(crate) async fn compact_if_needed(core: &Core, cancel: &CancelToken) -> Result<(), HostError> {
    if estimate(core) > threshold(core) {
        let room = threshold(core).saturating_sub(overhead(core));
        if !compact(core, (room / 2).max(400), cancel).await? && estimate(core) > window(core) {
            core.emit(EventBody::Warning {
                message: "the conversation is longer than the model's window and cannot be shortened".into(),
            })?;
        }
    }
    Ok(())
}

/// Replaces older messages by a summary; false where there is nothing to replace.
pub(crate) async fn compact(core: &Core, keep_tokens: u64, cancel: &CancelToken) -> Result<bool, HostError> {
    let Some(cut) = core.state().history.find_cut(keep_tokens) else { return Ok(false) };
    let tokens_before = estimate(core);
    let by_model = match core.config.summarise {
        true => cancel.or_cancelled(summary_by_model(core, &cut)).await.transpose()?.flatten(),
        false => None,
    };
    let (summary, how) = match by_model {
        Some(summary) => (summary, "model"),
        None => (summary_by_window(&cut), "window"),
    };
    let mut body = EventBody::ContextCompacted {
        through_seq: cut.through_seq,
        summary,
        how: how.into(),
        tokens_before,
        tokens_after: 0,
    };
    let after = tokens_after(core, &body);
    if let EventBody::ContextCompacted { tokens_after, .. } = &mut body {
        *tokens_after = after;
    }
    core.emit(body)?;
    core.sync()?;
    Ok(true)
}

/// Tries the compaction on a copy, to be able to say what it brought.
fn tokens_after(core: &Core, body: &EventBody) -> u64 {
    let mut trial = core.state().history.clone();
    trial.apply(&Event { seq: 0, ts: String::new(), session: String::new(), turn: 0, body: body.clone() });
    overhead(core) + trial.tokens()
}

async fn summary_by_model(core: &Core, cut: &Cut) -> Result<Option<String>, HostError> {
    let room = usize::try_from(window(core) / 2 * 3).unwrap_or(usize::MAX);
    let transcript = truncate::middle(&cut.transcript, room);
    let request = Request {
        system: vec![prompt::SUMMARISE.to_owned()],
        messages: vec![
            Message::user_text(format!(
                "{}\n\nSummarise the session above.",
                fence::data("session", &transcript)
            ))
            .into(),
        ],
        max_tokens: Some(u32::try_from(answer_reserve(core)).unwrap_or(u32::MAX)),
        ..Request::default()
    };
    let began = core.host.clock.monotonic_us();
    let completion = match core.provider.complete(request).await {
        Ok(completion) => completion,
        Err(error) => {
            let message = format!("no summary from the model ({error}); older messages are cut instead");
            core.emit(EventBody::Warning { message })?;
            return Ok(None);
        }
    };
    crate::turn::emit_usage(core, "compact", &completion.model, completion.usage, began)?;
    let text: Vec<&str> = completion
        .content
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Text { text } => Some(text.trim()),
            _ => None,
        })
        .filter(|text| !text.is_empty())
        .collect();
    let text = text.join("\n");
    let fits = tokens::of_text(&text) < window(core) / 4;
    Ok((!text.is_empty() && fits).then_some(text))
}

/// What can be said without a model.
fn summary_by_window(cut: &Cut) -> String {
    let mut summary = format!("{} earlier messages were cut.", cut.messages);
    if !cut.said.is_empty() {
        summary.push_str(" In them the user said:");
        let from = cut.said.len().saturating_sub(12);
        for line in &cut.said[from..] {
            summary.push_str("\n- ");
            summary.push_str(line);
        }
    }
    summary
}
