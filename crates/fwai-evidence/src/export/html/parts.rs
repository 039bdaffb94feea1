//! Small pieces that pages are made of.

use std::fmt::Write;

use fwai_schema::evidence::RunStatus;

use super::{
    super::{Verification, VerificationState, csv::name_of},
    escape::escape,
};

pub(super) const STYLE: &str = include_str!("style.css");

/// The whole document around a body.
pub(super) fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\">\
         <meta name=generator content=fwai><title>{}</title><style>{STYLE}</style></head><body><main>{body}</main></body></html>\n",
        escape(title)
    )
}

pub(super) fn status_class(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Success => "good",
        RunStatus::Failure | RunStatus::Denied => "bad",
        RunStatus::Interrupted | RunStatus::Timeout => "warn",
        RunStatus::Running => "none",
    }
}

pub(super) fn pill(status: RunStatus) -> String {
    format!("<span class=\"pill {}\">{}</span>", status_class(status), name_of(&status))
}

pub(super) fn section(id: &str, title: &str, body: &str) -> String {
    format!("<section id={id}><h2>{}</h2>{body}</section>", escape(title))
}

pub(super) fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{:.1} s", milliseconds as f64 / 1e3),
        60_000..3_600_000 => format!("{} min {:02} s", milliseconds / 60_000, milliseconds / 1_000 % 60),
        _ => format!("{} h {:02} min", milliseconds / 3_600_000, milliseconds / 60_000 % 60),
    }
}

/// `1234567` → `1 234 567`, with thin spaces.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

pub(super) fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 1.0 { format!("${amount:.4}") } else { format!("${amount:.2}") }
}

/// `2026-02-28T16:12:34.000Z` → `2026-02-28 16:12:34 UTC`.
pub(super) fn moment(time: &str) -> String {
    match (time.get(..10), time.get(11..19)) {
        (Some(day), Some(clock)) if time.ends_with('Z') => escape(&format!("{day} {clock} UTC")),
        _ => escape(time),
    }
}

/// Name and value, line by line; empty values are left out. Values are HTML already.
pub(super) fn facts(rows: &[(&str, String)]) -> String {
    let mut out = String::from("<dl class=facts>");
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(out, "<div><dt>{}</dt><dd>{value}</dd></div>", escape(name));
    }
    out + "</dl>"
}

pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

pub(super) fn verification(verification: &Verification, run_id: &str) -> String {
    let (class, mark, title) = match verification.state {
        VerificationState::Verified => ("good", "✓", "Verified"),
        VerificationState::Failed => ("bad", "✕", "Does not verify"),
        VerificationState::NotChecked => ("warn", "?", "Not checked"),
    };
    let detail = match verification.state {
        VerificationState::Verified => "Signature, hashes and log position are right.".to_owned(),
        VerificationState::NotChecked => {
            format!("Check it with <code>fwai audit verify {}</code>.", escape(run_id))
        }
        VerificationState::Failed => String::new(),
    };
    let is_sound = verification.state == VerificationState::Verified;
    let anchored = match verification.unanchored.filter(|_| is_sound) {
        Some(0) => " A checkpoint kept outside the project covers it.".to_owned(),
        Some(1) => " 1 record since the last outside anchor.".to_owned(),
        Some(count) => format!(" {} records since the last outside anchor.", grouped(count)),
        None => String::new(),
    };
    let problems: String =
        verification.problems.iter().map(|problem| format!("<li>{}</li>", escape(problem))).collect();
    let problems = if problems.is_empty() { problems } else { format!("<ul>{problems}</ul>") };
    format!(
        "<aside class=\"seal {class}\"><span class=seal-mark aria-hidden=true>{mark}</span><div><strong>{title}</strong>\
         <span>{detail}{anchored}</span>{problems}</div></aside>"
    )
}
