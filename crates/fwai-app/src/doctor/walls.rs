//! The walls around child processes: Landlock, namespaces, seccomp, bubblewrap.

use super::{Check, Patient};
use fwai_schema::config::SandboxWalls;
use fwai_tools::sandbox::probe::Probe;

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    let probe = Probe::get();
    let off = patient.config.as_ref().is_ok_and(|layered| layered.config.sandbox.walls == SandboxWalls::Off);
    let mut checks = vec![
        wall(
            "landlock",
            probe.landlock_abi >= 1,
            &format!("ABI {}", probe.landlock_abi),
            "the kernel has none",
            "use Linux 5.13 or later with `landlock` among lsm= (cat /sys/kernel/security/lsm)",
        ),
        wall(
            "user namespaces",
            probe.user_namespaces,
            "this user may make them",
            "this user may not make them",
            "sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000",
        ),
        wall(
            "seccomp",
            probe.seccomp,
            "filters are available",
            "the kernel has no filters",
            "use a kernel with CONFIG_SECCOMP_FILTER",
        ),
    ];
    checks.push(if probe.bubblewrap {
        Check::ok("bubblewrap", "installed")
    } else {
        Check::warning(
            "bubblewrap",
            "not installed; only needed where namespaces need its privileges",
            "sudo apt install bubblewrap",
        )
    });
    checks.push(match (probe.has_walls(), off) {
        (_, true) => Check::warning(
            "sandbox",
            "switched off in the configuration; every run records that",
            "fwai config set sandbox.walls required",
        ),
        (true, false) => Check::ok("sandbox", "commands run behind walls"),
        (false, false) => Check::problem(
            "sandbox",
            format!("commands are refused; missing: {}", probe.missing.join("; ")),
            "mend the lines above",
        ),
    });
    checks
}

fn wall(name: &str, there: bool, good: &str, bad: &str, fix: &str) -> Check {
    if there { Check::ok(name, good) } else { Check::problem(name, bad, fix) }
}
