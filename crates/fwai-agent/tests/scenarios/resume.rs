//! A session is its events: cut off anywhere, resumed, forked.

use crate::stage::{
    SESSION, Stage, end_of,
    model::{calls, says},
    shown,
    valid::assert_valid,
    written,
};
use fwai_agent::{fork, history::History, state::State};
use fwai_schema::{event::EventBody, permission::Mode};
use serde_json::json;

/// A session with all that may be open when the lights go out.
async fn eventful() -> Stage {
    let todos = json!({"todos": [
        {"id": "1", "content": "read", "status": "completed"},
        {"id": "2", "content": "write", "status": "in_progress"}
    ]});
    let stage = Stage::new(vec![
        calls("Plan it.", &[("t", "todo_write", todos)]),
        calls("Look.", &[("a", "read_file", json!({"path": "x"})), ("b", "grep", json!({"pattern": "zzz"}))]),
        calls("Look again.", &[("c", "read_file", json!({"path": "missing"}))]),
        says("First done."),
        calls("Change it.", &[("d", "write_file", json!({"path": "x", "content": "2"}))]),
        says("Second done."),
    ])
    .file("x", "1");
    let mut play = stage.start();
    play.handle.say("first");
    play.until_end().await;
    play.handle.say("second");
    play.until_end().await;
    play.leave().await;
    stage
}

#[tokio::test]
async fn at_every_event_boundary() {
    let stage = eventful().await;
    let log = stage.logs.events(SESSION);
    assert!(log.len() > 30, "{}", written(&log));
    for kept in 0..=log.len() {
        let prefix = log[..kept].to_vec();
        assert_valid(&History::fold(&prefix).messages());
        let again =
            Stage::new(vec![calls("Go on.", &[("a", "read_file", json!({"path": "x"}))]), says("Resumed.")])
                .file("x", "2");
        again.logs.insert(SESSION, prefix);
        // The scripted model refuses a conversation that a provider would refuse.
        let events = again.play("go on").await;
        assert_eq!(end_of(&events), ("end_turn".into(), "Resumed.".into()), "after event {kept}");
        let whole = again.logs.events(SESSION);
        let (starts, ends): (Vec<_>, Vec<_>) = whole
            .iter()
            .filter_map(|event| match &event.body {
                EventBody::ToolCallStart { id, .. } => Some((true, id.clone())),
                EventBody::ToolCallEnd { id, .. } => Some((false, id.clone())),
                _ => None,
            })
            .partition(|(is_start, _)| *is_start);
        assert_eq!(starts.len(), ends.len(), "every call that began has an end; cut after event {kept}");
        let turns = |kind: fn(&EventBody) -> bool| whole.iter().filter(|event| kind(&event.body)).count();
        assert_eq!(
            turns(|body| matches!(body, EventBody::TurnStarted {})),
            turns(|body| matches!(body, EventBody::TurnEnded { .. })),
            "every turn has an end; cut after event {kept}"
        );
        assert!(whole.windows(2).all(|pair| pair[0].seq < pair[1].seq), "seq counts up");
    }
}

#[tokio::test]
async fn the_fold_of_a_log_is_what_the_session_knew() {
    let stage = eventful().await;
    let log = stage.logs.events(SESSION);
    let state = State::fold(&log);
    assert_eq!(state.turn, 2);
    assert_eq!(state.title.as_deref(), Some("first"));
    assert_eq!(state.todos().len(), 2);
    assert_eq!(state.mode, Mode::Auto);
    assert_eq!(state.usage.output_tokens, 60);
    // What the model was sent last, plus its last answer, is the history.
    let mut sent = stage.sent(5);
    let folded = state.history.messages();
    sent.push(folded.last().unwrap().clone());
    assert_eq!(shown(&folded), shown(&sent));
}

#[tokio::test]
async fn a_crash_in_the_middle_of_a_tool_is_told_to_the_model() {
    let stage = eventful().await;
    let log = stage.logs.events(SESSION);
    let cut = log
        .iter()
        .rposition(
            |event| matches!(&event.body, EventBody::ToolCallStart { name, .. } if name == "write_file"),
        )
        .unwrap();
    let again = Stage::new(vec![says("I look first.")]);
    again.logs.insert(SESSION, log[..=cut].to_vec());
    again.play("go on").await;
    insta::assert_snapshot!("crash_sent", shown(&again.sent(0)[7..]));
}

#[tokio::test]
async fn forks_share_the_beginning() {
    let stage = eventful().await;
    let log = stage.logs.events(SESSION);
    let forked = fork::fork(&log, Some(1), "s2", "2026-03-01T00:00:00.000Z").unwrap();
    stage.logs.insert("s2", forked);
    let fork =
        Stage { config: fwai_agent::SessionConfig { session: "s2".into(), ..stage.config.clone() }, ..stage };
    fork.model.add(says("A different second."));
    let events = fork.play("differently").await;
    assert_eq!(end_of(&events).1, "A different second.");
    let sent = fork.sent(6);
    let original = fork.sent(4);
    assert_eq!(sent[..sent.len() - 1], original[..original.len() - 1], "all before the fork is the same");
    assert_eq!(sent.last().unwrap().text(), "differently");
    assert_eq!(State::fold(&fork.logs.events("s2")).forked_from.unwrap().turn, 1);
    assert_eq!(fork.logs.events(SESSION).len(), log.len(), "the origin is untouched");
}

#[tokio::test]
async fn two_writers_are_refused() {
    let stage = Stage::new(vec![]);
    let _first = stage.start();
    let second = fwai_agent::Session::start(
        stage.config.clone(),
        stage.host(),
        stage.model.clone(),
        stage.registry.clone(),
    );
    assert!(second.err().unwrap().what.contains("in use"));
}
