//! Plan and act: read first, approval in between, and a wall that no prompt can talk away.

use crate::stage::{
    Stage, end_of,
    model::{Step, calls, says},
    shown, written,
};
use fwai_schema::{event::EventBody, message::ContentBlock, op::Op, permission::Mode};
use serde_json::json;

const PLAN: &str = "# Plan\n1. In `src/uart.c` set BAUD to 115200.\n2. Build and flash; see `include/board.h` for the pins.\n";
const PLAN_PATH: &str = ".fwai/sessions/s1/plan.md";

fn planning(script: Vec<Step>) -> Stage {
    Stage::new(script).file("src/uart.c", "#define BAUD 9600\n").with(|config| config.agent.mode = Mode::Plan)
}

#[tokio::test]
async fn approved_plans_are_carried_out() {
    let stage = planning(vec![
        calls("Write the plan.", &[("1", "write_file", json!({"path": PLAN_PATH, "content": PLAN}))]),
        calls("Submit it.", &[("2", "submit_plan", json!({}))]),
        calls(
            "Set it.",
            &[("3", "edit_file", json!({"path": "src/uart.c", "old": "9600", "new": "115200"}))],
        ),
        says("Done."),
    ]);
    let mut play = stage.start();
    play.handle.say("115200 baud, please");
    let id = play.until_question().await;
    assert_eq!(stage.project.read("src/uart.c"), "#define BAUD 9600\n");
    play.answer(id, &["Approve and execute"], None);
    play.until_end().await;
    let events = play.leave().await;
    assert_eq!(stage.project.read("src/uart.c"), "#define BAUD 115200\n");
    insta::assert_snapshot!("plan_events", written(&events));
    insta::assert_snapshot!("plan_sent", shown(&stage.sent(2)));
    let offered = |request: usize| -> Vec<String> {
        stage.model.requests()[request].tools.iter().map(|tool| tool.name.clone()).collect()
    };
    assert!(!offered(0).contains(&"bash".to_owned()), "plan mode offers no shell without walls");
    assert!(offered(2).contains(&"bash".to_owned()));
}

#[tokio::test]
async fn redirected_plans_bring_the_users_words() {
    let stage = planning(vec![
        calls("", &[("1", "submit_plan", json!({"plan": PLAN}))]),
        says("I will look at DMA instead."),
    ]);
    let mut play = stage.start();
    play.handle.say("faster uart");
    let id = play.until_question().await;
    play.answer(id, &[], Some("use DMA instead"));
    play.until_end().await;
    let events = play.leave().await;
    assert!(shown(&stage.sent(1)).contains("The user did not approve the plan. They say: use DMA instead"));
    assert!(!events.iter().any(|event| matches!(event.body, EventBody::ModeChanged { .. })));
    assert_eq!(stage.project.read(PLAN_PATH), PLAN);
    let files = events.iter().find_map(|event| match &event.body {
        EventBody::PlanUpdated { files, .. } => Some(files.clone()),
        _ => None,
    });
    assert_eq!(files.unwrap(), ["src/uart.c", "include/board.h"]);
}

#[tokio::test]
async fn words_beside_an_approval_are_no_approval() {
    let stage = planning(vec![calls("", &[("1", "submit_plan", json!({"plan": PLAN}))]), says("ok")]);
    let mut play = stage.start();
    play.handle.say("go");
    let id = play.until_question().await;
    play.answer(id, &["Approve and execute"], Some("but not the flashing"));
    play.until_end().await;
    let events = play.leave().await;
    assert!(!events.iter().any(|event| matches!(event.body, EventBody::ModeChanged { .. })));
}

#[tokio::test]
async fn plans_that_say_nothing_are_refused() {
    let stage = planning(vec![
        calls("", &[("1", "submit_plan", json!({}))]),
        calls("", &[("2", "submit_plan", json!({"plan": "do it"}))]),
        says("hm"),
    ]);
    let events = stage.play("go").await;
    let all = written(&events);
    assert!(all.contains("there is no plan yet; write it to .fwai/sessions/s1/plan.md first"), "{all}");
    assert!(all.contains("the plan has 5 characters, at least 50 are needed"), "{all}");
    assert!(!events.iter().any(|event| matches!(event.body, EventBody::Question { .. })), "{all}");
}

