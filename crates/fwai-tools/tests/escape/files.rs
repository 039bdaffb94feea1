//! Attempts to write outside the project or into what is protected in it, and to read secrets.

use super::{Ground, text};
use fwai_tools::sandbox::{SandboxCommand, Stdio};
use std::{fs, os::unix::fs::symlink};

#[test]
fn writing_outside() {
    let ground = Ground::new();
    let treasure = ground.outside.join("treasure");
    let treasure = treasure.display();
    for line in [
        format!("echo evil > {treasure}"),
        format!("rm {treasure}"),
        format!("mv {treasure} src/"),
        format!("chmod 777 {treasure}"),
        format!("touch {}/new", ground.outside.display()),
        "echo evil > ../outside/new".into(),
        "ln -s ../outside link && echo evil > link/new".into(),
        "mv ../project ../renamed".into(),
        "echo evil > /etc/fwai-escape".into(),
        "echo evil > /usr/fwai-escape".into(),
        "echo evil > ~/fwai-escape || echo evil > /root/fwai-escape".into(),
        "mkdir /fwai-escape".into(),
        "cd / && mkdir fwai-escape".into(),
    ] {
        ground.blocked(&line);
    }
}

#[test]
fn a_project_below_tmp_has_read_only_neighbours() {
    let ground = Ground::in_directory(tempfile::tempdir().unwrap());
    if !ground.root.starts_with("/tmp") {
        return;
    }
    ground.works("echo fine > src/new.c && touch /tmp/private");
    assert!(!std::path::Path::new("/tmp/private").exists(), "/tmp is the command's own");
    ground.blocked("echo evil > ../outside/treasure");
    ground.blocked("echo evil > ../new");
    assert_eq!(ground.works("cat ../outside/treasure"), "untouched");
}

#[test]
fn protected_paths_by_shell() {
    let ground = Ground::with_git();
    fs::create_dir_all(ground.root.join(".fwai/keys")).unwrap();
    fs::write(ground.root.join(".fwai/policy.yaml"), "{}").unwrap();
    for line in [
        "echo evil > .git/hooks/pre-commit",
        "echo evil >> .git/config",
        "git config core.fsmonitor ./evil",
        "git config --worktree core.fsmonitor ./evil",
        "echo evil > .git/commondir",
        "rm -rf .git",
        "mv .git .git-old",
        "mkdir -p .git/worktrees/x",
        "echo evil > .fwai/policy.yaml",
        "rm .fwai/policy.yaml",
        "mv .fwai elsewhere",
        "echo evil > .fwai/keys/key",
        "mkdir .fwai/log",
        "git worktree add ../outside/tree",
    ] {
        ground.blocked(line);
    }
    assert!(!fs::read_to_string(ground.root.join(".git/config")).unwrap().contains("evil"));
}

#[test]
fn protected_paths_that_do_not_exist_yet() {
    let mut ground = Ground::new();
    ground.spec.protected = vec!["secrets/key.bin".into(), "vendor/**".into(), "LICENSE".into()];
    for line in [
        "mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit",
        "git init -q && echo evil > .git/hooks/pre-commit",
        "echo 'gitdir: src' > .git",
        "mkdir .fwai && echo evil > .fwai/policy.yaml",
        "mkdir -p secrets && echo evil > secrets/key.bin",
        "mkdir -p vendor && echo evil > vendor/x.c",
        "echo evil > LICENSE",
        "rmdir .git; mkdir .git/hooks",
        "mv .fwai x && mkdir .fwai && touch .fwai/config.yaml",
        "ln -s src vendor",
    ] {
        ground.blocked(line);
    }
    let left: Vec<_> = fs::read_dir(&ground.root).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["src"], "the placeholders are gone with the commands");
}

