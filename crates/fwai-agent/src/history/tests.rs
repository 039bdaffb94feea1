//! Any sequence of events folds to a conversation that every wire accepts; compaction keeps head and pairs.

use super::*;
use fwai_schema::{
    event::{EventBody as Body, TurnStop},
    message::Usage,
    todo::TodoStatus,
};
use proptest::prelude::*;
use serde_json::json;

fn event(seq: u64, body: Body) -> Event {
    Event { seq, ts: String::new(), session: "s".into(), turn: 1, body }
}

fn end(id: &str, success: bool, text: &str) -> Body {
    Body::ToolCallEnd {
        id: id.into(),
        name: "grep".into(),
        success,
        content: vec![ToolResultContent::Text { text: text.into() }],
        duration_ms: 0,
        full_output: None,
        files_read: Vec::new(),
        files_written: Vec::new(),
        refused: None,
    }
}

fn ended(stop_reason: TurnStop) -> Body {
    Body::TurnEnded {
        stop_reason,
        final_text: String::new(),
        tool_calls: 0,
        iterations: 0,
        usage: Usage::default(),
        cost_usd: None,
    }
}

fn block() -> impl Strategy<Value = ContentBlock> {
    prop_oneof![
        4 => "[ a-c\n]{0,6}".prop_map(ContentBlock::text),
        4 => ("[xy]{0,1}", "(grep|)").prop_map(|(id, name)| ContentBlock::tool_use(id, name, json!({"p": 1}))),
        1 => "[xy]".prop_map(|id| ContentBlock::tool_result(id, "forged", false)),
        1 => Just(ContentBlock::Thinking { provider: "p".into(), data: json!("…") }),
        1 => "[a]{0,1}".prop_map(|data| ContentBlock::Image { media_type: "image/png".into(), data }),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    let message = |role| {
        (prop::collection::vec(block(), 0..4), any::<bool>()).prop_map(move |(content, injected)| {
            Body::Message { message: Message { role, content }, injected }
        })
    };
    let stops = prop_oneof![
        Just(TurnStop::EndTurn),
        Just(TurnStop::Interrupted),
        Just(TurnStop::MaxTurns),
        Just(TurnStop::Error)
    ];
    prop_oneof![
        2 => Just(Body::TurnStarted {}),
        5 => message(Role::User),
        6 => message(Role::Assistant),
        8 => ("[xyz]{0,1}", any::<bool>(), "[ a]{0,3}").prop_map(|(id, success, text)| end(&id, success, &text)),
        1 => Just(Body::Hint { text: "try again".into() }),
        2 => stops.prop_map(ended),
        1 => (0u64..60, "[a-c]{0,4}").prop_map(|(through_seq, summary)| Body::ContextCompacted {
            through_seq, summary, how: "model".into(), tokens_before: 0, tokens_after: 0,
        }),
        1 => Just(Body::Unknown(serde_json::Map::new())),
        1 => Just(Body::TodosUpdated { todos: vec![Todo {
            id: "1".into(), content: "c".into(), status: TodoStatus::Pending, parent: None,
        }]}),
    ]
}

/// What a provider would refuse.
fn problem(messages: &[Arc<Message>]) -> Option<String> {
    let mut seen = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let expected = if index % 2 == 0 { Role::User } else { Role::Assistant };
        if message.role != expected {
            return Some(format!("message {index} is of the wrong side"));
        }
        if message.content.is_empty() {
            return Some(format!("message {index} is empty"));
        }
        let mut answered = Vec::new();
        for block in &message.content {
            let fits = match block {
                ContentBlock::Text { text } => !text.trim().is_empty(),
                ContentBlock::ToolUse { id, name, .. } => {
                    message.role == Role::Assistant && !name.is_empty() && seen.insert(id.clone())
                }
                ContentBlock::ToolResult { tool_use_id, content, .. } => {
                    answered.push(tool_use_id.clone());
                    message.role == Role::User && !content.is_empty()
                }
                ContentBlock::Thinking { .. } => message.role == Role::Assistant,
                ContentBlock::Image { data, .. } => message.role == Role::User && !data.is_empty(),
            };
            if !fits {
                return Some(format!("message {index} holds {block:?}"));
            }
        }
        if answered != open {
            return Some(format!("message {index} answers {answered:?}, not {open:?}"));
        }
        open = message.tool_uses().map(|call| call.id.to_owned()).collect();
    }
    (!open.is_empty()).then(|| format!("calls stay open: {open:?}"))
}

