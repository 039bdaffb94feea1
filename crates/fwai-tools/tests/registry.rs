//! Every tool of the list: names, schemas, examples that run, and readers that change nothing.

mod plain_tools;

use fwai_agent::registry::Registry;
use fwai_schema::config::Config;
use plain_tools::{context, tools_of};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

struct Bench {
    directory: tempfile::TempDir,
    registry: Registry,
}

fn bench() -> Bench {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("src")).unwrap();
    fs::write(directory.path().join("src/main.c"), "int main(void)\n{\n    return 0;\n}\n").unwrap();
    Bench { registry: tools_of(directory.path(), Config::default()), directory }
}

async fn call(bench: &Bench, name: &str, arguments: Value) -> fwai_agent::outcome::ToolOutcome {
    bench.registry.get(name).unwrap().run(arguments, context(bench.directory.path())).await.unwrap()
}

fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn names_and_schemas_are_what_every_wire_accepts() {
    let bench = bench();
    let mut seen = std::collections::BTreeSet::new();
    for tool in bench.registry.iter() {
        let name = tool.name();
        assert!(seen.insert(name.to_owned()), "{name} stands twice");
        assert!(
            name.len() <= 64
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        );
        assert!(!tool.description().is_empty() && tool.description().len() < 1_000, "{name}");
        assert!((1..=8).contains(&tool.generation()), "{name}");
        let schema = tool.input_schema();
        assert_eq!(schema["type"], "object", "{name}");
        assert!(!schema.to_string().contains("$ref"), "{name} has a $ref");
        assert!(!tool.examples().is_empty(), "{name} has no example");
    }
}

#[tokio::test]
async fn every_example_runs_and_readers_change_nothing() {
    let names: Vec<String> = bench().registry.names().map(str::to_owned).collect();
    for name in names {
        for example in bench().registry.get(&name).unwrap().examples() {
            let bench = bench();
            let before = tree(bench.directory.path());
            let outcome = call(&bench, &name, example.arguments.clone()).await;
            if let Err(why) = example.expect.check(&outcome) {
                panic!("{name}, {}: {why}", example.title);
            }
            if bench.registry.get(&name).unwrap().is_read_only() {
                assert_eq!(before, tree(bench.directory.path()), "{name} changed something");
            }
        }
    }
}

#[tokio::test]
async fn an_edit_keeps_line_ends_and_mark() {
    let bench = bench();
    let file = bench.directory.path().join("dos.c");
    fs::write(&file, b"\xef\xbb\xbfint a;\r\nint b;\r\n").unwrap();
    let edits = json!([{"old": "int a;\nint b;", "new": "int c;\nint d;"}]);
    let outcome = call(&bench, "edit_file", json!({"path": "dos.c", "edits": edits})).await;
    assert!(outcome.success, "{}", outcome.text());
    assert_eq!(fs::read(&file).unwrap(), b"\xef\xbb\xbfint c;\r\nint d;\r\n");
    assert_eq!(outcome.files_written, ["dos.c"]);
}

#[tokio::test]
async fn links_out_of_the_project_are_not_written_through() {
    let bench = bench();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "before").unwrap();
    std::os::unix::fs::symlink(&secret, bench.directory.path().join("link")).unwrap();
    std::os::unix::fs::symlink(outside.path(), bench.directory.path().join("dir")).unwrap();
    fs::hard_link(&secret, bench.directory.path().join("hard")).unwrap();
    for path in ["link", "dir/secret", "hard", "../x", "/etc/fwai-x", "src/../../x"] {
        let outcome = call(&bench, "write_file", json!({"path": path, "content": "after"})).await;
        assert!(!outcome.success, "{path}: {}", outcome.text());
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "before");
}

