//! `$name`, `${name}`, `$inputs.NAME` and `$steps.NAME.output` in the texts of a skill; `$$` is a dollar.
//!
//! What a step printed may come from a board or a hostile file. Where it goes into words for a model it lies
//! in a container ([`into_prompt`]); where it goes into a shell command it becomes a variable of the shell
//! ([`into_command`]), so that no output can become a command.

use crate::fence;
use serde_json::Value;

/// What a text refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    Input(String),
    Step { name: String, field: Field },
}

/// What can be asked of a step that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Output,
    Status,
    ExitCode,
    RunId,
    DurationMs,
    Attempts,
}

impl Field {
    pub const ALL: [(&'static str, Self); 6] = [
        ("output", Self::Output),
        ("status", Self::Status),
        ("exit_code", Self::ExitCode),
        ("run_id", Self::RunId),
        ("duration_ms", Self::DurationMs),
        ("attempts", Self::Attempts),
    ];

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(name, _)| *name == word).map(|(_, field)| field)
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(name) => write!(f, "${name}"),
            Self::Step { name, field } => {
                let word = Field::ALL.iter().find(|(_, one)| one == field).map_or("output", |(word, _)| word);
                write!(f, "$steps.{name}.{word}")
            }
        }
    }
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Reference(Reference),
    /// Looks like a reference and is none; the words say why.
    Wrong(String),
}

/// Takes a text apart.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while let Some(dollar) = text[at..].find('$').map(|offset| at + offset) {
        let rest = &text[dollar + 1..];
        let (length, piece) = if rest.starts_with('$') {
            (1, Piece::Text("$"))
        } else if let Some(braced) = rest.strip_prefix('{') {
            match braced.find('}') {
                Some(end) => (end + 2, path(&braced[..end])),
                None => (rest.len(), Piece::Wrong("`${` is never closed by `}`".into())),
            }
        } else {
            let length = bare(rest);
            if length == 0 {
                at = dollar + 1;
                continue;
            }
            (length, path(&rest[..length]))
        };
        if plain < dollar {
            found.push(Piece::Text(&text[plain..dollar]));
        }
        found.push(piece);
        at = dollar + 1 + length;
        plain = at;
    }
    if plain < text.len() {
        found.push(Piece::Text(&text[plain..]));
    }
    found
}

/// How much of a text after a dollar belongs to the name; a full stop that ends a sentence does not.
fn bare(text: &str) -> usize {
    let word = |text: &str, more: &[char]| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || more.contains(&c);
        text.find(|c| !fits(c)).unwrap_or(text.len())
    };
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    for (prefix, segments) in [("steps.", 2), ("inputs.", 1)] {
        if !text.starts_with(prefix) {
            continue;
        }
        let mut end = prefix.len();
        for segment in 0..segments {
            let dashes: &[char] = if segment + 1 < segments { &['-'] } else { &[] };
            let length = word(&text[end..], dashes);
            end += length;
            let goes_on = text[end..].strip_prefix('.').is_some_and(|rest| word(rest, &[]) > 0);
            if segment + 1 < segments && goes_on {
                end += 1;
            } else {
                break;
            }
        }
        return end;
    }
    word(text, &[])
}

/// What a dotted path without its dollar refers to.
pub fn reference(path: &str) -> Result<Reference, String> {
    let name = |word: &str| {
        let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        !word.is_empty() && word.chars().all(fine)
    };
    let parts: Vec<&str> = path.split('.').collect();
    match parts[..] {
        ["steps", step, field] if name(step) => match Field::parse(field) {
            Some(field) => Ok(Reference::Step { name: step.into(), field }),
            None => {
                let words: Vec<&str> = Field::ALL.iter().map(|(word, _)| *word).collect();
                Err(format!("a step has no `{field}`; it has: {}", words.join(", ")))
            }
        },
        ["steps", step] if name(step) => {
            Err(format!("write `$steps.{step}.output`, or another of its fields"))
        }
        ["inputs", input] if name(input) => Ok(Reference::Input(input.into())),
        [input] if name(input) && !matches!(input, "steps" | "inputs") => Ok(Reference::Input(input.into())),
        _ => Err(format!(
            "`{path}` is no reference; write `$input`, `$steps.NAME.output`, or `$$` for a dollar"
        )),
    }
}

