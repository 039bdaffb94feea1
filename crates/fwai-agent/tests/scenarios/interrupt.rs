//! Interrupts at any moment: the history stays valid, and the next words are understood in their light.

use crate::stage::{
    Stage, end_of,
    model::{Step, calls, says},
    shown, written,
};
use fwai_schema::{event::EventBody, op::Op};
use serde_json::json;

#[tokio::test]
async fn in_the_middle_of_a_tool() {
    let stage = Stage::new(vec![
        calls(
            "Build it.",
            &[
                ("1", "grep", json!({"pattern": "x"})),
                ("2", "bash", json!({"command": "hang"})),
                ("3", "write_file", json!({"path": "never", "content": ""})),
            ],
        ),
        says("Understood, I stop."),
    ])
    .file("a", "x");
    let mut play = stage.start();
    play.handle.say("build");
    play.until(|body| matches!(body, EventBody::ToolOutput { .. })).await;
    play.handle.send(Op::Interrupt);
    play.until_end().await;
    play.handle.say("do not build; explain");
    play.until_end().await;
    let events = play.leave().await;
    insta::assert_snapshot!("interrupt_events", written(&events));
    insta::assert_snapshot!("interrupt_sent", shown(&stage.sent(1)));
    assert!(!stage.project.root().join("never").exists(), "a call after the interrupt does not run");
}

#[tokio::test]
async fn in_the_middle_of_an_answer() {
    let stage = Stage::new(vec![Step::Hangs("The UART is "), says("ok")]);
    let mut play = stage.start();
    play.handle.say("explain");
    play.until(|body| matches!(body, EventBody::TextDelta { .. })).await;
    play.handle.send(Op::Interrupt);
    play.until_end().await;
    play.handle.say("shorter");
    play.until_end().await;
    let events = play.leave().await;
    assert_eq!(end_of(&events).0, "end_turn");
    insta::assert_snapshot!("interrupt_answer_sent", shown(&stage.sent(1)));
}

#[tokio::test]
async fn while_a_person_is_asked() {
    let stage = Stage::new(vec![
        calls("", &[("1", "ask_user_question", json!({"questions": [{"question": "Which pin?"}]}))]),
        says("ok"),
    ]);
    let mut play = stage.start();
    play.handle.say("blink");
    play.until_question().await;
    play.handle.send(Op::Interrupt);
    let end = play.until_end().await;
    assert!(matches!(end.body, EventBody::TurnEnded { .. }));
    play.handle.say("PA5");
    play.until_end().await;
    let events = play.leave().await;
    assert_eq!(end_of(&events).0, "end_turn");
}

#[tokio::test]
async fn shutdown_in_the_middle_of_a_tool_ends_the_session() {
    let stage = Stage::new(vec![calls("", &[("1", "bash", json!({"command": "hang"}))])]);
    let mut play = stage.start();
    play.handle.say("build");
    play.until(|body| matches!(body, EventBody::ToolOutput { .. })).await;
    let events = play.leave().await;
    assert_eq!(end_of(&events).0, "interrupted");
    let logged = stage.logs.events("s1");
    assert!(matches!(logged.last().unwrap().body, EventBody::TurnEnded { .. }));
}
