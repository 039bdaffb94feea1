//! Every flag of `fwai exec` does what it says.

use super::bench;
use fwai_schema::message::Usage;
use fwai_testkit::model_server::{ModelServer, Turn, WireName};
use serde_json::json;

#[test]
fn a_mode_bounds_what_is_done() {
    let write = || Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"}));
    for (mode, code, written) in [
        ("plan", Some(0), false),
        ("ask", Some(4), false),
        ("auto", Some(0), true),
        ("act", Some(0), true),
        ("yolo", Some(0), true),
    ] {
        let bench = bench(vec![write(), Turn::text("so be it")]);
        let said = bench.run(&["exec", "--ci", "--mode", mode, "write a file"]);
        assert_eq!(said.code, code, "{mode}: {}", said.err);
        assert_eq!(bench.project().join("a.c").exists(), written, "{mode}");
    }
    let said = bench(Vec::new()).run(&["exec", "--mode", "fast", "x"]);
    assert!(said.code == Some(2) && said.err.contains("plan, ask, auto, yolo"), "{}", said.err);
}

#[test]
fn provider_model_and_address_are_taken_from_flags_before_everything_else() {
    let bench = bench(vec![Turn::text("the wrong one")])
        .variable("FWAI_MODEL", "a-model-of-the-environment")
        .variable("OPENAI_API_KEY", concat!("sk-", "test-0123456789abcdefghij"))
        .file(".fwai/config.yaml", "provider: {model: a-model-of-the-file}\n");
    let other = ModelServer::start(vec![Turn::text("the right one")]);
    let address = format!("{}/v1", other.url());
    let flags = ["--provider", "openai", "--model", "named-here", "--base-url", &address];
    let said = bench.run(&[&["exec"][..], &flags, &["hello"]].concat()).succeeded();
    assert_eq!(said.out, "the right one\n");
    let request = other.requests().pop().unwrap();
    assert_eq!(request.wire, WireName::OpenaiChat);
    assert_eq!(request.body["model"], "named-here");
    assert!(bench.server.requests().is_empty());
}

#[test]
fn a_provider_that_does_not_exist_and_an_address_where_nobody_answers() {
    let bench = bench(Vec::new()).variable("FWAI_PROVIDER_RETRY_INITIAL_MS", "1");
    let said = bench.run(&["exec", "--provider", "antropic", "x"]);
    assert!(said.code == Some(2) && said.err.contains("anthropic"), "{}", said.err);
    let said = bench.run(&["exec", "--json", "--base-url", "http://127.0.0.1:1", "x"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_eq!(said.events().last().unwrap()["stop_reason"], "error");
    let error = said.event("error");
    assert!(error["message"].as_str().unwrap().contains("127.0.0.1:1"), "{error}");
    assert!(!error["hint"].is_null(), "{error}");
}

#[test]
fn model_calls_are_counted() {
    let bench = bench(vec![Turn::tool("list_directory", json!({})); 4]);
    let said = bench.run(&["exec", "--json", "--max-turns", "2", "go"]);
    assert_eq!(said.code, Some(1));
    let last = said.events().pop().unwrap();
    assert_eq!((&last["stop_reason"], &last["iterations"]), (&json!("max_turns"), &json!(2)));
    assert_eq!(bench.server.requests().len(), 2);
    let said = bench.run(&["exec", "--max-turns", "2", "go"]);
    assert!(said.code == Some(1) && said.err.contains("max_turns"), "{}", said.err);
    for nonsense in ["0", "-1", "many"] {
        assert_eq!(bench.run(&["exec", "--max-turns", nonsense, "go"]).code, Some(2), "{nonsense}");
    }
}

#[test]
fn dollars_are_counted_and_a_price_that_nobody_knows_is_told() {
    let dear =
        |turn: Turn| turn.usage(Usage { input_tokens: 1_000_000, output_tokens: 1_000, ..Usage::default() });
    let turns = || vec![dear(Turn::tool("list_directory", json!({}))); 4];
    let known = bench(turns());
    let flags = ["exec", "--json", "--max-cost", "0.5", "--model"];
    let said = known.run(&[&flags[..], &["claude-sonnet-4-5", "go"]].concat());
    assert_eq!(said.code, Some(1), "{}", said.err);
    let last = said.events().pop().unwrap();
    assert_eq!(last["stop_reason"], "max_cost");
    assert!(last["cost_usd"].as_f64().unwrap() > 0.5, "{last}");
    assert_eq!(known.server.requests().len(), 1);
    assert!(!said.err.contains("is not known"), "{}", said.err);
    let unknown = bench(vec![Turn::text("fine")]);
    let said = unknown.run(&[&flags[..], &["nobodys-model", "go"]].concat()).succeeded();
    assert!(said.err.contains("the price of nobodys-model is not known"), "{}", said.err);
    for nonsense in ["0", "-1", "NaN", "inf", "much"] {
        let said = unknown.run(&["exec", &format!("--max-cost={nonsense}"), "go"]);
        assert_eq!(said.code, Some(2), "{nonsense}: {}", said.err);
    }
}

#[test]
fn a_session_goes_on_where_it_ended() {
    let bench = bench(vec![
        Turn::text("first answer"),
        Turn::text("second answer"),
        Turn::text("third answer"),
        Turn::text("fourth answer"),
    ]);
    bench.run(&["exec", "first question"]).succeeded();
    let said = bench.run(&["exec", "--resume", "last", "second question"]).succeeded();
    assert_eq!(said.out, "second answer\n");
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("first question") && request.contains("first answer"));
    bench.run(&["exec", "something else"]).succeeded();
    let id = bench.json(&["sessions", "list"])["sessions"][1]["id"].as_str().unwrap().to_owned();
    bench.run(&["exec", "--resume", &id, "the older one"]).succeeded();
    let request = bench.server.requests().pop().unwrap().body.to_string();
    assert!(request.contains("second answer") && !request.contains("something else"), "{request}");
    let said = bench.run(&["exec", "--resume", "no-such-session", "x"]);
    assert!(said.code == Some(2) && said.err.contains("no-such-session"), "{}", said.err);
}

#[test]
fn resuming_where_nothing_is_says_so() {
    let said = bench(Vec::new()).run(&["exec", "--json", "--resume", "last", "x"]);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert_eq!(said.events()[0]["error"]["kind"], "usage", "{}", said.out);
}

#[test]
fn without_a_model_the_next_step_is_named() {
    let bench = bench(Vec::new());
    let mut command = bench.fwai(&["exec", "hello"]);
    let output = command.env_remove("ANTHROPIC_API_KEY").env_remove("FWAI_BASE_URL").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ANTHROPIC_API_KEY"));
}
