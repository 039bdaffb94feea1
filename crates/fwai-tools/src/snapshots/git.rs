//! The git program with a directory of our own and nobody's settings. Only reading is left to it: contents
//! in packs of the user's, states of earlier sessions, diffs.

use super::{SnapshotError, objects::ObjectId, stat::Entry, trees::Files};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Runs git commands on one shadow directory.
#[derive(Debug, Clone)]
pub struct Git {
    directory: PathBuf,
    root: PathBuf,
}

impl Git {
    pub fn new(directory: &Path, root: &Path) -> Self {
        Self { directory: directory.to_owned(), root: root.to_owned() }
    }

    /// What a command prints.
    pub fn run(&self, arguments: &[&str]) -> Result<String, SnapshotError> {
        self.bytes(arguments, "").map(|output| String::from_utf8_lossy(&output).into_owned())
    }

    /// The files of a tree.
    pub fn files(&self, tree: &str) -> Result<Files, SnapshotError> {
        let unknown = |_| SnapshotError::Unknown(tree.to_owned());
        let listing =
            self.bytes(&["ls-tree", "-r", "-z", "--full-tree", tree], "").map_err(|error| match error {
                SnapshotError::Git { .. } => unknown(()),
                other => other,
            })?;
        let mut files = Files::new();
        for line in listing.split(|byte| *byte == 0) {
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let about = String::from_utf8_lossy(&line[..tab]);
            let mut words = about.split(' ');
            let mode = words.next().and_then(|mode| u32::from_str_radix(mode, 8).ok());
            if let (Some(mode), Some(id)) = (mode, words.nth(1).and_then(ObjectId::parse)) {
                files.push((line[tab + 1..].into(), Entry { mode, id }));
            }
        }
        // Git orders directories as if their names ended in a slash, which is our order too; but its word
        // is not needed for that.
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(files)
    }

    /// Contents by name, as many as can be had.
    pub fn contents(&self, ids: &[ObjectId]) -> Vec<(ObjectId, Vec<u8>)> {
        let input: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let output = self.bytes(&["cat-file", "--batch"], &input).unwrap_or_default();
        let mut found = Vec::new();
        let mut rest = &output[..];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let header = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let mut words = header.split(' ');
            let (id, size) = (words.next().and_then(ObjectId::parse), words.nth(1));
            // `<id> missing` has no third word and no content.
            let (Some(id), Some(size)) = (id, size.and_then(|size| size.parse::<usize>().ok())) else {
                continue;
            };
            let Some((content, after)) = rest.split_at_checked(size) else { break };
            found.push((id, content.to_vec()));
            rest = after.get(1..).unwrap_or_default();
        }
        found
    }

    /// Stores a file of any size; the answer is its name.
    pub fn store(&self, file: std::fs::File) -> Result<String, SnapshotError> {
        let arguments = ["hash-object", "-w", "--no-filters", "--stdin"];
        self.start(&arguments, file.into(), None).map(|output| String::from_utf8_lossy(&output).into_owned())
    }

    fn bytes(&self, arguments: &[&str], input: &str) -> Result<Vec<u8>, SnapshotError> {
        match input.is_empty() {
            true => self.start(arguments, Stdio::null(), None),
            false => self.start(arguments, Stdio::piped(), Some(input)),
        }
    }

    fn start(&self, arguments: &[&str], stdin: Stdio, input: Option<&str>) -> Result<Vec<u8>, SnapshotError> {
        let failed = |message: String| SnapshotError::Git { command: arguments[0].to_owned(), message };
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&self.root);
        // Nothing of the environment may point git elsewhere or make it run a program.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command
            .env("GIT_DIR", &self.directory)
            .env("GIT_WORK_TREE", &self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C");
        let mut child =
            command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
                if error.kind() == std::io::ErrorKind::NotFound {
                    SnapshotError::NoGit
                } else {
                    failed(error.to_string())
                }
            })?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
            let text = input.to_owned();
            // Written beside the reading, so that neither side waits for the other.
            std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        }
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }
    }
}

/// Whether the user's own settings make git rewrite line ends everywhere.
pub fn rewrites_by_default() -> bool {
    Command::new("git")
        .args(["config", "--global", "--get-regexp", "^(core\\.(autocrlf|eol|attributesfile)|filter\\.)"])
        .output()
        .is_ok_and(|output| !output.stdout.is_empty())
}
