//! `run_tests`: the project's own tests on this machine.

use crate::{
    prelude::*,
    shell::process::{self, Gathered},
};
use fwai_agent::outcome::NOTHING_TO_DO;
use fwai_firmware::launch::LaunchSpec;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// Run the project's tests (`build.test_command` of project.yaml) inside the sandbox.
#[derive(Deserialize, JsonSchema)]
pub struct RunTests {}

impl Tool<World> for RunTests {
    const NAME: &str = "run_tests";
    const LEVEL: Level = Level::Execute;
    const GENERATION: u8 = 1;

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let Some(command) = &ctx.project.build.test_command else {
            return Ok(ToolOutcome::failed(
                "the project names no tests; set `build.test_command` in .fwai/project.yaml",
            )
            .with(NOTHING_TO_DO, true));
        };
        let launcher = ctx.launchers.for_call(ctx.mode(), &ctx.call.scopes);
        let limit = Duration::from_secs(ctx.project.build.timeout_s.unwrap_or(1_800));
        let spec = LaunchSpec::shell(command, ctx.project_root()).timeout(limit);
        let mut child = match process::start(&*launcher, spec).await {
            Ok(child) => child,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let output = Arc::new(Mutex::new(Gathered::default()));
        let most = ctx.config.sandbox.output_mb << 20;
        let end = process::gather(&mut child, &output, most, |text| ctx.output(text)).await;
        let text = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).text();
        Ok(match end {
            Ok((exit, false)) if exit.success() => ToolOutcome::ok(text).with("exit_code", 0),
            Ok((exit, _)) => {
                ToolOutcome::failed(format!("{text}\n(the tests failed, exit code {:?})", exit.code))
                    .with("exit_code", exit.code)
            }
            Err(why) => ToolOutcome::failed(why),
        }
        .with("command", command.clone()))
    }
}