#[test]
fn renaming_an_ancestor() {
    let mut ground = Ground::with_git();
    ground.spec.git_writes = true;
    ground.spec.protected = vec!["config/board/pins.h".into(), "*.pem".into()];
    fs::create_dir_all(ground.root.join("config/board")).unwrap();
    fs::create_dir_all(ground.root.join("deep/er")).unwrap();
    fs::write(ground.root.join("config/board/pins.h"), "pins").unwrap();
    fs::write(ground.root.join("deep/er/key.pem"), "key").unwrap();
    for line in [
        "mv .git .git2 && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit",
        "mv config config2",
        "mv config/board config/board2",
        "rm -rf config",
        "mv deep deep2",
        "echo evil > config/board/pins.h",
        "echo evil > deep/er/key.pem",
        "echo evil > .git/hooks/post-commit",
        "echo evil >> .git/config",
        "mkdir .git/modules/x",
        "echo evil > .git/info/attributes",
    ] {
        ground.blocked(line);
    }
    assert_eq!(fs::read_to_string(ground.root.join("config/board/pins.h")).unwrap(), "pins");
    // No placeholder can stand for this one, so it is taken away again.
    let finished = ground.shell("echo ../evil > .git/commondir");
    assert_eq!(finished.removed, [ground.root.join(".git/commondir")]);
    assert!(!ground.root.join(".git/commondir").exists());
}

#[test]
fn a_hard_link_planted_before() {
    let ground = Ground::with_git();
    fs::hard_link(ground.outside.join("treasure"), ground.root.join("src/planted")).unwrap();
    fs::hard_link(ground.root.join(".git/config"), ground.root.join("src/config")).unwrap();
    ground.blocked("echo evil > src/planted");
    ground.blocked("echo evil >> src/config");
    ground.blocked("truncate -s 0 src/planted");
    ground.blocked("chmod 777 src/planted");
    assert!(!fs::read_to_string(ground.root.join(".git/config")).unwrap().contains("evil"));
    // And none can be planted from inside.
    ground.blocked("ln ../outside/treasure src/mine");
    ground.blocked("ln .git/config src/mine && echo evil >> src/mine");
}

#[test]
fn symlinks_swapped_during_the_call() {
    let ground = Ground::new();
    let outside = ground.outside.display();
    let line = format!(
        "for i in $(seq 300); do mkdir -p d; echo evil > d/new & rm -rf d; ln -s {outside} d; echo evil > d/new; echo evil > d/treasure; rm -rf d; wait; done 2>/dev/null; true"
    );
    ground.works(&line);
    ground.untouched();
}

#[test]
fn protected_places_that_are_symlinks() {
    let mut ground = Ground::new();
    fs::create_dir_all(ground.root.join("real")).unwrap();
    fs::write(ground.root.join("real/policy.yaml"), "fine").unwrap();
    symlink("real", ground.root.join(".fwai")).unwrap();
    ground.spec.protected = vec!["alias/x".into()];
    symlink(&ground.outside, ground.root.join("alias")).unwrap();
    ground.blocked("echo evil > real/policy.yaml");
    ground.blocked("rm .fwai && mkdir .fwai");
    ground.blocked("rm alias && mkdir alias && echo evil > alias/x");
    assert_eq!(fs::read_to_string(ground.root.join("real/policy.yaml")).unwrap(), "fine");
}

#[test]
fn only_allowed_paths() {
    let mut ground = Ground::new();
    fs::create_dir_all(ground.root.join("docs")).unwrap();
    fs::write(ground.root.join("docs/a.md"), "a").unwrap();
    fs::write(ground.root.join("docs/b.txt"), "b").unwrap();
    ground.spec.allowed = Some(vec!["src/**".into(), "docs/*.md".into()]);
    ground.works("echo x > src/new.c && echo x > docs/a.md");
    ground.blocked("echo x > docs/b.txt");
    ground.blocked("echo x > README.md");
    ground.blocked("mkdir src/.git && false; mkdir .git");
}

#[test]
fn plan_mode_is_read_only() {
    let mut ground = Ground::with_git();
    ground.spec.read_only = true;
    for line in [
        "touch x",
        "echo evil > src/main.c",
        "rm src/main.c",
        "touch /tmp/x",
        "git commit -q --allow-empty -m x",
        "touch .git/x",
        "touch /dev/shm/x",
    ] {
        ground.blocked(line);
    }
    ground.works("cat src/main.c && git status --short && git log -1 && ls /tmp");
}

