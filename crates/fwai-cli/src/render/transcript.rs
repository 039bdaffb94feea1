//! A session's log written out as a conversation, for people.

use super::status_word;
use crate::language::{exactly, permission, say, understood};
use fwai_agent::{decision, outcome::text_of, truncate};
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Role},
    op::PermissionReply,
};

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
            let from = forked_from
                .as_ref()
                .map(|from| say!("transcript-forked", session = from.session, turn = from.turn));
            let (session, time) = (&event.session, &event.ts);
            let told = say!(
                "transcript-session",
                session = session,
                time = time,
                provider = provider,
                model = model,
                mode = mode
            );
            told + &from.unwrap_or_default()
        }
        EventBody::TurnStarted {} => format!("\n── {} ──", say!("transcript-turn", turn = event.turn)),
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
        EventBody::ModeChanged { from, to } => say!("transcript-mode", from = from, to = to),
        EventBody::Hint { text } => say!("repl-hint", text = text),
        EventBody::PlanUpdated { path, .. } => say!("transcript-plan", path = path),
        EventBody::ContextCompacted { how, tokens_before, tokens_after, .. } => {
            say!("transcript-shortened", how = how, before = tokens_before, after = tokens_after)
        }
        EventBody::PermissionRequest { what, reason, .. } => {
            say!("transcript-permission", what = permission(what), reason = permission(reason))
        }
        EventBody::PermissionResolved { reply, .. } => {
            let reply = match reply {
                PermissionReply::Once => say!("transcript-once"),
                PermissionReply::Session => say!("transcript-in-session"),
                PermissionReply::Always => say!("transcript-always"),
                PermissionReply::Deny => say!("transcript-deny"),
            };
            say!("transcript-resolved", reply = reply)
        }
        EventBody::Question { questions, .. } => questions
            .iter()
            .map(|question| format!("? {}", exactly(&question.question)))
            .collect::<Vec<_>>()
            .join("\n"),
        EventBody::Warning { message } => say!("warning") + &understood(message),
        EventBody::Error { message, .. } => say!("error") + &understood(message),
        EventBody::TurnEnded { stop_reason, tool_calls, iterations, .. } => {
            let why = serde_json::to_string(stop_reason).unwrap_or_default();
            let why = status_word(why.trim_matches('"'));
            format!("── {} ──", say!("transcript-ended", why = why, steps = iterations, calls = tool_calls))
        }
        _ => return None,
    })
}
