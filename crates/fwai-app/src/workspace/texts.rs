//! The texts of `.fwai` that do not depend on the project.

use fwai_schema::families;

pub const PROJECT_HEADER: &str = "\
# yaml-language-server: $schema=./schemas/project.json
# What fwai knows about this firmware. `fwai init` wrote it from the project's own files; change any line,
# later runs of init keep what you wrote.
";

pub const CONFIG: &str = "\
# yaml-language-server: $schema=./schemas/config.json
# Settings of fwai for everybody who works on this project. `fwai config show --origin` lists every setting
# with its value; keys of providers never belong here, they come from the environment.

# provider:
#   name: anthropic        # anthropic, openai, gemini, ollama
#   model: null            # the provider's usual one
# agent:
#   max_iterations: 50
";

/// What stays on this machine.
pub const IGNORED: &[&str] = &[
    "/sessions/",
    "/runs/",
    "/boards/",
    "/keys/",
    "/cache/",
    "/log/",
    "/undo/",
    "/tmp/",
    "*.sock",
    ".fwai-new-*",
];

pub const GITIGNORE_HEADER: &str = "# What fwai keeps on this machine and out of commits.";

/// Schemas for the editor, as files of `.fwai/schemas/`.
pub fn schemas() -> Vec<(String, String)> {
    ["config", "project", "policy", "tool", "skill", "agent", "board"]
        .iter()
        .filter_map(|name| families::by_name(name))
        .map(|family| {
            let mut text =
                serde_json::to_string_pretty(family.schema().as_value()).expect("a schema is plain data");
            text.push('\n');
            (format!("schemas/{}.json", family.name), text)
        })
        .collect()
}
