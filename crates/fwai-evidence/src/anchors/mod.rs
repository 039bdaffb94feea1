//! Anchors: checkpoints kept where whoever rewrites the log cannot reach them.
//!
//! A log alone cannot show that its newest records were cut off, that it was replaced by an older copy, or
//! that everything was made anew with the same key. A checkpoint that lies elsewhere can: in the user's own
//! directory (written with every append), in git notes or a tag, or countersigned by a witness.

mod user_anchors;

pub use user_anchors::UserAnchors;
