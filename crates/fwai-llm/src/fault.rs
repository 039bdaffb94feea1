//! What a server said was wrong, before it is known whose server it was: HTTP statuses, error bodies,
//! error events in the middle of a stream, and the hints when to come back.

use crate::{LlmError, http::header};
use serde_json::Value;

/// Why an answer cannot be had, as a decoder sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The server reported an error.
    Api(ApiError),
    /// Bytes that are no answer.
    Garbage(String),
    /// The answer ended before its end.
    Cut(String),
    TooLarge {
        limit: u64,
    },
}

/// An error in the server's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    pub status: u16,
    /// The server's name for it, for instance `overloaded_error`.
    pub kind: String,
    pub message: String,
    pub retry_after_ms: Option<u64>,
    /// The server said whether to try again.
    pub should_retry: Option<bool>,
}

impl Fault {
    pub fn into_error(self, provider: &str, model: &str, received: u64) -> LlmError {
        let provider = provider.to_owned();
        match self {
            Fault::Api(error) => error.into_error(provider, model),
            Fault::Garbage(message) => LlmError::Protocol { provider, message },
            Fault::Cut(message) => LlmError::Cut { provider, received, message },
            Fault::TooLarge { limit } => LlmError::TooLarge { provider, limit },
        }
    }
}

impl ApiError {
    /// From the body of a response whose status is no success.
    pub fn from_response(status: u16, headers: &[(String, String)], body: &[u8]) -> Self {
        let mut error = match serde_json::from_slice::<Value>(body) {
            Ok(value) => {
                Self::from_body(&value).unwrap_or_else(|| Self::named("", one_line(&value.to_string())))
            }
            Err(_) => Self::named("", text_of_page(body)),
        };
        error.status = status;
        error.retry_after_ms = retry_after(headers).or(error.retry_after_ms);
        error.should_retry = match header(headers, "x-should-retry") {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        error
    }

    /// From a JSON object that any of the servers calls an error; `None` where it is none.
    ///
    /// The shapes: `{"error": {"type", "code", "message"}}`, `{"type": "error", "code", "message"}`,
    /// `{"error": "text"}`, `{"detail": …}`, `{"message": "text"}` and lists of these.
    pub fn from_body(value: &Value) -> Option<Self> {
        match value {
            Value::Array(items) => return items.iter().find_map(Self::from_body),
            Value::Object(_) => {}
            _ => return None,
        }
        let is_event = value["type"] == "error" && value["error"].is_null();
        let error = match &value["error"] {
            Value::String(text) => return Some(Self::named("", one_line(text))),
            Value::Object(_) => &value["error"],
            _ if is_event || value["message"].is_string() => value,
            _ => {
                let detail = &value["detail"];
                let text = detail.as_str().map(str::to_owned).or_else(|| {
                    detail.as_array().and_then(|list| Some(list.first()?["msg"].as_str()?.to_owned()))
                })?;
                return Some(Self::named("", one_line(&text)));
            }
        };
        let text = |name: &str| error[name].as_str().unwrap_or_default();
        let kinds = [text("code"), text("status"), text("type")];
        let kind = kinds.into_iter().find(|kind| !kind.is_empty() && *kind != "error").unwrap_or_default();
        let mut message = one_line(text("message"));
        if message.is_empty() {
            message = if kind.is_empty() { one_line(&error.to_string()) } else { kind.to_owned() };
        }
        // OpenRouter hides what the model's own server said.
        if let Some(raw) = error["metadata"]["raw"].as_str() {
            message = format!("{message}: {}", one_line(raw));
        }
        let mut out = Self::named(kind, message);
        let number = error["code"].as_u64().or_else(|| error["status"].as_u64());
        out.status = number.filter(|code| (400..600).contains(code)).map_or_else(
            || status_of_kind(text("type")).or(status_of_kind(kind)).unwrap_or(500),
            |code| code as u16,
        );
        out.retry_after_ms = google_retry_delay(error).or_else(|| delay_in_words(&out.message));
        Some(out)
    }

    fn named(kind: &str, message: String) -> Self {
        Self { status: 500, kind: kind.to_owned(), message, retry_after_ms: None, should_retry: None }
    }

    fn into_error(self, provider: String, model: &str) -> LlmError {
        let Self { status, kind, message, retry_after_ms, should_retry } = self;
        if is_context_overflow(status, &kind, &message) {
            return LlmError::ContextTooLong { provider, model: model.to_owned(), message };
        }
        let final_word = should_retry == Some(false)
            || matches!(kind.as_str(), "insufficient_quota" | "billing_error" | "billing_hard_limit_reached");
        match status {
            401 | 403 => LlmError::Auth { provider, status, message },
            _ if final_word => LlmError::BadRequest { provider, status, message },
            429 => LlmError::RateLimited { provider, message, retry_after_ms },
            503 | 529 => LlmError::Overloaded { provider, status, message, retry_after_ms },
            408 | 409 | 425 | 500.. => LlmError::Server { provider, status, message, retry_after_ms },
            _ if should_retry == Some(true) => {
                LlmError::Server { provider, status, message, retry_after_ms }
            }
            404 => LlmError::NotFound { provider, model: model.to_owned(), message },
            300..=399 => LlmError::BadRequest {
                provider,
                status,
                message: "the server sends us elsewhere, which fwai does not follow with a key; correct `provider.base_url`"
                    .into(),
            },
            _ => LlmError::BadRequest { provider, status, message },
        }
    }
}

fn status_of_kind(kind: &str) -> Option<u16> {
    Some(match kind {
        "overloaded_error" | "overloaded" | "engine_overloaded" => 529,
        "rate_limit_error"
        | "rate_limit_exceeded"
        | "requests"
        | "tokens"
        | "insufficient_quota"
        | "RESOURCE_EXHAUSTED" => 429,
        "invalid_request_error"
        | "invalid_prompt"
        | "invalid_value"
        | "INVALID_ARGUMENT"
        | "FAILED_PRECONDITION"
        | "context_length_exceeded" => 400,
        "authentication_error" | "invalid_api_key" | "UNAUTHENTICATED" => 401,
        "permission_error" | "PERMISSION_DENIED" => 403,
        "not_found_error" | "model_not_found" | "NOT_FOUND" => 404,
        "request_too_large" => 413,
        "timeout_error" | "DEADLINE_EXCEEDED" => 504,
        "UNAVAILABLE" | "server_is_overloaded" | "slow_down" => 503,
        "api_error" | "server_error" | "INTERNAL" => 500,
        _ => return None,
    })
}

fn is_context_overflow(status: u16, kind: &str, message: &str) -> bool {
    if matches!(
        kind,
        "context_length_exceeded" | "exceed_context_size_error" | "model_context_window_exceeded"
    ) {
        return true;
    }
    let message = message.to_ascii_lowercase();
    let phrases = [
        "prompt is too long",
        "maximum context length",
        "context length exceeded",
        "exceeds the available context",
        "exceed context limit",
        "input token count",
        "exceeds the context window",
        "input is too long",
    ];
    matches!(status, 400 | 413 | 500) && phrases.iter().any(|phrase| message.contains(phrase))
}

/// When to come back, from the headers that the servers use for it.
fn retry_after(headers: &[(String, String)]) -> Option<u64> {
    if let Some(ms) = header(headers, "retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok()) {
        return milliseconds(ms);
    }
    let text = header(headers, "retry-after")?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return milliseconds(seconds * 1000.0);
    }
    // A date is only a hint together with the server's own clock; ours may be wrong, and is not at hand.
    let then = httpdate::parse_http_date(text).ok()?;
    let now = httpdate::parse_http_date(header(headers, "date")?).ok()?;
    Some(then.duration_since(now).map_or(0, |wait| wait.as_millis() as u64))
}

