//! `fwai init` with the real program: fixtures, second runs, templates, broken surroundings, SIGKILL.

use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn empty() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(world.project()).unwrap();
        world
    }

    /// A copy of one of the firmware crate's fixtures.
    fn fixture(name: &str) -> Self {
        let world = Self::empty();
        let from =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../fwai-firmware/tests/fixtures/projects").join(name);
        copy(&from, &world.project());
        world
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn fwai(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fwai"));
        command.current_dir(self.project()).args(arguments);
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.env_remove("CI");
        command
    }

    fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        vec![("FWAI_HOME", self.dir.path().join("home"))]
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.fwai(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("exactly one JSON object")
    }

    /// The one error that the program tells, with its exit code.
    fn error(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.fwai(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.matches("error:").count(), 1, "{text}");
        (output.status.code().unwrap(), text)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Every file below a directory with its bytes.
fn snapshot(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { files.push((path.clone(), fs::read(&path).unwrap())) }
        }
    }
    files.sort();
    files
}

fn finding<'a>(object: &'a Value, key: &str) -> &'a Value {
    object["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["key"] == key)
        .unwrap_or(&Value::Null)
}

#[test]
fn json_names_build_system_chip_and_command_with_their_lines() {
    let expected = [
        ("cubemx-cmake", "cmake", "STM32F401CCU6", "cmake --preset Debug && cmake --build --preset Debug"),
        ("cubemx-makefile", "make", "STM32F407VGTx", "make"),
        ("platformio-envs", "platformio", "STM32F103C8T6", "pio run"),
        ("zephyr-app", "zephyr", "nRF52840", "west build -b nrf52840dk/nrf52840"),
        ("esp-idf", "esp-idf", "esp32c3", "idf.py build"),
        ("cargo-stm32", "cargo", "STM32F411CEUx", "cargo build --release"),
        ("embedder-md", "custom", "STM32L476RG", "./build.sh release"),
    ];
    for (fixture, system, mcu, command) in expected {
        let world = World::fixture(fixture);
        let object = world.json(&["init", "--yes", "--json"]);
        for (key, value) in [("build_system", system), ("mcu", mcu), ("build_command", command)] {
            let found = finding(&object, key);
            assert_eq!(found["value"], value, "{fixture} {key}");
            assert!(found["line"].as_u64().unwrap() >= 1 && found["confidence"].as_f64().unwrap() > 0.0);
            let file = world.project().join(found["file"].as_str().unwrap());
            assert!(file.is_file(), "{}", file.display());
        }
        let written: Vec<&str> =
            object["written"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
        assert!(
            written.contains(&".fwai/project.yaml") && written.contains(&".fwai/config.yaml"),
            "{written:?}"
        );
        for path in written {
            assert!(world.project().join(path).is_file(), "{path}");
        }
        world.fwai(&["config", "validate"]).assert().success();
    }
}

#[test]
fn files_for_the_editor_and_for_git_are_there() {
    let world = World::fixture("cubemx-makefile");
    fs::write(world.project().join(".gitignore"), "build/\n").unwrap();
    let git = |arguments: &[&str]| {
        let output =
            std::process::Command::new("git").args(arguments).current_dir(world.project()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    world.fwai(&["init", "--yes"]).assert().success();
    for (file, schema) in
        [("project.yaml", "./schemas/project.json"), ("config.yaml", "./schemas/config.json")]
    {
        let text = fs::read_to_string(world.project().join(".fwai").join(file)).unwrap();
        assert_eq!(text.lines().next().unwrap(), format!("# yaml-language-server: $schema={schema}"));
        let schema = world.project().join(".fwai").join(schema);
        let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
        assert!(schema["properties"].is_object());
    }
    for kept in [
        "sessions/1/events.jsonl",
        "runs/1/evidence.json",
        "boards/x/console.log",
        "keys/k",
        "log/checkpoint",
    ] {
        let path = world.project().join(".fwai").join(kept);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    let status = git(&["status", "--porcelain", "-uall"]);
    for out in ["sessions", "runs", "boards", "keys", "log/"] {
        assert!(!status.contains(&format!(".fwai/{out}")), "{status}");
    }
    assert!(status.contains(".fwai/project.yaml"), "{status}");
    assert_eq!(fs::read_to_string(world.project().join(".gitignore")).unwrap(), "build/\n");
}

#[test]
fn a_second_run_follows_the_project_and_keeps_what_a_person_wrote() {
    let world = World::fixture("cubemx-makefile");
    world.fwai(&["init", "--yes"]).assert().success();
    let file = world.project().join(".fwai/project.yaml");
    let mine =
        fs::read_to_string(&file).unwrap().replace("command: make\n", "command: make -j4 # four cores\n");
    fs::write(&file, &mine).unwrap();
    fs::write(world.project().join(".fwai/config.yaml"), "# all mine\nagent: { max_iterations: 7 }\n")
        .unwrap();
    let makefile = world.project().join("Makefile");
    let text = fs::read_to_string(&makefile).unwrap();
    fs::write(&makefile, text.replace("TARGET = motor_control", "TARGET = pump_control")).unwrap();

    let object = world.json(&["init", "--yes", "--json"]);
    let after = fs::read_to_string(&file).unwrap();
    assert_eq!(after, mine.replace("motor_control", "pump_control"));
    assert_eq!(object["kept"][0]["key"], "build.command");
    assert_eq!(object["written"], serde_json::json!([".fwai/project.yaml", ".fwai/init.json"]));
    assert!(fs::read_to_string(world.project().join(".fwai/config.yaml")).unwrap().starts_with("# all mine"));
    let third = world.json(&["init", "--yes", "--json"]);
    assert_eq!(third["written"], serde_json::json!([]));
}

#[test]
fn every_broken_surrounding_is_one_error_with_exit_2_and_no_change() {
    type Case<'a> = (&'a str, &'a dyn Fn(&Path), &'a str);
    let cases: &[Case] = &[
        (
            "broken YAML",
            &|root| write(root, ".fwai/project.yaml", "target: {mcu: [\n"),
            ".fwai/project.yaml:",
        ),
        (
            "wrong type",
            &|root| write(root, ".fwai/project.yaml", "serial:\n  baud: fast\n"),
            ".fwai/project.yaml:2",
        ),
        (
            "directory for a file",
            &|root| fs::create_dir_all(root.join(".fwai/project.yaml")).unwrap(),
            "is a directory",
        ),
        (
            "directory for a build file",
            &|root| fs::create_dir(root.join("platformio.ini")).unwrap(),
            "platformio.ini: a directory",
        ),
        ("file for the directory", &|root| write(root, ".fwai", "x"), ".fwai: a file stands"),
        (
            "no UTF-8",
            &|root| {
                fs::create_dir(root.join(".fwai"))
                    .and_then(|()| fs::write(root.join(".fwai/project.yaml"), [0xff, 0xfe, 0]))
                    .unwrap()
            },
            "not UTF-8",
        ),
    ];
    for (name, prepare, expect) in cases {
        let world = World::fixture("cubemx-makefile");
        prepare(&world.project());
        let before = snapshot(&world.project());
        let (code, text) = world.error(&["init", "--yes"]);
        assert_eq!(code, 2, "{name}: {text}");
        assert!(text.contains(expect), "{name}: {text}");
        assert!(text.contains("next:") || text.contains("then run"), "{name}: {text}");
        assert_eq!(snapshot(&world.project()), before, "{name}");
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Root reads everything, so the program runs as nobody where the test runs as root.
#[test]
fn an_unreadable_build_file_is_one_clear_error() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::fixture("cubemx-makefile");
    let makefile = world.project().join("Makefile");
    fs::set_permissions(&makefile, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = if fs::read(&makefile).is_ok() {
        let mut command = std::process::Command::new("setpriv");
        fs::set_permissions(world.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // Nobody may enter the temporary directories, but not the place where the program was built.
        let program = world.dir.path().join("fwai");
        fs::copy(env!("CARGO_BIN_EXE_fwai"), &program).unwrap();
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
        command
    } else {
        std::process::Command::new(env!("CARGO_BIN_EXE_fwai"))
    };
    let output = command
        .args(["init", "--yes"])
        .current_dir(world.project())
        .envs(world.environment())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("Makefile: cannot read this file") && text.contains("chmod u+r"), "{text}");
    assert!(!world.project().join(".fwai").exists());
}

/// A limit on file sizes fails writes as a full disk does, without needing a disk of its own.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let world = World::fixture("cubemx-makefile");
    let full = |world: &World| {
        let output = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" init --yes", env!("CARGO_BIN_EXE_fwai")])
            .current_dir(world.project())
            .envs(world.environment())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let before = snapshot(&world.project());
    let (code, text) = full(&world);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("cannot write .fwai/") && text.contains("nothing was changed"), "{text}");
    assert_eq!(snapshot(&world.project()), before);

    // Later, when there is something to lose.
    world.fwai(&["init", "--yes"]).assert().success();
    fs::remove_file(world.project().join(".fwai/schemas/config.json")).unwrap();
    let makefile = fs::read_to_string(world.project().join("Makefile")).unwrap();
    fs::write(world.project().join("Makefile"), makefile.replace("motor_control", "pump_control")).unwrap();
    let before = snapshot(&world.project());
    let (code, text) = full(&world);
    assert_eq!(code, Some(2), "{text}");
    assert_eq!(snapshot(&world.project()), before);
}

/// Runs init once for every system call that changes something, killed with SIGKILL at that call.
/// Returns how many there were.
fn killed_at_every_call(
    world: &World,
    arguments: &[&str],
    mut prepare: impl FnMut(),
    mut check: impl FnMut(&str),
) -> usize {
    let mut kills = 0;
    for name in ["mkdir", "write", "fsync", "rename", "renameat", "renameat2", "unlink", "linkat", "fchmod"] {
        for call in 1.. {
            prepare();
            let output = std::process::Command::new("strace")
                .args([
                    "-f",
                    "-o",
                    "/dev/null",
                    "-e",
                    &format!("trace={name}"),
                    "-e",
                    &format!("inject={name}:signal=KILL:when={call}"),
                ])
                .arg(env!("CARGO_BIN_EXE_fwai"))
                .args(arguments)
                .current_dir(world.project())
                .envs(world.environment())
                .output()
                .unwrap();
            if output.status.success() {
                break;
            }
            let killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
            assert!(killed, "{:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
            check(&format!("{name} {call}"));
            kills += 1;
        }
    }
    kills
}

#[test]
fn kill_at_any_system_call_leaves_all_or_nothing() {
    let world = World::fixture("cubemx-makefile");
    let fwai = world.project().join(".fwai");
    let reset = || {
        let _ = fs::remove_dir_all(&fwai);
    };
    let calls = killed_at_every_call(&world, &["init", "--yes", "--quiet", "--json"], reset, |call| {
        if fwai.exists() {
            for name in ["project.yaml", "config.yaml", ".gitignore", "init.json", "schemas/project.json"] {
                let text = fs::read_to_string(fwai.join(name)).unwrap();
                assert!(text.ends_with('\n'), "killed at call {call}: {name} is cut");
            }
        }
    });
    assert!(calls > 30, "only {calls} calls were tried");
    // The run that came to its end also cleared away what the killed ones left.
    let left: Vec<_> = fs::read_dir(world.project())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".fwai"))
        .collect();
    assert_eq!(left, [".fwai"]);
}

#[test]
fn kill_during_an_update_leaves_the_old_or_the_new_and_never_freezes_it() {
    let world = World::fixture("cubemx-makefile");
    world.fwai(&["init", "--yes"]).assert().success();
    let file = world.project().join(".fwai/project.yaml");
    let makefile = world.project().join("Makefile");
    let text = fs::read_to_string(&makefile).unwrap();
    let old = fs::read_to_string(&file).unwrap();
    let new = old.replace("motor_control", "pump_control");
    let calls = killed_at_every_call(
        &world,
        &["init", "--yes", "--quiet", "--json"],
        || {
            // Back to the old state, through init itself: what a killed run left must still be fwai's own.
            fs::write(&makefile, &text).unwrap();
            world.fwai(&["init", "--yes"]).assert().success();
            assert_eq!(fs::read_to_string(&file).unwrap(), old);
            fs::write(&makefile, text.replace("motor_control", "pump_control")).unwrap();
        },
        |call| {
            let now = fs::read_to_string(&file).unwrap();
            assert!(now == old || now == new, "killed at call {call}:\n{now}");
        },
    );
    assert!(calls > 5, "only {calls} calls were tried");
}

#[test]
fn a_template_makes_a_project_that_names_its_virtual_board() {
    let world = World::empty();
    let object = world.json(&["init", "--template", "bare-metal", "blinky", "--yes", "--json"]);
    let root = world.project().join("blinky");
    let project = fs::read_to_string(root.join(".fwai/project.yaml")).unwrap();
    for expect in ["name: blinky", "mcu: STM32F100RB", "board: stm32vldiscovery", "system: cmake", "boot ok"]
    {
        assert!(project.contains(expect), "{expect} in\n{project}");
    }
    for path in object["written"].as_array().unwrap() {
        assert!(root.join(path.as_str().unwrap()).is_file(), "{path}");
    }
    let left: Vec<_> =
        fs::read_dir(world.project()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["blinky"]);

    // Never over existing files, and again without harm.
    assert_eq!(
        world.json(&["init", "--template", "bare-metal", "blinky", "--yes", "--json"])["written"],
        serde_json::json!([])
    );
    fs::write(root.join("src/main.c"), "int main(void) { return 0; }\n").unwrap();
    let before = snapshot(&root);
    let (code, text) = world.error(&["init", "--template", "bare-metal", "blinky", "--yes"]);
    assert_eq!(code, 2);
    assert!(text.contains("src/main.c exists already"), "{text}");
    assert_eq!(snapshot(&root), before);
}

#[test]
fn templates_say_what_they_need_and_names_are_checked() {
    let world = World::empty();
    let output = world.fwai(&["init", "--template", "freertos", "tasks1", "--yes"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("third_party/FreeRTOS-Kernel"));
    let object = world.json(&["init", "--template", "arduino", "lamp", "--yes", "--json"]);
    assert!(object["needs"].as_str().unwrap().contains(".arduino15"));
    assert!(world.project().join("lamp/lamp/lamp.ino").is_file());
    let (code, text) = world.error(&["init", "--template", "bare-metal", "a b", "--yes"]);
    assert_eq!(code, 2);
    assert!(text.contains("cannot name a project"), "{text}");
    assert!(!world.project().join("a b").exists());
    world.fwai(&["init", "--template", "toaster", "x"]).assert().code(2);
}

#[test]
fn without_a_person_missing_facts_are_exit_4_and_yes_leaves_them_open() {
    let world = World::fixture("nothing");
    let (code, text) = world.error(&["init", "--ci"]);
    assert_eq!(code, 4);
    assert!(text.contains("mcu") && text.contains("--yes"), "{text}");
    assert!(!world.project().join(".fwai").exists());
    let object = world.json(&["init", "--yes", "--json"]);
    assert_eq!(object["findings"], serde_json::json!([]));
    assert_eq!(
        object["missing"],
        serde_json::json!(["build_system", "mcu", "build_command", "flash_command"])
    );
    assert!(world.project().join(".fwai/project.yaml").is_file());
}

/// `script` gives the program a terminal; the answers come as if typed.
#[test]
fn a_person_is_asked_only_for_what_is_missing() {
    let world = World::fixture("nested");
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{} init", env!("CARGO_BIN_EXE_fwai")), "/dev/null"]);
    command.current_dir(world.project()).envs(world.environment()).env_remove("CI").env("NO_COLOR", "1");
    for name in ["GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL", "BUILD_NUMBER", "CONTINUOUS_INTEGRATION"] {
        command.env_remove(name);
    }
    let output = command.write_stdin("rover-rev-b\nmake -C firmware flash\n\n").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Which board?") && text.contains("Which command writes it"), "{text}");
    assert!(!text.contains("Which microcontroller") && !text.contains("Which command builds"), "{text}");
    let project = fs::read_to_string(world.project().join(".fwai/project.yaml")).unwrap();
    assert!(project.contains("board: rover-rev-b"), "{project}");
    assert!(project.contains("command: make -C firmware flash"), "{project}");
    assert!(!project.contains("port:"), "{project}");
}

#[test]
fn the_report_for_people_ends_with_documents() {
    let world = World::fixture("cubemx-cmake");
    let output = world.fwai(&["init", "--yes"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("blackpill_logger.ioc:5"), "{text}");
    assert!(text.contains("RM0368 reference manual"), "{text}");
    assert!(text.contains("guessed:"), "{text}");
}
