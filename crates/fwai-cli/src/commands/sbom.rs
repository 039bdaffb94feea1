//! `fwai sbom`: what is really in the image.

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    time::Instant,
};

use crate::{
    context::Context,
    door,
    failure::Failure,
    language::{pad, say},
    render::clean::clean_line,
};
use fwai_app::{evidence, newest_elf, project_facts, sbom_run};
use fwai_evidence::runs::ToolRecord;
use fwai_schema::{evidence::RunStatus, project::Project};
use serde_json::Value;

/// Say what was really linked into an image, as CycloneDX 1.6
///
/// Reads the image's debug information and the linker's map. On a terminal a table is shown; with --json,
/// or into a pipe, the SBOM itself. In a project of fwai it is also kept as a run.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai sbom\n  fwai sbom build/app.elf --map build/app.map -o sbom.cdx.json\n  fwai sbom --json | jq '.components[].purl'"
)]
pub struct Args {
    /// Image; the newest build's where absent
    elf: Option<PathBuf>,
    /// Linker map; found beside the image where absent
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write the SBOM to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let project = door::project(context)?;
    let elf = newest_elf::newest_elf(&context.paths, &project, args.elf.as_deref()).ok_or_else(|| {
        Failure::usage("no image is known")
            .hint("name an ELF, set build.elf in .fwai/project.yaml, or run `fwai build`")
    })?;
    let started = Instant::now();
    let bom = sbom_run::sbom(&context.paths, &project, &elf, args.map.as_deref()).map_err(Failure::usage)?;
    if context.paths.fwai().is_dir() {
        record(context, &project, &bom, &elf, started)?;
    }
    let text = serde_json::to_string_pretty(&bom).expect("plain data");
    if let Some(path) = &args.output {
        super::export::write(path, &(text.clone() + "\n"))?;
        context.note(say!("wrote", path = path.display()));
    }
    if context.json() || (args.output.is_none() && !std::io::stdout().is_terminal()) {
        crate::output::line(&text);
    } else {
        show(context, &bom);
    }
    Ok(())
}

fn record(
    context: &Context,
    project: &Project,
    bom: &Value,
    elf: &Path,
    started: Instant,
) -> Result<(), Failure> {
    let config = &context.config()?.config;
    let reference = project_facts::reference(project, &context.paths.project);
    let store = evidence::run_store(&context.paths, config, Some(reference)).map_err(Failure::usage)?;
    let mut run = store.create_run("sbom").map_err(Failure::failed)?;
    run.begin("sbom").map_err(Failure::failed)?;
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let tool = ToolRecord::new("sbom", format!("fwai sbom {}", context.paths.display(elf)), Some(0));
    run.add_tool(tool.duration_ms(took), None).map_err(Failure::failed)?;
    sbom_run::keep(&mut run, bom).map_err(Failure::failed)?;
    let id = run.id().to_owned();
    run.end(RunStatus::Success).map_err(Failure::failed)?;
    context.note(say!("kept-as-run", run = id));
    Ok(())
}

fn show(context: &Context, bom: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or("–").to_owned();
    for component in bom["components"].as_array().into_iter().flatten() {
        let licence = &component["licenses"][0];
        let licence = [&licence["license"]["id"], &licence["license"]["name"], &licence["expression"]]
            .into_iter()
            .find_map(Value::as_str)
            .map_or_else(|| "–".to_owned(), clean_line);
        let unknown = component["properties"][0]["value"] == "unknown";
        let yellow = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Yellow.into()));
        let mark =
            if unknown { format!("  {yellow}{}{yellow:#}", say!("sbom-unknown")) } else { String::new() };
        context.print(format_args!(
            "{} {:14} {licence:28} {}{mark}",
            pad(&clean_line(&text(&component["name"])), 28),
            clean_line(&text(&component["version"])),
            clean_line(&text(&component["purl"]))
        ));
    }
}
