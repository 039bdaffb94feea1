//! The escape suite: real processes behind the real walls, each trying to get out. Every attempt must fail,
//! and ordinary work must not.
//!
//! The whole suite runs once more in sandboxes that a keeper made ahead, and as root both again as an
//! ordinary user, since the walls are built differently.

mod files;
mod kernel;
mod ordinary_work;
mod processes;
mod sockets;

use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::{Finished, Sandbox, SandboxCommand, SandboxSpec, ready};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// A project with something outside it to attack.
pub struct Ground {
    _directory: tempfile::TempDir,
    pub root: PathBuf,
    pub outside: PathBuf,
    pub spec: SandboxSpec,
    pub sandbox: Sandbox,
}

impl Default for Ground {
    fn default() -> Self {
        Self::new()
    }
}

impl Ground {
    /// In a directory of its own that is not below `/tmp`, which every command gets anew.
    pub fn new() -> Self {
        Self::in_directory(tempfile::Builder::new().prefix("fwai-escape-").tempdir_in(workshop()).unwrap())
    }

    pub fn in_directory(directory: tempfile::TempDir) -> Self {
        let base = directory.path().canonicalize().unwrap();
        let root = base.join("project");
        let outside = base.join("outside");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(root.join("src/main.c"), "int main(void) { return 0; }\n").unwrap();
        fs::write(outside.join("treasure"), "untouched").unwrap();
        let sandbox = Sandbox::new(SandboxWalls::Required).unwrap();
        let spec = SandboxSpec::new(&root);
        if std::env::var_os(FROM_A_KEEPER).is_some() {
            ready::offer_keeper(|| {
                let mut command = Command::new("/proc/self/exe");
                command.args(["--exact", "keeper_process", SERVE, "--nocapture"]);
                command
            });
            sandbox.keep_ready();
            // The first command starts the keeper; those after it run in what the keeper made.
            let mut first = sandbox.spawn(&spec, SandboxCommand::new("true")).unwrap();
            assert!(first.wait_blocking().unwrap().success());
        }
        Self { _directory: directory, spec, root, outside, sandbox }
    }

    /// With a real repository.
    pub fn with_git() -> Self {
        let ground = Self::new();
        for arguments in [
            &["init", "-q"][..],
            &["config", "user.email", "a@b.c"],
            &["config", "user.name", "A"],
            &["add", "."],
            &["commit", "-qm", "first"],
        ] {
            let status = Command::new("git").args(arguments).current_dir(&ground.root).status().unwrap();
            assert!(status.success());
        }
        ground
    }

    pub fn shell(&self, line: &str) -> Finished {
        self.run(SandboxCommand::shell(line))
    }

    pub fn python(&self, program: &str) -> Finished {
        self.run(SandboxCommand::new("python3").arg("-c").arg(program))
    }

    pub fn run(&self, command: SandboxCommand) -> Finished {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let child = self.sandbox.spawn(&self.spec, command).unwrap();
            child.finish(4 << 20, Some(Duration::from_secs(60))).await.unwrap()
        })
    }

    /// The line must fail, and the treasure stay.
    pub fn blocked(&self, line: &str) {
        let finished = self.shell(line);
        assert!(!finished.status.success(), "`{line}` succeeded: {}", text(&finished));
        self.untouched();
    }

    /// The line must work.
    pub fn works(&self, line: &str) -> String {
        let finished = self.shell(line);
        assert!(finished.status.success(), "`{line}` failed: {}", text(&finished));
        String::from_utf8_lossy(&finished.stdout).into_owned()
    }

    /// The Python program must print exactly `blocked`.
    pub fn python_blocked(&self, program: &str) {
        let finished = self.python(program);
        assert_eq!(
            String::from_utf8_lossy(&finished.stdout).trim(),
            "blocked",
            "{program}\n{}",
            text(&finished)
        );
        self.untouched();
    }

    pub fn untouched(&self) {
        assert_eq!(fs::read_to_string(self.outside.join("treasure")).unwrap(), "untouched");
        let entries: Vec<_> =
            fs::read_dir(&self.outside).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(entries, ["treasure"], "something appeared outside");
    }
}

pub fn text(finished: &Finished) -> String {
    format!(
        "{:?}\n{}\n{}",
        finished.status,
        String::from_utf8_lossy(&finished.stdout),
        String::from_utf8_lossy(&finished.stderr)
    )
}

/// Where test projects live: `FWAI_TEST_WORKSHOP`, else below the build directory.
fn workshop() -> PathBuf {
    match std::env::var_os("FWAI_TEST_WORKSHOP") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned(),
    }
}

/// Set where the suite runs in sandboxes that were made before their commands were known.
const FROM_A_KEEPER: &str = "FWAI_TEST_KEEPER";

/// A second filter for the test harness, which matches nothing.
const SERVE: &str = "serve-as-keeper";

/// Not a test: the body of the keeper's process, when this program is started as one.
#[test]
fn keeper_process() {
    if std::env::args().any(|argument| argument == SERVE) {
        ready::serve();
    }
}

fn is_a_repetition() -> bool {
    std::env::var_os("FWAI_TEST_WORKSHOP").is_some() || std::env::var_os(FROM_A_KEEPER).is_some()
}

/// Runs everything but the tests that do the same, with further settings.
fn everything_again(mut command: Command) {
    command.args(["--test-threads=2", "--skip", "cargo_builds", "--skip", "everything_again"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("test result: ok"), "{said}");
}

#[test]
fn everything_again_in_sandboxes_that_waited() {
    if !is_a_repetition() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(FROM_A_KEEPER, "1");
        everything_again(command);
    }
}

#[test]
fn everything_again_as_an_ordinary_user() {
    as_an_ordinary_user(|_| {});
}

#[test]
fn everything_again_as_an_ordinary_user_in_sandboxes_that_waited() {
    as_an_ordinary_user(|command| {
        command.env(FROM_A_KEEPER, "1");
    });
}

fn as_an_ordinary_user(further: impl FnOnce(&mut Command)) {
    if !rustix::process::geteuid().is_root() || is_a_repetition() {
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let workshop = tempfile::Builder::new().prefix("fwai-nobody-").tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(workshop.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let binary = workshop.path().join("escape");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    // Not below /var/tmp, which the sandbox empties.
    let ground = tempfile::Builder::new().prefix("fwai-nobody-").tempdir_in("/opt").unwrap();
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"])
        .arg(&binary)
        .env("FWAI_TEST_WORKSHOP", ground.path())
        .env("HOME", ground.path())
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir(ground.path());
    further(&mut command);
    everything_again(command);
}
