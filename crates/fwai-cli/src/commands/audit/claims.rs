//! `fwai audit claims`: what was said to be built, tested, flashed or fixed, and whether it still holds.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::say,
    render::clean::clean_line,
};
use fwai_evidence::claims::{ClaimState, check_claims};
use serde_json::json;

/// Say which claims are fresh and which went stale
///
/// A claim covers files by SHA-256 and cites runs; it is stale when a covered file changed, unsupported when a
/// cited run is missing or did not succeed. The newest claim of each kind decides the exit code.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only claims of this run
    run: Option<String>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let only = args.run.map(|text| super::resolve(context, &text)).transpose()?;
    let mut claims = check_claims(&context.paths.project).map_err(Failure::failed)?;
    claims.retain(|claim| only.as_ref().is_none_or(|id| *id == claim.run_id));
    let mut seen = Vec::new();
    let newest = claims.iter().filter(|claim| {
        let first = !seen.contains(&claim.claim.kind);
        seen.push(claim.claim.kind);
        first
    });
    let ok = newest.into_iter().all(|claim| claim.state == ClaimState::Fresh);
    if context.json() {
        context.print_json(&json!({"ok": ok, "claims": claims}));
    } else if claims.is_empty() {
        context.print(say!("audit-no-claims"));
    } else {
        for claim in &claims {
            let (colour, word) = match claim.state {
                ClaimState::Fresh => (anstyle::AnsiColor::Green, say!("claim-fresh")),
                ClaimState::Stale => (anstyle::AnsiColor::Yellow, say!("claim-stale")),
                ClaimState::Unsupported => (anstyle::AnsiColor::Red, say!("claim-unsupported")),
            };
            let style = anstyle::Style::new().bold().fg_color(Some(colour.into()));
            let (statement, run_id) = (clean_line(&claim.claim.statement), &claim.run_id);
            context.print(format_args!("{style}{word}{style:#}  {statement}  ({run_id})"));
            for reason in &claim.reasons {
                context.print(format_args!("       {}", clean_line(reason)));
            }
        }
    }
    if ok { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
}
