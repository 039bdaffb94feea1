//! The steps of a skill as lines beside the calls that they make.

use fwai_schema::{
    event::EventBody,
    skill::{StepRecord, StepStatus},
};

/// The line of an event that belongs to a skill.
pub fn skill_line(body: &EventBody) -> Option<String> {
    match body {
        EventBody::StepStarted { name, kind } if name == kind => Some(format!("step {name}")),
        EventBody::StepStarted { name, kind } => Some(format!("step {name} ({kind})")),
        EventBody::StepRetry { name, attempt, delay_ms, reason } => {
            Some(format!("{name}: {reason}; try {attempt} in {:.1} s", *delay_ms as f64 / 1000.0))
        }
        EventBody::StepEnded { step } => ended(step),
        EventBody::SkillEnded { name, status, duration_ms, reason } => {
            let reason = reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
            Some(format!("{name}: {} in {:.1} s{reason}", status.as_str(), *duration_ms as f64 / 1000.0))
        }
        _ => None,
    }
}

/// A call that went well has said so itself.
fn ended(step: &StepRecord) -> Option<String> {
    match step.status {
        StepStatus::Success => None,
        StepStatus::Skipped => Some(format!("step {} left out ({})", step.name, step.detail)),
        status => Some(format!("step {}: {}", step.name, status.as_str())),
    }
}
