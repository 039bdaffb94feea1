//! Text that wants to steer the terminal, or to be too much for it.

use fwai_testkit::{
    bench::Bench,
    model_server::{Scenario, Turn},
    terminal::Terminal,
};
use serde_json::json;

/// Clears the screen, sets the title, writes to the clipboard, switches screens, moves, hides, answers.
const SEQUENCES: &[&str] = &[
    "\x1b[2J",
    "\x1b]0;owned\x07",
    "\x1b]52;c;ZXZpbA==\x1b\\",
    "\x1b[?1049h",
    "\x1b[10A",
    "\x1b[8m",
    "\x1bc",
    "\u{9b}31m",
    "\x1b[6n",
    "\x1b[?2004l",
    "\x07",
    "\r",
];

fn check(terminal: &Terminal) {
    let written = terminal.written();
    for sequence in
        ["\x1b[2J", "owned", "\x1b]52", "\x1b[?1049h", "\x1b[10A", "\x1b[8m", "\x1bc", "\u{9b}", "\x07"]
    {
        assert!(!written.contains(sequence), "{sequence:?} reached the terminal");
    }
    assert!(terminal.text().contains("fwai 0.1.0"), "the screen is as it was:\n{}", terminal.text());
}

#[test]
fn sequences_in_the_answer_are_left_out() {
    let text: String = SEQUENCES.iter().map(|sequence| format!("a{sequence}b ")).collect();
    for piece_chars in [1, 3, 1000] {
        let turns = vec![Turn::text(format!("{text}\n\n```\n{text}\n```\nfinished"))];
        let bench = Bench::new(Scenario { turns, piece_chars, ..Scenario::default() });
        let terminal = Terminal::open(&bench, 80, 24);
        terminal.command("hello");
        check(&terminal);
        assert!(terminal.text().contains("finished"));
    }
}

#[test]
fn sequences_in_the_output_of_a_tool_are_left_out() {
    let all: String = SEQUENCES.concat();
    let octal: String = all.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let bench = Bench::new(vec![
        Turn::tool("bash", json!({"command": format!("printf 'x{octal}y\\n'; sleep 1; printf '{octal}'")})),
        Turn::tool("write_file", json!({"path": format!("a{all}.c"), "content": format!("int {all} x;\n")})),
        Turn::tool("read_file", json!({"path": all.clone()})),
        Turn::text("finished"),
    ]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.command("hello");
    check(&terminal);
    assert!(terminal.text().contains("finished"));
    terminal.command("/open 1");
    check(&terminal);
}

#[test]
fn sequences_in_what_is_asked_are_left_out() {
    let all: String = SEQUENCES.concat();
    let bench = Bench::new(vec![
        Turn::tool("bash", json!({"command": format!("rm -f '{all}' now")})),
        Turn::tool(
            "ask_user_question",
            json!({"questions": [{"question": format!("which{all}?"), "options": [{"label": format!("A{all}")}, {"label": "B"}]}]}),
        ),
        Turn::text("finished"),
    ]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.command("/mode ask");
    terminal.type_in("hello\r");
    terminal.wait_for("yes, once");
    terminal.type_in("n");
    terminal.wait_for("2. B");
    terminal.type_in("1");
    terminal.wait_for("finished");
    check(&terminal);
}

#[test]
fn a_megabyte_in_one_line_comes_through() {
    let line = "0123456789abcdef ".repeat(60_000);
    let turns = vec![Turn::text(format!("{line} the-very-end"))];
    let bench = Bench::new(Scenario { turns, piece_chars: 4096, ..Scenario::default() });
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("much\r");
    terminal.wait_for("the-very-end");
    terminal.wait_for_prompt();
    let words = terminal.text().split_whitespace().filter(|word| *word == "0123456789abcdef").count();
    assert_eq!(words, 60_000);
}
