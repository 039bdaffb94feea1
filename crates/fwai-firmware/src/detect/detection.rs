//! The whole of detection: find the project in the tree, ask every detector, decide, and say what is
//! missing and what would be guessed.

use std::path::Path;

use fwai_schema::finding::Finding;
use fwai_schema::project::MemoryRegion;
use serde::Serialize;

use super::chips;
use super::detectors::DETECTORS;
use super::documents;
use super::findings::Findings;
use super::resolve;
use super::tree::{DetectError, Limits, MARKERS, ProjectTree, file_name, parent};
use super::view::View;

/// Something that no file states, but that is likely.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guess {
    pub key: String,
    pub value: String,
    pub why: String,
    pub confidence: f32,
}

/// What a project says about itself.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Detection {
    /// One answer a key (memory regions may be several), each with its place.
    pub findings: Vec<Finding>,
    /// What else was said and not believed.
    pub alternatives: Vec<Finding>,
    pub guesses: Vec<Guess>,
    pub regions: Vec<MemoryRegion>,
    /// Keys that matter and that nothing states.
    pub missing: Vec<String>,
    /// Where the build files lie, relative to the project; `""` is the project itself.
    pub project_dir: String,
    /// Documents worth adding.
    pub documents: Vec<String>,
    pub warnings: Vec<String>,
}

impl Detection {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.key == key)
    }

    /// The value of a key, found or guessed.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.get(key)
            .map(|finding| finding.value.as_str())
            .or_else(|| self.guesses.iter().find(|guess| guess.key == key).map(|guess| guess.value.as_str()))
    }
}

/// Looks at a project. Nothing of it is executed and nothing is written.
pub fn detect(root: &Path, limits: Limits) -> Result<Detection, DetectError> {
    let tree = ProjectTree::scan(root, limits)?;
    let (dir, found) = best_project(&tree)?;
    let resolved = resolve::resolve(&found);
    let mut detection = Detection {
        regions: resolve::regions(&resolved.findings),
        findings: resolved.findings,
        alternatives: resolved.alternatives,
        project_dir: dir,
        warnings: tree.warnings(),
        ..Detection::default()
    };
    if tree.cut_short() {
        detection.warnings.push("the project is very large: only its upper part was looked at".to_owned());
    }
    guess(&mut detection, &tree);
    let needed = ["build_system", "mcu", "build_command", "flash_command"];
    detection.missing =
        needed.iter().filter(|key| detection.get(key).is_none()).map(|key| (*key).to_owned()).collect();
    detection.documents = documents::worth_adding(&detection);
    Ok(detection)
}

/// Asks the detectors in the directory that looks most like the project, and in the next best ones
/// when they find no build system there.
fn best_project(tree: &ProjectTree) -> Result<(String, Findings), DetectError> {
    let mut best: Option<(String, Findings, f32)> = None;
    for dir in project_dirs(tree) {
        let mut findings = Findings::default();
        let view = View { tree, dir: &dir };
        for detector in DETECTORS {
            (detector.run)(view, &mut findings);
        }
        if let Some(failure) = tree.take_failure() {
            return Err(failure);
        }
        let sure = findings.best("build_system").map_or(0.0, |system| system.confidence);
        if best.as_ref().is_none_or(|(.., best)| sure > *best) {
            best = Some((dir, findings, sure));
        }
        if sure >= 0.7 {
            break;
        }
    }
    let (dir, findings, _) = best.unwrap_or_default();
    Ok((dir, findings))
}

/// The root first, then directories with a build file: shallow before deep, own code before vendor's.
fn project_dirs(tree: &ProjectTree) -> Vec<String> {
    const FOREIGN: &[&str] = &[
        "lib",
        "libs",
        "third_party",
        "third-party",
        "external",
        "extern",
        "vendor",
        "deps",
        "drivers",
        "middlewares",
        "components",
        "modules",
        "test",
        "tests",
        "docs",
        "doc",
        "examples",
        "example",
        "tools",
        "scripts",
        "sdk",
        "cmsis",
    ];
    let mut dirs: Vec<(bool, usize, String)> = Vec::new();
    for file in tree.files() {
        let name = file_name(file);
        let marker = MARKERS.contains(&name)
            || name.ends_with(".ino")
            || name.ends_with(".ioc")
            || name.ends_with(".uvprojx")
            || name.ends_with(".csolution.yml");
        let dir = parent(file);
        if !marker || dir.is_empty() || dirs.iter().any(|(.., known)| known == dir) {
            continue;
        }
        let foreign = dir.split('/').any(|part| FOREIGN.contains(&part.to_ascii_lowercase().as_str()));
        dirs.push((foreign, dir.matches('/').count(), dir.to_owned()));
        if dirs.len() >= 500 {
            break;
        }
    }
    dirs.sort();
    let below = dirs.into_iter().map(|(.., dir)| dir).take(12);
    std::iter::once(String::new()).chain(below).collect()
}

fn guess(detection: &mut Detection, tree: &ProjectTree) {
    let mut guesses = Vec::new();
    let mut add = |key: &str, value: String, why: String, confidence: f32| {
        if detection.get(key).is_none() {
            guesses.push(Guess { key: key.to_owned(), value, why, confidence });
        }
    };
    let name = tree
        .root()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_else(|| "firmware".into());
    add("name", name, "the directory is called so".into(), 0.5);
    if detection.get("build_system").is_some() {
        add("rtos", "bare-metal".into(), "no operating system was found".into(), 0.4);
        add("serial_baud", "115200".into(), "the usual speed; nothing states another".into(), 0.4);
    }
    let family = detection.get("mcu").and_then(|mcu| chips::family(&mcu.value));
    if let Some(target) = family.and_then(|family| family.openocd.as_deref()) {
        let interface = match detection.get("debug_interface").map(|finding| finding.value.as_str()) {
            Some("j-link") => "jlink",
            Some("cmsis-dap") => "cmsis-dap",
            _ if target.starts_with("stm32") => "stlink",
            _ if target.starts_with("rp2") || target.starts_with("nrf") => "cmsis-dap",
            _ => "",
        };
        if !interface.is_empty() && !target.starts_with("esp") {
            let files = format!("openocd -f interface/{interface}.cfg -f target/{target}.cfg");
            let why = format!("how OpenOCD reaches a chip of this family with {interface}");
            add(
                "flash_command",
                format!("{files} -c \"program {{elf}} verify reset exit\""),
                why.clone(),
                0.4,
            );
            add("gdb_server_command", files, why, 0.4);
        }
    }
    detection.guesses = guesses;
}
