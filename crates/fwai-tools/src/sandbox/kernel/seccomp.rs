//! The seccomp program: system calls that no build needs and that lead out of the sandbox, or into rarely
//! tested corners of the kernel, are refused. What this kernel may have learnt after fwai was written does
//! not exist for the command.

use libc::{c_long, sock_filter};

#[cfg(target_arch = "x86_64")]
const AUDIT_ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const AUDIT_ARCH: u32 = 0xc000_00b7;

/// The newest system call that was looked at (`file_setattr`).
const NEWEST: u32 = 469;

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_GREATER: u16 = 0x25;
const JUMP_AT_LEAST: u16 = 0x35;
const JUMP: u16 = 0x05;
const JUMP_ANY_BIT: u16 = 0x45;
const AND: u16 = 0x54;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const KILL: u32 = 0x8000_0000;

const fn refuse(errno: i32) -> u32 {
    0x0005_0000 | errno as u32
}

/// New namespaces of any kind but time, whose flag is a signal number to `clone`.
const NEW_NAMESPACES: u32 = 0x7e02_0000;
const NEW_TIME_NAMESPACE: u32 = 0x80;
const SET_ID_BITS: u32 = 0o6000;
/// `O_CREAT` and the bit that makes `O_TMPFILE`.
const CREATES: u32 = 0o100 | 0o20_000_000;

/// Never allowed.
const DENIED: &[c_long] = &[
    // Other processes' memory and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // A second way to make system calls, which this program does not see.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Kernel keyrings are not namespaced.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Programs and modules in the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_userfaultfd,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    467, // open_tree_attr
    // Files by handle go round directories.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    // The machine itself.
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
    libc::SYS_lookup_dcookie,
    459, // lsm_set_self_attr
    469, // file_setattr
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    174, // create_module
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
    #[cfg(target_arch = "x86_64")]
    libc::SYS__sysctl,
];

/// The arguments of the first two lie in memory that this program cannot read; the others give memory that
/// no process has and no bound holds for. Programs fall back to other ways, `/dev/shm` among them.
const ABSENT: &[c_long] =
    &[libc::SYS_clone3, libc::SYS_openat2, libc::SYS_memfd_create, libc::SYS_memfd_secret, libc::SYS_shmget];

/// The program. With `unix_sockets` the command may make sockets in the file system and reach those that
/// its mounts show; without, it may only have connected pairs. With `only_tcp` the internet is spoken by
/// plain TCP alone, which is what Landlock's rules about ports hold for.
pub fn program(unix_sockets: bool, only_tcp: bool) -> Vec<sock_filter> {
    let mut code = Answers::default();
    for number in DENIED {
        code.on(*number, |code| code.push(RETURN, 0, 0, refuse(libc::EPERM)));
    }
    for number in ABSENT {
        code.on(*number, |code| code.push(RETURN, 0, 0, refuse(libc::ENOSYS)));
    }
    code.on(libc::SYS_clone, |code| code.refuse_bits(0, NEW_NAMESPACES, libc::EPERM));
    code.on(libc::SYS_unshare, |code| code.refuse_bits(0, NEW_NAMESPACES | NEW_TIME_NAMESPACE, libc::EPERM));
    // Keystrokes for the terminal that fwai itself runs in.
    code.on(libc::SYS_ioctl, |code| {
        code.refuse_values(1, &[libc::TIOCSTI as u32, libc::TIOCLINUX as u32, 0x5423], libc::EPERM)
    });
    set_id_files(&mut code);
    sockets(&mut code, unix_sockets, only_tcp);
    code.program()
}

/// A program in the project with the user's, or root's, identity would outlive the sandbox.
fn set_id_files(code: &mut Answers) {
    code.on(libc::SYS_fchmod, |code| code.refuse_bits(1, SET_ID_BITS, libc::EPERM));
    code.on(libc::SYS_fchmodat, |code| code.refuse_bits(2, SET_ID_BITS, libc::EPERM));
    code.on(452, |code| code.refuse_bits(2, SET_ID_BITS, libc::EPERM)); // fchmodat2
    code.on(libc::SYS_mknodat, |code| code.refuse_bits(2, SET_ID_BITS, libc::EPERM));
    code.on(libc::SYS_openat, |code| code.refuse_bits_of_new_file(2, 3));
    #[cfg(target_arch = "x86_64")]
    {
        code.on(libc::SYS_chmod, |code| code.refuse_bits(1, SET_ID_BITS, libc::EPERM));
        code.on(libc::SYS_creat, |code| code.refuse_bits(1, SET_ID_BITS, libc::EPERM));
        code.on(libc::SYS_mknod, |code| code.refuse_bits(1, SET_ID_BITS, libc::EPERM));
        code.on(libc::SYS_open, |code| code.refuse_bits_of_new_file(1, 2));
    }
}

/// Sends data with the first packet, and so connects without `connect`.
const MSG_FASTOPEN: u32 = 0x2000_0000;

