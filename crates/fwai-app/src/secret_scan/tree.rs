//! Scans the files under a path, on all cores.
//!
//! What git ignores is scanned too unless asked otherwise: a key in an ignored file still ends up in an
//! image. Left out are `.git`, build output and installed packages, and files that are not text.

use std::{path::Path, sync::Mutex};

use fwai_policy::secrets::Scanner;
use ignore::{WalkBuilder, WalkState};

use super::{FileFinding, ScanError, ScanReport};

/// Larger files are images or data sets, not source.
const LARGEST: u64 = 64 << 20;
/// Directories whose content comes from elsewhere or is made by a build.
const SKIPPED: [&str; 8] = [".git", ".hg", ".svn", "node_modules", "target", ".pio", ".venv", "__pycache__"];

/// How to walk.
#[derive(Debug, Clone, Default)]
pub struct TreeOptions {
    /// Leave out what `.gitignore` names.
    pub respect_gitignore: bool,
    /// Also look into build output and installed packages.
    pub everything: bool,
}

/// Scans a file, or every file under a directory.
pub fn scan_tree(scanner: &Scanner, root: &Path, options: &TreeOptions) -> Result<ScanReport, ScanError> {
    let report = Mutex::new(ScanReport::default());
    let at = |source| ScanError::Path { path: root.display().to_string(), source };
    if root.symlink_metadata().map_err(at)?.is_file() {
        let name = root.strip_prefix(".").unwrap_or(root).to_string_lossy().into_owned();
        scan_file(scanner, root, &name, &report);
        return Ok(finished(report));
    }
    let everything = options.everything;
    let skips = move |name: &std::ffi::OsStr| !everything && SKIPPED.iter().any(|skipped| name == *skipped);
    let walk = WalkBuilder::new(root)
        .standard_filters(false)
        .git_ignore(options.respect_gitignore)
        .hidden(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            entry.depth() == 0 || !(entry.file_type().is_some_and(|t| t.is_dir()) && skips(entry.file_name()))
        })
        .build_parallel();
    walk.run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    let name = shown(entry.path(), root);
                    scan_file(scanner, entry.path(), &name, &report);
                }
                Ok(_) => {}
                Err(error) => lock(&report).unread.push(error.to_string()),
            }
            WalkState::Continue
        })
    });
    Ok(finished(report))
}

fn finished(report: Mutex<ScanReport>) -> ScanReport {
    report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).sorted()
}

fn lock(report: &Mutex<ScanReport>) -> std::sync::MutexGuard<'_, ScanReport> {
    report.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// As seen from where the user stands, so that the name can be opened; below a place named by its whole path, as
/// seen from there.
fn shown(path: &Path, root: &Path) -> String {
    let from = if root.is_absolute() { root } else { Path::new(".") };
    path.strip_prefix(from).unwrap_or(path).to_string_lossy().into_owned()
}

fn scan_file(scanner: &Scanner, path: &Path, name: &str, report: &Mutex<ScanReport>) {
    let read = std::fs::metadata(path)
        .and_then(|meta| if meta.len() > LARGEST { Ok(None) } else { std::fs::read(path).map(Some) });
    match read {
        Ok(Some(bytes)) if !is_binary(&bytes) => {
            let found = scanner.scan(&bytes);
            let mut report = lock(report);
            report.files += 1;
            report.bytes += bytes.len() as u64;
            report.findings.extend(found.into_iter().map(|finding| FileFinding::new(name, None, finding)));
        }
        Ok(Some(_)) => {}
        Ok(None) => {
            lock(report).unread.push(format!("{name}: larger than {} MB, not scanned", LARGEST >> 20))
        }
        Err(error) => lock(report).unread.push(format!("{name}: {error}")),
    }
}

/// As git does it: a NUL byte near the beginning.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_some()
}
