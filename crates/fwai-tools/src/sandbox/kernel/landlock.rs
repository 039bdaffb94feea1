//! Landlock: the second wall around files. It knows directories, not mounts, so it holds where a descriptor
//! from outside would go round the mount namespace.

use super::sys;
use std::ffi::CString;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
const SCOPE_ABSTRACT_UNIX_SOCKET: u64 = 1;
const SCOPE_SIGNAL: u64 = 2;
const BIND_TCP: u64 = 1;
const CONNECT_TCP: u64 = 2;

/// The first version that knows TCP ports.
pub const KNOWS_PORTS: i32 = 4;

/// One allowed tree.
pub struct Rule {
    pub path: CString,
    pub is_directory: bool,
    pub writable: bool,
}

/// All accesses to files that this version of Landlock can control.
fn handled(abi: i32) -> u64 {
    match abi {
        ..=1 => REFER - 1,
        2 => TRUNCATE - 1,
        3 | 4 => IOCTL_DEV - 1,
        _ => (IOCTL_DEV << 1) - 1,
    }
}

/// Restrict this process. With `ports` no other TCP port can be bound or reached. Only async-signal-safe calls.
pub fn restrict(abi: i32, rules: &[Rule], ports: Option<&[u16]>) -> sys::Result<()> {
    let all = handled(abi);
    let scoped = if abi >= 6 { SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL } else { 0 };
    let size = match abi {
        ..=3 => 8,
        4 | 5 => 16,
        _ => 24,
    };
    if ports.is_some() && abi < KNOWS_PORTS {
        return Err(sys::Errno(libc::EOPNOTSUPP));
    }
    let tcp = if ports.is_some() { BIND_TCP | CONNECT_TCP } else { 0 };
    let ruleset = sys::landlock_ruleset(all, tcp, scoped, size)?;
    for port in ports.unwrap_or_default() {
        sys::landlock_allow_port(ruleset, *port, tcp)?;
    }
    for rule in rules {
        let wanted = match (rule.writable, rule.is_directory) {
            (true, true) => all,
            (true, false) => EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
            (false, true) => EXECUTE | READ_FILE | READ_DIR,
            (false, false) => EXECUTE | READ_FILE,
        };
        let fd = sys::open_path(&rule.path)?;
        let outcome = sys::landlock_allow(ruleset, fd, wanted & all);
        sys::close(fd);
        outcome?;
    }
    let outcome = sys::landlock_restrict(ruleset);
    sys::close(ruleset);
    outcome
}
