//! Commands as people type them, each to MI and back to text.

use std::time::Duration;

use serde_json::json;

use super::{
    fault::FaultFinding,
    gdb::GdbError,
    mi::{Value, number, quoted},
    refused, render,
    session::{DebugError, DebugSession, Trust},
};

/// The commands of a session; anything else goes to GDB as it is.
pub const HELP: &[(&str, &str)] = &[
    ("break PLACE [if CONDITION]", "stop at a function, file:line or *address"),
    ("tbreak PLACE", "the same, once"),
    ("watch EXPR, rwatch EXPR, awatch EXPR", "stop when it is written, read, or either"),
    ("delete [NUMBER]", "remove a breakpoint, or all"),
    ("continue", "run on; the first time with a breakpoint set, from reset"),
    ("step, next, stepi, nexti, finish", "one line into or over, one instruction, to the caller"),
    ("interrupt", "stop the target"),
    ("reset", "reset the target and stop at its first instruction"),
    ("backtrace", "the calls that led here"),
    ("locals", "arguments and local variables"),
    ("print EXPR", "the value of an expression"),
    ("registers [NAME...]", "core registers"),
    ("memory ADDRESS COUNT", "bytes of memory"),
    ("peripheral NAME[.REGISTER]", "peripheral registers by field, from the SVD file"),
    ("disassemble [FUNCTION]", "instructions with their source lines"),
    ("decode_fault", "what a hard fault was, and at which line"),
];

/// What one command gave.
#[derive(Debug, Clone, PartialEq)]
pub struct StepResult {
    pub command: String,
    pub ok: bool,
    /// For people.
    pub result: String,
    /// For programs, where there is more than text.
    pub data: Option<serde_json::Value>,
}

type Outcome = Result<(String, Option<serde_json::Value>), StepError>;

enum StepError {
    /// The command failed; the session goes on.
    Failed(String),
    Debug(DebugError),
}

impl From<DebugError> for StepError {
    fn from(error: DebugError) -> Self {
        Self::Debug(error)
    }
}

impl From<GdbError> for StepError {
    fn from(error: GdbError) -> Self {
        Self::Debug(error.into())
    }
}

impl DebugSession {
    /// Run one command. It never breaks the session: a failure is a step that is not ok.
    pub async fn run(&mut self, command: &str) -> StepResult {
        let command = command.trim();
        let (ok, result, data) = match self.dispatch(command).await {
            Ok((result, data)) => (true, result, data),
            Err(StepError::Failed(what)) => (false, what, None),
            Err(StepError::Debug(error)) => (false, with_hint(&error.to_string()), None),
        };
        StepResult { command: command.to_string(), ok, result: result.trim_end().to_string(), data }
    }

    async fn dispatch(&mut self, command: &str) -> Outcome {
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = rest.trim();
        if self.options.trust == Trust::Model
            && (command.contains("$_shell") || command.contains("$_gdb_setting"))
        {
            return Err(StepError::Failed("expressions may not use $_shell or $_gdb_setting".into()));
        }
        match word {
            "" => Ok((String::new(), None)),
            "help" => Ok((help(), None)),
            "break" | "b" | "tbreak" | "tb" | "hbreak" => self.break_at(word, rest).await,
            "watch" => self.watch("", rest).await,
            "rwatch" => self.watch("-r ", rest).await,
            "awatch" => self.watch("-a ", rest).await,
            "delete" | "d" => self.delete(rest).await,
            "continue" | "c" | "run" | "r" => self.go_on().await,
            "step" | "s" => self.execute("-exec-step").await,
            "next" | "n" => self.execute("-exec-next").await,
            "stepi" | "si" => self.execute("-exec-step-instruction").await,
            "nexti" | "ni" => self.execute("-exec-next-instruction").await,
            "finish" => self.execute("-exec-finish").await,
            "until" | "advance" if !rest.is_empty() => {
                self.execute(&format!("-exec-until {}", quoted(rest))).await
            }
            "interrupt" | "halt" => self.interrupt().await,
            "reset" => self.reset().await,
            "backtrace" | "bt" | "where" => self.backtrace().await,
            "locals" => self.locals().await,
            "print" | "p" | "evaluate" if !rest.is_empty() => self.evaluate(rest).await,
            "registers" => self.registers(rest).await,
            "memory" => self.memory(rest).await,
            "disassemble" | "disas" => self.disassemble(rest).await,
            "peripheral" | "svd" => self.peripheral(rest).await,
            "decode_fault" => self.decode_fault().await,
            "info" | "i" if matches!(rest, "locals") => self.locals().await,
            "quit" | "q" => Err(StepError::Failed("the session ends with its last command".into())),
            _ => self.pass_on(command).await,
        }
    }

