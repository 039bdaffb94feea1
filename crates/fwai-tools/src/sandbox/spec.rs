//! What is open in the walls: everything that is not said here is closed.

use super::private_places;
use fwai_schema::{config::SandboxConfig, permission::Mode, policy::Policy};
use std::path::PathBuf;

/// What a command may see and change.
#[derive(Debug, Clone)]
pub struct SandboxSpec {
    /// The project; absolute, symlinks resolved.
    pub root: PathBuf,
    /// Plan mode makes everything read-only.
    pub read_only: bool,
    /// The command was judged to change nothing: only its own `/tmp` is writable. Nothing of the project
    /// need then be surveyed before, nor compared after.
    pub only_reads: bool,
    /// Directories and files outside the project that may be written.
    pub writable: Vec<PathBuf>,
    /// Paths that fwai itself needs written below a protected one, for instance a board's own directory.
    pub reopened: Vec<PathBuf>,
    /// Globs of the project that stay read-only, existing or not; git's and fwai's own files always do.
    pub protected: Vec<String>,
    /// Globs of the project that may be written; absent means all of it.
    pub allowed: Option<Vec<String>>,
    /// A git command that is meant to commit: index, refs and objects are writable, hooks and config are not.
    pub git_writes: bool,
    /// Files and directories that cannot be read.
    pub unreadable: Vec<PathBuf>,
    pub network: Network,
    /// Sockets in the file system may be made and reached.
    pub unix_sockets: bool,
    /// Device nodes, one by one.
    pub devices: Vec<PathBuf>,
    pub tmp: Tmp,
    pub limits: Limits,
    /// Environment variables that are passed on although their name looks like a secret's.
    pub passed_variables: Vec<String>,
}

/// What the command can connect to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Network {
    /// A loopback of its own and nothing else.
    #[default]
    Off,
    /// The machine's loopback, by TCP and these ports only; needs Landlock that knows ports (Linux 6.7).
    Ports(Vec<u16>),
    /// The machine's network.
    Host,
}

/// What `/tmp` is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Tmp {
    /// Empty, in memory, gone with the command.
    #[default]
    Fresh,
    /// This directory, so that commands of one session can share it.
    Directory(PathBuf),
}

/// Bounds on what one command can use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of one process, and of all of them together; files in the private `/tmp` may take half of it.
    pub memory_mb: u64,
    pub processes: u64,
    /// Bytes on standard output and error together; who reads them enforces it.
    pub output_mb: u64,
    /// Of one file.
    pub file_mb: u64,
    /// Seconds of processor time of all processes together.
    pub cpu_s: Option<u64>,
    pub open_files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let config = SandboxConfig::default();
        Self {
            memory_mb: config.memory_mb,
            processes: config.max_processes,
            output_mb: config.output_mb,
            file_mb: 4096,
            cpu_s: Some(config.cpu_s),
            open_files: 4096,
        }
    }
}

impl SandboxSpec {
    /// A project with the default walls and nothing opened.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            read_only: false,
            only_reads: false,
            writable: Vec::new(),
            reopened: Vec::new(),
            protected: Vec::new(),
            allowed: None,
            git_writes: false,
            unreadable: private_places::existing(),
            network: Network::Off,
            unix_sockets: false,
            devices: Vec::new(),
            tmp: Tmp::Fresh,
            limits: Limits::default(),
            passed_variables: Vec::new(),
        }
    }

    /// What configuration and policy say about a project, in a mode.
    pub fn configured(root: impl Into<PathBuf>, config: &SandboxConfig, policy: &Policy, mode: Mode) -> Self {
        let mut spec = Self::new(root);
        let home = std::env::home_dir();
        let absolute = |text: &String| match (text.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => spec.root.join(text),
        };
        let writable = config.writable.iter().map(absolute).collect();
        let unreadable: Vec<PathBuf> = config.unreadable.iter().map(absolute).collect();
        let devices = config.devices.iter().map(PathBuf::from).collect();
        spec.read_only = mode == Mode::Plan;
        spec.writable = writable;
        spec.unreadable.extend(unreadable);
        spec.devices = devices;
        spec.protected = policy.protected_paths.clone();
        spec.allowed = policy.allowed_paths.clone();
        spec.limits.memory_mb = config.memory_mb;
        spec.limits.processes = config.max_processes;
        spec.limits.output_mb = config.output_mb;
        spec.limits.cpu_s = Some(config.cpu_s);
        spec
    }
}
