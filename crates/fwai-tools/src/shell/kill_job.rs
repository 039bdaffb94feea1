//! `kill_job`: ends a background job and everything that it started.

use super::jobs::lock;
use crate::prelude::*;

/// End a background job.
#[derive(Deserialize, JsonSchema)]
pub struct KillJob {
    job: String,
}

impl Tool<World> for KillJob {
    const NAME: &str = "kill_job";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;
    const READ_ONLY: bool = true;

    fn examples() -> Vec<Example> {
        examples![("a job that does not exist", {"job": "job99"}, fails_with "no job")]
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        match ctx.jobs.kill(&self.job) {
            Some(job) => {
                let output = lock(&job.output);
                let rest = output.text_from(output.seen);
                Ok(ToolOutcome::ok(format!("{}\n(ended {})", rest.trim_end(), self.job)))
            }
            None => Ok(ToolOutcome::failed(format!("there is no job {}", self.job))),
        }
    }
}
