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
    checks.push(Check::ok(
        "bubblewrap",
        match probe.bubblewrap {
            true => "installed, and not needed: fwai puts up its own walls",
            false => "not installed, and not needed: fwai puts up its own walls",
        },
    ));
    checks.push(Check::ok(
        "bounds",
        match probe.process_limit {
            true => "processes and memory of a command are bounded over its whole tree",
            false => "memory of a command is bounded over its whole tree; processes by the user's limit (by namespace from Linux 6.14 on)",
        },
    ));
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
