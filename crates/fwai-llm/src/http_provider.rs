//! A provider over HTTP: one wire, one server. Here live timeouts, retries and the bounds of an answer.

use crate::{
    BoxFuture, BoxStream, Clock, LlmError,
    answer::AnswerDecoder,
    fault::{ApiError, Fault},
    fold::Fold,
    http::{HttpRequest, HttpResponse, Transport, TransportError},
    provider::{Completion, Delta, ModelInfo, Provider, ProviderStatus, Request},
    retry::delay_before_retry,
    wire::{Wire, WireSettings, count_calls},
};
use futures_util::{
    FutureExt, StreamExt,
    future::{Either, select},
    stream,
};
use fwai_schema::config::{ModelFacts, RetryConfig, TimeoutConfig};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

/// Bytes that one answer may have.
const MAX_ANSWER_BYTES: u64 = 128 << 20;
/// Bytes of an error's body that are read.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// Patience with questions that a person waits for: status, list of models, context window.
const SHORT: Duration = Duration::from_secs(5);
/// Patience with the end of a connection whose answer is already whole; a connection that has ended can
/// be used again.
const TAIL: Duration = Duration::from_millis(5);
/// Tokens that a local model is given where nobody says otherwise; more would not fit many machines.
const LOCAL_WINDOW: u32 = 32_768;

/// Speaks one wire to one server.
pub struct HttpProvider {
    /// As configured: `anthropic`, `openai`, `gemini`, `ollama`.
    pub name: String,
    pub wire: Box<dyn Wire>,
    pub settings: WireSettings,
    pub facts: ModelFacts,
    pub timeouts: TimeoutConfig,
    pub retry: RetryConfig,
    pub transport: Arc<dyn Transport>,
    pub clock: Arc<dyn Clock>,
    /// What the server said about its model's context window; asked once.
    pub served_window: OnceLock<Option<u32>>,
}

impl Provider for HttpProvider {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        &self.settings.model
    }

    fn facts(&self) -> ModelFacts {
        let mut facts = self.facts.clone();
        if let Some(window) = self.local_window() {
            facts.context_window = Some(window);
        }
        facts
    }

    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(async move {
            let mut call = self.call(request, false);
            while let Some(delta) = call.next().await {
                if let Delta::Done { completion } = delta? {
                    return Ok(completion);
                }
            }
            Err(Fault::Cut("no end".into()).into_error(&self.name, &self.settings.model, 0))
        })
    }

    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        self.call(request, true)
    }

    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        Box::pin(async move {
            let (ready, detail) = match self.models().await {
                Ok(models) => {
                    let model = &self.settings.model;
                    let known =
                        models.is_empty() || models.iter().any(|offered| same_model(&offered.name, model));
                    let detail = match known {
                        true => self.shown_url(),
                        false => format!("{}, which does not list the model `{model}`", self.shown_url()),
                    };
                    (true, detail)
                }
                // A compatible server without a list of models answers all the same.
                Err(LlmError::NotFound { .. }) => (true, format!("{} (no list of models)", self.shown_url())),
                Err(error) => (false, error.to_string()),
            };
            ProviderStatus { name: self.name.clone(), model: self.settings.model.clone(), ready, detail }
        })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        Box::pin(async move {
            let body = self.fetch(self.wire.encode_models(&self.settings)).await?;
            let mut models =
                self.wire.decode_models(&body).map_err(|fault| self.error(fault, body.len() as u64))?;
            models.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(models)
        })
    }
}

/// Ollama calls `qwen3` what it lists as `qwen3:latest`.
fn same_model(offered: &str, model: &str) -> bool {
    offered == model || offered.strip_suffix(":latest") == Some(model)
}

