//! What is on the screen: narrow, resized in the middle, without colours, without UTF-8, dumb.

use fwai_schema::message::Usage;
use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Scenario, Turn},
    terminal::Terminal,
};
use serde_json::json;

const ANSWER: &str = "# The fault\n\nThe **stack** overflows in `task_main`, which is why nothing is printed after the first line.\n\n- look at the linker script\n- raise the stack\n  - to 4 kB\n\n```c\nuint32_t stack[1024];\n```\n\n| name | size |\n|---|---|\n| heap | 2048 |\n";

#[test]
fn markdown_is_laid_out_and_coloured() {
    let bench = Bench::new(vec![Turn::text(ANSWER)]);
    let terminal = Terminal::open(&bench, 80, 40);
    terminal.command("explain");
    let shown = terminal.text();
    for piece in [
        "\nThe fault\n",
        "The stack overflows in task_main,",
        "• look",
        "  ◦ to 4 kB",
        "  uint32_t stack[1024];",
        "heap │ 2048",
    ] {
        assert!(shown.contains(piece), "no {piece:?} in\n{shown}");
    }
    let written = terminal.written();
    assert!(written.contains("\x1b[94muint32_t\x1b[0m"), "types have a colour");
}

#[test]
fn narrow_terminals_are_not_garbled() {
    for columns in [20, 40] {
        let bench = Bench::new(vec![Turn::tool("list_directory", json!({"path": "."})), Turn::text(ANSWER)]);
        let terminal = Terminal::open(&bench, columns, 24);
        terminal.command("explain");
        let lines = terminal.lines();
        assert!(lines.iter().all(|line| line.chars().count() <= usize::from(columns)));
        let shown = lines.join("\n");
        let words = ["The fault", "overflows", "uint32_t", "2048"];
        assert!(words.iter().all(|word| shown.contains(word)), "{columns}:\n{shown}");
        assert_eq!(shown.matches("The fault").count(), 1, "{columns}:\n{shown}");
        assert!(!shown.contains("thinking"), "the spinner is gone: {shown}");
    }
}

#[test]
fn a_new_size_in_the_middle_of_an_answer_leaves_no_trace() {
    let words: String = (0..120).map(|number| format!("word{number} ")).collect();
    let text = format!("{words}\n\n- first point\n- second point\n\nThe end of it.\n");
    // The answer pauses in the middle, so that the size changes between two drawings and not within one.
    let turn = Turn::text(&text).fault(Fault::Stall { after: 14_000, ms: 4_000 });
    let bench = Bench::new(Scenario { turns: vec![turn], piece_chars: 5, ..Scenario::default() });
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("tell me\r");
    terminal.wait_for("word50");
    terminal.type_in("typed ahead");
    terminal.wait_for("› typed ahead");
    for columns in [40, 100, 30, 80] {
        let before = terminal.written().len();
        terminal.resize(columns, 24);
        terminal.wait_until("a new drawing", |terminal| terminal.written().len() > before);
    }
    assert!(!terminal.text().contains("The end"), "all this was in the middle");
    terminal.wait_for("The end of it.");
    terminal.wait_for("› typed ahead");
    terminal.wait_until("the prompt", |terminal| {
        terminal.lines().last().is_some_and(|line| line.ends_with("typed ahead"))
    });
    let shown = terminal.text();
    for number in 0..120 {
        let count = shown.split_whitespace().filter(|word| *word == format!("word{number}")).count();
        assert_eq!(count, 1, "word{number}:\n{shown}");
    }
    for once in ["The end of it.", "first point", "typed ahead", "› tell me"] {
        assert_eq!(shown.matches(once).count(), 1, "{once}:\n{shown}");
    }
    let states = shown.lines().filter(|line| line.starts_with("auto · ")).count();
    assert_eq!(states, 1, "one state line, at the end:\n{shown}");
}

