//! Undo covers what shell commands did, and leaves the user's git alone.

use super::*;
use std::{fs, process::Command};

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

#[test]
fn the_newest_state_is_never_confused_with_an_earlier_one() {
    let directory = project();
    let root = directory.path();
    let first = Snapshots::open(root).unwrap().take().unwrap();
    let snapshots = Snapshots::open(root).unwrap();
    let mut taken = Vec::new();
    for round in 0..RECENT + 2 {
        fs::write(root.join("src/a.c"), format!("round {round}\n")).unwrap();
        taken.push(snapshots.take().unwrap());
    }
    // A state that only the disk knows comes to memory, which is full.
    assert_eq!(snapshots.changes(&first, &taken[0]).unwrap().len(), 1);
    assert_eq!(Some(&snapshots.take().unwrap()), taken.last());
    for (round, tree) in taken.iter().enumerate() {
        snapshots.restore(tree).unwrap();
        assert_eq!(fs::read_to_string(root.join("src/a.c")).unwrap(), format!("round {round}\n"));
    }
}

#[test]
fn what_is_ignored_only_since_the_start_is_seen_where_changes_are_counted() {
    let directory = project();
    let root = directory.path();
    sh(root, "mkdir build && echo o > build/o");
    let snapshots = Snapshots::open(root).unwrap().ignoring_as_at_start();
    let before = snapshots.take().unwrap();
    sh(
        root,
        "echo 'hidden*' >> .gitignore && echo x > hidden.c && mkdir new && echo '*' > new/.gitignore && echo x > new/y && echo p > build/p",
    );
    let after = snapshots.take().unwrap();
    let changed: Vec<_> = snapshots.changes(&before, &after).unwrap().into_iter().map(|c| c.path).collect();
    assert_eq!(changed, [".gitignore", "hidden.c", "new/.gitignore", "new/y"]);
    // Nor does the end of a rule make build output a change.
    sh(root, "rm .gitignore");
    let later = snapshots.take().unwrap();
    let changed: Vec<_> = snapshots.changes(&after, &later).unwrap().into_iter().map(|c| c.path).collect();
    assert_eq!(changed, [".gitignore"]);
}

/// Fills `root` with files that two threads share.
fn many_files(root: &Path, count: usize) {
    for index in 0..count {
        let folder = root.join(format!("many/{}", index / 10));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("f{index}")), format!("{index}\n").repeat(50)).unwrap();
    }
}

#[test]
fn what_several_threads_find_is_what_git_finds() {
    let directory = project();
    let root = directory.path();
    many_files(root, 600);
    fs::remove_file(root.join(".gitattributes")).unwrap();
    // Names around the slash, where the order of trees and that of paths differ.
    sh(
        root,
        "cp -r many/1 many.1 && cp -r many/1 many-1 && echo x > many/1.c && echo x > many0 && cp -r many same",
    );
    let by_git = || {
        sh(root, "git init -q . && git -c core.autocrlf=false add -A . ':!.fwai'");
        let output = Command::new("git").arg("write-tree").current_dir(root).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let snapshots = Snapshots::open(root).unwrap();
    assert_eq!(snapshots.take().unwrap().to_string(), by_git());
    sh(root, "git --git-dir=.fwai/undo fsck --no-dangling 2>/dev/null");
    // Much goes and other things come.
    sh(root, "rm -r many/2* same many0 && cp -r many/3 many0 && chmod +x many/1.c && ln -s x many.0");
    assert_eq!(snapshots.take().unwrap().to_string(), by_git());
}

/// Takes snapshots until it is killed; nothing unless the test below asks for it.
#[test]
fn takes_snapshots_until_killed() {
    let Some(root) = std::env::var_os("FWAI_TEST_SNAPSHOT_ROOT") else { return };
    let root = Path::new(&root);
    println!("begun");
    for round in 0.. {
        let snapshots = Snapshots::open(root).unwrap();
        println!("kept {}", snapshots.take().unwrap());
        many_files(&root.join(format!("round{}", round % 3)), 150 + round);
    }
}

#[test]
fn what_a_killed_session_left_half_written_goes_in_time() {
    let directory = project();
    let root = directory.path();
    drop(Snapshots::open(root).unwrap());
    let pack = root.join(".fwai/undo/objects/pack");
    for name in ["tmp_obj_old", "tmp_obj_new"] {
        fs::write(pack.join(name), "half").unwrap();
    }
    sh(root, "touch -d '2 hours ago' .fwai/undo/objects/pack/tmp_obj_old");
    drop(Snapshots::open(root).unwrap());
    assert!(!pack.join("tmp_obj_old").exists());
    assert!(pack.join("tmp_obj_new").exists(), "another session may be writing it");
}

#[test]
fn a_kill_leaves_a_snapshot_whole_or_absent() {
    use std::io::{BufRead, BufReader};
    let directory = project();
    let root = directory.path();
    many_files(root, 1000);
    for kill in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "snapshots::tests::takes_snapshots_until_killed", "--nocapture"])
            .env("FWAI_TEST_SNAPSHOT_ROOT", root)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        lines.find(|line| line.ends_with("begun")).unwrap();
        // At another moment each time.
        std::thread::sleep(Duration::from_millis(kill * 7));
        child.kill().unwrap();
        let kept: Vec<String> =
            lines.filter_map(|line| line.strip_prefix("kept ").map(str::to_owned)).collect();
        child.wait().unwrap();
        let snapshots = Snapshots::open(root).unwrap();
        let now = snapshots.take().unwrap();
        sh(root, "git --git-dir=.fwai/undo fsck --no-dangling 2>/dev/null");
        for tree in kept.into_iter().filter(|tree| tree.len() == 40).map(TreeId) {
            snapshots.restore(&tree).unwrap();
            assert_eq!(snapshots.take().unwrap(), tree);
        }
        snapshots.restore(&now).unwrap();
        assert_eq!(snapshots.take().unwrap(), now);
    }
}
