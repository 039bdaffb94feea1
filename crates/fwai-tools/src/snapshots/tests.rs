//! Undo covers what shell commands did, and leaves the user's git alone.

use super::*;
use std::process::Command;

fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("src")).unwrap();
    fs::write(directory.path().join("src/a.c"), "one\r\ntwo\r\n").unwrap();
    fs::write(directory.path().join(".gitignore"), "build/\n").unwrap();
    fs::write(directory.path().join(".gitattributes"), "* text=auto eol=lf\n").unwrap();
    directory
}

fn sh(directory: &Path, line: &str) {
    assert!(
        Command::new("sh").args(["-c", line]).current_dir(directory).status().unwrap().success(),
        "{line}"
    );
}

fn check_undo(directory: &Path) {
    let snapshots = Snapshots::open(directory).unwrap();
    let before = snapshots.take().unwrap();
    sh(
        directory,
        "rm src/a.c && mkdir -p new/deep && printf 'x\\ny\\n' > new/deep/b.c && printf '\\0bin' > c.bin && mkdir -p build && echo o > build/o",
    );
    let after = snapshots.take().unwrap();
    let changes = snapshots.changes(&before, &after).unwrap();
    let seen: Vec<_> = changes.iter().map(|c| (c.path.as_str(), c.how, c.added, c.removed)).collect();
    assert_eq!(
        seen,
        [
            ("c.bin", How::Created, 0, 0),
            ("new/deep/b.c", How::Created, 2, 0),
            ("src/a.c", How::Deleted, 0, 2)
        ]
    );
    assert!(snapshots.diff(&before, &after).unwrap().contains("+x"));
    let (undone, _) = snapshots.restore(&before).unwrap();
    assert_eq!(fs::read(directory.join("src/a.c")).unwrap(), b"one\r\ntwo\r\n");
    assert!(!directory.join("new").exists() && !directory.join("c.bin").exists());
    assert!(directory.join("build/o").exists(), "ignored output is left alone");
    assert_eq!(snapshots.take().unwrap(), before);
    snapshots.restore(&undone).unwrap();
    assert_eq!(fs::read(directory.join("c.bin")).unwrap(), b"\0bin");
    assert!(!directory.join("src/a.c").exists());
}

#[test]
fn undo_restores_what_a_shell_changed() {
    check_undo(project().path());
}

#[test]
fn the_users_index_refs_and_hooks_stay_as_they_are() {
    let directory = project();
    let root = directory.path();
    sh(
        root,
        "git init -q . && git add src && git -c user.name=x -c user.email=x@x commit -qm x && echo staged > s && git add s",
    );
    sh(
        root,
        "printf '#!/bin/sh\\ntouch hooked\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && git config core.fsmonitor 'touch fsmonitored'",
    );
    let index = fs::read(root.join(".git/index")).unwrap();
    let head = fs::read(root.join(".git/HEAD")).unwrap();
    check_undo(root);
    assert_eq!(fs::read(root.join(".git/index")).unwrap(), index);
    assert_eq!(fs::read(root.join(".git/HEAD")).unwrap(), head);
    assert!(!root.join("hooked").exists() && !root.join("fsmonitored").exists());
}

#[test]
fn an_unknown_snapshot_is_refused() {
    let directory = project();
    let snapshots = Snapshots::open(directory.path()).unwrap();
    let nowhere = TreeId("0123456789012345678901234567890123456789".into());
    assert!(matches!(snapshots.restore(&nowhere), Err(SnapshotError::Unknown(_))));
    assert!(directory.path().join("src/a.c").exists());
}