#[test]
fn secrets_are_unreadable() {
    let mut ground = Ground::new();
    let home = ground.outside.parent().unwrap().join("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id_ed25519"), "PRIVATE").unwrap();
    fs::write(home.join(".netrc"), "PRIVATE").unwrap();
    ground.spec.unreadable.extend([home.join(".ssh"), home.join(".netrc")]);
    let home = home.display();
    for line in [
        format!("cat {home}/.ssh/id_ed25519"),
        format!("ls {home}/.ssh/id_ed25519"),
        format!("cat {home}/.netrc"),
        format!("cd {home}/.ssh && cat *"),
        format!("cp {home}/.netrc x && grep PRIVATE x"),
        format!("ln -s {home}/.ssh s && cat s/id_ed25519"),
        "cat /etc/shadow".into(),
        "cat /etc/sudoers".into(),
    ] {
        ground.blocked(&line);
    }
}

#[test]
fn a_stream_from_outside_is_no_way_back() {
    let ground = Ground::new();
    let treasure = fs::File::open(ground.outside.join("treasure")).unwrap();
    let command = SandboxCommand::shell(
        "cat; echo evil > /proc/self/fd/0; echo evil > /dev/stdin; cd /proc/self/fd/0/.. && echo evil > new",
    )
    .stdin(Stdio::Fd(treasure.into()));
    let finished = ground.run(command);
    assert!(!finished.status.success(), "{}", text(&finished));
    assert!(finished.stdout.starts_with(b"untouched"));
    ground.untouched();
}

#[test]
fn set_id_programs_cannot_be_left_behind() {
    let ground = Ground::new();
    for line in ["cp /bin/sh x && chmod 4755 x", "cp /bin/sh y && chmod g+s y", "chmod u+s src/main.c"] {
        ground.blocked(line);
    }
    ground.python_blocked(
        "import os\ntry:\n  os.open('z', os.O_CREAT | os.O_WRONLY, 0o4755)\n  print('open', oct(os.stat('z').st_mode))\nexcept PermissionError: print('blocked')",
    );
    ground.works("cp /bin/true t && chmod 755 t && ./t && mkdir d && chmod 700 d");
}

#[test]
fn devices_are_absent() {
    let ground = Ground::new();
    for line in [
        "cat /dev/mem",
        "cat /dev/kmsg",
        "head -c1 /dev/vda",
        "ls /dev/kvm",
        "mknod disk b 254 0",
        "mknod null c 1 3",
        "echo x > /dev/tty0",
        "ls /dev/loop0",
        "touch /dev/new",
    ] {
        ground.blocked(line);
    }
    ground.works("echo x > /dev/null && head -c 4 /dev/urandom | wc -c && ls /dev/fd/ && echo x > /dev/shm/y && cat < /dev/zero | head -c 3 > z");
}

#[test]
fn paths_that_a_wildcard_protects_cannot_appear() {
    let mut ground = Ground::new();
    fs::create_dir(ground.root.join("keys")).unwrap();
    fs::write(ground.root.join("keys/old.pem"), "old").unwrap();
    ground.spec.protected = vec!["**/*.pem".into(), "conf/*.key".into(), "token.txt".into()];
    for (line, made) in [
        ("echo x > src/new.pem", "src/new.pem"),
        ("mkdir -p conf && echo x > conf/a.key", "conf/a.key"),
        ("mkdir -p a/b/c && echo x > a/b/c/deep.PEM", "a/b/c/deep.PEM"),
        ("echo x > y && mv y keys/moved.pem", "keys/moved.pem"),
        ("ln -s /etc/passwd src/link.pem", "src/link.pem"),
        ("ln src/main.c src/hard.pem", "src/hard.pem"),
        ("mkdir src/dir.pem && echo x > src/dir.pem/inside", "src/dir.pem"),
        ("(sleep 0.2; echo x > late.pem) & sleep 1", "late.pem"),
        ("mkdir sub && echo x > sub/token.txt", "sub/token.txt"),
    ] {
        let finished = ground.shell(line);
        assert!(fs::symlink_metadata(ground.root.join(made)).is_err(), "`{line}` left {made}");
        assert_eq!(finished.removed, [ground.root.join(made)], "`{line}`: {}", super::text(&finished));
    }
    for line in [
        "echo y > keys/old.pem",
        "rm keys/old.pem",
        "mv keys/old.pem x",
        "mv keys keys2",
        "echo x > token.txt",
    ] {
        ground.blocked(line);
    }
    assert_eq!(fs::read_to_string(ground.root.join("keys/old.pem")).unwrap(), "old");
    assert!(fs::read_to_string(ground.root.join("src/main.c")).unwrap().contains("main"));
}

