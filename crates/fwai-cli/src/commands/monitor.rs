//! `fwai monitor`: the console of the board, and whether it booted.

use crate::{
    context::Context,
    duration,
    failure::{Failure, Kind},
    language::{fault, say},
    raw_terminal::RawTerminal,
};
use fwai_app::{bench::Bench, claims};
use fwai_evidence::runs::{LogFile, Run, ToolRecord};
use fwai_firmware::{
    boards::{Board, Console, ConsoleFrom},
    defmt::Table,
    elf::{ElfImage, Symbolizer},
    monitor::{
        DefmtConsole, MonitorOptions, MonitorOutcome, Patterns, Screen, ScreenOptions, Sink, View, compile,
        describe_core, watch,
    },
};
use fwai_schema::evidence::{BootOutcome, RunStatus};
use serde_json::json;
use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

const DEFAULT_BOOT_SECONDS: u64 = 10;

/// Watch the board's console and tell whether it booted
///
/// In a terminal every key goes to the board; Ctrl-] leaves. With --until, --for or --json nobody has to sit
/// there. A virtual board keeps its console, so a late monitor still sees the boot.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai monitor\n  fwai monitor --until 'boot ok' --for 5s --json\n  fwai monitor --send status --until 'OK' --for 3s\n  fwai monitor --timestamps --log console.log"
)]
pub struct Args {
    /// End with success when a line matches this regular expression; may be repeated
    #[arg(long, value_name = "PATTERN")]
    until: Vec<String>,
    /// End with failure when a line matches; may be repeated
    #[arg(long, value_name = "PATTERN")]
    fail: Vec<String>,
    /// Watch for this long: 500ms, 10s, 2m
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// Send a line to the board (\n, \r, \t, \xNN are understood); may be repeated
    #[arg(long, value_name = "TEXT")]
    send: Vec<String>,
    /// Put the seconds since the start before each line
    #[arg(long)]
    timestamps: bool,
    /// Show bytes in hexadecimal
    #[arg(long)]
    hex: bool,
    /// Also write the bytes as they came to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Only what comes from now on, not what was said since the last reset
    #[arg(long)]
    new: bool,
    /// Reset the board first
    #[arg(long)]
    reset: bool,
    /// ELF for decoding addresses; the newest build's where absent
    #[arg(long, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Board; the project's where absent
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let bench = Bench::open(&context.paths, &context.config()?.config)?;
    let def = bench.choose(args.board.as_deref()).map_err(Failure::usage)?;
    let boot = &bench.project.boot;
    let interactive = context.is_interactive() && args.until.is_empty() && args.time.is_none();
    let success = if args.until.is_empty() { &boot.success_patterns } else { &args.until };
    let failure: Vec<String> = boot.failure_patterns.iter().chain(&args.fail).cloned().collect();
    let patterns = Patterns {
        success: compile(success).map_err(Failure::usage)?,
        failure: compile(&failure).map_err(Failure::usage)?,
    };
    let boot_wait = Duration::from_secs(boot.timeout_s.unwrap_or(DEFAULT_BOOT_SECONDS));
    let startup = bench.project.serial.startup_commands.iter().filter(|_| interactive);
    let options = MonitorOptions {
        stop_when_decided: !interactive && (!args.until.is_empty() || args.time.is_none()),
        limit: if interactive { None } else { Some(args.time.unwrap_or(boot_wait)) },
        send: args.send.iter().chain(startup).map(|text| line_to_send(text)).collect(),
        patterns,
    };
    let symbols = symbols(context, &bench, args.elf.as_deref())?;
    let mut board = bench.board(def).map_err(super::board::board_failure)?;
    let store = bench.run_store(&context.config()?.config).map_err(Failure::usage)?;
    let mut run = store.create_run("monitor").map_err(Failure::failed)?;
    run.begin("monitor").map_err(Failure::failed)?;
    let log = run.open_log("console.log").map_err(Failure::failed)?;
    let raw_log = match &args.log {
        Some(path) => Some(
            std::fs::File::create(path)
                .map_err(|error| Failure::usage(format_args!("cannot write {}: {error}", path.display())))?,
        ),
        None => None,
    };
    let watching = Watching { args: &args, options, symbols: symbols.as_ref(), interactive, context };
    let started = std::time::Instant::now();
    match watching.watch(&mut *board, log, raw_log) {
        Ok((outcome, log, core)) => watching.finish(run, outcome, log, core, &mut *board, started.elapsed()),
        Err(failure) => {
            let status =
                if failure.kind == Kind::Interrupted { RunStatus::Interrupted } else { RunStatus::Failure };
            let run_id = run.id().to_string();
            run.end(status).map_err(Failure::failed)?;
            Err(failure.within(
                context,
                json!({ "run_id": run_id, "status": status, "board": def.name, "boot": null }),
            ))
        }
    }
}

