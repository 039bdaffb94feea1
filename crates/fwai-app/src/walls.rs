//! Which walls stand around the processes of a session.

use crate::{effective_policy, paths::Paths};
use fwai_agent::tool::PathScope;
use fwai_firmware::launch::{BoxFuture, Child, LaunchError, LaunchSpec, Launcher};
use fwai_policy::merge::bounded_by;
use fwai_schema::{
    config::{Config, SandboxWalls},
    permission::Mode,
    policy::{Policy, SandboxRequirement},
};
use fwai_tools::{
    sandbox::{Sandbox, SandboxLauncher, SandboxSpec},
    world::Launchers,
};
use std::{path::PathBuf, sync::Arc};

/// The walls that hold: the configuration may switch them off, a policy may require them.
pub fn wanted(config: &Config, policy: &Policy) -> SandboxWalls {
    match (policy.sandbox, config.sandbox.walls) {
        (Some(SandboxRequirement::Required), _) | (_, SandboxWalls::Required) => SandboxWalls::Required,
        (Some(SandboxRequirement::Off) | None, SandboxWalls::Off) => SandboxWalls::Off,
    }
}

/// Launchers with the walls that configuration and policy ask for.
pub struct Walls {
    /// Or why there is none, which is what every command is told.
    sandbox: Result<Sandbox, String>,
    root: PathBuf,
    user: PathBuf,
    config: Config,
    policy: Policy,
}

impl Walls {
    pub fn new(paths: &Paths, config: &Config, policy: &Policy) -> Self {
        let root = paths.project.canonicalize().unwrap_or_else(|_| paths.project.clone());
        let sandbox = Sandbox::new(wanted(config, policy)).map_err(|error| error.to_string());
        Self { sandbox, root, user: paths.user.clone(), config: config.clone(), policy: policy.clone() }
    }

    /// Many commands will follow one another, as in a session.
    pub fn keep_ready(&self) {
        if let Ok(sandbox) = &self.sandbox {
            sandbox.keep_ready();
        }
    }

    /// Whether commands run behind walls here.
    pub fn stand(&self) -> bool {
        self.sandbox.as_ref().is_ok_and(Sandbox::has_walls)
    }

    /// What a command gets in a mode, as far as configuration and policy say.
    pub fn spec(&self, mode: Mode, scopes: &[PathScope]) -> SandboxSpec {
        let policy = scopes.iter().fold(self.policy.clone(), |policy, scope| {
            let bound = Policy {
                protected_paths: scope.protected.clone(),
                allowed_paths: scope.allowed.clone(),
                ..Policy::default()
            };
            bounded_by(&policy, &bound)
        });
        let mut spec = SandboxSpec::configured(&self.root, &self.config.sandbox, &policy, mode);
        spec.unreadable.push(self.user.clone());
        spec
    }
}

/// The launchers for a command of the program, and whether walls stand. A policy that cannot be read
/// refuses every command.
pub fn launchers(paths: &Paths, config: &Config) -> (Arc<dyn Launchers>, bool) {
    match effective_policy::load(paths, config) {
        Ok(policy) => {
            let walls = Walls::new(paths, config, &policy);
            let stand = walls.stand();
            (Arc::new(walls), stand)
        }
        Err(error) => (Arc::new(Closed(error.to_string())), false),
    }
}

/// No command may run at all.
struct Closed(String);

impl Launchers for Closed {
    fn for_call(&self, _mode: Mode, _scopes: &[PathScope]) -> Arc<dyn Launcher> {
        Arc::new(Refusing(self.0.clone()))
    }
}

impl Launchers for Walls {
    fn for_call(&self, mode: Mode, scopes: &[PathScope]) -> Arc<dyn Launcher> {
        // Plan mode is a promise that only walls can keep.
        if mode == Mode::Plan && wanted(&self.config, &self.policy) == SandboxWalls::Off {
            let why = "plan mode runs commands only inside a sandbox, and `sandbox.walls` is off";
            return Arc::new(Refusing(why.to_owned()));
        }
        match &self.sandbox {
            Ok(sandbox) => Arc::new(SandboxLauncher::new(sandbox.clone(), self.spec(mode, scopes))),
            Err(why) => Arc::new(Refusing(why.clone())),
        }
    }
}

/// Starts nothing and says why.
struct Refusing(String);

impl Launcher for Refusing {
    fn launch(&self, _spec: LaunchSpec) -> BoxFuture<'_, Result<Child, LaunchError>> {
        let why = self.0.clone();
        Box::pin(async move { Err(LaunchError::Refused(why)) })
    }
}