impl HttpProvider {
    fn call(&self, request: Request, stream: bool) -> BoxStream<'_, Result<Delta, LlmError>> {
        let call = Call { provider: self, request, stream, tries: 0, phase: Phase::Start };
        Box::pin(stream::unfold(call, |mut call| async move {
            let item = call.next().await?;
            Some((item, call))
        }))
    }

    /// A small body, whole, without retries.
    async fn fetch(&self, request: HttpRequest) -> Result<Vec<u8>, LlmError> {
        let work = async {
            let url = request.url.clone();
            let response =
                self.transport.send(request).await.map_err(|error| self.send_error(error, &url))?;
            let response = self.refuse_failure(response).await?;
            let mut body = Vec::new();
            let mut pieces = response.body;
            while let Some(piece) = pieces.next().await {
                let piece =
                    piece.map_err(|error| self.error(Fault::Cut(error.to_string()), body.len() as u64))?;
                body.extend_from_slice(&piece);
                if body.len() > 8 << 20 {
                    return Err(self.error(Fault::TooLarge { limit: 8 << 20 }, 0));
                }
            }
            Ok(body)
        };
        self.within(SHORT, "answer", work).await?
    }

    /// The context window that a local server is told to use: the configured one, or what the model can
    /// hold up to a size that fits most machines.
    fn local_window(&self) -> Option<u32> {
        self.settings.context_window.or_else(|| {
            let served = (*self.served_window.get()?)?;
            Some(served.min(LOCAL_WINDOW))
        })
    }

    /// Asks once for the model's context window, where the server can tell; without an answer the
    /// default of the server stands.
    async fn learn_window(&self) {
        if self.settings.context_window.is_some() || self.served_window.get().is_some() {
            return;
        }
        let Some(question) = self.wire.encode_context_window(&self.settings) else { return };
        let window = match self.fetch(question).await {
            Ok(body) => self.wire.decode_context_window(&body),
            Err(_) => None,
        };
        // Two calls at once may both ask; both learn the same.
        let _ = self.served_window.set(window);
    }

    async fn open(&self, request: &Request, stream: bool) -> Result<HttpResponse, LlmError> {
        self.learn_window().await;
        let mut settings = self.settings.clone();
        settings.context_window = self.local_window();
        let http = self.wire.encode(&settings, request, stream);
        let url = http.url.clone();
        let first_byte = Duration::from_secs(self.timeouts.first_byte_s);
        let sent = self.within(first_byte, "first byte", self.transport.send(http)).await?;
        let response = sent.map_err(|error| self.send_error(error, &url))?;
        self.refuse_failure(response).await
    }

    /// Reads the error out of a response that is no success.
    async fn refuse_failure(&self, response: HttpResponse) -> Result<HttpResponse, LlmError> {
        if (200..300).contains(&response.status) {
            return Ok(response);
        }
        let HttpResponse { status, headers, mut body } = response;
        let mut text = Vec::new();
        let reading = async {
            while let Some(Ok(piece)) = body.next().await {
                text.extend_from_slice(&piece[..piece.len().min(MAX_ERROR_BYTES - text.len())]);
                if text.len() == MAX_ERROR_BYTES {
                    break;
                }
            }
        };
        // What has arrived of the explanation by then must do.
        let _ = self.within(SHORT, "error", reading).await;
        Err(self.error(Fault::Api(ApiError::from_response(status, &headers, &text)), 0))
    }

    async fn within<T>(
        &self,
        limit: Duration,
        phase: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, LlmError> {
        let work = std::pin::pin!(work);
        match select(work, self.clock.sleep(limit)).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(_) => Err(LlmError::Timeout {
                provider: self.name.clone(),
                phase: phase.to_owned(),
                seconds: limit.as_secs(),
            }),
        }
    }

    fn error(&self, fault: Fault, received: u64) -> LlmError {
        self.scrub(fault.into_error(&self.name, &self.settings.model, received))
    }

    fn send_error(&self, error: TransportError, url: &str) -> LlmError {
        let provider = self.name.clone();
        let url = without_credentials(url);
        self.scrub(match error {
            TransportError::Connect(message) => LlmError::Connect { provider, url, message },
            TransportError::ConnectTimeout { seconds } => {
                LlmError::Timeout { provider, phase: "connect".into(), seconds }
            }
            TransportError::Broken(message) => LlmError::Cut { provider, received: 0, message },
            TransportError::Invalid(message) => {
                LlmError::BadRequest { provider, status: 0, message: format!("{url}: {message}") }
            }
        })
    }

    fn scrub(&self, error: LlmError) -> LlmError {
        match &self.settings.key {
            Some(key) => error.map_text(|text| key.scrub(text)),
            None => error,
        }
    }

    fn shown_url(&self) -> String {
        without_credentials(&self.settings.base_url)
    }
}

/// An address as it may be shown: `http://user:password@host` loses what stands before the `@`, and any
/// query goes too.
fn without_credentials(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url);
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let host = authority.rsplit('@').next().unwrap_or(authority);
    format!("{scheme}://{host}{path}")
}

/// One call, over all its tries.
struct Call<'a> {
    provider: &'a HttpProvider,
    request: Request,
    stream: bool,
    tries: u32,
    phase: Phase,
}

enum Phase {
    Start,
    Reading(Box<Reading>),
    Waiting(Duration),
    Ended,
}

