//! Boards driven by the user's own commands, and the pieces that other back ends borrow from them.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use fwai_schema::{board::BoardDef, evidence::FlashProof};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{
    Board, BoardContext, BoardError, BoardState, Console, ConsoleEvent, ConsoleFrom, DebugServer,
    FlashReport, Identity, Image, ImageKind, find_port,
    serial::{Lease, SerialConsole},
};
use crate::launch::{self, BoxFuture, CancellationToken, Child, Grants, LaunchSpec, Stream};

const FLASH_TIMEOUT: Duration = Duration::from_secs(300);

/// A board that flashes, talks and debugs through shell commands of `project.yaml`.
pub struct CommandBoard {
    def: BoardDef,
    context: BoardContext,
    server: Option<Child>,
}

impl CommandBoard {
    pub fn new(def: BoardDef, context: BoardContext) -> Self {
        Self { def, context, server: None }
    }

    fn port(&self) -> Option<String> {
        find_port(self.context.serial(&self.def).port.as_deref()).ok()
    }
}

impl Board for CommandBoard {
    fn def(&self) -> &BoardDef {
        &self.def
    }

    fn state(&mut self) -> BoxFuture<'_, BoardState> {
        Box::pin(async { BoardState::Unknown })
    }

    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>> {
        Box::pin(async {
            let mut identity = Identity::default();
            let known = [
                ("flash_command", self.context.flash(&self.def).command),
                ("monitor_command", self.context.serial(&self.def).monitor_command),
                ("port", self.port()),
            ];
            for (name, value) in known {
                identity.details.extend(value.map(|value| (name.to_string(), value)));
            }
            Ok(identity)
        })
    }

    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async {
            Err(unsupported(&self.def, "reset", "no command for it is known; press its button"))
        })
    }

    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>> {
        Box::pin(async move {
            let command = FlashCommand::of(&self.def, &self.context)?;
            let _port_is_free = Lease::new(&self.context.state_root(), &self.def.name).take().await?;
            command.run(image, self.port().as_deref(), self.context.serial(&self.def).baud).await
        })
    }

    fn console(&mut self, _from: ConsoleFrom) -> BoxFuture<'_, Result<Box<dyn Console>, BoardError>> {
        Box::pin(async move {
            let serial = self.context.serial(&self.def);
            let Some(command) = &serial.monitor_command else {
                let lease = Lease::new(&self.context.state_root(), &self.def.name);
                let baud = serial.baud.unwrap_or(115_200);
                let console = SerialConsole::open(&self.def.name, serial.port, baud, lease)?;
                return Ok(Box::new(console) as Box<dyn Console>);
            };
            let baud = serial.baud.unwrap_or(115_200).to_string();
            let port = self.port();
            let known = [("port", port.as_deref()), ("baud", Some(baud.as_str()))];
            let line = fill(command, &known)
                .map_err(|what| BoardError::Console { board: self.def.name.clone(), what })?;
            let grants = Grants {
                loopback: true,
                ports: ports_in(&line),
                devices: port.iter().map(PathBuf::from).collect(),
                ..Grants::default()
            };
            let spec = LaunchSpec::shell(line, &self.context.root).grants(grants).streams(
                Stream::Piped,
                Stream::Piped,
                Stream::WithStdout,
            );
            let child = self.context.launcher.launch(spec).await?;
            Ok(Box::new(CommandConsole { board: self.def.name.clone(), child, buffer: vec![0; 65536] })
                as Box<dyn Console>)
        })
    }

    fn debug_server(&mut self) -> BoxFuture<'_, Result<DebugServer, BoardError>> {
        Box::pin(async {
            let port = self.port();
            let (server, child) = debug_server_of_project(&self.def, &self.context, port.as_deref()).await?;
            self.server = child;
            Ok(server)
        })
    }

    fn power(&mut self, _on: bool) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async { Err(unsupported(&self.def, "switch power", "no command for it is known")) })
    }
}

/// The output of the user's monitor command.
struct CommandConsole {
    board: String,
    child: Child,
    buffer: Vec<u8>,
}

