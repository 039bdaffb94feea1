//! The sandbox as its users see it, and the trait behind which each system has its own walls.

use super::{
    child::{Afterwards, Sandboxed},
    command::{SandboxCommand, Stdio},
    environment, graveyard,
    hard_links::SurveyCache,
    kernel::{
        identities::IdMaps,
        landlock,
        plan::{self, Descriptors, Plan, Words},
        seccomp,
        spawn::{self, Failure, Started},
        sys,
    },
    layout,
    off::NoWall,
    probe::Probe,
    ready::{self, Ready},
    real_path::real_path,
    spec::{Network, SandboxSpec},
};
use fwai_schema::config::SandboxWalls;
use std::{
    ffi::{CString, OsStr, OsString},
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::MetadataExt, fs::PermissionsExt},
    },
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Why a command did not start.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum SandboxError {
    #[error("refused: there is no sandbox on this machine; missing: {}. Set `sandbox.walls: off` to run commands without one, which every run records", missing.join("; "))]
    NoWalls { missing: Vec<String> },
    #[error(
        "refused: a wall of the sandbox could not be put up ({stage}: {source}); `fwai doctor` says what the system lacks"
    )]
    Wall { stage: &'static str, source: io::Error },
    #[error("the project {} cannot be opened: {source}", path.display())]
    Project { path: PathBuf, source: io::Error },
    #[error("refused: the project is {}, which is the whole system; open a directory below it", path.display())]
    TooWide { path: PathBuf },
    #[error(
        "refused: single ports of this machine can be granted only where Landlock knows ports (Linux 6.7 or later); allow the network instead, or update the kernel"
    )]
    NoPorts,
    #[error("the device {} cannot be granted: {source}", path.display())]
    Device { path: PathBuf, source: io::Error },
    #[error("the sandbox's settings are wrong: {0}")]
    Spec(String),
    #[error("refused: the protected paths need {count} mounts; name directories instead of single files")]
    TooManyMounts { count: usize },
    #[error("`{}` was not found; is it installed, and on PATH inside the sandbox?", program.to_string_lossy())]
    NotFound { program: OsString },
    #[error("`{}` cannot be executed: {source}", program.to_string_lossy())]
    Exec { program: OsString, source: io::Error },
    #[error("the working directory {} does not exist or lies where the sandbox has nothing", path.display())]
    NoDirectory { path: PathBuf },
    #[error("cannot set up the command's streams: {0}")]
    Streams(#[source] io::Error),
}

/// One system's way to put a command behind walls.
pub trait Wall: Send + Sync {
    /// What evidence records: `namespaces+landlock+seccomp`, or `off`.
    fn name(&self) -> &'static str;
    fn spawn(&self, spec: &SandboxSpec, command: SandboxCommand) -> Result<Sandboxed, SandboxError>;
    /// Many commands will come: prepare what can be prepared for them.
    fn keep_ready(&self) {}
}

/// Starts commands behind the walls that this machine has.
#[derive(Clone)]
pub struct Sandbox {
    wall: Arc<dyn Wall>,
}

impl Sandbox {
    /// The walls that the configuration asks for; an error when they are required and missing.
    pub fn new(walls: SandboxWalls) -> Result<Self, SandboxError> {
        match walls {
            SandboxWalls::Off => Ok(Self { wall: Arc::new(NoWall) }),
            SandboxWalls::Required => {
                let probe = Self::probe();
                if !probe.has_walls() {
                    return Err(SandboxError::NoWalls { missing: probe.missing.clone() });
                }
                Ok(Self { wall: Arc::new(KernelWall::default()) })
            }
        }
    }

    /// With walls of another kind.
    pub fn with_wall(wall: Arc<dyn Wall>) -> Self {
        Self { wall }
    }

