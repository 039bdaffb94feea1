//! A session that changes under the prompt: `/resume`, `/fork`, `/new`, `/sessions resume`. Nothing of the one gets
//! into the other, and nothing is lost.

use fwai_testkit::{bench::Bench, model_server::Turn, terminal::Terminal};
use serde_json::json;

fn todos() -> Turn {
    let todos = json!({"todos": [
        {"id": "1", "content": "read the code", "status": "completed"},
        {"id": "2", "content": "mend the clock", "status": "in_progress"},
    ]});
    Turn::tool("todo_write", todos)
}

fn list() -> Turn {
    Turn::tool("list_directory", json!({"path": "."}))
}

/// The id of a session by its title.
fn id_of(bench: &Bench, title: &str) -> String {
    let sessions = bench.json(&["sessions", "list"]);
    let mut all = sessions["sessions"].as_array().unwrap().iter();
    let found = all.find(|session| session["title"].as_str().unwrap().starts_with(title));
    found.unwrap_or_else(|| panic!("{title} in {sessions}"))["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_resumed_session_has_its_todos_calls_cost_mode_and_last_words() {
    let bench = Bench::new(vec![
        todos(),
        list(),
        Turn::text("The **clock** is off."),
        Turn::text("another matter"),
        Turn::text("still about the clock"),
    ]);
    let terminal = Terminal::open(&bench, 100, 50);
    terminal.command("/mode ask");
    terminal.command("why is it silent?");
    let cost = terminal.command("/cost");
    terminal.command("/new");
    terminal.command("/mode auto");
    terminal.command("something else");
    let first = id_of(&bench, "why");
    let shown = terminal.command(&format!("/resume {first}"));
    assert!(shown.contains("why is it silent? (1 turn)"), "{shown}");
    assert!(shown.contains("› why is it silent?") && shown.contains("The clock is off."), "{shown}");
    assert!(!shown.contains("another matter"), "{shown}");
    assert!(shown.contains("ask · "), "the mode of that session: {shown}");
    let shown = terminal.command("/todos");
    assert!(shown.contains("☑ read the code") && shown.contains("▸ mend the clock"), "{shown}");
    let shown = terminal.command("/open list");
    assert!(shown.contains("1 ✓ todo_write") && shown.contains("2 ✓ list_directory ."), "{shown}");
    assert!(terminal.command("/open 2").contains("src"));
    let after = |text: &str| {
        text.lines().filter(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(after(&terminal.command("/cost")), after(&cost), "its own, and nothing of the other one");
    assert!(terminal.command("/mode").contains("mode: ask"));
    terminal.command("and now?");
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("why is it silent?") && !request.contains("something else"), "{request}");
    let shown = terminal.command("/resume");
    assert!(shown.contains("something else") && shown.contains("another matter"), "{shown}");
    assert!(terminal.command("/todos").contains("no todos"));
    assert!(terminal.command("/open list").contains("no call"));
    assert!(terminal.command("/mode").contains("mode: auto"));
    assert_eq!(bench.json(&["sessions", "list"])["sessions"].as_array().unwrap().len(), 2);
}

#[test]
fn a_fork_keeps_what_came_before_its_turn_and_leaves_the_original_alone() {
    let bench = Bench::new(vec![
        Turn::text("answer one"),
        todos(),
        Turn::text("answer two"),
        Turn::text("another way"),
    ]);
    let terminal = Terminal::open(&bench, 100, 50);
    terminal.command("question one");
    terminal.command("question two");
    let shown = terminal.command("/fork 1");
    assert!(shown.contains("a copy of") && shown.contains("answer one"), "{shown}");
    assert!(!shown.contains("answer two"), "{shown}");
    assert!(terminal.command("/todos").contains("no todos"), "they came later");
    terminal.command("question three");
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("question one") && !request.contains("question two"), "{request}");
    for (line, expected) in [("/fork 99", "there is no turn 99"), ("/fork x", "is not the number of a turn")]
    {
        let shown = terminal.command(line);
        assert!(shown.contains(expected) && shown.contains("next: /fork copies all of it"), "{shown}");
    }
    let shown = terminal.command("/resume");
    assert!(shown.contains("(2 turns)") && shown.contains("answer two"), "{shown}");
    assert!(terminal.command("/todos").contains("mend the clock"));
}

#[test]
fn a_session_that_another_window_has_is_refused_and_this_one_goes_on() {
    let bench =
        Bench::new(vec![Turn::text("in the first window"), Turn::text("here"), Turn::text("still here")]);
    let one = Terminal::open(&bench, 100, 30);
    one.command("the first window");
    let other = Terminal::open(&bench, 100, 30);
    other.command("the second window");
    let shown = other.command("/resume");
    assert!(shown.contains("in use by another fwai") && shown.contains("/sessions fork"), "{shown}");
    other.command("go on");
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("the second window"), "{request}");
    let mut third =
        Terminal::with_arguments(&bench, 100, 30, &["sessions", "resume", &id_of(&bench, "the first")]);
    third.wait_for("in use by another fwai");
    assert_eq!(third.wait_for_exit(), 1);
}

#[test]
fn a_program_that_begins_with_a_session_shows_where_it_stands() {
    let bench = Bench::new(vec![Turn::text("the last answer"), Turn::text("more")]);
    bench.run(&["exec", "the last question"]).succeeded();
    let terminal = Terminal::with_arguments(&bench, 80, 30, &["sessions", "resume", "last"]);
    terminal.wait_for_prompt();
    let shown = terminal.text();
    assert!(shown.contains("› the last question") && shown.contains("the last answer"), "{shown}");
    terminal.command("and?");
    assert!(bench.server.requests().pop().unwrap().body.to_string().contains("the last answer"));
    let shown = terminal.command("/sessions resume last");
    assert!(shown.contains("is this conversation"), "{shown}");
}

#[test]
fn lines_that_wait_are_carried_out_in_the_session_that_is_then_there() {
    let slow = Turn::text("slow answer").fault(fwai_testkit::model_server::Fault::Delay { ms: 1000 });
    let bench = Bench::new(vec![Turn::text("old answer"), slow, Turn::text("back again")]);
    bench.run(&["exec", "the old matter"]).succeeded();
    let terminal = Terminal::open(&bench, 80, 30);
    terminal.wait_for_prompt();
    terminal.type_in("a new matter\r");
    terminal.wait_for("thinking");
    terminal.type_in("/resume\rand the old one?\r");
    terminal.wait_for("back again");
    terminal.wait_for_prompt();
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("the old matter") && !request.contains("a new matter"), "{request}");
}
