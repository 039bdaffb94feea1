//! What is typed wrongly: each mistake is named, and so is the next step, in words that can be typed here.

use fwai_testkit::{bench::Bench, model_server::Turn, terminal::Terminal};

/// A line, what is said of it, and the next step.
const WRONG: &[(&str, &str, &str)] = &[
    ("/quti", "did you mean /quit?", "next: /help"),
    ("/zzz", "there is no /zzz", "next: /help"),
    ("/help zzz", "there is no /zzz", "next: /help"),
    ("/agent", "write /agent NAME TASK", "/agents"),
    ("/agent nobody look", "there is no agent `nobody`", "next: /agents"),
    ("/agent explorr look", "did you mean `explorer`?", "next: /agents"),
    ("/mode fast", "there is no mode `fast`", "plan, ask, auto or yolo"),
    ("/mode pln", "did you mean `plan`?", "plan, ask, auto or yolo"),
    ("/model two words", "a model is one word", "next: /model list"),
    ("/resume nowhere", "there is no session `nowhere`", "/sessions list"),
    ("/fork x", "`x` is not the number of a turn", "next: /fork copies"),
    ("/open 99", "there are calls 1 to 1", "next: /open list"),
    ("/open x", "write /open", "/open list"),
    ("/policy check", "<COMMAND>", "next: /help policy"),
    ("/flash --bord x", "--bord", "--board"),
    ("/monitor --for soon", "soon", "next: /help monitor"),
    ("/debug -c", "--command", "next: /help debug"),
    ("/diff extra", "unexpected argument 'extra'", "next: /help diff"),
    ("/undo --to x", "invalid value 'x'", "next: /help undo"),
    ("/evidence show nothing", "no run is called `nothing`", "next: /evidence list"),
    ("/evidence shw", "show", "next: /help evidence"),
    ("/export notes.md", "notes.md is already there", "next: /export"),
    ("/export nothing", "no run is called `nothing`", "next: /evidence list"),
    ("/run zzz", "there is no skill `zzz`", "/run --list"),
    ("/evid", "did you mean /evidence?", "next: /help"),
    ("/board use nothing", "no board is named `nothing`", "known boards"),
    ("/provider use nothing", "no provider is called `nothing`", "one of anthropic"),
    ("/config get no.such", "unknown key", "allowed"),
    ("/config set agent.mode fast", "fast", "plan"),
    ("/sessions show nothing", "there is no session `nothing`", "/sessions list"),
    ("/security scan nowhere", "nowhere", "name a file or directory that exists"),
    ("/memory nowhere.elf", "nowhere.elf", ""),
    ("/config 'open", "a quote is not closed", ""),
];

#[test]
fn every_mistake_is_named_with_a_next_step() {
    let call = Turn::tool("list_directory", serde_json::json!({"path": "."}));
    let bench = Bench::new(vec![call, Turn::text("looked")]).file("notes.md", "mine\n");
    let terminal = Terminal::open(&bench, 120, 50);
    terminal.command("look around");
    let mut wrong = Vec::new();
    for (line, said, next) in WRONG {
        let shown = terminal.command(line);
        let answer = shown.split_once("error: ").map(|(_, answer)| answer).unwrap_or_default();
        let answer = answer.replace("\n ", " ");
        if !answer.contains(said) || !answer.contains(next) {
            wrong.push(format!("{line}: no {said:?} with {next:?} in\n{shown}\n"));
        }
        // Whoever is here types a slash; `--help` cannot be typed at all.
        for stray in
            ["fwai policy", "fwai evidence", "fwai sessions", "fwai run", "fwai flash", "try '--help'"]
        {
            if answer.contains(stray) {
                wrong.push(format!("{line}: {stray:?} in\n{shown}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
    assert_eq!(std::fs::read_to_string(bench.project().join("notes.md")).unwrap(), "mine\n");
    let said = bench.server.requests().iter().map(|request| request.body.to_string()).collect::<String>();
    assert!(!said.contains("/quti") && !said.contains("/agent"), "no mistake was said to the model");
}

#[test]
fn every_command_has_help_of_its_own() {
    let bench = Bench::new(Vec::new());
    let terminal = Terminal::open(&bench, 100, 50);
    let shown = terminal.command("/help");
    let names: Vec<String> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("  /")?.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(names.len() > 35, "{names:?}");
    for name in names {
        let shown = terminal.command(&format!("/help {name}"));
        let help: Vec<&str> =
            shown.lines().skip(1).filter(|line| line.contains(char::is_alphabetic)).collect();
        assert!(help.len() >= 3 && !shown.contains("error:"), "/help {name}: {shown}");
        assert!(help.iter().any(|line| line.contains(&format!("/{name}"))), "/help {name}: {shown}");
    }
}
