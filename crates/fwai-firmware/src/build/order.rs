//! Complaints once each, likely causes first.

use std::collections::HashMap;

use super::diagnostic::{Detail, Diagnostic, Severity};

/// Merge repetitions and put the first real error first.
pub(super) fn ordered(found: Vec<Diagnostic>, failed: bool, last_line: &str) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for diagnostic in found {
        match seen.get(&key(&diagnostic)) {
            Some(&at) => merge(&mut kept[at], diagnostic),
            None => {
                seen.insert(key(&diagnostic), kept.len());
                kept.push(diagnostic);
            }
        }
    }
    let is_cause =
        |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error && !diagnostic.is_follow_up();
    if failed && !kept.iter().any(is_cause) && !last_line.trim().is_empty() {
        kept.push(Diagnostic::new("build", Severity::Error, last_line.trim()));
    }
    // A stable sort: inside one rank the order of the log stays, and the first error is the likeliest cause.
    kept.sort_by_key(rank);
    kept
}

fn rank(diagnostic: &Diagnostic) -> u8 {
    match (diagnostic.severity, &diagnostic.detail) {
        (Severity::Error, Some(Detail::FollowUp)) => 3,
        // Without these nothing else can be right.
        (Severity::Error, Some(Detail::CommandNotFound { .. } | Detail::MissingHeader { .. })) => 0,
        (Severity::Error, _) => 1,
        (Severity::Warning, _) => 4,
        (Severity::Note, _) => 5,
    }
}

/// What makes two complaints the same. Linker complaints are about a symbol or region wherever they stand.
fn key(diagnostic: &Diagnostic) -> String {
    match &diagnostic.detail {
        Some(Detail::UndefinedReference { symbol, .. }) => format!("undefined {symbol}"),
        Some(Detail::MultipleDefinition { symbol, .. }) => format!("multiple {symbol}"),
        Some(Detail::RegionOverflow { region, .. }) => format!("region {region}"),
        Some(Detail::CommandNotFound { program }) => format!("command {program}"),
        _ => format!(
            "{:?} {:?} {:?} {:?} {:?} {}",
            diagnostic.severity,
            diagnostic.file,
            diagnostic.line,
            diagnostic.column,
            diagnostic.code,
            diagnostic.message
        ),
    }
}

fn merge(kept: &mut Diagnostic, other: Diagnostic) {
    kept.count += other.count;
    match (&mut kept.detail, other.detail) {
        (
            Some(Detail::UndefinedReference { users: kept, .. }),
            Some(Detail::UndefinedReference { users, .. }),
        )
        | (
            Some(Detail::MultipleDefinition { places: kept, .. }),
            Some(Detail::MultipleDefinition { places: users, .. }),
        ) => {
            for user in users {
                if !kept.contains(&user) {
                    kept.push(user);
                }
            }
        }
        (
            Some(Detail::RegionOverflow { bytes, section, .. }),
            Some(Detail::RegionOverflow { bytes: other_bytes, section: other_section, .. }),
        ) => {
            // `will not fit` names the section, `overflowed by` the bytes: one complaint with both.
            if bytes.is_none() && other_bytes.is_some() {
                kept.notes.push(
                    super::diagnostic::Place::default()
                        .note(std::mem::replace(&mut kept.message, other.message)),
                );
            } else if *bytes != other_bytes || *section != other_section {
                kept.notes.push(super::diagnostic::Place::default().note(other.message));
            }
            *bytes = (*bytes).max(other_bytes);
            if section.is_none() {
                *section = other_section;
            }
        }
        _ => {}
    }
    for note in other.notes {
        if kept.notes.len() < 20 && !kept.notes.contains(&note) && kept.file.is_none() {
            kept.notes.push(note);
        }
    }
}
