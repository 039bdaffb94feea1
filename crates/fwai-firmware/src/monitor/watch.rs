//! [`watch`]: the loop of `fwai monitor`.

use std::time::Duration;

use fwai_schema::evidence::{BootOutcome, BootStatus};
use tokio::{sync::mpsc, time::Instant};

use super::{Explanation, Patterns, Watcher, explain};
use crate::{
    boards::{BoardError, Console, ConsoleEvent, Crash},
    elf::Symbolizer,
};

/// Time that a crash report gets to be printed to its end.
const REPORT_QUIET: Duration = Duration::from_millis(300);
const REPORT_MOST: Duration = Duration::from_secs(3);
/// How long a silent firmware is waited for before something is sent to it.
const QUIET_BEFORE_SEND: Duration = Duration::from_millis(300);
/// Console text kept for explanations.
const MOST_KEPT: usize = 64 * 1024;

/// What to watch for, and for how long.
#[derive(Debug, Clone, Default)]
pub struct MonitorOptions {
    pub patterns: Patterns,
    /// Total time; absent means until decided or closed.
    pub limit: Option<Duration>,
    /// End as soon as the boot is decided.
    pub stop_when_decided: bool,
    /// Sent in this order once the firmware is up.
    pub send: Vec<Vec<u8>>,
}

/// How it went.
#[derive(Debug, Clone)]
pub struct MonitorOutcome {
    pub boot: BootStatus,
    pub bytes: u64,
    pub explanations: Vec<Explanation>,
    /// Why nothing more could come.
    pub ended: Option<String>,
    pub crash: Option<Crash>,
    /// The user pressed the exit key.
    pub left: bool,
}

/// Where bytes and remarks go.
pub trait Sink: Send {
    fn bytes(&mut self, bytes: &[u8], at: Duration);
    /// A remark of fwai's, not of the device.
    fn note(&mut self, text: &str);
}

/// Keys from a person; `None` is the exit key.
pub type Keys = mpsc::Receiver<Option<Vec<u8>>>;

