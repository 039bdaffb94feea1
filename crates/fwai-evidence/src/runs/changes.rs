//! What changed in the work tree, as git sees it: tracked and untracked files against `HEAD`.
//!
//! The user's index is never touched: untracked files are added to a copy of it by name only, so no
//! object is written either. External diff programs, text converters, hooks and file monitors that a
//! repository may configure are switched off, because a record must not run a repository's code.

use std::{
    io::{self, Read as _},
    path::Path,
    process::{Command, Stdio},
};

use fwai_schema::evidence::Changes;

/// How much a session may change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeBudget {
    pub max_files: Option<u64>,
    /// Lines added and removed together.
    pub max_lines: Option<u64>,
}

impl ChangeBudget {
    pub fn allows(&self, files: u64, lines: u64) -> bool {
        self.max_files.is_none_or(|most| files <= most) && self.max_lines.is_none_or(|most| lines <= most)
    }
}

/// What to count.
#[derive(Debug, Clone, Default)]
pub struct ChangeScope {
    pub budget: ChangeBudget,
    /// Paths, relative to the project, that are results and not changes, for instance the build directory.
    pub exclude: Vec<String>,
}

/// Longest diff that is kept; the counts are always complete.
const LONGEST_DIFF: u64 = 8 << 20;
/// fwai's own records are not changes of the project.
const OWN_RECORDS: [&str; 7] =
    [".fwai/runs", ".fwai/log", ".fwai/keys", ".fwai/sessions", ".fwai/boards", ".fwai/cache", ".fwai/undo"];

/// Changes and their diff; `None` outside a git work tree.
pub fn measure_changes(root: &Path, scope: &ChangeScope) -> io::Result<Option<(Changes, Vec<u8>)>> {
    let Some(place) = output_of(git(root).args([
        "rev-parse",
        "--is-inside-work-tree",
        "--path-format=absolute",
        "--git-path",
        "index",
    ])) else {
        return Ok(None);
    };
    let mut lines = place.lines();
    let (Some("true"), Some(index)) = (lines.next(), lines.next()) else { return Ok(None) };
    let base_commit = output_of(git(root).args(["rev-parse", "--verify", "-q", "HEAD^{commit}"]));
    let base_commit = base_commit.map(|text| text.trim().to_owned());
    let base = match &base_commit {
        Some(commit) => commit.clone(),
        None => match output_of(git(root).args(["hash-object", "-t", "tree", "--stdin"])) {
            Some(empty_tree) => empty_tree.trim().to_owned(),
            None => return Ok(None),
        },
    };

    let scratch = tempfile::tempdir()?;
    let copy = scratch.path().join("index");
    match std::fs::copy(index, &copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut paths = vec!["--".to_owned(), ".".to_owned()];
    let excluded = OWN_RECORDS.iter().copied().chain(scope.exclude.iter().map(String::as_str));
    paths.extend(excluded.map(|path| format!(":(exclude,literal){path}")));

    run(git(root)
        .env("GIT_INDEX_FILE", &copy)
        .args(["add", "--intent-to-add", "--ignore-errors"])
        .args(&paths))?;
    let diff = |form: &[&str]| {
        let mut command = git(root);
        command.env("GIT_INDEX_FILE", &copy).args(["diff", "--no-ext-diff", "--no-textconv", "--no-color"]);
        command
            .args(["--no-renames", "--relative", "--ignore-submodules=dirty"])
            .args(form)
            .arg(&base)
            .args(&paths);
        command
    };
    let numbers = read_limited(diff(&["--numstat", "-z"]), u64::MAX)?;
    let mut changes = Changes { base_commit, ..Changes::default() };
    for entry in numbers.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()) {
        let entry = String::from_utf8_lossy(entry);
        let mut fields = entry.splitn(3, '\t');
        let (Some(added), Some(removed), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        changes.files_changed += 1;
        // Binary files show `-`.
        changes.lines_added += added.trim().parse().unwrap_or(0);
        changes.lines_removed += removed.parse().unwrap_or(0);
        changes.files.push(path.to_owned());
    }
    changes.within_budget =
        scope.budget.allows(changes.files_changed, changes.lines_added + changes.lines_removed);
    let text =
        if changes.files_changed == 0 { Vec::new() } else { read_limited(diff(&["--patch"]), LONGEST_DIFF)? };
    Ok(Some((changes, text)))
}

/// Git in `root`, without what a repository could make it run.
pub(crate) fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root);
    for setting in
        ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.quotePath=false", "diff.external="]
    {
        command.args(["-c", setting]);
    }
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"] {
        command.env_remove(variable);
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn run(command: &mut Command) -> io::Result<()> {
    // Files that cannot be read make git fail here and show up nowhere else; the rest still counts.
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().map(drop)
}

fn read_limited(mut command: Command, limit: u64) -> io::Result<Vec<u8>> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut bytes = Vec::new();
    let mut stdout = child.stdout.take().expect("stdout was asked to be a pipe");
    stdout.by_ref().take(limit).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == limit {
        bytes.extend_from_slice(b"\n[diff cut here: longer than the record keeps]\n");
    }
    drop(stdout);
    child.wait()?;
    Ok(bytes)
}
