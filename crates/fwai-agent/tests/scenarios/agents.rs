//! Agents that a session starts, and skills that it finds.

use crate::stage::{
    SESSION, Stage, end_of,
    model::{Step, calls, says},
    shown, written,
};
use fwai_agent::host::{Decision, SkillEntry};
use fwai_llm::Request;
use fwai_schema::{
    agent::AgentDef,
    event::EventBody,
    message::{ContentBlock, Role},
    op::PermissionReply,
};
use serde_json::json;

fn agent(name: &str, tools: &[&str]) -> AgentDef {
    AgentDef {
        name: name.into(),
        description: format!("{name} work"),
        tools: Some(tools.iter().map(|tool| (*tool).to_owned()).collect()),
        allowed_paths: Some(vec!["src/".into()]),
        protected_paths: vec!["src/boot.c".into()],
        model: None,
        max_iterations: 5,
        temperature: Some(0.1),
        prompt: "You write drivers.".into(),
    }
}

fn names(request: &Request) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test]
async fn an_agent_works_with_its_own_context_and_reports() {
    let stage = Stage::new(vec![
        calls("", &[("t", "task", json!({"agent": "driver", "prompt": "write src/spi.c"}))]),
        calls("", &[("w", "write_file", json!({"path": "src/spi.c", "content": "spi"}))]),
        says("src/spi.c is written."),
        says("The agent wrote it."),
    ]);
    stage
        .host
        .agents
        .lock()
        .unwrap()
        .push(agent("driver", &["write_file", "read_file", "task", "no_such_tool"]));
    let events = stage.play("make an SPI driver").await;
    assert_eq!(end_of(&events).1, "The agent wrote it.");
    assert_eq!(stage.project.read("src/spi.c"), "spi");
    let requests = stage.model.requests();
    assert_eq!(names(&requests[1]), ["read_file", "write_file"], "what it names, of what its parent has");
    assert_eq!(requests[1].temperature, Some(0.1));
    assert_eq!(shown(&requests[1].messages), "user: \"write src/spi.c\"\n", "a context of its own");
    assert!(requests[1].system.join("").contains("You write drivers."));
    insta::assert_snapshot!("agent_sent", shown(&requests[3].messages));
    insta::assert_snapshot!("agent_events", written(&events));
    let child = stage.logs.sessions().into_iter().find(|name| name != SESSION).unwrap();
    let log = stage.logs.events(&child);
    let EventBody::SessionStarted { parent, .. } = &log[0].body else { panic!() };
    assert_eq!(parent.as_deref(), Some(SESSION));
}

#[tokio::test]
async fn an_agent_cannot_leave_its_paths() {
    let write = |path: &str| calls("", &[("w", "write_file", json!({"path": path, "content": "x"}))]);
    let stage = Stage::new(vec![
        calls("", &[("t", "task", json!({"agent": "driver", "prompt": "write"}))]),
        write("main.c"),
        write("src/boot.c"),
        write("../outside.c"),
        says("I could not."),
        says("ok"),
    ]);
    stage.host.agents.lock().unwrap().push(agent("driver", &["write_file"]));
    stage.play("go").await;
    assert_eq!(stage.project.all(), []);
    let sent = shown(&stage.sent(4));
    assert!(sent.contains("this agent may only write src/; main.c is not among them"), "{sent}");
    assert!(sent.contains("src/boot.c is protected from this agent"), "{sent}");
    assert!(sent.contains("../outside.c is outside the project"), "{sent}");
}

#[tokio::test]
async fn an_agents_permission_is_asked_at_the_same_door() {
    let stage = Stage::new(vec![
        calls("", &[("t", "task", json!({"prompt": "run it"}))]),
        calls("", &[("b", "bash", json!({"command": "echo hi > made"}))]),
        says("ran"),
        says("ok"),
    ]);
    stage.host.decides(|call| match call.tool.as_str() {
        "bash" => Decision::ask("run it", "commands ask"),
        _ => Decision::allow(),
    });
    let mut play = stage.start();
    play.handle.say("go");
    let id = play.until_permission().await;
    play.reply(id, PermissionReply::Once, None);
    play.until_end().await;
    play.leave().await;
    assert_eq!(stage.project.read("made"), "hi\n");
}

