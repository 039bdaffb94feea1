//! `fwai export`: the evidence of runs for other programs and for people.

use std::path::{Path, PathBuf};

use crate::{
    context::Context,
    failure::{Failure, Kind},
};
use clap::ValueEnum;
use fwai_evidence::{
    export::{self, RunExport, Verification, VerificationState},
    runs::{list_runs, load_evidence},
    verify::{Report, verify_all},
};
use serde_json::json;

/// Export runs as JSON, CSV, SARIF or HTML
///
/// HTML is one self-contained file per run; several runs also get an index. The verification state of
/// each run is checked and part of every format but CSV's details.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai export latest                         20260228-161234-build.html\n  fwai export --all --format html -o report  report/index.html and a page per run\n  fwai export --all --format csv -o runs.csv\n  fwai audit export --all --format sarif > runs.sarif"
)]
pub struct Args {
    /// Runs by id, beginning of an id, label, or `latest`; without any, the latest
    runs: Vec<String>,
    /// Every run of the project
    #[arg(long, conflicts_with = "runs")]
    all: bool,
    /// Where absent, the output's name decides, else HTML
    #[arg(long, short, value_enum)]
    format: Option<Format>,
    /// File, or directory for several HTML pages; `-` is standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Csv,
    Sarif,
    Html,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let format = args.format.unwrap_or_else(|| format_of(args.output.as_deref()));
    let ids = chosen(&args, context)?;
    let report = verify_all(&super::audit::verification(context)?);
    let runs = ids.iter().map(|id| load(context, id, &report)).collect::<Result<Vec<_>, _>>()?;
    let written = match format {
        Format::Html => write_html(&args, &runs)?,
        _ => {
            let text = match format {
                Format::Csv => export::csv::csv(&runs),
                Format::Sarif => pretty(&export::run_sarif(&runs, env!("CARGO_PKG_VERSION"))),
                _ => pretty(&export::json::json(&runs)),
            };
            match args.output.as_deref().filter(|path| *path != Path::new("-")) {
                Some(path) => vec![write(path, &text)?],
                None => {
                    crate::output::line(text.trim_end());
                    return Ok(());
                }
            }
        }
    };
    if context.json() {
        let name = format.to_possible_value().map(|value| value.get_name().to_owned());
        context.print_json(&json!({"format": name, "runs": ids, "written": written}));
    } else {
        written.iter().for_each(|path| context.print(path.display()));
    }
    Ok(())
}

/// Writes the page of one run, verified now.
pub(super) fn write_page(context: &Context, id: &str, path: &Path) -> Result<PathBuf, Failure> {
    let report = verify_all(&super::audit::verification(context)?);
    write(path, &export::html::page(&load(context, id, &report)?))
}

fn format_of(output: Option<&Path>) -> Format {
    match output.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("json") => Format::Json,
        Some("csv") => Format::Csv,
        Some("sarif") => Format::Sarif,
        _ => Format::Html,
    }
}

fn chosen(args: &Args, context: &Context) -> Result<Vec<String>, Failure> {
    if args.all {
        let runs = list_runs(&context.paths.project).map_err(Failure::failed)?;
        return Ok(runs.into_iter().filter(|run| run.problem.is_none()).map(|run| run.run_id).collect());
    }
    if args.runs.is_empty() {
        return Ok(vec![super::audit::resolve(context, "latest")?]);
    }
    args.runs.iter().map(|run| super::audit::resolve(context, run)).collect()
}

fn load(context: &Context, id: &str, report: &Report) -> Result<RunExport, Failure> {
    let project = &context.paths.project;
    let evidence = load_evidence(project, id).map_err(Failure::failed)?;
    // A problem of the log itself concerns every run.
    let problems: Vec<String> = report
        .problems
        .iter()
        .filter(|problem| problem.run_id.as_deref().is_none_or(|run| run == id))
        .map(|problem| format!("{}: {}", problem.file, problem.what))
        .collect();
    let unfinished =
        report.interrupted.iter().chain(&report.pending).chain(&report.live).any(|run| run == id);
    let state = match (problems.is_empty(), unfinished) {
        (false, _) => VerificationState::Failed,
        (true, true) => VerificationState::NotChecked,
        (true, false) => VerificationState::Verified,
    };
    let verification = Verification { state, problems, unanchored: Some(report.unanchored) };
    Ok(RunExport::with_record(&project.join(".fwai/runs").join(id), evidence, verification))
}

fn write_html(args: &Args, runs: &[RunExport]) -> Result<Vec<PathBuf>, Failure> {
    if let ([run], false) = (runs, args.all) {
        let page = export::html::page(run);
        let name = PathBuf::from(format!("{}.html", run.evidence.run_id));
        return match &args.output {
            Some(path) if path == Path::new("-") => {
                crate::output::line(page.trim_end());
                Ok(Vec::new())
            }
            Some(path) if path.is_dir() => Ok(vec![write(&path.join(name), &page)?]),
            Some(path) => Ok(vec![write(path, &page)?]),
            None => Ok(vec![write(&name, &page)?]),
        };
    }
    let directory = args.output.clone().unwrap_or_else(|| PathBuf::from("fwai-report"));
    let mut written = vec![write(&directory.join("index.html"), &export::html::index(runs))?];
    for run in runs {
        let name = format!("{}.html", run.evidence.run_id);
        written.push(write(&directory.join(name), &export::html::page(run))?);
    }
    Ok(written)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("plain data") + "\n"
}

/// Writes beside the target first, so that a full disk leaves no half file.
pub(super) fn write(path: &Path, text: &str) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::Failed, format_args!("{} cannot be written: {error}", path.display()))
            .hint("name another file with --output")
    };
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path)).map_err(|error| {
        // The error that is told is the first one.
        let _ = std::fs::remove_file(&part);
        failed(error)
    })?;
    Ok(path.to_owned())
}
