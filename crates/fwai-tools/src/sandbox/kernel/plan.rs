//! Everything that the first process of a sandbox needs to put up the walls and start the command, and the
//! form in which it travels to a first process that was made before its command was known.

use super::landlock;
use std::ffi::{CStr, CString};

/// Made before the first process needs any of it.
pub struct Plan {
    /// Trees that are copied before anything is covered; `Step::Attach` refers to them by number.
    pub sources: Vec<CString>,
    /// Filled with descriptors as the sources are opened.
    pub trees: Vec<i32>,
    /// Options of the one file system in memory, and the directories in it that are put in several places.
    pub scratch_options: CString,
    pub scratch: Vec<Scratch>,
    pub steps: Vec<Step>,
    pub landlock_abi: i32,
    pub landlock_rules: Vec<landlock::Rule>,
    /// The only TCP ports, where the machine's network is shared for them.
    pub ports: Option<Vec<u16>>,
    pub seccomp: Vec<libc::sock_filter>,
    pub own_network: bool,
    /// Capabilities over the project's files that root keeps.
    pub keep_capabilities: u64,
    /// Resource and value.
    pub limits: Vec<(u32, u64)>,
    /// Written to the namespace's `pid_max`, on kernels that have one per namespace.
    pub pid_max: CString,
    pub cwd: CString,
    pub program: CString,
    pub words: Words,
    pub streams: Descriptors,
    pub stack: Vec<u8>,
    pub outlives_fwai: bool,
    /// Pages that all processes together may have in memory.
    pub memory_pages: u64,
    /// Processor time of all processes together, in hundredths of a second.
    pub cpu_ticks: u64,
}

/// What is open in the first process.
#[derive(Default)]
pub struct Descriptors {
    /// Standard input, output and error of the command.
    pub stdio: [i32; 3],
    /// To fwai and back: first the starting signal, then signals to send; its end means that fwai is gone.
    pub channel: i32,
    /// Locks on placeholders, held for as long as the sandbox lives.
    pub locks: Vec<i32>,
}

/// Arguments and environment, and the arrays that `exec` wants, which point into them.
pub struct Words {
    _args: Vec<CString>,
    _environment: Vec<CString>,
    _program: CString,
    pub argv: Vec<*const libc::c_char>,
    pub envp: Vec<*const libc::c_char>,
    /// For a script without an interpreter line: a shell with the script.
    pub shell_argv: Vec<*const libc::c_char>,
}

impl Words {
    pub fn new(program: &CStr, args: Vec<CString>, environment: Vec<CString>) -> Self {
        let program = program.to_owned();
        let null = [std::ptr::null()];
        let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
        let argv = [&pointers(&args)[..], &null].concat();
        let envp = [&pointers(&environment)[..], &null].concat();
        let rest = pointers(args.get(1..).unwrap_or_default());
        let shell_argv = [&[c"bash".as_ptr(), program.as_ptr()][..], &rest, &null].concat();
        Self { _args: args, _environment: environment, _program: program, argv, envp, shell_argv }
    }
}

/// A directory of the file system in memory.
pub struct Scratch {
    /// Where it is while the walls go up.
    pub path: CString,
    pub mode: u32,
    pub fd: i32,
}

/// One action on the mounts, in order.
pub enum Step {
    /// Put tree `source` on `target` with further attributes.
    Attach {
        source: usize,
        target: CString,
        attributes: u64,
    },
    /// Put directory `scratch` of the file system in memory on `target`.
    Scratch {
        scratch: usize,
        target: CString,
        attributes: u64,
    },
    MakeDirectory(CString),
    MakeFile(CString),
    Symlink {
        target: CString,
        path: CString,
    },
    /// A `/proc` of the new PID namespace.
    Proc,
    /// Terminals of the sandbox's own.
    Terminals,
    ReadOnly(CString),
}

