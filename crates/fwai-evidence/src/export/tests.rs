//! Exports of hostile runs stay whole, and foreign programs accept them.

use std::{fs, path::PathBuf, process::Command};

use fwai_schema::evidence::Evidence;
use serde_json::json;

use super::{RunExport, Verification, VerificationState, csv, html, json, run_sarif, sarif};

const HOSTILE: &str = "</pre></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}\0\u{202e}";

/// A run whose every text is an attack.
fn hostile() -> (tempfile::TempDir, RunExport) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("build.log"), format!("line one\n{HOSTILE}\n").repeat(3)).unwrap();
    fs::write(
        dir.path().join("changes.diff"),
        format!("--- a/{HOSTILE}\n+++ b/{HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+{HOSTILE}\n"),
    )
    .unwrap();
    let evidence: Evidence = serde_json::from_value(json!({
        "run_id": format!("20260228-161234-{HOSTILE}"), "skill": HOSTILE, "status": "failure", "start_time": HOSTILE, "duration_ms": 5000,
        "fwai_version": HOSTILE,
        "tools": [
            {"tool": HOSTILE, "command": HOSTILE, "exit_code": 2, "duration_ms": 1500, "log_file": "build.log", "log_sha256": "00", "status": "failure"},
            {"tool": "looked", "command": HOSTILE, "start_time": HOSTILE, "duration_ms": 1, "read_only": true, "status": "success"},
            {"tool": HOSTILE, "command": HOSTILE, "start_time": "2026-02-28T16:12:34.000Z", "duration_ms": u64::MAX, "run_id": HOSTILE, "status": "denied"},
            {"tool": "outside", "command": "=cmd|'/c calc'!A1", "duration_ms": 1, "log_file": "../../../../etc/hostname", "status": "success"},
        ],
        "steps": [{"name": HOSTILE, "kind": HOSTILE, "status": "failure", "duration_ms": 1, "runs": [HOSTILE], "detail": HOSTILE}],
        "changes": {"files_changed": 1, "lines_added": 1, "lines_removed": 1, "diff_path": "changes.diff", "within_budget": false, "files": [HOSTILE]},
        "llm": {"provider": HOSTILE, "model": HOSTILE, "calls": [{"purpose": HOSTILE, "input_tokens": 1, "output_tokens": 2}], "total_input_tokens": 1, "total_output_tokens": 2},
        "agentic": {"session": HOSTILE, "turn": 1, "goal": HOSTILE, "iterations": 1, "stop_reason": HOSTILE, "calls": [{"id": "1", "tool": HOSTILE, "arguments": {"x": HOSTILE}, "success": false, "duration_ms": 1}], "files_read": [HOSTILE]},
        "boot_status": {"status": "failure", "matched": HOSTILE, "pattern": HOSTILE, "log_file": "build.log"},
        "hardware": {"board": HOSTILE, "kind": HOSTILE, "chip": HOSTILE, "details": {"a": HOSTILE}},
        "debug": {"elf": HOSTILE, "steps": [{"command": HOSTILE, "ok": true, "result": HOSTILE}], "fault": HOSTILE},
        "artifacts": [{"path": HOSTILE, "kind": HOSTILE, "sha256": HOSTILE}],
        "claims": [{"kind": "built", "statement": HOSTILE, "runs": [HOSTILE]}], "waivers": [HOSTILE],
        "security": {"redacted": 1, "rules": [HOSTILE]},
        "signature": {"algorithm": HOSTILE, "public_key": HOSTILE, "signature": HOSTILE},
    }))
    .unwrap();
    let verification = Verification {
        state: VerificationState::Failed,
        problems: vec![HOSTILE.into()],
        unanchored: Some(3),
    };
    let run = RunExport::with_record(dir.path(), evidence, verification);
    (dir, run)
}

#[test]
fn nothing_breaks_out_of_the_page() {
    let (_dir, run) = hostile();
    for page in [html::page(&run), html::index(std::slice::from_ref(&run))] {
        let body = page.split_once("<body>").unwrap().1;
        for bad in ["<script", "<img", "onerror=alert(2)>", "\u{1b}", "\u{202e}", "\0", "</style>"] {
            assert!(
                !body.contains(bad),
                "{bad:?} in {}",
                &body[..body.find(bad).unwrap_or(0).min(body.len())]
            );
        }
        assert!(page.contains("default-src 'none'"), "the page forbids scripts as well");
        for outside in ["http://", "https://", "src=\"", "url("] {
            assert!(!page.contains(outside), "the page loads nothing: {outside}");
        }
    }
    let page = html::page(&run);
    assert!(page.contains("hash differs from the record") && page.contains("Does not verify"));
    assert!(
        page.contains("does not lie in the run&#39;s directory"),
        "a record cannot pull in files from elsewhere"
    );
}