#[test]
fn a_command_that_only_reads_can_write_nothing_but_its_own_tmp() {
    let mut ground = Ground::new();
    ground.spec.only_reads = true;
    ground.spec.writable = vec![ground.outside.clone()];
    for line in [
        "echo x > new",
        "rm src/main.c",
        "echo x >> src/main.c",
        "touch src/main.c",
        "mkdir .git",
        "echo x > ../outside/y",
    ] {
        ground.blocked(line);
    }
    assert_eq!(
        ground.works("cat src/main.c | sort > /tmp/sorted && cat /tmp/sorted").trim(),
        "int main(void) { return 0; }"
    );
    assert!(
        !ground.root.join(".git").exists() && !ground.root.join(".fwai").exists(),
        "not even a placeholder"
    );
}

#[test]
fn memory_file_systems_share_one_bound_and_no_path() {
    let ground = Ground::new();
    // One file system serves them all, and none can be reached through another.
    ground.works("echo a > /tmp/one && echo b > /dev/shm/two && test ! -e /tmp/two && test ! -e /dev/shm/one && test ! -e /var/tmp/one");
    ground.blocked("ls /tmp/../dev/0 || ls /dev/nothing || ls /dev/1");
    ground.blocked("echo x > /dev/new");
    ground.blocked("echo x > /tmp/x && ln /tmp/x /dev/shm/x");
    ground.blocked("echo x > /run/x");
}

#[test]
fn repositories_left_behind_run_no_programs() {
    let ground = Ground::with_git();
    for (line, gone) in [
        ("git init -q sub && git -C sub config core.fsmonitor 'touch x'", "sub/.git/config"),
        (
            "git init -q hooked && printf '#!/bin/sh\n' > hooked/.git/hooks/post-checkout && chmod +x hooked/.git/hooks/post-checkout",
            "hooked/.git/hooks/post-checkout",
        ),
        ("git init -q --bare bare && git -C bare config core.sshCommand x", "bare/config"),
        (
            "mkdir -p a/objects a/refs && echo ref: refs/heads/x > a/HEAD && printf '[alias]\\nst = !x\\n' > a/config",
            "a/config",
        ),
        // The parts of a repository, put together by `commondir`.
        (
            "mkdir -p b/objects b/refs c && printf '[include]\\npath = x\\n' > b/config && echo x > c/HEAD && echo ../b > c/commondir",
            "b/config",
        ),
        (
            "mkdir d && mkdir d/x && printf '[core]\\nhooksPath = x\\n' > d/x/config && mv d/x d/.GIT",
            "d/.GIT/config",
        ),
        ("mkdir e && echo gitdir: /var/lib/x > e/.git", "e/.git"),
        ("mkdir f && ln -s /var/lib/x f/.git", "f/.git"),
        ("git init -q g && ln -sf /etc/gitconfig g/.git/config", "g/.git/config"),
        ("git init -q h && rm -r h/.git/hooks && ln -s /usr/bin h/.git/hooks", "h/.git/hooks"),
        (
            "git init -q i && git init -q --bare i/.git/modules/deep/er && git -C i/.git/modules/deep/er config diff.external x",
            "i/.git/modules/deep/er/config",
        ),
        (
            "mkdir objects refs && echo ref: refs/heads/x > HEAD && printf '[core]\\nfsmonitor = x\\n' > config",
            "config",
        ),
    ] {
        let finished = ground.shell(line);
        assert!(fs::symlink_metadata(ground.root.join(gone)).is_err(), "`{line}` left {gone}");
        assert_eq!(finished.removed, [ground.root.join(gone)], "`{line}`: {}", super::text(&finished));
    }
    // One that was there before and gets its settings later.
    ground.works("mkdir -p later/objects later/refs && echo ref: refs/heads/x > later/HEAD");
    let finished = ground.shell("printf '[core]\\nfsmonitor = x\\n' > later/config");
    assert_eq!(finished.removed, [ground.root.join("later/config")]);
    // What build tools fetch stays.
    let finished = ground.shell(
        "git clone -q . build/copy && git -C build/copy config user.name x && git clone -q --bare . build/bare",
    );
    assert!(finished.status.success() && finished.removed.is_empty(), "{}", super::text(&finished));
    assert!(
        ground.root.join("build/copy/.git/config").exists() && ground.root.join("build/bare/config").exists()
    );
}
