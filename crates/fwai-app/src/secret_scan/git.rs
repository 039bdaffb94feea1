//! Scans what git holds: the index, and every blob that any commit ever had.
//!
//! Objects come out of one `git cat-file --batch`, so a history of a hundred thousand blobs costs two
//! processes. Each blob is scanned once, under the first commit that had it.

use std::{
    collections::{BTreeMap, HashSet},
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Command, Stdio},
};

use fwai_policy::secrets::Scanner;

use super::{FileFinding, ScanError, ScanReport, tree::is_binary};

/// One blob and where it was seen.
struct Blob {
    id: String,
    file: String,
    commit: Option<String>,
}

/// Scans the staged content of files that differ from the last commit.
pub fn scan_staged(scanner: &Scanner, directory: &Path) -> Result<ScanReport, ScanError> {
    let raw = git(
        directory,
        &[
            "diff",
            "--cached",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--no-ext-diff",
            "--diff-filter=ACMRT",
        ],
    )?;
    let blobs = raw_entries(&raw).map(|(id, file)| Blob { id, file, commit: None }).collect();
    scan_blobs(scanner, directory, blobs)
}

/// Scans every blob of every commit on every ref.
pub fn scan_history(scanner: &Scanner, directory: &Path) -> Result<ScanReport, ScanError> {
    let log = git(
        directory,
        &[
            "log",
            "--all",
            "--reverse",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--no-ext-diff",
            "--root",
            "-m",
            "--diff-filter=ACMRT",
            "--format=commit %H",
        ],
    )?;
    let mut seen = HashSet::new();
    let mut blobs = Vec::new();
    let mut commit = None;
    let mut fields = log.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    while let Some(field) = fields.next() {
        let field = field.trim_start_matches('\n');
        if let Some(id) = field.strip_prefix("commit ") {
            commit = Some(id.trim().to_owned());
        } else if let Some(id) = new_blob(field)
            && let Some(file) = fields.next()
            && seen.insert((id.clone(), file.clone()))
        {
            blobs.push(Blob { id, file, commit: commit.clone() });
        }
    }
    scan_blobs(scanner, directory, blobs)
}

/// `(blob id, path)` of `--raw -z` output.
fn raw_entries(raw: &[u8]) -> impl Iterator<Item = (String, String)> {
    let mut fields = raw.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    std::iter::from_fn(move || {
        loop {
            let head = fields.next()?;
            let Some(id) = new_blob(&head) else { continue };
            return Some((id, fields.next()?));
        }
    })
}

/// `:100644 100644 OLD NEW M` → NEW, for files (not submodules).
fn new_blob(head: &str) -> Option<String> {
    let mut words = head.strip_prefix(':')?.split(' ');
    let mode = words.nth(1)?;
    let id = words.nth(1)?;
    (mode != "160000" && !id.bytes().all(|byte| byte == b'0')).then(|| id.to_owned())
}

fn scan_blobs(scanner: &Scanner, directory: &Path, blobs: Vec<Blob>) -> Result<ScanReport, ScanError> {
    let mut report = ScanReport::default();
    if blobs.is_empty() {
        return Ok(report);
    }
    let failed = |reason: String| ScanError::Git {
        command: "cat-file --batch".into(),
        directory: directory.display().to_string(),
        reason,
    };
    // A blob that several files share is read once.
    let mut by_id: BTreeMap<String, Vec<Blob>> = BTreeMap::new();
    for blob in blobs {
        by_id.entry(blob.id.clone()).or_default().push(blob);
    }
    let mut child = command(directory)
        .args(["cat-file", "--batch", "--buffer"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut stdin = child.stdin.take().ok_or_else(|| failed("no standard input".into()))?;
    let stdout = child.stdout.take().ok_or_else(|| failed("no standard output".into()))?;
    let ids: Vec<String> = by_id.keys().cloned().collect();
    let writer = std::thread::spawn(move || {
        for id in ids {
            // A closed pipe shows on the reading side.
            if writeln!(stdin, "{id}").is_err() {
                break;
            }
        }
    });
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    let mut header = String::new();
    let mut content = Vec::new();
    for places in by_id.values() {
        header.clear();
        let read = stdout.read_line(&mut header).map_err(|error| failed(error.to_string()))?;
        if read == 0 {
            return Err(failed("it ended before all objects were read".into()));
        }
        let Some(size) = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok())
        else {
            report.unread.push(format!("{}: {}", places[0].file, header.trim_end()));
            continue;
        };
        content.clear();
        stdout
            .by_ref()
            .take(size + 1)
            .read_to_end(&mut content)
            .map_err(|error| failed(error.to_string()))?;
        content.truncate(size as usize);
        if is_binary(&content) {
            continue;
        }
        report.files += places.len() as u64;
        report.bytes += size;
        let found = scanner.scan(&content);
        for place in places {
            let new = |finding| FileFinding::new(&place.file, place.commit.as_deref(), finding);
            report.findings.extend(found.iter().cloned().map(new));
        }
    }
    drop(stdout);
    let _ = writer.join();
    let _ = child.wait();
    Ok(report.sorted())
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, ScanError> {
    let failed = |reason: String| ScanError::Git {
        command: arguments[0].to_owned(),
        directory: directory.display().to_string(),
        reason,
    };
    let output = command(directory)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        // Behind the first line git may print its whole usage.
        let said = String::from_utf8_lossy(&output.stderr);
        Err(failed(said.trim().lines().next().unwrap_or_default().to_owned()))
    }
}

/// Git as a reader: nothing that the repository configures is run.
fn command(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(directory);
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external="]);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    command
}
