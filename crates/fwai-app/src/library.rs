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
    skills::{
        self,
        check::{Known, SkillProblem, check},
    },
};
use fwai_llm::{BoxFuture, Provider};
use fwai_schema::{
    agent::AgentDef,
    document::{self, Document, Problem, Severity},
    families,
    skill::SkillDef,
    tool::ToolDef,
};
use fwai_tools::{world::World, yaml_tool::YamlTool};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
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
    Workflow(Box<Workflow>),
    /// Instructions in a `SKILL.md`.
    Document { description: String, body: String },
}

impl Skill {
    pub fn description(&self) -> &str {
        match self {
            Skill::Workflow(workflow) => &workflow.definition.description,
            Skill::Document { description, .. } => description,
        }
    }
}

/// A workflow, and the file that it was read from.
#[derive(Debug, Clone)]
pub struct Workflow {
    pub definition: SkillDef,
    pub source: Document,
}

impl Workflow {
    /// Whether it came with fwai, and from nobody's file.
    pub fn is_shipped(&self) -> bool {
        SHIPPED_SKILLS.iter().any(|(name, _)| **name == *self.source.name)
    }

    fn read(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let family = families::by_name("skill").expect("the list has it");
        let source = Document::parse(name, text).map_err(|problem| vec![problem])?;
        let (definition, warnings) = source.read::<SkillDef>(family)?;
        // A misspelt `when` would let a step run that should not: what looks like a key is one, or is refused.
        let (mut problems, warnings): (Vec<Problem>, Vec<Problem>) =
            warnings.into_iter().partition(|warning| warning.did_you_mean.is_some());
        problems.iter_mut().for_each(|problem| problem.severity = Severity::Error);
        let workflow = Self { definition, source };
        problems.extend(workflow.problems(&Known::default()));
        if !problems.is_empty() {
            return Err(problems);
        }
        for warning in warnings {
            warn_once(&warning.to_string());
        }
        Ok(workflow)
    }

    /// What keeps it from running, each at its place in the file.
    pub fn problems(&self, known: &Known<'_>) -> Vec<Problem> {
        let place = |problem: SkillProblem| {
            let mut path = problem.path.as_str();
            let span = loop {
                match self.source.root.at(path) {
                    Some(node) if !path.is_empty() => break node.span,
                    _ => match path.rsplit_once('.') {
                        Some((above, _)) => path = above,
                        None => break self.source.root.span,
                    },
                }
            };
            self.source.problem_at(span, problem.message).did_you_mean(problem.did_you_mean)
        };
        check(&self.definition, known).into_iter().map(place).collect()
    }
}

/// A command reads the library more than once; its user reads a warning only once.
fn warn_once(warning: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if TOLD.lock().is_ok_and(|mut told| told.insert(warning.to_owned())) {
        tracing::warn!("{warning}");
    }
}

