//! The flash guard: only the newest successful build reaches a board, within the change budget, and a
//! person is told what will happen.
//!
//! The guard takes plain facts; whoever calls it gets them from evidence and policy.

use std::fmt;

use fwai_schema::{board::BoardDef, evidence::Artifact, policy::FlashGuard, project::Project};

use crate::boards::{Image, ImageError};

/// The newest build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildFacts {
    pub run_id: String,
    pub succeeded: bool,
    pub artifacts: Vec<Artifact>,
}

/// What the guard is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuardFacts {
    pub newest_build: Option<BuildFacts>,
    /// Why the change budget does not hold, where it does not.
    pub budget_exceeded: Option<String>,
}

/// Why the guard says no.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum GuardRefusal {
    #[error("no build is on record, so nothing says where {image} comes from; run `fwai build` first")]
    NoBuild { image: String },
    #[error("the newest build ({run}) failed; fix it and run `fwai build` before flashing")]
    BuildFailed { run: String },
    #[error(
        "{image} is not what the newest build ({run}) made: {detail}; run `fwai build` again, or name its artefact"
    )]
    NotThatBuild { image: String, run: String, detail: String },
    #[error("the change budget does not hold: {0}; make the change smaller or have the policy raised")]
    Budget(String),
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl GuardRefusal {
    /// Whether policy, and not the image itself, is the reason.
    pub fn is_policy(&self) -> bool {
        !matches!(self, Self::Image(_))
    }
}

/// Let the image pass; the id of the run that built it, where one is known.
pub fn check(
    guard: &FlashGuard,
    image: &Image,
    def: &BoardDef,
    project: &Project,
    facts: &GuardFacts,
) -> Result<Option<String>, GuardRefusal> {
    image.check_fits(def, project)?;
    if let Some(why) = &facts.budget_exceeded {
        return Err(GuardRefusal::Budget(why.clone()));
    }
    let name = image.path.display().to_string();
    let build = match &facts.newest_build {
        Some(build) => build,
        None if guard.require_build_success => return Err(GuardRefusal::NoBuild { image: name }),
        None => return Ok(None),
    };
    let made_it = build.artifacts.iter().any(|artifact| artifact.sha256.eq_ignore_ascii_case(&image.sha256));
    if guard.require_build_success {
        if !build.succeeded {
            return Err(GuardRefusal::BuildFailed { run: build.run_id.clone() });
        }
        if !made_it {
            let detail = match build.artifacts.iter().find(|artifact| name.ends_with(&artifact.path)) {
                Some(artifact) => {
                    format!(
                        "it made {} with SHA-256 {}, this one has {}",
                        artifact.path,
                        short(&artifact.sha256),
                        short(&image.sha256)
                    )
                }
                None if build.artifacts.is_empty() => "it made no image".to_string(),
                None => {
                    let made: Vec<&str> =
                        build.artifacts.iter().map(|artifact| artifact.path.as_str()).collect();
                    format!("it made {}", made.join(", "))
                }
            };
            return Err(GuardRefusal::NotThatBuild { image: name, run: build.run_id.clone(), detail });
        }
    }
    Ok(made_it.then(|| build.run_id.clone()))
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// What a person says yes to.
pub struct Confirmation<'a> {
    pub def: &'a BoardDef,
    pub project: &'a Project,
    pub image: &'a Image,
}

impl fmt::Display for Confirmation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (def, image) = (self.def, self.image);
        let title = [def.title.as_str(), def.chip.as_str()];
        let title: Vec<&str> = title.into_iter().filter(|text| !text.is_empty()).collect();
        let kind = format!("{:?}", def.kind).to_lowercase();
        writeln!(f, "Flash {kind} board {} ({})", def.name, title.join(", "))?;
        writeln!(f, "  image    {}", image.path.display())?;
        let id = image.build_id.as_deref().unwrap_or("none");
        writeln!(f, "  build-id {id}, SHA-256 {}", short(&image.sha256))?;
        writeln!(f, "  size     {} bytes", image.bytes_to_write())?;
        let regions = if def.regions.is_empty() { &self.project.target.regions } else { &def.regions };
        for (name, bytes) in image.use_of_regions(regions) {
            match regions.iter().find(|region| region.name == name) {
                Some(region) => writeln!(
                    f,
                    "  region   {name}: {bytes} of {} bytes at {:#010x} ({:.1} %)",
                    region.length,
                    region.origin,
                    bytes as f64 * 100.0 / region.length.max(1) as f64
                )?,
                None => writeln!(f, "  region   {bytes} bytes at {name}")?,
            }
        }
        Ok(())
    }
}
