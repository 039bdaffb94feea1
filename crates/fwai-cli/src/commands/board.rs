//! `fwai board`: which boards there are, which one is used, and switching it.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{pad, say, understood},
};
use clap::{Subcommand, ValueEnum};
use fwai_app::bench::Bench;
use fwai_evidence::runs::ToolRecord;
use fwai_firmware::boards::{BoardError, kind_name};
use fwai_schema::{board::BoardKind, document::edit, evidence::RunStatus};
use serde_json::json;

/// List, choose and switch boards
///
/// Boards are data: built-in virtual ones, and your own in .fwai/boards/*.yaml.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai board list\n  fwai board use stm32vldiscovery\n  fwai board info\n  fwai board power off"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Every board with its kind, chip and state
    List,
    /// Facts about one board; the chosen one without a name
    Info {
        /// Name of a board
        name: Option<String>,
    },
    /// Choose the board of this project (target.board in project.yaml)
    Use {
        /// Name of a board
        name: String,
    },
    /// Switch a board on or off
    Power {
        /// What it should be
        state: Power,
        /// Name of a board; the chosen one where absent
        name: Option<String>,
    },
    /// Restart the firmware on a board
    Reset {
        /// Name of a board; the chosen one where absent
        name: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Power {
    On,
    Off,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let bench = Bench::open(&context.paths, &context.config()?.config)?;
    for problem in &bench.catalogue.problems {
        context.warn(problem);
    }
    match args.command {
        Command::List => list(context, &bench),
        Command::Info { name } => info(context, &bench, name.as_deref()),
        Command::Use { name } => choose(context, &bench, &name),
        Command::Power { state, name } => {
            let on = matches!(state, Power::On);
            act(context, &bench, name.as_deref(), if on { "power on" } else { "power off" })
        }
        Command::Reset { name } => act(context, &bench, name.as_deref(), "reset"),
    }
}

fn list(context: &Context, bench: &Bench) -> Result<(), Failure> {
    let chosen = bench.choose(None).ok().map(|board| board.name.clone());
    let mut boards = Vec::new();
    for def in &bench.catalogue.boards {
        let (state, detail) = match bench.board(def) {
            Ok(mut board) => {
                let state = context.block_on(board.state());
                (state.word().to_string(), state.detail().map(str::to_string))
            }
            Err(error) => ("absent".to_string(), Some(error.to_string())),
        };
        let selected = chosen.as_ref() == Some(&def.name);
        context.print(format_args!(
            "{} {:<18} {} {:<13} {} {}",
            if selected { "*" } else { " " },
            def.name,
            pad(&kind_word(def.kind), 9),
            def.chip,
            pad(&state_word(&state), 8),
            understood(detail.as_deref().unwrap_or(&def.title))
        ));
        boards.push(json!({
            "name": def.name, "kind": kind_name(def.kind), "chip": def.chip, "state": state, "title": def.title,
            "arch": def.arch, "selected": selected, "detail": detail,
        }));
    }
    if context.json() {
        context.print_json(&json!({ "boards": boards, "problems": bench.catalogue.problems }));
    }
    Ok(())
}

fn info(context: &Context, bench: &Bench, name: Option<&str>) -> Result<(), Failure> {
    let def = bench.choose(name).map_err(Failure::usage)?;
    let mut board = bench.board(def).map_err(board_failure)?;
    let state = context.block_on(board.state());
    let identity = context.block_on(board.identify());
    let (identity, problem) = match identity {
        Ok(identity) => (identity, None),
        Err(error) => (Default::default(), Some(error.to_string())),
    };
    if context.json() {
        context.print_json(&json!({
            "name": def.name, "title": def.title, "kind": kind_name(def.kind), "chip": identity.chip.as_ref().unwrap_or(&def.chip),
            "arch": def.arch, "state": state.word(), "detail": state.detail(), "serial_number": identity.serial_number,
            "details": identity.details, "regions": def.regions, "limits": def.limits, "problem": problem,
        }));
        return Ok(());
    }
    context.print(format_args!("{} - {}", def.name, understood(&def.title)));
    let line = |name: String, text: String| context.print(format_args!("  {} {text}", pad(&name, 7)));
    line(say!("board-kind"), kind_word(def.kind));
    line(say!("board-chip"), format!("{} ({})", identity.chip.as_ref().unwrap_or(&def.chip), def.arch));
    let detail = state.detail().map(|text| say!("after-colon", text = understood(text))).unwrap_or_default();
    line(say!("board-state"), format!("{}{detail}", state_word(state.word())));
    for region in &def.regions {
        context.print(format_args!(
            "  {:<7} {:#010x}, {} KiB",
            region.name,
            region.origin,
            region.length / 1024
        ));
    }
    for (key, value) in &identity.details {
        context.print(format_args!("  {key:<7} {value}"));
    }
    for limit in &def.limits {
        line(say!("board-note"), understood(limit));
    }
    problem.map_or(Ok(()), |problem| Err(Failure::failed(problem)))
}

fn choose(context: &Context, bench: &Bench, name: &str) -> Result<(), Failure> {
    let def = bench.catalogue.find(name).map_err(Failure::usage)?;
    let file = context.paths.project_file();
    let before = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::failed(format_args!("cannot read {}: {error}", file.display()))),
    };
    let after = edit::set(&context.paths.display(&file), &before, "target.board", &json!(def.name))
        .map_err(Failure::usage)?;
    let written = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    written
        .and_then(|()| fwai_app::atomic::write(&file, after.as_bytes()))
        .map_err(|error| Failure::failed(format_args!("cannot write {}: {error}", file.display())))?;
    context.print(say!("board-chosen", board = def.name));
    if context.json() {
        context.print_json(&json!({ "board": def.name, "kind": kind_name(def.kind), "written": context.paths.display(&file) }));
    }
    Ok(())
}