/// Watch a console until decided, timed out, closed or left.
pub async fn watch(
    console: &mut dyn Console,
    options: &MonitorOptions,
    symbols: Option<&Symbolizer>,
    sink: &mut dyn Sink,
    mut keys: Option<Keys>,
) -> Result<MonitorOutcome, BoardError> {
    let started = Instant::now();
    let deadline = options.limit.map(|limit| started + limit);
    let mut watcher = Watcher::new(options.patterns.clone());
    let mut outcome = MonitorOutcome {
        boot: BootStatus {
            status: BootOutcome::Timeout,
            matched: None,
            pattern: None,
            start_time: None,
            duration_ms: 0,
            log_file: None,
        },
        bytes: 0,
        explanations: Vec::new(),
        ended: None,
        crash: None,
        left: false,
    };
    let mut text = String::new();
    let mut to_send: std::collections::VecDeque<&Vec<u8>> = options.send.iter().collect();
    let mut decided_at: Option<Instant> = None;
    let mut last_byte = started;
    loop {
        let now = Instant::now();
        if let Some(deadline) = deadline
            && now >= deadline
        {
            break;
        }
        if let Some(decided) = decided_at {
            let success = watcher.verdict().is_some_and(|verdict| verdict.success);
            let report_ended = now - last_byte >= REPORT_QUIET || now - decided >= REPORT_MOST;
            if options.stop_when_decided && to_send.is_empty() && (success || report_ended) {
                break;
            }
        }
        if !to_send.is_empty()
            && (outcome.bytes > 0 || now - started >= QUIET_BEFORE_SEND)
            && now - last_byte >= Duration::from_millis(20)
        {
            if let Some(bytes) = to_send.pop_front() {
                console.send(bytes).await?;
                last_byte = Instant::now();
            }
            continue;
        }
        let wait = deadline
            .map_or(Duration::from_millis(50), |deadline| (deadline - now).min(Duration::from_millis(50)));
        let event = tokio::select! {
            key = next_key(&mut keys) => {
                match key {
                    Some(Some(bytes)) => console.send(&bytes).await?,
                    Some(None) => {
                        outcome.left = true;
                        break;
                    }
                    None => keys = None,
                }
                continue;
            }
            event = console.next(wait) => event?,
        };
        match event {
            ConsoleEvent::Bytes(bytes) => {
                last_byte = Instant::now();
                outcome.bytes += bytes.len() as u64;
                sink.bytes(&bytes, started.elapsed());
                if watcher.feed(&bytes) {
                    decided_at = Some(last_byte);
                    outcome.boot.duration_ms =
                        u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                }
                for line in watcher.take_lines() {
                    text.push_str(&line);
                    text.push('\n');
                }
                if text.len() > 2 * MOST_KEPT {
                    let cut = text.len() - MOST_KEPT;
                    let cut = (cut..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
                    text.drain(..cut);
                }
            }
            ConsoleEvent::Quiet => {}
            ConsoleEvent::Lost(what) => {
                sink.note(&format!("console lost: {what}; waiting for it to come back"))
            }
            ConsoleEvent::Back => sink.note("console is back"),
            ConsoleEvent::Ended(what) => {
                outcome.ended = Some(what);
                break;
            }
            ConsoleEvent::Crashed(crash) => {
                outcome.crash = Some(*crash);
                break;
            }
        }
    }
    text.push_str(watcher.open_line());
    finish(&mut outcome, &watcher, &text, symbols, started.elapsed(), options);
    Ok(outcome)
}

async fn next_key(keys: &mut Option<Keys>) -> Option<Option<Vec<u8>>> {
    match keys {
        Some(keys) => keys.recv().await,
        None => std::future::pending().await,
    }
}

fn finish(
    outcome: &mut MonitorOutcome,
    watcher: &Watcher,
    text: &str,
    symbols: Option<&Symbolizer>,
    elapsed: Duration,
    options: &MonitorOptions,
) {
    let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    match watcher.verdict() {
        Some(verdict) => {
            outcome.boot.status = if verdict.success { BootOutcome::Success } else { BootOutcome::Failure };
            outcome.boot.matched = Some(verdict.line.clone());
            outcome.boot.pattern.clone_from(&verdict.pattern);
        }
        None => {
            outcome.boot.duration_ms = elapsed;
            // Without patterns, a firmware that speaks and does not crash has booted.
            if options.patterns.success.is_empty() && outcome.bytes > 0 {
                outcome.boot.status = BootOutcome::Success;
            }
        }
    }
    if let Some(crash) = &outcome.crash {
        if outcome.boot.status != BootOutcome::Success || options.patterns.success.is_empty() {
            outcome.boot.status = BootOutcome::Failure;
            outcome.boot.matched = Some(crash.summary.clone());
        }
        outcome.explanations.push(explain_crash(crash, symbols));
    } else if outcome.ended.is_some() && outcome.boot.status == BootOutcome::Timeout {
        outcome.boot.status = BootOutcome::Failure;
        outcome.boot.matched.clone_from(&outcome.ended);
    }
    if watcher.verdict().is_some_and(|verdict| !verdict.success) || outcome.crash.is_some() {
        outcome.explanations.extend(explain(text, symbols));
    }
}

/// A crash that the board saw, with its places.
fn explain_crash(crash: &Crash, symbols: Option<&Symbolizer>) -> Explanation {
    let mut details = Vec::new();
    if let Some(symbols) = symbols {
        for (register, name) in [("R15", "at"), ("R14", "from")] {
            let Some(value) = crash.registers.get(register).filter(|value| **value < 0xf000_0000) else {
                continue;
            };
            let location = if register == "R14" {
                symbols.locate_call(u64::from(*value))
            } else {
                symbols.locate(u64::from(*value))
            };
            details.extend(location.map(|location| format!("{name} {location}")));
        }
    }
    let registers: Vec<String> =
        crash.registers.iter().map(|(name, value)| format!("{name}={value:08x}")).collect();
    details.push(registers.join(" "));
    Explanation { kind: "target crash".into(), summary: crash.summary.clone(), details }
}

/// Where a silent core is: in words, from its registers.
pub fn describe_core(
    registers: &std::collections::BTreeMap<String, u32>,
    symbols: Option<&Symbolizer>,
) -> Option<String> {
    let pc = *registers.get("R15")?;
    let place =
        symbols.and_then(|symbols| symbols.locate(u64::from(pc))).map(|location| format!(" in {location}"));
    let exception = registers.get("XPSR").map_or(0, |xpsr| xpsr & 0x1ff);
    let mode = match exception {
        0 => String::new(),
        number => format!(", handling a {}", crate::boards::exception_name(number)),
    };
    let hint =
        if (3..=7).contains(&exception) { "; `fwai debug -c decode_fault` explains the fault" } else { "" };
    Some(format!("the core is at {pc:#010x}{}{mode}{hint}", place.unwrap_or_default()))
}