/// A file that would be a skill, and why it is none.
#[derive(Debug, Clone)]
pub struct BrokenSkill {
    /// What it seems to be called.
    pub name: String,
    pub problems: Vec<String>,
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

/// Every skill that counts here, by name. Those that cannot be read are told and left out.
pub fn skills(paths: &Paths) -> BTreeMap<String, Skill> {
    let (found, broken) = all_skills(paths);
    for problem in broken.iter().flat_map(|broken| &broken.problems) {
        warn_once(problem);
    }
    found
}

/// Every skill that counts here by name, and the files that would be one.
pub fn all_skills(paths: &Paths) -> (BTreeMap<String, Skill>, Vec<BrokenSkill>) {
    let mut found: BTreeMap<String, Skill> = BTreeMap::new();
    let mut broken: Vec<BrokenSkill> = Vec::new();
    for (file, text) in SHIPPED_SKILLS {
        let workflow = Workflow::read(file, text).expect("a test reads every skill that fwai ships");
        found.insert(workflow.definition.name.clone(), Skill::Workflow(Box::new(workflow)));
    }
    for place in places(paths) {
        for file in yaml_files(&place.join("skills")) {
            let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let read = match read_text(&file, paths) {
                Ok(None) => continue,
                Ok(Some(text)) => Workflow::read(&paths.display(&file), &text)
                    .map_err(|problems| problems.iter().map(ToString::to_string).collect()),
                Err(error) => Err(vec![error.to_string()]),
            };
            match read {
                Ok(workflow) => {
                    found.insert(workflow.definition.name.clone(), Skill::Workflow(Box::new(workflow)));
                }
                Err(problems) => broken.push(BrokenSkill { name: stem, problems }),
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
                Err(error) => {
                    broken.push(BrokenSkill { name: name.to_owned(), problems: vec![error.to_string()] });
                }
            }
        }
    }
    (found, broken)
}

/// Names of skills that lie in a project which is not trusted yet.
pub fn untrusted_skills(paths: &Paths) -> Vec<String> {
    if trust::of(paths) == Trust::Trusted {
        return Vec::new();
    }
    let place = paths.fwai().join("skills");
    let named = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    yaml_files(&place).into_iter().chain(folders(&place)).filter_map(named).collect()
}

/// Skills that come with fwai, by the name that messages give them.
const SHIPPED_SKILLS: &[(&str, &str)] = &[
    ("build_and_test.yaml of fwai", include_str!("../skills/build_and_test.yaml")),
    ("build_flash_monitor.yaml of fwai", include_str!("../skills/build_flash_monitor.yaml")),
    ("fix_build.yaml of fwai", include_str!("../skills/fix_build.yaml")),
    ("diagnose_boot.yaml of fwai", include_str!("../skills/diagnose_boot.yaml")),
    ("size_report.yaml of fwai", include_str!("../skills/size_report.yaml")),
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
            Some(Skill::Workflow(workflow)) => Ok(skills::written_out(&workflow.definition)),
            Some(Skill::Document { body, .. }) => Ok(body.clone()),
            None => Err(HostError::new(format!("there is no skill `{name}`"))),
        }
    }

    fn workflow(&self, name: &str) -> Option<SkillDef> {
        match self.skills.get(name)? {
            Skill::Workflow(workflow) => Some(workflow.definition.clone()),
            Skill::Document { .. } => None,
        }
    }

    fn run_skill<'a>(
        &'a self,
        name: &'a str,
        _inputs: &'a Value,
    ) -> BoxFuture<'a, Result<Option<ToolOutcome>, HostError>> {
        Box::pin(async move {
            match self.skills.get(name) {
                // The session runs workflows itself, so that each step passes its gate.
                Some(Skill::Workflow(_)) => Ok(None),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_skill_can_be_read() {
        for (file, text) in SHIPPED_SKILLS {
            let workflow = Workflow::read(file, text).unwrap();
            assert!(file.starts_with(&workflow.definition.name), "{file}");
            assert!(
                workflow.definition.triggers.len() >= 4 && !workflow.definition.keywords.is_empty(),
                "{file}"
            );
        }
    }

    #[test]
    fn a_problem_points_at_its_line() {
        let text = "name: x\ndescription: d\ninputs:\n  board: {default: a}\nsteps:\n  - tool: build\n  - tool: flash\n    with: {board: $bord}\n";
        let problems = Workflow::read("x.yaml", text).unwrap_err();
        assert_eq!((problems[0].line, problems[0].column), (8, 19), "{}", problems[0]);
        assert_eq!(problems[0].did_you_mean.as_deref(), Some("board"));
    }

    #[test]
    fn a_misspelt_key_is_refused_and_a_strange_one_only_told() {
        let text = |key: &str| {
            format!(
                "name: x\ndescription: d\nsteps:\n  - tool: flash\n    {key}: steps.a.status == success\n"
            )
        };
        for (key, meant) in [("wehn", "when"), ("onfail", "on_fail"), ("time_out", "timeout")] {
            let problems = Workflow::read("x.yaml", &text(key)).unwrap_err();
            assert_eq!((problems[0].line, problems[0].did_you_mean.as_deref()), (5, Some(meant)), "{key}");
        }
        assert!(Workflow::read("x.yaml", &text("colour")).is_ok());
    }
}