/// Symbols are a help, not a condition: only an ELF that was named must be readable.
fn symbols(
    context: &Context,
    bench: &Bench,
    named: Option<&std::path::Path>,
) -> Result<Option<Symbolizer>, Failure> {
    let path = match (bench.elf(named), named) {
        (Ok(path), _) => path,
        (Err(error), Some(_)) => return Err(Failure::usage(error)),
        (Err(_), None) => return Ok(None),
    };
    match ElfImage::open(&path) {
        Ok(image) => Ok(Some(Symbolizer::new(Arc::new(image)))),
        Err(error) if named.is_some() => Err(Failure::usage(error)),
        Err(error) => {
            context.warn(say!("monitor-no-symbols", error = error));
            Ok(None)
        }
    }
}

/// Firmware that logs with defmt sends numbers; its ELF has the words.
fn with_defmt(
    context: &Context,
    console: Box<dyn Console>,
    symbols: Option<&Symbolizer>,
) -> Box<dyn Console> {
    match symbols.map(|symbols| Table::of(symbols.image())) {
        Some(Ok(Some(table))) => Box::new(DefmtConsole::new(console, Arc::new(table))),
        Some(Err(error)) => {
            context.warn(say!("monitor-defmt-unread", error = error));
            console
        }
        Some(Ok(None)) | None => console,
    }
}

struct Watching<'a> {
    args: &'a Args,
    options: MonitorOptions,
    symbols: Option<&'a Symbolizer>,
    interactive: bool,
    context: &'a Context,
}

impl Watching<'_> {
    fn watch(
        &self,
        board: &mut dyn Board,
        log: LogFile,
        raw_log: Option<std::fs::File>,
    ) -> Result<(MonitorOutcome, LogFile, Option<String>), Failure> {
        let context = self.context;
        // An answer is awaited to what is sent now, not to what was said before.
        let from =
            if self.args.new || !self.args.send.is_empty() { ConsoleFrom::Now } else { ConsoleFrom::Boot };
        let terminal = self.interactive.then(RawTerminal::enter).transpose().map_err(Failure::failed)?;
        let (raw, keys) = match terminal {
            Some((raw, keys)) => (Some(raw), Some(keys)),
            None => (None, None),
        };
        let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let view = if self.args.hex { View::Hex } else { View::Text };
        let screen = ScreenOptions { view, timestamps: self.args.timestamps, colours, raw: raw.is_some() };
        let mut sink = Display {
            screen: Screen::new(screen, self.symbols),
            to_stdout: !context.json(),
            silent: context.flags.quiet && context.json(),
            raw: raw.is_some(),
            log,
            raw_log,
            problem: None,
        };
        if raw.is_some() {
            sink.note(&say!("monitor-leave"));
        }
        let result = context.block_on(async {
            if self.args.reset {
                board.reset().await?;
            }
            let mut console = with_defmt(context, board.console(from).await?, self.symbols);
            let typed = keys.is_some();
            let interrupted = async {
                // In raw mode Ctrl-C is a key like any other.
                match typed {
                    true => std::future::pending().await,
                    false => tokio::signal::ctrl_c().await,
                }
            };
            tokio::select! {
                _ = interrupted => Ok(None),
                outcome = watch(&mut *console, &self.options, self.symbols, &mut sink, keys) => outcome.map(Some),
            }
        });
        sink.finish();
        drop(raw);
        if let Some(problem) = sink.problem {
            context.warn(problem);
        }
        let outcome = result.map_err(super::board::board_failure)?;
        let outcome = outcome.ok_or_else(|| Failure::new(Kind::Interrupted, "interrupted"))?;
        // A silent core is looked at before the verdict is told.
        let core = match outcome.boot.status {
            BootOutcome::Success => None,
            _ => {
                context.block_on(board.glance()).and_then(|registers| describe_core(&registers, self.symbols))
            }
        };
        Ok((outcome, sink.log, core))
    }

    fn finish(
        &self,
        mut run: Run,
        outcome: MonitorOutcome,
        log: LogFile,
        core: Option<String>,
        board: &mut dyn Board,
        elapsed: Duration,
    ) -> Result<(), Failure> {
        let context = self.context;
        let succeeded = outcome.boot.status == BootOutcome::Success
            || (outcome.left && outcome.boot.status != BootOutcome::Failure);
        let status = match outcome.boot.status {
            _ if succeeded => RunStatus::Success,
            BootOutcome::Timeout => RunStatus::Timeout,
            _ => RunStatus::Failure,
        };
        let directory = run.directory().to_path_buf();
        let name = log.name().to_string();
        let mut boot = outcome.boot.clone();
        boot.log_file = Some(name.clone());
        let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let record = ToolRecord::new("monitor", format!("monitor {}", board.def().name), None)
            .status(status)
            .duration_ms(milliseconds);
        run.add_tool_with_log(record, Some(log)).map_err(Failure::failed)?;
        run.set_boot(boot.clone()).map_err(Failure::failed)?;
        if let Ok(identity) = context.block_on(board.identify()) {
            run.set_hardware(identity.hardware_state(board.def())).map_err(Failure::failed)?;
        }
        if let Some(claim) = claims::booted(&context.paths.project, run.id(), &board.def().name, &boot) {
            run.add_claim(claim).map_err(Failure::failed)?;
        }
        let run_id = run.id().to_string();
        run.end(status).map_err(Failure::failed)?;
        let matched =
            boot.matched.as_deref().map(|line| say!("after-colon", text = fault(line))).unwrap_or_default();
        context.note(match boot.status {
            BootOutcome::Success => say!("monitor-success", matched = matched),
            BootOutcome::Failure => say!("monitor-failure", matched = matched),
            BootOutcome::Timeout => {
                let seconds = format!("{:.1}", elapsed.as_secs_f64());
                say!("monitor-timeout", seconds = seconds, bytes = outcome.bytes)
            }
        });
        for explanation in &outcome.explanations {
            context.note(fault(&format!("{}: {}", explanation.kind, explanation.summary)));
            for line in &explanation.details {
                context.note(format_args!("  {}", fault(line.trim_end())));
            }
        }
        for text in core.iter().chain(outcome.ended.iter()) {
            context.note(fault(text));
        }
        if context.json() {
            let log_file = context.paths.display(&directory.join(&name));
            context.print_json(&json!({
                "run_id": run_id,
                "boot": { "status": boot.status, "matched": boot.matched, "pattern": boot.pattern, "duration_ms": boot.duration_ms },
                "bytes": outcome.bytes, "log_file": log_file, "board": board.def().name, "explanations": outcome.explanations,
                "ended": outcome.ended, "core": core,
            }));
        }
        if succeeded { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
    }
}

