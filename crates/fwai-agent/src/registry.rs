//! The list of tools that a session offers. Order is the order of registration, and it never changes
//! within a session: providers cache the prompt's prefix, and the tools stand in it.

use crate::tool::{DynTool, Erased, Tool};
use fwai_llm::{MaybeSend, MaybeSync};
use fwai_schema::{message::ToolDefinition, permission::Mode};
use std::sync::Arc;

/// Tools by name, in the order in which they were added. Cheap to clone.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Arc<Vec<Arc<dyn DynTool>>>,
}

impl Registry {
    pub fn new() -> Self {
        Self::default()
    }

    /// The registry with one more typed tool.
    pub fn with<W, T>(self, world: &Arc<W>) -> Self
    where
        W: MaybeSend + MaybeSync + 'static,
        T: Tool<W>,
    {
        self.with_dyn(Arc::new(Erased::<W, T>::new(world.clone())))
    }

    /// The registry with one more tool. One of the same name is replaced, so that a project can put its
    /// own in the place of a built-in one.
    pub fn with_dyn(mut self, tool: Arc<dyn DynTool>) -> Self {
        let tools = Arc::make_mut(&mut self.tools);
        match tools.iter_mut().find(|other| other.name() == tool.name()) {
            Some(place) => *place = tool,
            None => tools.push(tool),
        }
        self
    }

    /// Only the tools of these names, in the order of this registry. Names that it does not hold are
    /// ignored: a scope can only take away.
    pub fn scoped<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        self.retain(|tool| names.contains(&tool.name()))
    }

    /// Only the tools that `keep` says.
    pub fn retain(&self, keep: impl Fn(&dyn DynTool) -> bool) -> Self {
        Self { tools: Arc::new(self.tools.iter().filter(|tool| keep(tool.as_ref())).cloned().collect()) }
    }

    pub fn get(&self, name: &str) -> Option<&Arc<dyn DynTool>> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn DynTool>> {
        self.tools.iter()
    }

    pub fn len(&self) -> usize {
        self.tools.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name())
    }

    /// The tools that a mode offers: in plan mode those that only read, and `write_file` and `edit_file`,
    /// which the executor lets write the session's plan and nothing else.
    pub fn for_mode(&self, mode: Mode) -> Self {
        match mode {
            Mode::Plan => self.retain(|tool| tool.is_offered_in_plan_mode() || writes_plan(tool.name())),
            Mode::Ask | Mode::Auto | Mode::Yolo => self.clone(),
        }
    }

    /// What the model is told.
    pub fn definitions(&self) -> Arc<Vec<ToolDefinition>> {
        Arc::new(self.tools.iter().map(|tool| tool.definition()).collect())
    }
}

/// Tools that may write the plan file in plan mode, since their `effects` name every path they write.
pub fn writes_plan(name: &str) -> bool {
    matches!(name, "write_file" | "edit_file")
}