#[test]
fn escaped_text_keeps_its_lines_and_loses_its_colours() {
    assert_eq!(html::escape("a\r\nb\rc\u{1b}[1;32mok\u{1b}[0m<&>"), "a\nb\ncok&lt;&amp;&gt;");
    assert_eq!(html::escape("bell\u{7} null\0"), "bell␇ null␀");
    assert_eq!(html::escape("\u{1b}[never ends\nnext"), "ever ends\nnext");
    assert_eq!(html::escape("\u{1b}"), "");
}

#[test]
fn csv_is_a_table_without_formulas() {
    let (_dir, run) = hostile();
    let table = csv::csv(&[run]);
    assert!(table.contains("'=cmd|"), "{table}");
    let script = "import csv, sys\nrows = list(csv.reader(sys.stdin))\nassert len({len(row) for row in rows}) == 1, rows\nprint(len(rows))";
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    assert!(!table.contains(['\0', '\u{1b}']), "{table}");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), table.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "10",
        "header, run, four tools, call, file, artifact, boot"
    );
}

#[test]
fn json_holds_the_record_as_it_is() {
    let (_dir, run) = hostile();
    let value = json::json(std::slice::from_ref(&run));
    assert_eq!(value["runs"][0]["evidence"], serde_json::to_value(&run.evidence).unwrap());
    assert_eq!(value["runs"][0]["verification"]["state"], "failed");
}

#[test]
fn sarif_is_accepted_by_the_validator() {
    let (dir, run) = hostile();
    let runs = run_sarif(&[run], "0.1.0");
    assert!(runs["runs"][0]["results"].as_array().unwrap().len() >= 5, "{runs:#}");
    let region = sarif::SarifRegion { line: 3, column: 7, end_line: 3, end_column: 20 };
    let scan = sarif::sarif(
        "0.1.0",
        &[sarif::SarifRule { id: "github-token".into(), title: "GitHub token".into() }],
        &[sarif::SarifResult {
            rule: "github-token".into(),
            level: sarif::SarifLevel::Error,
            message: "GitHub token: ghp_…".into(),
            file: Some("src/a file with spaces & ümlaut.c".into()),
            region: Some(region),
        }],
    );
    for (name, log) in [("runs.sarif", runs), ("scan.sarif", scan)] {
        let path = dir.path().join(name);
        fs::write(&path, log.to_string()).unwrap();
        validate(&path);
    }
}