    pub fn probe() -> &'static Probe {
        Probe::get()
    }

    pub fn name(&self) -> &'static str {
        self.wall.name()
    }

    /// Whether there are walls at all.
    pub fn has_walls(&self) -> bool {
        self.wall.name() != "off"
    }

    pub fn spawn(&self, spec: &SandboxSpec, command: SandboxCommand) -> Result<Sandboxed, SandboxError> {
        self.wall.spawn(spec, command)
    }

    /// Keep a sandbox ready for the next command, always. Has an effect only in a program that offers a keeper
    /// (see [`super::ready`]).
    pub fn keep_ready(&self) {
        self.wall.keep_ready();
    }
}

/// Namespaces, Landlock and seccomp, put up in a process of our own between `clone` and `exec`.
#[derive(Default)]
pub struct KernelWall {
    cache: Arc<SurveyCache>,
    /// Whether one sandbox is kept ready.
    ahead: AtomicBool,
    ready: Arc<Ready>,
}

impl KernelWall {
    /// In the sandbox that waits for a command, where one is kept ready; otherwise in a new one.
    fn start(&self, plan: Plan, descriptors: &[BorrowedFd<'_>]) -> Result<Started, Failure> {
        if !self.ahead.load(Ordering::Relaxed) {
            return spawn::spawn(plan, &IdMaps::of_this_user());
        }
        // What needs the machine's network cannot come from the keeper, which has none.
        let first = if plan.own_network { self.ready.take() } else { None };
        let outcome = match first {
            Some(first) => spawn::spawn_in(first, &plan, descriptors),
            None => Err(None),
        };
        let outcome = match outcome {
            Ok(started) => Ok(started),
            Err(Some(failure)) => Err(failure),
            // There is no keeper, or somebody ended the first process while it waited.
            Err(None) => spawn::spawn(plan, &IdMaps::of_this_user()),
        };
        // Made while the command runs.
        self.ready.prepare();
        outcome
    }
}

impl Wall for KernelWall {
    fn name(&self) -> &'static str {
        "namespaces+landlock+seccomp"
    }

    fn keep_ready(&self) {
        if ready::is_offered() && !self.ahead.swap(true, Ordering::Relaxed) {
            let ready = self.ready.clone();
            // Beside everything else; a command that comes first waits for it.
            let _ = thread::Builder::new().stack_size(128 << 10).spawn(move || ready.prepare());
        }
    }

