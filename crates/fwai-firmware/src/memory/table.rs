//! The report as text for a terminal.

use std::fmt::Write;

use super::report::{Change, MemoryReport};

/// Rows of files, symbols and changes to show.
#[derive(Debug, Clone, Copy)]
pub struct TableOptions {
    pub top: usize,
}

/// The report in columns.
pub fn table(report: &MemoryReport, options: &TableOptions) -> String {
    let mut text = String::new();
    let size = report.size;
    let _ = writeln!(
        text,
        "{} ({})  text {}  data {}  bss {}  total {}",
        report.elf, report.machine, size.text, size.data, size.bss, size.total
    );
    if !report.regions.is_empty() {
        let _ = writeln!(text, "\n{:<16} {:>10} {:>10} {:>10}  {:>7}", "REGION", "USED", "SIZE", "FREE", "");
        for region in &report.regions {
            let _ = writeln!(
                text,
                "{:<16} {:>10} {:>10} {:>10}  {:>6.2}%  {}",
                region.name,
                region.used,
                region.length,
                region.free,
                region.percent,
                bar(region.percent)
            );
        }
    }
    let _ = writeln!(text, "\n{:<24} {:>10} {:>10}  WHERE", "SECTION", "SIZE", "ADDRESS");
    for section in &report.sections {
        let place = [section.load_region.as_deref(), section.region.as_deref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" → ");
        let _ =
            writeln!(text, "{:<24} {:>10} {:>#10x}  {place}", section.name, section.size, section.address);
    }
    if !report.files.is_empty() {
        let _ =
            writeln!(text, "\n{:>8} {:>8} {:>8} {:>8} {:>8}  FILE", "SIZE", "TEXT", "RODATA", "DATA", "BSS");
        for file in report.files.iter().take(options.top) {
            let _ = writeln!(
                text,
                "{:>8} {:>8} {:>8} {:>8} {:>8}  {}",
                file.size, file.text, file.rodata, file.data, file.bss, file.name
            );
        }
        more(&mut text, report.files.len(), options.top, "files");
    }
    if !report.symbols.is_empty() {
        let _ = writeln!(text, "\n{:>8}  {:<16} SYMBOL", "SIZE", "SECTION");
        for symbol in report.symbols.iter().take(options.top) {
            let file = symbol.file.as_deref().map(|file| format!("  ({file})")).unwrap_or_default();
            let _ = writeln!(text, "{:>8}  {:<16} {}{file}", symbol.size, symbol.section, symbol.shown());
        }
        more(&mut text, report.symbols.len(), options.top, "symbols");
    }
    if !report.stack.is_empty() {
        let _ = writeln!(text, "\n{:>8}  {:<16} FUNCTION", "STACK", "KIND");
        for stack in report.stack.iter().take(options.top.min(10)) {
            let _ = writeln!(
                text,
                "{:>8}  {:<16} {}  ({}:{})",
                stack.bytes, stack.kind, stack.function, stack.file, stack.line
            );
        }
        more(&mut text, report.stack.len(), options.top.min(10), "functions");
    }
    if report.padding > 0 {
        let _ = writeln!(text, "\n{} bytes are padding", report.padding);
    }
    if let Some(delta) = &report.delta {
        let _ = writeln!(
            text,
            "\nAGAINST {}: text {:+}  data {:+}  bss {:+}  total {:+}",
            delta.against, delta.text, delta.data, delta.bss, delta.total
        );
        for (title, changes) in
            [("REGION", &delta.regions), ("SECTION", &delta.sections), ("SYMBOL", &delta.symbols)]
        {
            change_rows(&mut text, title, changes, options.top);
        }
    }
    for budget in &report.budgets {
        let verdict = if budget.ok { "ok" } else { "OVER" };
        let _ = writeln!(text, "budget {} {}: {verdict}: {}", budget.name, budget.limit, budget.message);
    }
    text
}

fn change_rows(text: &mut String, title: &str, changes: &[Change], top: usize) {
    if changes.is_empty() {
        return;
    }
    let _ = writeln!(text, "{:>8} {:>10} {:>10}  {title}", "CHANGE", "BEFORE", "AFTER");
    for change in changes.iter().take(top) {
        let _ = writeln!(
            text,
            "{:>+8} {:>10} {:>10}  {}",
            change.change, change.before, change.after, change.name
        );
    }
    more(text, changes.len(), top, "more changes");
}

fn more(text: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        let _ = writeln!(text, "         … and {} {what}", all - shown);
    }
}

fn bar(percent: f64) -> String {
    const WIDTH: usize = 24;
    let filled = ((percent / 100.0 * WIDTH as f64).round() as usize).min(WIDTH);
    format!("[{}{}]", "#".repeat(filled), ".".repeat(WIDTH - filled))
}