fn path(path: &str) -> Piece<'_> {
    match reference(path) {
        Ok(reference) => Piece::Reference(reference),
        Err(why) => Piece::Wrong(why),
    }
}

/// The references of a text.
pub fn references(text: &str) -> Vec<Result<Reference, String>> {
    let found = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Reference(reference) => Some(Ok(reference)),
        Piece::Wrong(why) => Some(Err(why)),
    });
    found.collect()
}

/// Calls `visit` with every text of an argument and its dotted path.
pub fn texts(path: &str, value: &Value, visit: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(path, text),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                texts(&format!("{path}.{at}"), item, visit);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                texts(&format!("{path}.{key}"), item, visit);
            }
        }
        _ => {}
    }
}

/// What a reference stands for; none where nothing is known.
pub type Lookup<'a> = &'a dyn Fn(&Reference) -> Option<String>;

fn filled(text: &str, value: &mut dyn FnMut(&Reference) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Reference(reference) => out.push_str(&value(&reference)),
            // A checked skill has none.
            Piece::Wrong(_) => {}
        }
    }
    out
}

/// The text with every value in its place, as it is.
pub fn into_text(text: &str, lookup: Lookup<'_>) -> String {
    filled(text, &mut |reference| lookup(reference).unwrap_or_default())
}

/// Words for a model: what steps printed lies in containers.
pub fn into_prompt(text: &str, lookup: Lookup<'_>) -> String {
    filled(text, &mut |reference| {
        let value = lookup(reference).unwrap_or_default();
        match reference {
            Reference::Step { name, field: Field::Output } => {
                fence::data(&format!("output of {name}"), &value)
            }
            _ => value,
        }
    })
}

/// A shell command: each value becomes a variable that is set before it.
pub fn into_command(text: &str, lookup: Lookup<'_>) -> String {
    let mut settings = String::new();
    let mut known: Vec<Reference> = Vec::new();
    let command = filled(text, &mut |reference| {
        let number = match known.iter().position(|one| one == reference) {
            Some(at) => at + 1,
            None => {
                known.push(reference.clone());
                let value = lookup(reference).unwrap_or_default().replace('\0', "");
                settings.push_str(&format!("FWAI_{}='{}'\n", known.len(), value.replace('\'', r"'\''")));
                known.len()
            }
        };
        format!("${{FWAI_{number}}}")
    });
    format!("{settings}{command}")
}

/// The arguments of a tool with every value in its place. Texts become numbers and booleans where `schema`
/// wants them, since inputs are always texts; an argument that is nothing but an empty value is not given.
pub fn into_arguments(arguments: &Value, tool: &str, schema: &Value, lookup: Lookup<'_>) -> Value {
    let mut given = arguments.clone();
    if let Value::Object(map) = &mut given {
        map.retain(|_, value| !is_nothing(value, lookup));
    }
    fill(&given, schema, &|text, key| match tool == "bash" && key == "command" {
        true => into_command(text, lookup),
        false => into_text(text, lookup),
    })
}

fn is_nothing(value: &Value, lookup: Lookup<'_>) -> bool {
    let Value::String(text) = value else { return false };
    match &pieces(text)[..] {
        [Piece::Reference(reference)] => lookup(reference).is_none_or(|value| value.is_empty()),
        _ => false,
    }
}

fn fill(value: &Value, schema: &Value, put: &dyn Fn(&str, &str) -> String) -> Value {
    fn walk(value: &Value, schema: &Value, key: &str, put: &dyn Fn(&str, &str) -> String) -> Value {
        match value {
            Value::String(text) => typed(put(text, key), schema),
            Value::Array(items) => {
                items.iter().map(|item| walk(item, &schema["items"], key, put)).collect::<Vec<_>>().into()
            }
            Value::Object(map) => {
                let entry = |(key, item): (&String, &Value)| {
                    (key.clone(), walk(item, &schema["properties"][key.as_str()], key, put))
                };
                Value::Object(map.iter().map(entry).collect())
            }
            other => other.clone(),
        }
    }
    walk(value, schema, "", put)
}

