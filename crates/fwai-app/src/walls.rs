//! Which walls stand around the processes of a session.

use crate::paths::Paths;
use fwai_agent::tool::PathScope;
use fwai_firmware::launch::{BoxFuture, Child, LaunchError, LaunchSpec, Launcher, PlainLauncher};
use fwai_schema::{
    config::{Config, SandboxWalls},
    permission::Mode,
};
use fwai_tools::world::Launchers;
use std::sync::Arc;

/// The launchers of a session, and whether walls stand.
pub fn launchers(_paths: &Paths, config: &Config) -> (Arc<dyn Launchers>, bool) {
    match config.sandbox.walls {
        SandboxWalls::Off => (Arc::new(NoWalls), false),
        SandboxWalls::Required => (Arc::new(Missing), false),
    }
}

/// The user switched the walls off; every run records that. Plan mode still needs them.
struct NoWalls;

impl Launchers for NoWalls {
    fn for_call(&self, mode: Mode, _scopes: &[PathScope]) -> Arc<dyn Launcher> {
        match mode {
            Mode::Plan => Arc::new(Refusing),
            Mode::Ask | Mode::Auto | Mode::Yolo => Arc::new(PlainLauncher),
        }
    }
}

/// Walls are required and cannot be put up here.
struct Missing;

impl Launchers for Missing {
    fn for_call(&self, _mode: Mode, _scopes: &[PathScope]) -> Arc<dyn Launcher> {
        Arc::new(Refusing)
    }
}

struct Refusing;

impl Launcher for Refusing {
    fn launch(&self, _spec: LaunchSpec) -> BoxFuture<'_, Result<Child, LaunchError>> {
        Box::pin(async {
            Err(LaunchError::Refused(
                "no sandbox can be put up here, so that no command runs; `fwai doctor` says what is missing"
                    .to_owned(),
            ))
        })
    }
}
