//! A build that leaves its record: log, diagnostics, artefacts, changes, and the claim that it was built.

use std::{io::Write, path::PathBuf, sync::Arc, time::Duration};

use fwai_evidence::{
    claims::{cover_files, project_files},
    runs::{Run, RunError, ToolRecord},
};
use fwai_firmware::{
    build::{BuildEvent, BuildOutcome, BuildRequest, build},
    detect::{Limits, detect},
    launch::{CancellationToken, Grants, LaunchError, Launcher},
};
use fwai_schema::{
    config::Config,
    evidence::{Claim, ClaimKind, RunStatus},
    project::Project,
};

use crate::{
    evidence::{self, EvidenceSetupError},
    paths::Paths,
    project_facts, sbom_run,
};

/// Why a build could not be started or recorded. A build that fails is no error but an outcome.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum BuildRunError {
    #[error("no build command is known for this project")]
    NoCommand,
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Setup(#[from] EvidenceSetupError),
    #[error(transparent)]
    Record(#[from] RunError),
}

/// What to build with.
pub struct BuildRun<'a> {
    pub paths: &'a Paths,
    pub config: &'a Config,
    pub project: &'a Project,
    pub launcher: Arc<dyn Launcher>,
    /// Instead of the project's own command.
    pub command: Option<String>,
    /// Run the project's clean command first.
    pub clean: bool,
    pub network: bool,
}

/// A build with its run.
#[derive(Debug)]
pub struct RecordedBuild {
    pub run_id: String,
    pub command: String,
    pub status: RunStatus,
    pub outcome: BuildOutcome,
    /// Relative to the project.
    pub log_file: String,
}

