//! Somebody's first minute: no project, no key, no board. Each step says what comes next.

use fwai_testkit::{bench::Bench, model_server::Turn, terminal::Terminal};

/// No key, and no Ollama that may run on this machine.
fn without_a_model() -> Bench {
    let bench = Bench::new(vec![Turn::text("never")]);
    let none = ["ANTHROPIC_API_KEY", "FWAI_PROVIDER", "FWAI_BASE_URL"];
    none.iter().fold(bench, |bench, name| bench.variable(name, "")).variable("OLLAMA_HOST", "127.0.0.1:1")
}

#[test]
fn the_greeting_names_a_model_a_set_up_and_the_demo() {
    let bench = without_a_model();
    let mut terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    let shown = terminal.text().replace('\n', " ");
    for next in ["/help", "ANTHROPIC_API_KEY", "Ollama", "/demo", "/init"] {
        assert!(shown.contains(next), "{next} in {shown}");
    }
    let shown = terminal.command("hello");
    assert!(shown.contains("no model to talk to") && shown.contains("/demo"), "{shown}");
    terminal.type_in("/quit\r");
    assert_eq!(terminal.wait_for_exit(), 0);
}

#[test]
fn commands_without_a_model_or_a_project_name_the_next_step() {
    let bench = without_a_model();
    for (arguments, code, next) in [
        (&["exec", "x"][..], 2, "fwai demo"),
        (&["ask", "x"], 2, "ANTHROPIC_API_KEY"),
        (&["build"], 2, "fwai init"),
        (&["flash"], 2, "fwai board use"),
        (&["monitor", "--for", "1s"], 2, "fwai board use"),
        (&["evidence", "list"], 0, "fwai build"),
        (&["sessions", "list"], 0, "fwai exec"),
        (&["init", "--yes"], 0, "--template"),
        (&["doctor"], 0, "ANTHROPIC_API_KEY"),
    ] {
        let said = bench.run(arguments);
        assert_eq!(said.code, Some(code), "{arguments:?}: {}{}", said.out, said.err);
        assert!(
            format!("{}{}", said.out, said.err).contains(next),
            "{arguments:?}: {}{}",
            said.out,
            said.err
        );
    }
}

/// Words of commands that people read break between words, whatever the width and the language.
#[test]
fn lines_break_between_words_on_narrow_terminals() {
    for (locale, columns) in [("C.UTF-8", 40), ("zh_TW.UTF-8", 40), ("zh_CN.UTF-8", 30), ("C.UTF-8", 120)] {
        let bench = Bench::new(Vec::new()).variable("LANG", locale);
        let terminal = Terminal::open(&bench, columns, 30);
        for line in ["/help", "/help build", "/doctor", "/board", "/model", "/agents", "/hlep"] {
            let shown = terminal.command(line);
            let lines: Vec<&str> = shown.lines().collect();
            for pair in lines.windows(2) {
                // The terminal itself breaks a line that is full to its last column.
                let full = fwai_testkit::terminal::width(pair[0]) >= usize::from(columns);
                let goes_on = |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
                let open = pair[0].ends_with(|c: char| c.is_ascii_alphabetic()) && pair[0].contains(' ');
                let word = pair[0].rsplit(' ').next().unwrap_or_default().len() < usize::from(columns) / 2;
                assert!(!(full && open && word && goes_on(pair[1])), "{locale} {columns}: {line}\n{shown}");
            }
        }
    }
}

#[test]
fn a_locale_without_utf8_gets_no_signs_beyond_ascii_from_any_command() {
    let bench = Bench::new(Vec::new()).variable("LANG", "C");
    let terminal = Terminal::open(&bench, 100, 40);
    for line in [
        "/help",
        "/doctor",
        "/skills",
        "/run --explain size_report",
        "/run no such thing",
        "/sessions",
        "/config",
    ] {
        terminal.command(line);
    }
    let written = terminal.written();
    let strange: Vec<char> = written.chars().filter(|letter| !letter.is_ascii()).collect();
    assert!(strange.is_empty(), "{strange:?}: {}", terminal.text());
}