fn counted(messages: &[Arc<Message>]) -> u64 {
    messages.iter().flat_map(|message| &message.content).map(tokens::of_block).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_events_fold_to_a_conversation_that_wires_accept(bodies in prop::collection::vec(body(), 0..50)) {
        let mut history = History::default();
        let mut task: Option<Vec<ContentBlock>> = None;
        for (index, body) in bodies.into_iter().enumerate() {
            if let Body::Message { message, injected: false } = &body
                && message.role == Role::User
                && task.is_none()
            {
                let blocks = clean::user_blocks(&message.content);
                task = (!blocks.is_empty()).then_some(blocks);
            }
            history.apply(&event(index as u64 + 1, body));
            let messages = history.messages();
            prop_assert_eq!(problem(&messages), None, "{:#?}", messages);
            // The first task is there, as it was, whatever was cut.
            if let Some(task) = &task {
                let all: Vec<&ContentBlock> = messages.iter().flat_map(|message| &message.content).collect();
                prop_assert!(task.iter().all(|block| all.contains(&block)), "{:#?}", messages);
            }
        }
    }

    #[test]
    fn a_cut_keeps_head_todos_and_pairs_and_shortens(
        bodies in prop::collection::vec(body(), 10..60),
        keep in 0u64..200,
    ) {
        let mut events: Vec<Event> = vec![event(1, Body::Message {
            message: Message::user_text("the task, byte for byte \u{1f9ea}"),
            injected: false,
        })];
        events.extend(bodies.into_iter().enumerate().map(|(index, body)| event(index as u64 + 2, body)));
        let mut history = History::fold(&events);
        let before = history.messages();
        if let Some(cut) = history.find_cut(keep) {
            let seq = events.len() as u64 + 1;
            history.apply(&event(seq, Body::ContextCompacted {
                through_seq: cut.through_seq,
                summary: "so far".into(),
                how: "model".into(),
                tokens_before: 0,
                tokens_after: 0,
            }));
            let after = history.messages();
            prop_assert_eq!(problem(&after), None, "{:#?}", after);
            prop_assert_eq!(&after[0].content[0], &ContentBlock::text("the task, byte for byte \u{1f9ea}"));
            prop_assert!(after.len() < before.len() || cut.messages <= 1, "{} → {}", before.len(), after.len());
            // What was not cut is there, unchanged, at the end.
            let kept = after.len() - 1;
            prop_assert_eq!(&after[after.len() - kept..], &before[before.len() - kept..]);
            if let Some(todos) = open_todos(history.todos()) {
                prop_assert!(after[0].content.contains(&ContentBlock::text(todos)));
            }
        }
    }

    #[test]
    fn the_running_count_of_tokens_is_right(bodies in prop::collection::vec(body(), 0..40)) {
        let events: Vec<Event> =
            bodies.into_iter().enumerate().map(|(index, body)| event(index as u64 + 1, body)).collect();
        let history = History::fold(&events);
        let entries: Vec<Arc<Message>> = history.entries.iter().map(|entry| entry.message.clone()).collect();
        let assistants = entries.iter().filter(|message| message.role == Role::Assistant).count() as u64;
        prop_assert_eq!(history.tokens(), counted(&entries) + 4 * assistants);
    }
}

#[test]
fn answers_stand_in_the_order_of_the_calls_however_they_came() {
    let call = |id: &str| ContentBlock::tool_use(id, "grep", json!({}));
    let events = [
        event(1, Body::Message { message: Message::user_text("go"), injected: false }),
        event(2, Body::Message { message: Message::assistant(vec![call("a"), call("b")]), injected: false }),
        event(3, end("b", true, "B")),
        event(4, end("nobody", true, "stray")),
        event(5, end("a", false, "A")),
        event(6, end("a", true, "late")),
    ];
    let messages = History::fold(&events).messages();
    assert_eq!(problem(&messages), None);
    assert_eq!(messages.len(), 3);
    let ContentBlock::ToolResult { content, is_error: true, .. } = &messages[2].content[0] else { panic!() };
    assert_eq!(crate::outcome::text_of(content), "<fwai:data source=\"grep\">\nA\n</fwai:data>");
}