impl Console for CommandConsole {
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
        Box::pin(async move {
            let Some(output) = &mut self.child.stdout else {
                return Ok(ConsoleEvent::Ended("the monitor command has ended".into()));
            };
            match tokio::time::timeout(wait, output.read(&mut self.buffer)).await {
                Err(_) => Ok(ConsoleEvent::Quiet),
                Ok(Ok(count)) if count > 0 => Ok(ConsoleEvent::Bytes(self.buffer[..count].to_vec())),
                Ok(_) => {
                    self.child.stdout = None;
                    let exit = self.child.wait().await.ok().and_then(|exit| exit.code);
                    let code = exit.map_or("by a signal".to_string(), |code| format!("with code {code}"));
                    Ok(ConsoleEvent::Ended(format!("the monitor command ended {code}")))
                }
            }
        })
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
        Box::pin(async move {
            let failed = |what: String| BoardError::Console { board: self.board.clone(), what };
            let input = self
                .child
                .stdin
                .as_mut()
                .ok_or_else(|| failed("the monitor command takes no input".into()))?;
            input.write_all(bytes).await.map_err(|error| failed(error.to_string()))?;
            input.flush().await.map_err(|error| failed(error.to_string()))
        })
    }
}

/// The user's flash command, ready to run.
pub struct FlashCommand<'a> {
    line: String,
    def: &'a BoardDef,
    context: &'a BoardContext,
}

impl<'a> FlashCommand<'a> {
    pub fn of(def: &'a BoardDef, context: &'a BoardContext) -> Result<Self, BoardError> {
        let line = context.flash(def).command.ok_or_else(|| {
            unsupported(def, "flash", "set `flash.command` in .fwai/project.yaml, for instance `esptool.py --port {port} write_flash 0x0 {bin}`")
        })?;
        Ok(Self { line, def, context })
    }

    /// Fill the line in, run it, and report; the proof is left to the console.
    pub async fn run(
        &self,
        image: &Image,
        port: Option<&str>,
        baud: Option<u32>,
    ) -> Result<FlashReport, BoardError> {
        let failed = |what: String| BoardError::Flash { board: self.def.name.clone(), what };
        let path = |path: PathBuf| path.display().to_string();
        let elf = (image.kind == ImageKind::Elf).then(|| path(absolute(&image.path)));
        let bin = if self.line.contains("{bin}") { Some(path(self.converted(image, "bin")?)) } else { None };
        let hex = if self.line.contains("{hex}") { Some(path(self.converted(image, "hex")?)) } else { None };
        let baud = baud.map(|baud| baud.to_string());
        let known = [
            ("elf", elf.as_deref()),
            ("bin", bin.as_deref()),
            ("hex", hex.as_deref()),
            ("port", port),
            ("baud", baud.as_deref()),
        ];
        let line = fill(&self.line, &known).map_err(failed)?;
        let grants = Grants {
            loopback: true,
            ports: ports_in(&line),
            devices: devices(port),
            read: vec![absolute(&image.path)],
            ..Grants::default()
        };
        let spec = LaunchSpec::shell(&line, &self.context.root)
            .grants(grants)
            .timeout(FLASH_TIMEOUT)
            .streams(Stream::Null, Stream::Piped, Stream::WithStdout);
        let mut log = format!("$ {line}\n").into_bytes();
        let finished = launch::run(
            &*self.context.launcher,
            spec,
            &mut |bytes: &[u8]| log.extend_from_slice(bytes),
            &CancellationToken::new(),
        )
        .await?;
        let log = String::from_utf8_lossy(&log).into_owned();
        let exit = finished.exit;
        if !exit.success() {
            let how = match exit.code {
                _ if exit.timed_out => format!("did not end within {} s", FLASH_TIMEOUT.as_secs()),
                Some(code) => format!("ended with code {code}"),
                None => "was ended by a signal".to_string(),
            };
            let tail: Vec<&str> = log.lines().rev().take(15).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            return Err(failed(format!("the flash command {how}\n{}", tail.join("\n"))));
        }
        let detail = Some("the flash command ended with code 0; it cannot read back".to_string());
        let proof = FlashProof { method: "none".into(), ok: false, detail };
        Ok(FlashReport { bytes: image.bytes_to_write(), proof, log })
    }

    /// The image as a raw binary or Intel HEX, made from its segments unless it already is one.
    fn converted(&self, image: &Image, kind: &str) -> Result<PathBuf, BoardError> {
        let already = matches!((image.kind, kind), (ImageKind::Bin, "bin") | (ImageKind::Hex, "hex"));
        if already {
            return Ok(absolute(&image.path));
        }
        let failed = |what: String| BoardError::Flash { board: self.def.name.clone(), what };
        let bytes = match kind {
            "bin" => flat_binary(image).map_err(failed)?,
            _ => super::intel_hex::write(
                image.segments.iter().map(|segment| (segment.address, &segment.data[..])),
            )
            .into_bytes(),
        };
        let folder = self.context.state_root().join(&self.def.name);
        let path = absolute(&folder.join(format!("image.{kind}")));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&path, bytes))
            .map_err(BoardError::file("cannot write", &path))?;
        Ok(path)
    }
}