#[tokio::test]
async fn a_hostile_model_changes_nothing_but_the_plan() {
    let root = "/../../../../../../../../../../tmp";
    let write = |path: &str| ("w", "write_file", json!({"path": path, "content": "owned"}));
    let tricks = [
        write("src/uart.c"),
        write("./.fwai/sessions/s1/../s1/../../x"),
        write(".fwai/sessions/s2/plan.md"),
        write(".fwai/sessions/s1/plan.md/../events.jsonl"),
        write(".fwai/sessions/s1/PLAN.md"),
        write(&format!("{root}/plan.md")),
        write(""),
        ("e", "edit_file", json!({"path": "src/uart.c", "old": "9600", "new": "1"})),
        ("b", "bash", json!({"command": "echo owned > src/uart.c"})),
        ("b", "bash", json!({"command": "cat src/uart.c; sed -i s/9600/1/ src/uart.c"})),
        ("b", "bash", json!({"command": "ls", "mode": "act"})),
        ("t", "task", json!({"agent": "general", "prompt": "write src/uart.c"})),
        ("s", "skill", json!({"name": "fix"})),
    ];
    let mut script: Vec<Step> = tricks.iter().map(|trick| calls("", std::slice::from_ref(trick))).collect();
    // The agent that `task` starts answers from the same script: it tries to write, then reports.
    script.insert(12, calls("", &[write("src/uart.c"), ("b", "bash", json!({"command": "rm -rf src"}))]));
    script.insert(13, says("I wrote it."));
    script.push(calls("", &[("p", "write_file", json!({"path": PLAN_PATH, "content": PLAN}))]));
    script.push(says("done"));
    let stage = planning(script);
    stage
        .host
        .skills
        .lock()
        .unwrap()
        .push((fwai_agent::host::SkillEntry { name: "fix".into(), description: "d".into() }, "text".into()));
    let before = stage.project.all();
    let events = stage.play("change everything").await;
    assert_eq!(end_of(&events), ("end_turn".into(), "done".into()), "{}", written(&events));
    let mut expected = before;
    expected.insert(0, (PLAN_PATH.into(), PLAN.to_owned()));
    assert_eq!(stage.project.all(), expected);
    assert!(!std::path::Path::new("/tmp/plan.md").exists());
    let refused = written(&events).matches("plan mode: ").count();
    assert!(refused >= 11, "{refused} refusals:\n{}", written(&events));
}

#[tokio::test]
async fn the_model_may_enter_plan_mode_but_only_the_user_leaves_it() {
    let stage = Stage::new(vec![
        calls("", &[("1", "plan_mode", json!({}))]),
        calls("", &[("2", "write_file", json!({"path": "a", "content": "x"}))]),
        says("planning"),
        says("acting"),
    ]);
    let mut play = stage.start();
    play.handle.say("big work");
    play.until_end().await;
    assert_eq!(stage.project.all(), []);
    play.handle.send(Op::SetMode { mode: Mode::Auto });
    play.handle.say("go");
    play.until_end().await;
    play.leave().await;
    let sent = shown(&stage.sent(3));
    assert!(
        sent.contains("<fwai:mode name=\\\"plan\\\">") && sent.contains("<fwai:mode name=\\\"auto\\\">"),
        "{sent}"
    );
}

#[tokio::test]
async fn questions_have_single_multiple_and_free_answers() {
    let questions = json!({"questions": [
        {"question": "Which UART?", "options": [{"label": "USART1"}, {"label": "USART2"}]},
        {"question": "Which features?", "options": [{"label": "DMA"}, {"label": "IRQ"}], "multiple": true},
        {"question": "Anything else?"}
    ]});
    let stage = Stage::new(vec![calls("", &[("1", "ask_user_question", questions)]), says("ok")]);
    let mut play = stage.start();
    play.handle.say("set up the uart");
    let id = play.until_question().await;
    play.answer(id.clone(), &["USART2"], None);
    play.answer(id.clone(), &["DMA", "IRQ"], None);
    play.answer(id, &[], Some("keep it at 3.3 V"));
    play.until_end().await;
    play.leave().await;
    let answers = stage.sent(1)[2].content[0].clone();
    let ContentBlock::ToolResult { content, is_error: false, .. } = answers else { panic!() };
    assert_eq!(
        fwai_agent::outcome::text_of(&content),
        "Which UART? — USART2\nWhich features? — DMA; IRQ\nAnything else? — keep it at 3.3 V"
    );
}
