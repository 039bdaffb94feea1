//! Keys: interruption, the queue, permissions and plans, several lines, history, completion.

use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Turn},
    terminal::Terminal,
};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

fn write(name: &str) -> Turn {
    Turn::tool("write_file", json!({"path": name, "content": "int a;\nint b;\n"}))
}

/// A turn that goes on until it is stopped.
fn sleep() -> Turn {
    Turn::tool("bash", json!({"command": "echo begun; sleep 100"}))
}

#[test]
fn a_permission_is_given_by_one_key_and_shows_what_will_change() {
    let bench = Bench::new(vec![write("a.c"), Turn::text("first"), write("b.c"), Turn::text("second")]);
    let terminal = Terminal::open(&bench, 100, 30);
    terminal.command("/mode ask");
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    let shown = terminal.text();
    assert!(shown.contains("wants to write a.c") && shown.contains("a.c  +2 -0"), "{shown}");
    assert!(shown.contains("1 + int a;"), "{shown}");
    assert!(!bench.project().join("a.c").exists(), "nothing happens before the answer");
    terminal.type_in("y");
    terminal.wait_for("first");
    assert!(bench.project().join("a.c").exists());
    terminal.wait_for_prompt();
    terminal.type_in("and the other\r");
    terminal.wait_for("wants to write b.c");
    terminal.type_in("n");
    terminal.wait_for("second");
    assert!(!bench.project().join("b.c").exists());
}

#[test]
fn always_writes_a_rule_and_words_go_to_the_model() {
    let bench = Bench::new(vec![write("a.c"), Turn::text("first"), write("b.c"), Turn::text("I will not")]);
    let terminal = Terminal::open(&bench, 80, 30);
    terminal.command("/mode ask");
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    terminal.type_in("a");
    terminal.wait_for("first");
    assert!(bench.run(&["policy", "rules"]).out.contains("a.c"), "the rule can be seen");
    terminal.wait_for_prompt();
    terminal.type_in("and another\r");
    terminal.wait_for("wants to write b.c");
    terminal.type_in("e");
    terminal.type_in("use the old file\r");
    terminal.wait_for("I will not");
    assert!(bench.server.requests().pop().unwrap().body.to_string().contains("use the old file"));
}

#[test]
fn a_plan_is_shown_and_approved_by_one_key() {
    let plan = "# Plan\n\n1. change `src/led.c`, so that the clock is enabled\n2. build, flash and watch the console\n";
    let bench = Bench::new(vec![
        Turn::tool("submit_plan", json!({"plan": plan})),
        write("src/led.c"),
        Turn::text("carried out"),
    ]);
    let terminal = Terminal::open(&bench, 80, 30);
    terminal.command("/plan");
    terminal.type_in("fix the light\r");
    terminal.wait_for("approve and carry it out");
    let shown = terminal.text();
    assert!(
        shown.contains("1. change src/led.c") && shown.contains("Files that this plan will touch"),
        "{shown}"
    );
    terminal.type_in("y");
    terminal.wait_for("carried out");
    assert!(bench.project().join("src/led.c").exists());
    terminal.wait_for_prompt();
    assert!(terminal.text().contains("mode: auto"), "{}", terminal.text());
}

#[test]
fn a_plan_that_is_not_right_goes_back_with_words() {
    let plan = "# Plan\n\n1. rewrite everything from the beginning, in one go\n";
    let bench =
        Bench::new(vec![Turn::tool("submit_plan", json!({"plan": plan})), Turn::text("a smaller plan")]);
    let terminal = Terminal::open(&bench, 80, 30);
    terminal.command("/plan");
    terminal.type_in("fix the light\r");
    terminal.wait_for("say what to change");
    terminal.type_in("e");
    terminal.type_in("only one file\r");
    terminal.wait_for("a smaller plan");
    assert!(bench.server.requests().pop().unwrap().body.to_string().contains("only one file"));
}

