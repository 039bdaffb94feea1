//! What needs a person: answered by `--yes`, by a person at a terminal, and otherwise exit code 4.

use super::bench;
use fwai_testkit::{model_server::Turn, terminal::Terminal};
use serde_json::json;

fn two_questions() -> Turn {
    let questions = json!({"questions": [
        {"question": "Which board?", "options": [{"label": "bluepill"}, {"label": "microbit"}]},
        {"question": "How fast?", "options": [{"label": "9600"}, {"label": "115200"}]},
    ]});
    Turn::tool("ask_user_question", questions)
}

#[test]
fn an_unapproved_permission_is_exit_4_and_named() {
    let bench = bench(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "x"})),
        Turn::text("never reached"),
    ]);
    let said = bench.run(&["exec", "--ci", "--mode", "ask", "write a file"]);
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains("needs a person: permission to write a.c"), "{}", said.err);
    assert!(said.err.contains("next: "), "{}", said.err);
    assert!(!bench.project().join("a.c").exists());
    assert!(!said.err.contains("sk-ant-test"));
    assert_eq!(bench.server.requests().len(), 1, "the turn ends there");
}

#[test]
fn a_question_that_nobody_answers_is_exit_4_and_named() {
    for arguments in [&["exec", "--ci", "set it up"][..], &["exec", "--ci", "--json", "set it up"]] {
        let bench = bench(vec![two_questions(), Turn::text("never reached")]);
        let said = bench.run(arguments);
        assert_eq!(said.code, Some(4), "{}", said.err);
        assert!(said.err.contains("Which board? How fast?"), "{}", said.err);
        if arguments.contains(&"--json") {
            assert_eq!(said.event("question")["questions"][0]["question"], "Which board?");
            assert_eq!(said.events().last().unwrap()["stop_reason"], "needs_person");
        }
        assert_eq!(bench.server.requests().len(), 1);
    }
}

#[test]
fn yes_answers_every_question_by_its_first_choice_and_every_permission() {
    let write = Turn::tool("write_file", json!({"path": "a.c", "content": "x"}));
    let bench = bench(vec![two_questions(), write, Turn::text("thanks")]);
    let said = bench.run(&["exec", "--yes", "--mode", "ask", "set it up"]).succeeded();
    assert_eq!(said.out, "thanks\n");
    let told = bench.server.requests()[1].body["messages"].to_string();
    assert!(told.contains("bluepill") && told.contains("9600"), "{told}");
    assert!(bench.project().join("a.c").exists());
}

#[test]
fn a_person_at_a_terminal_is_asked_everything() {
    let write = Turn::tool("write_file", json!({"path": "a.c", "content": "x"}));
    let bench = bench(vec![two_questions(), write, Turn::text("all set")]);
    let mut terminal = Terminal::with_arguments(&bench, 80, 24, &["exec", "--mode", "ask", "set it up"]);
    terminal.wait_for("Which board?");
    terminal.wait_for("Your answer");
    terminal.type_in("2\n");
    terminal.wait_for("How fast?");
    terminal.wait_until("a second prompt", |terminal| terminal.text().matches("Your answer").count() == 2);
    terminal.type_in("19200\n");
    terminal.wait_for("write a.c");
    terminal.wait_for("[y");
    terminal.type_in("y\n");
    terminal.wait_for("all set");
    assert_eq!(terminal.wait_for_exit(), 0);
    let told = bench.server.requests()[1].body["messages"].to_string();
    assert!(told.contains("microbit") && told.contains("19200"), "{told}");
    assert!(bench.project().join("a.c").exists());
}

#[test]
fn without_a_terminal_nothing_is_asked_also_outside_of_ci() {
    let bench = bench(vec![two_questions(), Turn::text("never")]);
    let said = bench.run_with(&["exec", "set it up"], "2\n2\n");
    assert_eq!(said.code, Some(4), "what is piped is material, no answer: {}", said.err);
}

#[test]
fn nobody_answers_for_somebody_who_is_not_there() {
    for turns in
        [vec![two_questions()], vec![Turn::tool("write_file", json!({"path": "a.c", "content": "x"}))]]
    {
        let bench = bench(turns);
        let said = bench.run(&["exec", "--json", "--ci", "--mode", "ask", "set it up"]);
        assert_eq!(said.code, Some(4), "{}", said.err);
        let strange = |event: &serde_json::Value| {
            matches!(event["type"].as_str(), Some("warning" | "answer" | "permission_resolved" | "error"))
        };
        let events = said.events();
        assert!(!events.iter().any(strange), "{}", said.out);
    }
}

#[test]
fn the_next_step_fits_what_was_asked() {
    let plan = "# Plan\n\n1. feed the watchdog in `src/main.c`, in the main loop and nowhere else\n";
    for (turn, mode, asked, next) in [
        (two_questions(), "auto", "an answer to: Which board? How fast?", "say it in the task"),
        (
            Turn::tool("submit_plan", json!({"plan": plan})),
            "plan",
            "Do you approve this plan?",
            "--resume last --mode auto",
        ),
        (
            Turn::tool("write_file", json!({"path": "a.c", "content": "x"})),
            "ask",
            "permission to write a.c",
            "fwai policy rules",
        ),
    ] {
        let bench = bench(vec![turn]);
        let said = bench.run(&["exec", "--mode", mode, "do it"]);
        assert_eq!(said.code, Some(4), "{}", said.err);
        assert!(said.err.contains(asked) && said.err.contains(next), "{}", said.err);
        // The plan is what the task was for.
        assert_eq!(said.out.contains("1. feed the watchdog"), mode == "plan", "{}", said.out);
    }
}

#[test]
fn ctrl_c_ends_a_question_without_an_answer() {
    let write = Turn::tool("write_file", json!({"path": "a.c", "content": "x"}));
    let bench = bench(vec![write, Turn::text("never")]);
    let mut terminal = Terminal::with_arguments(&bench, 80, 24, &["exec", "--mode", "ask", "write"]);
    terminal.wait_for("[n]o:");
    terminal.type_in("\x03");
    assert_eq!(terminal.wait_for_exit(), 130);
    assert!(!bench.project().join("a.c").exists());
}
