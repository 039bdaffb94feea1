//! QEMU and the machines of the virtual boards.

use super::{Check, Patient, programs};
use fwai_firmware::boards::Catalogue;
use std::{collections::BTreeMap, time::Duration};

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    let catalogue = Catalogue::load(&patient.paths.project);
    let mut wanted: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for board in &catalogue.boards {
        let Some(qemu) = &board.qemu else { continue };
        let program = qemu.program.clone().unwrap_or_else(|| "qemu-system-arm".to_owned());
        wanted.entry(program).or_default().push((board.name.clone(), qemu.machine.clone()));
    }
    let mut checks: Vec<Check> =
        wanted.into_iter().map(|(program, boards)| check(patient, &program, &boards)).collect();
    for problem in &catalogue.problems {
        checks.push(Check::problem("boards", problem.to_string(), "mend the board file"));
    }
    checks
}

fn check(patient: &Patient<'_>, program: &str, boards: &[(String, String)]) -> Check {
    let package = if program.ends_with("-arm") || program.ends_with("-aarch64") {
        "qemu-system-arm"
    } else {
        "qemu-system-misc"
    };
    let install = format!("sudo apt install {package}");
    // A board file may name any program; only QEMU itself is ever started here.
    let Some(path) = program
        .starts_with("qemu-system-")
        .then(|| programs::find(program, &patient.paths.project))
        .flatten()
    else {
        return Check::warning(program, "not installed; virtual boards need it", install);
    };
    let version = programs::version(&path, "--version").unwrap_or_else(|| "version unknown".to_owned());
    let Some(machines) = programs::output(&path, &["-machine", "help"], Duration::from_secs(5)) else {
        return Check::warning(
            program,
            format!("{version}; does not list its machines"),
            format!("{program} -machine help"),
        );
    };
    let has = |machine: &str| machines.lines().any(|line| line.split_whitespace().next() == Some(machine));
    let missing: Vec<&str> =
        boards.iter().filter(|(_, machine)| !has(machine)).map(|(name, _)| name.as_str()).collect();
    if missing.is_empty() {
        let names: Vec<&str> = boards.iter().map(|(name, _)| name.as_str()).collect();
        Check::ok(program, format!("{version}; virtual boards: {}", names.join(", ")))
    } else {
        Check::warning(
            program,
            format!("{version}; too old for the virtual boards {}", missing.join(", ")),
            install,
        )
    }
}
