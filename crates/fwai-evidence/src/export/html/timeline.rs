//! The run as bars: tools and model calls in the order in which they came.

use std::fmt::Write;

use fwai_schema::evidence::Evidence;

use super::{
    escape::escape,
    parts::{duration, status_class},
};

/// More bars than this are joined into one.
const MOST: usize = 60;

struct Bar {
    name: String,
    class: &'static str,
    milliseconds: u64,
}

pub(super) fn timeline(evidence: &Evidence) -> Option<String> {
    let mut bars: Vec<Bar> = Vec::new();
    for call in evidence.llm.iter().flat_map(|llm| &llm.calls) {
        bars.push(Bar {
            name: format!("model · {}", call.purpose),
            class: "model",
            milliseconds: call.duration_ms,
        });
    }
    for tool in &evidence.tools {
        bars.push(Bar {
            name: tool.tool.clone(),
            class: status_class(tool.status),
            milliseconds: tool.duration_ms,
        });
    }
    if let Some(boot) = &evidence.boot_status {
        let class = match boot.status {
            fwai_schema::evidence::BootOutcome::Success => "good",
            _ => "bad",
        };
        bars.push(Bar { name: "boot".into(), class, milliseconds: boot.duration_ms });
    }
    if bars.is_empty() {
        return None;
    }
    if bars.len() > MOST {
        let rest = bars.split_off(MOST);
        let milliseconds = rest.iter().map(|bar| bar.milliseconds).sum();
        bars.push(Bar { name: format!("{} more", rest.len()), class: "none", milliseconds });
    }
    let sum: u64 = bars.iter().map(|bar| bar.milliseconds).sum();
    // Model calls and tools are recorded apart, so the bars of a lane follow each other; where they
    // overlapped in truth, the sum is longer than the run.
    let total = sum.max(evidence.duration_ms).max(1) as f64;
    let mut out = String::from("<div class=timeline role=list>");
    let mut before = 0u64;
    for bar in &bars {
        let left = before as f64 / total * 100.0;
        let width = (bar.milliseconds as f64 / total * 100.0).max(0.4);
        let _ = write!(
            out,
            "<div class=lane role=listitem><span class=lane-name>{}</span><span class=track><span class=\"bar {}\" \
             style=\"left:{left:.2}%;width:{width:.2}%\"></span></span><span class=lane-time>{}</span></div>",
            escape(&bar.name),
            bar.class,
            duration(bar.milliseconds),
        );
        before += bar.milliseconds;
    }
    let _ = write!(
        out,
        "<div class=\"lane axis\"><span class=lane-name></span><span class=track><span>0</span><span>{}</span></span>\
         <span class=lane-time></span></div></div>",
        duration(total as u64)
    );
    Some(out)
}
