//! The log against the checkpoints that were kept elsewhere.

use super::report::{AnchorReport, Report};
use crate::{anchors::FoundAnchor, log::LogSnapshot, trust::TrustInLog};

/// Compares every anchor with the log, and counts what no outside anchor covers.
pub fn check_anchors(
    snapshot: Option<&LogSnapshot>,
    anchors: Vec<FoundAnchor>,
    trust: &TrustInLog,
    report: &mut Report,
) {
    let size = snapshot.map_or(0, LogSnapshot::size);
    let mut covered = 0;
    for anchor in anchors {
        let known = &anchor.signed.checkpoint;
        let place = anchor.place.clone();
        if anchor.signed.signer_among(trust.signers_of(known.size)).is_none() {
            report.notes.push(format!("an anchor in {place} is signed by no trusted key and was ignored"));
            continue;
        }
        let verdict = match snapshot {
            Some(log) if log.signed.checkpoint.origin == known.origin => {
                if known.size > size {
                    Err(format!(
                        "the log was cut or rolled back: it has {size} records, the anchor in {place} shows {}",
                        known.size
                    ))
                } else {
                    match log.root_at(known.size) {
                        Ok(root) if root == known.root => Ok(true),
                        Ok(_) => Err(format!(
                            "the log was rewritten: its first {} records are not those that the anchor in {place} shows",
                            known.size
                        )),
                        Err(error) => Err(format!("cannot be compared with the anchor in {place}: {error}")),
                    }
                }
            }
            Some(_) if !anchor.was_asked_for() => {
                report.notes.push(format!(
                    "another log with {} records was here before ({}); it is gone, and {place} remembers it. \
                     `fwai audit anchor --forget` accepts that",
                    known.size, known.origin
                ));
                continue;
            }
            Some(_) => Err(format!("the log was replaced: the anchor in {place} shows {}", known.origin)),
            None if known.size == 0 => continue,
            None => Err(format!("the log is gone: the anchor in {place} shows {} records", known.size)),
        };
        let outside = anchor.is_outside();
        if outside && verdict.is_ok() {
            covered = covered.max(known.size);
        }
        report.anchors.push(AnchorReport {
            kind: anchor.kind.name().to_owned(),
            place,
            size: known.size,
            outside,
            ok: verdict.is_ok(),
        });
        if let Err(what) = verdict {
            report.problem(None, ".fwai/log/checkpoint", what);
        }
    }
    report.unanchored = size - covered;
}
