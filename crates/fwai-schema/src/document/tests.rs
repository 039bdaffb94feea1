//! What a person sees when a file is wrong, and what `set` leaves untouched.

use super::*;
use crate::{config::Config, families};
use serde_json::json;

fn config() -> &'static Family {
    families::by_name("config").unwrap()
}

fn check(text: &str) -> String {
    match Document::parse("config.yaml", text) {
        Ok(document) => {
            document.check(config()).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(problem) => problem.to_string(),
    }
}

#[test]
fn a_misspelt_key_is_a_warning_with_a_guess() {
    let document = Document::parse("config.yaml", "provider:\n  modle: x\n").unwrap();
    let problems = document.check(config());
    assert_eq!(problems[0].severity, Severity::Warning);
    assert_eq!((problems[0].line, problems[0].column), (2, 3));
    assert_eq!(problems[0].did_you_mean.as_deref(), Some("model"));
    assert_eq!(problems[0].found, "modle");
    assert!(problems[0].allowed.as_ref().unwrap().contains("base_url"));
}

#[test]
fn a_misspelt_policy_key_is_an_error() {
    let problems =
        Document::parse("p", "protected_path: [a]\n").unwrap().check(families::by_name("policy").unwrap());
    assert_eq!(problems[0].severity, Severity::Error);
    // Inside config.yaml the same key is refused too.
    let problems = Document::parse("c", "policy:\n  protected_path: [a]\n").unwrap().check(config());
    assert_eq!(problems[0].severity, Severity::Error);
}

#[test]
fn a_wrong_type_says_what_is_allowed() {
    insta::assert_snapshot!(check("agent:\n  max_iterations: many\n"), @r"
    config.yaml:2:19: `agent.max_iterations` must be an integer, but this is a string
      2 |   max_iterations: many
        |                   ^^^^
      allowed: an integer
    ");
}

#[test]
fn a_wrong_choice_lists_the_choices() {
    insta::assert_snapshot!(check("provider: {name: antropic}"), @r"
    config.yaml:1:18: `provider.name` cannot be `antropic`
      1 | provider: {name: antropic}
        |                  ^^^^^^^^
      allowed: anthropic, openai, gemini, ollama, local, replay
      did you mean `anthropic`?
    ");
}

#[test]
fn broken_yaml_points_at_the_place() {
    let text = check("provider:\n  name: [anthropic\nagent: 3\n");
    assert!(text.starts_with("config.yaml:3:"), "{text}");
}

#[test]
fn a_number_out_of_range_is_refused() {
    assert!(check("agent:\n  max_iterations: -1\n").contains("out of range"));
    assert!(check("provider:\n  max_tokens: 99999999999\n").contains("out of range"));
}

#[test]
fn a_document_that_is_no_mapping_is_refused() {
    assert!(check("just words").contains("the document must be a mapping"));
    assert!(check("- a\n- b\n").contains("the document must be a mapping"));
}

#[test]
fn hostile_documents_are_bounded() {
    let laughs = format!(
        "a: &a [x,x,x,x,x,x,x,x,x]\n{}",
        (b'b'..=b'j')
            .map(|c| {
                let (this, before) = (c as char, (c - 1) as char);
                format!("{this}: &{this} [{0},{0},{0},{0},{0},{0},{0},{0},{0}]\n", format_args!("*{before}"))
            })
            .collect::<String>()
    );
    assert!(check(&laughs).contains("too large"));
    assert!(check(&"[".repeat(10_000)).contains("recursion limit"));
    assert!(check(&"[".repeat(100)).contains("nested too deeply"));
    assert!(check("a: 1\na: 2\n").contains("stands twice"));
    assert!(!check("\u{0}\u{1}binary\u{7f}").is_empty());
}

#[test]
fn empty_text_and_comments_are_an_empty_configuration() {
    for text in ["", "# nothing\n", "---\n", "\u{feff}# bom\n"] {
        let (config, warnings) = read_str::<Config>("c", text, config()).unwrap();
        assert_eq!(config, Config::default());
        assert!(warnings.is_empty());
    }
}

#[test]
fn variables_are_filled_in_and_plain_scalars_get_their_type() {
    let lookup = |name: &str| (name == "TURNS").then(|| "7".to_owned());
    let mut document = Document::parse(
        "c",
        "agent:\n  max_iterations: ${TURNS}\nprovider:\n  model: \"m-$TURNS-${NONE:-x}-$$\"\n",
    )
    .unwrap();
    let schema = config().schema();
    assert!(interpolate(&mut document, schema.as_value(), &lookup).is_empty());
    let (config, _) = document.read::<Config>(config()).unwrap();
    assert_eq!(config.agent.max_iterations, 7);
    assert_eq!(config.provider.model.as_deref(), Some("m-7-x-$"));
}

#[test]
fn a_variable_without_value_points_at_its_line() {
    let mut document = Document::parse("c", "provider:\n  model: $NOPE\n").unwrap();
    let problems = interpolate(&mut document, config().schema().as_value(), &|_| None);
    assert_eq!(problems[0].line, 2);
    assert!(problems[0].to_string().contains("NOPE is not set"));
}

#[test]
fn shell_commands_keep_their_dollars() {
    let mut document = Document::parse("c", "provider:\n  api_key_cmd: pass show $WHO\n").unwrap();
    assert!(interpolate(&mut document, config().schema().as_value(), &|_| None).is_empty());
    assert_eq!(document.root.at("provider.api_key_cmd").unwrap().to_json(), json!("pass show $WHO"));
}

#[test]
fn set_keeps_comments_and_order() {
    let text = "# mine\nprovider:\n  name: openai # for now\n  model: x\n\n# later\nagent:\n  mode: plan\n";
    let after = edit::set("c", text, "provider.name", &json!("gemini")).unwrap();
    assert_eq!(after, text.replace("openai", "gemini"));
    let after = edit::set("c", text, "provider.base_url", &json!("http://localhost:1")).unwrap();
    insta::assert_snapshot!(after, @r"
    # mine
    provider:
      name: openai # for now
      model: x
      base_url: http://localhost:1

    # later
    agent:
      mode: plan
    ");
}

#[test]
fn set_adds_missing_parents_at_the_end() {
    insta::assert_snapshot!(edit::set("c", "agent:\n    mode: plan # why\n", "ui.color", &json!("never")).unwrap(), @r"
    agent:
        mode: plan # why
    ui:
      color: never
    ");
    assert_eq!(
        edit::set("c", "# only a comment", "ui.color", &json!("never")).unwrap(),
        "# only a comment\nui:\n  color: never\n"
    );
    assert_eq!(edit::set("c", "ui: {}\n", "ui.color", &json!("never")).unwrap(), "ui: {color: never}\n");
    assert_eq!(
        edit::set("c", "ui:\nagent: {mode: ask}\n", "ui.color", &json!("never")).unwrap(),
        "ui: {color: never}\nagent: {mode: ask}\n"
    );
    assert_eq!(
        edit::set("c", "agent: {mode: ask}\n", "agent.max_cost", &json!(1.5)).unwrap(),
        "agent: {mode: ask, max_cost: 1.5}\n"
    );
}

#[test]
fn set_replaces_lists_and_quotes_what_needs_it() {
    assert_eq!(edit::set("c", "a: [1, 2] # two\n", "a", &json!(["x: y"])).unwrap(), "a: [\"x: y\"] # two\n");
    assert_eq!(edit::set("c", "a:\n  - 1\n  - 2\nb: 1\n", "a", &json!(["z"])).unwrap(), "a: [z]\nb: 1\n");
    assert_eq!(edit::set("c", "a: x\n", "a", &json!("true")).unwrap(), "a: \"true\"\n");
    assert_eq!(
        edit::set("c", "text: |\n  one\n  two\nb: 1\n", "c", &json!(1)).unwrap(),
        "text: |\n  one\n  two\nb: 1\nc: 1\n"
    );
}

#[test]
fn set_refuses_to_replace_a_mapping() {
    assert!(matches!(
        edit::set("c", "a:\n  b: 1\n", "a", &json!(1)),
        Err(edit::EditError::NotAScalar { .. })
    ));
    assert!(matches!(edit::set("c", "a: 1\n", "a.b", &json!(1)), Err(edit::EditError::NotAMapping { .. })));
}

proptest::proptest! {
    #[test]
    fn junk_never_panics(text in "\\PC{0,200}") {
        if let Ok(document) = Document::parse("junk", &text) {
            let _ = document.check(config());
        }
    }

    #[test]
    fn what_set_writes_is_read_back(key in "[a-z]{1,8}", value in "\\PC{0,40}", before in "(a|b|c): [a-z ]{0,9}\n(# note\n)?") {
        if let Ok(after) = edit::set("c", &before, &key, &json!(value)) {
            proptest::prop_assert_eq!(Document::parse("c", &after).unwrap().root.get(&key).unwrap().to_json(), json!(value));
        }
    }
}

#[test]
fn values_from_flags_are_checked_against_their_key() {
    let value = |path, text| parse_value("--set", text, config(), path);
    assert_eq!(value("agent.max_iterations", "7").unwrap(), json!(7));
    assert_eq!(value("provider.model", "7").unwrap(), json!("7"));
    assert_eq!(value("provider.base_url", "http://h:1/{x").unwrap(), json!("http://h:1/{x"));
    assert_eq!(value("sandbox.writable", "[a, b]").unwrap(), json!(["a", "b"]));
    assert_eq!(value("agent.mode", "pln").unwrap_err().did_you_mean.as_deref(), Some("plan"));
    assert_eq!(value("provider.modle", "x").unwrap_err().did_you_mean.as_deref(), Some("provider.model"));
    assert!(value("agent.max_iterations", "x").is_err());
    assert!(value("mcp.servers.a.disabled", "true").is_ok());
}
