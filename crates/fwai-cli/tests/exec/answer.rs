//! `--output-schema`: the final answer is held against it, mended by the model, or refused.

use super::bench;
use fwai_testkit::model_server::Turn;
use serde_json::json;

const SCHEMA: &str = r##"{
  "type": "object",
  "properties": {"at": {"$ref": "#/$defs/place"}, "line": {"type": "integer", "minimum": 1}},
  "required": ["line"],
  "additionalProperties": false,
  "$defs": {"place": {"type": "string", "pattern": "\\.c$"}}
}"##;

const FOR: [&str; 4] = ["exec", "--output-schema", "schema.json", "which line?"];

#[test]
fn an_answer_that_fits_is_the_whole_standard_output() {
    let answer = Turn::text("```json\n{\"line\": 3, \"at\": \"src/uart.c\"}\n```");
    let bench = bench(vec![Turn::text("I look.").and_tool("grep", json!({"pattern": "BAUD"})), answer])
        .file("schema.json", SCHEMA);
    let said = bench.run(&FOR).succeeded();
    assert_eq!(said.out, "{\"line\":3,\"at\":\"src/uart.c\"}\n", "{}", said.err);
    let sent = bench.server.requests()[0].body.to_string();
    assert!(sent.contains("additionalProperties"), "the model is told the schema: {sent}");
}

#[test]
fn an_answer_that_does_not_fit_is_mended_in_the_same_turn() {
    let bench = bench(vec![
        Turn::text("It is line 3."),
        Turn::text("{\"line\": 0, \"at\": \"uart.h\"}"),
        Turn::text("{\"line\": 3}"),
    ])
    .file("schema.json", SCHEMA);
    let said = bench.run(&[&FOR[..], &["--json"]].concat()).succeeded();
    let requests = bench.server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests[1].body.to_string().contains("the answer is not JSON"));
    let told = requests[2].body.to_string();
    assert!(told.contains("less than the minimum of 1") && told.contains("(at /line)"), "{told}");
    assert!(told.contains("(at /at)"), "references are followed: {told}");
    let ends = said.events().iter().filter(|event| event["type"] == "turn_ended").count();
    assert_eq!(ends, 1, "one task, one turn");
    assert_eq!(said.events().last().unwrap()["final_text"], "{\"line\": 3}");
}

#[test]
fn an_answer_that_never_fits_is_exit_1_and_says_why() {
    let bench = bench(vec![Turn::text("{\"line\": \"three\"}"); 5]).file("schema.json", SCHEMA);
    let said = bench.run(&FOR);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("does not fit") && said.err.contains("(at /line)"), "{}", said.err);
    assert!(said.err.contains("next:"), "{}", said.err);
    assert_eq!(said.out, "", "nothing that a program could take for the answer");
    assert_eq!(bench.server.requests().len(), 3, "two corrections are enough");
}

#[test]
fn corrections_count_as_model_calls() {
    let bench = bench(vec![Turn::text("no"); 5]).file("schema.json", SCHEMA);
    let said = bench.run(&[&FOR[..], &["--json", "--max-turns", "2"]].concat());
    assert_eq!(said.code, Some(1));
    assert_eq!(said.events().last().unwrap()["stop_reason"], "max_turns");
    assert_eq!(bench.server.requests().len(), 2);
}

#[test]
fn a_schema_that_is_none_is_exit_2_before_any_model_is_asked() {
    let bench = bench(vec![Turn::text("never")])
        .file("broken.json", "{\"type\": ")
        .file("list.json", "[1, 2]")
        .file("typo.json", "{\"properties\": {\"line\": {\"type\": \"integr\"}}}")
        .file("away.json", "{\"$ref\": \"https://example.com/schema.json\"}");
    for (file, why) in [
        ("missing.json", "cannot read missing.json"),
        ("broken.json", "broken.json is not JSON"),
        ("list.json", "must be a JSON object"),
        ("typo.json", "integr"),
        ("away.json", "away.json is no JSON Schema"),
        ("src", "cannot read src"),
    ] {
        let said = bench.run(&["exec", "--output-schema", file, "x"]);
        assert_eq!(said.code, Some(2), "{file}: {}", said.err);
        assert!(said.err.contains(why), "{file}: {}", said.err);
        let said = bench.run(&["exec", "--json", "--output-schema", file, "x"]);
        assert_eq!(said.events()[0]["error"]["kind"], "usage", "{file}");
    }
    assert!(bench.server.requests().is_empty());
}
