//! Room for builds, logs and evidence.

use super::{Check, Patient};
use std::path::Path;

const WARN_BELOW_MB: u64 = 500;
const PROBLEM_BELOW_MB: u64 = 50;

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    vec![space("disk space", &patient.paths.project), space("temporary space", &std::env::temp_dir())]
}

fn space(name: &str, path: &Path) -> Check {
    match rustix::fs::statvfs(path) {
        Ok(disk) => judged(name, path, disk.f_bavail.saturating_mul(disk.f_frsize) >> 20),
        Err(error) => Check::warning(
            name,
            format!("cannot be told for {}: {error}", path.display()),
            format!("df -h {}", path.display()),
        ),
    }
}

fn judged(name: &str, path: &Path, free_mb: u64) -> Check {
    let detail = format!("{free_mb} MB free in {}", path.display());
    let fix = format!("free some space: du -sh {}/* | sort -h", path.display());
    match free_mb {
        free if free < PROBLEM_BELOW_MB => Check::problem(name, detail, fix),
        free if free < WARN_BELOW_MB => Check::warning(name, detail, fix),
        _ => Check::ok(name, detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn little_room_is_said() {
        let judge = |mb| judged("d", Path::new("/x"), mb).status;
        assert_eq!([judge(10), judge(100), judge(5_000)], [Status::Problem, Status::Warning, Status::Ok]);
    }
}
