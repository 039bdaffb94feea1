//! The steps of a skill as lines beside the calls that they make.

use crate::language::{say, understood};
use fwai_schema::{
    event::EventBody,
    skill::{StepRecord, StepStatus},
};

/// The line of an event that belongs to a skill.
pub fn skill_line(body: &EventBody) -> Option<String> {
    match body {
        EventBody::StepStarted { name, kind } if name == kind => Some(say!("step-line", name = name)),
        EventBody::StepStarted { name, kind } => Some(say!("step-line-kind", name = name, kind = kind)),
        EventBody::StepRetry { name, attempt, delay_ms, reason } => {
            Some(retry(name, *attempt, *delay_ms, reason))
        }
        EventBody::StepEnded { step } => ended(step),
        EventBody::SkillEnded { name, status, duration_ms, reason } => {
            let reason = reason
                .as_deref()
                .map(|reason| say!("after-colon", text = understood(reason)))
                .unwrap_or_default();
            let seconds = format!("{:.1}", *duration_ms as f64 / 1000.0);
            Some(
                say!("run-verdict", skill = name, status = status_word(status.as_str()), seconds = seconds)
                    + &reason,
            )
        }
        _ => None,
    }
}

/// Why a step is tried again, and when.
pub fn retry(name: &str, attempt: u32, delay_ms: u64, reason: &str) -> String {
    let seconds = format!("{:.1}", delay_ms as f64 / 1000.0);
    say!("step-retry", name = name, reason = understood(reason), attempt = attempt, seconds = seconds)
}

/// A call that went well has said so itself.
fn ended(step: &StepRecord) -> Option<String> {
    match step.status {
        StepStatus::Success => None,
        StepStatus::Skipped => Some(say!("step-left-out", name = step.name, why = understood(&step.detail))),
        status => Some(say!("step-ended", name = step.name, status = status_word(status.as_str()))),
    }
}

/// What became of a file, in the user's language.
pub fn change_word(how: &str) -> String {
    match how {
        "created" => say!("change-created"),
        "modified" => say!("change-modified"),
        "deleted" => say!("change-deleted"),
        other => other.to_owned(),
    }
}

/// How something ended, in the user's language.
pub fn status_word(status: &str) -> String {
    match status {
        "success" => say!("status-success"),
        "failure" => say!("status-failure"),
        "running" => say!("status-running"),
        "interrupted" => say!("status-interrupted"),
        "denied" => say!("status-denied"),
        "timeout" => say!("status-timeout"),
        "skipped" => say!("status-skipped"),
        "end_turn" => say!("status-finished"),
        other => other.to_owned(),
    }
}
