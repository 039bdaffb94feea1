//! [`ProbeRs`]: a board behind a debug probe that the probe-rs library drives (cargo feature `probe-rs`).
//!
//! The library blocks, so every operation runs on a thread of its own. Segments are written and read back
//! by address; no file format of probe-rs is involved.

use std::time::Duration;

use fwai_schema::{
    board::{BoardDef, ProbeRsBoard},
    evidence::FlashProof,
};
use probe_rs::{
    MemoryInterface, Permissions, Session,
    flashing::DownloadOptions,
    probe::{DebugProbeSelector, list::Lister},
};

use super::{
    Board, BoardContext, BoardError, BoardState, Console, ConsoleFrom, DebugServer, FlashReport, Identity,
    Image,
    command_board::{debug_server_of_project, unsupported},
    readback::first_difference,
    serial::{Lease, SerialConsole},
};
use crate::launch::{BoxFuture, Child};

/// A probe and a chip behind probe-rs.
pub struct ProbeRs {
    def: BoardDef,
    config: ProbeRsBoard,
    context: BoardContext,
    server: Option<Child>,
}

impl ProbeRs {
    pub fn new(def: BoardDef, context: BoardContext) -> Result<Self, BoardError> {
        let Some(config) = def.probe_rs.clone() else {
            return Err(BoardError::Incomplete { board: def.name, kind: "probe-rs", section: "probe_rs" });
        };
        Ok(Self { def, config, context, server: None })
    }

    /// Run something with an attached session, on a thread that may block.
    fn with_session<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, String> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, BoardError>> {
        let (board, config) = (self.def.name.clone(), self.config.clone());
        Box::pin(async move {
            let blocking = tokio::task::spawn_blocking(move || work(&mut attach(&config)?));
            let silent = |what: String| BoardError::Silent { board, what };
            match blocking.await {
                Ok(result) => result.map_err(silent),
                Err(error) => Err(silent(format!("probe-rs gave up: {error}"))),
            }
        })
    }
}

/// Attach to the wanted probe, or to the only one.
fn attach(config: &ProbeRsBoard) -> Result<Session, String> {
    let lister = Lister::new();
    let probe = match &config.probe {
        Some(wanted) => {
            let selector: DebugProbeSelector =
                wanted.parse().map_err(|error| format!("`{wanted}` is not VID:PID[:serial]: {error}"))?;
            lister.open(selector).map_err(|error| format!("cannot open probe {wanted}: {error}"))?
        }
        None => {
            let probes = lister.list_all();
            match probes.as_slice() {
                [] => return Err("no debug probe is connected".to_string()),
                [one] => one.open().map_err(|error| format!("cannot open {one}: {error}"))?,
                several => {
                    let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                    return Err(format!(
                        "several probes are connected; set `probe_rs.probe` to one of {}",
                        names.join(", ")
                    ));
                }
            }
        }
    };
    probe
        .attach(config.chip.as_str(), Permissions::default())
        .map_err(|error| format!("cannot attach to {}: {error}", config.chip))
}

/// Write every segment, read it back, and start the core.
fn program(session: &mut Session, segments: &[(u64, Vec<u8>)]) -> Result<FlashProof, String> {
    let mut loader = session.target().flash_loader();
    for (address, data) in segments {
        loader.add_data(*address, data).map_err(|error| error.to_string())?;
    }
    loader.commit(session, DownloadOptions::default()).map_err(|error| error.to_string())?;
    let mut core = session.core(0).map_err(|error| error.to_string())?;
    core.reset_and_halt(Duration::from_secs(2)).map_err(|error| error.to_string())?;
    let mut compared = 0;
    for (address, data) in segments {
        let mut found = vec![0; data.len()];
        core.read(*address, &mut found).map_err(|error| error.to_string())?;
        if let Some(detail) = first_difference(*address, data, &found) {
            return Ok(FlashProof { method: "readback".into(), ok: false, detail: Some(detail) });
        }
        compared += data.len();
    }
    core.run().map_err(|error| error.to_string())?;
    let detail = Some(format!("{compared} bytes read back through the probe and equal"));
    Ok(FlashProof { method: "readback".into(), ok: true, detail })
}

impl Board for ProbeRs {
    fn def(&self) -> &BoardDef {
        &self.def
    }

    fn state(&mut self) -> BoxFuture<'_, BoardState> {
        Box::pin(async {
            match tokio::task::spawn_blocking(|| Lister::new().list_all().len()).await {
                Ok(0) => BoardState::Absent("no debug probe is connected".into()),
                _ => BoardState::Unknown,
            }
        })
    }

    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>> {
        let chip = self.config.chip.clone();
        Box::pin(async move {
            let probes = tokio::task::spawn_blocking(|| Lister::new().list_all()).await.unwrap_or_default();
            let mut identity = Identity { chip: Some(chip), ..Identity::default() };
            for (number, probe) in probes.iter().enumerate() {
                identity.details.insert(format!("probe{number}"), probe.to_string());
            }
            if let [one] = probes.as_slice() {
                identity.serial_number.clone_from(&one.serial_number);
            }
            Ok(identity)
        })
    }

    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>> {
        self.with_session(|session| {
            let mut core = session.core(0).map_err(|error| error.to_string())?;
            core.reset().map_err(|error| error.to_string())
        })
    }

    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>> {
        let stored = image.segments.iter().filter(|segment| !segment.data.is_empty());
        let segments: Vec<(u64, Vec<u8>)> =
            stored.map(|segment| (segment.address, segment.data.clone())).collect();
        let work = self.with_session(move |session| program(session, &segments));
        Box::pin(async move {
            let proof = work.await?;
            Ok(FlashReport { bytes: image.bytes_to_write(), proof, log: String::new() })
        })
    }

    fn console(&mut self, _from: ConsoleFrom) -> BoxFuture<'_, Result<Box<dyn Console>, BoardError>> {
        Box::pin(async move {
            let serial = self.context.serial(&self.def);
            let lease = Lease::new(&self.context.state_root(), &self.def.name);
            let console =
                SerialConsole::open(&self.def.name, serial.port, serial.baud.unwrap_or(115_200), lease)?;
            Ok(Box::new(console) as Box<dyn Console>)
        })
    }

    fn debug_server(&mut self) -> BoxFuture<'_, Result<DebugServer, BoardError>> {
        Box::pin(async {
            let (server, child) = debug_server_of_project(&self.def, &self.context, None).await?;
            self.server = child;
            Ok(server)
        })
    }

    fn power(&mut self, _on: bool) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async { Err(unsupported(&self.def, "switch power", "a debug probe has no power switch")) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_probe_attaching_says_so() {
        if !Lister::new().list_all().is_empty() {
            return;
        }
        let config = ProbeRsBoard { chip: "STM32F401CCUx".into(), probe: None };
        assert_eq!(attach(&config).err().unwrap(), "no debug probe is connected");
        let config = ProbeRsBoard { chip: "STM32F401CCUx".into(), probe: Some("0483:374b".into()) };
        assert!(attach(&config).err().unwrap().contains("cannot open probe 0483:374b"));
    }
}
