//! Colours on a light background: known from the terminal itself, from `COLORFGBG` or from the configuration, and the
//! same for everything that is shown.

use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Turn},
    terminal::Terminal,
};
use serde_json::json;
use std::collections::BTreeSet;

const ANSWER: &str = "Look at `task_main`:\n\n```c\nstatic uint32_t x = 42; // why\nchar *s = \"a\";\n```\n\n```diff\n-old\n+new\n```\n";

fn bench() -> Bench {
    let slow = Turn::text(ANSWER).fault(Fault::Delay { ms: 700 });
    Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"})),
        Turn::tool("bash", json!({"command": "exit 3"})),
        slow,
    ])
}

/// The colours of letters in everything that was written, as the terminal was told them.
fn colours(written: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in written.split("\x1b[").skip(1) {
        let Some((codes, _)) = rest.split_once('m') else { continue };
        if !codes.chars().all(|letter| letter.is_ascii_digit() || letter == ';') {
            continue;
        }
        match codes.split_once("38;5;") {
            Some((_, index)) => drop(found.insert(format!("38;5;{index}"))),
            None => found.extend(
                codes
                    .split(';')
                    .filter(|code| matches!(code.parse(), Ok(30..=37 | 90..=97)))
                    .map(str::to_owned),
            ),
        }
    }
    found
}

/// Everything that has a colour: prompt, completion, question, spinner, diff, calls, Markdown, code, and commands.
fn a_session(terminal: &Terminal) -> BTreeSet<String> {
    terminal.command("/mode ask");
    terminal.type_in("/co\t\t");
    terminal.wait_for("/compact");
    terminal.type_in("\x03");
    terminal.wait_for_prompt();
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    terminal.type_in("y");
    terminal.wait_for("thinking");
    terminal.wait_for("+new");
    terminal.wait_for_prompt();
    for line in ["/diff", "/doctor", "/nothing", "/evidence", "/audit", "/open"] {
        terminal.command(line);
    }
    colours(&terminal.written())
}

/// Colours of the sixteen that are too light for white, and grey ones.
const LIGHT: &[&str] = &["32", "33", "36", "37", "90", "91", "92", "93", "94", "95", "96", "97"];

#[test]
fn a_terminal_that_says_its_background_is_white_gets_dark_colours_everywhere() {
    let bench = bench();
    let found = a_session(&Terminal::on_background(&bench, 100, 40, "rgb:ffff/ffff/ffff"));
    assert!(LIGHT.iter().all(|code| !found.contains(*code)), "{found:?}");
    for index in ["28", "23", "26", "160", "127"] {
        assert!(found.contains(&format!("38;5;{index}")), "no {index} in {found:?}");
    }
}

#[test]
fn on_a_dark_background_the_terminals_own_colours_stay() {
    for colour in ["rgb:0000/0000/0000", "rgb:1e/1e/2e"] {
        let bench = bench();
        let found = a_session(&Terminal::on_background(&bench, 100, 40, colour));
        assert!(found.iter().all(|code| !code.starts_with("38;5")), "{colour}: {found:?}");
        for code in ["31", "32", "36", "94"] {
            assert!(found.contains(code), "{colour}: no {code} in {found:?}");
        }
        assert!(!found.contains("33") && !found.contains("93"), "yellow is never needed: {found:?}");
    }
}

#[test]
fn a_variable_and_the_configuration_say_it_too() {
    for (variable, config, light) in [
        ("0;15", "", true),
        ("15;0", "", false),
        ("", "", false),
        ("15;0", "ui: {background: light}\n", true),
        ("0;15", "ui: {background: dark}\n", false),
    ] {
        let bench = Bench::new(vec![Turn::text(ANSWER)]).variable("COLORFGBG", variable);
        bench.user_config(config);
        let terminal = Terminal::open(&bench, 80, 40);
        terminal.command("explain");
        let found = colours(&terminal.written());
        assert_eq!(found.contains("38;5;28"), light, "{variable:?} {config:?}: {found:?}");
        assert_eq!(found.contains("32"), !light, "{variable:?} {config:?}: {found:?}");
    }
}

#[test]
fn what_the_configuration_says_of_a_white_terminal_goes_before_its_answer() {
    let bench = Bench::new(vec![Turn::text(ANSWER)]);
    bench.user_config("ui: {background: dark}\n");
    let terminal = Terminal::on_background(&bench, 80, 40, "rgb:ffff/ffff/ffff");
    terminal.command("explain");
    assert!(colours(&terminal.written()).contains("32"));
}

#[test]
fn commands_outside_of_a_session_suit_the_background() {
    let bench = Bench::new(Vec::new()).variable("COLORFGBG", "0;15");
    let terminal = Terminal::with_arguments(&bench, 100, 40, &["doctor"]);
    terminal.wait_for("sandbox");
    terminal.wait_for_silence();
    let found = colours(&terminal.written());
    assert!(!found.is_empty() && LIGHT.iter().all(|code| !found.contains(*code)), "{found:?}");
}

#[test]
fn colours_can_be_switched_off_in_the_configuration() {
    let bench = Bench::new(vec![Turn::text(ANSWER)]);
    bench.user_config("ui: {color: never}\n");
    let terminal = Terminal::open(&bench, 80, 40);
    terminal.command("explain");
    assert!(colours(&terminal.written()).is_empty(), "{:?}", colours(&terminal.written()));
}

#[test]
fn keys_that_come_before_the_prompt_are_not_lost_to_the_question_about_the_background() {
    let bench = Bench::new(vec![Turn::text("heard")]);
    let terminal = Terminal::on_background(&bench, 80, 24, "rgb:ffff/ffff/ffff");
    // Nothing is waited for: the program may not even have begun.
    terminal.type_in("first words\rhalf a li");
    terminal.wait_for("heard");
    terminal.wait_until("the rest at the prompt", |terminal| {
        terminal.lines().last().is_some_and(|line| line == "› half a li")
    });
    assert!(bench.server.requests()[0].body.to_string().contains("first words"));
}

#[test]
fn without_colours_nothing_is_hinted_at_behind_the_cursor() {
    for (variable, hinted) in [("1", false), ("", true)] {
        let bench = Bench::new(Vec::new()).variable("NO_COLOR", variable);
        let terminal = Terminal::open(&bench, 80, 24);
        terminal.wait_for_prompt();
        terminal.type_in("/evid");
        terminal.wait_for("› /evid");
        terminal.wait_for_silence();
        let line = terminal.lines().pop().unwrap();
        assert_eq!(line == "› /evidence", hinted, "{variable}: {line}");
        // Right takes the hint over.
        terminal.type_in("\x1b[C\r");
        terminal.wait_for(if hinted { "no runs here yet" } else { "did you mean /evidence?" });
    }
}
