//! [`SerialBoard`]: a board of which only a serial port is known; flashing is the user's own command.

use std::{path::Path, time::Duration};

use fwai_schema::board::BoardDef;
use serialport::SerialPort;

use super::{Lease, PortError, SerialConsole, find_port, lease::state_of_port};
use crate::{
    boards::{
        Board, BoardContext, BoardError, BoardState, Console, ConsoleFrom, DebugServer, FlashReport,
        Identity, Image,
        command_board::{FlashCommand, debug_server_of_project, unsupported},
    },
    launch::BoxFuture,
};

pub const DEFAULT_BAUD: u32 = 115_200;

/// A tty, and a flash command where the project has one.
pub struct SerialBoard {
    def: BoardDef,
    context: BoardContext,
    lease: Lease,
    server: Option<crate::launch::Child>,
}

impl SerialBoard {
    pub fn new(def: BoardDef, context: BoardContext) -> Self {
        let lease = Lease::new(&context.state_root(), &def.name);
        Self { def, context, lease, server: None }
    }

    fn port(&self) -> Result<String, PortError> {
        find_port(self.context.serial(&self.def).port.as_deref())
    }

    /// Pulses DTR and RTS, which most boards wire to their reset.
    async fn pulse(&mut self) -> Result<(), BoardError> {
        let path = self.port()?;
        let failed = |what: String| PortError::Open { port: path.clone(), what };
        let mut port = serialport::new(&path, DEFAULT_BAUD)
            .exclusive(false)
            .open_native()
            .map_err(|error| failed(error.to_string()))?;
        let no_lines =
            |_| unsupported(&self.def, "reset", "its port has no DTR and RTS lines; press its button");
        for level in [true, false] {
            port.write_request_to_send(level).map_err(no_lines)?;
            port.write_data_terminal_ready(level).map_err(no_lines)?;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }
}

impl Board for SerialBoard {
    fn def(&self) -> &BoardDef {
        &self.def
    }

    fn state(&mut self) -> BoxFuture<'_, BoardState> {
        Box::pin(async { state_of_port(self.port()) })
    }

    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>> {
        Box::pin(async {
            let path = self.port()?;
            let mut identity = Identity::default();
            identity.details.insert("port".into(), path.clone());
            let ports = serialport::available_ports().unwrap_or_default();
            let usb = ports.into_iter().find(|port| port.port_name == path).map(|port| port.port_type);
            if let Some(serialport::SerialPortType::UsbPort(usb)) = usb {
                identity.details.insert("usb".into(), format!("{:04x}:{:04x}", usb.vid, usb.pid));
                identity.serial_number = usb.serial_number;
            }
            Ok(identity)
        })
    }

    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(self.pulse())
    }

    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>> {
        Box::pin(async move {
            let serial = self.context.serial(&self.def);
            let command = FlashCommand::of(&self.def, &self.context)?;
            let _port_is_free = self.lease.take().await?;
            command.run(image, self.port().ok().as_deref(), serial.baud).await
        })
    }

    fn console(&mut self, _from: ConsoleFrom) -> BoxFuture<'_, Result<Box<dyn Console>, BoardError>> {
        Box::pin(async move {
            let serial = self.context.serial(&self.def);
            let baud = serial.baud.unwrap_or(DEFAULT_BAUD);
            let console = SerialConsole::open(&self.def.name, serial.port, baud, self.lease.clone())?;
            Ok(Box::new(console) as Box<dyn Console>)
        })
    }

    fn debug_server(&mut self) -> BoxFuture<'_, Result<DebugServer, BoardError>> {
        Box::pin(async {
            let port = self.port().ok().filter(|path| Path::new(path).exists());
            let (server, child) = debug_server_of_project(&self.def, &self.context, port.as_deref()).await?;
            self.server = child;
            Ok(server)
        })
    }

    fn power(&mut self, _on: bool) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async { Err(unsupported(&self.def, "switch power", "a serial port has no power switch")) })
    }
}