impl Plan {
    /// All but the descriptors, which travel by themselves.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(16 * 1024));
        out.texts(&self.sources);
        out.text(&self.scratch_options);
        out.number(self.scratch.len() as u64);
        for scratch in &self.scratch {
            out.text(&scratch.path);
            out.number(scratch.mode.into());
        }
        out.number(self.steps.len() as u64);
        for step in &self.steps {
            out.step(step);
        }
        out.number(self.landlock_abi as u64);
        out.number(self.landlock_rules.len() as u64);
        for rule in &self.landlock_rules {
            out.text(&rule.path);
            out.number(u64::from(rule.is_directory) | u64::from(rule.writable) << 1);
        }
        out.number(self.ports.is_some().into());
        let ports = self.ports.as_deref().unwrap_or_default();
        out.number(ports.len() as u64);
        ports.iter().for_each(|port| out.number((*port).into()));
        out.number(self.seccomp.len() as u64);
        for line in &self.seccomp {
            out.number(
                u64::from(line.code)
                    | u64::from(line.jt) << 16
                    | u64::from(line.jf) << 24
                    | u64::from(line.k) << 32,
            );
        }
        out.number(self.own_network.into());
        out.number(self.keep_capabilities);
        out.number(self.limits.len() as u64);
        for (resource, value) in &self.limits {
            out.number((*resource).into());
            out.number(*value);
        }
        for text in [&self.pid_max, &self.cwd, &self.program] {
            out.text(text);
        }
        out.texts(&self.words._args);
        out.texts(&self.words._environment);
        out.number(self.outlives_fwai.into());
        out.number(self.memory_pages);
        out.number(self.cpu_ticks);
        out.0
    }

    /// What `to_bytes` wrote; nothing where it is cut short.
    pub fn from_bytes(bytes: &[u8], streams: Descriptors) -> Option<Self> {
        let mut from = Reader(bytes);
        let sources = from.texts()?;
        let scratch_options = from.text()?;
        let scratch =
            from.list(|from| Some(Scratch { path: from.text()?, mode: from.number()? as u32, fd: -1 }))?;
        let steps = from.list(Reader::step)?;
        let landlock_abi = from.number()? as i32;
        let landlock_rules = from.list(|from| {
            let (path, flags) = (from.text()?, from.number()?);
            Some(landlock::Rule { path, is_directory: flags & 1 != 0, writable: flags & 2 != 0 })
        })?;
        let has_ports = from.number()? != 0;
        let ports = from.list(|from| from.number().map(|port| port as u16))?;
        let seccomp = from.list(|from| {
            let line = from.number()?;
            Some(libc::sock_filter {
                code: line as u16,
                jt: (line >> 16) as u8,
                jf: (line >> 24) as u8,
                k: (line >> 32) as u32,
            })
        })?;
        let own_network = from.number()? != 0;
        let keep_capabilities = from.number()?;
        let limits = from.list(|from| Some((from.number()? as u32, from.number()?)))?;
        let (pid_max, cwd, program) = (from.text()?, from.text()?, from.text()?);
        let words = Words::new(&program, from.texts()?, from.texts()?);
        Some(Self {
            trees: vec![-1; sources.len()],
            sources,
            scratch_options,
            scratch,
            steps,
            landlock_abi,
            landlock_rules,
            ports: has_ports.then_some(ports),
            seccomp,
            own_network,
            keep_capabilities,
            limits,
            pid_max,
            cwd,
            program,
            words,
            streams,
            stack: vec![0; STACK],
            outlives_fwai: from.number()? != 0,
            memory_pages: from.number()?,
            cpu_ticks: from.number()?,
        })
    }
}

/// Of the process that executes the command.
pub const STACK: usize = 64 * 1024;

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_ne_bytes());
    }

    fn text(&mut self, text: &CStr) {
        self.number(text.to_bytes().len() as u64);
        self.0.extend_from_slice(text.to_bytes());
    }

    fn texts(&mut self, texts: &[CString]) {
        self.number(texts.len() as u64);
        texts.iter().for_each(|text| self.text(text));
    }

    fn step(&mut self, step: &Step) {
        let (kind, number, attributes, texts): (u64, usize, u64, [&CStr; 2]) = match step {
            Step::Attach { source, target, attributes } => (0, *source, *attributes, [target, c""]),
            Step::Scratch { scratch, target, attributes } => (1, *scratch, *attributes, [target, c""]),
            Step::MakeDirectory(path) => (2, 0, 0, [path, c""]),
            Step::MakeFile(path) => (3, 0, 0, [path, c""]),
            Step::Symlink { target, path } => (4, 0, 0, [target, path]),
            Step::Proc => (5, 0, 0, [c"", c""]),
            Step::Terminals => (6, 0, 0, [c"", c""]),
            Step::ReadOnly(path) => (7, 0, 0, [path, c""]),
        };
        self.number(kind);
        self.number(number as u64);
        self.number(attributes);
        texts.iter().for_each(|text| self.text(text));
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*number))
    }

    fn text(&mut self) -> Option<CString> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        CString::new(text).ok()
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
    }

    fn texts(&mut self) -> Option<Vec<CString>> {
        self.list(Self::text)
    }

    fn step(&mut self) -> Option<Step> {
        let (kind, number, attributes) = (self.number()?, self.number()? as usize, self.number()?);
        let (first, second) = (self.text()?, self.text()?);
        Some(match kind {
            0 => Step::Attach { source: number, target: first, attributes },
            1 => Step::Scratch { scratch: number, target: first, attributes },
            2 => Step::MakeDirectory(first),
            3 => Step::MakeFile(first),
            4 => Step::Symlink { target: first, path: second },
            5 => Step::Proc,
            6 => Step::Terminals,
            7 => Step::ReadOnly(first),
            _ => return None,
        })
    }
}
