//! Several agents with a dependency graph: a job starts when those it waits for have succeeded, and reads
//! their reports. A job whose forerunner failed is skipped; an interrupt ends all.

use crate::{
    agents::{self, Report},
    cancel::CancelToken,
    core::Core,
    fence,
    host::HostError,
    outcome::ToolOutcome,
    turn::PARALLEL_AGENTS,
};
use futures_util::{StreamExt, stream::FuturesUnordered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

const MOST_JOBS: usize = 20;

/// One job of a graph.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(description = "")]
pub struct Job {
    pub id: String,
    pub agent: Option<String>,
    pub prompt: String,
    /// Ids of jobs that come first.
    #[serde(default)]
    pub after: Vec<String>,
}

/// How a job ended.
enum End {
    Reported(Report),
    Skipped(String),
}

/// Runs the graph; one section of the answer for each job, in the order in which they were given.
pub(crate) async fn run(
    core: &Arc<Core>,
    call: &str,
    jobs: Vec<Job>,
    cancel: &CancelToken,
) -> Result<ToolOutcome, HostError> {
    if let Err(problem) = check(&jobs) {
        return Ok(ToolOutcome::failed(problem));
    }
    let mut ended: HashMap<String, End> = HashMap::new();
    let mut started: HashSet<String> = HashSet::new();
    let mut running = FuturesUnordered::new();
    while ended.len() < jobs.len() {
        for job in &jobs {
            if started.contains(&job.id) || running.len() >= PARALLEL_AGENTS {
                continue;
            }
            match readiness(job, &ended) {
                Readiness::Waits => {}
                Readiness::Skip(why) => {
                    started.insert(job.id.clone());
                    ended.insert(job.id.clone(), End::Skipped(why));
                }
                Readiness::Ready(prompt) => {
                    started.insert(job.id.clone());
                    running.push(run_one(core, call, job, prompt, cancel));
                }
            }
        }
        match running.next().await {
            Some((id, report)) => {
                ended.insert(id, End::Reported(report?));
            }
            // Only skipped jobs were left in this round; look again.
            None => continue,
        }
    }
    Ok(told(&jobs, &ended))
}

async fn run_one(
    core: &Arc<Core>,
    call: &str,
    job: &Job,
    prompt: String,
    cancel: &CancelToken,
) -> (String, Result<Report, HostError>) {
    let agent = job.agent.as_deref().unwrap_or(agents::GENERAL);
    (job.id.clone(), agents::run(core, call, agent, &prompt, cancel).await)
}

enum Readiness {
    Waits,
    Ready(String),
    Skip(String),
}

fn readiness(job: &Job, ended: &HashMap<String, End>) -> Readiness {
    let mut prompt = job.prompt.clone();
    for before in &job.after {
        match ended.get(before) {
            None => return Readiness::Waits,
            Some(End::Reported(report)) if report.success => {
                prompt.push_str("\n\n");
                prompt.push_str(&fence::data(&format!("report of {before}"), &report.text));
            }
            Some(_) => return Readiness::Skip(format!("skipped, since `{before}` did not succeed")),
        }
    }
    Readiness::Ready(prompt)
}

fn told(jobs: &[Job], ended: &HashMap<String, End>) -> ToolOutcome {
    let mut success = true;
    let sections = jobs.iter().map(|job| match ended.get(&job.id) {
        Some(End::Reported(report)) => {
            success &= report.success;
            format!("## {} ({})\n{}", job.id, if report.success { "done" } else { "failed" }, report.text)
        }
        Some(End::Skipped(why)) => {
            success = false;
            format!("## {} (skipped)\n{why}", job.id)
        }
        None => format!("## {} (not run)", job.id),
    });
    let text = sections.collect::<Vec<_>>().join("\n\n");
    if success { ToolOutcome::ok(text) } else { ToolOutcome::failed(text) }
}

/// Why these jobs are not a graph that can be run.
fn check(jobs: &[Job]) -> Result<(), String> {
    if jobs.is_empty() || jobs.len() > MOST_JOBS {
        return Err(format!("give at least one and at most {MOST_JOBS} tasks"));
    }
    let mut ids = HashSet::new();
    for job in jobs {
        if job.id.trim().is_empty() || !ids.insert(job.id.as_str()) {
            return Err(format!("task ids must be unique and not empty; look at `{}`", job.id));
        }
    }
    for job in jobs {
        if let Some(unknown) = job.after.iter().find(|id| !ids.contains(id.as_str())) {
            return Err(format!("task `{}` waits for `{unknown}`, which is not among the tasks", job.id));
        }
    }
    let mut done: HashSet<&str> = HashSet::new();
    loop {
        let free: Vec<&str> = jobs
            .iter()
            .filter(|job| !done.contains(job.id.as_str()))
            .filter(|job| job.after.iter().all(|id| done.contains(id.as_str())))
            .map(|job| job.id.as_str())
            .collect();
        if free.is_empty() {
            break;
        }
        done.extend(free);
    }
    match jobs.iter().find(|job| !done.contains(job.id.as_str())) {
        Some(stuck) => Err(format!("task `{}` waits, over others, for itself", stuck.id)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, after: &[&str]) -> Job {
        let after = after.iter().map(|id| (*id).to_owned()).collect();
        Job { id: id.into(), agent: None, prompt: "p".into(), after }
    }

    #[test]
    fn only_graphs_without_rings_run() {
        assert_eq!(check(&[job("b", &["a"]), job("a", &[])]), Ok(()));
        assert!(check(&[job("a", &["b"]), job("b", &["a"])]).unwrap_err().contains("for itself"));
        assert!(check(&[job("a", &["a"])]).unwrap_err().contains("for itself"));
        assert!(check(&[job("a", &["x"])]).unwrap_err().contains("not among"));
        assert!(check(&[job("a", &[]), job("a", &[])]).unwrap_err().contains("unique"));
        assert!(check(&[]).is_err());
    }
}
