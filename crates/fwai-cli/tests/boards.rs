//! `fwai board`, `flash`, `monitor` and `debug` as a user runs them: the real program, QEMU, GDB and gcc.

use serde_json::Value;
use std::{
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fwai-firmware/tests/fixtures/firmware");
const BOARD: &str = "stm32vldiscovery";

/// A project of a user with a home of its own. Dropping it ends its QEMU, also when a test panics.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("project/.fwai")).unwrap();
        let project = "name: fixture\ntarget:\n  board: stm32vldiscovery # chosen by hand\nboot:\n  success_patterns: ['boot ok']\n";
        std::fs::write(folder.path().join("project/.fwai/project.yaml"), project).unwrap();
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
        command.args(arguments).current_dir(self.root()).env("FWAI_HOME", self.folder.path().join("home"));
        for name in ["CI", "GITHUB_ACTIONS", "GITLAB_CI", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs with `--json`: exit code and the one object.
    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.run(&[arguments, &["--json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {text}{}", String::from_utf8_lossy(&output.stderr))
        });
        (output.status.code().unwrap(), value)
    }

    /// Flashes without asking for a build on record.
    fn flash(&self, elf: &Path) {
        let guard = "policy.flash_guard.require_build_success=false";
        let (code, flashed) = self.json(&["flash", elf.to_str().unwrap(), "--yes", "--set", guard]);
        assert_eq!(code, 0, "{flashed}");
        assert_eq!(flashed["proof"]["method"], "readback");
        assert_eq!(flashed["proof"]["ok"], true);
        assert_eq!(flashed["status"], "success");
        assert_eq!(flashed["board"], BOARD);
    }

    fn firmware(&self, name: &str, defines: &[&str]) -> PathBuf {
        let script = std::fs::read_to_string(format!("{SOURCES}/link.ld")).unwrap();
        let script = script
            .replace("@FLASH@", "ORIGIN = 0x08000000, LENGTH = 128K")
            .replace("@RAM@", "ORIGIN = 0x20000000, LENGTH = 8K");
        let script_path = self.root().join("link.ld");
        std::fs::write(&script_path, script).unwrap();
        let elf = self.root().join(name);
        let status = Command::new("arm-none-eabi-gcc")
            .current_dir(SOURCES)
            .args([
                "-mcpu=cortex-m3",
                "-mthumb",
                "-Og",
                "-g",
                "-ffreestanding",
                "-nostdlib",
                "-Wl,--build-id",
            ])
            .arg(format!("-Wl,-T,{}", script_path.display()))
            .args(["-DBOARD_STM32VLDISCOVERY"])
            .args(defines)
            .args(["start.c", "main.c", "-o"])
            .arg(&elf)
            .status()
            .expect("arm-none-eabi-gcc is installed by `cargo xtask setup`");
        assert!(status.success());
        elf
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for board in [BOARD, "lm3s6965evb"] {
            let _ = self.run(&["board", "power", "off", board]);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn boards_are_listed_chosen_and_described() {
    let desk = Desk::new();
    let (code, list) = desk.json(&["board", "list"]);
    assert_eq!(code, 0);
    let names: Vec<&str> =
        list["boards"].as_array().unwrap().iter().map(|board| board["name"].as_str().unwrap()).collect();
    assert_eq!(names, [BOARD, "netduinoplus2", "mps2-an385", "lm3s6965evb", "microbit"]);
    assert!(list["boards"].as_array().unwrap().iter().all(|board| {
        board["kind"] == "virtual"
            && board["state"] == "off"
            && board["chip"].as_str().is_some_and(|chip| !chip.is_empty())
    }));
    let (code, used) = desk.json(&["board", "use", "microbit"]);
    assert_eq!((code, used["board"].as_str()), (0, Some("microbit")));
    let file = std::fs::read_to_string(desk.root().join(".fwai/project.yaml")).unwrap();
    assert!(file.contains("board: microbit # chosen by hand"), "comments stay: {file}");
    let (_, info) = desk.json(&["board", "info"]);
    assert_eq!(info["chip"], "nRF51822");
    let wrong = desk.run(&["board", "use", "microbot"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean `microbit`?"));
}

#[test]
fn the_guard_refuses_what_no_build_made_and_what_does_not_fit() {
    let desk = Desk::new();
    let elf = desk.firmware("app.elf", &[]);
    let refused = desk.run(&["flash", "app.elf", "--yes"]);
    assert_eq!(refused.status.code(), Some(3), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("fwai build"));
    let (code, object) = desk.json(&["flash", "app.elf", "--yes"]);
    assert_eq!((code, object["status"].as_str()), (3, Some("denied")));
    assert!(object["run_id"].is_string() && object["error"]["message"].is_string(), "{object}");
    let guard = "policy.flash_guard.require_build_success=false";
    let misfit = desk.run(&["flash", elf.to_str().unwrap(), "--board", "microbit", "--yes", "--set", guard]);
    assert_eq!(misfit.status.code(), Some(1));
    assert!(text(&misfit.stderr).contains("armv7"), "{}", text(&misfit.stderr));
    let none = desk.run(&["monitor", "--for", "1s"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("fwai flash"), "{}", text(&none.stderr));
}

#[test]
fn flash_monitor_debug_fault_fix_boot() {
    let desk = Desk::new();
    let good = desk.firmware("good.elf", &[]);
    let bad = desk.firmware("bad.elf", &["-DVARIANT_FAULT"]);
    desk.flash(&good);
    let (code, seen) = desk.json(&["monitor", "--until", "boot ok", "--for", "20s"]);
    assert_eq!((code, seen["boot"]["status"].as_str()), (0, Some("success")));
    let log = desk.root().join(seen["log_file"].as_str().unwrap());
    assert!(std::fs::read_to_string(log).unwrap().contains("fixture boot ok"));
    let (code, debugged) = desk.json(&[
        "debug",
        "--elf",
        "good.elf",
        "-c",
        "break main",
        "-c",
        "continue",
        "-c",
        "backtrace",
        "-c",
        "print boots",
    ]);
    assert_eq!(code, 0, "{debugged}");
    let steps = debugged["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["ok"] == true));
    assert!(steps[2]["result"].as_str().unwrap().contains("main"));
    assert_eq!(steps[3]["result"], "boots = 41");

    desk.flash(&bad);
    let (code, seen) = desk.json(&["monitor", "--until", "boot ok", "--for", "20s", "--elf", "bad.elf"]);
    assert_eq!((code, seen["boot"]["status"].as_str()), (1, Some("failure")));
    assert!(seen["explanations"][0]["summary"].as_str().unwrap().contains("read_sensor"), "{seen}");
    let (code, wrong) = desk.json(&["debug", "--elf", "good.elf", "-c", "backtrace"]);
    assert_ne!(code, 0);
    assert!(wrong["error"]["message"].as_str().unwrap().contains("is not what board"), "{wrong}");
    let witness = desk.root().join("witness");
    let escape = format!("--command=shell touch {}", witness.display());
    let (code, _) = desk.json(&["debug", "--elf", "bad.elf", "--target-only", &escape]);
    assert_eq!((code, witness.exists()), (1, false), "a model stays inside the debugger");
    let (code, decoded) = desk.json(&["debug", "--elf", "bad.elf", "-c", "decode_fault"]);
    assert_eq!(code, 0);
    assert!(decoded["steps"][0]["result"].as_str().unwrap().contains("main.c:51"), "{decoded}");

    desk.flash(&good);
    let (code, _) = desk.json(&["monitor"]);
    assert_eq!(code, 0, "the project's own boot pattern decides");
    let (code, listed) = desk.json(&["evidence", "list"]);
    assert_eq!(code, 0);
    let kinds = listed.to_string();
    assert!(kinds.contains("flash") && kinds.contains("monitor") && kinds.contains("debug"), "{kinds}");
}

#[test]
fn a_boot_that_never_comes_says_where_the_core_is_and_a_silent_board_can_be_reset() {
    let desk = Desk::new();
    let elf = desk.firmware("silent.elf", &["-DVARIANT_SILENT"]);
    desk.flash(&elf);
    let (code, seen) = desk.json(&["monitor", "--until", "boot ok", "--for", "500ms", "--elf", "silent.elf"]);
    assert_eq!((code, seen["boot"]["status"].as_str()), (1, Some("timeout")));
    assert!(seen["core"].as_str().unwrap().contains("in main ("), "{seen}");
    let (code, reset) = desk.json(&["board", "reset"]);
    assert_eq!((code, reset["state"].as_str()), (0, Some("running")));
    let (code, off) = desk.json(&["board", "power", "off"]);
    assert_eq!((code, off["state"].as_str()), (0, Some("off")));
}

#[test]
fn sending_gets_an_answer_and_bad_patterns_are_told() {
    let desk = Desk::new();
    desk.flash(&desk.firmware("app.elf", &[]));
    let (code, seen) =
        desk.json(&["monitor", "--send", "marco polo", "--until", "marco polo", "--for", "20s"]);
    assert_eq!((code, seen["boot"]["matched"].as_str()), (0, Some("marco polo")));
    let wrong = desk.run(&["monitor", "--until", "(", "--for", "1s"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("regular expression"));
    let wrong = desk.run(&["monitor", "--for", "soon"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// The whole path as a user walks it, with `fwai build` in it.
#[test]
fn build_flash_prove_monitor_break_fault_fix_boot() {
    let desk = Desk::new();
    for file in ["start.c", "main.c", "uart.h"] {
        std::fs::copy(format!("{SOURCES}/{file}"), desk.root().join(file)).unwrap();
    }
    desk.firmware("unused.elf", &[]);
    std::fs::remove_file(desk.root().join("unused.elf")).unwrap();
    let makefile = "FLAGS = -mcpu=cortex-m3 -mthumb -Og -g -ffreestanding -nostdlib -DBOARD_STM32VLDISCOVERY\n\
                    app.elf: start.c main.c uart.h link.ld\n\tarm-none-eabi-gcc $(FLAGS) -Wl,--build-id -Wl,-T,link.ld start.c main.c -o $@\n";
    std::fs::write(desk.root().join("Makefile"), makefile).unwrap();
    let project = "name: fixture\ntarget:\n  board: stm32vldiscovery\nbuild:\n  command: make\n  elf: app.elf\nboot:\n  success_patterns: ['boot ok']\n";
    std::fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
    let source = std::fs::read_to_string(desk.root().join("main.c")).unwrap();

    let (code, built) = desk.json(&["build"]);
    assert_eq!((code, built["status"].as_str()), (0, Some("success")), "{built}");
    let (code, flashed) = desk.json(&["flash", "--yes"]);
    assert_eq!((code, flashed["proof"]["ok"].as_bool()), (0, Some(true)), "{flashed}");
    assert_eq!(flashed["build_run"], built["run_id"]);
    assert_eq!(desk.json(&["monitor", "--until", "boot ok", "--for", "20s"]).0, 0);
    assert_eq!(claims(&desk), [("tested", "fresh"), ("flashed", "fresh"), ("built", "fresh")].map(own));
    let (code, debugged) = desk.json(&["debug", "-c", "break main", "-c", "continue", "-c", "print boots"]);
    assert_eq!((code, debugged["steps"][2]["result"].as_str()), (0, Some("boots = 41")), "{debugged}");

    // A compile error: the build fails, and the guard keeps the old image from the board.
    std::fs::write(desk.root().join("main.c"), source.replace("uart_init();", "uart_init()")).unwrap();
    let (code, broken) = desk.json(&["build"]);
    assert_eq!((code, broken["status"].as_str()), (1, Some("failure")), "{broken}");
    // A source changed: nothing that was said about the old one holds of the new one.
    assert_eq!(claims(&desk), [("tested", "stale"), ("flashed", "stale"), ("built", "stale")].map(own));
    let (code, refused) = desk.json(&["flash", "--yes"]);
    assert_eq!((code, refused["status"].as_str()), (3, Some("denied")), "{refused}");

    // A fault: it builds, and does not boot; the guilty line is named.
    std::fs::write(
        desk.root().join("main.c"),
        source.replace("boots++;", "boots++; sensor_reading = read_sensor(0xa0000000u);"),
    )
    .unwrap();
    assert_eq!(desk.json(&["build"]).0, 0);
    // The board still runs the first build; debugging with the new ELF is refused.
    let (code, refused) = desk.json(&["debug", "-c", "backtrace"]);
    assert!(
        code != 0 && refused["error"]["message"].as_str().unwrap().contains("is not what board"),
        "{refused}"
    );
    assert_eq!(desk.json(&["flash", "--yes"]).0, 0);
    let (code, seen) = desk.json(&["monitor", "--for", "20s", "--until", "boot ok"]);
    assert_eq!((code, seen["boot"]["status"].as_str()), (1, Some("failure")), "{seen}");
    let (code, decoded) = desk.json(&["debug", "-c", "decode_fault"]);
    let words = decoded["steps"][0]["result"].as_str().unwrap().to_string();
    assert!(code == 0 && words.contains("read_sensor") && words.contains("main.c:51"), "{words}");

    // Fixed: it boots, and every run is on record.
    std::fs::write(desk.root().join("main.c"), &source).unwrap();
    assert_eq!(desk.json(&["build"]).0, 0);
    assert_eq!(desk.json(&["flash", "--yes"]).0, 0);
    assert_eq!(desk.json(&["monitor"]).0, 0);
    let (code, audit) = desk.json(&["audit", "verify", "--all"]);
    assert_eq!((code, audit["ok"].as_bool()), (0, Some(true)), "{audit}");
}

/// Kind and state of every claim, newest first.
fn claims(desk: &Desk) -> Vec<(String, String)> {
    let (_, said) = desk.json(&["audit", "claims"]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let claims = said["claims"].as_array().unwrap();
    claims.iter().map(|claim| (text(&claim["kind"]), text(&claim["state"]))).collect()
}

fn own((kind, state): (&str, &str)) -> (String, String) {
    (kind.to_owned(), state.to_owned())
}

/// The user's own flash command runs behind walls: it cannot write outside the project.
#[test]
fn a_flash_command_of_the_project_runs_behind_walls() {
    let desk = Desk::new();
    let elf = desk.firmware("app.elf", &[]);
    let outside = desk.folder.path().join("outside");
    let project = format!(
        "name: fixture\ntarget: {{ board: own }}\nflash:\n  command: cp {{elf}} flashed.elf; cp {{elf}} {}; true\n",
        outside.display()
    );
    std::fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
    std::fs::create_dir_all(desk.root().join(".fwai/boards")).unwrap();
    std::fs::write(desk.root().join(".fwai/boards/own.yaml"), "name: own\nkind: command\narch: cortex-m3\n")
        .unwrap();
    let guard = "policy.flash_guard.require_build_success=false";
    let (code, flashed) = desk.json(&["flash", elf.to_str().unwrap(), "--yes", "--set", guard]);
    assert_eq!((code, flashed["proof"]["method"].as_str()), (0, Some("none")), "{flashed}");
    assert_eq!(std::fs::read(desk.root().join("flashed.elf")).unwrap(), std::fs::read(&elf).unwrap());
    assert!(!outside.exists(), "the command reached beyond the project");
}

/// A cloned project, or a model, may name any program as its QEMU, its GDB or its OpenOCD script.
#[test]
fn programs_that_a_project_names_run_behind_walls() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let elf = desk.firmware("app.elf", &[]);
    let elf = elf.to_str().unwrap();
    let outside = desk.folder.path().join("outside");
    let program = |name: &str| {
        let path = desk.root().join(name);
        let text =
            format!("#!/bin/sh\ntouch {}/{name}.ran\ntouch {}\n", desk.root().display(), outside.display());
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    std::fs::create_dir_all(desk.root().join("boards")).unwrap();
    let own =
        format!("kind: virtual\narch: cortex-m3\nqemu: {{ machine: none, program: {} }}\n", program("qemu"));
    std::fs::write(desk.root().join("boards/own.yaml"), own).unwrap();
    let script = format!("exec {}", program("script"));
    let probe = format!("kind: openocd\narch: cortex-m3\nopenocd: {{ commands: ['{script}'] }}\n");
    std::fs::write(desk.root().join("boards/probe.yaml"), probe).unwrap();

    let guard = ["--yes", "--set", "policy.flash_guard.require_build_success=false"];
    desk.run(&[&["flash", elf, "--board", "own"], &guard[..]].concat());
    desk.run(&[&["flash", elf, "--board", "probe"], &guard[..]].concat());
    desk.flash(Path::new(elf));
    let gdb = program("gdb");
    let project = format!("name: fixture\ntarget: {{ board: {BOARD} }}\ndebug: {{ gdb: {gdb} }}\n");
    std::fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
    desk.run(&["debug", "--elf", elf, "--command", "print 1"]);
    for name in ["qemu", "script", "gdb"] {
        assert!(desk.root().join(format!("{name}.ran")).exists(), "{name} was never started");
    }
    assert!(!outside.exists(), "a program of the project reached beyond it");
}

/// Reads from the terminal until the text is there.
fn read_until(terminal: &mut File, wanted: &str) -> String {
    let mut seen = String::new();
    let mut buffer = [0; 1024];
    while !seen.contains(wanted) {
        match terminal.read(&mut buffer) {
            Ok(count @ 1..) => seen.push_str(&String::from_utf8_lossy(&buffer[..count])),
            other => panic!("{other:?} before `{wanted}`: {seen}"),
        }
    }
    seen
}

fn in_terminal(mut command: Command) -> (std::process::Child, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let end = || File::options().read(true).write(true).open(&path).unwrap();
    let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    (child, File::from(terminal))
}

#[test]
fn in_a_terminal_keys_go_to_the_board_and_the_exit_key_leaves() {
    let desk = Desk::new();
    desk.flash(&desk.firmware("app.elf", &[]));
    let (mut child, mut terminal) = in_terminal(desk.command(&["monitor"]));
    read_until(&mut terminal, "fixture boot ok");
    terminal.write_all(b"knock\x1b[2Jknock").unwrap();
    let seen = read_until(&mut terminal, "knockknock");
    assert!(!seen.contains("\u{1b}[2J"), "the board's echo must not clear the screen: {seen:?}");
    terminal.write_all(&[0x1d]).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_person_debugs_in_a_terminal() {
    let desk = Desk::new();
    desk.flash(&desk.firmware("app.elf", &[]));
    let (mut child, mut terminal) = in_terminal(desk.command(&["debug", "--elf", "app.elf"]));
    read_until(&mut terminal, "(debug) ");
    terminal.write_all(b"break main\n").unwrap();
    read_until(&mut terminal, "breakpoint 1 in main");
    terminal.write_all(b"continue\n").unwrap();
    read_until(&mut terminal, "breakpoint 1, main ()");
    terminal.write_all(b"quit\n").unwrap();
    let drain = std::thread::spawn(move || while matches!(terminal.read(&mut [0; 1024]), Ok(1..)) {});
    assert!(child.wait().unwrap().success());
    drain.join().unwrap();
}

/// Firmware in Rust that logs with defmt sends numbers; people and patterns see words.
#[test]
fn defmt_logs_are_read_in_words() {
    let desk = Desk::new();
    let project =
        "name: rust\ntarget:\n  board: lm3s6965evb\nboot:\n  success_patterns: ['INFO enums Idle Running']\n";
    std::fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
    let elf = concat!(env!("CARGO_MANIFEST_DIR"), "/../fwai-firmware/tests/defmt/rzcobs.elf");
    let guard = "policy.flash_guard.require_build_success=false";
    let (code, flashed) = desk.json(&["flash", elf, "--yes", "--set", guard]);
    assert_eq!((code, &flashed["proof"]["ok"]), (0, &Value::Bool(true)), "{flashed}");
    let (code, watched) =
        desk.json(&["monitor", "--elf", elf, "--until", "INFO enums Idle Running", "--for", "20s"]);
    assert_eq!((code, &watched["boot"]["status"]), (0, &Value::from("success")), "{watched}");
    let output = desk.run(&["monitor", "--elf", elf, "--until", "end of log", "--for", "20s"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("0.048750 WARN at warn careful (src/main.rs:130)\n"), "{shown}");
    assert!(
        shown.contains("0.042500 INFO flags READY READY | ERROR | BOTH | TOP (empty) ERROR\n"),
        "{shown}"
    );
    let (code, verified) = desk.json(&["audit", "verify", "--all"]);
    assert_eq!((code, &verified["ok"]), (0, &Value::Bool(true)), "{verified}");
}
