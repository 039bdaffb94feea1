//! Sessions for people: new names, and a log written out as a conversation.

use fwai_agent::{decision, host::Clock, outcome::text_of, truncate};
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Role},
};

pub use fwai_agent::new_session_id;

/// RFC 3339, for the log of a fork.
pub fn now(clock: &dyn Clock) -> String {
    clock.now()
}

/// What was said and done, as text.
pub fn transcript(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        if let Some(text) = written(event) {
            out.push_str(&text);
            out.push('\n');
        }
    }
    out
}

fn written(event: &Event) -> Option<String> {
    Some(match &event.body {
        EventBody::SessionStarted { provider, model, mode, forked_from, .. } => {
            let from =
                forked_from.as_ref().map(|from| format!(", forked from {} turn {}", from.session, from.turn));
            format!(
                "session {}  {}  {provider} {model}, mode {mode}{}",
                event.session,
                event.ts,
                from.unwrap_or_default()
            )
        }
        EventBody::TurnStarted {} => format!("\n── turn {} ──", event.turn),
        EventBody::Message { injected: true, .. } => return None,
        EventBody::Message { message, .. } => {
            let who = if message.role == Role::User { "> " } else { "" };
            let said: Vec<&str> = message
                .content
                .iter()
                .filter_map(|block| match block {
                    ContentBlock::Text { text } => Some(text.trim()),
                    _ => None,
                })
                .filter(|text| !text.is_empty())
                .collect();
            if said.is_empty() {
                return None;
            }
            format!("{who}{}", said.join("\n"))
        }
        EventBody::Decision { step, thought, plan_steps } => {
            decision::trace_line(*step, thought, *plan_steps)
        }
        EventBody::ToolCallStart { name, arguments, .. } => format!("● {name} {arguments}"),
        EventBody::ToolCallEnd { success, content, duration_ms, .. } => {
            let mark = if *success { "✓" } else { "✗" };
            let text = text_of(content);
            let shown = truncate::middle(text.trim_end(), 600).replace('\n', "\n    ");
            format!("  {mark} {duration_ms} ms  {shown}")
        }
        EventBody::ModeChanged { from, to } => format!("mode {from} → {to}"),
        EventBody::Hint { text } => format!("hint: {text}"),
        EventBody::PlanUpdated { path, .. } => format!("plan written to {path}"),
        EventBody::ContextCompacted { how, tokens_before, tokens_after, .. } => {
            format!("conversation shortened ({how}): {tokens_before} → {tokens_after} tokens")
        }
        EventBody::PermissionRequest { what, reason, .. } => format!("permission? {what} ({reason})"),
        EventBody::PermissionResolved { reply, .. } => format!("permission: {reply:?}"),
        EventBody::Question { questions, .. } => {
            questions.iter().map(|question| format!("? {}", question.question)).collect::<Vec<_>>().join("\n")
        }
        EventBody::Warning { message } => format!("warning: {message}"),
        EventBody::Error { message, .. } => format!("error: {message}"),
        EventBody::TurnEnded { stop_reason, tool_calls, iterations, .. } => {
            let why = serde_json::to_string(stop_reason).unwrap_or_default();
            format!("── {} · {iterations} steps · {tool_calls} tool calls ──", why.trim_matches('"'))
        }
        _ => return None,
    })
}
