//! `fwai undo`: takes back what the last session changed, by tools and by shell commands alike.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
    render::printable,
};
use fwai_app::gate::changes::{self, Step};
use fwai_schema::event::EventBody;
use serde_json::json;

/// Take back what the agent changed, shell commands included
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai undo            the last change\n  fwai undo --list     what can be taken back\n  fwai undo --to 1     everything since step 1"
)]
pub struct Args {
    /// Restore the files to what they were before this step
    #[arg(long, value_name = "STEP")]
    to: Option<u64>,
    /// Show the steps
    #[arg(long, conflicts_with = "to")]
    list: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let root = &context.paths.project;
    let steps = changes::steps(root);
    if args.list {
        return list(context, &steps);
    }
    if steps.is_empty() {
        return Err(Failure::new(Kind::Failed, "nothing to undo"));
    }
    if let Some(number) = args.to
        && !steps.iter().any(|step| step.number == number)
    {
        return Err(Failure::usage(format_args!("there is no step {number}")).hint("fwai undo --list"));
    }
    let (said, events, left) = changes::undo_steps(root, &steps, args.to).map_err(Failure::failed)?;
    if context.json() {
        let files: Vec<&str> = events
            .iter()
            .filter_map(|event| match event {
                EventBody::FileChanged { path, .. } => Some(path.as_str()),
                _ => None,
            })
            .collect();
        context.print_json(&json!({"restored": files, "steps_left": left.len()}));
    }
    context.print(understood(&said));
    Ok(())
}

fn list(context: &Context, steps: &[Step]) -> Result<(), Failure> {
    if context.json() {
        context.print_json(&json!({"steps": steps}));
        return Ok(());
    }
    if steps.is_empty() {
        context.print(say!("undo-nothing"));
    }
    for step in steps {
        let call = if step.what.is_empty() { &step.call } else { &step.what };
        context.print(format_args!("{:4}  {}", step.number, say!("undo-step", call = printable(call))));
    }
    Ok(())
}
