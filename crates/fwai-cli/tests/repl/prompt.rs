//! What stands at the prompt and what is asked there: clearing, completing, answering, remembering.

use fwai_testkit::{
    bench::Bench,
    model_server::{Fault, Turn},
    terminal::Terminal,
};
use serde_json::json;

#[test]
fn ctrl_c_clears_what_is_typed_and_leaves_only_when_nothing_was() {
    let bench = Bench::new(Vec::new());
    let mut terminal = Terminal::open(&bench, 80, 24);
    for line in ["half a line", "/another one", "and a third"] {
        terminal.wait_for_prompt();
        terminal.type_in(line);
        terminal.wait_for(line);
        terminal.type_in("\x03");
        terminal.wait_for_prompt();
    }
    // Looking for an earlier line is typing, too.
    terminal.type_in("\x12zz");
    terminal.wait_for("(search: zz)");
    terminal.type_in("\x03");
    terminal.wait_for_prompt();
    terminal.type_in("\x03");
    terminal.wait_for_exit();
}

#[test]
fn a_file_is_found_by_any_part_of_its_name_and_goes_with_the_words() {
    let bench = Bench::new(vec![Turn::text("read"), Turn::text("read too")])
        .file("src/drivers/uart_dma.c", "int in_the_driver;\n")
        .file("docs/my notes.md", "a note with spaces\n");
    let terminal = Terminal::open(&bench, 100, 24);
    terminal.wait_for_prompt();
    terminal.type_in("look at @dma\t");
    terminal.wait_for("look at @src/drivers/uart_dma.c");
    terminal.type_in("and @docs/my\t");
    terminal.wait_for("@\"docs/my notes.md\"");
    terminal.type_in("in @src/\r");
    terminal.wait_for("read");
    terminal.wait_for_prompt();
    let sent = bench.server.requests()[0].body.to_string();
    for piece in ["int in_the_driver;", "a note with spaces", "src/drivers/"] {
        assert!(sent.contains(piece), "{piece} in {sent}");
    }
    let shown = terminal.command("look at @src/uart_dma.c");
    assert!(shown.contains("did you mean @src/drivers/uart_dma.c?"), "{shown}");
    assert_eq!(bench.server.requests().len(), 2, "the words go all the same");
}

#[test]
fn words_of_a_person_are_written_with_the_keys_that_end_them_in_sight() {
    let question =
        json!({"questions": [{"question": "Which board?", "options": [{"label": "A"}, {"label": "B"}]}]});
    let bench = Bench::new(vec![Turn::tool("ask_user_question", question), Turn::text("thanks")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("set it up\r");
    terminal.wait_for("2. B");
    terminal.type_in("e");
    terminal.wait_for("Enter sends   Esc goes back");
    terminal.type_in("neither");
    terminal.wait_for("say: neither");
    assert!(!terminal.text().contains("Ctrl-C stops\n"), "nothing works now: {}", terminal.text());
    terminal.type_in("\x1b");
    terminal.wait_for("1-2 choose");
    terminal.type_in("e");
    terminal.type_in("a third one\r");
    terminal.wait_for("thanks");
    assert!(bench.server.requests().pop().unwrap().body.to_string().contains("a third one"));
}

#[test]
fn the_time_of_a_call_is_its_own_and_not_that_of_the_person() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"})),
        Turn::text("done"),
    ]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.command("/mode ask");
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    std::thread::sleep(std::time::Duration::from_millis(1200));
    terminal.type_in("y");
    terminal.wait_for("done");
    let shown = terminal.text();
    let line = shown.lines().find(|line| line.contains("✓ write_file")).unwrap();
    assert!(line.contains(" ms"), "not a second: {line}");
}

#[test]
fn a_line_that_waited_is_in_the_history_like_any_other() {
    let slow = Turn::text("first answer").fault(Fault::Delay { ms: 800 });
    let bench = Bench::new(vec![slow, Turn::text("second answer")]);
    let terminal = Terminal::open(&bench, 80, 24);
    terminal.wait_for_prompt();
    terminal.type_in("one\r");
    terminal.wait_for("thinking");
    terminal.type_in("typed meanwhile\r");
    terminal.wait_for("second answer");
    terminal.wait_for_prompt();
    terminal.type_in("\x1b[A");
    terminal.wait_until("the line comes back", |terminal| {
        terminal.lines().last().is_some_and(|line| line == "› typed meanwhile")
    });
}

#[test]
fn what_a_command_asks_is_answered_by_one_key() {
    let built = Bench::new(Vec::new()).with_firmware();
    let elf = built.json(&["build"])["artifacts"][0]["path"].as_str().unwrap().to_owned();
    let project = "name: own\nbuild:\n  command: cp made.elf app.elf\n  elf: app.elf\nflash:\n  command: cp {elf} flashed.elf\n";
    let bench = Bench::new(Vec::new()).file(".fwai/project.yaml", project);
    std::fs::copy(built.project().join(elf), bench.project().join("made.elf")).unwrap();
    let terminal = Terminal::open(&bench, 100, 50);
    terminal.command("/build");
    let flashed = bench.project().join("flashed.elf");
    for (number, (key, shown)) in
        [("\x03", "interrupted"), ("n", "left alone"), ("\r", "left alone"), ("y", "flashed;")]
            .into_iter()
            .enumerate()
    {
        assert!(!flashed.exists());
        terminal.type_in("/flash\r");
        terminal.wait_until("the question", |terminal| {
            terminal.text().matches("Flash this board? [y/N]").count() == number + 1
                && terminal.lines().last().is_some_and(|line| line.ends_with("[y/N]"))
        });
        terminal.type_in(key);
        terminal.wait_for(shown);
        terminal.wait_for_prompt();
    }
    assert!(flashed.exists(), "{}", terminal.text());
}
