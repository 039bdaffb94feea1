//! A provider that writes down what another one is asked and answers.

use super::{CassetteSink, Exchange, Outcome, Tape, VERSION, map_strings};
use crate::{
    BoxFuture, BoxStream, Completion, Delta, LlmError, ModelInfo, Provider, ProviderStatus, Request,
};
use futures_util::StreamExt;
use fwai_schema::config::ModelFacts;
use std::sync::Arc;

/// Records every exchange of `inner`. A cassette that cannot be written fails the call: a recording with
/// holes would be found out only when it is needed.
pub struct Recorder {
    inner: Arc<dyn Provider>,
    tape: Arc<dyn Tape>,
    sink: Arc<dyn CassetteSink>,
}

impl Recorder {
    pub fn new(inner: Arc<dyn Provider>, tape: Arc<dyn Tape>, sink: Arc<dyn CassetteSink>) -> Self {
        Self { inner, tape, sink }
    }

    fn record(&self, request: &Request, outcome: Outcome) -> Result<(), LlmError> {
        let exchange = Exchange {
            v: VERSION,
            provider: self.inner.name().to_owned(),
            model: self.inner.model().to_owned(),
            request: request.clone(),
            outcome,
        };
        let failed = |message: String| LlmError::Replay { message: format!("cannot record: {message}") };
        let mut line = serde_json::to_value(&exchange).map_err(|error| failed(error.to_string()))?;
        map_strings(&mut line, &|text| self.tape.tape_text(text));
        self.sink.write_line(&line.to_string()).map_err(failed)
    }

    fn record_end(
        &self,
        request: &Request,
        end: Result<Completion, LlmError>,
    ) -> Result<Completion, LlmError> {
        let outcome = match &end {
            Ok(completion) => Outcome::Completion(completion.clone()),
            Err(error) => Outcome::Error(error.clone()),
        };
        self.record(request, outcome)?;
        end
    }
}

impl Provider for Recorder {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn model(&self) -> &str {
        self.inner.model()
    }

    fn facts(&self) -> ModelFacts {
        self.inner.facts()
    }

    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move {
            let end = self.inner.complete(request.clone()).await;
            self.record_end(&request, end)
        })
    }

    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        let pieces = self.inner.stream(request.clone());
        Box::pin(pieces.map(move |item| match item {
            Ok(Delta::Done { completion }) => {
                self.record_end(&request, Ok(completion)).map(|completion| Delta::Done { completion })
            }
            Err(error) => self.record_end(&request, Err(error)).map(|completion| Delta::Done { completion }),
            Ok(delta) => Ok(delta),
        }))
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        self.inner.status()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        self.inner.models()
    }
}
