//! [`VirtualBoard`]: QEMU as a board.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc, time::Duration};

use fwai_schema::{
    board::{BoardDef, QemuBoard},
    evidence::FlashProof,
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{
    command_line,
    console::LogConsole,
    crash,
    directory::{Directory, State},
    process::ProcessId,
    qmp::Qmp,
};
use crate::{
    boards::{
        Board, BoardError, BoardState, Console, ConsoleFrom, Crash, DebugServer, FlashReport, Identity,
        Image, ImageKind, readback,
    },
    launch::{BoxFuture, Grants, LaunchSpec, Launcher},
};

const START_PATIENCE: Duration = Duration::from_secs(10);

/// A board that is a QEMU process.
pub struct VirtualBoard {
    def: BoardDef,
    qemu: QemuBoard,
    directory: Directory,
    project_root: PathBuf,
    launcher: Arc<dyn Launcher>,
}

impl VirtualBoard {
    /// `state_root` is `.fwai/boards` of the project.
    pub fn new(
        def: BoardDef,
        state_root: PathBuf,
        project_root: PathBuf,
        launcher: Arc<dyn Launcher>,
    ) -> Result<Self, BoardError> {
        let Some(qemu) = def.qemu.clone() else {
            return Err(BoardError::Incomplete { board: def.name, kind: "virtual", section: "qemu" });
        };
        let directory = Directory::new(&state_root, &def.name);
        Ok(Self { def, qemu, directory, project_root, launcher })
    }

    fn silent(&self, what: String) -> BoardError {
        BoardError::Silent { board: self.def.name.clone(), what }
    }

    fn running(&self) -> Option<ProcessId> {
        self.directory.state().process.filter(ProcessId::alive)
    }

    async fn qmp(&self) -> Result<Qmp, BoardError> {
        Qmp::connect(&self.directory.socket("qmp.sock")).await.map_err(|what| self.silent(what))
    }

    /// End the QEMU of this board, if it runs.
    async fn stop(&self) -> Result<(), BoardError> {
        let mut state = self.directory.state();
        let Some(process) = state.process.take() else { return Ok(()) };
        if process.alive() {
            let asked = async { self.qmp().await.ok()?.execute("quit", json!({})).await.ok() };
            // A stopped or wedged QEMU does not answer; then a signal ends it.
            let _ = tokio::time::timeout(Duration::from_millis(500), asked).await;
            if !process.gone_within(Duration::from_millis(500)).await
                && !process.end(Duration::from_millis(500)).await
            {
                return Err(self.silent(format!("its QEMU (process {}) cannot be ended", process.pid)));
            }
        }
        self.directory.write_state(&state)
    }

    /// Start QEMU, paused at the first instruction, with the image of the state.
    async fn start(&self, mut state: State) -> Result<Qmp, BoardError> {
        self.directory.prepare()?;
        let image = match &state.image {
            Some(name) => Some(self.stored_image(name)?),
            None => None,
        };
        let log = self.directory.console_log();
        if log.exists() {
            let previous = self.directory.path("console.previous.log");
            fs::rename(&log, &previous).map_err(BoardError::file("cannot move aside", &log))?;
        }
        for path in [&log, &self.directory.qemu_log()] {
            fs::write(path, b"").map_err(BoardError::file("cannot write", path))?;
        }
        state.boot_offset = 0;
        let argv = command_line::argv(&self.qemu, &self.def.name, &self.directory, image.as_ref());
        let mut write = vec![self.directory.root.clone()];
        write.extend(self.directory.socket("qmp.sock").parent().map(PathBuf::from));
        let grants = Grants { write, ..Grants::default() };
        let spec = LaunchSpec::argv(argv, self.project_root.clone()).grants(grants).detached();
        let mut child = self.launcher.launch(spec).await?;
        let process = child.pid().and_then(ProcessId::of);
        state.process = process;
        self.directory.write_state(&state)?;
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            if let Ok(qmp) = Qmp::connect(&self.directory.socket("qmp.sock")).await {
                // Reaps QEMU when it ends while this program still runs.
                tokio::spawn(async move { child.wait().await });
                return Ok(qmp);
            }
            let gone = !process.is_some_and(|process| process.alive());
            if gone || Instant::now() >= deadline {
                let _ = child.kill_tree();
                let _ = child.wait().await;
                let output = fs::read(self.directory.qemu_log()).unwrap_or_default();
                let output = String::from_utf8_lossy(&output).trim().to_string();
                let program = command_line::program(&self.qemu).to_string();
                let output = match output.as_str() {
                    "" => "it said nothing; run `fwai doctor`".to_string(),
                    text if text.contains("unsupported machine") => {
                        format!("{text} (machine `{}`)", self.qemu.machine)
                    }
                    text if text.contains("not found") => {
                        format!("{text}; install it (Debian: qemu-system-arm)")
                    }
                    text => text.to_string(),
                };
                state.process = None;
                self.directory.write_state(&state)?;
                return Err(BoardError::NotStarted { program, board: self.def.name.clone(), output });
            }
            sleep(Duration::from_millis(2)).await;
        }
    }

    /// The image in the board's flash, read back from its own copy.
    fn stored_image(&self, name: &str) -> Result<Image, BoardError> {
        let base = crate::boards::image::flash_base(&self.def, &Default::default());
        Ok(Image::read(&self.directory.path(name), base)?)
    }

    async fn go(&self, qmp: &mut Qmp) -> Result<(), BoardError> {
        let Err(what) = qmp.execute("cont", json!({})).await else { return Ok(()) };
        // Firmware can lock up before the answer arrives; it was started all the same.
        let started = match self.directory.state().process {
            Some(process) => {
                process.gone_within(Duration::from_millis(500)).await && self.last_crash().is_some()
            }
            None => false,
        };
        if started { Ok(()) } else { Err(self.silent(what)) }
    }

    async fn read_back(&self, qmp: &mut Qmp, image: &Image) -> Result<FlashProof, BoardError> {
        let file = self.directory.path("readback.bin");
        let _ = fs::remove_file(&file);
        let qmp = tokio::sync::Mutex::new(qmp);
        let proof = readback::compare(image, async |address, length| {
            // As the core sees it: on some machines the system bus has no flash.
            let arguments = json!({ "val": address, "size": length, "filename": file });
            qmp.lock().await.execute("memsave", arguments).await.map_err(|what| self.silent(what))?;
            fs::read(&file).map_err(BoardError::file("cannot read", &file))
        })
        .await;
        let _ = fs::remove_file(&file);
        proof
    }

    async fn flash_image(&mut self, image: &Image) -> Result<FlashReport, BoardError> {
        let _lock = self.directory.lock().await?;
        self.stop().await?;
        // The board keeps a copy: its flash must not change when the next build overwrites the file.
        let name = match image.kind {
            ImageKind::Elf => "image.elf",
            ImageKind::Hex => "image.hex",
            ImageKind::Bin => "image.bin",
        };
        let bytes = fs::read(&image.path).map_err(BoardError::file("cannot read", &image.path))?;
        self.directory.replace(name, &bytes)?;
        let state = State {
            image: Some(name.to_string()),
            image_sha256: Some(image.sha256.clone()),
            build_id: image.build_id.clone(),
            image_source: Some(image.path.display().to_string()),
            ..State::default()
        };
        let mut qmp = self.start(state).await?;
        let proof = self.read_back(&mut qmp, image).await?;
        if proof.ok {
            self.go(&mut qmp).await?;
        }
        let log = fs::read(self.directory.qemu_log()).unwrap_or_default();
        let log = String::from_utf8_lossy(&log).into_owned();
        Ok(FlashReport { bytes: image.bytes_to_write(), proof, log })
    }

    async fn power_on(&self) -> Result<(), BoardError> {
        if self.running().is_some() {
            return Ok(());
        }
        let state = self.directory.state();
        if state.image.is_none() {
            return Err(BoardError::NoImage { board: self.def.name.clone() });
        }
        let mut qmp = self.start(state).await?;
        self.go(&mut qmp).await
    }

    async fn reset_core(&self) -> Result<(), BoardError> {
        let _lock = self.directory.lock().await?;
        if self.running().is_none() {
            return self.power_on().await;
        }
        let mut qmp = self.qmp().await?;
        let result = async {
            qmp.execute("stop", json!({})).await?;
            // The core stands still, so nothing can be written between this and the reset.
            let mut state = self.directory.state();
            state.boot_offset = fs::metadata(self.directory.console_log()).map_or(0, |log| log.len());
            self.directory.write_state(&state).map_err(|error| error.to_string())?;
            qmp.execute("system_reset", json!({})).await?;
            qmp.execute("cont", json!({})).await
        };
        let result: Result<_, String> = result.await;
        result.map(drop).map_err(|what| self.silent(what))
    }

    async fn current_state(&self) -> BoardState {
        if which(command_line::program(&self.qemu)).is_none() {
            return BoardState::Absent(format!("{} is not installed", command_line::program(&self.qemu)));
        }
        if self.running().is_some() {
            let status = async { self.qmp().await.ok()?.execute("query-status", json!({})).await.ok() };
            return match tokio::time::timeout(Duration::from_secs(2), status).await {
                Ok(Some(status)) if status["running"] == json!(true) => BoardState::Running,
                Ok(Some(_)) => BoardState::Halted,
                _ => BoardState::Unknown,
            };
        }
        match self.last_crash() {
            Some(crash) => BoardState::Crashed(crash.summary),
            None => BoardState::Off,
        }
    }

    /// A crash counts until the board is started or switched off.
    fn last_crash(&self) -> Option<Crash> {
        let process = self.directory.state().process?;
        if process.alive() {
            return None;
        }
        let log = fs::read(self.directory.qemu_log()).ok()?;
        crash::parse(&String::from_utf8_lossy(&log))
    }
}

