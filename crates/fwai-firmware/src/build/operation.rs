//! [`build`]: the whole operation.

use std::{
    path::{Component, Path, PathBuf},
    time::Duration,
};

use fwai_schema::evidence::Artifact;

use super::{
    artifacts::{Search, Snapshot, relative},
    diagnostic::{Detail, Diagnostic, Severity},
    history::History,
    parser::DiagnosticParser,
    progress::{Progress, ProgressReader},
};
use crate::launch::{CancellationToken, Exit, Grants, LaunchError, LaunchSpec, Launcher, run};

/// What to build, and how.
#[derive(Debug, Clone, Default)]
pub struct BuildRequest {
    /// The project's directory; the command runs here.
    pub root: PathBuf,
    /// Shell command.
    pub command: String,
    pub env: Vec<(String, String)>,
    pub timeout: Option<Duration>,
    /// Directory of the build's output, for relative names in messages.
    pub build_dir: Option<String>,
    /// The ELF that the project file names.
    pub elf: Option<PathBuf>,
    pub project_name: String,
    /// Where to remember warnings between builds; `.fwai/cache`.
    pub cache: Option<PathBuf>,
    pub grants: Grants,
}

/// What happens during a build.
#[derive(Debug)]
pub enum BuildEvent<'a> {
    /// Output as it comes.
    Output(&'a [u8]),
    Progress(Progress),
}

/// How a build went.
#[derive(Debug, Clone)]
pub struct BuildOutcome {
    pub success: bool,
    pub exit: Exit,
    pub duration: Duration,
    /// Likely causes first.
    pub diagnostics: Vec<Diagnostic>,
    /// The main ELF first; empty of anything that this build did not make or confirm.
    pub artifacts: Vec<Artifact>,
    /// Nothing had to be rebuilt.
    pub up_to_date: bool,
}

impl BuildOutcome {
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning)
    }

    /// The image to flash and debug.
    pub fn main_elf(&self) -> Option<&Artifact> {
        self.artifacts.first().filter(|artifact| artifact.kind == "elf")
    }
}

/// Run the build command and understand what it says and makes.
pub async fn build(
    launcher: &dyn Launcher,
    request: &BuildRequest,
    on_event: &mut (dyn FnMut(BuildEvent<'_>) + Send),
    cancel: &CancellationToken,
) -> Result<BuildOutcome, LaunchError> {
    // Compilers print the real path, whatever link the project was entered through.
    let root = request.root.canonicalize().unwrap_or_else(|_| request.root.clone());
    let request = &BuildRequest { root, ..request.clone() };
    let history = request.cache.as_deref().map(History::load).unwrap_or_default();
    let before = Snapshot::take(&request.root);
    let mut spec = LaunchSpec::shell(&request.command, &request.root).grants(request.grants.clone());
    spec.timeout = request.timeout;
    for (name, value) in &request.env {
        spec = spec.env(name, value);
    }
    let mut parser = DiagnosticParser::new();
    let mut progress = ProgressReader::default();
    let mut output = |chunk: &[u8]| {
        parser.feed(chunk);
        on_event(BuildEvent::Output(chunk));
        if let Some(progress) = progress.feed(chunk) {
            on_event(BuildEvent::Progress(progress));
        }
    };
    let finished = run(launcher, spec, &mut output, cancel).await?;
    let success = finished.exit.success();
    let mut diagnostics = parser.finish(!success);
    for diagnostic in &mut diagnostics {
        resolve(diagnostic, request);
    }
    stopped(&mut diagnostics, &finished.exit, request);
    let search = Search {
        root: &request.root,
        before: &before,
        succeeded: success,
        elf: request.elf.as_deref(),
        project_name: &request.project_name,
        made_before: &history.made_by(&request.command),
    };
    let found = search.run();
    let missing = found.problems.iter().any(|problem| problem.contains("did not make"));
    for problem in found.problems {
        let severity = if problem.contains("did not make") { Severity::Error } else { Severity::Warning };
        diagnostics.push(Diagnostic::new("fwai", severity, problem));
    }
    history.mark_new(&mut diagnostics);
    let outcome = BuildOutcome {
        success: success && !missing,
        exit: finished.exit,
        duration: finished.duration,
        diagnostics,
        up_to_date: success && !found.any_fresh,
        artifacts: found.list,
    };
    if let Some(cache) = request.cache.as_deref().filter(|_| success) {
        // A build is no worse for a cache that cannot be written; next time nothing looks new.
        let _ = history.remember(&outcome, request, cache);
    }
    Ok(outcome)
}

fn stopped(diagnostics: &mut Vec<Diagnostic>, exit: &Exit, request: &BuildRequest) {
    let message = if exit.timed_out {
        let limit = request.timeout.unwrap_or_default().as_secs();
        format!("the build was stopped after its time limit of {limit} s (build.timeout_s in project.yaml)")
    } else if exit.cancelled {
        "the build was cancelled".to_string()
    } else if let Some(signal) = exit.signal {
        format!("the build was killed by signal {signal}")
    } else {
        return;
    };
    diagnostics.retain(|diagnostic| diagnostic.source != "build");
    diagnostics.insert(0, Diagnostic::new("fwai", Severity::Error, message));
}

/// Names relative to the project, wherever the tool stood when it spoke.
fn resolve(diagnostic: &mut Diagnostic, request: &BuildRequest) {
    let directory = diagnostic.directory.take();
    let fix = |name: &mut Option<String>| {
        if let Some(known) = name.as_deref().and_then(|name| resolved(name, directory.as_deref(), request)) {
            *name = Some(known);
        }
    };
    fix(&mut diagnostic.file);
    for note in &mut diagnostic.notes {
        fix(&mut note.file);
    }
    if let Some(Detail::UndefinedReference { users, .. } | Detail::MultipleDefinition { places: users, .. }) =
        &mut diagnostic.detail
    {
        for user in users {
            fix(&mut user.file);
        }
    }
}

fn resolved(name: &str, directory: Option<&str>, request: &BuildRequest) -> Option<String> {
    let root = &request.root;
    let path = Path::new(name);
    if path.is_absolute() {
        let clean = lexically_clean(path);
        return clean.strip_prefix(root).ok().map(|inside| inside.to_string_lossy().into_owned());
    }
    let spoken = directory.map(|directory| root.join(directory));
    let built = request.build_dir.as_ref().map(|directory| root.join(directory));
    let places = [spoken, Some(root.clone()), built, Some(root.join("build"))];
    places.into_iter().flatten().find_map(|place| {
        let candidate = lexically_clean(&place.join(path));
        (candidate.starts_with(root) && candidate.is_file()).then(|| relative(root, &candidate))
    })
}

/// `a/../b` without asking the file system.
fn lexically_clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}
