//! The SBOM of a project's newest image: finds the image, its map and the model, and keeps the result
//! with a run.

use std::path::{Path, PathBuf};

use fwai_evidence::{
    runs::{Run, RunError, list_runs, load_evidence},
    sbom::{ModelRef, SbomError, SbomInput, generate, summary},
};
use fwai_schema::project::Project;
use serde_json::Value;

use crate::paths::Paths;

/// How the file is called in a run's directory.
pub const SBOM_FILE: &str = "sbom.cdx.json";

/// The SBOM of one image.
pub fn sbom(paths: &Paths, project: &Project, elf: &Path, map: Option<&Path>) -> Result<Value, SbomError> {
    let found = map.map(Path::to_owned).or_else(|| map_of(elf));
    let folder = paths.project.file_name().and_then(|name| name.to_str()).unwrap_or("firmware");
    generate(&SbomInput {
        elf,
        map: found.as_deref(),
        project: &paths.project,
        name: if project.name.is_empty() { folder } else { &project.name },
        version: None,
        model: model_of(&paths.project),
        fwai_version: env!("CARGO_PKG_VERSION"),
    })
}

/// Writes the SBOM into a run and names it in the record.
pub fn keep(run: &mut Run, bom: &Value) -> Result<(), RunError> {
    let text = serde_json::to_vec_pretty(bom).expect("plain data");
    let mut short = summary(bom, &text, SBOM_FILE);
    short.sha256 = run.write_file(SBOM_FILE, &text)?;
    run.set_sbom(short)
}

/// The map beside an image: `app.map`, `app.elf.map`, or the only one there.
pub fn map_of(elf: &Path) -> Option<PathBuf> {
    let mut appended = elf.as_os_str().to_owned();
    appended.push(".map");
    let named = [elf.with_extension("map"), PathBuf::from(appended)];
    if let Some(map) = named.into_iter().find(|map| map.is_file()) {
        return Some(map);
    }
    let entries = std::fs::read_dir(elf.parent()?).ok()?;
    let mut maps = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "map"));
    let only = maps.next();
    only.filter(|_| maps.next().is_none())
}

/// The model of the newest run that used one.
fn model_of(root: &Path) -> Option<ModelRef> {
    let runs = list_runs(root).ok()?;
    runs.iter().take(50).find_map(|run| {
        let llm = load_evidence(root, &run.run_id).ok()?.llm?;
        Some(ModelRef { provider: llm.provider, name: llm.model })
    })
}
