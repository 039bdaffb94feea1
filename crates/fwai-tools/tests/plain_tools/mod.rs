//! Every tool on a project, with commands that run as they are: for tests and benches that are not about walls.

use fwai_agent::{
    cancel::CancelToken,
    registry::Registry,
    tool::{CallContext, CallSink, PathScope},
};
use fwai_firmware::launch::{Launcher, PlainLauncher};
use fwai_schema::{config::Config, event::EventBody, permission::Mode, project::Project};
use fwai_tools::{
    registry::built_in,
    safe_path::ProjectDir,
    world::{Launchers, World},
};
use std::{path::Path, sync::Arc};

struct Silent;

impl CallSink for Silent {
    fn emit(&self, _body: EventBody) {}
}

struct Plain;

impl Launchers for Plain {
    fn for_call(&self, _mode: Mode, _scopes: &[PathScope]) -> Arc<dyn Launcher> {
        Arc::new(PlainLauncher)
    }
}

pub fn tools_of(root: &Path, config: Config) -> Registry {
    let project = ProjectDir::open(root).expect("a project directory");
    built_in(&Arc::new(World::new(project, config, Project::default(), Arc::new(Plain), Vec::new())))
}

/// What surrounds the one call of a test.
pub fn context(root: &Path) -> CallContext {
    let root = root.canonicalize().expect("a project directory");
    CallContext {
        id: "call_1".into(),
        session: "s".into(),
        turn: 1,
        cwd: root.clone(),
        project_root: root,
        mode: Mode::Auto,
        plan_path: ".fwai/sessions/s/plan.md".into(),
        scopes: Vec::new(),
        cancel: CancelToken::new(),
        sink: Arc::new(Silent),
    }
}
