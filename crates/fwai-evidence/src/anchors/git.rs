//! Checkpoints in git: as notes under `refs/notes/fwai`, or as annotated tags `fwai/<size>`.
//!
//! They become anchors for others when they are pushed.

use std::{io, path::Path, process::Stdio};

use super::{AnchorKind, FoundAnchor};
use crate::{note::SignedCheckpoint, runs::git_command};

const NOTES: &str = "refs/notes/fwai";
const TAGS: &str = "refs/tags/fwai/";

/// Why git did not take an anchor.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum GitAnchorError {
    #[error("cannot run git: {0}")]
    Start(#[from] io::Error),
    #[error("git {what} failed: {stderr}")]
    Failed { what: &'static str, stderr: String },
    #[error("the repository has no commit that a note could be attached to; commit first")]
    NoCommit,
}

/// Adds the checkpoint to the notes of `HEAD`.
pub fn anchor_in_notes(root: &Path, note: &str) -> Result<String, GitAnchorError> {
    let head = git(root, "rev-parse", &["rev-parse", "--verify", "-q", "HEAD^{commit}"], "");
    let head = head.map_err(|_| GitAnchorError::NoCommit)?;
    let blob = git(root, "hash-object", &["hash-object", "-w", "--stdin"], note)?;
    git(root, "notes", &["notes", "--ref", NOTES, "add", "-f", "-C", blob.trim(), head.trim()], "")?;
    Ok(format!("{NOTES} on {}", &head.trim()[..12.min(head.trim().len())]))
}

/// Tags `HEAD` with the checkpoint as message; `sign` adds the user's own git signature.
pub fn anchor_in_tag(root: &Path, size: u64, note: &str, sign: bool) -> Result<String, GitAnchorError> {
    let name = format!("fwai/{size}");
    let kind = if sign { "-s" } else { "-a" };
    git(root, "tag", &["tag", kind, "-f", "--cleanup=verbatim", "-F", "-", &name], note)?;
    Ok(format!("tag {name}"))
}

pub(super) fn anchors_in_git(root: &Path) -> Vec<FoundAnchor> {
    let mut found = Vec::new();
    let canonical = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    if !canonical.ancestors().any(|directory| directory.join(".git").exists()) {
        return found;
    }
    let listed = git(root, "notes", &["notes", "--ref", NOTES, "list"], "").unwrap_or_default();
    for line in listed.lines() {
        let Some((blob, commit)) = line.split_once(' ') else { continue };
        let Ok(text) = git(root, "cat-file", &["cat-file", "blob", blob], "") else { continue };
        if let Ok(signed) = SignedCheckpoint::parse(&text) {
            let place = format!("git notes of {}", &commit[..12.min(commit.len())]);
            found.push(FoundAnchor { kind: AnchorKind::GitNotes, place, signed });
        }
    }
    let listed =
        git(root, "for-each-ref", &["for-each-ref", "--format=%(refname)", TAGS], "").unwrap_or_default();
    for name in listed.lines() {
        let Ok(text) = git(root, "cat-file", &["cat-file", "tag", name], "") else { continue };
        if let Some(signed) = checkpoint_in_tag(&text) {
            let place = format!("git tag {}", name.trim_start_matches("refs/tags/"));
            found.push(FoundAnchor { kind: AnchorKind::GitTag, place, signed });
        }
    }
    found
}

/// A tag object is a header, an empty line, our message, and perhaps git's own signature.
fn checkpoint_in_tag(object: &str) -> Option<SignedCheckpoint> {
    let (_, message) = object.split_once("\n\n")?;
    let end = message.find("-----BEGIN ").unwrap_or(message.len());
    SignedCheckpoint::parse(&message[..end]).ok()
}

fn git(root: &Path, what: &'static str, arguments: &[&str], input: &str) -> Result<String, GitAnchorError> {
    use std::io::Write as _;
    let mut command = git_command(root);
    if matches!(what, "notes" | "tag") && !has_identity(root) {
        command.args(["-c", "user.name=fwai", "-c", "user.email=fwai@localhost"]);
    }
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // Git may end without reading; its status says more than the broken pipe.
    let _ = child.stdin.take().expect("stdin was asked to be a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(GitAnchorError::Failed {
            what,
            stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }
}

/// Git writes no note or tag for somebody without a name; the checkpoint's own signature is what counts.
fn has_identity(root: &Path) -> bool {
    let asked =
        git_command(root).args(["config", "user.email"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}
