//! `fwai audit key`: the key that signs your evidence.

use crate::{context::Context, failure::Failure, language::say};
use clap::Subcommand;
use fwai_evidence::keys::UserKeys;
use serde_json::json;

/// Show or replace the key that signs your evidence
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the public key, for `policy.trusted_keys` of others; makes a key when there is none
    Show {
        /// As PEM, for openssl
        #[arg(long)]
        pem: bool,
    },
    /// Replace the key by a new one; the statement about it is signed by both
    Rotate,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::Show { pem } => show(context, pem),
        Command::Rotate => rotate(context),
    }
}

fn show(context: &Context, pem: bool) -> Result<(), Failure> {
    let user = UserKeys::of(&context.paths.user);
    let key = user.signer().map_err(Failure::failed)?.public_key();
    let retired: Vec<String> = user.retired().iter().map(|key| key.to_base64()).collect();
    if context.json() {
        let object =
            json!({"public_key": key.to_base64(), "id": key.id(), "pem": key.to_pem(), "retired": retired});
        context.print_json(&object);
    } else if pem {
        context.print(key.to_pem().trim_end());
    } else {
        context.print(key.to_base64());
        context.note(say!("audit-key", id = key.id(), count = retired.len()));
    }
    Ok(())
}

fn rotate(context: &Context) -> Result<(), Failure> {
    if !context.confirm(&say!("audit-rotate-confirm"))? {
        return Ok(());
    }
    let rotated = super::run_store(context)?.rotate_key()?;
    if context.json() {
        context.print_json(&json!({"old_key": rotated.old.to_base64(), "new_key": rotated.new.to_base64()}));
    }
    context.print(say!("audit-rotated", new = rotated.new, old = rotated.old));
    context.note(say!("audit-rotated-next"));
    Ok(())
}
