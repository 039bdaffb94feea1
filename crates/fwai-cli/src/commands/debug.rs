//! `fwai debug`: GDB on the board, command by command or for a person.

use crate::{
    context::Context,
    duration,
    failure::{Failure, Kind},
    language::{fault, say, understood},
};
use fwai_app::bench::Bench;
use fwai_evidence::runs::{Run, ToolRecord};
use fwai_firmware::debug::{DebugError, DebugOptions, DebugSession, HELP, StepResult, Trust};
use fwai_schema::evidence::{DebugEvidence, DebugStep, RunStatus};
use serde_json::{Value, json};
use std::{io::BufRead, path::PathBuf, time::Duration};

/// Debug the firmware on the board
///
/// Without -c it reads commands until `quit`. The ELF must be what runs on the board; `decode_fault` explains
/// a hard fault down to the line.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai debug -c 'break main' -c continue -c backtrace\n  fwai debug -c decode_fault --json\n  fwai debug --attach"
)]
pub struct Args {
    /// A command; may be repeated
    #[arg(short, long = "command", value_name = "COMMAND")]
    command: Vec<String>,
    /// ELF with symbols; the newest build's where absent
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Board; the project's where absent
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
    /// Leave the core where it is: never reset by itself
    #[arg(long)]
    attach: bool,
    /// Time limit of a command that runs the target
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "15s")]
    timeout: Duration,
    /// Allow only commands that concern the target, none that reach this computer
    #[arg(long)]
    target_only: bool,
    /// Debug although the ELF is not what runs; lines and variables will lie
    #[arg(long)]
    other_elf: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let bench = Bench::open(&context.paths, &context.config()?.config)?;
    let def = bench.choose(args.board.as_deref()).map_err(Failure::usage)?;
    let elf = bench.elf(args.elf.as_deref()).map_err(Failure::usage)?;
    let mut options = DebugOptions::new(&elf);
    options.gdb.clone_from(&bench.project.debug.gdb);
    let svd = bench.project.target.svd.as_ref().or(def.svd.as_ref());
    options.svd = svd.map(|path| context.paths.project.join(path));
    options.attach = args.attach;
    options.allow_other_elf = args.other_elf;
    options.run_limit = args.timeout;
    if args.target_only {
        options.trust = Trust::Model;
    }
    if args.command.is_empty() && context.is_interactive() {
        // A person at the terminal waits as long as they like; Ctrl-C stops the target.
        options.run_limit = Duration::from_secs(24 * 3600);
    }
    let mut board = bench.board(def).map_err(super::board::board_failure)?;
    let store = bench.run_store(&context.config()?.config).map_err(Failure::usage)?;
    let mut run = store.create_run("debug").map_err(Failure::failed)?;
    run.begin("debug").map_err(Failure::failed)?;
    run.begin_tool("debug", &format!("debug {} with {}", def.name, elf.display()))
        .map_err(Failure::failed)?;
    let started = std::time::Instant::now();
    let session =
        context.block_on(DebugSession::start(&mut *board, options, &context.paths.project, bench.launcher()));
    let mut session = match session {
        Ok(session) => session,
        Err(error) => return not_started(run, error, context),
    };
    if args.other_elf {
        run.add_waiver("debug: --other-elf").map_err(Failure::failed)?;
    }
    let identity = understood(&session.identity);
    context.note(say!("debug-runs", board = def.name, elf = elf.display(), identity = identity));
    let mut steps = Vec::new();
    if args.command.is_empty() {
        converse(context, &mut session, &mut steps)?;
    } else {
        for command in &args.command {
            let step = step(context, &mut session, command);
            tell(context, &step, true);
            steps.push(step);
        }
    }
    let identity = session.identity.clone();
    let build_id = session.build_id().map(str::to_string);
    context.block_on(session.close());
    let ok = steps.iter().all(|step| step.ok);
    let status = if ok { RunStatus::Success } else { RunStatus::Failure };
    let evidence = DebugEvidence {
        elf: elf.display().to_string(),
        build_id: build_id.clone(),
        fault: steps
            .iter()
            .find(|step| step.ok && step.command == "decode_fault")
            .map(|step| step.result.clone()),
        steps: steps
            .iter()
            .map(|step| DebugStep { command: step.command.clone(), ok: step.ok, result: step.result.clone() })
            .collect(),
    };
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let record = ToolRecord::new("debug", format!("debug {}", def.name), None)
        .status(status)
        .duration_ms(milliseconds);
    run.add_tool(record, None).map_err(Failure::failed)?;
    if let Ok(identity) = context.block_on(board.identify()) {
        run.set_hardware(identity.hardware_state(def)).map_err(Failure::failed)?;
    }
    run.set_debug(evidence).map_err(Failure::failed)?;
    let run_id = run.id().to_string();
    run.end(status).map_err(Failure::failed)?;
    if context.json() {
        let steps: Vec<Value> = steps.iter().map(step_json).collect();
        context.print_json(&json!({
            "run_id": run_id, "status": status, "board": def.name, "elf": elf.display().to_string(),
            "build_id": build_id, "identity": identity, "steps": steps,
        }));
    }
    if ok || args.command.is_empty() { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
}

