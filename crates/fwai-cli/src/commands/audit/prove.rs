//! `fwai audit prove`: a run as a bundle that strangers can check without fwai.

use crate::{context::Context, failure::Failure, language::say};
use fwai_evidence::{keys::UserKeys, prove::write_bundle};
use serde_json::json;
use std::path::PathBuf;

/// Write a proof bundle of a run, with a verifier in Python
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Run id, its beginning, a label such as `build`, or `latest`
    run: String,
    /// Directory, or a name that ends in .tar; the run id with `-proof` by default
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let run_id = super::resolve(context, &args.run)?;
    let target = args.output.unwrap_or_else(|| PathBuf::from(format!("{run_id}-proof")));
    let user = UserKeys::of(&context.paths.user);
    let bundle = write_bundle(&context.paths.project, &user, &run_id, &target).map_err(Failure::failed)?;
    if context.json() {
        context.print_json(&json!({
            "run_id": run_id,
            "path": bundle.path,
            "leaf_index": bundle.leaf_index,
            "tree_size": bundle.tree_size,
            "proof_hashes": bundle.proof_hashes,
            "files": bundle.files,
        }));
        return Ok(());
    }
    let path = bundle.path.display();
    context.print(say!(
        "audit-proved",
        path = path,
        leaf = bundle.leaf_index,
        size = bundle.tree_size,
        hashes = bundle.proof_hashes,
    ));
    if target.extension().is_none_or(|extension| extension != "tar") {
        context.note(say!(
            "audit-check-anywhere",
            command = format!("python3 {path}/verify.py --key PUBLIC_KEY")
        ));
    }
    Ok(())
}
