//! Anchors: checkpoints kept where whoever rewrites the log cannot reach them.
//!
//! A log alone cannot show that its newest records were cut off, that it was replaced by an older copy, or
//! that everything was made anew with the same key. A checkpoint that lies elsewhere can: in the user's own
//! directory (written with every append), in git notes or a tag, or countersigned by a witness.

mod beside;
mod found;
mod git;
mod user_anchors;
mod witness;

pub use beside::{keep_beside, keep_witnessed, last_witnessed};
pub use found::{AnchorKind, FoundAnchor, find_anchors};
pub use git::{GitAnchorError, anchor_in_notes, anchor_in_tag};
pub use user_anchors::UserAnchors;
pub use witness::{Witness, WitnessError};