#[tokio::test]
async fn the_shell_keeps_its_directory_and_stops_floods() {
    let bench = bench();
    call(&bench, "bash", json!({"command": "cd src"})).await;
    assert!(call(&bench, "bash", json!({"command": "ls"})).await.text().contains("main.c"));
    call(&bench, "bash", json!({"command": "cd /"})).await;
    assert!(call(&bench, "bash", json!({"command": "pwd"})).await.text().ends_with("src"));
    let flood = call(&bench, "bash", json!({"command": "yes"})).await;
    assert!(!flood.success && flood.text().contains("MB of output"), "{}", flood.text().len());
    let slow = call(&bench, "bash", json!({"command": "sleep 60", "timeout_s": 1})).await;
    assert!(!slow.success && slow.text().contains("stopped after 1 s"));
}

/// One program with its arguments runs without a shell, and nobody can tell.
#[tokio::test]
async fn lines_of_one_program_do_what_a_shell_would_do() {
    use std::os::unix::fs::PermissionsExt;
    let bench = bench();
    let root = bench.directory.path().canonicalize().unwrap();
    fs::write(root.join("script"), "words=(one two); echo \"${#words[@]} of bash, $1\"\n").unwrap();
    fs::set_permissions(root.join("script"), fs::Permissions::from_mode(0o755)).unwrap();
    let run = async |command: &str| {
        let outcome = call(&bench, "bash", json!({"command": command})).await;
        (outcome.success, outcome.text().trim_end().to_owned())
    };
    let (success, text) = run("no-such-program --help").await;
    assert!(!success && text.contains("command not found") && text.contains("exit code 127"), "{text}");
    let (success, text) = run("./no-such-file").await;
    assert!(!success && text.contains("No such file") && text.contains("exit code 127"), "{text}");
    let (success, text) = run("./src").await;
    assert!(!success && text.contains("Is a directory") && text.contains("exit code 126"), "{text}");
    assert_eq!(run("./script 'a  b'").await, (true, "2 of bash, a  b".to_owned()));
    assert_eq!(run("printenv PWD").await, (true, root.display().to_string()));
    assert_eq!(run("cat src/main.c").await.1.lines().count(), 4);
    assert_eq!(run("grep -c return \"src/main.c\"").await, (true, "1".to_owned()));
    assert!(run("grep absent src/main.c").await.1.contains("exit code 1"));
    run("cd src").await;
    assert_eq!(run("printenv PWD").await, (true, root.join("src").display().to_string()));
    assert!(run("timeout -s SEGV 0.05 sleep 60").await.1.contains("exit code 124"));
}

#[tokio::test]
async fn a_job_runs_on_and_can_be_read_and_ended() {
    let bench = bench();
    let started = call(&bench, "bash", json!({"command": "echo one; sleep 60", "background": true})).await;
    assert!(started.text().contains("job1"));
    let first = call(&bench, "bash_output", json!({"job": "job1", "wait_s": 20})).await;
    assert!(first.text().contains("one") && first.text().contains("still running"), "{}", first.text());
    assert!(call(&bench, "kill_job", json!({"job": "job1"})).await.success);
    assert!(!call(&bench, "bash_output", json!({"job": "job1"})).await.success);
}

#[tokio::test]
async fn binary_and_huge_files_are_read_with_care() {
    let bench = bench();
    fs::write(bench.directory.path().join("a.elf"), b"\x7fELF\0\0\0\x01").unwrap();
    assert!(call(&bench, "read_file", json!({"path": "a.elf"})).await.text().contains("7f 45 4c 46"));
    let line = "x".repeat(99) + "\n";
    fs::write(bench.directory.path().join("huge.log"), line.repeat(100_000)).unwrap();
    let part = call(&bench, "read_file", json!({"path": "huge.log", "offset": 99_999, "limit": 5})).await;
    assert!(part.text().starts_with(" 99999\t") && part.text().lines().count() == 2, "{}", part.text());
    let behind = call(&bench, "read_file", json!({"path": "huge.log", "offset": 200_000})).await;
    assert!(behind.text().contains("100000 lines"));
}
