//! The YAML of the guide is what the program accepts: each block says which file it is, and is checked as such.

use std::{fs, path::Path, process::Command};

/// The blocks of YAML on a page, each with the line on which it begins.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match &mut open {
            None if line.starts_with("```yaml") => open = Some((number + 2, String::new())),
            None => {}
            Some(_) if line.starts_with("```") => found.extend(open.take()),
            Some((_, block)) => block.push_str(&format!("{line}\n")),
        }
    }
    found
}

#[test]
fn every_event_has_its_row_with_all_its_fields() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/headless.md")).unwrap();
    let schema = fs::read_to_string(root.join("schemas/event.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let kinds = schema["anyOf"].as_array().or(schema["oneOf"].as_array()).unwrap();
    let mut known = 0;
    for kind in kinds.iter().flat_map(|kind| kind["oneOf"].as_array().cloned().unwrap_or(vec![kind.clone()]))
    {
        let Some(name) = kind["properties"]["type"]["const"].as_str() else { continue };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/headless.md has no row for {name}"));
        for field in kind["properties"].as_object().unwrap().keys().filter(|field| *field != "type") {
            assert!(row.contains(&format!("`{field}`")), "{name} has a field {field}: {row}");
        }
        known += 1;
    }
    assert!(known > 25, "only {known} events were found in the schema");
}

#[test]
fn every_file_that_the_guide_shows_is_valid() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let (mut checked, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(docs).unwrap() {
        let page = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(&page) else { continue };
        for (line, block) in blocks(&text) {
            let place = format!("{}:{line}", page.display());
            let name = block.lines().next().and_then(|first| first.strip_prefix("# "));
            let Some(name) = name.filter(|name| name.ends_with(".yaml")) else {
                // The page about skills also shows single steps.
                if page.ends_with("writing-skills.md") {
                    continue;
                }
                wrong.push(format!("{place}: the first line does not say which file this is"));
                continue;
            };
            let scratch = tempfile::tempdir().unwrap();
            let file = scratch.path().join(name.trim_start_matches("~/"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::create_dir_all(scratch.path().join(".fwai")).unwrap();
            fs::write(&file, &block).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_fwai"))
                .current_dir(scratch.path())
                .env("FWAI_HOME", scratch.path().join("home"))
                .env("LC_ALL", "C")
                .args(["config", "validate"])
                .arg(&file)
                .output()
                .unwrap();
            let said = format!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
            if !said.contains("1 files checked, 0 errors, 0 warnings") {
                wrong.push(format!("{place}: {said}"));
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 10, "only {checked} blocks were found");
}
