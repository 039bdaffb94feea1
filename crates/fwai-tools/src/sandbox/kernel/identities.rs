//! How identities inside a sandbox relate to those outside.

use super::sys;
use std::{fs::File, io, io::Write};

/// What is written to the maps of a new user namespace.
pub struct IdMaps {
    uid: String,
    gid: String,
    /// Supplementary groups cannot be changed (needed where the map is not made by root).
    deny_setgroups: bool,
}

impl IdMaps {
    /// Root keeps all identities that it has here, so that files keep their owners; anybody else only their
    /// own.
    pub fn of_this_user() -> Self {
        if sys::effective_uid() == 0
            && let (Some(uid), Some(gid)) = (same("/proc/self/uid_map"), same("/proc/self/gid_map"))
        {
            return Self { uid, gid, deny_setgroups: false };
        }
        Self {
            uid: format!("{0} {0} 1", sys::effective_uid()),
            gid: format!("{0} {0} 1", sys::effective_gid()),
            deny_setgroups: true,
        }
    }
}

/// A map of each identity to itself.
fn same(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let lines: Option<Vec<String>> = text
        .lines()
        .map(|line| {
            let mut fields = line.split_whitespace();
            let (inside, _, count) = (fields.next()?, fields.next()?, fields.next()?);
            Some(format!("{inside} {inside} {count}"))
        })
        .collect();
    Some(lines?.join("\n"))
}

/// Give a process that has just been made in a user namespace its identities.
pub fn map(pid: i32, maps: &IdMaps) -> io::Result<()> {
    let write = |name: &str, text: &str| {
        let mut file = File::options().write(true).open(format!("/proc/{pid}/{name}"))?;
        file.write_all(text.as_bytes())
    };
    if maps.deny_setgroups {
        write("setgroups", "deny")?;
    }
    write("uid_map", &maps.uid)?;
    write("gid_map", &maps.gid)
}
