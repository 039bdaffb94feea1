//! What a hostile project, command or server puts before the tools that run in fwai's own process: pipes that
//! never end, files without end, the process's own secrets, pages that are nothing but depth.

mod plain_tools;

use fwai_agent::{outcome::ToolOutcome, registry::Registry};
use fwai_schema::config::Config;
use plain_tools::{context, tools_of};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read, Write},
    path::PathBuf,
    process::Command,
    sync::Arc,
    time::Duration,
};

struct Ground {
    _directory: tempfile::TempDir,
    root: PathBuf,
    registry: Arc<Registry>,
}

impl Ground {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/main.c"), "int main(void)\n{\n    return 0;\n}\n").unwrap();
        let mut config = Config::default();
        config.policy.network.allow_private = true;
        Self { _directory: directory, registry: Arc::new(tools_of(&root, config)), root }
    }

    /// The tool's answer; a tool that does not come back in time is a failed test.
    fn call(&self, tool: &str, arguments: Value) -> ToolOutcome {
        let (registry, name) = (self.registry.clone(), tool.to_owned());
        let context = context(&self.root);
        let (send, receive) = std::sync::mpsc::channel();
        let called = name.clone();
        std::thread::spawn(move || {
            let tool = registry.get(&called).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let outcome = runtime.block_on(tool.run(arguments, context)).unwrap();
            let _ = send.send(outcome);
        });
        receive.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{name} does not come back"))
    }

    fn sh(&self, line: &str) {
        assert!(Command::new("sh").args(["-c", line]).current_dir(&self.root).status().unwrap().success());
    }
}

#[test]
fn ignore_files_that_are_pipes_hold_nobody() {
    for place in [".gitignore", ".ignore", "src/.gitignore", "src/.ignore", "src/deep/.gitignore"] {
        let ground = Ground::new();
        fs::create_dir(ground.root.join("src/deep")).unwrap();
        fs::write(ground.root.join("src/deep/x.c"), "int x;\n").unwrap();
        ground.sh(&format!("mkfifo {place}"));
        for (tool, arguments) in [
            ("grep", json!({"pattern": "main"})),
            ("grep", json!({"pattern": "x", "path": "src/deep"})),
            ("glob", json!({"pattern": "**/*.c"})),
            ("list_directory", json!({"depth": 3})),
        ] {
            let outcome = ground.call(tool, arguments);
            let said = outcome.text();
            assert!(!outcome.success || !said.is_empty(), "{place} {tool}: {said}");
        }
    }
}

#[test]
fn pipes_in_place_of_files_hold_nobody() {
    let ground = Ground::new();
    ground.sh("mkfifo pipe src/pipe.c");
    for (tool, arguments) in [
        ("read_file", json!({"path": "pipe"})),
        ("edit_file", json!({"path": "pipe", "edits": [{"old": "a", "new": "b"}]})),
        ("write_file", json!({"path": "pipe", "content": "x"})),
        ("list_directory", json!({"path": "pipe"})),
    ] {
        assert!(!ground.call(tool, arguments).success, "{tool}");
    }
    assert!(ground.call("grep", json!({"pattern": "main"})).text().contains("src/main.c"));
    assert!(ground.call("grep", json!({"pattern": "main", "path": "pipe"})).text().contains("nothing"));
}

