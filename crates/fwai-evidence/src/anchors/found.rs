//! All anchors of a project, wherever they are kept.

use std::path::Path;

use super::{UserAnchors, Witness, beside, git};
use crate::note::SignedCheckpoint;

/// Where an anchor is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnchorKind {
    /// The user's own directory.
    User,
    GitNotes,
    GitTag,
    /// Countersigned by a witness whose key the configuration names.
    Witness,
    /// Beside the log; whoever can rewrite the log can rewrite it too.
    Beside,
}

impl AnchorKind {
    pub fn name(self) -> &'static str {
        match self {
            AnchorKind::User => "user",
            AnchorKind::GitNotes => "git-notes",
            AnchorKind::GitTag => "git-tag",
            AnchorKind::Witness => "witness",
            AnchorKind::Beside => "beside",
        }
    }
}

/// A checkpoint that was kept.
#[derive(Debug, Clone)]
pub struct FoundAnchor {
    pub kind: AnchorKind,
    /// For people.
    pub place: String,
    pub signed: SignedCheckpoint,
}

impl FoundAnchor {
    /// Whether it lies outside the project's own files.
    pub fn is_outside(&self) -> bool {
        self.kind != AnchorKind::Beside
    }

    /// Whether somebody made it on purpose; those in the user's directory come by themselves.
    pub fn was_asked_for(&self) -> bool {
        self.kind != AnchorKind::User
    }
}

/// Looks everywhere. `witness` is the configured witness with its key.
pub fn find_anchors(root: &Path, user_directory: &Path, witness: Option<&Witness>) -> Vec<FoundAnchor> {
    let user = UserAnchors::of(user_directory, root).checkpoints().into_iter();
    let user = user.map(|signed| FoundAnchor {
        kind: AnchorKind::User,
        place: "your own directory".to_owned(),
        signed,
    });
    user.chain(git::anchors_in_git(root)).chain(beside::anchors_beside(root, witness)).collect()
}
