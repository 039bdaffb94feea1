//! `fwai memory`: where the bytes of an image go, how that changed, and whether the budgets hold.

mod table;

use crate::{
    context::Context,
    door,
    failure::{Failure, Kind},
    language::say,
};
use fwai_app::{
    evidence,
    memory_run::{MemoryRun, MemoryRunError},
    project_facts, walls,
};
use fwai_evidence::runs::ToolRecord;
use fwai_firmware::{
    launch::CancellationToken,
    memory::{MemoryReport, check, html},
};
use fwai_schema::{evidence::RunStatus, permission::Mode, project::Project};
use std::{collections::BTreeMap, path::PathBuf, time::Instant};

/// Show where the bytes of an image go: regions, sections, files, symbols
///
/// Budgets of .fwai/project.yaml (memory.budgets) and of --budget are a gate: exit code 1 when one is
/// exceeded.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai memory\n  fwai memory build/app.elf --against old.elf\n  fwai memory --against main --top 40\n  fwai memory --html memory.html\n  fwai memory --budget flash=90% --budget ram=80%"
)]
pub struct Args {
    /// Image; the newest build's where absent
    elf: Option<PathBuf>,
    /// Compare with this ELF, or with a git revision that is built for it
    #[arg(long, value_name = "ELF|REVISION")]
    against: Option<String>,
    /// Linker map; found beside the ELF where absent
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Linker script that names the regions
    #[arg(long, value_name = "FILE")]
    script: Vec<PathBuf>,
    /// Write one self-contained page with a treemap
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Rows of files and symbols in the table
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Limit of a region, in percent or bytes
    #[arg(long, value_name = "REGION=LIMIT")]
    budget: Vec<String>,
    /// Bytes by which one symbol may grow against the compared image
    #[arg(long, value_name = "BYTES")]
    max_symbol_growth: Option<u64>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let started = Instant::now();
    let layered = context.config()?;
    let project = door::project(context)?;
    let budgets = budgets(&args, &project)?;
    let (launchers, _) = walls::launchers(&context.paths, &layered.config);
    let work = MemoryRun {
        paths: &context.paths,
        project: &project,
        launcher: launchers.for_call(Mode::Auto, &[]),
        map: args.map.clone(),
        linker_scripts: args.script.clone(),
    };
    let elf = work.elf(args.elf.as_deref()).map_err(failure)?;
    let mut report = work.report(&elf).map_err(failure)?;
    if let Some(against) = &args.against {
        let compared = context.block_on(work.compare(&mut report, against, &CancellationToken::new()));
        compared.map_err(failure)?;
    }
    let growth = args.max_symbol_growth.or(project.memory.max_symbol_growth);
    report.budgets = check(&report, &budgets, growth).map_err(Failure::usage)?;
    if let Some(path) = &args.html {
        std::fs::write(path, html(&report))
            .map_err(|error| Failure::failed(format_args!("cannot write {}: {error}", path.display())))?;
        context.note(say!("wrote", path = path.display()));
    }
    let ok = report.budgets.iter().all(|budget| budget.ok);
    let run_id = record(context, &project, &report, ok, started)?;
    show(context, &report, run_id, args.top);
    if ok { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
}

fn budgets(args: &Args, project: &Project) -> Result<BTreeMap<String, String>, Failure> {
    let mut budgets = project.memory.budgets.clone();
    for budget in &args.budget {
        let (name, limit) = budget.split_once('=').ok_or_else(|| {
            Failure::usage(format_args!("--budget {budget}: write REGION=LIMIT, for instance flash=90%"))
        })?;
        budgets.insert(name.trim().to_owned(), limit.trim().to_owned());
    }
    Ok(budgets)
}

fn failure(error: MemoryRunError) -> Failure {
    match error {
        MemoryRunError::NoElf
        | MemoryRunError::UnknownAgainst(_)
        | MemoryRunError::NoCommand(_)
        | MemoryRunError::Elf(_) => Failure::usage(error),
        other => Failure::failed(other),
    }
}

/// Leaves a run in a project of fwai, and wherever a verdict was asked for (a budget, a comparison). A look at some
/// file elsewhere leaves nothing behind.
fn record(
    context: &Context,
    project: &Project,
    report: &MemoryReport,
    ok: bool,
    started: Instant,
) -> Result<Option<String>, Failure> {
    if !context.paths.fwai().is_dir() && report.budgets.is_empty() && report.delta.is_none() {
        return Ok(None);
    }
    let config = &context.config()?.config;
    let reference = project_facts::reference(project, &context.paths.project);
    let store = evidence::run_store(&context.paths, config, Some(reference)).map_err(Failure::usage)?;
    let mut run = store.create_run("memory").map_err(Failure::failed)?;
    run.begin("memory").map_err(Failure::failed)?;
    let status = if ok { RunStatus::Success } else { RunStatus::Failure };
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let tool = ToolRecord::new("memory", format!("fwai memory {}", report.elf), Some(i32::from(!ok)));
    run.add_tool(tool.status(status).duration_ms(milliseconds), None).map_err(Failure::failed)?;
    run.write_file("memory.json", &serde_json::to_vec(report).expect("plain data"))
        .map_err(Failure::failed)?;
    let run_id = run.id().to_owned();
    run.end(status).map_err(Failure::failed)?;
    Ok(Some(run_id))
}

fn show(context: &Context, report: &MemoryReport, run_id: Option<String>, top: usize) {
    if !context.json() {
        for problem in &report.problems {
            context.warn(problem);
        }
        context.print(table::of(report, top).trim_end());
        return;
    }
    let mut object = serde_json::to_value(report).expect("plain data");
    object["delta"] = serde_json::to_value(&report.delta).expect("plain data");
    object["status"] =
        if report.budgets.iter().all(|budget| budget.ok) { "success".into() } else { "failure".into() };
    // Always there, so that a script can tell "no record" from "another version".
    object["run_id"] = run_id.into();
    context.print_json(&object);
}
