//! `fwai ask` and `fwai provider` with the real program and a scripted server.

use assert_cmd::Command;
use fwai_testkit::model_server::{Fault, ModelServer, Scenario, Stop, Turn, WireName};
use serde_json::Value;

/// The program in an empty world: no project, no user, no keys.
struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn fwai(&self, server: &ModelServer, wire: WireName) -> Command {
        let mut command = self.bare();
        command.envs(server.env(wire));
        if wire == WireName::OpenaiResponses {
            command.env("FWAI_PROVIDER_WIRE", "responses");
        }
        command
    }

    fn bare(&self) -> Command {
        let mut command = Command::cargo_bin("fwai").unwrap();
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("FWAI_") || name.ends_with("_API_KEY") || name.ends_with("_BASE_URL") {
                command.env_remove(name);
            }
        }
        command.env("FWAI_HOME", self.dir.path().join("home"));
        // An Ollama that may run on this machine is none of ours.
        command.env("OLLAMA_HOST", "127.0.0.1:1");
        command.env("FWAI_PROVIDER_RETRY_INITIAL_MS", "1");
        command.current_dir(self.dir.path());
        command
    }
}

fn out(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn ask_answers_on_every_wire() {
    for wire in WireName::ALL {
        let server = ModelServer::start(vec![Turn::text("Forty-two, 固件.")]);
        let (code, stdout, stderr) = out(World::new().fwai(&server, wire).args(["ask", "what is", "it?"]));
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "Forty-two, 固件.\n", ""), "{wire:?}");
        let request = &server.requests()[0];
        assert!(request.stream && request.body.to_string().contains("what is it?"), "{wire:?}");
    }
}

#[test]
fn ask_takes_context_from_a_pipe() {
    let server = ModelServer::start(vec![Turn::text("yes")]);
    let world = World::new();
    let mut command = world.fwai(&server, WireName::OpenaiChat);
    let (code, ..) = out(command.args(["ask", "does it fit?"]).write_stdin("text 4711\n"));
    assert_eq!(code, Some(0));
    let body = server.requests()[0].body.to_string();
    assert!(body.contains("does it fit?") && body.contains("text 4711"), "{body}");
}

#[test]
fn ask_as_json_is_one_object() {
    let server = ModelServer::start(vec![Turn::text("yes")]);
    let (code, stdout, _) = out(World::new().fwai(&server, WireName::Anthropic).args(["ask", "--json", "?"]));
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!((&answer["text"], &answer["stop_reason"]), (&"yes".into(), &"end_turn".into()));
    // Nobody knows what a test model costs.
    assert_eq!(answer["cost_usd"], Value::Null);
}

#[test]
fn a_cut_is_told_in_one_line_and_the_answer_is_printed_once() {
    for wire in WireName::ALL {
        let text = "a sentence of some length that takes many events";
        let server = ModelServer::start(vec![Turn::text(text).fault(Fault::Cut { after: 900 })]);
        let (code, stdout, stderr) = out(World::new().fwai(&server, wire).args(["ask", "?"]));
        assert_eq!((code, stdout.trim_end()), (Some(0), text), "{wire:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains("cut off") && stderr.contains("trying again"), "{stderr}");
    }
}

#[test]
fn an_answer_that_never_gets_whole_is_a_failure() {
    let server = ModelServer::start(vec![
        Turn::text("an answer whose end never comes, however often one asks")
            .faults(Fault::EndEarly { after: 900 }, 9),
    ]);
    let (code, stdout, stderr) = out(World::new().fwai(&server, WireName::OpenaiChat).args(["ask", "?"]));
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("an answer") && !stdout.contains("one asks"), "{stdout}");
    assert!(stderr.contains("fwai tried 5 times"), "{stderr}");
    assert!(
        stderr.trim_end().ends_with("next: what was printed is not the whole answer; ask again"),
        "{stderr}"
    );
}

