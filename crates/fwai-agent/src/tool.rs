//! What a tool is.
//!
//! A tool is its argument struct: serde reads the model's JSON into it, schemars derives the JSON Schema
//! that the model sees, the doc comment is the description, and `run` consumes it. What a tool needs of
//! the world (files, processes, boards) is `W`, one type per crate of tools; the context derefs to it, so
//! that `ctx.board()` is a method of the world and `ctx.mode()` one of the call. A complete tool:
//!
//! ```
//! use fwai_agent::prelude::*;
//!
//! /// What these tools may touch. `fwai-tools` has one `World` for all of its tools.
//! pub struct World { greeting: String }
//!
//! /// Greet someone.
//! #[derive(Deserialize, JsonSchema)]
//! pub struct Greet {
//!     /// Who is greeted.
//!     name: String,
//! }
//!
//! impl Tool<World> for Greet {
//!     const NAME: &str = "greet";
//!     const LEVEL: Level = Level::Read;
//!     const GENERATION: u8 = 1;
//!
//!     fn examples() -> Vec<Example> {
//!         examples![("a person is greeted", {"name": "Ada"}, ends_with "Ada")]
//!     }
//!
//!     async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
//!         if self.name.is_empty() {
//!             return Ok(ToolOutcome::failed("nobody to greet; give `name`"));
//!         }
//!         Ok(ToolOutcome::ok(format!("{} {}", ctx.greeting, self.name)))
//!     }
//! }
//!
//! let world = std::sync::Arc::new(World { greeting: "hello".into() });
//! let registry = fwai_agent::registry::Registry::new().with::<World, Greet>(&world);
//! assert_eq!(registry.get("greet").unwrap().description(), "Greet someone.");
//! ```
//!
//! Rules for `run`: its future may be dropped at any await point when the user interrupts, so what it
//! started must end on drop; what it wants to do last it does after `ctx.cancelled()`. It is called only
//! after schema, policy and permission agreed. Tools that exist only at run time (YAML tools, MCP)
//! implement [`DynTool`] themselves.

use crate::{arguments, cancel::CancelToken, examples::Example, host::HostError, outcome::ToolOutcome};
use fwai_llm::{BoxFuture, MaybeSend, MaybeSync};
use fwai_schema::{
    event::EventBody,
    message::ToolDefinition,
    permission::{Level, Mode},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    future::Future,
    marker::PhantomData,
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A tool whose arguments are `Self` and whose world is `W`.
pub trait Tool<W: MaybeSend + MaybeSync + 'static>:
    DeserializeOwned + JsonSchema + MaybeSend + 'static
{
    /// Lower case, digits and underscores; unique in the registry.
    const NAME: &str;
    const LEVEL: Level;
    /// 1 to 8, as in the table of generations.
    const GENERATION: u8;
    /// Changes nothing: runs without a snapshot, and is offered in plan mode.
    const READ_ONLY: bool = matches!(Self::LEVEL, Level::Read);
    /// May run beside other calls of the same answer. The results are put in order.
    const PARALLEL: bool = Self::READ_ONLY;
    /// Offered in plan mode. True beside `READ_ONLY` only for a tool whose every effect the operating
    /// system confines to reading when `ctx.mode()` is plan.
    const IN_PLAN_MODE: bool = Self::READ_ONLY;

    /// What the model is told; the doc comment of the struct unless this says otherwise.
    fn description() -> Option<String> {
        None
    }

    fn examples() -> Vec<Example> {
        Vec::new()
    }

    /// As [`Tool::PARALLEL`], where that depends on the arguments.
    fn can_run_beside_others(&self, _mode: Mode) -> bool {
        Self::PARALLEL
    }

    /// What this call will touch, for policy and for the person who is asked.
    fn effects(&self) -> Effects {
        Effects::default()
    }

    fn run(self, ctx: &ToolContext<W>) -> impl Future<Output = Result<ToolOutcome, HostError>> + MaybeSend;
}

/// What a call says it will touch. Paths are as the model wrote them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// Shell text.
    pub command: Option<String>,
    /// Addresses that will be contacted.
    pub urls: Vec<String>,
}

impl Effects {
    pub fn reads(path: impl Into<String>) -> Self {
        Self { reads: vec![path.into()], ..Self::default() }
    }

    pub fn writes(path: impl Into<String>) -> Self {
        Self { writes: vec![path.into()], ..Self::default() }
    }

    pub fn command(text: impl Into<String>) -> Self {
        Self { command: Some(text.into()), ..Self::default() }
    }

    pub fn url(address: impl Into<String>) -> Self {
        Self { urls: vec![address.into()], ..Self::default() }
    }
}

/// Paths that an agent may write; a sub-agent carries those of every agent above it too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathScope {
    /// Globs; absent means that this agent adds no bound.
    pub allowed: Option<Vec<String>>,
    /// Globs.
    pub protected: Vec<String>,
}

/// Facts of one call.
#[derive(Clone)]
pub struct CallContext {
    /// Id of the tool call.
    pub id: String,
    pub session: String,
    pub turn: u32,
    pub project_root: PathBuf,
    /// Where relative paths start; inside the project.
    pub cwd: PathBuf,
    pub mode: Mode,
    /// Project-relative path of the session's plan; the one file that plan mode may write.
    pub plan_path: String,
    pub scopes: Vec<PathScope>,
    pub cancel: CancelToken,
    /// Where events of the call go.
    pub sink: Arc<dyn CallSink>,
}

/// Receives what a running tool wants to be seen.
pub trait CallSink: MaybeSend + MaybeSync {
    fn emit(&self, body: EventBody);
}

