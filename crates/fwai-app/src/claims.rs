//! What commands and turns may claim, from what the records show: "flashed", "tested", "fixed".
//!
//! A claim covers the files that it speaks of. What runs on a board was made from the sources of a build, so
//! claims about a board cover what the claim of that build covers: change a source, and they are stale.

use std::{collections::BTreeMap, path::Path};

use fwai_evidence::{
    claims::{cover_files, project_files},
    runs::{list_runs, load_evidence},
};
use fwai_schema::evidence::{BootOutcome, BootStatus, Claim, ClaimKind, FlashEvidence, RunStatus};

/// Runs looked at in search of what is on a board.
const MOST_SEARCHED: usize = 200;

/// A board holds an image, and that was proven.
pub fn flashed(root: &Path, run_id: &str, flash: &FlashEvidence) -> Claim {
    let mut runs = vec![run_id.to_owned()];
    let mut covers = BTreeMap::new();
    if let Some(build) = &flash.build_run {
        covers = covered_by(root, build);
        runs.push(build.clone());
    }
    // An image from elsewhere is named by its digest in the record.
    covers.extend(cover_files(root, &[&flash.image]).unwrap_or_default());
    let statement = format!("{} runs {}", flash.board, within(root, &flash.image));
    Claim { kind: ClaimKind::Flashed, statement, runs, covers }
}

/// What was flashed has booted. Nothing is claimed of a board whose image is not on record.
pub fn booted(root: &Path, run_id: &str, board: &str, boot: &BootStatus) -> Option<Claim> {
    if boot.status != BootOutcome::Success {
        return None;
    }
    let runs = list_runs(root).ok()?;
    let flash = runs.iter().take(MOST_SEARCHED).find_map(|run| {
        let evidence = load_evidence(root, &run.run_id).ok()?;
        // Turns and skills repeat what the runs of their calls hold.
        let flash = evidence.flash.filter(|flash| flash.board == board && evidence.agentic.is_none())?;
        Some((run.run_id.clone(), evidence.status, flash))
    });
    // What was written last is what runs, whether or not it was proven; only what was proven is claimed.
    let (flash_run, _, flash) =
        flash.filter(|(_, status, flash)| *status == RunStatus::Success && flash.proof.ok)?;
    let seen = boot.matched.as_deref().unwrap_or("its boot banner");
    let statement = format!("{} on {board} said {seen:?}", within(root, &flash.image));
    let covers = covered_by(root, &flash_run);
    let runs = [run_id.to_owned(), flash_run].into_iter().chain(flash.build_run).collect();
    Some(Claim { kind: ClaimKind::Tested, statement, runs, covers })
}

/// A path as seen from the project.
fn within(root: &Path, path: &str) -> String {
    Path::new(path).strip_prefix(root).map_or(path.to_owned(), |inside| inside.display().to_string())
}

/// What every claim of a run covers.
fn covered_by(root: &Path, run_id: &str) -> BTreeMap<String, String> {
    let evidence = load_evidence(root, run_id);
    evidence
        .map(|evidence| evidence.claims.into_iter().flat_map(|claim| claim.covers).collect())
        .unwrap_or_default()
}

/// One check within a turn: a build, a test, a look at the board, or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub tool: String,
    pub command: String,
    pub success: bool,
    /// The run that the check left, where it left its own.
    pub run_id: Option<String>,
    /// Calls that had changed files before it.
    pub writes: usize,
}

impl Check {
    /// Whether two calls check the same thing. Firmware tools do whatever their other arguments are.
    fn is_same_as(&self, other: &Self) -> bool {
        self.tool == other.tool && (self.tool != "bash" || self.command == other.command)
    }
}

/// Tools whose outcome says whether something works.
pub fn is_check(tool: &str) -> bool {
    matches!(tool, "build_firmware" | "run_tests" | "read_console" | "bash")
}