    fn spawn(&self, spec: &SandboxSpec, command: SandboxCommand) -> Result<Sandboxed, SandboxError> {
        graveyard::sweep();
        let project = |source| SandboxError::Project { path: spec.root.clone(), source };
        let root = real_path(&spec.root).map_err(project)?;
        let metadata = root.metadata().map_err(project)?;
        if !metadata.is_dir() {
            return Err(project(io::Error::from_raw_os_error(libc::ENOTDIR)));
        }
        if root.parent().is_none() {
            return Err(SandboxError::TooWide { path: root });
        }
        if matches!(spec.network, Network::Ports(_)) && Probe::get().landlock_abi < landlock::KNOWS_PORTS {
            return Err(SandboxError::NoPorts);
        }
        let layout = layout::plan(spec, &root, &self.cache)?;
        let cwd = match &command.cwd {
            None => root.clone(),
            Some(cwd) => {
                real_path(&root.join(cwd)).map_err(|_| SandboxError::NoDirectory { path: cwd.clone() })?
            }
        };
        let variables = environment::for_command(std::env::vars_os(), &spec.passed_variables, &command.env);
        let program = find_program(&command.program, &variables, &cwd)?;
        let (program, words) = words(&program, &command, &variables)?;
        let streams =
            Streams::open(command.stdin, command.stdout, command.stderr).map_err(SandboxError::Streams)?;
        let is_root = sys::effective_uid() == 0;
        // A board that runs on its own may be busy for days.
        let cpu_s = spec.limits.cpu_s.filter(|_| !command.detached);
        let plan = Plan {
            trees: vec![-1; layout.sources.len()],
            sources: layout.sources,
            scratch_options: layout::c_text(&format!(
                "mode=0755,size={}m,nr_inodes=200k",
                (spec.limits.memory_mb / 2).max(16)
            )),
            scratch: layout.scratch,
            steps: layout.steps,
            landlock_abi: Probe::get().landlock_abi,
            landlock_rules: layout.rules,
            seccomp: seccomp_program(spec.unix_sockets, matches!(spec.network, Network::Ports(_))).to_vec(),
            own_network: spec.network == Network::Off,
            ports: match &spec.network {
                Network::Ports(ports) => Some(ports.clone()),
                Network::Off | Network::Host => None,
            },
            // Root over a project that belongs to somebody else, as in a container: its files stay usable.
            keep_capabilities: if is_root && metadata.uid() != 0 { FILE_OWNERSHIP } else { 0 },
            limits: limits(spec, cpu_s),
            pid_max: CString::new((spec.limits.processes + 301).to_string()).unwrap_or_default(),
            cwd: layout::c_path(&cwd),
            program,
            words,
            streams: Descriptors {
                stdio: streams.inner(),
                channel: -1,
                locks: layout.placeholders.iter().map(|placeholder| placeholder.lock().as_raw_fd()).collect(),
            },
            stack: vec![0; plan::STACK],
            outlives_fwai: command.detached,
            memory_pages: pages_of(spec.limits.memory_mb),
            cpu_ticks: cpu_s
                .map_or(u64::MAX, |seconds| seconds.saturating_mul(rustix::param::clock_ticks_per_second())),
        };
        let locks = layout.placeholders.iter().map(|placeholder| placeholder.lock().as_fd());
        let descriptors: Vec<_> = streams.inside().iter().map(|fd| fd.as_fd()).chain(locks).collect();
        match self.start(plan, &descriptors) {
            Ok(started) => Ok(Sandboxed::walled(
                started,
                streams.into_outer(),
                Afterwards {
                    placeholders: layout.placeholders,
                    forbidden: layout.forbidden,
                    watch: layout.watch.map(|watch| watch.with(self.cache.clone())),
                },
                command.detached,
            )),
            Err(failure) => {
                for placeholder in layout.placeholders {
                    placeholder.release();
                }
                Err(match failure {
                    Failure::Wall { stage: "entering the working directory", .. } => {
                        SandboxError::NoDirectory { path: cwd }
                    }
                    Failure::Wall { stage, source } => SandboxError::Wall { stage, source },
                    Failure::Exec(source) => SandboxError::Exec { program: command.program, source },
                })
            }
        }
    }
}

/// CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER and CAP_FSETID, over the mapped users' files only.
const FILE_OWNERSHIP: u64 = 1 | 1 << 1 | 1 << 3 | 1 << 4;

fn seccomp_program(unix_sockets: bool, only_tcp: bool) -> &'static [libc::sock_filter] {
    static PROGRAMS: [OnceLock<Vec<libc::sock_filter>>; 4] = [const { OnceLock::new() }; 4];
    PROGRAMS[usize::from(unix_sockets) + 2 * usize::from(only_tcp)]
        .get_or_init(|| seccomp::program(unix_sockets, only_tcp))
}

fn pages_of(megabytes: u64) -> u64 {
    megabytes.saturating_mul(1 << 20) / rustix::param::page_size() as u64
}

fn limits(spec: &SandboxSpec, cpu_s: Option<u64>) -> Vec<(u32, u64)> {
    let limits = &spec.limits;
    let megabytes = |count: u64| count.saturating_mul(1024 * 1024);
    let mut all = vec![
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_DATA, megabytes(limits.memory_mb)),
        (libc::RLIMIT_FSIZE, megabytes(limits.file_mb)),
        (libc::RLIMIT_NPROC, limits.processes),
        (libc::RLIMIT_NOFILE, limits.open_files),
        (libc::RLIMIT_MEMLOCK, megabytes(64)),
        (libc::RLIMIT_MSGQUEUE, 819_200),
        (libc::RLIMIT_SIGPENDING, 4096),
    ];
    all.extend(cpu_s.map(|seconds| (libc::RLIMIT_CPU, seconds)));
    all
}