#[test]
fn one_ctrl_c_interrupts_and_the_conversation_goes_on() {
    let bench = Bench::new(vec![sleep(), Turn::text("here again")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("wait\r");
    terminal.wait_for("│ begun");
    terminal.type_in("\x03");
    terminal.wait_for("interrupted");
    terminal.command("go on");
    assert!(terminal.text().contains("here again"));
}

#[test]
fn escape_interrupts_too() {
    let bench = Bench::new(vec![sleep()]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("wait\r");
    terminal.wait_for("│ begun");
    terminal.type_in("\x1b");
    terminal.wait_for("interrupted");
    terminal.wait_for_prompt();
}

#[test]
fn two_ctrl_c_at_the_prompt_leave_and_so_does_ctrl_d() {
    let bench = Bench::new(Vec::new());
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("\x03");
    terminal.wait_for("again");
    terminal.wait_for_prompt();
    terminal.type_in("\x03");
    terminal.wait_for_exit();
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("\x04");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn two_ctrl_c_during_a_turn_leave() {
    // The model itself hangs: nothing ends the turn but the second key.
    let bench = Bench::new(vec![sleep()]);
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("wait\r");
    terminal.wait_for("│ begun");
    terminal.type_in("\x03\x03");
    assert_eq!(terminal.wait_for_exit(), 130);
    let shown = bench.json(&["sessions", "list"]);
    assert_eq!(shown["sessions"].as_array().unwrap().len(), 1, "the session can be resumed");
}

#[test]
fn what_is_typed_while_it_works_waits_and_runs_after() {
    let slow = Turn::text("first answer").fault(Fault::Delay { ms: 1500 });
    let bench = Bench::new(vec![slow, Turn::text("second answer")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("one\r");
    terminal.wait_for("thinking");
    terminal.type_in("two\r/cost\rhalf a li");
    terminal.wait_for("› half a li");
    assert!(terminal.text().contains("› two\n› /cost\n"), "{}", terminal.text());
    terminal.wait_for("second answer");
    terminal.wait_for("of it cached");
    terminal.wait_for("half a li");
    terminal.type_in("ne\x15/quit\r");
    let requests = bench.server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].body.to_string().contains("two"));
}

#[test]
fn a_queued_line_can_be_taken_back_and_changed() {
    let slow = Turn::text("first answer").fault(Fault::Delay { ms: 1500 });
    let bench = Bench::new(vec![slow, Turn::text("second answer")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("one\r");
    terminal.wait_for("thinking");
    terminal.type_in("wrong\r");
    terminal.wait_for("› wrong");
    terminal.type_in("\x1b[A");
    terminal.type_in("\x7f\x7f\x7f\x7f\x7fright\r");
    terminal.wait_for("second answer");
    let sent = bench.server.requests()[1].body.to_string();
    assert!(sent.contains("right") && !sent.contains("wrong"), "{sent}");
}

#[test]
fn several_lines_by_backslash_by_alt_enter_and_by_paste() {
    let bench = Bench::new(vec![Turn::text("one"), Turn::text("two"), Turn::text("three")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("first\\\rsecond\r");
    terminal.wait_for("one");
    terminal.wait_for_prompt();
    terminal.type_in("third\x1b\rfourth\r");
    terminal.wait_for("two");
    terminal.wait_for_prompt();
    let pasted: String = (1..=200).map(|number| format!("line {number}\n")).collect();
    terminal.type_in(&format!("\x1b[200~{pasted}\x1b[201~"));
    terminal.wait_for("line 200");
    terminal.type_in("\r");
    terminal.wait_for("three");
    let said = |number: usize| bench.server.requests()[number].body.to_string();
    assert!(said(0).contains("first\\nsecond"), "{}", said(0));
    assert!(said(1).contains("third\\nfourth"), "{}", said(1));
    assert!(said(2).contains("line 1\\nline 2\\n") && said(2).contains("line 200"), "{}", said(2));
    assert_eq!(bench.server.requests().len(), 3, "a paste is one message");
}

#[test]
fn history_outlives_the_session_without_secrets_and_for_its_owner_only() {
    let bench = Bench::new(vec![Turn::text("noted"), Turn::text("again")]);
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.command(&format!("my token is {secret}"));
    terminal.type_in("/quit\r");
    terminal.wait_for_exit();
    let file = bench.directory.path().join("user/history");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("my token is") && !kept.contains(&secret), "{kept}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("\x1b[A\x1b[A");
    terminal.wait_for("› my token is");
}

#[test]
fn tab_completes_commands_words_and_files() {
    let bench = Bench::new(Vec::new()).file("src/watchdog.c", "");
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("/evid\t");
    terminal.wait_for("› /evidence");
    terminal.type_in("sho\t");
    terminal.wait_for("/evidence show");
    terminal.type_in("\x15look at @src/wat\t");
    terminal.wait_for("@src/watchdog.c");
}

#[test]
fn a_call_opens_on_demand_while_it_works_and_at_the_prompt() {
    let long: String = (1..=80).map(|number| format!("row {number}\\n")).collect();
    let call = Turn::tool("bash", json!({"command": format!("printf '{long}'")}));
    let slow = Turn::text("all said").fault(Fault::Delay { ms: 3000 });
    let bench = Bench::new(vec![call, slow]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("go\r");
    terminal.wait_for("80 lines");
    assert!(!terminal.text().contains("row 40"), "one line until it is opened");
    terminal.type_in("\x0f");
    terminal.wait_for("q leaves");
    terminal.wait_for("row 1\n");
    terminal.type_in("G");
    terminal.wait_for("row 80");
    terminal.type_in("q");
    terminal.wait_for("all said");
    terminal.wait_for_prompt();
    assert!(!terminal.text().contains("row 40"), "the pager leaves nothing behind: {}", terminal.text());
    terminal.type_in("half \x0f");
    terminal.wait_for("q leaves");
    terminal.type_in("q");
    terminal.wait_for("› half");
}

#[test]
fn a_question_is_answered_by_its_number() {
    let questions = json!({"questions": [
        {"question": "Which board?", "options": [{"label": "bluepill"}, {"label": "microbit"}]},
        {"question": "Which probes?", "multiple": true, "options": [{"label": "jlink"}, {"label": "stlink"}, {"label": "cmsis"}]},
    ]});
    let bench = Bench::new(vec![Turn::tool("ask_user_question", questions), Turn::text("thanks")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("set it up\r");
    terminal.wait_for("2. microbit");
    terminal.type_in("2");
    terminal.wait_for("3. cmsis");
    terminal.type_in("13");
    terminal.wait_for("[1 3]");
    terminal.type_in("\r");
    terminal.wait_for("thanks");
    let sent = bench.server.requests().pop().unwrap().body.to_string();
    assert!(sent.contains("microbit") && sent.contains("jlink") && sent.contains("cmsis"), "{sent}");
}

/// A project whose build takes its time.
fn with_slow_build(turns: Vec<Turn>) -> Bench {
    let project = "name: slow\nbuild:\n  command: echo compiling; sleep 3; echo linking; sleep 1\n";
    Bench::new(turns).file(".fwai/project.yaml", project)
}

#[test]
fn what_is_typed_while_a_command_works_is_shown_and_waits() {
    let bench = with_slow_build(vec![Turn::text("an answer")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("/build\r");
    terminal.wait_for("⠋ ");
    terminal.type_in("/mode ask\rsay something\rhalf a li");
    terminal.wait_for("› half a li");
    assert!(terminal.text().contains("› /mode ask\n› say something\n› half a li"), "{}", terminal.text());
    terminal.type_in("\x15\x1b[A");
    terminal.wait_until("the last line comes back", |terminal| {
        terminal.lines().last().is_some_and(|line| line == "› say something")
    });
    terminal.type_in(" else\r\x1b[200~pasted\nin two lines\x1b[201~");
    terminal.wait_for("› pasted⏎in two lines");
    terminal.wait_for("an answer");
    terminal.wait_for("mode: ask");
    terminal.wait_for("  in two lines");
    let shown = terminal.text();
    assert_eq!(shown.matches("› say something else").count(), 1, "{shown}");
    assert_eq!(shown.matches("⠋").count(), 0, "{shown}");
    let requests = bench.server.requests();
    assert_eq!(requests.len(), 1, "a paste is not sent by itself");
    assert!(requests[0].body.to_string().contains("say something else"));
}

#[test]
fn ctrl_c_ends_a_command_and_gives_back_what_waits() {
    let bench = with_slow_build(Vec::new());
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("/build\r");
    terminal.wait_for("⠋ ");
    terminal.type_in("/flash\r");
    terminal.wait_for("› /flash");
    terminal.type_in("\x03");
    terminal.wait_for("cancelled");
    terminal.wait_until("the line at the prompt", |terminal| {
        terminal.lines().last().is_some_and(|line| line == "› /flash")
    });
    terminal.type_in("\x15");
    terminal.wait_for_prompt();
}

#[test]
fn words_that_may_mean_a_skill_are_decided_by_one_key() {
    let bench = Bench::new(vec![Turn::text("the agent speaks")]).with_firmware();
    let terminal = Terminal::open(&bench, 80, 30);
    terminal.wait_for_prompt();
    for (key, expected) in [("n", "[n]"), ("\x1b", "[n]"), ("\x03", "[n]"), ("a", "the agent speaks")] {
        terminal.type_in("flash the board\r");
        terminal.wait_until("the question", |terminal| {
            terminal.lines().last().is_some_and(|line| line.contains("[a]") || line.contains("[n]"))
        });
        let shown = terminal.text();
        assert!(shown.contains("[1] ") && shown.contains("build_flash_monitor"), "{shown}");
        terminal.type_in(key);
        terminal.wait_for(expected);
        terminal.wait_for_prompt();
    }
    assert_eq!(bench.server.requests().len(), 1, "only one of them was for the agent");
    let runs = || bench.json(&["evidence", "list"])["runs"].as_array().unwrap().len();
    let before = runs();
    terminal.type_in("flash the board\r");
    terminal.wait_until("the question", |terminal| {
        terminal.lines().last().is_some_and(|line| line.contains("[a]") || line.contains("[n]"))
    });
    terminal.type_in("1");
    terminal.wait_for("build_flash_monitor: success");
    terminal.wait_for_prompt();
    assert!(runs() > before);
}