fn not_started(run: Run, error: DebugError, context: &Context) -> Result<(), Failure> {
    let run_id = run.id().to_string();
    let kind = if matches!(error, DebugError::OtherElf { .. }) { Kind::Denied } else { Kind::Failed };
    let status = if kind == Kind::Denied { RunStatus::Denied } else { RunStatus::Failure };
    run.end(status).map_err(Failure::failed)?;
    let object = json!({ "run_id": run_id, "status": status, "steps": [] });
    Err(Failure::new(kind, error).within(context, object))
}

fn step_json(step: &StepResult) -> Value {
    let mut object = json!({ "command": step.command, "ok": step.ok, "result": step.result });
    if let Some(data) = &step.data {
        object["data"] = data.clone();
    }
    object
}

/// Runs a command; Ctrl-C stops the target instead of this program.
fn step(context: &Context, session: &mut DebugSession, command: &str) -> StepResult {
    let done = context.block_on(async {
        tokio::select! {
            step = session.run(command) => Some(step),
            _ = tokio::signal::ctrl_c() => None,
        }
    });
    done.unwrap_or_else(|| {
        let stopped = context.block_on(session.run("interrupt"));
        StepResult { command: command.to_string(), ..stopped }
    })
}

fn tell(context: &Context, step: &StepResult, with_command: bool) {
    if with_command {
        context.print(format_args!("> {}", step.command));
    }
    if step.ok {
        if !step.result.is_empty() {
            // What GDB prints is code; a fault is explained in words.
            match step.command.trim() == "decode_fault" {
                true => context.print_code(fault(&step.result)),
                false => context.print_code(&step.result),
            }
        }
    } else {
        context.note(say!("debug-step-failed", reason = understood(&step.result)));
    }
}

fn converse(
    context: &Context,
    session: &mut DebugSession,
    steps: &mut Vec<StepResult>,
) -> Result<(), Failure> {
    if context.is_interactive() {
        for (command, what) in HELP {
            context.note(format_args!("  {command:<40} {}", understood(what)));
        }
    }
    let mut last = String::new();
    loop {
        let line = if context.is_interactive() {
            match context.ask("(debug) ") {
                Ok(line) => line,
                Err(_) => return Ok(()),
            }
        } else {
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) => return Ok(()),
                Ok(_) => line,
                Err(error) => return Err(Failure::failed(format_args!("cannot read commands: {error}"))),
            }
        };
        let line = line.trim();
        if matches!(line, "quit" | "q" | "exit") {
            return Ok(());
        }
        // An empty line repeats, as in GDB.
        let command =
            if line.is_empty() && context.is_interactive() { last.clone() } else { line.to_string() };
        if command.is_empty() {
            continue;
        }
        let step = step(context, session, &command);
        tell(context, &step, false);
        steps.push(step);
        last = command;
    }
}