    async fn break_at(&mut self, word: &str, rest: &str) -> Outcome {
        if rest.is_empty() {
            return Err(StepError::Failed(
                "say where: `break main`, `break main.c:42` or `break *0x08000100`".into(),
            ));
        }
        let (place, condition) = match rest.split_once(" if ") {
            Some((place, condition)) => (place.trim(), Some(condition.trim())),
            None => (rest, None),
        };
        let mut command = String::from("-break-insert");
        if word.starts_with('t') {
            command.push_str(" -t");
        }
        if word.starts_with('h') {
            command.push_str(" -h");
        }
        if let Some(condition) = condition {
            command.push_str(&format!(" -c {}", quoted(condition)));
        }
        command.push_str(&format!(" {}", quoted(place)));
        let answer = self.mi(&command).await?;
        self.to_restore.push(command);
        let set = answer.results.get("bkpt").cloned().unwrap_or(Value::Tuple(Vec::new()));
        let where_ = match (set.text("file"), set.text("line")) {
            (Some(file), Some(line)) => format!(" at {file}:{line}"),
            _ => String::new(),
        };
        let function = set.text("func").map(|function| format!(" in {function}")).unwrap_or_default();
        let text = format!("breakpoint {}{function}{where_}", set.text("number").unwrap_or("?"));
        Ok((text, Some(set.to_json())))
    }

    async fn watch(&mut self, kind: &str, expression: &str) -> Outcome {
        if expression.is_empty() {
            return Err(StepError::Failed("say what to watch: `watch counter`".into()));
        }
        let command = format!("-break-watch {kind}{}", quoted(expression));
        let answer = self.mi(&command).await?;
        self.to_restore.push(command);
        let set = ["wpt", "hw-rwpt", "hw-awpt"].iter().find_map(|name| answer.results.get(name));
        let number = set.and_then(|set| set.text("number")).unwrap_or("?");
        Ok((format!("watchpoint {number} on {expression}"), set.map(Value::to_json)))
    }

    async fn delete(&mut self, rest: &str) -> Outcome {
        if !rest.chars().all(|c| c.is_ascii_digit() || c == ' ' || c == '.') {
            return Err(StepError::Failed("delete takes breakpoint numbers".into()));
        }
        self.mi(&format!("-break-delete {rest}")).await?;
        // Which of them it was is not kept; a replaced GDB starts without any.
        self.to_restore.clear();
        Ok((if rest.is_empty() { "all removed".into() } else { format!("{rest} removed") }, None))
    }

    async fn go_on(&mut self) -> Outcome {
        let mut note = "";
        let waits = !self.to_restore.is_empty();
        if !self.ran
            && waits
            && !self.options.attach
            && !self.server.fresh
            && self.server.reset_command.is_some()
        {
            self.reset().await?;
            note = " (from reset; --attach leaves the board where it is)";
        }
        self.ran = true;
        self.mi("-exec-continue").await?;
        let limit = if waits { self.options.run_limit } else { Duration::from_millis(300) };
        match self.gdb().await?.wait_for_stop(limit).await? {
            Some(stopped) => Ok((format!("{}{note}", render::stop(&stopped)), Some(stopped.to_json()))),
            None if !waits => Ok(("running".into(), None)),
            None => Err(StepError::Failed(format!(
                "no breakpoint was reached within {} s and the target still runs; `interrupt` stops it",
                limit.as_secs()
            ))),
        }
    }

