//! `fwai audit anchor`: keeps the log's checkpoint where whoever rewrites the log cannot reach it.

use crate::{context::Context, failure::Failure, language::say};
use fwai_app::evidence as setup;
use fwai_evidence::{
    anchors::{UserAnchors, anchor_in_notes, anchor_in_tag, keep_beside},
    log::Log,
    verify::verify_all,
};
use serde_json::json;

/// Keep the log's checkpoint in git notes, a tag, or at a witness
///
/// Your own directory gets a copy with every run; this makes further ones that others can see, once they are
/// pushed: git notes under refs/notes/fwai, tags fwai/<size>.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// In git notes of HEAD
    #[arg(long)]
    notes: bool,
    /// In an annotated tag fwai/<size>
    #[arg(long)]
    tag: bool,
    /// Sign the tag with your git key too
    #[arg(long, requires = "tag")]
    sign: bool,
    /// At the witness that evidence.witness_url names
    #[arg(long)]
    witness: bool,
    /// Forget logs that were here before and are gone, after asking
    #[arg(long)]
    forget: bool,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let root = &context.paths.project;
    let log = Log::of(root).snapshot().map_err(Failure::failed)?;
    if args.forget {
        let keep = log.as_ref().map(|log| log.signed.checkpoint.origin.clone());
        if !context.confirm(&say!("audit-forget-confirm"))? {
            return Ok(());
        }
        let forgotten = UserAnchors::of(&context.paths.user, root).forget_others(keep.as_deref());
        let forgotten = forgotten.map_err(Failure::failed)?;
        context.print(say!("audit-forgotten", count = forgotten));
        if context.json() {
            context.print_json(&json!({"forgotten": forgotten}));
        }
        return Ok(());
    }
    let Some(log) = log else {
        return Err(Failure::failed("nothing was logged here yet, so there is nothing to anchor"));
    };
    let (size, note) = (log.size(), log.note.clone());
    drop(log);
    // An anchor vouches for a log; one that is wrong must not get it.
    let report = verify_all(&super::verification(context)?);
    if let Some(problem) = report.problems.first() {
        return Err(Failure::failed(format_args!(
            "the evidence does not verify: {}: {}",
            problem.file, problem.what
        ))
        .hint("fwai audit verify"));
    }
    let mut places = Vec::new();
    let beside = keep_beside(root, size, &note).map_err(Failure::failed)?;
    places.push(context.paths.display(&beside));
    if args.notes {
        places.push(anchor_in_notes(root, &note).map_err(Failure::failed)?);
    }
    if args.tag {
        places.push(anchor_in_tag(root, size, &note, args.sign).map_err(Failure::failed)?);
    }
    if args.witness {
        let witness = setup::witness(&context.config()?.config).map_err(Failure::usage)?;
        let witness = witness.ok_or_else(|| {
            Failure::usage("no witness is configured")
                .hint("fwai config set evidence.witness_url URL#NAME+HASH+KEY")
        })?;
        let asked = context.block_on(setup::ask_witness(&context.paths, &witness));
        asked.map_err(|why| Failure::failed(format_args!("the witness {}: {why}", witness.name)))?;
        places.push(format!("witness {}", witness.name));
    }
    if context.json() {
        context.print_json(&json!({"size": size, "places": places}));
    }
    for place in &places {
        context.print(say!("audit-anchored", count = size, place = place));
    }
    if args.notes {
        context.note(say!("audit-share", command = "git push origin refs/notes/fwai"));
    }
    if args.tag {
        context.note(say!("audit-share", command = format!("git push origin fwai/{size}")));
    }
    Ok(())
}