impl Board for VirtualBoard {
    fn def(&self) -> &BoardDef {
        &self.def
    }

    fn state(&mut self) -> BoxFuture<'_, BoardState> {
        Box::pin(self.current_state())
    }

    fn identify(&mut self) -> BoxFuture<'_, Result<Identity, BoardError>> {
        Box::pin(async {
            let state = self.directory.state();
            let mut identity = Identity { chip: Some(self.def.chip.clone()), ..Identity::default() };
            let mut add = |name: &str, value: Option<String>| {
                if let Some(value) = value {
                    identity.details.insert(name.to_string(), value);
                }
            };
            add("machine", Some(self.qemu.machine.clone()));
            add("image", state.image_source);
            add("image_sha256", state.image_sha256);
            add("build_id", state.build_id);
            add("directory", Some(self.directory.root.display().to_string()));
            if let Some(process) = state.process.filter(ProcessId::alive) {
                add("pid", Some(process.pid.to_string()));
            }
            Ok(identity)
        })
    }

    fn reset(&mut self) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(self.reset_core())
    }

    fn flash<'a>(&'a mut self, image: &'a Image) -> BoxFuture<'a, Result<FlashReport, BoardError>> {
        Box::pin(self.flash_image(image))
    }

    fn console(&mut self, from: ConsoleFrom) -> BoxFuture<'_, Result<Box<dyn Console>, BoardError>> {
        Box::pin(async move {
            let state = self.directory.state();
            // A board that crashed still has its last words in the log.
            let Some(process) = state.process else {
                return Err(match state.image {
                    Some(_) => BoardError::Off { board: self.def.name.clone() },
                    None => BoardError::NoImage { board: self.def.name.clone() },
                });
            };
            let at = match from {
                ConsoleFrom::Boot => state.boot_offset,
                ConsoleFrom::Now => fs::metadata(self.directory.console_log()).map_or(0, |log| log.len()),
            };
            let console = LogConsole::open(&self.def.name, self.directory.clone(), process, at)?;
            Ok(Box::new(console) as Box<dyn Console>)
        })
    }

    fn debug_server(&mut self) -> BoxFuture<'_, Result<DebugServer, BoardError>> {
        Box::pin(async {
            let _lock = self.directory.lock().await?;
            let fresh = self.running().is_none();
            if fresh {
                let state = self.directory.state();
                if state.image.is_none() {
                    return Err(BoardError::NoImage { board: self.def.name.clone() });
                }
                self.start(state).await?;
            }
            Ok(DebugServer {
                address: self.directory.socket("gdb.sock").display().to_string(),
                reset_command: Some("monitor system_reset".to_string()),
                fresh,
            })
        })
    }

    fn power(&mut self, on: bool) -> BoxFuture<'_, Result<(), BoardError>> {
        Box::pin(async move {
            let _lock = self.directory.lock().await?;
            if on { self.power_on().await } else { self.stop().await }
        })
    }

    fn glance(&mut self) -> BoxFuture<'_, Option<BTreeMap<String, u32>>> {
        Box::pin(async {
            self.running()?;
            let text = self.qmp().await.ok()?.human("info registers").await.ok()?;
            Some(crash::registers(&text)).filter(|registers| registers.contains_key("R15"))
        })
    }

    fn crash(&mut self) -> BoxFuture<'_, Option<Crash>> {
        Box::pin(async { self.last_crash() })
    }
}

/// A program on PATH, or the path itself.
fn which(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}
