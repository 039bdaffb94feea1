//! A provider for work that needs no model: every question to it is an error that says how to set one.

use fwai_agent::skills::NO_MODEL;
use fwai_llm::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, ModelInfo, Provider, ProviderStatus, Request,
};
use fwai_schema::config::ModelFacts;

/// Stands where no model is set. `why` is what the configuration lacks.
pub struct NoModel {
    why: String,
}

impl NoModel {
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }

    fn error(&self) -> LlmError {
        LlmError::BadRequest { provider: NO_MODEL.into(), status: 0, message: self.why.clone() }
    }
}

impl Provider for NoModel {
    fn name(&self) -> &str {
        NO_MODEL
    }

    fn model(&self) -> &str {
        NO_MODEL
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts::default()
    }

    fn complete(&self, _request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async { Err(self.error()) })
    }

    fn stream(&self, _request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        Box::pin(futures_util::stream::iter([Err(self.error())]))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        let status = ProviderStatus {
            name: NO_MODEL.into(),
            model: NO_MODEL.into(),
            ready: false,
            detail: self.why.clone(),
        };
        Box::pin(async { status })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async { Err(self.error()) })
    }
}