#[tokio::test]
async fn explorers_run_in_parallel_five_at_most_and_only_read() {
    let explore =
        |id: &'static str| (id, "task", json!({"agent": "explorer", "prompt": format!("look at {id}")}));
    let mut script = vec![calls(
        "",
        &[explore("a"), explore("b"), explore("c"), explore("d"), explore("e"), explore("f"), explore("g")],
    )];
    for _ in 0..7 {
        script.push(Step::Decides(Box::new(|request: &Request| {
            vec![ContentBlock::text(format!("seen: {}", request.messages[0].text()))]
        })));
    }
    script.push(says("all seen"));
    let stage = Stage::new(script);
    let events = stage.play("explore").await;
    let requests = stage.model.requests();
    for request in &requests[1..8] {
        assert_eq!(names(request), ["read_file", "grep", "todo_write", "ask_user_question"]);
    }
    let mut open = 0;
    let mut most = 0;
    for event in &events {
        match event.body {
            EventBody::ToolCallStart { .. } => open += 1,
            EventBody::ToolCallEnd { .. } => open -= 1,
            _ => {}
        }
        most = most.max(open);
    }
    assert_eq!(most, 5);
    let reports = &stage.sent(8)[2];
    assert_eq!(reports.role, Role::User);
    let text = shown(std::slice::from_ref(reports));
    let order: Vec<usize> = ["a", "b", "c", "d", "e", "f", "g"]
        .map(|id| text.find(&format!("seen: look at {id}")).unwrap())
        .into();
    assert!(order.is_sorted(), "{text}");
}

#[tokio::test]
async fn jobs_wait_for_those_they_need_and_read_their_reports() {
    let jobs = json!({"tasks": [
        {"id": "driver", "agent": "explorer", "prompt": "use the register map", "after": ["map"]},
        {"id": "map", "agent": "explorer", "prompt": "find the register map"},
        {"id": "broken", "agent": "nobody", "prompt": "x"},
        {"id": "last", "prompt": "y", "after": ["broken"]}
    ]});
    let report = || {
        Step::Decides(Box::new(|request: &Request| {
            vec![ContentBlock::text(format!("did: {}", request.messages[0].text()))]
        }))
    };
    let stage = Stage::new(vec![calls("", &[("t", "task", jobs)]), report(), report(), says("ok")]);
    stage.play("go").await;
    insta::assert_snapshot!("orchestration_sent", shown(&stage.sent(3)[2..]));
}

#[tokio::test]
async fn an_agent_spends_of_its_parents_purse() {
    let stage = Stage::new(vec![
        calls("", &[("t", "task", json!({"prompt": "spend"}))]),
        calls("", &[("1", "grep", json!({"pattern": "x"}))]),
        calls("", &[("2", "grep", json!({"pattern": "y"}))]),
        says("never"),
        says("never"),
    ])
    .with(|config| config.agent.max_cost = Some(2.5));
    {
        let mut facts = stage.model.facts.lock().unwrap();
        (facts.input, facts.output, facts.context_window) = (Some(1.0), Some(0.0), Some(10_000_000));
        *stage.model.usage.lock().unwrap() =
            Some(fwai_schema::message::Usage { input_tokens: 1_000_000, ..Default::default() });
    }
    let events = stage.play("go").await;
    assert_eq!(end_of(&events).0, "max_cost");
    assert_eq!(stage.model.requests().len(), 3, "one of the session, two of its agent");
}

#[tokio::test]
async fn skills_are_listed_read_and_used() {
    let stage = Stage::new(vec![
        calls("", &[("1", "list_available_skills", json!({}))]),
        calls("", &[("2", "read_skill_documentation", json!({"name": "bring-up"}))]),
        calls("", &[("3", "skill", json!({"name": "bringup"})), ("4", "skill", json!({"name": "bring-up"}))]),
        says("ok"),
    ]);
    let entry = SkillEntry { name: "bring-up".into(), description: "Brings up a board".into() };
    stage.host.skills.lock().unwrap().push((entry, "1. Check the clock.".into()));
    stage.play("bring up the board").await;
    insta::assert_snapshot!("skills_sent", shown(&stage.sent(3)[1..]));
}