impl BuildRun<'_> {
    /// The command that will run: the given one, the project file's, or what the project's files suggest.
    pub fn command(&self) -> Option<String> {
        let known = self.command.clone().or_else(|| self.project.build.command.clone());
        let known = known.filter(|command| !command.trim().is_empty());
        known.or_else(|| {
            let found = detect(&self.paths.project, Limits::default()).ok()?;
            found.value("build_command").map(str::to_owned)
        })
    }

    fn request(&self, command: &str) -> BuildRequest {
        let build = &self.project.build;
        BuildRequest {
            root: self.paths.project.clone(),
            command: command.to_owned(),
            env: build.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            timeout: build.timeout_s.map(Duration::from_secs),
            build_dir: build.dir.clone(),
            elf: build.elf.as_ref().map(PathBuf::from),
            project_name: self.project.name.clone(),
            cache: Some(self.paths.fwai().join("cache")),
            grants: Grants { network: self.network, loopback: self.network, ..Grants::default() },
        }
    }

    /// Build, and record everything.
    pub async fn run(
        &self,
        on_event: &mut (dyn FnMut(BuildEvent<'_>) + Send),
        cancel: &CancellationToken,
    ) -> Result<RecordedBuild, BuildRunError> {
        let mut command = self.command().ok_or(BuildRunError::NoCommand)?;
        if let Some(clean) = self.project.build.clean_command.as_ref().filter(|_| self.clean) {
            command = format!("{{ {clean}; }} && {{ {command}; }}");
        }
        let reference = project_facts::reference(self.project, &self.paths.project);
        let store = evidence::run_store(self.paths, self.config, Some(reference))?;
        let mut run = store.create_run("build")?;
        run.begin("build")?;
        run.begin_tool("build", &command)?;
        match self.build(&mut run, &command, on_event, cancel).await {
            Ok((outcome, log_file)) => {
                let status = status_of(&outcome);
                let log_file = format!(".fwai/runs/{}/{log_file}", run.id());
                let run_id = run.id().to_owned();
                run.end(status)?;
                Ok(RecordedBuild { run_id, command, status, outcome, log_file })
            }
            Err(error) => {
                let refused = matches!(error, BuildRunError::Launch(LaunchError::Refused(_)));
                run.end(if refused { RunStatus::Denied } else { RunStatus::Failure })?;
                Err(error)
            }
        }
    }

    async fn build(
        &self,
        run: &mut Run,
        command: &str,
        on_event: &mut (dyn FnMut(BuildEvent<'_>) + Send),
        cancel: &CancellationToken,
    ) -> Result<(BuildOutcome, String), BuildRunError> {
        let mut log = run.open_log("build.log")?;
        let log_name = log.name().to_owned();
        let mut lost = None;
        let mut event = |event: BuildEvent<'_>| {
            if let BuildEvent::Output(chunk) = event
                && lost.is_none()
            {
                lost = log.write_all(chunk).err();
            }
            on_event(event);
        };
        let request = self.request(command);
        let outcome = build(&*self.launcher, &request, &mut event, cancel).await?;
        if let Some(error) = lost {
            tracing::warn!("the build log is incomplete: {error}");
        }
        let status = status_of(&outcome);
        let milliseconds = u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX);
        let record =
            ToolRecord::new("build", command, outcome.exit.code).status(status).duration_ms(milliseconds);
        run.add_tool_with_log(record, Some(log))?;
        let diagnostics = serde_json::to_vec_pretty(&outcome.diagnostics).expect("plain data");
        run.write_file("diagnostics.json", &diagnostics)?;
        for artifact in &outcome.artifacts {
            run.add_artifact(artifact.clone())?;
        }
        if self.config.evidence.sbom
            && status == RunStatus::Success
            && let Some(elf) = outcome.main_elf()
        {
            self.keep_sbom(run, &elf.path)?;
        }
        let results: Vec<String> = self.project.build.dir.iter().cloned().collect();
        run.add_changes(&results)?;
        if status == RunStatus::Success {
            self.claim(run, &outcome)?;
        }
        Ok((outcome, log_name))
    }

    /// `evidence.sbom`: what was linked belongs to the record. An image that cannot be read is told there, and
    /// the build is no worse for it.
    fn keep_sbom(&self, run: &mut Run, elf: &str) -> Result<(), BuildRunError> {
        let command = format!("sbom {elf}");
        run.begin_tool("sbom", &command)?;
        match sbom_run::sbom(self.paths, self.project, &self.paths.project.join(elf), None) {
            Ok(bom) => {
                sbom_run::keep(run, &bom)?;
                run.add_tool(ToolRecord::new("sbom", command, Some(0)), None)?;
            }
            Err(error) => {
                tracing::warn!("no SBOM: {error}");
                let record = ToolRecord::new("sbom", command, None).status(RunStatus::Failure);
                run.add_tool(record, Some(error.to_string().as_bytes()))?;
            }
        }
        Ok(())
    }

    fn claim(&self, run: &mut Run, outcome: &BuildOutcome) -> Result<(), BuildRunError> {
        let what = outcome.main_elf().map_or("the project", |elf| elf.path.as_str());
        let root = &self.paths.project;
        let covers = project_files(root).and_then(|files| cover_files(root, &self.sources(files, outcome)));
        let covers = covers.unwrap_or_default();
        let statement = format!("{what} was built from these files without errors");
        run.add_claim(Claim { kind: ClaimKind::Built, statement, runs: vec![run.id().to_owned()], covers })?;
        Ok(())
    }
}

impl BuildRun<'_> {
    /// Files without the build's own results, which every build changes.
    fn sources(&self, files: Vec<String>, outcome: &BuildOutcome) -> Vec<String> {
        let mut results: Vec<String> =
            self.project.build.dir.iter().map(|dir| format!("{}/", dir.trim_end_matches('/'))).collect();
        for artifact in &outcome.artifacts {
            match artifact.path.split_once('/') {
                Some((folder, _))
                    if matches!(folder, "build" | "out" | "target" | ".pio" | "_build" | "dist") =>
                {
                    results.push(format!("{folder}/"));
                }
                _ => results.push(artifact.path.clone()),
            }
        }
        files
            .into_iter()
            .filter(|file| !results.iter().any(|result| file.starts_with(result.as_str())))
            .collect()
    }
}

fn status_of(outcome: &BuildOutcome) -> RunStatus {
    match (outcome.success, outcome.exit.timed_out, outcome.exit.cancelled) {
        (_, true, _) => RunStatus::Timeout,
        (_, _, true) => RunStatus::Interrupted,
        (true, ..) => RunStatus::Success,
        (false, ..) => RunStatus::Failure,
    }
}
