//! The one place where configuration becomes a running session.

use crate::{
    answer_schema::AnswerSchema,
    effective_policy::{self, PolicyError},
    evidence::{self, EvidenceSetupError},
    gate::AppGate,
    hooks::Hooks,
    library::{self, DiskLibrary, OtherProvider},
    native_clock::NativeClock,
    paths::Paths,
    project_facts,
    recorder::{HeardLogs, Recorder},
    session_store::{SessionError, SessionStore},
    walls::Walls,
};
use fwai_agent::{
    config::{Output, PromptParts, SessionConfig, new_session_id},
    host::{EventLogs, Host, HostError},
    registry::Registry,
    session::{Session, Started},
};
use fwai_llm::{BoxFuture, Provider};
use fwai_policy::{PolicyEngine, Surroundings, private_paths, rules::RuleProblem, secrets};
use fwai_schema::{
    config::{Config, HookEvent},
    op::Op,
    permission::Mode,
    project::Project,
};
use fwai_tools::{
    safe_path::{PathError, ProjectDir},
    world::World,
};
use std::{path::PathBuf, sync::Arc, time::Duration};
use thiserror::Error;

/// Why a session could not be started.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum AssemblyError {
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error("policy: {0}")]
    Rules(#[from] RuleProblem),
    #[error(transparent)]
    Evidence(#[from] EvidenceSetupError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("{}", .0.what)]
    Host(HostError),
    #[error("the session was not started: {0}")]
    Denied(String),
}

/// What hooks may take when a session ends; whoever waits for the end waits no longer than a little more.
const LAST_WORDS: Duration = Duration::from_secs(4);

impl From<HostError> for AssemblyError {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// Adds tools to those of every session.
pub type MoreTools = Box<dyn FnOnce(Registry, &Arc<World>) -> Registry>;

/// What a session is made of.
pub struct Ingredients {
    pub paths: Paths,
    pub config: Config,
    pub project: Project,
    pub provider: Arc<dyn Provider>,
    /// Makes a provider for an agent that names its own model.
    pub other_provider: OtherProvider,
    /// Keys in memory, which nothing may show.
    pub known_secrets: Vec<String>,
    /// Further tools: the board's, MCP's.
    pub more_tools: MoreTools,
    pub virtual_board: bool,
}

/// How the session is wanted.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Go on with this session: an id, the beginning of one, or `last`.
    pub resume: Option<String>,
    /// Overrides that of the configuration.
    pub mode: Option<Mode>,
    /// Someone can answer.
    pub person: bool,
    /// What the final answer must be.
    pub output_schema: Option<AnswerSchema>,
}

/// A session, ready to be driven.
pub struct Assembled {
    pub id: String,
    pub started: Started,
    pub registry: Registry,
    pub gate: Arc<AppGate>,
    pub hooks: Hooks,
    pub redactor: secrets::Redactor,
}

/// Puts everything together and starts the session.
pub fn assemble(ingredients: Ingredients, wanted: Wanted) -> Result<Assembled, AssemblyError> {
    let (paths, config, project) = (&ingredients.paths, &ingredients.config, &ingredients.project);
    let root = paths.project.canonicalize().unwrap_or_else(|_| paths.project.clone());
    let policy = effective_policy::load(paths, config)?;
    let walls = Walls::new(paths, config, &policy);
    walls.keep_ready();
    let engine = PolicyEngine::new(&policy, surroundings(&ingredients, &root, walls.stand()))?;

    let rules = secrets::RuleSet::with_config(&config.security.patterns, &config.security.allow)
        .map_err(EvidenceSetupError::from)?;
    let redactor = secrets::Redactor::new(rules);
    for secret in &ingredients.known_secrets {
        redactor.add_known(secret);
    }
    // What tools and evidence see of the policy is what really holds.
    let mut bounded = config.clone();
    bounded.policy = policy.clone();
    let recorder = match config.evidence.enabled {
        true => {
            let mut options =
                evidence::run_options(paths, &bounded, Some(project_facts::reference(project, &root)))?;
            options.redactor = evidence::redactor(redactor.clone());
            let store = fwai_evidence::runs::RunStore::open(&paths.project, options)
                .map_err(EvidenceSetupError::from)?;
            Some(Arc::new(Recorder::new(store)))
        }
        false => None,
    };
    let hooks = Hooks::new(config.hooks.clone(), root.clone());
    let gate = Arc::new(AppGate::new(
        paths.clone(),
        engine,
        hooks.clone(),
        redactor.clone(),
        recorder.clone(),
        ingredients.virtual_board,
    ));

    let store = SessionStore::new(&paths.project);
    let clock = Arc::new(NativeClock::default());
    let id = match &wanted.resume {
        Some(name) => store.resolve(name)?,
        None => new_session_id(&*clock),
    };
    let mut session = session_config(&ingredients, &wanted, id.clone(), root);
    let about = serde_json::json!({
        "event": "session_start",
        "session": id,
        "project": paths.project,
        "mode": session.agent.mode,
        "resumed": wanted.resume.is_some(),
    });
    let answer = hooks.run_now(HookEvent::SessionStart, &about);
    answer.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    if let Some(reason) = answer.denied {
        return Err(AssemblyError::Denied(reason));
    }
    session.prompt.rules.extend(answer.context.map(|text| ("the session_start hook".to_owned(), text)));
    let unreadable = unreadable(&ingredients);
    let world = Arc::new(World::new(
        ProjectDir::open(&paths.project)?,
        bounded,
        project.clone(),
        Arc::new(walls),
        unreadable,
    ));
    let library = DiskLibrary::read(paths, ingredients.other_provider);
    let registry = (ingredients.more_tools)(fwai_tools::registry::built_in(&world), &world);
    let registry = library::with_defined_tools(registry, &world, paths);
    let stored: Arc<dyn EventLogs> = Arc::new(store.clone());
    let logs = match recorder {
        Some(recorder) => Arc::new(HeardLogs { logs: stored, recorder }),
        None => stored,
    };
    let host = Host { clock, logs, gate: gate.clone(), files: Arc::new(store), library: Arc::new(library) };
    let mut started = Session::start(session, host, ingredients.provider, registry.clone())?;
    if hooks.any(HookEvent::SessionEnd) {
        started.driver = with_last_words(started.driver, hooks.clone(), id.clone());
    }
    // A resumed session has the mode of its log, unless another one is asked for now.
    if let (Some(_), Some(mode)) = (&wanted.resume, wanted.mode) {
        started.handle.send(Op::SetMode { mode });
    }
    Ok(Assembled { id, started, registry, gate, hooks, redactor })
}

/// Every tool that a session would have, but for those of the conversation itself: for looking at, not to run.
pub fn tool_list(paths: &Paths, config: &Config, project: &Project) -> Result<Registry, AssemblyError> {
    let (launchers, _) = crate::walls::launchers(paths, config);
    let directory = ProjectDir::open(&paths.project)?;
    let world = Arc::new(World::new(directory, config.clone(), project.clone(), launchers, Vec::new()));
    let registry = fwai_tools::registry::firmware(fwai_tools::registry::built_in(&world), &world);
    Ok(library::with_defined_tools(registry, &world, paths))
}

/// Runs the hooks of the end when the session has ended, whichever door it was.
fn with_last_words(driver: BoxFuture<'static, ()>, hooks: Hooks, id: String) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        driver.await;
        let about = serde_json::json!({"event": "session_end", "session": id});
        let work = hooks.run(HookEvent::SessionEnd, None, &about);
        match tokio::time::timeout(LAST_WORDS, work).await {
            Ok(answer) => answer.warnings.iter().for_each(|warning| tracing::warn!("{warning}")),
            Err(_) => tracing::warn!("session_end hooks took longer than {} s", LAST_WORDS.as_secs()),
        }
    })
}

