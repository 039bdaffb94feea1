//! Thin wrappers over the system calls that the walls need. None of them allocates, takes a lock or touches
//! libc state beyond `errno`, so all may be used between `clone` and `exec`.

#![allow(
    unsafe_code,
    reason = "these system calls have no safe wrapper that is also usable after a raw clone"
)]

use std::ffi::CStr;

/// An `errno` value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errno(pub i32);

impl From<Errno> for std::io::Error {
    fn from(errno: Errno) -> Self {
        std::io::Error::from_raw_os_error(errno.0)
    }
}

pub type Result<T> = std::result::Result<T, Errno>;

pub const OPEN_TREE_CLONE: u32 = 1;
pub const AT_RECURSIVE: u32 = 0x8000;
pub const MOUNT_ATTR_RDONLY: u64 = 0x1;
pub const MOUNT_ATTR_NOSUID: u64 = 0x2;
pub const MOUNT_ATTR_NODEV: u64 = 0x4;
pub const MOUNT_ATTR_NOEXEC: u64 = 0x8;
const MOVE_MOUNT_F_EMPTY_PATH: u32 = 0x4;
const MOVE_MOUNT_T_EMPTY_PATH: u32 = 0x40;
const RESOLVE_NO_SYMLINKS: u64 = 0x04;
const RESOLVE_NO_MAGICLINKS: u64 = 0x02;

fn last() -> Errno {
    // SAFETY: `__errno_location` always returns a valid pointer to this thread's errno.
    Errno(unsafe { *libc::__errno_location() })
}

fn checked(result: libc::c_long) -> Result<usize> {
    if result < 0 { Err(last()) } else { Ok(result as usize) }
}

macro_rules! syscall {
    ($number:expr $(, $argument:expr)*) => {
        // SAFETY: each caller passes arguments of the types that this system call takes, and pointers that
        // live until it returns; the kernel checks everything else.
        checked(unsafe { libc::syscall($number $(, $argument)*) })
    };
}

#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

