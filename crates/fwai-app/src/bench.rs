//! The work bench of a project: its boards, its newest build, and the run store that records what is done.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use fwai_evidence::runs::{RunStore, load_evidence};
use fwai_firmware::{
    boards::{self, Board, BoardContext, BoardError, Catalogue, CatalogueError},
    flash::BuildFacts,
    launch::Launcher,
};
use fwai_schema::{
    board::BoardDef,
    config::Config,
    evidence::{Evidence, ProjectRef, RunStatus},
    permission::Mode,
    policy::FlashGuard,
    project::Project,
};

use crate::{
    config::{self, ConfigError},
    effective_policy::{self, PolicyError},
    evidence::{self, EvidenceSetupError},
    paths::Paths,
    walls,
};

/// Runs that are searched for the newest build.
const MOST_SEARCHED: usize = 500;

/// Why no image or ELF was found.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum NoElf {
    #[error("no build is on record and `build.elf` is not set; run `fwai build` first, or name the ELF")]
    NoBuild,
    #[error("the newest build ({run}) made no ELF; set `build.elf` in .fwai/project.yaml, or name the ELF")]
    NotMade { run: String },
    #[error("{} does not exist; run `fwai build`", path.display())]
    Gone { path: PathBuf },
}

/// A project with its boards.
pub struct Bench {
    pub paths: Paths,
    pub project: Project,
    pub catalogue: Catalogue,
    /// The board that `project.yaml` itself describes, by name.
    own_board: Option<String>,
    launcher: Arc<dyn Launcher>,
}

impl Bench {
    /// Reads the project; one without `project.yaml` has every default.
    pub fn open(paths: &Paths, config: &Config) -> Result<Self, ConfigError> {
        let project = config::load_project(paths)?.map(|(project, _)| project).unwrap_or_default();
        let mut catalogue = Catalogue::load(&paths.project);
        // A file that describes the board wins over the few words of project.yaml.
        let own = boards::own_board(&project).filter(|own| catalogue.find(&own.name).is_err());
        let own_name = own.as_ref().map(|own| own.name.clone());
        catalogue.boards.extend(own);
        // Which QEMU, GDB or OpenOCD script runs is written in files that anybody may have written.
        let launcher = walls::launchers(paths, config).0.for_call(Mode::Auto, &[]);
        Ok(Self { paths: paths.clone(), project, catalogue, own_board: own_name, launcher })
    }

    /// The named board, else the project's, else the one that its commands and ports describe, else one
    /// that can stand in for its MCU.
    pub fn choose(&self, named: Option<&str>) -> Result<&BoardDef, CatalogueError> {
        let target = &self.project.target;
        let is_known = |name: &String| self.catalogue.find(name).is_ok();
        if let (None, Some(own)) = (named, &self.own_board)
            && !target.board.as_ref().is_some_and(is_known)
        {
            return self.catalogue.find(own);
        }
        self.catalogue.choose(named.or(target.board.as_deref()), target.mcu.as_deref())
    }

    pub fn context(&self) -> BoardContext {
        BoardContext {
            root: self.paths.project.clone(),
            project: self.project.clone(),
            launcher: self.launcher.clone(),
        }
    }

    pub fn launcher(&self) -> Arc<dyn Launcher> {
        self.launcher.clone()
    }

    /// The back end of a board.
    pub fn board(&self, def: &BoardDef) -> Result<Box<dyn Board>, BoardError> {
        boards::open(def, &self.context())
    }

    /// The newest build on record, by command or by an agent.
    pub fn newest_build(&self) -> Option<BuildFacts> {
        let entries = std::fs::read_dir(self.paths.fwai().join("runs")).ok()?;
        let mut ids: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // Ids begin with the time, so their order is that of the runs.
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.iter().take(MOST_SEARCHED).find_map(|id| {
            let evidence = load_evidence(&self.paths.project, id).ok()?;
            is_build(&evidence).then(|| BuildFacts {
                run_id: id.clone(),
                succeeded: build_succeeded(&evidence),
                artifacts: evidence.artifacts,
            })
        })
    }

    /// The ELF that debugging and decoding use: the named one, the project's, the newest build's.
    pub fn elf(&self, named: Option<&Path>) -> Result<PathBuf, NoElf> {
        let path = match (named, &self.project.build.elf) {
            (Some(path), _) => return existing(path.to_path_buf()),
            (None, Some(path)) => self.paths.project.join(path),
            (None, None) => {
                let build = self.newest_build().ok_or(NoElf::NoBuild)?;
                let elf = build.artifacts.iter().find(|artifact| artifact.kind == "elf");
                self.paths.project.join(&elf.ok_or(NoElf::NotMade { run: build.run_id })?.path)
            }
        };
        existing(path)
    }

    /// The image to flash: the named one, the project's, else the ELF.
    pub fn image(&self, named: Option<&Path>) -> Result<PathBuf, NoElf> {
        match (named, &self.project.flash.image) {
            (Some(path), _) => existing(path.to_path_buf()),
            (None, Some(path)) => existing(self.paths.project.join(path)),
            (None, None) => self.elf(None),
        }
    }

    /// The guard that configuration, project and organisation agree on.
    pub fn flash_guard(&self, config: &Config) -> Result<FlashGuard, PolicyError> {
        Ok(effective_policy::load(&self.paths, config)?.flash_guard)
    }

    /// Where runs on this bench are recorded.
    pub fn run_store(&self, config: &Config) -> Result<RunStore, EvidenceSetupError> {
        let project = ProjectRef {
            name: self.project.name.clone(),
            target_mcu: self.project.target.mcu.clone(),
            ..ProjectRef::default()
        };
        evidence::run_store(&self.paths, config, Some(project))
    }
}

fn existing(path: PathBuf) -> Result<PathBuf, NoElf> {
    if path.is_file() { Ok(path) } else { Err(NoElf::Gone { path }) }
}

/// A turn or skill whose build left a run of its own is not the build; that run is.
fn is_build(evidence: &Evidence) -> bool {
    let has_built = || evidence.tools.iter().any(|tool| is_build_tool(&tool.tool) && tool.run_id.is_none());
    evidence.skill == "build" || (!evidence.artifacts.is_empty() && has_built())
}

fn is_build_tool(name: &str) -> bool {
    matches!(name, "build" | "build_firmware")
}

/// A build inside a longer run succeeded when its last build tool did.
fn build_succeeded(evidence: &Evidence) -> bool {
    match evidence.tools.iter().rev().find(|tool| is_build_tool(&tool.tool)) {
        Some(tool) => tool.status == RunStatus::Success,
        None => evidence.status == RunStatus::Success,
    }
}