/// Bytes to the screen, the run's log, and the user's own file.
struct Display<'a> {
    screen: Screen<'a>,
    to_stdout: bool,
    silent: bool,
    raw: bool,
    log: LogFile,
    raw_log: Option<std::fs::File>,
    problem: Option<String>,
}

impl Display<'_> {
    fn show(&mut self, text: &str) {
        if self.silent || text.is_empty() {
            return;
        }
        // A terminal that is gone does not stop the log.
        let _ = if self.to_stdout {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        } else {
            std::io::stderr().lock().write_all(text.as_bytes())
        };
    }

    fn finish(&mut self) {
        let rest = self.screen.finish(Duration::ZERO);
        self.show(&rest);
    }
}

impl Sink for Display<'_> {
    fn bytes(&mut self, bytes: &[u8], at: Duration) {
        let text = self.screen.show(bytes, at);
        self.show(&text);
        let written = self.log.write_all(bytes).and_then(|()| match &mut self.raw_log {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        });
        if let Err(error) = written {
            self.problem.get_or_insert_with(|| say!("monitor-log-incomplete", error = error));
        }
    }

    fn note(&mut self, text: &str) {
        let end = if self.raw { "\r\n" } else { "\n" };
        let _ = write!(std::io::stderr().lock(), "[{text}]{end}");
    }
}

/// Escapes become bytes; a text without a line end of its own gets one.
fn line_to_send(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars().peekable();
    let mut ended = false;
    while let Some(c) = chars.next() {
        ended = false;
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        ended = true;
        match chars.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('0') => bytes.push(0),
            Some('x') => {
                let digits: String = chars.clone().take(2).collect();
                match u8::from_str_radix(&digits, 16) {
                    Ok(byte) if digits.len() == 2 => {
                        bytes.push(byte);
                        chars.nth(1);
                    }
                    _ => bytes.extend(b"\\x"),
                }
            }
            Some('\\') => bytes.push(b'\\'),
            Some(other) => {
                bytes.push(b'\\');
                bytes.extend(other.encode_utf8(&mut [0; 4]).as_bytes());
                ended = false;
            }
            None => bytes.push(b'\\'),
        }
    }
    if !ended {
        bytes.extend(b"\r\n");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::line_to_send;

    #[test]
    fn escapes_become_bytes_and_lines_get_their_end() {
        assert_eq!(line_to_send("status"), b"status\r\n");
        assert_eq!(line_to_send("a\\tb\\n"), b"a\tb\n");
        assert_eq!(line_to_send("\\x03"), [3]);
        assert_eq!(line_to_send("\\xzz"), b"\\xzz\r\n");
        assert_eq!(line_to_send("C:\\dir"), b"C:\\dir\r\n");
    }
}