    async fn execute(&mut self, command: &str) -> Outcome {
        self.ran = true;
        self.mi(command).await?;
        let limit = self.options.run_limit;
        match self.gdb().await?.wait_for_stop(limit).await? {
            Some(stopped) => Ok((render::stop(&stopped), Some(stopped.to_json()))),
            None => Err(StepError::Failed(format!(
                "the target still runs after {} s; `interrupt` stops it",
                limit.as_secs()
            ))),
        }
    }

    async fn interrupt(&mut self) -> Outcome {
        if !self.gdb().await?.target_runs() {
            return Ok(("the target already stands still".into(), None));
        }
        self.mi("-exec-interrupt").await?;
        match self.gdb().await?.wait_for_stop(Duration::from_secs(5)).await? {
            Some(stopped) => Ok((render::stop(&stopped), Some(stopped.to_json()))),
            None => Err(StepError::Failed("the target did not stop within 5 s".into())),
        }
    }

    async fn reset(&mut self) -> Outcome {
        let Some(command) = self.server.reset_command.clone() else {
            return Err(StepError::Failed(
                "this board's debug server knows no reset; use `fwai board reset`".into(),
            ));
        };
        if self.gdb().await?.target_runs() {
            self.interrupt().await?;
        }
        self.console(&command).await?;
        // The server changed the core behind GDB's back.
        self.console("maintenance flush register-cache").await?;
        self.ran = false;
        self.server.fresh = true;
        let frames = self.mi("-stack-info-frame").await?;
        let place = frames.results.get("frame").map(render::frame).unwrap_or_default();
        Ok((format!("reset, {place}"), None))
    }

    async fn backtrace(&mut self) -> Outcome {
        let frames = self.mi("-stack-list-frames 0 63").await?;
        let arguments = self.mi("-stack-list-arguments 1 0 63").await?;
        let arguments = arguments.results.list("stack-args");
        let mut text = String::new();
        let mut data = Vec::new();
        for (number, frame) in frames.results.list("stack").iter().enumerate() {
            let mut frame = frame.clone();
            if let (Value::Tuple(fields), Some(Value::List(args))) =
                (&mut frame, arguments.get(number).and_then(|found| found.get("args")))
            {
                fields.retain(|(name, _)| name != "args");
                fields.push(("args".into(), Value::List(args.clone())));
            }
            text.push_str(&format!("#{number} {}\n", render::frame(&frame)));
            data.push(frame.to_json());
        }
        Ok((text, Some(json!(data))))
    }

    async fn locals(&mut self) -> Outcome {
        let answer = self.mi("-stack-list-variables --all-values").await?;
        let variables = answer.results.list("variables");
        let lines: Vec<String> = variables
            .iter()
            .map(|one| format!("{} = {}", one.text("name").unwrap_or("?"), one.text("value").unwrap_or("?")))
            .collect();
        let text = if lines.is_empty() { "no local variables here".into() } else { lines.join("\n") };
        Ok((text, answer.results.get("variables").map(Value::to_json)))
    }

    async fn evaluate(&mut self, expression: &str) -> Outcome {
        if let Some(rest) = expression.strip_prefix('/') {
            return self.pass_on(&format!("print/{rest}")).await;
        }
        let answer = self.mi(&format!("-data-evaluate-expression {}", quoted(expression))).await?;
        let value = answer.results.text("value").unwrap_or_default().to_string();
        Ok((format!("{expression} = {value}"), Some(json!({ "expression": expression, "value": value }))))
    }

    async fn registers(&mut self, names: &str) -> Outcome {
        let wanted: Vec<&str> = names.split([' ', ',']).filter(|name| !name.is_empty()).collect();
        let registers = self.core_registers().await?;
        let shown: Vec<_> = registers
            .iter()
            .filter(|(name, _)| wanted.is_empty() || wanted.contains(&name.as_str()))
            .collect();
        if shown.is_empty() {
            let known: Vec<&str> = registers.iter().map(|(name, _)| name.as_str()).collect();
            return Err(StepError::Failed(format!("no such register; known: {}", known.join(" "))));
        }
        let text: String = shown.iter().map(|(name, value)| format!("{name:<6} {value:#010x}\n")).collect();
        let data: serde_json::Map<String, serde_json::Value> =
            shown.iter().map(|(name, value)| (name.clone(), json!(format!("{value:#010x}")))).collect();
        Ok((text, Some(data.into())))
    }

