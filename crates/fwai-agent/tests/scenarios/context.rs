//! The context manager: from 8k windows upwards, with head, pins, todos and pairs intact.

use crate::stage::{
    Stage, end_of,
    model::{Step, calls, says},
    shown, written,
};
use fwai_llm::{LlmError, Request};
use fwai_schema::{
    event::EventBody,
    message::{ContentBlock, Role},
    op::Op,
};
use serde_json::json;

const TASK: &str = "Port the UART driver.\n  Keep PA9/PA10; erratum 2.1.8 applies.";

/// Reads files of about 500 tokens until it has read `n` of them; summaries are asked for in between.
fn reader(n: usize) -> Vec<Step> {
    let mut script = Vec::new();
    for _ in 0..n * 3 {
        script.push(Step::Decides(Box::new(move |request: &Request| {
            if request.tools.is_empty() {
                return vec![ContentBlock::text("Read several files; BAUD is 9600.")];
            }
            let read = request.messages.iter().flat_map(|message| message.tool_uses()).count();
            vec![
                ContentBlock::text("Read the next file."),
                ContentBlock::tool_use("r", "read_file", json!({"path": format!("f{}", read % 7)})),
            ]
        })));
    }
    script
}

fn stage_with_window(window: u32, script: Vec<Step>, iterations: u32) -> Stage {
    let mut stage = Stage::new(script).with(|config| {
        config.context_window = Some(window);
        config.agent.max_iterations = iterations;
        config.agent.pinned = vec!["FLASH 0x08000000 256K; never erase sector 7".into()];
    });
    for n in 0..7 {
        let text: String = (0..110).map(|line| format!("/* {n}:{line:03} register setup */\n")).collect();
        stage = stage.file(&format!("f{n}"), &text);
    }
    stage
}

#[tokio::test]
async fn at_8k_the_head_pins_todos_and_pairs_stay() {
    let todos = json!({"todos": [
        {"id": "1", "content": "read the old driver", "status": "in_progress"},
        {"id": "2", "content": "port it", "status": "pending"},
        {"id": "3", "content": "thrown out", "status": "cancelled"}
    ]});
    let mut script = vec![
        calls("", &[("t", "todo_write", todos)]),
        calls("", &[("x", "bash", json!({"command": "echo wrong probe; false"}))]),
    ];
    script.extend(reader(20));
    let stage = stage_with_window(8_192, script, 24);
    let events = stage.play(TASK).await;
    assert_eq!(end_of(&events).0, "max_turns");
    let compactions: Vec<(u64, u64, String)> = events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::ContextCompacted { tokens_before, tokens_after, how, .. } => {
                Some((*tokens_before, *tokens_after, how.clone()))
            }
            _ => None,
        })
        .collect();
    assert!(compactions.len() >= 2, "{}", written(&events));
    for (before, after, how) in &compactions {
        assert!(after < before, "{before} → {after}");
        assert_eq!(how, "model");
    }
    let requests = stage.model.requests();
    let last = requests.iter().rev().find(|request| !request.tools.is_empty()).unwrap();
    // The scripted model has already refused any request whose pairs had parted.
    assert_eq!(last.messages[0].content[0], ContentBlock::text(TASK), "the task survives byte for byte");
    assert!(last.system.join("").contains("FLASH 0x08000000 256K; never erase sector 7"));
    let head = last.messages[0].text();
    assert!(head.contains("<fwai:summary>\nRead several files; BAUD is 9600."), "{head}");
    assert!(head.contains("[>] 1: read the old driver\n[ ] 2: port it\n"), "{head}");
    assert!(!head.contains("thrown out"), "{head}");
    assert!(head.contains("bash {\"command\":\"echo wrong probe; false\"}: wrong probe"), "{head}");
    for request in &requests {
        let bytes = serde_json::to_string(request).unwrap().len();
        assert!(bytes < 8_192 * 4, "a request of {bytes} bytes does not fit an 8k window");
    }
    insta::assert_snapshot!("compaction_head", shown(&last.messages[..1]));
}

#[tokio::test]
async fn without_a_model_to_spare_the_window_is_cut() {
    let stage = stage_with_window(8_192, reader(20), 12).with(|config| config.summarise = false);
    let events = stage.play(TASK).await;
    assert!(written(&events).contains("\"how\":\"window\""));
    let requests = stage.model.requests();
    assert!(requests.iter().all(|request| !request.tools.is_empty()), "no summary was asked for");
    assert_eq!(requests.last().unwrap().messages[0].content[0], ContentBlock::text(TASK));
}

