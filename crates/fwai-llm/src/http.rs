//! How HTTP reaches this crate: a request goes in, a status, headers and a stream of bytes come out.
//!
//! [`crate::native`] fills the trait with reqwest; a browser, a test or a proxy may fill it otherwise.

use crate::{ApiKey, BoxFuture, BoxStream, MaybeSend, MaybeSync};
use bytes::Bytes;
use std::fmt;
use thiserror::Error;

/// Carries requests to a server.
pub trait Transport: MaybeSend + MaybeSync {
    /// Resolves when the response's headers are there. Dropping the future or the body closes the
    /// connection at once, which is how a call is cancelled.
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, TransportError>>;
}

/// What is sent.
#[derive(Clone)]
pub struct HttpRequest {
    pub method: Method,
    pub url: String,
    pub headers: Vec<(String, String)>,
    /// Headers that hold a key; a transport must treat them as sensitive.
    pub secret_headers: Vec<(String, ApiKey)>,
    pub body: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

impl HttpRequest {
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: Vec::new(),
            secret_headers: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// A JSON body; nothing that fwai sends can fail to serialise, since all of it is plain data with
    /// string keys.
    pub fn post_json(url: impl Into<String>, body: &impl serde::Serialize) -> Self {
        // Most requests have a few tools and a conversation; growing to that by halves would copy it again and again.
        let mut bytes = Vec::with_capacity(64 << 10);
        let body = serde_json::to_writer(&mut bytes, body).map(|()| bytes).unwrap_or_default();
        Self {
            method: Method::Post,
            headers: vec![("content-type".into(), "application/json".into())],
            body: body.into(),
            ..Self::get(url)
        }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn secret_header(mut self, name: &str, value: ApiKey) -> Self {
        self.secret_headers.push((name.into(), value));
        self
    }
}

/// Without the body (which holds the conversation) and without any header value.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} ({} bytes)", self.method, self.url, self.body.len())
    }
}

/// What comes back.
pub struct HttpResponse {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: BoxStream<'static, Result<Bytes, TransportError>>,
}

impl HttpResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Why no answer, or not all of it, arrived.
#[derive(Debug, Clone, PartialEq, Eq, Error, fwai_schema::Speak)]
pub enum TransportError {
    /// No connection was made.
    #[error("{0}")]
    Connect(String),
    #[error("no connection within {seconds} s")]
    ConnectTimeout { seconds: u64 },
    /// The connection broke.
    #[error("{0}")]
    Broken(String),
    /// The request itself cannot be sent: no valid address, no valid header.
    #[error("{0}")]
    Invalid(String),
}