/// The program's path, searched as a shell would.
fn find_program(
    program: &OsStr,
    variables: &[(OsString, OsString)],
    cwd: &Path,
) -> Result<PathBuf, SandboxError> {
    let not_found = || SandboxError::NotFound { program: program.to_owned() };
    let executable =
        |path: &Path| path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    if program.as_bytes().contains(&b'/') {
        let path = cwd.join(program);
        return if path.exists() { Ok(path) } else { Err(not_found()) };
    }
    let search = variables.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
    let search = search.unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    std::env::split_paths(&search)
        .map(|directory| cwd.join(directory).join(program))
        .find(|path| executable(path))
        .ok_or_else(not_found)
}

/// Program, arguments and environment as C strings.
fn words(
    program: &Path,
    command: &SandboxCommand,
    variables: &[(OsString, OsString)],
) -> Result<(CString, Words), SandboxError> {
    let text = |bytes: Vec<u8>| {
        CString::new(bytes)
            .map_err(|_| SandboxError::Spec("a word of the command contains a NUL byte".into()))
    };
    let args = [&command.program].into_iter().chain(&command.args);
    let args = args.map(|word| text(word.as_bytes().to_vec())).collect::<Result<_, _>>()?;
    let environment = variables
        .iter()
        .map(|(name, value)| text([name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect::<Result<_, _>>()?;
    let program = text(program.as_os_str().as_bytes().to_vec())?;
    let words = Words::new(&program, args, environment);
    Ok((program, words))
}

/// Both ends of the command's streams.
pub struct Streams {
    inside: [Arc<OwnedFd>; 3],
    outside: [Option<File>; 3],
}

impl Streams {
    pub fn open(stdin: Stdio, stdout: Stdio, stderr: Stdio) -> io::Result<Self> {
        let (in_inside, in_outside) = Self::one(stdin, 0, None)?;
        let (out_inside, out_outside) = Self::one(stdout, 1, None)?;
        let (err_inside, err_outside) = Self::one(stderr, 2, Some(&out_inside))?;
        Ok(Self {
            inside: [in_inside, out_inside, err_inside],
            outside: [in_outside, out_outside, err_outside],
        })
    }

    fn one(
        stream: Stdio,
        number: i32,
        stdout: Option<&Arc<OwnedFd>>,
    ) -> io::Result<(Arc<OwnedFd>, Option<File>)> {
        Ok(match stream {
            Stdio::Null => (
                Arc::new(File::options().read(number == 0).write(number != 0).open("/dev/null")?.into()),
                None,
            ),
            Stdio::Piped => {
                let (reader, writer) = io::pipe()?;
                if number == 0 {
                    (Arc::new(reader.into()), Some(OwnedFd::from(writer).into()))
                } else {
                    (Arc::new(writer.into()), Some(OwnedFd::from(reader).into()))
                }
            }
            Stdio::Inherit => {
                let own = match number {
                    0 => rustix::io::dup(io::stdin()),
                    1 => rustix::io::dup(io::stdout()),
                    _ => rustix::io::dup(io::stderr()),
                };
                match own {
                    Ok(fd) => (Arc::new(fd), None),
                    // Closed by whoever started fwai.
                    Err(_) => return Self::one(Stdio::Null, number, None),
                }
            }
            Stdio::WithStdout => match stdout {
                Some(stdout) => (stdout.clone(), None),
                None => return Self::one(Stdio::Null, number, None),
            },
            Stdio::Fd(fd) => (Arc::new(fd), None),
        })
    }

    pub fn inner(&self) -> [i32; 3] {
        [0, 1, 2].map(|index| self.inside[index].as_raw_fd())
    }

    /// Our ends; those of the command are closed.
    pub fn into_outer(self) -> [Option<File>; 3] {
        self.outside
    }

    pub fn inside(&self) -> &[Arc<OwnedFd>; 3] {
        &self.inside
    }
}
