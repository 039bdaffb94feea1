//! `fwai audit log`: the leaves of the Merkle log.

use crate::{context::Context, failure::Failure, language::say, render::clean::clean_line};
use fwai_evidence::{
    log::Log,
    verify::{LeafKind, check_log},
};
use serde_json::json;

/// List the leaves of the log, newest first
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many
    #[arg(short = 'n', long, default_value_t = 20, value_name = "COUNT")]
    count: usize,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let trust = super::verification(context)?.trust;
    let snapshot = Log::of(&context.paths.project).snapshot().map_err(Failure::failed)?;
    let Some(snapshot) = snapshot else {
        context.note(say!("audit-no-log"));
        if context.json() {
            context.print_json(&json!({"size": 0, "leaves": []}));
        }
        return Ok(());
    };
    let checked = check_log(&snapshot, &trust);
    let checkpoint = &snapshot.signed.checkpoint;
    let leaves = checked.leaves.iter().rev().take(args.count).map(|leaf| {
        let (kind, run_id) = match &leaf.kind {
            LeafKind::Run(id) => ("run", Some(id)),
            LeafKind::Rotation => ("key_rotation", None),
            LeafKind::Other => ("other", None),
        };
        json!({"index": leaf.index, "hash": hex(&leaf.hash), "kind": kind, "run_id": run_id})
    });
    let leaves: Vec<_> = leaves.collect();
    if context.json() {
        context.print_json(&json!({
            "origin": checkpoint.origin,
            "size": checkpoint.size,
            "root": hex(&checkpoint.root),
            "leaves": leaves,
        }));
        return Ok(());
    }
    context.print(say!(
        "audit-log",
        origin = clean_line(&checkpoint.origin),
        count = checkpoint.size,
        root = hex(&checkpoint.root),
    ));
    for leaf in leaves {
        let what = clean_line(leaf["run_id"].as_str().or(leaf["kind"].as_str()).unwrap_or_default());
        let hash = leaf["hash"].as_str().unwrap_or_default();
        context.print(format_args!("{:>8}  {}  {what}", leaf["index"], &hash[..16]));
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