/// A response whose bytes arrive.
struct Reading {
    body: BoxStream<'static, Result<bytes::Bytes, TransportError>>,
    decoder: AnswerDecoder,
    /// Why the body ended; the deltas that came before it go out first.
    end: Option<Result<(), Fault>>,
}

impl Call<'_> {
    async fn next(&mut self) -> Option<Result<Delta, LlmError>> {
        loop {
            match std::mem::replace(&mut self.phase, Phase::Ended) {
                Phase::Ended => return None,
                Phase::Waiting(delay) => {
                    self.provider.clock.sleep(delay).await;
                    self.phase = Phase::Start;
                }
                Phase::Start => {
                    self.tries += 1;
                    match self.provider.open(&self.request, self.stream).await {
                        Ok(response) => self.phase = Phase::Reading(Box::new(self.reading(response))),
                        Err(error) => return Some(self.failed(error)),
                    }
                }
                Phase::Reading(mut reading) => {
                    if let Some(delta) = reading.decoder.next_delta() {
                        self.phase = Phase::Reading(reading);
                        return Some(Ok(delta));
                    }
                    match reading.end.take() {
                        None => match read_more(self.provider, &mut reading).await {
                            Ok(()) => self.phase = Phase::Reading(reading),
                            Err(error) => return Some(self.failed(error)),
                        },
                        Some(Ok(())) => {
                            return Some(Ok(Delta::Done { completion: reading.decoder.finish() }));
                        }
                        Some(Err(fault)) => {
                            let error = self.provider.error(fault, reading.decoder.received());
                            return Some(self.failed(error));
                        }
                    }
                }
            }
        }
    }

    fn reading(&self, response: HttpResponse) -> Reading {
        let wire = &self.provider.wire;
        let fold = Fold::new(&self.provider.settings.model, count_calls(&self.request.messages));
        let decoder =
            AnswerDecoder::new(wire.decoder(), wire.streams_lines_of_json(), fold, MAX_ANSWER_BYTES);
        Reading { body: response.body, decoder, end: None }
    }

    /// Decides whether to try again; what is returned tells the caller either way.
    fn failed(&mut self, error: LlmError) -> Result<Delta, LlmError> {
        let provider = self.provider;
        match delay_before_retry(&provider.retry, &error, self.tries, &*provider.clock) {
            Some(delay) => {
                self.phase = Phase::Waiting(delay);
                Ok(Delta::Retrying {
                    error: error.to_string(),
                    attempt: self.tries,
                    delay_ms: delay.as_millis() as u64,
                })
            }
            None if self.tries > 1 => Err(LlmError::GaveUp { tries: self.tries, last: Box::new(error) }),
            None => Err(error),
        }
    }
}

/// Reads one piece of the body, in time.
async fn read_more(provider: &HttpProvider, reading: &mut Reading) -> Result<(), LlmError> {
    if reading.decoder.is_final() {
        // The connection's own end comes at once, or is not worth waiting for.
        let ending = async { while let Some(Ok(_)) = reading.body.next().await {} };
        let _ = provider.within(TAIL, "end", ending).await;
        reading.end = Some(Ok(()));
        return Ok(());
    }
    let (limit, phase) = match reading.decoder.received() {
        0 => (provider.timeouts.first_byte_s, "first byte"),
        _ => (provider.timeouts.idle_s, "next piece"),
    };
    // Most pieces are already there; a timer for each of them would cost more than reading it.
    let piece = match reading.body.next().now_or_never() {
        Some(piece) => Ok(piece),
        None => provider.within(Duration::from_secs(limit), phase, reading.body.next()).await,
    };
    match piece {
        // A server that has said everything and forgets to hang up.
        Err(_) if reading.decoder.is_complete() => reading.end = Some(Ok(())),
        Err(timeout) => return Err(timeout),
        Ok(None) => reading.end = Some(reading.decoder.end_of_input()),
        Ok(Some(Ok(bytes))) => {
            if let Err(fault) = reading.decoder.feed(&bytes) {
                reading.end = Some(Err(fault));
            }
        }
        Ok(Some(Err(_))) if reading.decoder.is_complete() => reading.end = Some(Ok(())),
        Ok(Some(Err(error))) => reading.end = Some(Err(Fault::Cut(error.to_string()))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        assert_eq!(without_credentials("http://u:p@host:1/v1?key=k"), "http://host:1/v1");
        assert_eq!(without_credentials("https://host"), "https://host");
    }
}
