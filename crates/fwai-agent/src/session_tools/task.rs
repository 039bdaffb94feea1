//! `task`: gives a job, or a graph of jobs, to agents with their own context.

use super::SessionWorld;
use crate::{
    agents,
    orchestration::{self, Job},
    prelude::*,
};

/// Give a job to an agent with its own context; it reports back. Several calls with `explorer` (reads only) run in
/// parallel, five at most. Or give `tasks`, where a task waits for those in `after` and reads their reports.
#[derive(Deserialize, JsonSchema)]
pub struct Task {
    /// All that the agent must know.
    prompt: Option<String>,
    /// `explorer`, `general`, or an agent of the project.
    agent: Option<String>,
    tasks: Option<Vec<Job>>,
}

impl Tool<SessionWorld> for Task {
    const NAME: &str = super::TASK;
    // Each call of the agent is judged for itself, with no more rights than this session has.
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 3;
    const PARALLEL: bool = false;

    fn can_run_beside_others(&self, mode: Mode) -> bool {
        let explores = |agent: &Option<String>| agent.as_deref() == Some(agents::EXPLORER);
        let all = match &self.tasks {
            Some(jobs) => jobs.iter().all(|job| explores(&job.agent)),
            None => explores(&self.agent),
        };
        mode == Mode::Plan || all
    }

    async fn run(self, ctx: &ToolContext<SessionWorld>) -> Result<ToolOutcome, HostError> {
        let core = ctx.core()?;
        match (self.prompt, self.tasks) {
            (Some(prompt), None) => {
                let agent = self.agent.as_deref().unwrap_or(agents::GENERAL);
                let report = agents::run(&core, &ctx.call.id, agent, &prompt, ctx.cancel()).await?;
                Ok(match report.success {
                    true => ToolOutcome::ok(report.text),
                    false => ToolOutcome::failed(report.text),
                })
            }
            (None, Some(jobs)) => orchestration::run(&core, &ctx.call.id, jobs, ctx.cancel()).await,
            _ => Ok(ToolOutcome::failed("give either `prompt` or `tasks`")),
        }
    }
}
