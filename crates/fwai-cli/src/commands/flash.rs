//! `fwai flash`: the newest build to the board, with proof that it runs.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
};
use fwai_app::{bench::Bench, claims};
use fwai_evidence::runs::{Run, ToolRecord};
use fwai_firmware::{
    boards::Image,
    flash::{self, Confirmation, FlashOutcome, GuardFacts, ProofWanted},
};
use fwai_schema::{
    board::{BoardDef, BoardKind},
    evidence::RunStatus,
    policy::FlashGuard,
};
use serde_json::json;
use std::path::PathBuf;

/// Put the newest build on the board and prove that it is there
///
/// The guard wants a successful build of exactly this image. Where the board can be read back, every byte
/// is compared; else the firmware's own build-id or boot banner is waited for.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai flash\n  fwai flash --yes --json\n  fwai flash --board microbit build/app.hex"
)]
pub struct Args {
    /// Image; the newest build's where absent
    image: Option<PathBuf>,
    /// Board; the project's where absent
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let bench = Bench::open(&context.paths, &context.config()?.config)?;
    let config = &context.config()?.config;
    let guard = bench.flash_guard(config).map_err(Failure::usage)?;
    let def = bench.choose(args.board.as_deref()).map_err(Failure::usage)?;
    let path = bench.image(args.image.as_deref()).map_err(|error| Failure::new(Kind::Denied, error))?;
    let store = bench.run_store(config).map_err(Failure::usage)?;
    let mut run = store.create_run("flash").map_err(Failure::failed)?;
    run.begin("flash").map_err(Failure::failed)?;
    let work = Work { context, bench: &bench, def, guard };
    match work.flash(&mut run, path) {
        Ok(outcome) => work.finish(run, outcome),
        Err(failure) => {
            let status = if matches!(failure.kind, Kind::Denied | Kind::NeedsPerson) {
                RunStatus::Denied
            } else {
                RunStatus::Failure
            };
            let run_id = run.id().to_string();
            run.end(status).map_err(Failure::failed)?;
            let object = json!({ "run_id": run_id, "status": status, "board": def.name, "proof": null });
            Err(failure.within(context, object))
        }
    }
}

struct Work<'a> {
    context: &'a Context,
    bench: &'a Bench,
    def: &'a BoardDef,
    guard: FlashGuard,
}

impl Work<'_> {
    fn flash(&self, run: &mut Run, path: PathBuf) -> Result<FlashOutcome, Failure> {
        let (bench, def) = (self.bench, self.def);
        let image = Image::read_for(&path, def, &bench.project).map_err(Failure::failed)?;
        let changes = run
            .add_changes(&bench.project.build.dir.iter().cloned().collect::<Vec<_>>())
            .map_err(Failure::failed)?;
        let budget_exceeded = changes.filter(|changes| !changes.within_budget).map(|changes| {
            let (files, lines) = (changes.files_changed, changes.lines_added + changes.lines_removed);
            format!("{files} files and {lines} lines are changed")
        });
        let facts = GuardFacts { newest_build: bench.newest_build(), budget_exceeded };
        let build_run =
            flash::check(&self.guard, &image, def, &bench.project, &facts).map_err(|refusal| {
                Failure::new(if refusal.is_policy() { Kind::Denied } else { Kind::Failed }, refusal)
            })?;
        let confirmation = Confirmation { def, project: &bench.project, image: &image }.to_string();
        for line in confirmation.trim_end().lines() {
            let indent = line.len() - line.trim_start().len();
            self.context.note(format_args!("{}{}", &line[..indent], understood(line.trim_start())));
        }
        // Nothing is at stake on a virtual board.
        if self.guard.require_confirmation
            && def.kind != BoardKind::Virtual
            && !self.context.confirm(&say!("flash-confirm"))?
        {
            return Err(Failure::new(Kind::Denied, "the board was left alone"));
        }
        let mut board = bench.board(def).map_err(super::board::board_failure)?;
        run.begin_tool("flash", &format!("flash {} to {}", image.path.display(), def.name))
            .map_err(Failure::failed)?;
        let wanted = ProofWanted { boot: bench.project.boot.clone(), patience: None };
        let outcome = self.context.block_on(flash::flash(&mut *board, &image, build_run, &wanted));
        outcome.map_err(Failure::failed)
    }

    fn finish(&self, mut run: Run, outcome: FlashOutcome) -> Result<(), Failure> {
        let proof = outcome.evidence.proof.clone();
        // A back end that can prove nothing has still written; only a disproof is a failure.
        let disproved = !proof.ok && proof.method != "none";
        let status = if disproved { RunStatus::Failure } else { RunStatus::Success };
        let milliseconds = u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX);
        let command = format!("flash {} to {}", outcome.evidence.image, outcome.evidence.board);
        let record = ToolRecord::new("flash", command, None).status(status).duration_ms(milliseconds);
        run.add_tool(record, Some(outcome.log.as_bytes())).map_err(Failure::failed)?;
        run.set_hardware(outcome.hardware).map_err(Failure::failed)?;
        if status == RunStatus::Success && proof.ok {
            let claim = claims::flashed(&self.context.paths.project, run.id(), &outcome.evidence);
            run.add_claim(claim).map_err(Failure::failed)?;
        }
        run.set_flash(outcome.evidence.clone()).map_err(Failure::failed)?;
        let run_id = run.id().to_string();
        run.end(status).map_err(Failure::failed)?;
        let context = self.context;
        let detail = proof.detail.as_deref().map(understood).unwrap_or_default();
        context.print(match (disproved, proof.ok) {
            (true, _) => say!("flash-disproved", method = proof.method, detail = detail),
            (false, true) => say!("flash-proven", method = proof.method, detail = detail),
            (false, false) => say!("flash-unproven", detail = detail),
        });
        if context.json() {
            context.print_json(&json!({
                "run_id": run_id, "status": status, "board": outcome.evidence.board, "proof": proof,
                "image": outcome.evidence.image, "image_sha256": outcome.evidence.image_sha256,
                "build_id": outcome.evidence.build_id, "build_run": outcome.evidence.build_run,
                "bytes": outcome.evidence.bytes, "duration_ms": milliseconds,
            }));
        }
        if disproved { Err(Failure::told(Kind::Failed)) } else { Ok(()) }
    }
}
