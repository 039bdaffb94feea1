//! From findings to keys of `project.yaml`.

use fwai_firmware::{detect::Detection, template::Template};
use serde_json::{Value, json};

/// One value that init would like `project.yaml` to have.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectValue {
    /// Dotted, as in `fwai config set`.
    pub path: &'static str,
    pub value: Value,
}

/// How a finding's text becomes a value.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Number,
    List,
}

/// Findings and where they go, in the order of the file.
const PLACES: &[(&str, &str, Shape)] = &[
    ("name", "name", Shape::Text),
    ("summary", "summary", Shape::Text),
    ("mcu", "target.mcu", Shape::Text),
    ("board", "target.board", Shape::Text),
    ("arch", "target.arch", Shape::Text),
    ("clock_hz", "target.clock_hz", Shape::Number),
    ("rtos", "target.rtos", Shape::Text),
    ("svd", "target.svd", Shape::Text),
    ("build_system", "build.system", Shape::Text),
    ("build_command", "build.command", Shape::Text),
    ("clean_command", "build.clean_command", Shape::Text),
    ("test_command", "build.test_command", Shape::Text),
    ("build_dir", "build.dir", Shape::Text),
    ("elf", "build.elf", Shape::Text),
    ("flash_command", "flash.command", Shape::Text),
    ("serial_port", "serial.port", Shape::Text),
    ("serial_baud", "serial.baud", Shape::Number),
    ("monitor_command", "serial.monitor_command", Shape::Text),
    ("serial_encoding", "serial.encoding", Shape::Text),
    ("serial_startup_commands", "serial.startup_commands", Shape::List),
    ("debug_interface", "debug.interface", Shape::Text),
    ("gdb", "debug.gdb", Shape::Text),
    ("gdb_server_command", "debug.server_command", Shape::Text),
    ("gdb_server_host", "debug.server_host", Shape::Text),
    ("gdb_server_port", "debug.server_port", Shape::Number),
    ("openocd_config", "debug.openocd", Shape::List),
    ("compiler", "toolchain.compiler", Shape::Text),
    ("toolchain_prefix", "toolchain.prefix", Shape::Text),
    ("linker_script", "toolchain.linker_scripts", Shape::List),
];

/// Guesses that are written like findings. Commands that reach a board are never guessed into the
/// file: a person should have said them.
const GUESSED: &[&str] = &["name", "rtos", "serial_baud"];

/// The keys that an answer can have.
pub fn answer_keys() -> impl Iterator<Item = &'static str> {
    PLACES.iter().map(|(key, ..)| *key)
}

/// What the project file should say. `answers` are what a person said now; they come first.
pub fn project_values(
    detection: &Detection,
    answers: &[(String, String)],
    template: Option<&Template>,
) -> Vec<ProjectValue> {
    let mut values = Vec::new();
    for (key, path, shape) in PLACES {
        let answered = answers.iter().find(|(name, _)| name == key).map(|(_, text)| text.as_str());
        let fact = template
            .and_then(|template| template.facts.iter().find(|(name, _)| name == key))
            .map(|(_, text)| *text);
        let texts: Vec<&str> = match answered.or(fact) {
            Some(text) => vec![text],
            None => detection
                .findings
                .iter()
                .filter(|finding| finding.key == *key)
                .map(|finding| finding.value.as_str())
                .collect(),
        };
        let guess = || {
            detection
                .guesses
                .iter()
                .find(|guess| guess.key == *key && GUESSED.contains(key))
                .map(|guess| guess.value.as_str())
        };
        let texts = if texts.is_empty() { guess().into_iter().collect() } else { texts };
        let Some(first) = texts.first() else { continue };
        let value = match shape {
            Shape::Text => text_value(first),
            Shape::Number => match first.parse::<u64>() {
                Ok(number) => json!(number),
                Err(_) => continue,
            },
            Shape::List => Value::Array(texts.iter().flat_map(|text| list_items(text)).collect()),
        };
        values.push(ProjectValue { path, value });
        if *path == "target.rtos" && !detection.regions.is_empty() {
            let regions = detection.regions.iter().map(|region| json!(region)).collect();
            values.push(ProjectValue { path: "target.regions", value: Value::Array(regions) });
        }
    }
    if let Some(template) = template {
        for (path, patterns) in [
            ("boot.success_patterns", template.boot_success),
            ("boot.failure_patterns", template.boot_failure),
        ] {
            if !patterns.is_empty() {
                values.push(ProjectValue { path, value: json!(patterns) });
            }
        }
    }
    values
}

/// Text as it must stand in the file, where `$NAME` would be filled in.
fn text_value(text: &str) -> Value {
    Value::String(text.replace('$', "$$"))
}

/// `["a", "b"]` of another tool's file, or one item.
fn list_items(text: &str) -> Vec<Value> {
    match serde_json::from_str::<Vec<String>>(text) {
        Ok(items) => items.iter().map(|item| text_value(item)).collect(),
        Err(_) => vec![text_value(text)],
    }
}
