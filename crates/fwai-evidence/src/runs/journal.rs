//! `journal.jsonl`: what a run did, appended and synced as it happens.
//!
//! An ended run repeats its content in `evidence.json`; a run that was cut off has nothing else, so
//! [`fold`] makes an evidence record from however much of the journal reached the disk.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use fwai_schema::{
    evidence::*,
    skill::{StepRecord, StepStatus},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::durable;

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// RFC 3339, UTC, milliseconds.
    pub at: String,
    #[serde(flatten)]
    pub what: Happening,
}

/// What a line of the journal says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happening {
    Begin { skill: String },
    ToolBegin { tool: String, command: String },
    Tool { result: ToolResult },
    StepBegin { name: String, kind: String },
    Step { step: StepRecord },
    Changes { changes: Changes },
    LlmCall { provider: String, model: String, call: LlmCall },
    Agentic { session: Box<AgenticSession> },
    Boot { boot: BootStatus },
    Hardware { state: HardwareState },
    Debug { debug: DebugEvidence },
    Ota { ota: OtaEvidence },
    Artifact { artifact: Artifact },
    Flash { flash: FlashEvidence },
    Claim { claim: Claim },
    Waiver { waiver: String },
    Sbom { sbom: EvidenceSbom },
    Project { project: ProjectRef },
    End { status: RunStatus },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: OpenOptions::new().append(true).create(true).open(path)? })
    }

    /// Appends lines and makes them durable, all at once.
    pub fn append(&mut self, lines: &[serde_json::Value]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut bytes, line)?;
            bytes.push(b'\n');
        }
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }
}

/// The entries of a journal; a line that was cut off by a crash is left out.
pub fn read(path: &Path) -> Vec<JournalEntry> {
    let Ok(bytes) = durable::read_plain(path, durable::LARGEST_RECORD) else { return Vec::new() };
    bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Puts one happening into the record that it belongs to.
pub fn apply(evidence: &mut Evidence, what: Happening) {
    match what {
        Happening::Begin { skill } => evidence.skill = skill,
        Happening::ToolBegin { .. } | Happening::StepBegin { .. } => {}
        Happening::Tool { result } => add_tool(&mut evidence.tools, result),
        Happening::Step { step } => evidence.steps.push(step),
        Happening::Changes { changes } => evidence.changes = Some(changes),
        Happening::LlmCall { provider, model, call } => add_call(evidence, provider, model, call),
        Happening::Agentic { session } => evidence.agentic = Some(*session),
        Happening::Boot { boot } => evidence.boot_status = Some(boot),
        Happening::Hardware { state } => evidence.hardware = Some(state),
        Happening::Debug { debug } => evidence.debug = Some(debug),
        Happening::Ota { ota } => evidence.ota = Some(ota),
        Happening::Artifact { artifact } => evidence.artifacts.push(artifact),
        Happening::Flash { flash } => evidence.flash = Some(flash),
        Happening::Claim { claim } => evidence.claims.push(claim),
        Happening::Waiver { waiver } => {
            if !evidence.waivers.contains(&waiver) {
                evidence.waivers.push(waiver);
            }
        }
        Happening::Sbom { sbom } => evidence.sbom = Some(sbom),
        Happening::Project { project } => evidence.project = Some(project),
        Happening::End { status } => evidence.status = status,
    }
}

/// Makes the record of a run that never ended: what is known, and which tool was at work.
pub fn fold(mut begun: Evidence, journal: Vec<JournalEntry>) -> Evidence {
    let mut at_work: Option<(String, String, String)> = None;
    let mut step_at_work: Option<(String, String)> = None;
    let mut last_seen = None;
    for entry in journal {
        last_seen = Some(entry.at.clone());
        match &entry.what {
            Happening::ToolBegin { tool, command } => {
                at_work = Some((tool.clone(), command.clone(), entry.at));
            }
            Happening::Tool { .. } => at_work = None,
            Happening::StepBegin { name, kind } => step_at_work = Some((name.clone(), kind.clone())),
            Happening::Step { .. } => step_at_work = None,
            _ => {}
        }
        apply(&mut begun, entry.what);
    }
    if let Some((tool, command, at)) = at_work {
        begun.tools.push(ToolResult {
            tool,
            command,
            exit_code: None,
            start_time: Some(at),
            duration_ms: 0,
            read_only: false,
            run_id: None,
            log_file: None,
            log_sha256: None,
            status: RunStatus::Interrupted,
        });
    }
    if let Some((name, kind)) = step_at_work {
        begun.steps.push(StepRecord {
            name,
            kind,
            status: StepStatus::Interrupted,
            duration_ms: 0,
            attempts: 1,
            exit_code: None,
            runs: Vec::new(),
            detail: String::new(),
        });
    }
    begun.status = RunStatus::Interrupted;
    let times =
        last_seen.as_deref().map(|last| (begun.start_time.parse::<Timestamp>(), last.parse::<Timestamp>()));
    if let Some((Ok(start), Ok(last))) = times {
        begun.duration_ms = u64::try_from(last.duration_since(start).as_millis()).unwrap_or(0);
    }
    begun.end_time = last_seen;
    begun
}

/// In the order in which they began, whenever they are told of. All times are written in the same way, so that
/// their text sorts as they do.
fn add_tool(tools: &mut Vec<ToolResult>, result: ToolResult) {
    let is_before = |known: &ToolResult| known.start_time <= result.start_time;
    let place = tools.iter().rposition(is_before).map_or(0, |place| place + 1);
    tools.insert(place, result);
}

fn add_call(evidence: &mut Evidence, provider: String, model: String, call: LlmCall) {
    let llm = evidence.llm.get_or_insert_with(|| LlmTracing {
        provider,
        model,
        estimated_cost_usd: Some(0.0),
        ..LlmTracing::default()
    });
    llm.total_input_tokens += call.usage.total_input();
    llm.total_output_tokens += call.usage.output_tokens;
    // One call of unknown price makes the whole unknown; a sum that leaves it out would be a lie.
    llm.estimated_cost_usd = match (llm.estimated_cost_usd, call.cost_usd) {
        (Some(sum), Some(cost)) => Some(sum + cost),
        _ => None,
    };
    llm.calls.push(call);
}
