//! OpenOCD's Tcl port: a command, a `0x1a` byte; an answer, a `0x1a` byte.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

const END: u8 = 0x1a;
const LARGEST_ANSWER: usize = 16 << 20;

/// Why OpenOCD did not do what was asked.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum TclError {
    #[error("cannot reach OpenOCD's Tcl port {address}: {what}")]
    Connect { address: String, what: String },
    #[error("OpenOCD refused `{command}`: {what}")]
    Refused { command: String, what: String },
    #[error("OpenOCD did not answer `{command}` within {seconds} s; is the probe still connected?")]
    Timeout { command: String, seconds: u64 },
    #[error("the connection to OpenOCD broke during `{command}`: {what}")]
    Broken { command: String, what: String },
}

/// One connection.
pub struct Tcl {
    stream: TcpStream,
}

impl Tcl {
    pub async fn connect(address: &str) -> Result<Self, TclError> {
        let stream = TcpStream::connect(address)
            .await
            .map_err(|error| TclError::Connect { address: address.to_string(), what: error.to_string() })?;
        // Commands are a few bytes; waiting to fill a packet would add 40 ms to each.
        let _ = stream.set_nodelay(true);
        Ok(Self { stream })
    }

    /// Run a command and return what it printed and gave; its failure is an error.
    pub async fn run(&mut self, command: &str, limit: Duration) -> Result<String, TclError> {
        // The port gives no status, so the command carries its own; `capture` adds what was printed.
        let wrapped = format!(
            "set fwai_rc [catch {{capture {{{command}}}}} fwai_out]; format \"%d %s\" $fwai_rc $fwai_out"
        );
        let answer = self.exchange(&wrapped, command, limit).await?;
        match answer.split_once(' ') {
            Some(("0", output)) => Ok(output.trim_end().to_string()),
            Some((_, output)) => {
                Err(TclError::Refused { command: command.to_string(), what: output.trim().to_string() })
            }
            None => Err(TclError::Refused { command: command.to_string(), what: answer }),
        }
    }

    async fn exchange(&mut self, line: &str, command: &str, limit: Duration) -> Result<String, TclError> {
        let broken = |what: String| TclError::Broken { command: command.to_string(), what };
        let talk = async {
            self.stream.write_all(line.as_bytes()).await.map_err(|error| broken(error.to_string()))?;
            self.stream.write_all(&[END]).await.map_err(|error| broken(error.to_string()))?;
            let mut answer = Vec::new();
            let mut buffer = [0; 4096];
            loop {
                let count = self.stream.read(&mut buffer).await.map_err(|error| broken(error.to_string()))?;
                if count == 0 {
                    return Err(broken("OpenOCD closed it".into()));
                }
                answer.extend_from_slice(&buffer[..count]);
                if answer.last() == Some(&END) {
                    answer.pop();
                    return Ok(String::from_utf8_lossy(&answer).into_owned());
                }
                if answer.len() > LARGEST_ANSWER {
                    return Err(broken("the answer does not end".into()));
                }
            }
        };
        timeout(limit, talk).await.unwrap_or_else(|_| {
            Err(TclError::Timeout { command: command.to_string(), seconds: limit.as_secs() })
        })
    }
}

/// A word that Tcl reads as it stands.
pub fn word(text: &str) -> String {
    let balanced = text.chars().try_fold(0i32, |depth, c| match c {
        '{' => Some(depth + 1),
        '}' if depth == 0 => None,
        '}' => Some(depth - 1),
        _ => Some(depth),
    }) == Some(0);
    if balanced && !text.contains('\\') {
        return format!("{{{text}}}");
    }
    let mut word = String::from("\"");
    for c in text.chars() {
        if "\\\"[]{}$".contains(c) {
            word.push('\\');
        }
        word.push(c);
    }
    word.push('"');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_stay_one_word() {
        assert_eq!(word("/tmp/a b.elf"), "{/tmp/a b.elf}");
        assert_eq!(word("a}; shutdown; {"), r#""a\}; shutdown; \{""#);
        assert_eq!(word("[exec rm]\\"), r#""\[exec rm\]\\""#);
    }
}