#[test]
fn a_running_tool_shows_its_time_and_last_line_and_then_one_line() {
    let bench = Bench::new(vec![
        Turn::tool("bash", json!({"command": "for i in 1 2 3; do echo step $i; sleep 0.6; done"})),
        Turn::text("done"),
    ]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("go\r");
    terminal.wait_for("│ step 2");
    assert!(!terminal.cursor_is_visible(), "a cursor would blink about");
    terminal.wait_for("✓ bash");
    terminal.wait_for_prompt();
    let shown = terminal.text();
    assert!(!shown.contains("step 2\n") && shown.contains("3 lines"), "{shown}");
    assert_eq!(shown.matches("bash").count(), 1, "{shown}");
}

#[test]
fn without_colours_nothing_is_coloured() {
    let bench = Bench::new(vec![Turn::text(ANSWER)]).variable("NO_COLOR", "1");
    let terminal = Terminal::open(&bench, 80, 40);
    terminal.command("explain");
    let coloured: Vec<String> = terminal
        .written()
        .split("\x1b[")
        .skip(1)
        .filter_map(|rest| {
            let end = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
            (rest[end..].starts_with('m') && !matches!(&rest[..end], "" | "0" | "39" | "49"))
                .then(|| rest[..end].to_owned())
        })
        .collect();
    assert!(coloured.is_empty(), "{coloured:?}");
    assert!(terminal.text().contains("`task_main`"), "what colours said is said by marks");
}

#[test]
fn a_locale_without_utf8_gets_ascii() {
    let bench = Bench::new(vec![Turn::tool("list_directory", json!({"path": "."})), Turn::text(ANSWER)])
        .variable("LANG", "C");
    let terminal = Terminal::open(&bench, 80, 40);
    terminal.command("explain");
    assert!(terminal.written().is_ascii(), "{}", terminal.text());
    assert!(
        terminal.text().contains("- look at the linker script") && terminal.text().contains("heap | 2048")
    );
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let bench =
        Bench::new(vec![Turn::text("plain words"), Turn::text("more words")]).variable("TERM", "dumb");
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for("/help");
    terminal.type_in("hello\n");
    terminal.wait_for("plain words");
    terminal.type_in("and\n");
    terminal.wait_for("more words");
    terminal.type_in("/cost\n/quit\n");
    assert_eq!(terminal.wait_for_exit(), 0);
    assert!(!terminal.written().contains('\x1b'), "{:?}", terminal.written());
}

#[test]
fn the_terminal_is_given_back_after_a_signal_and_at_the_end() {
    for (signal, during_work) in [("TERM", false), ("TERM", true), ("HUP", true), ("", false)] {
        let bench = Bench::new(vec![Turn::tool("bash", json!({"command": "echo begun; sleep 100"}))]);
        // The shell stays, so that the terminal can be asked how it is.
        let script = "trap '' HUP; stty -a > before; $FWAI; echo ended with $?; stty -a > after; echo over";
        let terminal = Terminal::with_script(&bench, 80, 24, script);
        terminal.wait_for_prompt();
        if during_work {
            terminal.type_in("wait\r");
            terminal.wait_for("│ begun");
        }
        match signal {
            "" => terminal.type_in("/quit\r"),
            signal => {
                let shell = terminal.process();
                let children =
                    std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
                let fwai = children.split_whitespace().next().unwrap().to_owned();
                let status = std::process::Command::new("kill").args([&format!("-{signal}"), &fwai]).status();
                assert!(status.unwrap().success());
            }
        }
        terminal.wait_for("over");
        let expected = match signal {
            "TERM" => "ended with 143",
            "HUP" => "ended with 129",
            _ => "ended with 0",
        };
        assert!(terminal.text().contains(expected), "{signal}: {}", terminal.text());
        let read = |name: &str| std::fs::read_to_string(bench.project().join(name)).unwrap();
        assert_eq!(read("before"), read("after"), "{signal}");
        assert!(terminal.cursor_is_visible());
        if during_work {
            let sessions = bench.json(&["sessions", "list"]);
            assert_eq!(sessions["sessions"][0]["turns"], 1, "{sessions}");
        }
    }
}

#[test]
fn letters_that_a_terminal_cannot_show_do_not_reach_it() {
    // 0x9B, the second byte of `ě`, begins a sequence on a terminal that is not of UTF-8.
    let answer = "“Done” — 5 µs… 編譯 ě\n\n| größe | 大小 |\n|---|---|\n| é | → |\n";
    let command = format!("echo {}", "ěščř ".repeat(30));
    for locale in ["C", "POSIX", "en_US.ISO-8859-1", "zh_TW.BIG5"] {
        let bench = Bench::new(vec![Turn::tool("bash", json!({"command": command})), Turn::text(answer)])
            .variable("LANG", locale)
            .file(
                "größe.c",
                concat!("const char *token = \"ghp_", "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8\";\n"),
            );
        let terminal = Terminal::open(&bench, 80, 40);
        terminal.command("explain");
        terminal.command("/open 1");
        terminal.command("/security");
        let strange: String = terminal.written().chars().filter(|letter| !letter.is_ascii()).collect();
        assert_eq!(strange, "", "{locale}: {}", terminal.text());
        assert!(terminal.text().contains("\"Done\" - 5 us. ???? ?"), "{locale}: {}", terminal.text());
        assert!(terminal.text().contains("LANG=C.UTF-8"), "how to see them: {}", terminal.text());
    }
    let bench = Bench::new(vec![Turn::text(answer)]).variable("LANG", "");
    let terminal = Terminal::open(&bench, 80, 40);
    terminal.command("explain");
    assert!(terminal.text().contains("編譯 ě"), "a locale that is not set says nothing: {}", terminal.text());
}

#[test]
fn a_narrow_state_says_in_short_what_matters() {
    for (columns, expected) in [(40, "auto · claude-"), (70, "(virtual)"), (120, "auto · anthropic/claude-")]
    {
        let usage = Usage { input_tokens: 26_000, output_tokens: 600, ..Usage::default() };
        let bench = Bench::new(vec![Turn::text("hello").usage(usage)]).with_firmware();
        let terminal = Terminal::open(&bench, columns, 24);
        terminal.command("hello");
        let lines = terminal.lines();
        let state = &lines[lines.len() - 2];
        assert_eq!(state.contains(expected), columns != 70, "{columns}: {state}");
        assert!(state.contains(" · $0.0"), "{columns}: {state}");
        assert_eq!(state.contains("stm32vldiscovery"), columns >= 70, "{columns}: {state}");
        assert_eq!(state.contains(" tokens"), columns == 120, "{columns}: {state}");
    }
}

#[test]
fn a_person_at_a_dumb_terminal_sees_whose_turn_it_is_and_can_leave() {
    let write = Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"}));
    let bench = Bench::new(vec![Turn::text("plain words"), write, Turn::text("never")])
        .with_firmware()
        .variable("TERM", "dumb");
    let mut terminal = Terminal::open(&bench, 80, 40);
    assert!(terminal.command("hello").contains("plain words"));
    terminal.command("/mode ask");
    terminal.type_in("flash the board\n");
    terminal.wait_for("[n] neither");
    terminal.type_in("n\n");
    terminal.wait_for_prompt();
    terminal.type_in("write it\n");
    terminal.wait_for("[n]o:");
    // Nothing waits for the end of a line that never comes.
    terminal.type_in("\x03");
    terminal.wait_for("interrupted");
    terminal.wait_for_prompt();
    assert!(!bench.project().join("a.c").exists());
    terminal.type_in("\x03");
    terminal.wait_for("again");
    terminal.wait_for_prompt();
    terminal.type_in("\x03");
    terminal.wait_for_exit();
    assert!(!terminal.written().contains('\x1b'), "{:?}", terminal.written());
}

#[test]
fn a_terminal_that_answers_nothing_is_asked_once_and_worked_with() {
    let write = Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"}));
    let bench = Bench::new(vec![write, Turn::text("**written**")]);
    let mut terminal = Terminal::mute(&bench, 80, 30);
    terminal.command("/mode ask");
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    terminal.type_in("y");
    terminal.wait_for("written");
    assert!(terminal.command("/cost").contains("tool calls"));
    assert!(terminal.text().contains("ask · anthropic/"), "{}", terminal.text());
    terminal.type_in("/quit\r");
    assert_eq!(terminal.wait_for_exit(), 0);
    assert_eq!(terminal.written().matches("\x1b[6n").count(), 1, "nobody waits again and again");
    assert!(bench.project().join("a.c").exists());
}