    async fn memory(&mut self, rest: &str) -> Outcome {
        let (place, count) = rest.rsplit_once(char::is_whitespace).unwrap_or((rest, "64"));
        let count = number(count).filter(|count| (1..=65536).contains(count));
        let Some(count) = count else {
            return Err(StepError::Failed("say `memory ADDRESS COUNT` with at most 65536 bytes".into()));
        };
        let place = place.trim();
        let address = match number(place) {
            Some(address) => address,
            None => {
                let answer = self
                    .mi(&format!(
                        "-data-evaluate-expression {}",
                        quoted(&format!("(unsigned long)({place})"))
                    ))
                    .await?;
                let value = answer.results.text("value").and_then(number);
                value.ok_or_else(|| StepError::Failed(format!("`{place}` is no address")))?
            }
        };
        let bytes = self.read_memory(address, usize::try_from(count).unwrap_or(64)).await?;
        let data = json!({ "address": address, "bytes": hex::encode(&bytes) });
        Ok((render::hex_dump(address, &bytes), Some(data)))
    }

    async fn peripheral(&mut self, path: &str) -> Outcome {
        if path.is_empty() {
            return Err(StepError::Failed(
                "say which: `peripheral USART1` or `peripheral USART1.CR1`".into(),
            ));
        }
        let registers = self.read_peripheral(path).await?.map_err(StepError::Failed)?;
        let text: Vec<String> = registers.iter().map(ToString::to_string).collect();
        Ok((text.join("\n"), serde_json::to_value(&registers).ok()))
    }

    async fn disassemble(&mut self, rest: &str) -> Outcome {
        let text = match rest {
            "" => match self.console("disassemble /s").await {
                Ok(text) => text,
                // Without a function around the PC, the next instructions are what can be shown.
                Err(DebugError::Gdb(GdbError::Refused { .. })) => self.console("x/16i $pc").await?,
                Err(error) => return Err(error.into()),
            },
            what if self.options.trust == Trust::Model
                && !what.chars().all(|c| c.is_alphanumeric() || "_:*,+ .$".contains(c)) =>
            {
                return Err(StepError::Failed("disassemble takes a function or an address".into()));
            }
            what => self.console(&format!("disassemble /s {what}")).await?,
        };
        Ok((text, None))
    }

    async fn decode_fault(&mut self) -> Outcome {
        if self.gdb().await?.target_runs() {
            self.interrupt().await?;
        }
        match self.find_fault().await? {
            FaultFinding::Fault(report) => {
                let data = serde_json::to_value(&*report).ok();
                Ok((report.to_string(), data))
            }
            FaultFinding::NoFault(text) => Ok((text, None)),
        }
    }

    async fn pass_on(&mut self, command: &str) -> Outcome {
        if self.options.trust == Trust::Model
            && let Some(why) = refused::for_a_model(command)
        {
            return Err(StepError::Failed(why));
        }
        if let Some(mi) = command.strip_prefix('-').filter(|_| self.options.trust == Trust::Person) {
            let answer = self.mi(&format!("-{mi}")).await?;
            return Ok((answer.results.to_string(), Some(answer.results.to_json())));
        }
        Ok((self.console(command).await?, None))
    }
}

fn help() -> String {
    HELP.iter().map(|(command, what)| format!("{command:<40} {what}\n")).collect()
}

/// GDB's own words, with what to do about the most common ones.
fn with_hint(message: &str) -> String {
    let hint = if message.contains("Cannot execute this command while the target is running")
        || message.contains("Selected thread is running")
    {
        "; `interrupt` stops the target first"
    } else if message.contains("No symbol \"")
        || (message.contains("Function \"") && message.contains("not defined"))
    {
        "; was it optimised away, or is its name spelt differently?"
    } else {
        ""
    };
    format!("{message}{hint}")
}
