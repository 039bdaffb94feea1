//! From a board's facts to a [`Board`].

use std::{path::PathBuf, sync::Arc};

use fwai_schema::{
    board::{BoardDef, BoardKind},
    project::{DebugConfig, FlashConfig, Project, SerialConfig},
};

use super::{
    Board, BoardError, VirtualBoard, catalogue::is_safe_name, command_board::CommandBoard, openocd::OpenOcd,
    serial::SerialBoard,
};
use crate::launch::Launcher;

/// What a back end needs besides the board's own facts.
#[derive(Clone)]
pub struct BoardContext {
    pub root: PathBuf,
    pub project: Project,
    /// Starts QEMU, OpenOCD and the user's own commands, each with what it needs and no more.
    pub launcher: Arc<dyn Launcher>,
}

impl BoardContext {
    /// Where boards keep their state.
    pub fn state_root(&self) -> PathBuf {
        self.root.join(".fwai/boards")
    }

    pub(super) fn serial(&self, def: &BoardDef) -> SerialConfig {
        def.serial.clone().unwrap_or_else(|| self.project.serial.clone())
    }

    pub(super) fn flash(&self, def: &BoardDef) -> FlashConfig {
        def.flash.clone().unwrap_or_else(|| self.project.flash.clone())
    }

    pub(super) fn debug(&self, def: &BoardDef) -> DebugConfig {
        def.debug.clone().unwrap_or_else(|| self.project.debug.clone())
    }
}

/// The back end for this board. Nothing is started or touched yet.
pub fn open(def: &BoardDef, context: &BoardContext) -> Result<Box<dyn Board>, BoardError> {
    if !is_safe_name(&def.name) {
        return Err(BoardError::BadName { name: def.name.escape_debug().to_string() });
    }
    Ok(match def.kind {
        BoardKind::Virtual => Box::new(VirtualBoard::new(
            def.clone(),
            context.state_root(),
            context.root.clone(),
            context.launcher.clone(),
        )?),
        BoardKind::Openocd => Box::new(OpenOcd::new(def.clone(), context.clone())?),
        BoardKind::Serial => Box::new(SerialBoard::new(def.clone(), context.clone())),
        BoardKind::Command => Box::new(CommandBoard::new(def.clone(), context.clone())),
        #[cfg(feature = "probe-rs")]
        BoardKind::ProbeRs => Box::new(super::probe_rs_board::ProbeRs::new(def.clone(), context.clone())?),
        #[cfg(not(feature = "probe-rs"))]
        BoardKind::ProbeRs => {
            return Err(BoardError::Unsupported {
                board: def.name.clone(),
                what: "be reached",
                hint: "this fwai was built without probe-rs; build it with `--features probe-rs`, or describe the board with kind openocd".into(),
            });
        }
    })
}