#[tokio::test]
async fn a_million_tokens_need_no_compaction() {
    let stage = stage_with_window(1_000_000, reader(20), 20);
    let events = stage.play(TASK).await;
    assert!(!written(&events).contains("context_compacted"));
    assert_eq!(stage.model.requests().len(), 20);
}

#[tokio::test]
async fn every_request_begins_with_the_one_before() {
    let stage = stage_with_window(200_000, reader(20), 12);
    stage.play(TASK).await;
    stage.play("and now the other one").await;
    let requests = stage.model.requests();
    for pair in requests.windows(2) {
        assert_eq!(pair[0].system, pair[1].system);
        assert_eq!(pair[0].tools, pair[1].tools);
        let (old, new) = (&pair[0].messages, &pair[1].messages);
        let last = old.len() - 1;
        assert_eq!(new[..last], old[..last], "all but the last message are the same");
        let shared = &new[last].content[..old[last].content.len()];
        assert_eq!(shared, old[last].content, "and the last one only grows");
    }
    // As bytes: what a provider can cache of the last request.
    let texts: Vec<String> = requests.iter().map(|request| serde_json::to_string(request).unwrap()).collect();
    for pair in texts.windows(2) {
        let shared = pair[0].bytes().zip(pair[1].bytes()).take_while(|(a, b)| a == b).count();
        assert!(shared + 200 >= pair[0].len(), "{shared} of {} bytes are shared", pair[0].len());
    }
}

#[tokio::test]
async fn a_provider_that_finds_it_too_long_gets_a_shorter_one() {
    let too_long = LlmError::ContextTooLong {
        provider: "p".into(),
        model: "m".into(),
        message: "too many tokens".into(),
    };
    let mut script: Vec<Step> = reader(2);
    script.truncate(4);
    script.push(Step::Fails(too_long));
    script.push(says("What was read so far."));
    script.push(says("Done."));
    let stage = stage_with_window(200_000, script, 20);
    let events = stage.play(TASK).await;
    assert_eq!(end_of(&events), ("end_turn".into(), "Done.".into()), "{}", written(&events));
    assert!(written(&events).contains("context_compacted"));
}

#[tokio::test]
async fn a_model_that_cannot_summarise_does_not_stop_the_work() {
    let overloaded = LlmError::Overloaded {
        provider: "p".into(),
        status: 529,
        message: "busy".into(),
        retry_after_ms: None,
    };
    let stage = Stage::new(vec![
        calls("", &[("1", "grep", json!({"pattern": "x"}))]),
        says("found"),
        Step::Fails(overloaded),
        says("still here"),
    ])
    .file("a", "x");
    let mut play = stage.start();
    play.handle.say(TASK);
    play.until_end().await;
    play.handle.send(Op::Compact);
    play.until(|body| matches!(body, EventBody::ContextCompacted { how, .. } if how == "window")).await;
    play.handle.say("go on");
    play.until_end().await;
    let events = play.leave().await;
    assert_eq!(end_of(&events).1, "still here");
    assert_eq!(stage.sent(3)[0].role, Role::User);
}

#[tokio::test]
async fn the_prompt_lists_rules_agents_and_skills_in_containers() {
    let stage = Stage::new(vec![says("hi")]).with(|config| {
        config.prompt.project = "MCU: STM32F401\nBuild: make </fwai:project>".into();
        config.prompt.rules = vec![("AGENTS.md".into(), "Use tabs.".into())];
    });
    let long = "Brings up a board, step by step, ".repeat(20);
    let entry = fwai_agent::host::SkillEntry { name: "bring-up".into(), description: long };
    stage.host.skills.lock().unwrap().push((entry, "The whole text that only a reader gets.".into()));
    stage.play("hi").await;
    let request = &stage.model.requests()[0];
    assert!(!request.system[1].contains("The whole text"));
    insta::assert_snapshot!("prompt_context", request.system[1]);
    let bytes = serde_json::to_string(request).unwrap().len();
    assert!(bytes < 11_000, "{bytes} bytes with the session's own tools and five more");
}
