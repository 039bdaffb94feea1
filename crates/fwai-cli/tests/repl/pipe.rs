//! Lines from a pipe: one queue for words, commands and answers.

use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Turn},
};
use serde_json::json;

#[test]
fn a_pipe_feeds_words_commands_and_answers() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"})),
        Turn::text("written"),
        Turn::text("still here"),
    ]);
    let said = bench.run_with(&[], "/mode ask\nwrite a file\ny\n/cost\nare you there?\n/quit\nnever read\n");
    assert_eq!(said.code, Some(0), "{}", said.err);
    for words in ["written", "still here", "cost"] {
        assert!(said.out.contains(words), "{}", said.out);
    }
    assert!(said.err.contains("write a.c"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(bench.project().join("a.c")).unwrap(), "int a;\n");
    assert_eq!(bench.server.requests().len(), 3, "one session, and nothing after /quit");
}

#[test]
fn a_denied_permission_leaves_the_file_alone_and_a_typo_gets_a_guess() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "x"})),
        Turn::text("then not"),
    ]);
    let said = bench.run_with(&[], "/mode ask\nwrite\nn\n/hepl\n");
    assert!(said.out.contains("then not"), "{}", said.out);
    assert!(said.err.contains("did you mean /help"), "{}", said.err);
    assert!(!bench.project().join("a.c").exists());
}

#[test]
fn the_last_failed_command_of_a_script_is_its_exit_code() {
    let bench = Bench::new(Vec::new());
    assert_eq!(bench.run_with(&[], "/config get no.such.key\n").code, Some(2));
    assert_eq!(bench.run_with(&[], "/config get no.such.key\n/config path\n").code, Some(0));
}

#[test]
fn every_question_of_several_is_answered_by_its_line() {
    let questions = json!({"questions": [
        {"question": "Which board?", "options": [{"label": "A"}, {"label": "B"}]},
        {"question": "How fast?", "options": [{"label": "9600"}, {"label": "115200"}]},
    ]});
    let bench = Bench::new(vec![Turn::tool("ask_user_question", questions), Turn::text("thanks")]);
    let said = bench.run_with(&[], "set it up\n2\n115200\n");
    assert!(said.out.contains("thanks"), "{}{}", said.out, said.err);
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains('B') && request.contains("115200"), "{request}");
}

#[test]
fn build_flash_and_monitor_from_a_pipe_leave_evidence_that_verifies() {
    let bench = Bench::new(Vec::new()).with_firmware();
    let said = bench.run_with(&[], "/build\n/flash\ny\n/monitor --until 'boot ok' --for 20s\n");
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("flashed and proven"), "{}", said.out);
    let runs = bench.json(&["evidence", "list"]);
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3, "{runs:?}");
    assert!(runs.iter().all(|run| run["status"] == "success"), "{runs:?}");
    let verified = bench.json(&["audit", "verify", "--all"]);
    assert_eq!(verified["ok"], true, "{verified}");
}

#[test]
fn a_pipe_gets_no_escape_sequences_and_plain_text() {
    let bench = Bench::new(vec![Turn::text("# Title\n\n**bold** `code`\n")]);
    let said = bench.run_with(&[], "hello\n");
    assert!(said.out.contains("# Title\n\n**bold** `code`"), "{}", said.out);
    assert!(!said.out.contains('\x1b') && !said.err.contains('\x1b'), "{:?}{:?}", said.out, said.err);
}

#[test]
fn a_model_that_fails_is_an_error_and_exit_1() {
    let refused = Fault::Status { status: 400, message: "not like this".into(), retry_after: None };
    let bench = Bench::new(vec![Turn::text("never").fault(refused)]);
    let said = bench.run_with(&[], "hello\n");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("error: ") && said.err.contains("not like this"), "{}", said.err);
    assert!(!said.err.contains("warning: "), "{}", said.err);
}

#[test]
fn what_was_asked_and_answered_can_be_read_in_the_log_of_a_script() {
    let question =
        json!({"questions": [{"question": "Which board?", "options": [{"label": "A"}, {"label": "B"}]}]});
    let bench = Bench::new(vec![
        Turn::tool("ask_user_question", question),
        Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"})),
        Turn::text("done"),
    ]);
    let said = bench.run_with(&[], "/mode ask\nset it up\n2\ny\n");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("(a number, or your own words): 2\n"), "{}", said.err);
    assert!(said.err.contains("[n]o: y\n"), "{}", said.err);
    assert_eq!(said.err.matches("write a.c").count(), 1, "asked once: {}", said.err);
    assert!(said.err.contains("✓ write_file a.c ("), "no content, no JSON: {}", said.err);
}

#[test]
fn letters_of_a_pipe_stay_as_they_are_whatever_the_locale() {
    let bench = Bench::new(vec![Turn::text("編譯 — ok")]).variable("LANG", "C");
    let said = bench.run_with(&[], "hello\n");
    assert!(said.out.contains("編譯 — ok"), "{}", said.out);
}

/// A board that is no virtual one is flashed after a yes, which is simply the next line.
#[test]
fn the_answer_to_a_command_is_the_next_line() {
    let built = Bench::new(Vec::new()).with_firmware();
    built.run(&["build"]).succeeded();
    let project = "name: own\nbuild:\n  command: cp made.elf app.elf\n  elf: app.elf\nflash:\n  command: cp {elf} flashed.elf\n";
    let bench = Bench::new(Vec::new()).file(".fwai/project.yaml", project);
    let elf = built.json(&["build"])["artifacts"][0]["path"].as_str().unwrap().to_owned();
    std::fs::copy(built.project().join(elf), bench.project().join("made.elf")).unwrap();
    let flashed = bench.project().join("flashed.elf");
    for (lines, code, done) in
        [("/build\n/flash\nn\n", 3, false), ("/build\n/flash\n", 4, false), ("/build\n/flash\ny\n", 0, true)]
    {
        let said = bench.run_with(&[], lines);
        assert_eq!(said.code, Some(code), "{lines:?}: {}{}", said.out, said.err);
        assert!(said.err.contains("Flash this board?"), "{}", said.err);
        assert_eq!(flashed.exists(), done, "{lines:?}: {}{}", said.out, said.err);
    }
    assert_eq!(bench.json(&["audit", "verify", "--all"])["ok"], true);
}
