//! The interactive session: fed by a pipe, and on a real pseudo-terminal.

use assert_cmd::Command;
use fwai_testkit::model_server::{ModelServer, Turn};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::json;
use std::{
    io::{Read, Write},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

struct Bench {
    directory: tempfile::TempDir,
    server: ModelServer,
}

impl Bench {
    fn new(turns: Vec<Turn>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(directory.path().join("project")).unwrap();
        Self { directory, server: ModelServer::start(turns) }
    }

    fn variables(&self) -> Vec<(String, String)> {
        let home = self.directory.path().display().to_string();
        [
            ("PATH", std::env::var("PATH").unwrap()),
            ("HOME", home.clone()),
            ("FWAI_HOME", format!("{home}/user")),
            ("FWAI_PROVIDER", "openai".into()),
            ("FWAI_BASE_URL", self.server.url().to_string()),
            ("OPENAI_API_KEY", "sk-test-0123456789abcdefghijklmn".into()),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    fn piped(&self, input: &str) -> (String, String, Option<i32>) {
        let mut command = Command::cargo_bin("fwai").unwrap();
        command.env_clear().envs(self.variables()).current_dir(self.directory.path().join("project"));
        let output = command.write_stdin(input).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    }
}

#[test]
fn a_pipe_feeds_words_commands_and_answers() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "int a;\n"})),
        Turn::text("written"),
        Turn::text("still here"),
    ]);
    let (out, told, code) =
        bench.piped("/mode ask\nwrite a file\ny\n/cost\nare you there?\n/quit\nnever read\n");
    assert_eq!(code, Some(0), "{told}");
    assert!(out.contains("written") && out.contains("still here") && out.contains("cost"), "{out}");
    assert!(told.contains("write a.c"), "{told}");
    assert_eq!(std::fs::read_to_string(bench.directory.path().join("project/a.c")).unwrap(), "int a;\n");
    assert_eq!(bench.server.requests().len(), 3, "one session, and nothing after /quit");
}

#[test]
fn a_denied_permission_leaves_the_file_alone_and_a_typo_gets_a_guess() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "x"})),
        Turn::text("then not"),
    ]);
    let (out, told, _) = bench.piped("/mode ask\nwrite\nn\n/hepl\n");
    assert!(out.contains("then not"), "{out}");
    assert!(told.contains("did you mean /help"), "{told}");
    assert!(!bench.directory.path().join("project/a.c").exists());
}

#[test]
fn the_last_failed_command_of_a_script_is_its_exit_code() {
    let bench = Bench::new(Vec::new());
    assert_eq!(bench.piped("/config get no.such.key\n").2, Some(2));
    assert_eq!(bench.piped("/config get no.such.key\n/config path\n").2, Some(0));
}

/// A terminal with the program in it.
struct Terminal {
    screen: Arc<Mutex<String>>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Terminal {
    fn open(bench: &Bench, term: &str, columns: u16) -> Self {
        let size = PtySize { rows: 24, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin("fwai"));
        command.env_clear();
        for (name, value) in bench.variables() {
            command.env(name, value);
        }
        command.env("TERM", term);
        command.cwd(bench.directory.path().join("project"));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(String::new()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let (seen, answer) = (screen.clone(), writer.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
                // The line editor asks where the cursor is; a terminal answers.
                for _ in text.matches("\x1b[6n") {
                    let _ = answer.lock().unwrap().write_all(b"\x1b[1;1R");
                }
                seen.lock().unwrap().push_str(&text);
            }
        });
        Self { screen, writer: Box::new(Shared(writer)), child, _master: pair.master }
    }

    fn wait_for(&self, text: &str) {
        let start = Instant::now();
        while !self.screen.lock().unwrap().contains(text) {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "no `{text}` in:\n{}",
                self.screen.lock().unwrap()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn type_in(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

struct Shared(Arc<Mutex<Box<dyn Write + Send>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.lock().unwrap().flush()
    }
}

#[test]
fn on_a_terminal_one_key_answers_and_quit_leaves() {
    let bench = Bench::new(vec![
        Turn::tool("write_file", json!({"path": "a.c", "content": "x"})),
        Turn::text("all done"),
    ]);
    for (term, columns) in [("xterm-256color", 80), ("xterm-256color", 24)] {
        let mut terminal = Terminal::open(&bench, term, columns);
        terminal.wait_for("fwai");
        terminal.type_in("/cost\r");
        terminal.wait_for("cost");
        terminal.type_in("/quit\r");
        let start = Instant::now();
        while terminal.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "{}", terminal.screen.lock().unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let mut terminal = Terminal::open(&bench, "xterm-256color", 100);
    terminal.wait_for("/help");
    terminal.type_in("/mode ask\r");
    terminal.wait_for("mode: ask");
    terminal.type_in("write it\r");
    terminal.wait_for("yes, once");
    terminal.type_in("y");
    terminal.wait_for("all done");
    assert!(bench.directory.path().join("project/a.c").exists());
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let bench = Bench::new(vec![Turn::text("plain words")]);
    let mut terminal = Terminal::open(&bench, "dumb", 80);
    terminal.wait_for("/help");
    terminal.type_in("hello\n");
    terminal.wait_for("plain words");
    assert!(!terminal.screen.lock().unwrap().contains('\x1b'), "{:?}", terminal.screen.lock().unwrap());
}
