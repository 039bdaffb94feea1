//! The run as lanes of bars, where the record says when things began.
//!
//! What had an effect, failed or was refused has a lane of its own; model calls share one for each purpose, and
//! so does all that only looked. Records of older versions have no times: there tools lie where the journal says
//! that they ended, and model calls in the gaps between them.

use std::fmt::Write;

use fwai_schema::evidence::{BootOutcome, Evidence, LlmCall, RunStatus, ToolResult};
use jiff::Timestamp;

use super::{
    escape::escape,
    parts::{duration, grouped, status_class},
    tools::only_looked,
};

/// More lanes than this are joined into one.
const MOST: usize = 60;

struct Lane {
    name: String,
    bars: Vec<Bar>,
}

struct Bar {
    class: &'static str,
    /// Milliseconds since the run began; what led to the run lies before that.
    start: i64,
    milliseconds: u64,
    hint: String,
}

impl Bar {
    fn end(&self) -> i64 {
        self.start.saturating_add_unsigned(self.milliseconds)
    }
}

impl Lane {
    fn one(name: impl Into<String>, bar: Bar) -> Self {
        Self { name: name.into(), bars: vec![bar] }
    }

    fn start(&self) -> i64 {
        self.bars.iter().map(|bar| bar.start).min().unwrap_or(0)
    }

    fn title(&self) -> String {
        match self.bars.len() {
            1 => self.name.clone(),
            count => format!("{} ×{}", self.name, grouped(count as u64)),
        }
    }
}

pub(super) fn timeline(evidence: &Evidence, tool_ends: &[u64]) -> Option<String> {
    let mut lanes = lanes(evidence, tool_ends);
    if lanes.is_empty() {
        return None;
    }
    lanes.sort_by_key(Lane::start);
    if lanes.len() > MOST {
        let rest = lanes.split_off(MOST);
        let name = format!("{} more lanes", rest.len());
        lanes.push(Lane { name, bars: rest.into_iter().flat_map(|lane| lane.bars).collect() });
    }
    let bars = || lanes.iter().flat_map(|lane| &lane.bars);
    let begin = bars().map(|bar| bar.start).min().unwrap_or(0).min(0);
    let took = i64::try_from(evidence.duration_ms).unwrap_or(i64::MAX);
    let end = bars().map(Bar::end).max().unwrap_or(0).max(took);
    let total = end.saturating_sub(begin).max(1) as f64;
    let mut out = String::from("<div class=timeline role=list>");
    for lane in &lanes {
        let _ = write!(
            out,
            "<div class=lane role=listitem><span class=lane-name>{}</span><span class=track>",
            escape(&lane.title())
        );
        for bar in &lane.bars {
            let left = (bar.start.saturating_sub(begin) as f64 / total * 100.0).min(99.6);
            let width = (bar.milliseconds as f64 / total * 100.0).clamp(0.4, 100.0 - left);
            let _ = write!(
                out,
                "<span class=\"bar {}\" style=\"left:{left:.2}%;width:{width:.2}%\" title=\"{}\"></span>",
                bar.class,
                escape(&bar.hint)
            );
        }
        let together = lane.bars.iter().fold(0u64, |sum, bar| sum.saturating_add(bar.milliseconds));
        let _ = write!(out, "</span><span class=lane-time>{}</span></div>", duration(together));
    }
    let _ = write!(
        out,
        "<div class=\"lane axis\"><span class=lane-name></span><span class=track><span>0</span><span>{}</span><span>{}</span></span>\
         <span class=lane-time></span></div></div>",
        duration((total / 2.0) as u64),
        duration(total as u64)
    );
    Some(out)
}

fn lanes(evidence: &Evidence, tool_ends: &[u64]) -> Vec<Lane> {
    let run_start = evidence.start_time.parse::<Timestamp>().ok();
    let since_start = |time: &Option<String>| {
        let time = time.as_deref()?.parse::<Timestamp>().ok()?;
        i64::try_from(time.duration_since(run_start?).as_millis()).ok()
    };
    let mut lanes = Vec::new();
    let mut looks = Lane { name: "looking".into(), bars: Vec::new() };
    let mut before = 0;
    for (place, tool) in evidence.tools.iter().enumerate() {
        let ended = tool_ends.get(place).map(|end| i64::try_from(*end).unwrap_or(i64::MAX));
        let guessed = || ended.map_or(before, |end| end.saturating_sub_unsigned(tool.duration_ms).max(0));
        let start = since_start(&tool.start_time).unwrap_or_else(guessed);
        let bar =
            Bar { class: class(tool), start, milliseconds: tool.duration_ms, hint: tool.command.clone() };
        before = bar.end();
        if only_looked(tool) {
            looks.bars.push(bar);
        } else {
            lanes.push(Lane::one(&tool.tool, bar));
        }
    }
    if !looks.bars.is_empty() {
        lanes.push(looks);
    }
    let calls: &[LlmCall] = evidence.llm.as_ref().map_or(&[], |llm| &llm.calls);
    let told: Option<Vec<i64>> = calls.iter().map(|call| since_start(&call.start_time)).collect();
    let starts = told.unwrap_or_else(|| in_the_gaps(calls, &lanes));
    for (call, start) in calls.iter().zip(starts) {
        let name = format!("model · {}", call.purpose);
        let hint = format!("{}, {}", call.purpose, duration(call.duration_ms));
        let bar = Bar { class: "model", start, milliseconds: call.duration_ms, hint };
        match lanes.iter_mut().find(|lane| lane.bars[0].class == "model" && lane.name == name) {
            Some(lane) => lane.bars.push(bar),
            None => lanes.push(Lane::one(name, bar)),
        }
    }
    if let Some(boot) = &evidence.boot_status {
        let class = if boot.status == BootOutcome::Success { "good" } else { "bad" };
        let start = since_start(&boot.start_time).unwrap_or(0);
        let hint = boot.matched.clone().unwrap_or_default();
        lanes.push(Lane::one("boot", Bar { class, start, milliseconds: boot.duration_ms, hint }));
    }
    lanes
}

fn class(tool: &ToolResult) -> &'static str {
    match (tool.status, tool.read_only) {
        (RunStatus::Success, true) => "look",
        (status, _) => status_class(status),
    }
}

/// Without times the record has the order and the length of model calls. Tools run between them, so each call goes
/// into the first gap after the one before that is long enough.
fn in_the_gaps(calls: &[LlmCall], lanes: &[Lane]) -> Vec<i64> {
    let bars = lanes.iter().flat_map(|lane| &lane.bars);
    let mut busy: Vec<(i64, i64)> = bars.map(|bar| (bar.start, bar.end())).collect();
    busy.sort_unstable();
    let mut next = 0i64;
    let mut starts = Vec::with_capacity(calls.len());
    for call in calls {
        for (from, to) in &busy {
            if next < *to && next.saturating_add_unsigned(call.duration_ms) > *from {
                next = *to;
            }
        }
        starts.push(next);
        next = next.saturating_add_unsigned(call.duration_ms);
    }
    starts
}
