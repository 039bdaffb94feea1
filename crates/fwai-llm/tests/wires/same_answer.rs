//! The same scenario through all five wires, streamed and not, gives the same answer.

use crate::setup::*;
use fwai_llm::{Completion, Delta, Provider};
use fwai_schema::message::{ContentBlock, StopReason, Usage};
use fwai_testkit::model_server::{ModelServer, Scenario, Stop, Turn, WireName};
use serde_json::{Value, json};

struct Case {
    turn: Turn,
    content: Value,
    stop: StopReason,
}

fn cases() -> Vec<Case> {
    let umlauts = "Grüße, 固件 🦀, and a \"quote\"\nin two lines.";
    vec![
        Case { turn: Turn::text(umlauts), content: json!([umlauts]), stop: StopReason::EndTurn },
        Case {
            turn: Turn::text("I look.").and_tool("bash", json!({"command": "ls 固件 \"x\""})),
            content: json!(["I look.", {"bash": {"command": "ls 固件 \"x\""}}]),
            stop: StopReason::ToolUse,
        },
        Case {
            turn: Turn::tool("bash", json!({"command": "a"})).and_tool("bash", json!({"command": "b"})),
            content: json!([{"bash": {"command": "a"}}, {"bash": {"command": "b"}}]),
            stop: StopReason::ToolUse,
        },
        Case {
            turn: Turn::tool("status", json!({})),
            content: json!([{"status": {}}]),
            stop: StopReason::ToolUse,
        },
        Case {
            turn: Turn::default().and_bad_tool("bash", "{\"command\": oops"),
            content: json!([{"bash": "{\"command\": oops"}]),
            stop: StopReason::ToolUse,
        },
        Case {
            turn: Turn::text("half a sen").stop(Stop::MaxTokens),
            content: json!(["half a sen"]),
            stop: StopReason::MaxTokens,
        },
        Case {
            turn: Turn::default().and_thinking("let me see").and_text("Yes."),
            content: json!(["Yes."]),
            stop: StopReason::EndTurn,
        },
    ]
}

/// What every wire has in common: no ids, no reasoning.
fn shape(completion: &Completion) -> Value {
    let block = |block: &ContentBlock| match block {
        ContentBlock::Text { text } => Some(json!(text)),
        ContentBlock::ToolUse { name, input, .. } => Some(json!({ name: input })),
        _ => None,
    };
    completion.content.iter().filter_map(block).collect()
}

/// The answer once more, from its pieces alone.
fn retold(deltas: &[Delta]) -> Value {
    let mut out: Vec<Value> = Vec::new();
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for delta in deltas {
        match delta {
            Delta::Text { text } => match out.last_mut() {
                Some(Value::String(before)) => before.push_str(text),
                _ => out.push(json!(text)),
            },
            Delta::ToolUseStart { id, name } => calls.push((id.clone(), name.clone(), String::new())),
            Delta::ToolUseInput { id, json } => {
                let call = calls.iter_mut().find(|call| call.0 == *id).expect("a call that has begun");
                call.2.push_str(json);
            }
            Delta::Thinking => {}
            other => panic!("{other:?}"),
        }
    }
    out.extend(
        calls.into_iter().map(|(_, name, text)| json!({ name: fwai_llm::fold::arguments_from_text(text) })),
    );
    Value::Array(out)
}

#[tokio::test]
async fn five_wires_streamed_and_whole() {
    let usage = Usage { input_tokens: 90, output_tokens: 12, ..Usage::default() };
    for wire in WireName::ALL {
        for (at, case) in cases().into_iter().enumerate() {
            let turn = case.turn.usage(usage);
            let server = ModelServer::start(vec![turn.clone(), turn]);
            let provider = provider(&server, wire);
            let whole = provider.complete(ask("hi")).await.unwrap_or_else(|e| panic!("{wire:?} {at}: {e}"));
            let (deltas, streamed) = collect(&provider, ask("hi")).await;
            let streamed = streamed.unwrap_or_else(|e| panic!("{wire:?} {at}: {e}"));
            for (how, answer) in [("whole", &whole), ("streamed", &streamed)] {
                let context = format!("{wire:?} {how} case {at}");
                assert_eq!(shape(answer), case.content, "{context}");
                assert_eq!(answer.stop_reason, case.stop, "{context}");
                assert_eq!(answer.usage, usage, "{context}");
                assert_eq!(answer.model, "test-model", "{context}");
            }
            assert_eq!(retold(&deltas), case.content, "{wire:?} case {at}, from its deltas");
            let requests = server.requests();
            assert_eq!((requests[0].stream, requests[1].stream), (false, true), "{wire:?}");
        }
    }
}

#[tokio::test]
async fn any_way_of_writing_gives_the_same_answer() {
    let text = "aä固🦀".repeat(12);
    for wire in WireName::ALL {
        for write_bytes in [1, 2, 3, 7, 64] {
            let turn = Turn::text(text.clone()).and_tool("bash", json!({"command": text.clone()}));
            let scenario = Scenario {
                turns: vec![turn],
                write_bytes: Some(write_bytes),
                piece_chars: 5,
                ..Scenario::default()
            };
            let server = ModelServer::start(scenario);
            let (_, answer) = collect(&provider(&server, wire), ask("hi")).await;
            assert_eq!(shape(&answer.unwrap()), json!([text, {"bash": {"command": text}}]), "{wire:?}");
        }
    }
}

#[tokio::test]
async fn addresses_with_and_without_a_version_reach_the_server() {
    for wire in WireName::ALL {
        for ending in ["", "/", "/v1", "/v1/"] {
            let server = ModelServer::start(vec![Turn::text("here")]);
            let provider = provider_at(&format!("{}{ending}", server.url()), wire);
            let answer = provider.complete(ask("hi")).await;
            assert!(answer.is_ok(), "{wire:?} {ending:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn status_and_models_of_every_wire() {
    for wire in WireName::ALL {
        let server = ModelServer::start(Scenario {
            models: vec!["zeta".into(), "test-model".into()],
            key: Some(KEY.into()),
            ..Scenario::default()
        });
        let mut provider = provider(&server, wire);
        let models: Vec<String> =
            provider.models().await.unwrap().into_iter().map(|model| model.name).collect();
        assert_eq!(models, ["test-model", "zeta"], "{wire:?}");
        let status = provider.status().await;
        assert!(status.ready, "{wire:?} {status:?}");
        provider.settings.key = fwai_llm::ApiKey::new("another-key");
        let status = provider.status().await;
        assert!(!status.ready && status.detail.contains("the key was refused"), "{wire:?} {status:?}");
    }
}