/// What a turn may claim when it ended well. "Fixed": a check failed, files were changed, and now it succeeds.
/// "Tested": the project's tests ran after the last change, and passed.
pub fn of_turn(root: &Path, run_id: &str, checks: &[Check], writes: usize, written: &[String]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut fixed: Vec<&Check> = Vec::new();
    for (place, last) in checks.iter().enumerate() {
        let is_last = !checks[place + 1..].iter().any(|later| later.is_same_as(last));
        let failed_before = checks[..place]
            .iter()
            .any(|check| check.is_same_as(last) && !check.success && check.writes < last.writes);
        if is_last && last.success && last.writes == writes && failed_before {
            fixed.push(last);
        }
    }
    let own = |more: Vec<String>| [run_id.to_owned()].into_iter().chain(more).collect::<Vec<_>>();
    if !fixed.is_empty() {
        let names: Vec<&str> = fixed.iter().map(|check| name_of(check)).collect();
        let statement = format!("{} failed before the change and succeeds with it", names.join(", "));
        let runs = own(fixed.iter().filter_map(|check| check.run_id.clone()).collect());
        let covers = written.iter().filter_map(|file| cover_files(root, &[file]).ok()).flatten().collect();
        claims.push(Claim { kind: ClaimKind::Fixed, statement, runs, covers });
    }
    let tests = checks.iter().rev().find(|check| check.tool == "run_tests");
    if let Some(tests) = tests.filter(|tests| tests.success && tests.writes == writes) {
        let covers = project_files(root).and_then(|files| cover_files(root, &files)).unwrap_or_default();
        let statement = "the project's tests pass".to_owned();
        let runs = own(tests.run_id.iter().cloned().collect());
        claims.push(Claim { kind: ClaimKind::Tested, statement, runs, covers });
    }
    claims
}

fn name_of(check: &Check) -> &str {
    match check.tool.as_str() {
        "build_firmware" => "the build",
        "run_tests" => "the project's tests",
        "read_console" => "the board's boot",
        _ => &check.command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tool: &str, command: &str, success: bool, writes: usize) -> Check {
        let run_id = (tool == "build_firmware").then(|| format!("20260101-00000{writes}-build"));
        Check { tool: tool.into(), command: command.into(), success, run_id, writes }
    }

    #[test]
    fn only_what_failed_was_changed_and_succeeds_is_fixed() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("main.c"), "int x;").unwrap();
        let written = ["main.c".to_owned()];
        let kinds = |checks: &[Check]| -> Vec<ClaimKind> {
            of_turn(root.path(), "20260101-000000-turn", checks, 1, &written).iter().map(|c| c.kind).collect()
        };
        let (broken, whole) =
            (check("build_firmware", "{}", false, 0), check("build_firmware", "{}", true, 1));
        let claims =
            of_turn(root.path(), "20260101-000000-turn", &[broken.clone(), whole.clone()], 1, &written);
        assert_eq!((claims.len(), claims[0].kind), (1, ClaimKind::Fixed));
        assert_eq!(claims[0].runs, ["20260101-000000-turn", "20260101-000001-build"]);
        assert_eq!(claims[0].covers.keys().collect::<Vec<_>>(), ["main.c"]);
        assert!(kinds(std::slice::from_ref(&whole)).is_empty(), "it never failed");
        assert!(
            kinds(&[check("build_firmware", "{}", false, 1), whole.clone()]).is_empty(),
            "no change between"
        );
        assert!(
            kinds(&[broken.clone(), check("build_firmware", "{}", true, 0)]).is_empty(),
            "changed after it"
        );
        assert!(kinds(&[broken.clone(), whole, check("build_firmware", "{}", false, 1)]).is_empty());
        let other = check("bash", "make other", true, 1);
        assert!(kinds(&[check("bash", "make all", false, 0), other]).is_empty(), "another command");
        assert_eq!(kinds(&[check("run_tests", "", true, 1)]), [ClaimKind::Tested]);
        assert!(kinds(&[check("run_tests", "", true, 0)]).is_empty(), "files changed after the tests");
    }
}
