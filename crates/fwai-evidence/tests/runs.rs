//! Runs on a real disk and in a real git repository.

use std::{fs, path::Path, process::Command, sync::Arc};

use fwai_evidence::{
    redact::Redacted,
    runs::{ChangeBudget, RunOptions, RunStore, ToolRecord, find_run, list_runs, load_evidence},
};
use fwai_schema::{evidence::*, message::Usage};

fn store(root: &Path) -> RunStore {
    RunStore::open(root, RunOptions::new(root.join("home"))).unwrap()
}

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_run_records_tools_with_logs_calls_and_images() {
    let project = tempfile::tempdir().unwrap();
    let mut run = store(project.path()).create_run("build").unwrap();
    run.begin("build_and_test").unwrap();
    run.begin_tool("build", "cmake --build build").unwrap();
    run.add_tool(
        ToolRecord::new("build", "cmake --build build", Some(0)).duration_ms(2100),
        Some(b"[100%] done\n"),
    )
    .unwrap();
    run.add_tool(ToolRecord::new("build", "cmake --build build", Some(2)), Some(b"error\n")).unwrap();
    let usage = Usage { input_tokens: 1234, output_tokens: 567, ..Usage::default() };
    for cost_usd in [Some(0.0042), Some(0.0042)] {
        let call = LlmCall { purpose: "free_chat".into(), usage, start_time: None, duration_ms: 1, cost_usd };
        run.add_llm_call("anthropic", "claude", call).unwrap();
    }
    let ended = run.end(RunStatus::Success).unwrap();
    let evidence = load_evidence(project.path(), &ended.run_id).unwrap();
    assert_eq!(evidence, ended.evidence);
    assert_eq!((evidence.skill.as_str(), evidence.status), ("build_and_test", RunStatus::Success));
    assert_eq!(evidence.tools[0].log_file.as_deref(), Some("build.log"));
    assert_eq!(evidence.tools[1].log_file.as_deref(), Some("build-2.log"));
    assert_eq!(evidence.tools[1].status, RunStatus::Failure);
    assert_eq!(fs::read(ended.directory.join("build.log")).unwrap(), b"[100%] done\n");
    let llm = evidence.llm.unwrap();
    assert_eq!(
        (llm.total_input_tokens, llm.total_output_tokens, llm.estimated_cost_usd),
        (2468, 1134, Some(0.0084))
    );
}

#[test]
fn a_run_that_is_dropped_is_interrupted_and_says_what_was_at_work() {
    let project = tempfile::tempdir().unwrap();
    let mut run = store(project.path()).create_run("flash").unwrap();
    run.begin("flash").unwrap();
    run.begin_tool("openocd", "openocd -f board.cfg").unwrap();
    let id = run.id().to_owned();
    assert_eq!(load_evidence(project.path(), &id).unwrap().status, RunStatus::Running);
    drop(run);
    let evidence = load_evidence(project.path(), &id).unwrap();
    assert_eq!(evidence.status, RunStatus::Interrupted);
    assert_eq!(evidence.tools[0].command, "openocd -f board.cfg");
    assert_eq!(evidence.tools[0].status, RunStatus::Interrupted);
    assert_eq!(list_runs(project.path()).unwrap()[0].status, RunStatus::Interrupted);
}

