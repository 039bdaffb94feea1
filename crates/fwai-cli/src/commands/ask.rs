//! `fwai ask`: one question, one streamed answer, no tools.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::say,
    model::{Printer, Watched, open_provider, watch},
};
use fwai_llm::{Request, pricing};
use fwai_schema::message::{Message, StopReason};
use serde_json::json;
use std::io::{IsTerminal, Read};

/// Bytes of standard input that are taken as context.
const MAX_CONTEXT: u64 = 1 << 20;

/// Ask the model one question; the answer streams to standard output
///
/// What comes through a pipe is given to the model as context. No tools, no session, nothing is changed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai ask \"what does HardFault FORCED mean?\"\n  arm-none-eabi-size app.elf | fwai ask \"does this fit into 64 kB?\"\n  fwai ask --model gpt-5 --json \"…\""
)]
pub struct Args {
    /// The question; without one, standard input is the question
    question: Vec<String>,
    /// What the model should be
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// Wait for the whole answer instead of streaming it
    #[arg(long)]
    no_stream: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let question = question(&args)?;
    let provider = open_provider(context)?;
    let system = args.system.unwrap_or_else(|| {
        "You are fwai, an engineer for firmware. Answer briefly and exactly; say so when you do not know."
            .into()
    });
    let request = Request {
        system: vec![system],
        messages: vec![Message::user_text(question).into()],
        ..Request::default()
    };
    let mut printer = Printer::new(!context.json() && !args.no_stream);
    let Watched { completion, retries, .. } =
        context.block_on(watch(&*provider, request, !args.no_stream, &mut printer, context))?;
    let text = Message::assistant(completion.content.clone()).text();
    if args.no_stream && !context.json() {
        printer.whole(&text);
    }
    printer.end();
    let cost = pricing::cost_usd(&provider.facts(), &completion.usage);
    if context.json() {
        context.print_json(&json!({
            "text": text,
            "provider": provider.name(),
            "model": completion.model,
            "stop_reason": completion.stop_reason,
            "usage": completion.usage,
            "cost_usd": cost,
            "retries": retries,
        }));
    }
    match completion.stop_reason {
        StopReason::EndTurn | StopReason::StopSequence => Ok(()),
        StopReason::MaxTokens => {
            context.warn(say!("ask-token-limit"));
            Err(Failure::told(Kind::Failed))
        }
        StopReason::Refusal => {
            Err(Failure::failed(format_args!("{}: the model refused to answer", provider.name())))
        }
        StopReason::ToolUse => {
            Err(Failure::failed("the model asked for a tool; `fwai exec` has tools, `fwai ask` has none"))
        }
        StopReason::Other(reason) => {
            Err(Failure::failed(format_args!("{}: the model stopped: {reason}", provider.name())))
        }
    }
}

fn question(args: &Args) -> Result<String, Failure> {
    let asked = args.question.join(" ");
    let piped = match std::io::stdin().is_terminal() {
        true => String::new(),
        false => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .take(MAX_CONTEXT + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::failed(format_args!("cannot read standard input: {error}")))?;
            if bytes.len() as u64 > MAX_CONTEXT {
                return Err(Failure::usage(format_args!(
                    "standard input is larger than {} kB, more than a question should carry",
                    MAX_CONTEXT >> 10
                ))
                .hint("pass a part of it, for instance through `tail`"));
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    match (asked.trim().is_empty(), piped.trim().is_empty()) {
        (true, true) => Err(Failure::usage("no question given").hint("fwai ask \"…\"")),
        (true, false) => Ok(piped),
        (false, true) => Ok(asked),
        (false, false) => Ok(format!("{asked}\n\n<context>\n{}\n</context>", piped.trim_end())),
    }
}