fn milliseconds(value: f64) -> Option<u64> {
    (value.is_finite() && value >= 0.0).then_some(value.min(1e12) as u64)
}

/// `{"@type": "…RetryInfo", "retryDelay": "37s"}`
fn google_retry_delay(error: &Value) -> Option<u64> {
    error["details"].as_array()?.iter().find_map(|detail| duration(detail["retryDelay"].as_str()?))
}

/// `Please try again in 1.2s.`
fn delay_in_words(message: &str) -> Option<u64> {
    let rest = message.split_once("try again in ")?.1;
    duration(rest.split([' ', ',']).next()?.trim_end_matches('.'))
}

/// `6m0s`, `1.2s`, `250ms`.
fn duration(text: &str) -> Option<u64> {
    let (mut total, mut rest) = (0.0, text);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_end = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |at| digits + at);
        total += number
            * match &rest[digits..unit_end] {
                "ms" => 1.0,
                "s" => 1000.0,
                "m" => 60_000.0,
                "h" => 3_600_000.0,
                _ => return None,
            };
        rest = &rest[unit_end..];
    }
    if text.is_empty() { None } else { milliseconds(total) }
}

/// What a proxy's page of HTML, or any other body that is no JSON, has to say in one line.
fn text_of_page(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if text.trim_start().starts_with('<') {
        let lower = text.to_ascii_lowercase();
        let title = lower.find("<title>").and_then(|at| {
            let start = at + "<title>".len();
            text.get(start..start + lower[start..].find('<')?)
        });
        return format!("a web page instead of an answer: {}", one_line(title.unwrap_or("no title")));
    }
    if text.trim().is_empty() { "no explanation".into() } else { one_line(&text) }
}

/// `text` on one line, without control characters, cut to what a person reads.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        if out.len() + word.len() > 400 {
            out.extend(word.chars().take(400usize.saturating_sub(out.len())));
            out.push('…');
            break;
        }
        out.push_str(word);
    }
    out
}

/// The beginning of bytes that made no sense.
pub(crate) fn snippet(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).escape_default().collect();
    if bytes.len() > 60 { format!("`{text}…`") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests;
