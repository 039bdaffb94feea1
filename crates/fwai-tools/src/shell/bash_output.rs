//! `bash_output`: what a background job has said since it was last asked.

use super::jobs::lock;
use crate::prelude::*;
use std::time::Duration;

/// New output of a background job, and whether it still runs.
#[derive(Deserialize, JsonSchema)]
pub struct BashOutput {
    job: String,
    /// Seconds to wait for something new; 0 unless given.
    #[serde(default)]
    wait_s: Option<u64>,
}

impl Tool<World> for BashOutput {
    const NAME: &str = "bash_output";
    const LEVEL: Level = Level::Read;
    const GENERATION: u8 = 1;

    fn examples() -> Vec<Example> {
        examples![("a job that does not exist", {"job": "job99"}, fails_with "no job")]
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let Some(job) = ctx.jobs.get(&self.job) else {
            return Ok(ToolOutcome::failed(format!(
                "there is no job {}; jobs: {}",
                self.job,
                ctx.jobs.names().join(", ")
            )));
        };
        let changed = job.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let nothing_new = {
            let output = lock(&job.output);
            output.total() == output.seen && lock(&job.exit).is_none()
        };
        if nothing_new && let Some(wait) = self.wait_s.filter(|wait| *wait > 0) {
            let _ = tokio::time::timeout(Duration::from_secs(wait.min(600)), changed).await;
        }
        let state = match *lock(&job.exit) {
            None => "still running".to_owned(),
            Some(exit) => match (exit.code, exit.signal) {
                (Some(code), _) => format!("ended with exit code {code}"),
                (_, Some(signal)) => format!("ended by signal {signal}"),
                _ => "ended".to_owned(),
            },
        };
        let mut output = lock(&job.output);
        let text = output.text_from(output.seen);
        output.seen = output.total();
        Ok(ToolOutcome::ok(format!("{}\n({}: {state})", text.trim_end(), self.job)))
    }
}