#[test]
fn changes_count_untracked_files_and_leave_the_index_alone() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path();
    git(root, &["init", "-q"]);
    fs::write(root.join("main.c"), "int main(void) { return 0; }\n").unwrap();
    fs::write(root.join(".gitignore"), "build/\nhome/\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "first"]);
    fs::write(root.join("main.c"), "int main(void)\n{ return 1; }\n").unwrap();
    fs::write(root.join("neu ü.c"), "a\nb\n").unwrap();
    fs::create_dir(root.join("out")).unwrap();
    fs::write(root.join("out/firmware.elf"), b"\x7fELF\0\0").unwrap();
    fs::create_dir_all(root.join(".fwai/undo/objects")).unwrap();
    fs::write(root.join(".fwai/undo/objects/one"), "fwai's own record\n").unwrap();
    let mut options = RunOptions::new(root.join("home"));
    options.budget = ChangeBudget { max_files: Some(2), max_lines: Some(4) };
    let store = RunStore::open(root, options).unwrap();
    let mut run = store.create_run("turn").unwrap();
    let changes = run.add_changes(&["out".to_owned()]).unwrap().unwrap();
    assert_eq!(changes.files, ["main.c", "neu ü.c"]);
    assert_eq!((changes.files_changed, changes.lines_added, changes.lines_removed), (2, 4, 1));
    assert!(!changes.within_budget, "five lines are more than four");
    let diff = fs::read_to_string(run.directory().join("changes.diff")).unwrap();
    assert!(diff.contains("+{ return 1; }") && diff.contains("+b"), "{diff}");
    let status = Command::new("git").arg("-C").arg(root).args(["status", "--porcelain"]).output().unwrap();
    assert!(String::from_utf8_lossy(&status.stdout).contains("?? out/"), "the index was touched");
}

#[test]
fn nothing_is_written_before_it_was_redacted() {
    let project = tempfile::tempdir().unwrap();
    let mut options = RunOptions::new(project.path().join("home"));
    options.redactor = Arc::new(|text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let hits = text.matches("hunter2").count();
        Redacted {
            text: text.replace("hunter2", "[REDACTED]").into_bytes(),
            rules: vec!["test".into(); hits],
        }
    });
    let mut run = RunStore::open(project.path(), options).unwrap().create_run("exec").unwrap();
    run.add_tool(ToolRecord::new("bash", "login hunter2", Some(0)), Some(b"password hunter2\n")).unwrap();
    run.write_file("notes.txt", b"hunter2").unwrap();
    let ended = run.end(RunStatus::Success).unwrap();
    let security = ended.evidence.security.unwrap();
    assert!(security.redacted >= 3, "{security:?}");
    for entry in fs::read_dir(&ended.directory).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains("hunter2"), "{}: {text}", path.display());
    }
}

#[test]
fn runs_in_the_same_second_get_their_own_directories() {
    let project = tempfile::tempdir().unwrap();
    let store = store(project.path());
    let ids: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..16)
            .map(|_| {
                let store = store.clone();
                scope
                    .spawn(move || store.create_run("build").unwrap().end(RunStatus::Success).unwrap().run_id)
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 16);
    assert_eq!(list_runs(project.path()).unwrap().len(), 16);
}

/// Several commands fit into a second, and their names have another order than they.
#[test]
fn the_newest_run_is_the_one_that_began_last() {
    struct Steps(std::sync::atomic::AtomicI64);
    impl fwai_evidence::runs::Clock for Steps {
        fn now(&self) -> jiff::Timestamp {
            let milliseconds = self.0.fetch_add(7, std::sync::atomic::Ordering::Relaxed);
            jiff::Timestamp::from_millisecond(milliseconds).unwrap()
        }
    }
    let root = tempfile::tempdir().unwrap();
    let mut options = RunOptions::new(root.path().join("home"));
    options.clock = std::sync::Arc::new(Steps(1_800_000_000_000.into()));
    let store = RunStore::open(root.path(), options).unwrap();
    for label in ["monitor", "build", "turn", "debug"] {
        store.create_run(label).unwrap().end(RunStatus::Success).unwrap();
    }
    let listed: Vec<String> =
        list_runs(root.path()).unwrap().into_iter().map(|run| run.run_id[16..].to_owned()).collect();
    assert_eq!(listed, ["debug", "turn", "build", "monitor"]);
    assert!(find_run(root.path(), "latest").unwrap().unwrap().ends_with("debug"));
    assert!(find_run(root.path(), "build").unwrap().unwrap().ends_with("build"));
}
