//! `/init` at a terminal: detection first, then the agent asks for what is missing, or fwai itself does.

use fwai_testkit::{bench::Bench, model_server::Turn, terminal::Terminal};
use serde_json::json;

/// A project that says how it is built, but not for which chip.
fn half(turns: Vec<Turn>) -> Bench {
    Bench::new(turns)
        .file("Makefile", "CC = arm-none-eabi-gcc\nall: app.elf\napp.elf: src/main.c\n\t$(CC) -o $@ $<\n")
        .file("src/main.c", "/* an STM32F4 */ int main(void) { for (;;) {} }\n")
}

fn project_file(bench: &Bench) -> String {
    std::fs::read_to_string(bench.project().join(".fwai/project.yaml")).unwrap()
}

#[test]
fn the_agent_looks_asks_by_one_key_and_the_state_follows() {
    let question = json!({"questions": [
        {"question": "Which STM32F4?", "options": [{"label": "STM32F401CCU6"}, {"label": "STM32F407VGT6"}]},
    ]});
    let bench = half(vec![
        Turn::tool("grep", json!({"pattern": "STM32"})),
        Turn::tool("ask_user_question", question),
        Turn::tool("init_project", json!({"answers": {"mcu": "STM32F407VGT6", "board": "netduinoplus2"}})),
        Turn::text("The chip is set."),
    ]);
    let terminal = Terminal::open(&bench, 90, 50);
    terminal.wait_for_prompt();
    assert!(terminal.text().contains("/init looks at its files"), "{}", terminal.text());
    terminal.type_in("/init\r");
    terminal.wait_for("2. STM32F407VGT6");
    let shown = terminal.text();
    for piece in ["build_command      make", "The files do not say: mcu", "Next: /build"] {
        assert!(shown.contains(piece), "{piece}: {shown}");
    }
    assert!(
        project_file(&bench).contains("command: make"),
        "what is certain is written before anybody is asked"
    );
    terminal.type_in("2");
    terminal.wait_for("The chip is set.");
    terminal.wait_for_prompt();
    assert!(project_file(&bench).contains("mcu: STM32F407VGT6"), "{}", project_file(&bench));
    let lines = terminal.lines();
    assert!(lines[lines.len() - 2].contains("netduinoplus2"), "{}", terminal.text());
    let asked = bench.server.requests()[0].body.to_string();
    assert!(
        asked.contains("still open: mcu, board, flash_command, serial_port."),
        "only what is open: {asked}"
    );
}

#[test]
fn a_project_that_says_it_all_needs_no_model() {
    let bench = Bench::new(Vec::new()).with_firmware();
    let terminal = Terminal::open(&bench, 100, 50);
    let shown = terminal.command("/init");
    assert!(shown.contains("mcu") && shown.contains("STM32F100RB"), "{shown}");
    let file = project_file(&bench);
    terminal.command("/init");
    assert_eq!(project_file(&bench), file, "a second time changes nothing");
}

#[test]
fn a_model_that_fails_leaves_what_was_found() {
    let fault =
        fwai_testkit::model_server::Fault::Status { status: 400, message: "no".into(), retry_after: None };
    let bench = half(vec![Turn::text("never").fault(fault)]);
    let terminal = Terminal::open(&bench, 90, 50);
    let shown = terminal.command("/init");
    assert!(shown.contains("error: "), "{shown}");
    assert!(project_file(&bench).contains("command: make"));
}

#[test]
fn without_a_model_fwai_asks_and_ctrl_c_leaves_nothing_half_written() {
    let none = ["ANTHROPIC_API_KEY", "FWAI_PROVIDER", "FWAI_BASE_URL"];
    let bench = none.iter().fold(half(Vec::new()), |bench, name| bench.variable(name, ""));
    let bench = bench.variable("OLLAMA_HOST", "127.0.0.1:1");
    let terminal = Terminal::open(&bench, 90, 50);
    terminal.wait_for_prompt();
    terminal.type_in("/init\r");
    terminal.wait_for("Which microcontroller");
    terminal.type_in("\x03");
    terminal.wait_for_prompt();
    assert!(!bench.project().join(".fwai/project.yaml").exists(), "{}", terminal.text());
    terminal.type_in("/init\r");
    terminal.wait_until("the question again", |terminal| {
        terminal.text().matches("Which microcontroller").count() == 2
    });
    terminal.type_in("STM32F401CCU6\r");
    for question in ["Which board?", "Which command writes", "Which serial port"] {
        terminal.wait_for(question);
        terminal.type_in("\r");
    }
    terminal.wait_for_prompt();
    assert!(project_file(&bench).contains("mcu: STM32F401CCU6"), "{}", project_file(&bench));
}
