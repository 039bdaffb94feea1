//! One run, from its first durable line to its end.
//!
//! Everything handed in is redacted, appended to the journal and synced before the call returns, so a
//! crash loses nothing that a caller was told is kept. A run that is dropped without [`Run::end`] stays
//! as it is: interrupted.

use std::{
    collections::HashMap,
    io::Write as _,
    path::{Path, PathBuf},
};

use fwai_schema::{evidence::*, skill::StepRecord};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

use super::{
    ChangeScope, DIFF_FILE, JOURNAL_FILE, LogFile, RunError, RunStore, ToolRecord,
    clock::rfc3339,
    journal::{self, Happening, Journal, JournalEntry},
    log_file::{ClosedLog, plain_name},
    measure_changes,
    open_marker::OpenMarker,
    seal,
};
use crate::{durable, redact::RedactionCount};

/// A run that is being written.
pub struct Run {
    store: RunStore,
    id: String,
    directory: PathBuf,
    marker: Option<OpenMarker>,
    journal: Option<Journal>,
    evidence: Evidence,
    started: Timestamp,
    redactions: RedactionCount,
    /// The tool that was said to begin, and when.
    begun_tool: Option<(String, Timestamp)>,
    /// How many logs of each name there are.
    logs: HashMap<String, u32>,
}

/// A run that is complete.
#[derive(Debug, Clone)]
pub struct EndedRun {
    pub run_id: String,
    pub directory: PathBuf,
    pub evidence: Evidence,
    /// Where the statement stands in the log; `None` when the configuration says not to sign.
    pub leaf: Option<u64>,
}

impl Run {
    pub(super) fn new(
        store: RunStore,
        id: String,
        label: String,
        directory: PathBuf,
        marker: OpenMarker,
        started: Timestamp,
    ) -> Self {
        let evidence = Evidence {
            run_id: id.clone(),
            skill: label,
            status: RunStatus::Running,
            start_time: rfc3339(started),
            end_time: None,
            duration_ms: 0,
            fwai_version: store.options.fwai_version.clone(),
            tools: Vec::new(),
            steps: Vec::new(),
            changes: None,
            llm: None,
            agentic: None,
            boot_status: None,
            hardware: None,
            debug: None,
            ota: None,
            artifacts: Vec::new(),
            flash: None,
            project: store.options.project.clone(),
            claims: Vec::new(),
            waivers: store.options.waivers.clone(),
            sbom: None,
            security: None,
            signature: None,
        };
        Self {
            store,
            id,
            directory,
            marker: Some(marker),
            journal: None,
            evidence,
            started,
            redactions: RedactionCount::default(),
            begun_tool: None,
            logs: HashMap::new(),
        }
    }

    /// `20260228-161234-build`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// `.fwai/runs/<run_id>`.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The record as it stands.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Writes the first durable record. Call it before the first effect; `skill` names what runs.
    pub fn begin(&mut self, skill: &str) -> Result<(), RunError> {
        if self.journal.is_some() {
            return Ok(());
        }
        self.evidence.skill = skill.to_owned();
        seal::write_record(&self.directory, &self.evidence)?;
        let path = self.directory.join(JOURNAL_FILE);
        self.journal = Some(Journal::create(&path).map_err(RunError::write(&path))?);
        self.note(Happening::Begin { skill: skill.to_owned() })
            .and_then(|()| durable::sync_directory(&self.directory).map_err(RunError::write(&self.directory)))
    }

    /// Says durably that a tool is about to have an effect. After a crash the record names it.
    pub fn begin_tool(&mut self, tool: &str, command: &str) -> Result<(), RunError> {
        self.begun_tool = Some((tool.to_owned(), self.store.options.clock.now()));
        self.note(Happening::ToolBegin { tool: tool.to_owned(), command: command.to_owned() })
    }

    /// Says durably that a step of a skill begins. After a crash the record names it.
    pub fn begin_step(&mut self, name: &str, kind: &str) -> Result<(), RunError> {
        self.note(Happening::StepBegin { name: name.to_owned(), kind: kind.to_owned() })
    }

    /// Records a step of a skill that ended.
    pub fn add_step(&mut self, step: StepRecord) -> Result<(), RunError> {
        self.note(Happening::Step { step })
    }

