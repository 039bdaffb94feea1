//! [`OpenOcd`]: a board behind a debug probe that OpenOCD drives.

use std::time::Duration;

use fwai_schema::{
    board::{BoardDef, OpenOcdBoard},
    evidence::FlashProof,
};

use super::{
    server::Server,
    tcl::{Tcl, TclError, word},
};
use crate::{
    boards::{
        Board, BoardContext, BoardError, BoardState, Console, ConsoleFrom, DebugServer, FlashReport,
        Identity, Image, ImageKind,
        command_board::unsupported,
        serial::{Lease, SerialConsole},
    },
    launch::BoxFuture,
};

const QUICK: Duration = Duration::from_secs(10);
const LONG: Duration = Duration::from_secs(300);

/// A probe and a chip behind OpenOCD.
pub struct OpenOcd {
    def: BoardDef,
    config: OpenOcdBoard,
    context: BoardContext,
    server: Option<Server>,
}

impl OpenOcd {
    pub fn new(def: BoardDef, context: BoardContext) -> Result<Self, BoardError> {
        let of_project = OpenOcdBoard { config: context.debug(&def).openocd, commands: Vec::new() };
        let config = def.openocd.clone().unwrap_or(of_project);
        if config.config.is_empty() && config.commands.is_empty() {
            return Err(BoardError::Incomplete { board: def.name, kind: "openocd", section: "openocd" });
        }
        Ok(Self { def, config, context, server: None })
    }

    async fn server(&mut self) -> Result<&mut Server, BoardError> {
        let alive = match &mut self.server {
            Some(server) => server.alive().await,
            None => false,
        };
        if !alive {
            self.server = Some(Server::start(&self.def.name, &self.config, &self.context).await?);
        }
        Ok(self.server.as_mut().expect("just started"))
    }

    async fn run(&mut self, command: &str, limit: Duration) -> Result<String, BoardError> {
        Ok(self.server().await?.tcl.run(command, limit).await?)
    }
}

/// Write, verify and start an image over an open Tcl connection.
pub(super) async fn program(tcl: &mut Tcl, board: &str, image: &Image) -> Result<FlashReport, BoardError> {
    let failed = |error: TclError| BoardError::Flash { board: board.to_string(), what: error.to_string() };
    let path = std::path::absolute(&image.path).unwrap_or_else(|_| image.path.clone());
    let mut file = word(&path.display().to_string());
    if image.kind == ImageKind::Bin
        && let Some(segment) = image.segments.first()
    {
        file = format!("{file} {:#x} bin", segment.address);
    }
    let mut log = String::new();
    for (command, limit) in
        [("reset init".to_string(), QUICK), (format!("flash write_image erase {file}"), LONG)]
    {
        let output = tcl.run(&command, limit).await.map_err(failed)?;
        log.push_str(&format!("> {command}\n{output}\n"));
    }
    let proof = match tcl.run(&format!("verify_image {file}"), LONG).await {
        Ok(output) => {
            log.push_str(&format!("> verify_image {file}\n{output}\n"));
            let detail = output.lines().next().unwrap_or("verified").to_string();
            FlashProof {
                method: "readback".into(),
                ok: true,
                detail: Some(format!("OpenOCD verify_image: {detail}")),
            }
        }
        Err(TclError::Refused { what, .. }) => FlashProof {
            method: "readback".into(),
            ok: false,
            detail: Some(format!("OpenOCD verify_image: {what}")),
        },
        Err(error) => return Err(failed(error)),
    };
    if proof.ok {
        log.push_str(&tcl.run("reset run", QUICK).await.map_err(failed)?);
    }
    Ok(FlashReport { bytes: image.bytes_to_write(), proof, log })
}

impl Board for OpenOcd {
    fn def(&self) -> &BoardDef {
        &self.def
    }

    fn state(&mut self) -> BoxFuture<'_, BoardState> {
        Box::pin(async {
            // Asking would start OpenOCD and halt for the probe; a listing must not do that.
            if self.server.is_none() {
                return BoardState::Unknown;
            }
            match self.run("[target current] curstate", QUICK).await.as_deref() {
                Ok("running") => BoardState::Running,
                Ok("halted" | "debug-running") => BoardState::Halted,
                Ok(_) => BoardState::Unknown,
                Err(error) => BoardState::Absent(error.to_string()),
            }
        })
    }

    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>> {
        Box::pin(async {
            let mut identity = Identity::default();
            for (name, command) in [
                ("openocd", "version"),
                ("adapter", "adapter name"),
                ("adapter_serial", "adapter serial"),
                ("targets", "target names"),
            ] {
                // Old or odd adapters know less; what they do not know is left out.
                match self.run(command, QUICK).await {
                    Ok(value) if !value.is_empty() => {
                        identity.details.insert(name.into(), value);
                    }
                    Ok(_) | Err(BoardError::Tcl(TclError::Refused { .. })) => {}
                    Err(error) => return Err(error),
                }
            }
            identity.serial_number = identity.details.get("adapter_serial").cloned();
            Ok(identity)
        })
    }

    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async { self.run("reset run", QUICK).await.map(drop) })
    }

    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>> {
        Box::pin(async move {
            let board = self.def.name.clone();
            let server = self.server().await?;
            let mut report = program(&mut server.tcl, &board, image).await?;
            report.log = format!("{}\n{}", server.log(), report.log);
            Ok(report)
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
            let port = self.server().await?.gdb_port;
            Ok(DebugServer {
                address: format!("127.0.0.1:{port}"),
                reset_command: Some("monitor reset halt".into()),
                fresh: false,
            })
        })
    }

    fn power(&mut self, _on: bool) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async {
            Err(unsupported(&self.def, "switch power", "OpenOCD has no power switch; use the supply's"))
        })
    }
}
