//! What must go on working behind the walls.

use super::Ground;
use std::fs;

#[test]
fn make_and_the_compiler() {
    let ground = Ground::new();
    fs::write(
        ground.root.join("Makefile"),
        "build/app: src/main.c\n\tmkdir -p build\n\tcc -O1 -o $@ $<\nclean:\n\trm -rf build\n",
    )
    .unwrap();
    ground.works("make -j2 && ./build/app && make clean && test ! -e build");
}

#[test]
fn the_cross_compiler_and_cmake() {
    let ground = Ground::new();
    ground.works("arm-none-eabi-gcc -mcpu=cortex-m3 -c src/main.c -o main.o && arm-none-eabi-size main.o");
    let cmake = "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(app src/main.c)\n";
    fs::write(ground.root.join("CMakeLists.txt"), cmake).unwrap();
    ground.works("cmake -S . -B build -G Ninja > /dev/null && cmake --build build && ./build/app");
}

#[test]
fn git_reads_and_commits_if_allowed() {
    let mut ground = Ground::with_git();
    ground.works("echo '// x' >> src/main.c && git status --short && git diff --stat && git log --oneline");
    ground.blocked("git commit -qam second");
    ground.spec.git_writes = true;
    ground.works(
        "git commit -qam second && git branch other && git checkout -q other && git tag v1 && git stash list",
    );
    assert!(ground.works("git log --oneline").contains("second"));
    ground.works("git gc -q && git fsck");
}

#[test]
fn temporary_files_pipes_and_terminals() {
    let ground = Ground::new();
    ground.works("f=$(mktemp) && seq 200000 | sort -r -S 1M > $f && head -1 $f && cat <<EOF > src/h.c\n$(seq 30000)\nEOF");
    ground.works("python3 -c 'import tempfile, subprocess, multiprocessing as m; tempfile.TemporaryFile(); print(m.Pool(2).map(abs, [1, -2]))'");
    ground.works("mkfifo p && (echo x > p &) && cat p && script -qc 'tty' /dev/null");
}

#[test]
fn writable_directories_outside() {
    let mut ground = Ground::new();
    let cache = ground.outside.parent().unwrap().join("ccache");
    fs::create_dir_all(&cache).unwrap();
    ground.spec.writable = vec![cache.clone(), "/does/not/exist".into()];
    ground.works(&format!("echo x > {}/object && mkdir {}/d", cache.display(), cache.display()));
    ground.blocked("echo evil > ../outside/treasure");
    assert!(cache.join("object").exists());
}

#[test]
fn cargo_builds() {
    let ground = Ground::new();
    fs::write(
        ground.root.join("Cargo.toml"),
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    )
    .unwrap();
    fs::write(ground.root.join("src/main.rs"), "fn main() { println!(\"hi\"); }\n").unwrap();
    assert_eq!(ground.works("env -u RUSTC_WRAPPER -u CARGO_TARGET_DIR cargo run -q --offline"), "hi\n");
}

#[test]
fn many_sandboxes_at_once() {
    let ground = Ground::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    ground.works("echo x > src/t.$RANDOM && ! mkdir .git/hooks 2>/dev/null");
                }
            });
        }
    });
    assert!(!ground.root.join(".git").exists());
}