#[test]
fn an_answer_that_departs_after_a_retry_says_that_the_first_is_void() {
    let turns = std::sync::Mutex::new(vec![
        Turn::text("Another answer."),
        Turn::text("The first answer goes on and on and on.").fault(Fault::Cut { after: 1200 }),
    ]);
    let server = ModelServer::answering(move |_| turns.lock().unwrap().pop().unwrap_or_default());
    let (code, stdout, stderr) = out(World::new().fwai(&server, WireName::OpenaiChat).args(["ask", "?"]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.ends_with("Another answer.\n"), "{stdout}");
    assert!(stderr.contains("void"), "{stderr}");
}

#[test]
fn an_unfinished_answer_and_a_refusal_are_failures() {
    let server = ModelServer::start(vec![Turn::text("half").stop(Stop::MaxTokens)]);
    let (code, _, stderr) = out(World::new().fwai(&server, WireName::Anthropic).args(["ask", "?"]));
    assert!(code == Some(1) && stderr.contains("limit of tokens"), "{stderr}");
    let server = ModelServer::start(vec![Turn::text("").stop(Stop::Refusal)]);
    let (code, _, stderr) = out(World::new().fwai(&server, WireName::Gemini).args(["ask", "?"]));
    assert!(code == Some(1) && stderr.contains("refused"), "{stderr}");
}

#[test]
fn what_could_steer_a_terminal_is_left_out() {
    let server = ModelServer::start(vec![Turn::text("a\u{1b}[2Jb\u{7}c")]);
    let (_, stdout, _) = out(World::new().fwai(&server, WireName::OpenaiChat).args(["ask", "?"]));
    assert_eq!(stdout, "abc\n");
}

#[test]
fn without_any_provider_the_next_step_is_said() {
    let (code, _, stderr) = out(World::new().bare().args(["ask", "?"]));
    assert_eq!(code, Some(2));
    assert!(stderr.contains("ANTHROPIC_API_KEY") && stderr.contains("ollama serve"), "{stderr}");
}

#[test]
fn a_refused_key_is_never_shown() {
    let server = ModelServer::start(Scenario {
        turns: vec![Turn::text("hi")],
        key: Some("the-right-key".into()),
        ..Scenario::default()
    });
    let world = World::new();
    let mut command = world.fwai(&server, WireName::Anthropic);
    let (code, stdout, stderr) = out(command.args(["-vvv", "ask", "?"]));
    assert_eq!(code, Some(1));
    assert!(stderr.contains("the key was refused (401)"), "{stderr}");
    assert!(!format!("{stdout}{stderr}").contains("test-key"), "{stderr}");
}

#[test]
fn provider_commands() {
    let world = World::new();
    let server = ModelServer::start(Scenario {
        turns: vec![Turn::text("ready")],
        models: vec!["test-model".into(), "gpt-5".into()],
        ..Scenario::default()
    });
    let json = |args: &[&str]| -> Value {
        let mut command = world.fwai(&server, WireName::OpenaiChat);
        let (code, stdout, stderr) = out(command.args(args).arg("--json"));
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
        serde_json::from_str(&stdout).unwrap()
    };
    let list = json(&["provider", "list"]);
    let selected = list["providers"].as_array().unwrap().iter().find(|row| row["selected"] == true).unwrap();
    assert_eq!((&selected["name"], &selected["key_set"]), (&"openai".into(), &true.into()));
    assert_eq!(json(&["provider", "status"])["ready"], true);
    let models = json(&["provider", "models"]);
    assert_eq!(models["models"][0]["name"], "gpt-5");
    assert_eq!(models["models"][0]["input"], 1.25);
    assert_eq!(models["models"][1]["input"], Value::Null);
    let test = json(&["provider", "test"]);
    assert_eq!((&test["ok"], &test["text"]), (&true.into(), &"ready".into()));
    assert_eq!(json(&["provider", "use", "gemini", "--model", "gemini-2.5-flash"])["name"], "gemini");
    let (_, stdout, _) = out(world.bare().args(["config", "get", "provider.model"]));
    assert_eq!(stdout, "gemini-2.5-flash\n");
    let (code, _, stderr) = out(world.bare().args(["provider", "use", "antropic"]));
    assert!(code == Some(2) && stderr.contains("did you mean `anthropic`"), "{stderr}");
}

#[test]
fn status_of_a_server_that_is_not_there() {
    let world = World::new();
    let mut command = world.bare();
    command.envs([("FWAI_PROVIDER", "ollama"), ("FWAI_BASE_URL", "http://127.0.0.1:1")]);
    let (code, stdout, _) = out(command.args(["provider", "status", "--json"]));
    let status: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &status["ready"]), (Some(1), &false.into()));
    assert!(status["detail"].as_str().unwrap().contains("cannot reach"), "{status}");
}

#[test]
fn a_recorded_answer_plays_without_its_server() {
    let world = World::new();
    let server = ModelServer::start(vec![Turn::text("from the tape")]);
    let (code, first, _) =
        out(world.fwai(&server, WireName::Anthropic).args(["--set", "provider.record=t.jsonl", "ask", "?"]));
    assert_eq!(code, Some(0));
    drop(server);
    let tape = std::fs::read_to_string(world.dir.path().join("t.jsonl")).unwrap();
    assert!(!tape.contains("test-key"), "{tape}");
    let replay = ["--provider", "replay", "--set", "provider.replay=t.jsonl", "ask"];
    let (code, again, stderr) = out(world.bare().args(replay).arg("?"));
    assert_eq!((code, &again), (Some(0), &first), "{stderr}");
    let (code, _, stderr) = out(world.bare().args(replay).arg("??"));
    assert!(code == Some(1) && stderr.contains("messages[0].content[0].text"), "{stderr}");
}