impl CallContext {
    /// Output to watch while the tool runs; the outcome must repeat what matters.
    pub fn output(&self, text: impl Into<String>) {
        self.emit(EventBody::ToolOutput { id: self.id.clone(), text: text.into() });
    }

    /// Puts `board`, `evidence_written`, `file_changed` and `warning` events into the session.
    pub fn emit(&self, body: EventBody) {
        self.sink.emit(body);
    }

    /// Ends when the user interrupts.
    pub async fn cancelled(&self) {
        self.cancel.cancelled().await;
    }
}

/// What `run` gets: the call and the world. Cheap to clone into tasks of its own.
pub struct ToolContext<W: ?Sized> {
    pub call: CallContext,
    world: Arc<W>,
}

impl<W: ?Sized> Clone for ToolContext<W> {
    fn clone(&self) -> Self {
        Self { call: self.call.clone(), world: self.world.clone() }
    }
}

impl<W: ?Sized> ToolContext<W> {
    pub fn new(call: CallContext, world: Arc<W>) -> Self {
        Self { call, world }
    }

    pub fn world(&self) -> &Arc<W> {
        &self.world
    }

    pub fn project_root(&self) -> &Path {
        &self.call.project_root
    }

    pub fn cwd(&self) -> &Path {
        &self.call.cwd
    }

    pub fn mode(&self) -> Mode {
        self.call.mode
    }

    pub fn session(&self) -> &str {
        &self.call.session
    }

    pub fn cancel(&self) -> &CancelToken {
        &self.call.cancel
    }

    pub async fn cancelled(&self) {
        self.call.cancelled().await;
    }

    /// Output to watch while the tool runs.
    pub fn output(&self, text: impl Into<String>) {
        self.call.output(text);
    }

    pub fn emit(&self, body: EventBody) {
        self.call.emit(body);
    }
}

impl<W: ?Sized> Deref for ToolContext<W> {
    type Target = W;

    fn deref(&self) -> &W {
        &self.world
    }
}

/// A tool in a registry, whatever its arguments and world are.
pub trait DynTool: MaybeSend + MaybeSync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    /// JSON Schema of the arguments, an object, without `$ref`.
    fn input_schema(&self) -> &Value;
    fn level(&self) -> Level;
    fn generation(&self) -> u8;
    fn is_read_only(&self) -> bool {
        matches!(self.level(), Level::Read)
    }
    fn can_run_in_parallel(&self) -> bool {
        self.is_read_only()
    }
    /// As `can_run_in_parallel`, for a call with these (unchecked) arguments.
    fn can_run_beside_others(&self, _arguments: &Value, _mode: Mode) -> bool {
        self.can_run_in_parallel()
    }
    fn is_offered_in_plan_mode(&self) -> bool {
        self.is_read_only()
    }
    fn examples(&self) -> Vec<Example> {
        Vec::new()
    }
    /// What a call with these (valid) arguments will touch.
    fn effects(&self, _arguments: &Value) -> Effects {
        Effects::default()
    }
    /// Says why arguments that fit the schema are still wrong.
    fn check(&self, _arguments: &Value) -> Result<(), String> {
        Ok(())
    }
    fn run(&self, arguments: Value, call: CallContext) -> BoxFuture<'_, Result<ToolOutcome, HostError>>;

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name().to_owned(),
            description: self.description().to_owned(),
            input_schema: self.input_schema().clone(),
        }
    }
}

/// A [`Tool`] with its world, as a registry holds it.
pub struct Erased<W, T> {
    world: Arc<W>,
    description: String,
    input_schema: Value,
    arguments: PhantomData<fn() -> T>,
}

impl<W: MaybeSend + MaybeSync + 'static, T: Tool<W>> Erased<W, T> {
    pub fn new(world: Arc<W>) -> Self {
        let (documented, input_schema) = arguments::schema_of::<T>();
        let description = T::description().unwrap_or(documented);
        Self { world, description, input_schema, arguments: PhantomData }
    }
}

impl<W: MaybeSend + MaybeSync + 'static, T: Tool<W>> DynTool for Erased<W, T> {
    fn name(&self) -> &str {
        T::NAME
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    fn level(&self) -> Level {
        T::LEVEL
    }

    fn generation(&self) -> u8 {
        T::GENERATION
    }

    fn is_read_only(&self) -> bool {
        T::READ_ONLY
    }

    fn can_run_in_parallel(&self) -> bool {
        T::PARALLEL
    }

    fn can_run_beside_others(&self, arguments: &Value, mode: Mode) -> bool {
        T::deserialize(arguments).map_or(T::PARALLEL, |tool| tool.can_run_beside_others(mode))
    }

    fn is_offered_in_plan_mode(&self) -> bool {
        T::IN_PLAN_MODE
    }

    fn examples(&self) -> Vec<Example> {
        T::examples()
    }

    fn effects(&self, arguments: &Value) -> Effects {
        T::deserialize(arguments).map(|tool| tool.effects()).unwrap_or_default()
    }

    fn check(&self, arguments: &Value) -> Result<(), String> {
        T::deserialize(arguments).map(drop).map_err(|error| error.to_string())
    }

    fn run(&self, arguments: Value, call: CallContext) -> BoxFuture<'_, Result<ToolOutcome, HostError>> {
        Box::pin(async move {
            match T::deserialize(arguments) {
                Ok(tool) => {
                    let ctx = ToolContext::new(call, self.world.clone());
                    tool.run(&ctx).await
                }
                Err(error) => Ok(ToolOutcome::failed(format!("{}: {error}", T::NAME))),
            }
        })
    }
}
