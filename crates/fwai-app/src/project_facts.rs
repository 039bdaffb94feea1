//! What the prompt and the evidence say about the project.

use crate::{config::read_text, paths::Paths};
use fwai_schema::{evidence::ProjectRef, project::Project};
use std::path::Path;

/// Facts for the model, one a line; only what is known.
pub fn prompt(project: &Project) -> String {
    let target = &project.target;
    let clock = target.clock_hz.map(|hz| format!("{:.3} MHz", hz as f64 / 1e6));
    let name = Some(project.name.clone()).filter(|name| !name.is_empty());
    let baud = project.serial.baud.map(|baud| baud.to_string());
    let facts = [
        ("name", &name),
        ("summary", &project.summary),
        ("mcu", &target.mcu),
        ("board", &target.board),
        ("arch", &target.arch),
        ("clock", &clock),
        ("rtos", &target.rtos),
        ("build system", &project.build.system),
        ("build command", &project.build.command),
        ("test command", &project.build.test_command),
        ("flash command", &project.flash.command),
        ("serial port", &project.serial.port),
        ("baud", &baud),
        ("compiler", &project.toolchain.compiler),
        ("debug interface", &project.debug.interface),
        ("svd", &target.svd),
    ];
    let mut lines: Vec<String> =
        facts.iter().filter_map(|(key, value)| Some(format!("{key}: {}", (*value).as_ref()?))).collect();
    for region in &target.regions {
        lines.push(format!("memory {}: {:#010x}, {} bytes", region.name, region.origin, region.length));
    }
    for (key, list) in [
        ("linker script", &project.toolchain.linker_scripts),
        ("boot success", &project.boot.success_patterns),
        ("boot failure", &project.boot.failure_patterns),
        ("document", &project.documents),
    ] {
        lines.extend(list.iter().map(|entry| format!("{key}: {entry}")));
    }
    lines.join("\n")
}

/// Rules that people wrote for agents: the user's `AGENTS.md`, then the project's.
pub fn rules(paths: &Paths) -> Vec<(String, String)> {
    let files = [paths.user.join("AGENTS.md"), paths.project.join("AGENTS.md")];
    let read = |file: &std::path::PathBuf| {
        let text = read_text(file, paths).inspect_err(|error| tracing::warn!("{error}")).ok()??;
        (!text.trim().is_empty()).then(|| (paths.display(file), text))
    };
    files.iter().filter_map(read).collect()
}

/// The project as evidence names it.
pub fn reference(project: &Project, root: &Path) -> ProjectRef {
    let folder = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if project.name.is_empty() { folder } else { project.name.clone() };
    ProjectRef { name, target_mcu: project.target.mcu.clone(), commit: None, dirty: None }
}