fn surroundings(ingredients: &Ingredients, root: &std::path::Path, walls: bool) -> Surroundings {
    let sandbox = &ingredients.config.sandbox;
    Surroundings {
        root: root.display().to_string(),
        home: std::env::home_dir().map(|home| home.display().to_string()),
        walls,
        writable: sandbox.writable.clone(),
        private: unreadable(ingredients).iter().map(|path| path.display().to_string()).collect(),
    }
}

/// What no tool may read: secrets of the home directory and the machine, the user's own directory of fwai
/// (keys), and what the configuration names.
fn unreadable(ingredients: &Ingredients) -> Vec<PathBuf> {
    let home = std::env::home_dir().unwrap_or_default();
    let in_home = private_paths::IN_HOME.iter().map(|name| home.join(name));
    let of_the_machine = private_paths::OF_THE_MACHINE.iter().map(PathBuf::from);
    let configured = ingredients.config.sandbox.unreadable.iter().map(PathBuf::from);
    in_home.chain(of_the_machine).chain(configured).chain([ingredients.paths.user.clone()]).collect()
}

fn session_config(ingredients: &Ingredients, wanted: &Wanted, id: String, root: PathBuf) -> SessionConfig {
    let config = &ingredients.config;
    let mut agent = config.agent.clone();
    if let Some(mode) = wanted.mode {
        agent.mode = mode;
    }
    SessionConfig {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agent,
        prompt: PromptParts {
            role: None,
            project: project_facts::prompt(&ingredients.project),
            rules: project_facts::rules(&ingredients.paths),
        },
        person: wanted.person,
        context_window: config.provider.context_window,
        max_answer_tokens: config.provider.max_tokens,
        temperature: config.provider.temperature.map(|value| value as f32),
        output: wanted.output_schema.clone().map(|schema| Output {
            schema: schema.schema().clone(),
            check: Arc::new(move |answer: &str| schema.check(answer).map(drop)),
        }),
        ..SessionConfig::new(id, root)
    }
}
