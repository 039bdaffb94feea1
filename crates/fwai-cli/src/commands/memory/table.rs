//! The memory report in columns, for a terminal.

use crate::language::{pad, say, understood, width};
use fwai_firmware::memory::{Change, MemoryReport};
use std::fmt::Write;

/// The report with at most `top` rows of files, symbols and changes.
pub fn of(report: &MemoryReport, top: usize) -> String {
    let mut text = String::new();
    let size = report.size;
    let _ = writeln!(
        text,
        "{} ({})  text {}  data {}  bss {}  {} {}",
        report.elf,
        report.machine,
        size.text,
        size.data,
        size.bss,
        say!("memory-total"),
        size.total
    );
    regions(&mut text, report);
    sections(&mut text, report);
    files(&mut text, report, top);
    symbols(&mut text, report, top);
    stacks(&mut text, report, top.min(10));
    if report.padding > 0 {
        let _ = writeln!(text, "\n{}", say!("memory-padding", count = report.padding));
    }
    if let Some(delta) = &report.delta {
        let _ = writeln!(
            text,
            "\n{}: text {:+}  data {:+}  bss {:+}  {} {:+}",
            say!("memory-against", name = delta.against),
            delta.text,
            delta.data,
            delta.bss,
            say!("memory-total"),
            delta.total
        );
        let tables = [
            (say!("memory-region"), &delta.regions),
            (say!("memory-section"), &delta.sections),
            (say!("memory-symbol"), &delta.symbols),
        ];
        for (title, changes) in tables {
            change_rows(&mut text, &title, changes, top);
        }
    }
    for budget in &report.budgets {
        let verdict = if budget.ok { say!("memory-budget-ok") } else { say!("memory-budget-over") };
        let _ = writeln!(
            text,
            "{}",
            say!(
                "memory-budget",
                name = budget.name,
                limit = budget.limit,
                verdict = verdict,
                message = understood(&budget.message)
            )
        );
    }
    text
}

fn regions(text: &mut String, report: &MemoryReport) {
    if report.regions.is_empty() {
        return;
    }
    let numbers =
        [say!("memory-used"), say!("memory-size"), say!("memory-free")].map(|head| right(&head, 10));
    let _ = writeln!(text, "\n{} {}", pad(&say!("memory-region"), 16), numbers.join(" "));
    for region in &report.regions {
        let _ = writeln!(
            text,
            "{} {:>10} {:>10} {:>10}  {:>6.2}%  {}",
            pad(&region.name, 16),
            region.used,
            region.length,
            region.free,
            region.percent,
            bar(region.percent)
        );
    }
}

fn sections(text: &mut String, report: &MemoryReport) {
    let _ = writeln!(
        text,
        "\n{} {} {}  {}",
        pad(&say!("memory-section"), 24),
        right(&say!("memory-size"), 10),
        right(&say!("memory-address"), 10),
        say!("memory-where")
    );
    for section in &report.sections {
        let regions = [section.load_region.as_deref(), section.region.as_deref()];
        let place = regions.into_iter().flatten().collect::<Vec<_>>().join(" → ");
        let name = pad(&section.name, 24);
        let _ = writeln!(text, "{name} {:>10} {:>#10x}  {place}", section.size, section.address);
    }
}

fn files(text: &mut String, report: &MemoryReport, top: usize) {
    if report.files.is_empty() {
        return;
    }
    let size = right(&say!("memory-size"), 8);
    let _ = writeln!(
        text,
        "\n{size} {:>8} {:>8} {:>8} {:>8}  {}",
        "TEXT",
        "RODATA",
        "DATA",
        "BSS",
        say!("memory-file")
    );
    for file in report.files.iter().take(top) {
        let _ = writeln!(
            text,
            "{:>8} {:>8} {:>8} {:>8} {:>8}  {}",
            file.size, file.text, file.rodata, file.data, file.bss, file.name
        );
    }
    more(text, report.files.len(), top, |count| say!("memory-more-files", count = count));
}

fn symbols(text: &mut String, report: &MemoryReport, top: usize) {
    if report.symbols.is_empty() {
        return;
    }
    let (size, section) = (right(&say!("memory-size"), 8), pad(&say!("memory-section"), 16));
    let _ = writeln!(text, "\n{size}  {section} {}", say!("memory-symbol"));
    for symbol in report.symbols.iter().take(top) {
        let file = symbol.file.as_deref().map(|file| format!("  ({file})")).unwrap_or_default();
        let section = pad(&symbol.section, 16);
        let _ = writeln!(text, "{:>8}  {section} {}{file}", symbol.size, symbol.shown());
    }
    more(text, report.symbols.len(), top, |count| say!("memory-more-symbols", count = count));
}

fn stacks(text: &mut String, report: &MemoryReport, top: usize) {
    if report.stack.is_empty() {
        return;
    }
    let (stack, kind) = (right(&say!("memory-stack"), 8), pad(&say!("memory-kind"), 16));
    let _ = writeln!(text, "\n{stack}  {kind} {}", say!("memory-function"));
    for stack in report.stack.iter().take(top) {
        let kind = pad(&stack.kind, 16);
        let place = format_args!("({}:{})", stack.file, stack.line);
        let _ = writeln!(text, "{:>8}  {kind} {}  {place}", stack.bytes, stack.function);
    }
    more(text, report.stack.len(), top, |count| say!("memory-more-functions", count = count));
}

fn change_rows(text: &mut String, title: &str, changes: &[Change], top: usize) {
    if changes.is_empty() {
        return;
    }
    let (change, before, after) = (say!("memory-change"), say!("memory-before"), say!("memory-after"));
    let _ = writeln!(text, "{} {} {}  {title}", right(&change, 8), right(&before, 10), right(&after, 10));
    for change in changes.iter().take(top) {
        let _ = writeln!(
            text,
            "{:>+8} {:>10} {:>10}  {}",
            change.change, change.before, change.after, change.name
        );
    }
    more(text, changes.len(), top, |count| say!("memory-more-changes", count = count));
}

fn more(text: &mut String, all: usize, shown: usize, words: impl FnOnce(usize) -> String) {
    if all > shown {
        let _ = writeln!(text, "         {}", words(all - shown));
    }
}

/// The text at the right end of its columns; a Chinese character takes two.
fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

fn bar(percent: f64) -> String {
    const WIDTH: usize = 24;
    let filled = ((percent / 100.0 * WIDTH as f64).round() as usize).min(WIDTH);
    format!("[{}{}]", "#".repeat(filled), ".".repeat(WIDTH - filled))
}
