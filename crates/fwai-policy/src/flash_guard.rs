//! The flash guard: conditions under which a board may be written at all.

use fwai_schema::policy::FlashGuard;

/// What is known about the image that is about to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FlashFacts {
    /// The last build of this project succeeded, and the image is its artefact.
    pub built_successfully: bool,
    /// A person, or `--yes`, confirmed this flash.
    pub confirmed: bool,
    /// The board is virtual: confirmation protects nothing.
    pub virtual_board: bool,
}

/// Why a board is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum FlashRefusal {
    #[error("the flash guard wants a successful build of this image first; run `fwai build`")]
    NotBuilt,
    #[error("the flash guard wants a person to confirm; answer the question or pass --yes")]
    NotConfirmed,
}

/// Whether the guard lets the flash pass.
pub fn check(guard: &FlashGuard, facts: FlashFacts) -> Result<(), FlashRefusal> {
    if guard.require_build_success && !facts.built_successfully {
        return Err(FlashRefusal::NotBuilt);
    }
    if guard.require_confirmation && !facts.confirmed && !facts.virtual_board {
        return Err(FlashRefusal::NotConfirmed);
    }
    Ok(())
}