#[test]
fn a_file_swapped_for_a_pipe_meanwhile_holds_nobody() {
    let ground = Ground::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    ground.sh("mkfifo pipe && cp src/main.c file && cp src/main.c kept");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let at = |name: &str| ground.root.join(name);
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = fs::rename(at("file"), at("away"));
                let _ = fs::rename(at("pipe"), at("file"));
                let _ = fs::rename(at("file"), at("pipe"));
                let _ = fs::rename(at("away"), at("file"));
            }
        });
        for _ in 0..300 {
            ground.call("read_file", json!({"path": "file"}));
            ground.call("grep", json!({"pattern": "main"}));
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn files_without_end_are_not_taken_into_memory() {
    let ground = Ground::new();
    ground.sh("truncate -s 3G sparse.bin && truncate -s 3G src/sparse.c && printf 'int needle;' | dd of=src/late.c bs=1 seek=3000000000 2>/dev/null");
    let before = peak_memory();
    for (tool, arguments) in [
        ("read_file", json!({"path": "sparse.bin"})),
        ("edit_file", json!({"path": "src/sparse.c", "edits": [{"old": "a", "new": "b"}]})),
        ("write_file", json!({"path": "sparse.bin", "content": "short"})),
        ("grep", json!({"pattern": "needle"})),
    ] {
        let outcome = ground.call(tool, arguments);
        assert!(outcome.text().len() < 10_000, "{tool}");
    }
    assert!(peak_memory() - before < 300 << 10, "{} kB", peak_memory() - before);
}

/// In kilobytes.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn the_secrets_of_running_processes_cannot_be_read() {
    let ground = Ground::new();
    let pid = std::process::id();
    for path in [
        "/proc/self/environ".to_owned(),
        format!("/proc/{pid}/environ"),
        format!("/proc/{pid}/task/{pid}/environ"),
        format!("/proc/{pid}/root/proc/{pid}/environ"),
        "/proc/thread-self/environ".to_owned(),
        "/proc/self/mem".to_owned(),
        "/proc/self/maps".to_owned(),
    ] {
        let outcome = ground.call("read_file", json!({"path": path}));
        assert!(!outcome.success && outcome.text().contains("secrets"), "{path}: {}", outcome.text());
        std::os::unix::fs::symlink(&path, ground.root.join("link")).unwrap();
        assert!(!ground.call("read_file", json!({"path": "link"})).success, "{path} by a link");
        fs::remove_file(ground.root.join("link")).unwrap();
    }
    let outcome =
        ground.call("grep", json!({"pattern": "PATH=", "path": format!("/proc/{pid}"), "hidden": true}));
    assert!(!outcome.text().contains("environ"), "{}", outcome.text());
    assert!(ground.call("read_file", json!({"path": "/proc/cpuinfo"})).success);
}

#[test]
fn deep_trees_and_strange_names_are_shown_in_one_line_each() {
    let ground = Ground::new();
    let deep: String = "d/".repeat(1500);
    fs::create_dir_all(ground.root.join(&deep)).unwrap();
    fs::write(ground.root.join(&deep).join("deep.c"), "int deep;\n").unwrap();
    fs::write(ground.root.join("a\nb\u{1b}[2Jc\u{202e}.c"), "int strange;\n").unwrap();
    assert!(ground.call("grep", json!({"pattern": "deep"})).text().contains("deep.c"));
    for (tool, arguments) in [
        ("list_directory", json!({})),
        ("glob", json!({"pattern": "*.c"})),
        ("grep", json!({"pattern": "strange"})),
    ] {
        let outcome = ground.call(tool, arguments);
        let said = outcome.text();
        assert!(said.contains("a\\nb\\u{1b}[2Jc\\u{202e}.c"), "{tool}: {said:?}");
        assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{tool}: {said:?}");
    }
}

/// Answers one request with this page, however large.
fn serve(page: String) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
            page.len()
        );
    });
    format!("http://{address}/")
}

#[test]
fn a_page_of_nothing_but_depth_ends_nobody() {
    let ground = Ground::new();
    for element in ["div", "b", "ul><li", "blockquote", "table><tr><td", "font"] {
        let url = serve(format!("<p>before</p>{}deep", format!("<{element}>").repeat(60_000)));
        let outcome = ground.call("web_fetch", json!({"url": url}));
        assert!(
            outcome.text().contains("before"),
            "{element}: {}",
            &outcome.text()[..200.min(outcome.text().len())]
        );
    }
}
