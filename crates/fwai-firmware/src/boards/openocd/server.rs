//! The OpenOCD process: started on free ports when first needed, ended with its board.

use std::{net::TcpListener, path::PathBuf, time::Duration};

use fwai_schema::board::OpenOcdBoard;
use tokio::{
    io::AsyncReadExt,
    time::{Instant, sleep},
};

use super::tcl::Tcl;
use crate::{
    boards::{BoardError, open::BoardContext},
    launch::{Child, Grants, LaunchSpec, Stream},
};

const START_PATIENCE: Duration = Duration::from_secs(15);

/// A running OpenOCD with its connection.
pub struct Server {
    pub tcl: Tcl,
    pub gdb_port: u16,
    child: Child,
    drain: tokio::task::JoinHandle<()>,
    said: std::sync::Arc<std::sync::Mutex<String>>,
}

impl Server {
    /// Start OpenOCD for a board and wait until its Tcl port answers.
    pub async fn start(
        board: &str,
        config: &OpenOcdBoard,
        context: &BoardContext,
    ) -> Result<Self, BoardError> {
        let failed = |output: String| BoardError::NotStarted {
            program: "openocd".into(),
            board: board.to_string(),
            output,
        };
        let (tcl_port, gdb_port) = free_ports().map_err(|error| failed(format!("no free port: {error}")))?;
        let mut argv = vec!["openocd".to_string()];
        // Ports come first: configuration files may already open them.
        argv.extend([
            "-c".into(),
            format!("bindto 127.0.0.1; tcl_port {tcl_port}; gdb_port {gdb_port}; telnet_port disabled"),
        ]);
        for file in &config.config {
            argv.extend(["-f".into(), file.clone()]);
        }
        for command in &config.commands {
            argv.extend(["-c".into(), command.clone()]);
        }
        argv.extend(["-c".into(), "init".into()]);
        let grants = Grants {
            loopback: true,
            ports: vec![tcl_port, gdb_port],
            devices: probe_devices(),
            ..Grants::default()
        };
        let spec = LaunchSpec::argv(argv, &context.root).grants(grants).streams(
            Stream::Null,
            Stream::Piped,
            Stream::WithStdout,
        );
        let mut child = context.launcher.launch(spec).await?;
        let said = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let drain = tokio::spawn(drain(child.stdout.take(), said.clone()));
        let address = format!("127.0.0.1:{tcl_port}");
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            if let Ok(tcl) = Tcl::connect(&address).await {
                return Ok(Self { tcl, gdb_port, child, drain, said });
            }
            let ended = child.try_wait().await.ok().flatten().is_some();
            if ended || Instant::now() > deadline {
                let _ = child.kill_tree();
                if ended {
                    // The pipe is at its end, so everything that was said is there in a moment.
                    let _ = tokio::time::timeout(Duration::from_secs(1), drain).await;
                }
                let output = said.lock().map(|said| explain(&said)).unwrap_or_default();
                return Err(failed(output));
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// What OpenOCD printed so far.
    pub fn log(&self) -> String {
        self.said.lock().map(|said| said.clone()).unwrap_or_default()
    }

    /// Whether the process still runs.
    pub async fn alive(&mut self) -> bool {
        matches!(self.child.try_wait().await, Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.drain.abort();
    }
}

async fn drain(
    pipe: Option<Box<dyn tokio::io::AsyncRead + Send + Sync + Unpin>>,
    said: std::sync::Arc<std::sync::Mutex<String>>,
) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        if let Ok(mut said) = said.lock()
            && said.len() < 1 << 20
        {
            said.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }
}

/// The lines that matter of a failed start, with the usual remedy.
fn explain(said: &str) -> String {
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("Error")).collect();
    let text = if errors.is_empty() { said.trim().to_string() } else { errors.join("\n") };
    let hint = if said.contains("LIBUSB_ERROR_ACCESS") {
        "; this user may not open the probe: install OpenOCD's udev rules and plug it in again"
    } else if said.contains("unable to find")
        || said.contains("No device found")
        || said.contains("open failed")
    {
        "; is the probe plugged in?"
    } else if said.contains("Can't find") {
        "; check `openocd.config` of the board"
    } else {
        ""
    };
    format!("{text}{hint}")
}

/// Two ports that nobody listens on now.
fn free_ports() -> std::io::Result<(u16, u16)> {
    let (first, second) = (TcpListener::bind("127.0.0.1:0")?, TcpListener::bind("127.0.0.1:0")?);
    Ok((first.local_addr()?.port(), second.local_addr()?.port()))
}

/// Where probes are: USB itself, and the HID nodes of CMSIS-DAP probes.
fn probe_devices() -> Vec<PathBuf> {
    let nodes = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let hid = nodes.filter(|node| node.file_name().to_string_lossy().starts_with("hidraw"));
    std::iter::once(PathBuf::from("/dev/bus/usb")).chain(hid.map(|node| node.path())).collect()
}