/// What a flashing program opens: the port, and debug probes on USB.
fn devices(port: Option<&str>) -> Vec<PathBuf> {
    let probes = PathBuf::from("/dev/bus/usb");
    port.map(PathBuf::from).into_iter().chain(Some(probes).filter(|path| path.exists())).collect()
}

/// Segments laid out from the lowest address, gaps filled with erased flash.
fn flat_binary(image: &Image) -> Result<Vec<u8>, String> {
    let stored = || image.segments.iter().filter(|segment| !segment.data.is_empty());
    let start = stored().map(|segment| segment.address).min().ok_or("the image is empty")?;
    let end = stored()
        .map(|segment| segment.address.saturating_add(segment.data.len() as u64))
        .max()
        .unwrap_or(start);
    if end - start > 64 << 20 {
        return Err(format!(
            "a raw binary from {start:#x} to {end:#x} would be larger than 64 MB; use {{elf}} or {{hex}}"
        ));
    }
    let mut bytes = vec![0xff; (end - start) as usize];
    for segment in stored() {
        let at = (segment.address - start) as usize;
        bytes[at..at + segment.data.len()].copy_from_slice(&segment.data);
    }
    Ok(bytes)
}

/// A debug server as `project.yaml` describes it: one that runs, or a command that starts one.
pub async fn debug_server_of_project(
    def: &BoardDef,
    context: &BoardContext,
    port: Option<&str>,
) -> Result<(DebugServer, Option<Child>), BoardError> {
    let debug = context.debug(def);
    let Some(number) = debug.server_port else {
        return Err(unsupported(
            def,
            "be debugged",
            "set `debug.server_port` (and `debug.server_command`) in .fwai/project.yaml",
        ));
    };
    let host = debug.server_host.as_deref().unwrap_or("127.0.0.1");
    let address = format!("{host}:{number}");
    let mut child = None;
    if let Some(command) = &debug.server_command {
        let failed = |what: String| BoardError::Silent { board: def.name.clone(), what };
        let line = fill(command, &[("port", port)]).map_err(failed)?;
        let grants = Grants {
            loopback: true,
            ports: ports_in(&line).into_iter().chain([number]).collect(),
            devices: port.iter().map(PathBuf::from).collect(),
            ..Grants::default()
        };
        let mut server =
            context.launcher.launch(LaunchSpec::shell(line, &context.root).grants(grants)).await?;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(15);
        while tokio::net::TcpStream::connect(&address).await.is_err() {
            let exit = server.try_wait().await.ok().flatten();
            if exit.is_some() || tokio::time::Instant::now() > deadline {
                return Err(failed(format!("`{command}` does not listen on {address}")));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        child = Some(server);
    }
    Ok((DebugServer { address, reset_command: Some("monitor reset halt".into()), fresh: false }, child))
}

/// Replace `{name}` by its value, quoted for the shell. A name without a value is an error.
fn fill(line: &str, known: &[(&str, Option<&str>)]) -> Result<String, String> {
    let mut filled = line.to_string();
    for (name, value) in known {
        let place = format!("{{{name}}}");
        if filled.contains(&place) {
            let value = value.ok_or_else(|| format!("`{line}` needs {place}, which is not known here"))?;
            filled = filled.replace(&place, &shell_word(value));
        }
    }
    Ok(filled)
}

fn shell_word(word: &str) -> String {
    if !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c)) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The error of a back end that lacks an ability.
pub fn unsupported(def: &BoardDef, what: &'static str, hint: &str) -> BoardError {
    BoardError::Unsupported { board: def.name.clone(), what, hint: hint.to_string() }
}
/// Ports of this machine that a command line names: `localhost:3333`, `127.0.0.1 4444`, `tcp::3333`.
fn ports_in(line: &str) -> Vec<u16> {
    let mut words =
        line.split(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | ',' | '"' | '\'' | '/'));
    let mut ports = Vec::new();
    let mut near = 0;
    for word in words.by_ref() {
        match word.parse::<u16>() {
            Ok(port) if near > 0 && port > 0 => {
                ports.push(port);
                near = 0;
            }
            _ if matches!(word, "localhost" | "127.0.0.1" | "[" | "tcp" | "tcp4" | "TCP") => near = 3,
            // An empty word lies between two separators.
            _ => near -= i32::from(near > 0),
        }
    }
    ports.sort_unstable();
    ports.dedup();
    ports
}
