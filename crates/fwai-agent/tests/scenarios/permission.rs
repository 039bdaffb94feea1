//! Permission: asked once, in words, and answered by a person.

use crate::stage::{
    Stage, end_of,
    model::{calls, says},
    shown, written,
};
use fwai_agent::host::Decision;
use fwai_schema::{event::EventBody, op::PermissionReply};
use serde_json::json;

fn stage_that_asks() -> Stage {
    let stage =
        Stage::new(vec![calls("", &[("1", "bash", json!({"command": "echo hi > made"}))]), says("done")]);
    stage.host.decides(|call| match call.tool.as_str() {
        "bash" => Decision::ask(
            format!("run `{}`", call.effects.command.clone().unwrap_or_default()),
            "it cannot be undone",
        ),
        _ => Decision::allow(),
    });
    stage
}

#[tokio::test]
async fn granted() {
    let stage = stage_that_asks();
    let mut play = stage.start();
    play.handle.say("go");
    let id = play.until_permission().await;
    assert!(!stage.project.root().join("made").exists(), "nothing happens before the answer");
    play.reply(id, PermissionReply::Session, None);
    play.until_end().await;
    let events = play.leave().await;
    assert_eq!(stage.project.read("made"), "hi\n");
    assert_eq!(*stage.host.remembered.lock().unwrap(), [("bash".to_owned(), PermissionReply::Session)]);
    insta::assert_snapshot!("permission_events", written(&events));
}

#[tokio::test]
async fn denied_with_a_note() {
    let stage = stage_that_asks();
    let mut play = stage.start();
    play.handle.say("go");
    let id = play.until_permission().await;
    play.reply(id, PermissionReply::Deny, Some("use the simulator"));
    play.until_end().await;
    play.leave().await;
    assert!(!stage.project.root().join("made").exists());
    assert!(shown(&stage.sent(1)).contains("The user denied this call. They say: use the simulator"));
    assert!(stage.host.snapshots.lock().unwrap().is_empty());
}

#[tokio::test]
async fn without_a_person_the_turn_ends_and_names_what_was_asked() {
    let stage = stage_that_asks().with(|config| config.person = false);
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "needs_person");
    assert!(!stage.project.root().join("made").exists());
    let asked = events.iter().any(|event| {
        matches!(&event.body, EventBody::PermissionRequest { what, .. } if what == "run `echo hi > made`")
    });
    assert!(asked, "{}", written(&events));
    assert_eq!(stage.model.requests().len(), 1);
}

#[tokio::test]
async fn denied_by_policy() {
    let stage = stage_that_asks();
    stage.host.decides(|_| Decision::deny("bash is blocked by .fwai/policy.yaml"));
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "end_turn");
    assert!(!stage.project.root().join("made").exists());
    assert!(shown(&stage.sent(1)).contains("denied by policy: bash is blocked by .fwai/policy.yaml"));
}

#[tokio::test]
async fn when_the_door_closes_while_asking_the_turn_ends() {
    let stage = stage_that_asks();
    let started = fwai_agent::Session::start(
        stage.config.clone(),
        stage.host(),
        stage.model.clone(),
        stage.registry.clone(),
    )
    .unwrap();
    started.handle.say("go");
    drop(started.handle);
    let limit = std::time::Duration::from_secs(30);
    tokio::time::timeout(limit, started.driver).await.expect("nobody is waited for");
    assert_eq!(end_of(&stage.logs.events("s1")).0, "needs_person");
}
