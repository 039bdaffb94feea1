//! The repository itself holds no secret, nor anything that a scan would take for one: examples in tests and
//! documents are put together at run time.

use std::path::Path;

use fwai_app::secret_scan::{TreeOptions, scan_tree};
use fwai_policy::secrets::{RuleSet, Scanner};

#[test]
fn a_scan_of_this_repository_finds_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let options = TreeOptions { respect_gitignore: true, ..TreeOptions::default() };
    let report = scan_tree(&Scanner::new(RuleSet::builtin()), &root, &options).unwrap();
    assert!(report.files > 300, "only {} files were looked at", report.files);
    let found: Vec<String> = report
        .findings
        .iter()
        .map(|finding| format!("{}:{} {}", finding.file, finding.line, finding.rule))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}