/// A descriptor for an absolute path none of whose components is a symlink.
pub fn open_path(path: &CStr) -> Result<i32> {
    let how = OpenHow {
        flags: (libc::O_PATH | libc::O_CLOEXEC | libc::O_NOFOLLOW) as u64,
        mode: 0,
        resolve: RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    syscall!(libc::SYS_openat2, libc::AT_FDCWD, path.as_ptr(), &raw const how, size_of::<OpenHow>())
        .map(|fd| fd as i32)
}

/// A detached copy of the mounts at and below a descriptor.
pub fn clone_tree(fd: i32) -> Result<i32> {
    let flags = OPEN_TREE_CLONE | AT_RECURSIVE | libc::O_CLOEXEC as u32 | libc::AT_EMPTY_PATH as u32;
    syscall!(libc::SYS_open_tree, fd, c"".as_ptr(), flags).map(|fd| fd as i32)
}

/// Put a detached tree on a mount point.
pub fn attach_tree(tree: i32, target: i32) -> Result<()> {
    let flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
    syscall!(libc::SYS_move_mount, tree, c"".as_ptr(), target, c"".as_ptr(), flags).map(drop)
}

/// Add attributes to the mounts at and below a descriptor.
pub fn set_mount_attributes(fd: i32, attributes: u64, recursive: bool) -> Result<()> {
    let attr = MountAttr { set: attributes, clear: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH as u32 | if recursive { AT_RECURSIVE } else { 0 };
    syscall!(libc::SYS_mount_setattr, fd, c"".as_ptr(), flags, &raw const attr, size_of::<MountAttr>())
        .map(drop)
}

pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: libc::c_ulong, data: &CStr) -> Result<()> {
    syscall!(libc::SYS_mount, source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, data.as_ptr()).map(drop)
}

pub fn make_private(target: &CStr) -> Result<()> {
    let none = std::ptr::null::<libc::c_char>();
    syscall!(libc::SYS_mount, none, target.as_ptr(), none, libc::MS_REC | libc::MS_PRIVATE, none).map(drop)
}

pub fn mkdir(path: &CStr, mode: u32) -> Result<()> {
    match syscall!(libc::SYS_mkdirat, libc::AT_FDCWD, path.as_ptr(), mode) {
        Err(Errno(libc::EEXIST)) => Ok(()),
        other => other.map(drop),
    }
}

pub fn chmod(path: &CStr, mode: u32) -> Result<()> {
    syscall!(libc::SYS_fchmodat, libc::AT_FDCWD, path.as_ptr(), mode).map(drop)
}

pub fn make_file(path: &CStr) -> Result<()> {
    let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC | libc::O_NOFOLLOW;
    close(syscall!(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0o600)? as i32);
    Ok(())
}

pub fn symlink(target: &CStr, path: &CStr) -> Result<()> {
    syscall!(libc::SYS_symlinkat, target.as_ptr(), libc::AT_FDCWD, path.as_ptr()).map(drop)
}

pub fn chdir(path: &CStr) -> Result<()> {
    syscall!(libc::SYS_chdir, path.as_ptr()).map(drop)
}

pub fn close(fd: i32) {
    let _ = syscall!(libc::SYS_close, fd);
}

/// Close every descriptor from `first` to `last`.
pub fn close_range(first: u32, last: u32) -> Result<()> {
    syscall!(libc::SYS_close_range, first, last, 0).map(drop)
}

/// Mark every descriptor from `first` on to be closed by `exec`.
pub fn close_on_exec_from(first: u32) -> Result<()> {
    syscall!(libc::SYS_close_range, first, u32::MAX, 4).map(drop)
}

pub fn dup_to(fd: i32, onto: i32) -> Result<()> {
    syscall!(libc::SYS_dup3, fd, onto, 0).map(drop)
}

/// A copy of a descriptor that is at least `lowest`.
pub fn dup_above(fd: i32, lowest: i32) -> Result<i32> {
    syscall!(libc::SYS_fcntl, fd, libc::F_DUPFD_CLOEXEC, lowest).map(|fd| fd as i32)
}

pub fn read(fd: i32, buffer: &mut [u8]) -> Result<usize> {
    loop {
        match syscall!(libc::SYS_read, fd, buffer.as_mut_ptr(), buffer.len()) {
            Err(Errno(libc::EINTR)) => {}
            other => return other,
        }
    }
}

pub fn write(fd: i32, bytes: &[u8]) -> Result<usize> {
    loop {
        match syscall!(libc::SYS_write, fd, bytes.as_ptr(), bytes.len()) {
            Err(Errno(libc::EINTR)) => {}
            other => return other,
        }
    }
}

/// Write a whole small file that already exists.
pub fn write_file(path: &CStr, bytes: &[u8]) -> Result<()> {
    let fd =
        syscall!(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC)? as i32;
    let outcome = write(fd, bytes);
    close(fd);
    outcome.map(drop)
}

pub fn prctl(option: i32, argument: u64) -> Result<usize> {
    syscall!(libc::SYS_prctl, option, argument, 0u64, 0u64, 0u64)
}

pub fn set_name(name: &CStr) {
    let _ = syscall!(libc::SYS_prctl, libc::PR_SET_NAME, name.as_ptr(), 0u64, 0u64, 0u64);
}

/// Never to interrupt what runs, only to take its turn; what this process starts is as usual.
pub fn yield_to_others() {
    let parameters = libc::sched_param { sched_priority: 0 };
    let policy = libc::SCHED_BATCH | libc::SCHED_RESET_ON_FORK;
    let _ = syscall!(libc::SYS_sched_setscheduler, 0, policy, &raw const parameters);
}

/// Let whoever waits for this processor have it first.
pub fn step_aside() {
    let _ = syscall!(libc::SYS_sched_yield);
}

pub fn set_limit(resource: u32, limit: u64) -> Result<()> {
    let limit = libc::rlimit64 { rlim_cur: limit, rlim_max: limit };
    match syscall!(libc::SYS_prlimit64, 0, resource, &raw const limit, std::ptr::null::<libc::rlimit64>()) {
        // Already lower than that, which is as good.
        Err(Errno(libc::EPERM)) => Ok(()),
        other => other.map(drop),
    }
}

pub fn setsid() {
    let _ = syscall!(libc::SYS_setsid);
}

pub fn exit(code: i32) -> ! {
    // SAFETY: `_exit` takes any code, runs no handlers and does not return.
    unsafe { libc::_exit(code) }
}

/// Send a signal to every process of this PID namespace but init.
pub fn kill_all(signal: i32) {
    let _ = syscall!(libc::SYS_kill, -1, signal);
}

/// Replace this process; returns only on failure. The arrays end in null.
pub fn exec(program: &CStr, argv: &[*const libc::c_char], envp: &[*const libc::c_char]) -> Errno {
    match syscall!(libc::SYS_execve, program.as_ptr(), argv.as_ptr(), envp.as_ptr()) {
        Err(errno) => errno,
        Ok(_) => Errno(libc::EINVAL),
    }
}

/// A child that ended: its process id and wait status; nothing when none has.
pub fn reap_any() -> Result<Option<(i32, i32)>> {
    let mut status = 0i32;
    let pid = syscall!(libc::SYS_wait4, -1, &raw mut status, libc::WNOHANG, std::ptr::null::<u8>())?;
    Ok(if pid == 0 { None } else { Some((pid as i32, status)) })
}

/// Collect children until there are none.
pub fn reap_all() {
    loop {
        match syscall!(libc::SYS_wait4, -1, std::ptr::null::<i32>(), 0, std::ptr::null::<u8>()) {
            Ok(_) | Err(Errno(libc::EINTR)) => {}
            Err(_) => return,
        }
    }
}

const SIGNAL_SET: usize = 8;

/// Block all signals of this thread; returns the mask before.
pub fn block_signals() -> u64 {
    let all = u64::MAX;
    let mut before = 0u64;
    let _ =
        syscall!(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, &raw mut before, SIGNAL_SET);
    before
}

pub fn set_signal_mask(mask: u64) {
    let _ = syscall!(
        libc::SYS_rt_sigprocmask,
        libc::SIG_SETMASK,
        &raw const mask,
        std::ptr::null::<u64>(),
        SIGNAL_SET
    );
}

/// What the standard library ignores, the command must not.
pub fn default_sigpipe() {
    // SAFETY: setting a signal to its default disposition has no preconditions.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// A descriptor that becomes readable when a child ends (SIGCHLD must be blocked).
pub fn child_signal_fd() -> Result<i32> {
    let set = 1u64 << (libc::SIGCHLD - 1);
    syscall!(libc::SYS_signalfd4, -1, &raw const set, SIGNAL_SET, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
        .map(|fd| fd as i32)
}

/// Wait for one of the descriptors, at most so many milliseconds.
pub fn poll(fds: &mut [libc::pollfd], milliseconds: i64) -> Result<()> {
    let limit = libc::timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
    match syscall!(
        libc::SYS_ppoll,
        fds.as_mut_ptr(),
        fds.len(),
        &raw const limit,
        std::ptr::null::<u8>(),
        0usize
    ) {
        Err(Errno(libc::EINTR)) | Ok(_) => Ok(()),
        Err(errno) => Err(errno),
    }
}

pub fn open_read(directory: i32, path: &CStr) -> Result<i32> {
    syscall!(libc::SYS_openat, directory, path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC).map(|fd| fd as i32)
}

pub fn rewind(fd: i32) -> Result<()> {
    syscall!(libc::SYS_lseek, fd, 0, libc::SEEK_SET).map(drop)
}

/// Entries of a directory as the kernel writes them; how many bytes there are.
pub fn directory_entries(fd: i32, buffer: &mut [u8]) -> Result<usize> {
    syscall!(libc::SYS_getdents64, fd, buffer.as_mut_ptr(), buffer.len())
}

/// `fork` with further flags and without libc's handlers. Returns 0 in the child.
///
/// # Safety
/// The child may only use functions of this module (nothing that allocates or locks) until it executes or
/// exits, since other threads of the parent may have held locks.
pub unsafe fn raw_clone(flags: u64, pidfd: &mut i32) -> Result<i32> {
    let null = std::ptr::null::<u8>();
    // x86_64 and aarch64 agree on the first three arguments, and the other two are unused here.
    syscall!(libc::SYS_clone, flags | libc::SIGCHLD as u64, null, std::ptr::from_mut(pidfd), null, null)
        .map(|pid| pid as i32)
}

/// Run `body(argument)` in a child that shares this memory, and wait until it executed or exited.
///
/// # Safety
/// `body` must end in `exec` or `exit`, and `stack` must be large enough for it.
pub unsafe fn vfork_with(
    body: extern "C" fn(*mut libc::c_void) -> i32,
    argument: *mut libc::c_void,
    stack: &mut [u8],
) -> Result<i32> {
    let end = stack.as_mut_ptr_range().end as usize & !15;
    // SAFETY: the stack belongs to this process, ends aligned, and this thread sleeps (CLONE_VFORK) for as
    // long as the child uses it.
    let pid = unsafe {
        libc::clone(
            body,
            end as *mut libc::c_void,
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            argument,
        )
    };
    checked(libc::c_long::from(pid)).map(|pid| pid as i32)
}

/// Give up every capability but `keep` (a mask), for good.
pub fn drop_capabilities(keep: u64) -> Result<()> {
    for capability in 0..64u64 {
        if keep & (1 << capability) == 0 {
            match prctl(libc::PR_CAPBSET_DROP, capability) {
                Ok(_) => {}
                // Past the last capability that this kernel knows.
                Err(Errno(libc::EINVAL)) => break,
                Err(errno) => return Err(errno),
            }
        }
    }
    let _ = prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as u64);
    let header: [u32; 2] = [0x2008_0522, 0];
    let (low, high) = (keep as u32, (keep >> 32) as u32);
    let data: [u32; 6] = [low, low, 0, high, high, 0];
    syscall!(libc::SYS_capset, header.as_ptr(), data.as_ptr()).map(drop)
}

/// Switch the loopback interface of this network namespace on.
pub fn loopback_up() -> Result<()> {
    let fd = syscall!(libc::SYS_socket, libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0)? as i32;
    // struct ifreq: 16 bytes of name, then a short of flags.
    let mut request = [0u8; 40];
    request[..2].copy_from_slice(b"lo");
    let flags = (libc::IFF_UP | libc::IFF_RUNNING) as u16;
    request[16..18].copy_from_slice(&flags.to_ne_bytes());
    let outcome = syscall!(libc::SYS_ioctl, fd, libc::SIOCSIFFLAGS, request.as_ptr());
    close(fd);
    outcome.map(drop)
}

pub fn effective_uid() -> u32 {
    // SAFETY: geteuid has no preconditions and cannot fail.
    unsafe { libc::geteuid() }
}

pub fn effective_gid() -> u32 {
    // SAFETY: getegid has no preconditions and cannot fail.
    unsafe { libc::getegid() }
}

/// Send a signal to the process behind a pidfd.
pub fn signal_process(pidfd: i32, signal: i32) -> Result<()> {
    syscall!(libc::SYS_pidfd_send_signal, pidfd, signal, std::ptr::null::<u8>(), 0).map(drop)
}

pub fn kill_group(pid: i32, signal: i32) -> Result<()> {
    syscall!(libc::SYS_kill, -pid, signal).map(drop)
}

/// Collect the process behind a pidfd if it has ended: its exit code, or the signal that ended it.
pub fn reap(pidfd: i32, block: bool) -> Result<Option<(Option<i32>, Option<i32>)>> {
    // SAFETY: an all-zero siginfo_t is a valid value of that plain C struct.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let flags = libc::WEXITED | if block { 0 } else { libc::WNOHANG };
    loop {
        match syscall!(libc::SYS_waitid, libc::P_PIDFD, pidfd, &raw mut info, flags, std::ptr::null::<u8>()) {
            Err(Errno(libc::EINTR)) => {}
            Err(errno) => return Err(errno),
            Ok(_) => break,
        }
    }
    // SAFETY: waitid filled the fields for a child event, or left si_pid zero.
    let (pid, status) = unsafe { (info.si_pid(), info.si_status()) };
    if pid == 0 {
        return Ok(None);
    }
    Ok(Some(if info.si_code == libc::CLD_EXITED { (Some(status), None) } else { (None, Some(status)) }))
}

/// Install a seccomp program for this process and all that it starts.
pub fn install_seccomp(program: &[libc::sock_filter]) -> Result<()> {
    let description = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    syscall!(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const description).map(drop)
}

#[repr(C)]
struct RulesetAttr {
    handled_fs: u64,
    handled_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

pub fn landlock_abi() -> i32 {
    syscall!(444, std::ptr::null::<u8>(), 0usize, 1u32).map_or(0, |abi| abi as i32)
}

/// A ruleset that handles these accesses. `size` is what this kernel's version of the struct has.
pub fn landlock_ruleset(handled_fs: u64, handled_net: u64, scoped: u64, size: usize) -> Result<i32> {
    let attr = RulesetAttr { handled_fs, handled_net, scoped };
    syscall!(444, &raw const attr, size, 0u32).map(|fd| fd as i32)
}

pub fn landlock_allow(ruleset: i32, parent: i32, allowed: u64) -> Result<()> {
    let rule = PathBeneath { allowed, parent };
    syscall!(445, ruleset, 1u32, &raw const rule, 0u32).map(drop)
}

#[repr(C)]
struct NetPort {
    allowed: u64,
    port: u64,
}

pub fn landlock_allow_port(ruleset: i32, port: u16, allowed: u64) -> Result<()> {
    let rule = NetPort { allowed, port: u64::from(port) };
    syscall!(445, ruleset, 2u32, &raw const rule, 0u32).map(drop)
}

pub fn landlock_restrict(ruleset: i32) -> Result<()> {
    syscall!(446, ruleset, 0u32).map(drop)
}

/// Wait until a descriptor is readable.
pub async fn readable(fd: std::os::fd::BorrowedFd<'_>) -> std::io::Result<()> {
    // SAFETY: the borrow keeps the descriptor open for longer than its registration, which ends here.
    let watched =
        unsafe { tokio::io::unix::AsyncFd::register_with_interest(fd, tokio::io::Interest::READABLE) }?;
    let _ready = watched.readable().await?;
    Ok(())
}
