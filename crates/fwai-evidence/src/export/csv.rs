//! Runs as one table (RFC 4180): a line for each run, followed by its tools, model calls and files.

use super::RunExport;

const COLUMNS: [&str; 17] = [
    "run_id",
    "record",
    "name",
    "status",
    "start_time",
    "end_time",
    "duration_ms",
    "command",
    "exit_code",
    "log_file",
    "sha256",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "lines_added",
    "lines_removed",
    "verification",
];

pub fn csv(runs: &[RunExport]) -> String {
    let mut out = String::new();
    write_row(&mut out, &COLUMNS.map(str::to_owned));
    for run in runs {
        rows(run).iter().for_each(|row| write_row(&mut out, row));
    }
    out
}

type Row = [String; COLUMNS.len()];

fn row(run: &RunExport, record: &str, fields: &[(&str, String)]) -> Row {
    let mut row: Row = Default::default();
    let mut set = |column: &str, value: String| {
        if let Some(at) = COLUMNS.iter().position(|name| *name == column) {
            row[at] = value;
        }
    };
    set("run_id", run.evidence.run_id.clone());
    set("record", record.into());
    fields.iter().for_each(|(column, value)| set(column, value.clone()));
    row
}

fn optional<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map(T::to_string).unwrap_or_default()
}

/// `snake_case` name of a plain enum, as the JSON has it.
pub(super) fn name_of(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn rows(run: &RunExport) -> Vec<Row> {
    let evidence = &run.evidence;
    let mut whole = vec![
        ("name", evidence.skill.clone()),
        ("status", name_of(&evidence.status)),
        ("start_time", evidence.start_time.clone()),
        ("end_time", optional(&evidence.end_time)),
        ("duration_ms", evidence.duration_ms.to_string()),
        ("verification", name_of(&run.verification.state)),
    ];
    if let Some(llm) = &evidence.llm {
        whole.push(("input_tokens", llm.total_input_tokens.to_string()));
        whole.push(("output_tokens", llm.total_output_tokens.to_string()));
        whole.push(("cost_usd", optional(&llm.estimated_cost_usd)));
    }
    if let Some(changes) = &evidence.changes {
        whole.push(("lines_added", changes.lines_added.to_string()));
        whole.push(("lines_removed", changes.lines_removed.to_string()));
    }
    let mut rows = vec![row(run, "run", &whole)];
    rows.extend(evidence.tools.iter().map(|tool| {
        let fields = [
            ("name", tool.tool.clone()),
            ("status", name_of(&tool.status)),
            ("start_time", optional(&tool.start_time)),
            ("duration_ms", tool.duration_ms.to_string()),
            ("command", tool.command.clone()),
            ("exit_code", optional(&tool.exit_code)),
            ("log_file", optional(&tool.log_file)),
            ("sha256", optional(&tool.log_sha256)),
        ];
        row(run, "tool", &fields)
    }));
    for call in evidence.llm.iter().flat_map(|llm| &llm.calls) {
        let fields = [
            ("name", call.purpose.clone()),
            ("start_time", optional(&call.start_time)),
            ("duration_ms", call.duration_ms.to_string()),
            ("input_tokens", call.usage.input_tokens.to_string()),
            ("output_tokens", call.usage.output_tokens.to_string()),
            ("cost_usd", optional(&call.cost_usd)),
        ];
        rows.push(row(run, "model_call", &fields));
    }
    for file in evidence.changes.iter().flat_map(|changes| &changes.files) {
        rows.push(row(run, "changed_file", &[("name", file.clone())]));
    }
    for artifact in &evidence.artifacts {
        rows.push(row(
            run,
            "artifact",
            &[("name", artifact.path.clone()), ("sha256", artifact.sha256.clone())],
        ));
    }
    if let Some(boot) = &evidence.boot_status {
        let fields = [
            ("name", optional(&boot.matched)),
            ("status", name_of(&boot.status)),
            ("start_time", optional(&boot.start_time)),
            ("duration_ms", boot.duration_ms.to_string()),
            ("log_file", optional(&boot.log_file)),
        ];
        rows.push(row(run, "boot", &fields));
    }
    rows
}

fn write_row(out: &mut String, row: &[String]) {
    for (index, field) in row.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_field(out, field);
    }
    out.push_str("\r\n");
}

/// A text that a spreadsheet would run as a formula gets an apostrophe before it.
fn write_field(out: &mut String, field: &str) {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
        && field.parse::<f64>().is_err();
    // Readers of tables stop at NUL, and escape sequences speak to whoever looks at the file.
    let plain = |c: char| if c.is_control() && !matches!(c, '\n' | '\r' | '\t') { '\u{fffd}' } else { c };
    let field: String = field.chars().map(plain).collect();
    let guarded = if is_formula { format!("'{field}") } else { field };
    if guarded.contains([',', '"', '\n', '\r']) {
        out.push('"');
        out.push_str(&guarded.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&guarded);
    }
}
