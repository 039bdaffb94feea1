//! Agents and skills that a session can find: the project's (once trusted), the user's, and fwai's own.

use crate::{
    config::read_text,
    paths::Paths,
    trust::{self, Trust},
};
use fwai_agent::{
    host::{HostError, Library, SkillEntry},
    outcome::ToolOutcome,
    registry::Registry,
    skills,
};
use fwai_llm::{BoxFuture, Provider};
use fwai_schema::{agent::AgentDef, document, families, skill::SkillDef, tool::ToolDef};
use fwai_tools::{world::World, yaml_tool::YamlTool};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Makes a provider for an agent that names its own model.
pub type OtherProvider = Box<dyn Fn(&str) -> Result<Arc<dyn Provider>, String> + Send + Sync>;

/// What was found, read once when the session starts.
pub struct DiskLibrary {
    agents: Vec<AgentDef>,
    skills: BTreeMap<String, Skill>,
    provider: OtherProvider,
}

/// A skill of either kind.
#[derive(Debug, Clone)]
pub enum Skill {
    /// Steps that `fwai run` carries out.
    Workflow(SkillDef),
    /// Instructions in a `SKILL.md`.
    Document { description: String, body: String },
}

impl Skill {
    pub fn description(&self) -> &str {
        match self {
            Skill::Workflow(definition) => &definition.description,
            Skill::Document { description, .. } => description,
        }
    }
}

impl DiskLibrary {
    /// Reads the library. Files that cannot be read are told and left out.
    pub fn read(paths: &Paths, provider: OtherProvider) -> Self {
        Self { agents: agents(paths), skills: skills(paths), provider }
    }
}

/// The places to look in, the most general first; a later one replaces what has the same name.
fn places(paths: &Paths) -> Vec<PathBuf> {
    let mut places = vec![paths.user.clone()];
    if trust::of(paths) == Trust::Trusted {
        places.push(paths.fwai());
    }
    places
}

/// Every agent that counts here.
pub fn agents(paths: &Paths) -> Vec<AgentDef> {
    let family = families::by_name("agent").expect("the list has it");
    let mut found: BTreeMap<String, AgentDef> = BTreeMap::new();
    for file in places(paths).iter().flat_map(|place| yaml_files(&place.join("agents"))) {
        if let Some(agent) = read::<AgentDef>(paths, &file, family) {
            found.insert(agent.name.clone(), agent);
        }
    }
    found.into_values().collect()
}

/// The registry with the tools that the user and, once trusted, the project define.
pub fn with_defined_tools(mut registry: Registry, world: &Arc<World>, paths: &Paths) -> Registry {
    let family = families::by_name("tool").expect("the list has it");
    for file in places(paths).iter().flat_map(|place| yaml_files(&place.join("tools"))) {
        let Some(definition) = read::<ToolDef>(paths, &file, family) else { continue };
        match YamlTool::new(definition, world.clone()) {
            Ok(tool) => registry = registry.with_dyn(Arc::new(tool)),
            Err(why) => tracing::warn!("{}: {why}", paths.display(&file)),
        }
    }
    registry
}

/// Every skill that counts here, by name.
pub fn skills(paths: &Paths) -> BTreeMap<String, Skill> {
    let family = families::by_name("skill").expect("the list has it");
    let mut found: BTreeMap<String, Skill> = BTreeMap::new();
    for text in SHIPPED_SKILLS {
        match document::read_str::<SkillDef>("shipped skill", text, family) {
            Ok((skill, _)) => {
                found.insert(skill.name.clone(), Skill::Workflow(skill));
            }
            Err(problems) => {
                tracing::error!("{}", problems.iter().map(ToString::to_string).collect::<String>())
            }
        }
    }
    for place in places(paths) {
        for file in yaml_files(&place.join("skills")) {
            if let Some(skill) = read::<SkillDef>(paths, &file, family) {
                found.insert(skill.name.clone(), Skill::Workflow(skill));
            }
        }
        for folder in folders(&place.join("skills")) {
            let file = folder.join("SKILL.md");
            let Ok(Some(text)) = read_text(&file, paths) else { continue };
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("skill");
            match skills::parse(&paths.display(&file), name, &text) {
                Ok(skill) => {
                    found.insert(
                        skill.name,
                        Skill::Document { description: skill.description, body: skill.body },
                    );
                }
                Err(error) => tracing::warn!("{error}"),
            }
        }
    }
    found
}

/// Skills that come with fwai.
const SHIPPED_SKILLS: &[&str] = &[
    include_str!("../skills/build_and_test.yaml"),
    include_str!("../skills/build_flash_monitor.yaml"),
    include_str!("../skills/fix_build.yaml"),
    include_str!("../skills/diagnose_boot.yaml"),
    include_str!("../skills/size_report.yaml"),
];

impl Library for DiskLibrary {
    fn agents(&self) -> Vec<AgentDef> {
        self.agents.clone()
    }

    fn skills(&self) -> Vec<SkillEntry> {
        let entry = |(name, skill): (&String, &Skill)| SkillEntry {
            name: name.clone(),
            description: skill.description().to_owned(),
        };
        self.skills.iter().map(entry).collect()
    }

    fn skill_document(&self, name: &str) -> Result<String, HostError> {
        match self.skills.get(name) {
            Some(Skill::Workflow(definition)) => Ok(skills::written_out(definition)),
            Some(Skill::Document { body, .. }) => Ok(body.clone()),
            None => Err(HostError::new(format!("there is no skill `{name}`"))),
        }
    }

    fn run_skill<'a>(
        &'a self,
        name: &'a str,
        _inputs: &'a Value,
    ) -> BoxFuture<'a, Result<Option<ToolOutcome>, HostError>> {
        Box::pin(async move {
            match self.skills.get(name) {
                // The model carries the steps out itself, so that each passes the gate of this session.
                Some(Skill::Workflow(definition)) => Ok(Some(ToolOutcome::ok(format!(
                    "Carry out these steps now, one after the other, with your tools:\n{}",
                    skills::written_out(definition)
                )))),
                Some(Skill::Document { .. }) => Ok(None),
                None => Ok(Some(ToolOutcome::failed(format!("there is no skill `{name}`")))),
            }
        })
    }

    fn provider(&self, model: &str) -> Result<Arc<dyn Provider>, HostError> {
        (self.provider)(model).map_err(HostError::new)
    }
}

fn read<T: serde::de::DeserializeOwned>(paths: &Paths, file: &Path, family: &families::Family) -> Option<T> {
    let name = paths.display(file);
    let text = match read_text(file, paths) {
        Ok(text) => text?,
        Err(error) => {
            tracing::warn!("{error}");
            return None;
        }
    };
    match document::read_str(&name, &text, family) {
        Ok((value, warnings)) => {
            for warning in warnings {
                tracing::warn!("{warning}");
            }
            Some(value)
        }
        Err(problems) => {
            for problem in problems {
                tracing::warn!("{problem}");
            }
            None
        }
    }
}

fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = entries(directory);
    files.retain(|path| path.is_file() && path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml"));
    files
}

fn folders(directory: &Path) -> Vec<PathBuf> {
    let mut folders = entries(directory);
    folders.retain(|path| path.is_dir());
    folders
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(directory).into_iter().flatten();
    let mut found: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found
}