fn sockets(code: &mut Answers, unix_sockets: bool, only_tcp: bool) {
    let mut families = vec![libc::AF_INET as u32, libc::AF_INET6 as u32, libc::AF_NETLINK as u32];
    if unix_sockets {
        families.push(libc::AF_UNIX as u32);
    }
    if only_tcp {
        code.on(libc::SYS_sendto, |code| code.refuse_bits(3, MSG_FASTOPEN, libc::EACCES));
        code.on(libc::SYS_sendmsg, |code| code.refuse_bits(2, MSG_FASTOPEN, libc::EACCES));
        code.on(libc::SYS_sendmmsg, |code| code.refuse_bits(3, MSG_FASTOPEN, libc::EACCES));
        families.retain(|family| *family == libc::AF_UNIX as u32);
    }
    code.on(libc::SYS_socket, |code| {
        if only_tcp {
            code.only_plain_tcp();
        }
        code.load_argument(0);
        for family in &families {
            code.push(JUMP_EQUAL, 0, 1, *family);
            code.push(RETURN, 0, 0, ALLOW);
        }
        code.push(RETURN, 0, 0, refuse(libc::EACCES));
    });
    if !unix_sockets {
        // An unconnected half could still be pointed at a socket outside.
        code.on(libc::SYS_socketpair, |code| {
            code.load_argument(1);
            code.push(AND, 0, 0, 0xf);
            code.push(JUMP_EQUAL, 0, 1, libc::SOCK_DGRAM as u32);
            code.push(RETURN, 0, 0, refuse(libc::EACCES));
        });
    }
}

/// What each system call that is not simply allowed gets as an answer.
#[derive(Default)]
struct Answers(Vec<(u32, Code)>);

impl Answers {
    /// `body` for one system call; where it runs to its end the call is allowed.
    fn on(&mut self, number: c_long, body: impl FnOnce(&mut Code)) {
        let mut code = Code::default();
        body(&mut code);
        code.push(RETURN, 0, 0, ALLOW);
        self.0.push((number as u32, code));
    }

    /// The whole program. The kernel runs it once for every system call that there is when it is installed,
    /// and later for each that it does not simply allow, so the number is looked for by halves.
    fn program(mut self) -> Vec<sock_filter> {
        self.0.sort_by_key(|(number, _)| *number);
        self.0.dedup_by_key(|(number, _)| *number);
        let mut code = Code::default();
        code.load(4);
        code.push(JUMP_EQUAL, 1, 0, AUDIT_ARCH);
        code.push(RETURN, 0, 0, KILL);
        code.load(0);
        code.push(JUMP_GREATER, 0, 1, NEWEST);
        code.push(RETURN, 0, 0, refuse(libc::ENOSYS));
        code.0.extend(by_halves(&self.0));
        code.0
    }
}

fn by_halves(answers: &[(u32, Code)]) -> Vec<sock_filter> {
    let mut code = Code::default();
    if answers.len() <= 2 {
        for (number, body) in answers {
            let skip = u8::try_from(body.0.len()).expect("no body has more than 255 instructions");
            code.push(JUMP_EQUAL, 0, skip, *number);
            code.0.extend_from_slice(&body.0);
        }
        code.push(RETURN, 0, 0, ALLOW);
        return code.0;
    }
    let (below, above) = answers.split_at(answers.len() / 2);
    let below_code = by_halves(below);
    code.push(JUMP_AT_LEAST, 0, 1, above[0].0);
    code.push(JUMP, 0, 0, below_code.len() as u32);
    code.0.extend(below_code);
    code.0.extend(by_halves(above));
    code.0
}

#[derive(Default)]
struct Code(Vec<sock_filter>);

impl Code {
    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.0.push(sock_filter { code, jt, jf, k });
    }

    fn load(&mut self, offset: u32) {
        self.push(LOAD, 0, 0, offset);
    }

    /// The lower half of an argument; no check here depends on more, since the kernel uses no more of them.
    fn load_argument(&mut self, index: u32) {
        self.load(16 + 8 * index);
    }

    /// Lets through streams of the internet families with the usual protocol; falls through for other families.
    fn only_plain_tcp(&mut self) {
        for family in [libc::AF_INET as u32, libc::AF_INET6 as u32] {
            self.load_argument(0);
            self.push(JUMP_EQUAL, 0, 9, family);
            self.load_argument(1);
            self.push(AND, 0, 0, 0xf);
            self.push(JUMP_EQUAL, 1, 0, libc::SOCK_STREAM as u32);
            self.push(RETURN, 0, 0, refuse(libc::EACCES));
            self.load_argument(2);
            self.push(JUMP_EQUAL, 1, 0, 0);
            self.push(JUMP_EQUAL, 0, 1, libc::IPPROTO_TCP as u32);
            self.push(RETURN, 0, 0, ALLOW);
            self.push(RETURN, 0, 0, refuse(libc::EACCES));
        }
    }

    fn refuse_bits(&mut self, argument: u32, bits: u32, errno: i32) {
        self.load_argument(argument);
        self.push(JUMP_ANY_BIT, 0, 1, bits);
        self.push(RETURN, 0, 0, refuse(errno));
    }

    fn refuse_values(&mut self, argument: u32, values: &[u32], errno: i32) {
        self.load_argument(argument);
        for value in values {
            self.push(JUMP_EQUAL, 0, 1, *value);
            self.push(RETURN, 0, 0, refuse(errno));
        }
    }

    fn refuse_bits_of_new_file(&mut self, flags: u32, mode: u32) {
        self.load_argument(flags);
        self.push(JUMP_ANY_BIT, 0, 3, CREATES);
        self.load_argument(mode);
        self.push(JUMP_ANY_BIT, 0, 1, SET_ID_BITS);
        self.push(RETURN, 0, 0, refuse(libc::EPERM));
    }
}