    /// Records a tool that ended, with its whole output as `<tool>.log`.
    pub fn add_tool(&mut self, record: ToolRecord, output: Option<&[u8]>) -> Result<(), RunError> {
        let log = match output {
            None => None,
            Some(bytes) => {
                let mut log = self.open_log(&format!("{}.log", plain_name(&record.tool)))?;
                let path = self.directory.join(log.name());
                log.write_all(bytes).map_err(RunError::write(&path))?;
                Some(log)
            }
        };
        self.add_tool_with_log(record, log)
    }

    /// Opens a log that is written while a command runs; hand it to [`Run::add_tool_with_log`] afterwards.
    pub fn open_log(&mut self, name: &str) -> Result<LogFile, RunError> {
        LogFile::create(&self.directory, name, &mut self.logs, &*self.store.options.redactor)
            .map_err(RunError::write(&self.directory.join(name)))
    }

    /// Records a tool that ended, with the log that was written meanwhile.
    pub fn add_tool_with_log(&mut self, record: ToolRecord, log: Option<LogFile>) -> Result<(), RunError> {
        let log = log.map(|log| self.close_log(log)).transpose()?;
        let result = self.tool_result(record, log);
        self.note(Happening::Tool { result })
    }

    /// Records tools that ended earlier and have no logs here, with one write for all of them.
    pub fn add_tools(&mut self, records: Vec<ToolRecord>) -> Result<(), RunError> {
        let tools =
            records.into_iter().map(|record| Happening::Tool { result: self.tool_result(record, None) });
        let tools = tools.collect();
        self.note_all(tools)
    }

    fn tool_result(&mut self, record: ToolRecord, log: Option<ClosedLog>) -> ToolResult {
        let begun = self.begun_tool.take_if(|(tool, _)| *tool == record.tool).map(|(_, at)| at);
        let took = SignedDuration::from_millis(i64::try_from(record.duration_ms).unwrap_or(i64::MAX));
        let before_now = || self.store.options.clock.now().saturating_sub(took).ok();
        let started = record.started.or(begun).or_else(before_now);
        ToolResult {
            tool: record.tool,
            command: record.command,
            exit_code: record.exit_code,
            start_time: started.map(rfc3339),
            duration_ms: record.duration_ms,
            read_only: record.read_only,
            run_id: record.run_id,
            log_file: log.as_ref().map(|log| log.name.clone()),
            log_sha256: log.map(|log| log.sha256),
            status: record.status,
        }
    }

    /// Completes a log that belongs to no tool, for instance a console log; its name goes where it is cited.
    pub fn close_log(&mut self, log: LogFile) -> Result<ClosedLog, RunError> {
        let path = self.directory.join(log.name());
        let closed = log.close().map_err(RunError::write(&path))?;
        for rule in closed.redactions.rules() {
            self.redactions.add(&[rule]);
        }
        Ok(closed)
    }

    /// Writes a further file of the run, for instance `sbom.cdx.json`, through redaction; returns its SHA-256.
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<String, RunError> {
        let path = self.directory.join(plain_name(name));
        let redacted = self.store.options.redactor.redact(bytes);
        self.redactions.add(&redacted.rules);
        durable::replace_file(&path, &redacted.text).map_err(RunError::write(&path))?;
        Ok(hex::encode(Sha256::digest(&redacted.text)))
    }

    /// Records what git says has changed, with `changes.diff` and the verdict of the budget. Outside a
    /// repository there is nothing to record. `exclude` names results, such as the build directory.
    pub fn add_changes(&mut self, exclude: &[String]) -> Result<Option<Changes>, RunError> {
        let scope = ChangeScope { budget: self.store.options.budget, exclude: exclude.to_vec() };
        let Some((mut changes, diff)) =
            measure_changes(&self.store.root, &scope).map_err(RunError::Changes)?
        else {
            return Ok(None);
        };
        if !diff.is_empty() {
            self.write_file(DIFF_FILE, &diff)?;
            changes.diff_path = Some(DIFF_FILE.to_owned());
        }
        self.note(Happening::Changes { changes: changes.clone() })?;
        Ok(Some(changes))
    }

    /// Records one model call; sums and cost follow.
    pub fn add_llm_call(&mut self, provider: &str, model: &str, call: LlmCall) -> Result<(), RunError> {
        self.add_llm_calls(vec![(provider.to_owned(), model.to_owned(), call)])
    }

    /// Records model calls, each with its provider and model, with one write for all of them.
    pub fn add_llm_calls(&mut self, calls: Vec<(String, String, LlmCall)>) -> Result<(), RunError> {
        let calls = calls.into_iter();
        self.note_all(
            calls.map(|(provider, model, call)| Happening::LlmCall { provider, model, call }).collect(),
        )
    }

