//! Where a key comes from: a variable, a file that only its owner can read, or a command.

use super::offers::Offer;
use fwai_llm::ApiKey;
use fwai_schema::config::ProviderConfig;
use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use thiserror::Error;

/// Bytes that a key's file or command may give.
const MAX_BYTES: u64 = 16 << 10;
/// Patience with a command: long enough for a person who types a password.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

/// Which of the sources gave the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    Variable(String),
    File(String),
    Command,
}

impl std::fmt::Display for KeySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KeySource::Variable(name) => write!(f, "${name}"),
            KeySource::File(path) => f.write_str(path),
            KeySource::Command => f.write_str("provider.api_key_cmd"),
        }
    }
}

/// Why a configured key cannot be used. No message holds a key or what a command printed.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum KeyError {
    #[error("provider.api_key_env: ${variable} holds nothing that can be a key")]
    NoKey { variable: String },
    #[error("provider.api_key_file: cannot read {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("provider.api_key_file: {path} can be read by others; run: chmod 600 {path}")]
    Open { path: String },
    #[error("provider.api_key_file: {path} holds no key: one line, without spaces")]
    NoKeyInFile { path: String },
    #[error("provider.api_key_cmd: cannot start the command: {0}")]
    NoCommand(std::io::Error),
    #[error("provider.api_key_cmd: the command failed ({0}); what it said stands above")]
    CommandFailed(String),
    #[error("provider.api_key_cmd: the command printed no key: one line, without spaces")]
    NoKeyPrinted,
    #[error("provider.api_key_cmd: no key within {} s", COMMAND_TIMEOUT.as_secs())]
    CommandTimeout,
}

/// The key for a provider and where it came from; `None` where no source is set.
pub fn find_key(config: &ProviderConfig, offer: &Offer) -> Result<Option<(ApiKey, KeySource)>, KeyError> {
    if let Some(found) = from_environment(config, offer)? {
        return Ok(Some(found));
    }
    if let Some(path) = &config.api_key_file {
        return from_file(path).map(|key| Some((key, KeySource::File(path.clone()))));
    }
    if let Some(command) = &config.api_key_cmd {
        return from_command(command).map(|key| Some((key, KeySource::Command)));
    }
    Ok(None)
}

pub(super) fn from_environment(
    config: &ProviderConfig,
    offer: &Offer,
) -> Result<Option<(ApiKey, KeySource)>, KeyError> {
    let own = config.api_key_env.as_deref();
    let usual = offer.key_variables.iter().copied();
    let names: Vec<&str> = own.map_or_else(|| usual.collect(), |name| vec![name]);
    for name in names {
        let Ok(text) = std::env::var(name) else { continue };
        match ApiKey::new(text) {
            Some(key) => return Ok(Some((key, KeySource::Variable(name.to_owned())))),
            // An empty variable is as good as none, unless the user named it.
            None if own.is_some() => return Err(KeyError::NoKey { variable: name.to_owned() }),
            None => {}
        }
    }
    Ok(None)
}

fn from_file(path: &str) -> Result<ApiKey, KeyError> {
    let place = expand_home(path);
    let unreadable = |source| KeyError::Unreadable { path: path.to_owned(), source };
    let file = std::fs::File::open(&place).map_err(unreadable)?;
    let facts = file.metadata().map_err(unreadable)?;
    if !facts.is_file() {
        return Err(unreadable(std::io::Error::other("not an ordinary file")));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if facts.permissions().mode() & 0o077 != 0 {
            return Err(KeyError::Open { path: path.to_owned() });
        }
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    first_line(text).ok_or_else(|| KeyError::NoKeyInFile { path: path.to_owned() })
}

fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
}

/// Runs the command in a shell, as password managers are called. It may ask at the terminal; what it
/// prints to standard error is shown, what it prints to standard output never is.
fn from_command(command: &str) -> Result<ApiKey, KeyError> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(KeyError::NoCommand)?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        if let Some(output) = output {
            // What is no text is no key.
            let _ = output.take(MAX_BYTES).read_to_string(&mut text);
        }
        text
    });
    let end = Instant::now() + COMMAND_TIMEOUT;
    let status = loop {
        match child.try_wait().map_err(KeyError::NoCommand)? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(KeyError::CommandTimeout);
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if !status.success() {
        return Err(KeyError::CommandFailed(status.to_string()));
    }
    let text = reader.join().unwrap_or_default();
    first_line(text).ok_or(KeyError::NoKeyPrinted)
}

fn first_line(text: String) -> Option<ApiKey> {
    let text = zeroize::Zeroizing::new(text);
    ApiKey::new(text.lines().find(|line| !line.trim().is_empty())?)
}

/// Keys that stand in this process's environment, where a command's output could show them.
pub fn keys_in_environment(config: &ProviderConfig) -> Vec<String> {
    let named = super::OFFERS.iter().flat_map(|offer| offer.key_variables.iter().copied());
    named
        .chain(config.api_key_env.as_deref())
        .filter_map(|variable| std::env::var(variable).ok())
        .filter(|value| !value.trim().is_empty())
        .collect()
}