fn validate(path: &std::path::Path) {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache"));
    let multitool = cache.join("fwai-dev/npm/node_modules/.bin/sarif-multitool");
    let report = path.with_extension("report.sarif");
    let output = Command::new(&multitool)
        .arg("validate")
        .arg(path)
        .arg("--output")
        .arg(&report)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask setup` installs it", multitool.display()));
    let text = String::from_utf8_lossy(&output.stdout);
    let report: serde_json::Value =
        serde_json::from_str(fs::read_to_string(&report).unwrap().trim_start_matches('\u{feff}')).unwrap();
    let errors: Vec<_> = report["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|result| result["level"].as_str().unwrap_or("warning") == "error")
        .collect();
    assert!(output.status.success() && errors.is_empty(), "{text}\n{errors:#?}");
}

/// Left edge and width of the bars of a lane, in percent.
fn bars(page: &str, lane: &str) -> Vec<(f64, f64)> {
    let lane = page.split("<div class=lane ").find(|part| part.contains(&format!(">{lane}</span>")));
    let lane = lane.unwrap_or_else(|| panic!("no lane in {page}"));
    let number = |text: &str| text.split('%').next().unwrap().parse().unwrap();
    let bars = lane.split("style=\"left:").skip(1);
    bars.map(|bar| (number(bar), number(bar.split_once("width:").unwrap().1))).collect()
}

fn page_of(record: serde_json::Value) -> String {
    let evidence: Evidence = serde_json::from_value(record).unwrap();
    html::page(&RunExport::with_record(std::path::Path::new("."), evidence, Verification::default()))
}

#[test]
fn bars_lie_where_the_record_says() {
    let page = page_of(json!({
        "run_id": "20260228-161230-turn", "skill": "turn", "status": "success", "start_time": "2026-02-28T16:12:30.000Z", "duration_ms": 10_000,
        "tools": [
            {"tool": "grep", "command": "grep {}", "start_time": "2026-02-28T16:12:31.000Z", "duration_ms": 1000, "read_only": true, "status": "success"},
            {"tool": "read_file", "command": "read_file {}", "start_time": "2026-02-28T16:12:31.000Z", "duration_ms": 500, "read_only": true, "status": "success"},
            {"tool": "read_console", "command": "read_console", "start_time": "2026-02-28T16:12:36.000Z", "duration_ms": 1000, "read_only": true, "status": "failure"},
        ],
        "llm": {"provider": "p", "model": "m", "total_input_tokens": 1, "total_output_tokens": 1, "calls": [
            {"purpose": "turn", "input_tokens": 1, "output_tokens": 1, "start_time": "2026-02-28T16:12:30.000Z", "duration_ms": 1000},
            {"purpose": "turn", "input_tokens": 1, "output_tokens": 1, "start_time": "2026-02-28T16:12:38.000Z", "duration_ms": 2000},
        ]},
    }));
    assert_eq!(bars(&page, "model · turn ×2"), [(0.0, 10.0), (80.0, 20.0)]);
    assert_eq!(bars(&page, "looking ×2"), [(10.0, 10.0), (10.0, 5.0)]);
    assert_eq!(bars(&page, "read_console"), [(60.0, 10.0)], "what failed has a lane of its own");
    assert!(page.contains("<span>10.0 s</span>"), "the axis ends with the run");
    assert!(page.contains("1 failed") && page.contains("2 calls that only looked"), "{page}");
}

#[test]
fn the_index_counts_what_failed_and_invents_no_price() {
    let evidence: Evidence = serde_json::from_value(json!({
        "run_id": "20260228-161230-turn", "skill": "turn", "status": "success", "start_time": "2026-02-28T16:12:30.000Z",
        "tools": [
            {"tool": "a", "command": "a", "duration_ms": 1, "status": "success"},
            {"tool": "b", "command": "b", "duration_ms": 1, "status": "denied"},
        ],
    }))
    .unwrap();
    let run = RunExport::with_record(std::path::Path::new("."), evidence, Verification::default());
    let page = html::index(&[run]);
    assert!(page.contains("2 <span class=del>(1 ✕)</span>"), "{page}");
    assert!(page.contains("<strong>–</strong>") && !page.contains('$'), "{page}");
}

/// Records of older versions have neither times nor the calls that only looked.
#[test]
fn an_old_record_is_laid_out_in_order_and_its_failures_are_told() {
    let page = page_of(json!({
        "run_id": "20260228-161230-turn", "skill": "turn", "status": "success", "start_time": "2026-02-28T16:12:30.000Z", "duration_ms": 4000,
        "tools": [{"tool": "flash", "command": "flash", "duration_ms": 2000, "status": "success"}],
        "agentic": {"session": "s", "turn": 1, "goal": "g", "iterations": 1, "stop_reason": "end_turn", "calls": [
            {"id": "1", "tool": "flash", "arguments": {}, "success": true, "duration_ms": 2000},
            {"id": "2", "tool": "read_console", "arguments": {}, "success": false, "duration_ms": 1},
        ]},
        "llm": {"provider": "p", "model": "m", "total_input_tokens": 1, "total_output_tokens": 1, "calls": [
            {"purpose": "turn", "input_tokens": 1, "output_tokens": 1, "duration_ms": 1000}, {"purpose": "turn", "input_tokens": 1, "output_tokens": 1, "duration_ms": 1000},
        ]},
    }));
    assert_eq!(bars(&page, "flash"), [(0.0, 50.0)]);
    assert_eq!(bars(&page, "model · turn ×2"), [(50.0, 25.0), (75.0, 25.0)]);
    assert!(page.contains("1 of the agent’s calls failed") && !page.contains("all succeeded"), "{page}");
}
