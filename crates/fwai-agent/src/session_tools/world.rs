//! What session tools may touch: the session that they belong to.

use crate::{core::Core, host::HostError};
use std::sync::{Arc, Weak};

/// The session of a tool.
pub struct SessionWorld {
    core: Weak<Core>,
}

impl SessionWorld {
    pub(crate) fn new(core: Weak<Core>) -> Self {
        Self { core }
    }

    pub(crate) fn core(&self) -> Result<Arc<Core>, HostError> {
        self.core.upgrade().ok_or_else(|| HostError::new("this tool has no session"))
    }
}