fn typed(text: String, schema: &Value) -> Value {
    let parsed = match schema["type"].as_str() {
        Some("integer") => text.trim().parse::<i64>().ok().map(Value::from),
        Some("number") => text.trim().parse::<f64>().ok().map(Value::from),
        Some("boolean") => text.trim().parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    parsed.unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn value(reference: &Reference) -> Option<String> {
        match reference {
            Reference::Input(name) => Some(format!("<{name}>")),
            Reference::Step { name, field: Field::Output } => Some(format!("'; rm -rf / #{name}")),
            Reference::Step { field: Field::ExitCode, .. } => Some("3".into()),
            Reference::Step { .. } => None,
        }
    }

    #[test]
    fn references_end_where_the_sentence_goes_on() {
        let fill = |text: &str| into_text(text, &|reference| Some(format!("[{reference}]")));
        assert_eq!(fill("see $steps.build.output."), "see [$steps.build.output].");
        assert_eq!(fill("$board, ${board}s, $inputs.board!"), "[$board], [$board]s, [$board]!");
        assert_eq!(fill("$steps.my-step.exit_code;"), "[$steps.my-step.exit_code];");
        assert_eq!(fill("costs $$5 or 5$ or $5 $ $"), "costs $5 or 5$ or $5 $ $");
        assert_eq!(fill("中文$board與"), "中文[$board]與");
    }

    #[test]
    fn what_is_no_reference_says_why() {
        let wrong = |text: &str| references(text).into_iter().find_map(Result::err).unwrap();
        assert!(wrong("$steps.build.outptu").contains("it has: output, status"));
        assert!(wrong("$steps.build").contains("$steps.build.output"));
        assert!(wrong("${a b}").contains("`$$` for a dollar"));
        assert!(wrong("${open").contains("never closed"));
        assert!(wrong("$steps").contains("no reference"));
    }

    #[test]
    fn what_a_step_printed_never_becomes_a_command() {
        let command = into_command("echo $steps.x.output $steps.x.output ${n}", &value);
        assert_eq!(command, "FWAI_1=''\\''; rm -rf / #x'\nFWAI_2='<n>'\necho ${FWAI_1} ${FWAI_1} ${FWAI_2}");
    }

    #[test]
    fn what_a_step_printed_is_data_for_a_model() {
        let prompt = into_prompt("Explain $steps.x.output to $who.", &value);
        assert_eq!(
            prompt,
            "Explain <fwai:data source=\"output of x\">\n'; rm -rf / #x\n</fwai:data> to <who>."
        );
    }

    #[test]
    fn inputs_get_the_type_that_the_tool_wants() {
        let schema = json!({"properties": {
            "seconds": {"type": "integer"}, "on": {"type": "boolean"},
            "list": {"type": "array", "items": {"type": "integer"}}}});
        let given = json!({"seconds": "$n", "on": "true", "list": ["$n", 4], "text": "$n"});
        let filled = into_arguments(&given, "x", &schema, &|_| Some("7".into()));
        assert_eq!(filled, json!({"seconds": 7, "on": true, "list": [7, 4], "text": "7"}));
        let filled = into_arguments(&json!({"seconds": "$n"}), "x", &schema, &|_| Some("soon".into()));
        assert_eq!(filled, json!({"seconds": "soon"}), "the tool's own check says what is wrong");
        let filled =
            into_arguments(&json!({"board": "$n", "text": "", "more": "a$n"}), "x", &schema, &|_| {
                Some("".into())
            });
        assert_eq!(
            filled,
            json!({"text": "", "more": "a"}),
            "an empty input is an argument that is not given"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_text_is_taken_apart_without_loss(text in "[a-z${}. \\-中]{0,40}") {
            let parts = pieces(&text);
            let plain: usize = parts.iter().map(|piece| match piece { Piece::Text(text) => text.len(), _ => 0 }).sum();
            prop_assert!(plain <= text.len());
        }

        #[test]
        fn a_shell_sees_exactly_the_value(value in "[^\0]{0,40}") {
            let command = into_command("printf %s \"$x\"", &|_| Some(value.clone()));
            let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), value);
        }
    }
}
