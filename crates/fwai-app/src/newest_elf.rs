//! Which image is meant when none is named.

use std::path::{Path, PathBuf};

use fwai_evidence::runs::{list_runs, load_evidence};
use fwai_schema::{evidence::RunStatus, project::Project};

use crate::paths::Paths;

/// The named ELF, the project's, or that of the newest build that succeeded.
pub fn newest_elf(paths: &Paths, project: &Project, named: Option<&Path>) -> Option<PathBuf> {
    let root = &paths.project;
    if let Some(elf) =
        named.map(Path::to_owned).or_else(|| project.build.elf.as_ref().map(|elf| root.join(elf)))
    {
        return Some(elf);
    }
    let runs = list_runs(root).unwrap_or_default();
    let builds = runs.iter().filter(|run| run.skill == "build" && run.status == RunStatus::Success);
    builds.take(20).find_map(|run| {
        let evidence = load_evidence(root, &run.run_id).ok()?;
        let elf = evidence.artifacts.into_iter().find(|artifact| artifact.kind == "elf")?;
        Some(root.join(elf.path))
    })
}