fn act(context: &Context, bench: &Bench, name: Option<&str>, what: &str) -> Result<(), Failure> {
    let def = bench.choose(name).map_err(Failure::usage)?;
    let mut board = bench.board(def).map_err(board_failure)?;
    let store = bench.run_store(&context.config()?.config).map_err(Failure::usage)?;
    let mut run = store.create_run("board").map_err(Failure::failed)?;
    run.begin("board").map_err(Failure::failed)?;
    run.begin_tool("board", what).map_err(Failure::failed)?;
    let started = std::time::Instant::now();
    let result = context.block_on(async {
        match what {
            "power on" => board.power(true).await,
            "power off" => board.power(false).await,
            _ => board.reset().await,
        }
    });
    let state = context.block_on(board.state());
    let status = if result.is_ok() { RunStatus::Success } else { RunStatus::Failure };
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let record = ToolRecord::new("board", format!("{what} {}", def.name), None)
        .status(status)
        .duration_ms(milliseconds);
    run.add_tool(record, None).map_err(Failure::failed)?;
    if let Ok(identity) = context.block_on(board.identify()) {
        run.set_hardware(identity.hardware_state(def)).map_err(Failure::failed)?;
    }
    let run_id = run.id().to_string();
    run.end(status).map_err(Failure::failed)?;
    result.map_err(board_failure)?;
    let what = match what {
        "power on" => say!("board-powered-on"),
        "power off" => say!("board-powered-off"),
        _ => say!("board-was-reset"),
    };
    context.print(say!("board-now", board = def.name, state = state_word(state.word()), what = what));
    if context.json() {
        context.print_json(
            &json!({ "run_id": run_id, "status": "success", "board": def.name, "state": state.word() }),
        );
    }
    Ok(())
}

/// How a board is reached, in the user's language; names of programs stay.
fn kind_word(kind: BoardKind) -> String {
    match kind {
        BoardKind::Virtual => say!("board-kind-virtual"),
        other => kind_name(other).to_owned(),
    }
}

/// What a board is doing, in the user's language.
fn state_word(word: &str) -> String {
    match word {
        "running" => say!("board-running"),
        "halted" => say!("board-halted"),
        "off" => say!("board-off"),
        "crashed" => say!("board-crashed"),
        "unknown" => say!("board-unknown"),
        "absent" => say!("board-absent"),
        other => other.to_owned(),
    }
}

/// A board that lacks an ability is a wrong command; the rest is failed work.
pub fn board_failure(error: BoardError) -> Failure {
    let kind = match error {
        BoardError::Unsupported { .. } | BoardError::Incomplete { .. } | BoardError::BadName { .. } => {
            Kind::Usage
        }
        _ => Kind::Failed,
    };
    Failure::new(kind, error)
}
