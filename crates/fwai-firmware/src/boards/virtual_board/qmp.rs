//! QEMU's machine protocol over a Unix socket: one JSON object a line.

use std::{path::Path, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    time::timeout,
};

/// A connection that has finished its greeting.
pub struct Qmp {
    stream: BufReader<UnixStream>,
}

const PATIENCE: Duration = Duration::from_secs(5);

impl Qmp {
    /// Connect and agree on capabilities. The text says what went wrong.
    pub async fn connect(socket: &Path) -> Result<Self, String> {
        let stream = UnixStream::connect(socket)
            .await
            .map_err(|error| format!("cannot connect to {}: {error}", socket.display()))?;
        let mut qmp = Self { stream: BufReader::new(stream) };
        let greeting = qmp.line().await?;
        if greeting.get("QMP").is_none() {
            return Err(format!("{} does not speak QMP", socket.display()));
        }
        qmp.execute("qmp_capabilities", json!({})).await?;
        Ok(qmp)
    }

    /// Run a command and return its `return`; events in between are passed over.
    pub async fn execute(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let mut line = json!({ "execute": command, "arguments": arguments }).to_string();
        line.push('\n');
        let sent = timeout(PATIENCE, self.stream.get_mut().write_all(line.as_bytes())).await;
        sent.map_err(|_| format!("QEMU does not take `{command}`"))?.map_err(|error| error.to_string())?;
        loop {
            let mut answer = self.line().await.map_err(|what| format!("`{command}`: {what}"))?;
            if let Some(error) = answer.get("error") {
                return Err(format!("`{command}`: {}", error["desc"].as_str().unwrap_or("refused")));
            }
            if answer.get("return").is_some() {
                return Ok(answer["return"].take());
            }
        }
    }

    /// Run a command of the human monitor and return its text.
    pub async fn human(&mut self, line: &str) -> Result<String, String> {
        let text = self.execute("human-monitor-command", json!({ "command-line": line })).await?;
        Ok(text.as_str().unwrap_or_default().replace("\r\n", "\n"))
    }

    async fn line(&mut self) -> Result<Value, String> {
        let mut text = String::new();
        let count = timeout(PATIENCE, self.stream.read_line(&mut text))
            .await
            .map_err(|_| "QEMU does not answer".to_string())?
            .map_err(|error| error.to_string())?;
        if count == 0 {
            return Err("QEMU closed the connection".to_string());
        }
        serde_json::from_str(&text).map_err(|error| format!("unreadable answer: {error}"))
    }
}