    pub fn set_agentic(&mut self, session: AgenticSession) -> Result<(), RunError> {
        self.note(Happening::Agentic { session: Box::new(session) })
    }

    /// Watching began with the tool that wrote the console's log.
    pub fn set_boot(&mut self, mut boot: BootStatus) -> Result<(), RunError> {
        let mut tools = self.evidence.tools.iter().filter(|tool| tool.log_file.is_some());
        if let Some(tool) = tools.find(|tool| tool.log_file == boot.log_file) {
            boot.start_time = boot.start_time.or_else(|| tool.start_time.clone());
        }
        self.note(Happening::Boot { boot })
    }

    pub fn set_hardware(&mut self, state: HardwareState) -> Result<(), RunError> {
        self.note(Happening::Hardware { state })
    }

    pub fn set_debug(&mut self, debug: DebugEvidence) -> Result<(), RunError> {
        self.note(Happening::Debug { debug })
    }

    pub fn set_ota(&mut self, ota: OtaEvidence) -> Result<(), RunError> {
        self.note(Happening::Ota { ota })
    }

    pub fn set_flash(&mut self, flash: FlashEvidence) -> Result<(), RunError> {
        self.note(Happening::Flash { flash })
    }

    pub fn set_sbom(&mut self, sbom: EvidenceSbom) -> Result<(), RunError> {
        self.note(Happening::Sbom { sbom })
    }

    pub fn set_project(&mut self, project: ProjectRef) -> Result<(), RunError> {
        self.note(Happening::Project { project })
    }

    /// Records a built image; it becomes a subject of the signed statement.
    pub fn add_artifact(&mut self, artifact: Artifact) -> Result<(), RunError> {
        self.note(Happening::Artifact { artifact })
    }

    pub fn add_claim(&mut self, claim: Claim) -> Result<(), RunError> {
        self.note(Happening::Claim { claim })
    }

    /// Records a choice of the user that weakened a wall.
    pub fn add_waiver(&mut self, waiver: &str) -> Result<(), RunError> {
        self.note(Happening::Waiver { waiver: waiver.to_owned() })
    }

    /// Completes the record, signs it and appends it to the log. When this returns, the run is durable.
    /// When it fails, the run stays open and the next run completes it.
    pub fn end(mut self, status: RunStatus) -> Result<EndedRun, RunError> {
        self.note(Happening::End { status })?;
        let ended = self.store.options.clock.now();
        self.evidence.end_time = Some(rfc3339(ended));
        self.evidence.duration_ms = ended.duration_since(self.started).as_millis().max(0) as u64;
        if self.redactions.total() > 0 {
            self.evidence.security =
                Some(EvidenceSecurity { redacted: self.redactions.total(), rules: self.redactions.rules() });
        }
        let appended = seal::seal(&self.store, &self.directory, &mut self.evidence)?;
        if let Some(marker) = self.marker.take() {
            marker.remove().map_err(RunError::write(&self.directory))?;
        }
        Ok(EndedRun {
            run_id: self.id.clone(),
            directory: self.directory.clone(),
            evidence: self.evidence.clone(),
            leaf: appended.map(|appended| appended.checkpoint.size - 1),
        })
    }

    /// Redacts a happening, makes it durable, and takes it into the record.
    fn note(&mut self, what: Happening) -> Result<(), RunError> {
        self.note_all(vec![what])
    }

    fn note_all(&mut self, happenings: Vec<Happening>) -> Result<(), RunError> {
        if happenings.is_empty() {
            return Ok(());
        }
        if self.journal.is_none() {
            let skill = self.evidence.skill.clone();
            self.begin(&skill)?;
        }
        let path = self.directory.join(JOURNAL_FILE);
        let at = rfc3339(self.store.options.clock.now());
        let mut lines = Vec::with_capacity(happenings.len());
        for what in happenings {
            let entry = JournalEntry { at: at.clone(), what };
            let mut line =
                serde_json::to_value(&entry).map_err(|error| RunError::write(&path)(error.into()))?;
            self.redactions.add(&self.store.options.redactor.redact_json(&mut line));
            lines.push(line);
        }
        let journal = self.journal.as_mut().expect("begin opened the journal");
        journal.append(&lines).map_err(RunError::write(&path))?;
        for line in lines {
            let entry: JournalEntry =
                serde_json::from_value(line).map_err(|error| RunError::write(&path)(error.into()))?;
            journal::apply(&mut self.evidence, entry.what);
        }
        Ok(())
    }
}
