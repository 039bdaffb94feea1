//! Which walls this machine has. Looked at once; the answer decides whether commands run at all.

use super::kernel::sys;
use serde::Serialize;
use std::{path::Path, process::Command, sync::OnceLock};

/// What the kernel and the system offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Probe {
    pub landlock_abi: i32,
    pub user_namespaces: bool,
    pub seccomp: bool,
    /// Read-only trees in one call, Linux 5.12 and later.
    pub mount_attributes: bool,
    /// Processes are bounded by the namespace itself (Linux 6.14 and later), also for root.
    pub process_limit: bool,
    /// Installed; told for comparison, since fwai puts up its own walls.
    pub bubblewrap: bool,
    /// What is missing for the walls to stand, in words, with the next step.
    pub missing: Vec<String>,
}

impl Probe {
    /// The cached answer.
    pub fn get() -> &'static Probe {
        static PROBE: OnceLock<Probe> = OnceLock::new();
        PROBE.get_or_init(Self::look)
    }

    pub fn has_walls(&self) -> bool {
        self.missing.is_empty()
    }

    fn look() -> Probe {
        let landlock_abi = sys::landlock_abi();
        let seccomp = Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
            || sys::prctl(libc::PR_GET_SECCOMP, 0).is_ok();
        let (major, minor) = kernel_version();
        let mount_attributes = (major, minor) >= (5, 12);
        let user_namespaces = user_namespaces();
        let mut missing = Vec::new();
        if landlock_abi < 1 {
            missing
                .push("Landlock (Linux 5.13 or later, with `landlock` among the kernel's lsm=)".to_owned());
        }
        if !seccomp {
            missing.push("seccomp filters (a kernel with CONFIG_SECCOMP_FILTER)".to_owned());
        }
        if !mount_attributes {
            missing.push(format!("mount_setattr (Linux 5.12 or later; this is {major}.{minor})"));
        }
        if let Err(why) = &user_namespaces {
            missing.push(format!("user namespaces: {why}"));
        }
        Probe {
            landlock_abi,
            user_namespaces: user_namespaces.is_ok(),
            seccomp,
            mount_attributes,
            process_limit: (major, minor) >= (6, 14),
            bubblewrap: Path::new("/usr/bin/bwrap").exists(),
            missing,
        }
    }
}

/// Whether this user may make the namespaces. The settings are read where they exist; whether it really
/// works shows when the first command starts, and that fails closed.
fn user_namespaces() -> Result<(), String> {
    let setting = |path: &str| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    if !Path::new("/proc/self/ns/user").exists() {
        return Err("the kernel has none (CONFIG_USER_NS)".into());
    }
    if setting("/proc/sys/user/max_user_namespaces").as_deref() == Some("0") {
        return Err("switched off; run `sysctl user.max_user_namespaces=15000` as root".into());
    }
    if sys::effective_uid() != 0 {
        if setting("/proc/sys/kernel/unprivileged_userns_clone").as_deref() == Some("0") {
            return Err("only for root; run `sysctl kernel.unprivileged_userns_clone=1` as root".into());
        }
        if setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").as_deref() == Some("1")
            && !unshare_works()
        {
            return Err("restricted by AppArmor; give fwai a profile with `userns,` or run `sysctl kernel.apparmor_restrict_unprivileged_userns=0` as root".into());
        }
    }
    Ok(())
}

fn unshare_works() -> bool {
    Command::new("unshare").args(["-Urm", "true"]).output().is_ok_and(|output| output.status.success())
}

fn kernel_version() -> (u32, u32) {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}
