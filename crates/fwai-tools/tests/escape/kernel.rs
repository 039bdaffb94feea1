//! Attempts through the kernel: other processes, namespaces, mounts, rings, keys and `/proc`.

use super::Ground;

/// One raw system call through ctypes; `blocked` when it fails with one of the refusals.
fn refused(ground: &Ground, name: &str, number: i64, arguments: &str) {
    let program = format!(
        "import ctypes, os, errno
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
buffer = ctypes.create_string_buffer(256)
result = libc.syscall(ctypes.c_long({number}), {arguments})
code = ctypes.get_errno()
print('blocked' if result == -1 and code in (errno.EPERM, errno.EACCES, errno.ENOSYS) else '{name} gave %d %s' % (result, errno.errorcode.get(code)))"
    );
    ground.python_blocked(&program);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn dangerous_system_calls() {
    let ground = Ground::new();
    let zero = "0, 0, 0, 0, 0";
    for (name, number, arguments) in [
        ("ptrace(ATTACH, 1)", 101, "16, 1, 0, 0"),
        ("ptrace(TRACEME)", 101, "0, 0, 0, 0"),
        ("process_vm_readv(1)", 310, "1, buffer, 1, buffer, 1, 0"),
        ("process_vm_writev(1)", 311, "1, buffer, 1, buffer, 1, 0"),
        ("io_uring_setup", 425, "8, buffer"),
        ("io_uring_enter", 426, zero),
        ("keyctl", 250, "0, -3, 1, 0, 0"),
        ("add_key", 248, "b'user', b'x', b'y', 1, -3"),
        ("bpf", 321, "0, buffer, 64"),
        ("perf_event_open", 298, "buffer, 0, -1, -1, 0"),
        ("userfaultfd", 323, "0"),
        ("mount", 165, "b'none', b'/tmp', b'tmpfs', 0, 0"),
        ("umount2", 166, "b'/proc', 2"),
        ("pivot_root", 155, "b'.', b'.'"),
        ("chroot", 161, "b'/'"),
        ("unshare(NEWUSER)", 272, "0x10000000"),
        ("unshare(NEWNS)", 272, "0x20000"),
        ("unshare(NEWTIME)", 272, "0x80"),
        ("clone(NEWUSER)", 56, "0x10000011, 0, 0, 0, 0"),
        ("clone3", 435, "buffer, 64"),
        ("setns", 308, "0, 0"),
        ("open_tree", 428, "-100, b'/', 1"),
        ("fsopen", 430, "b'tmpfs', 0"),
        ("mount_setattr", 442, "-100, b'/', 0, buffer, 32"),
        ("open_by_handle_at", 304, "-100, buffer, 0"),
        ("name_to_handle_at", 303, "-100, b'/', buffer, buffer, 0"),
        ("pidfd_getfd", 438, zero),
        ("kcmp", 312, "1, 1, 0, 0, 0"),
        ("init_module", 175, "buffer, 1, b''"),
        ("kexec_load", 246, zero),
        ("reboot", 169, "0xfee1dead, 672274793, 0x89abcdef, 0"),
        ("swapon", 167, "b'/x', 0"),
        ("sethostname", 170, "b'evil', 4"),
        ("syslog", 103, "3, buffer, 10"),
        ("openat2", 437, "-100, b'/', buffer, 24"),
        ("x32 getpid", 0x4000_0027, "0"),
        ("a system call of the future", 4000, "0"),
        ("socket(AF_VSOCK)", 41, "40, 1, 0"),
        ("socket(AF_ALG)", 41, "38, 5, 0"),
        ("socket(AF_PACKET)", 41, "17, 3, 0"),
    ] {
        refused(&ground, name, number, arguments);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn thirty_two_bit_calls_end_the_process() {
    let ground = Ground::new();
    // int 0x80 with eax = 20 (getpid in the 32-bit table).
    let finished = ground.python(
        "import ctypes, mmap
code = b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3'
memory = mmap.mmap(-1, 4096, prot=7)
memory.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
print('got', ctypes.CFUNCTYPE(ctypes.c_int)(address)())",
    );
    assert_eq!(finished.status.signal, Some(libc::SIGSYS), "{}", super::text(&finished));
}

#[test]
fn other_processes_through_proc() {
    let ground = Ground::new();
    for line in [
        "cat /proc/1/environ | tr '\\0' '\\n' | grep .",
        "cat /proc/1/mem",
        "head -c1 /proc/1/mem",
        "ls /proc/1/root/",
        "ls /proc/1/cwd/",
        "cat /proc/1/fd/*",
        "readlink /proc/1/fd/0",
        "cat /proc/1/maps | grep .",
        "echo x > /proc/1/oom_score_adj",
        "dd if=/proc/self/mem of=/dev/null bs=1 count=1",
        "echo x > /proc/self/mem",
        "echo evil > /proc/sys/kernel/core_pattern",
        "echo 1 > /proc/sys/kernel/sysrq",
        "echo b > /proc/sysrq-trigger",
        "echo evil > /proc/sys/kernel/modprobe",
        "cat /proc/kcore | head -c1 | grep .",
        "echo x > /sys/kernel/uevent_helper",
        "echo x > /sys/power/state",
        "ls /proc/kmsg && cat /proc/kmsg",
    ] {
        ground.blocked(line);
    }
    // Nothing of the machine's processes is to be seen.
    let count: usize = ground.works("ls -d /proc/[0-9]* | wc -l").trim().parse().unwrap();
    assert!(count <= 6, "{count} processes are visible");
    // Its own children are its own business.
    ground.works("sleep 0.01 & cat /proc/$!/status > /dev/null; wait");
}

#[test]
fn privileges_are_gone() {
    let ground = Ground::new();
    let status = ground.works("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status");
    for line in [
        "CapPrm:\t0000000000000000",
        "CapEff:\t0000000000000000",
        "CapBnd:\t0000000000000000",
        "CapAmb:\t0000000000000000",
        "NoNewPrivs:\t1",
        "Seccomp:\t2",
    ] {
        assert!(status.contains(line), "{line} is missing in {status}");
    }
}

#[test]
fn keystrokes_into_a_terminal() {
    let ground = Ground::new();
    ground.python_blocked(
        "import fcntl, pty, termios
master, slave = pty.openpty()
try:
  fcntl.ioctl(slave, termios.TIOCSTI, b'x')
  print('typed')
except PermissionError: print('blocked')",
    );
    // The upper half of the number is not looked at by the kernel, and does not help.
    ground.python_blocked(
        "import ctypes, errno, pty
master, slave = pty.openpty()
libc = ctypes.CDLL(None, use_errno=True)
result = libc.ioctl(slave, ctypes.c_ulong(0x500005412), b'x')
print('blocked' if result == -1 and ctypes.get_errno() == errno.EPERM else 'typed')",
    );
}

#[test]
fn a_program_from_memory_is_behind_the_same_walls() {
    let ground = Ground::new();
    let treasure = ground.outside.join("treasure");
    let program = format!(
        "import os
try: fd = os.memfd_create('x')
except OSError: fd = os.open('/dev/shm/x', os.O_RDWR | os.O_CREAT, 0o700)
os.write(fd, open('/bin/sh', 'rb').read())
fd = os.open(f'/proc/self/fd/{{fd}}', os.O_RDONLY)
pid = os.fork()
if pid == 0:
  os.execve(fd, ['sh', '-c', 'echo evil > {}'], {{}})
_, status = os.waitpid(pid, 0)
print('blocked' if status != 0 else 'wrote')",
        treasure.display()
    );
    ground.python_blocked(&program);
}

#[test]
fn preloaded_libraries_change_nothing() {
    let ground = Ground::new();
    ground.blocked(&format!(
        "LD_PRELOAD=./x.so LD_LIBRARY_PATH=. sh -c 'echo evil > {}/new'",
        ground.outside.display()
    ));
}
