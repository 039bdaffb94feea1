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

#[test]
fn git_reads_what_was_kept_and_a_second_session_reads_nothing_again() {
    let directory = project();
    let root = directory.path();
    for index in 0..150 {
        fs::create_dir_all(root.join(format!("many/{}", index % 7))).unwrap();
        fs::write(root.join(format!("many/{}/f{index}", index % 7)), format!("{index}\n").repeat(index))
            .unwrap();
    }
    fs::write(root.join("many/large"), vec![7; 17 << 20]).unwrap();
    fs::write(root.join("empty"), "").unwrap();
    fs::write(root.join("name with\nnewline"), "x").unwrap();
    fs::write(root.join("git~1"), "x").unwrap();
    std::os::unix::fs::symlink("../nowhere", root.join("src/link")).unwrap();
    sh(
        root,
        "chmod +x src/a.c && mkdir -p build sub/.git && echo o > build/o && echo x > sub/.git/config && echo y > sub/y",
    );
    let first = Snapshots::open(root).unwrap();
    let before = first.take().unwrap();
    drop(first);
    sh(root, "git --git-dir=.fwai/undo fsck --no-dangling");
    let listed = Command::new("git")
        .args(["--git-dir=.fwai/undo", "ls-tree", "-r", "-z", &before.to_string()])
        .current_dir(root)
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.split_terminator('\0').count(), 150 + 9, "{listed}");
    assert!(listed.contains("100755 blob") && listed.contains("120000 blob") && listed.contains("sub/y"));
    assert!(!listed.contains("build/o") && !listed.contains(".git/config"));
    let second = Snapshots::open(root).unwrap();
    assert_eq!(second.take().unwrap(), before);
    // Everything goes, and everything comes back from packs, single objects and git's own.
    sh(root, "rm -r many src empty git~1 sub/y && mkdir empty && echo z > empty/z");
    second.restore(&before).unwrap();
    assert_eq!(second.take().unwrap(), before);
    assert_eq!(fs::read(root.join("many/large")).unwrap().len(), 17 << 20);
    assert_eq!(fs::read_link(root.join("src/link")).unwrap(), Path::new("../nowhere"));
}

#[test]
fn a_change_within_one_tick_of_the_clock_is_seen() {
    let directory = project();
    let snapshots = Snapshots::open(directory.path()).unwrap();
    let path = directory.path().join("src/a.c");
    let mut last = None;
    for round in 0..200 {
        // Same size, same inode, perhaps the same time.
        fs::write(&path, format!("{:03}", round)).unwrap();
        let now = snapshots.take().unwrap();
        assert_ne!(Some(&now), last.as_ref(), "round {round}");
        last = Some(now);
    }
}

#[test]
fn a_file_that_was_kept_stays_kept_when_it_is_ignored_later() {
    let directory = project();
    let root = directory.path();
    let snapshots = Snapshots::open(root).unwrap();
    let before = snapshots.take().unwrap();
    sh(root, "echo 'src/' >> .gitignore && echo changed > src/a.c");
    let after = snapshots.take().unwrap();
    let changed: Vec<_> = snapshots.changes(&before, &after).unwrap().into_iter().map(|c| c.path).collect();
    assert_eq!(changed, [".gitignore", "src/a.c"], "ignoring a file does not hide a change of it");
}
