//! The run as bars: tools where the journal says they were, model calls in the gaps between them.

use std::fmt::Write;

use fwai_schema::evidence::{BootOutcome, Evidence};

use super::{
    escape::escape,
    parts::{duration, status_class},
};

/// More bars than this are joined into one.
const MOST: usize = 60;

struct Bar {
    name: String,
    class: &'static str,
    start: u64,
    milliseconds: u64,
}

pub(super) fn timeline(evidence: &Evidence, tool_ends: &[u64]) -> Option<String> {
    let mut bars = tools(evidence, tool_ends);
    add_model_calls(evidence, &mut bars);
    if let Some(boot) = &evidence.boot_status {
        let class = if boot.status == BootOutcome::Success { "good" } else { "bad" };
        bars.push(Bar { name: "boot".into(), class, start: 0, milliseconds: boot.duration_ms });
    }
    if bars.is_empty() {
        return None;
    }
    bars.sort_by_key(|bar| bar.start);
    if bars.len() > MOST {
        let rest = bars.split_off(MOST);
        let milliseconds = rest.iter().map(|bar| bar.milliseconds).sum();
        let name = format!("{} more", rest.len());
        bars.push(Bar { name, class: "none", start: rest[0].start, milliseconds });
    }
    let end = bars.iter().map(|bar| bar.start + bar.milliseconds).max().unwrap_or(0);
    let total = end.max(evidence.duration_ms).max(1) as f64;
    let mut out = String::from("<div class=timeline role=list>");
    for bar in &bars {
        let left = (bar.start as f64 / total * 100.0).min(99.6);
        let width = (bar.milliseconds as f64 / total * 100.0).clamp(0.4, 100.0 - left);
        let _ = write!(
            out,
            "<div class=lane role=listitem><span class=lane-name>{}</span><span class=track><span class=\"bar {}\" \
             style=\"left:{left:.2}%;width:{width:.2}%\"></span></span><span class=lane-time>{}</span></div>",
            escape(&bar.name),
            bar.class,
            duration(bar.milliseconds),
        );
    }
    let _ = write!(
        out,
        "<div class=\"lane axis\"><span class=lane-name></span><span class=track><span>0</span><span>{}</span></span>\
         <span class=lane-time></span></div></div>",
        duration(total as u64)
    );
    Some(out)
}

/// Tools end when the journal says so; without a journal they follow each other.
fn tools(evidence: &Evidence, ends: &[u64]) -> Vec<Bar> {
    let mut before = 0;
    let mut bars = Vec::new();
    for (place, tool) in evidence.tools.iter().enumerate() {
        let start = ends.get(place).map_or(before, |end| end.saturating_sub(tool.duration_ms));
        before = start + tool.duration_ms;
        let (name, class) = (tool.tool.clone(), status_class(tool.status));
        bars.push(Bar { name, class, start, milliseconds: tool.duration_ms });
    }
    bars
}

/// The record has the order and the length of model calls. Tools run between them, so each call goes into the
/// first gap after the one before that is long enough.
fn add_model_calls(evidence: &Evidence, bars: &mut Vec<Bar>) {
    let mut busy: Vec<(u64, u64)> =
        bars.iter().map(|bar| (bar.start, bar.start + bar.milliseconds)).collect();
    busy.sort_unstable();
    let mut start = 0;
    for call in evidence.llm.iter().flat_map(|llm| &llm.calls) {
        for (from, to) in &busy {
            if start < *to && start + call.duration_ms > *from {
                start = *to;
            }
        }
        let name = format!("model · {}", call.purpose);
        bars.push(Bar { name, class: "model", start, milliseconds: call.duration_ms });
        start += call.duration_ms;
    }
}
