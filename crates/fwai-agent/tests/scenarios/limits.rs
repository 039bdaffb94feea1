//! Limits end a turn cleanly and say so.

use crate::stage::{
    Stage, end_of,
    model::{Step, calls, says},
    written,
};
use fwai_llm::LlmError;
use fwai_schema::{
    event::EventBody,
    message::{ContentBlock, StopReason, Usage},
};
use serde_json::json;

fn endless(n: usize) -> Vec<Step> {
    (0..n).map(|n| calls("", &[("c", "bash", json!({"command": format!("echo {n}")}))])).collect()
}

#[tokio::test]
async fn model_calls() {
    let stage = Stage::new(endless(9)).with(|config| config.agent.max_iterations = 3);
    let events = stage.play("go").await;
    let (stop, text) = end_of(&events);
    assert_eq!(stop, "max_turns");
    assert_eq!(
        text,
        "The turn was stopped at the limit of 3 model calls in one turn; say `continue` to go on."
    );
    assert_eq!(stage.model.requests().len(), 3);
    let Some(EventBody::TurnEnded { tool_calls, iterations, .. }) = events.last().map(|event| &event.body)
    else {
        panic!("{}", written(&events))
    };
    assert_eq!((*tool_calls, *iterations), (3, 3));
}

#[tokio::test]
async fn cost_and_tokens() {
    let usage = Usage { input_tokens: 1_000_000, output_tokens: 100, ..Usage::default() };
    let stage = Stage::new(endless(9)).with(|config| config.agent.max_cost = Some(5.0));
    {
        let mut facts = stage.model.facts.lock().unwrap();
        (facts.input, facts.output, facts.context_window) = (Some(3.0), Some(15.0), Some(10_000_000));
        *stage.model.usage.lock().unwrap() = Some(usage);
    }
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "max_cost");
    assert_eq!(stage.model.requests().len(), 2, "3.00 dollars, then 6.00");
    let Some(EventBody::TurnEnded { cost_usd: Some(cost), .. }) = events.last().map(|event| &event.body)
    else {
        panic!("{}", written(&events))
    };
    assert!((cost - 6.003).abs() < 1e-9, "{cost}");

    let stage = Stage::new(endless(9)).with(|config| config.agent.max_tokens = Some(25));
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "max_tokens");
    assert_eq!(stage.model.requests().len(), 3, "ten output tokens each");
}

#[tokio::test]
async fn the_same_failing_call_is_stopped() {
    let again = || calls("", &[("c", "bash", json!({"command": "echo x; false"}))]);
    let stage = Stage::new((0..9).map(|_| again()).collect());
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "stuck");
    let ran = stage.host.snapshots.lock().unwrap().len();
    assert_eq!(ran, 2, "it runs twice; then it is answered without being run, and then the turn ends");
    assert!(written(&events).contains("Not run: this exact call failed 2 times"));
}

#[tokio::test]
async fn a_failing_call_may_be_repeated_after_a_change() {
    let make = || calls("", &[("c", "bash", json!({"command": "test -f done"}))]);
    let edit = |n: u32| calls("", &[("e", "write_file", json!({"path": format!("f{n}"), "content": "x"}))]);
    let stage = Stage::new(vec![make(), edit(1), make(), edit(2), make(), edit(3), make(), says("gave up")]);
    let events = stage.play("go").await;
    assert_eq!(end_of(&events), ("end_turn".into(), "gave up".into()));
    assert!(!written(&events).contains("Not run"));
}

#[tokio::test]
async fn a_failing_connection_ends_the_turn_and_the_next_one_goes_on() {
    let refused = LlmError::Connect { provider: "p".into(), url: "u".into(), message: "refused".into() };
    let stage = Stage::new(vec![Step::Fails(refused), says("back again")]);
    let mut play = stage.start();
    play.handle.say("hello");
    play.until_end().await;
    play.handle.say("hello?");
    play.until_end().await;
    let events = play.leave().await;
    assert!(written(&events).contains("error {\"message\":\"p: cannot reach u: refused\""));
    assert_eq!(end_of(&events).1, "back again");
    let sent = stage.sent(1);
    assert_eq!(sent.len(), 1, "both messages of the user, one after the other");
    assert!(sent[0].text().starts_with("hello\n"));
}

#[tokio::test]
async fn an_answer_that_was_cut_says_so() {
    let cut = Step::Says(vec![ContentBlock::text("The first half")], StopReason::MaxTokens);
    let refused = Step::Says(vec![ContentBlock::text("No.")], StopReason::Refusal);
    let stage = Stage::new(vec![cut, refused]);
    assert_eq!(end_of(&stage.play("go").await), ("max_tokens".into(), "The first half".into()));
    assert_eq!(end_of(&stage.play("go").await), ("refusal".into(), "No.".into()));
}
