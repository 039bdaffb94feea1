//! The world's side of the crate's traits: HTTP over reqwest, and natively the clock of tokio.
//!
//! Nothing else in the crate knows either of them; without the feature `reqwest` this file is absent.

use crate::{
    BoxFuture,
    http::{HttpRequest, HttpResponse, Method, Transport, TransportError},
};
use futures_util::StreamExt;
use std::{sync::OnceLock, time::Duration};

/// [`Transport`] over reqwest. Clients are made at the first request that needs them, since loading the
/// system's certificates costs more than a whole request to a local model.
pub struct ReqwestTransport {
    connect_timeout: Duration,
    clients: [OnceLock<Result<reqwest::Client, String>>; 3],
}

impl ReqwestTransport {
    pub fn new(connect_timeout: Duration) -> Self {
        Self { connect_timeout, clients: Default::default() }
    }

    fn client(&self, url: &reqwest::Url) -> Result<reqwest::Client, TransportError> {
        let kind = match url.scheme() {
            "https" => Kind::Secure,
            _ if is_loopback(url) => Kind::Loopback,
            _ => Kind::Plain,
        };
        self.clients[kind as usize]
            .get_or_init(|| build(kind, self.connect_timeout))
            .clone()
            .map_err(TransportError::Invalid)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `http` to this machine: no TLS, and never through a proxy.
    Loopback,
    Plain,
    Secure,
}

fn is_loopback(url: &reqwest::Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            let host = host.trim_start_matches('[').trim_end_matches(']');
            host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn build(kind: Kind, connect_timeout: Duration) -> Result<reqwest::Client, String> {
    let mut builder = reqwest::Client::builder()
        .connect_timeout(connect_timeout)
        // A redirect could carry the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .tcp_nodelay(true)
        .user_agent(concat!("fwai/", env!("CARGO_PKG_VERSION")));
    if kind == Kind::Secure {
        // A second call finds the provider of the first, which is the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    } else {
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        builder = builder.tls_backend_preconfigured(tls);
    }
    if kind == Kind::Loopback {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| chain(&error))
}

#[cfg(target_arch = "wasm32")]
fn build(_kind: Kind, _connect_timeout: Duration) -> Result<reqwest::Client, String> {
    reqwest::Client::builder().build().map_err(|error| chain(&error))
}

impl Transport for ReqwestTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, TransportError>> {
        let seconds = self.connect_timeout.as_secs();
        let prepared = self.prepare(request);
        Box::pin(async move {
            let response = prepared?.send().await.map_err(|error| send_error(&error, seconds))?;
            let status = response.status().as_u16();
            let headers = response
                .headers()
                .iter()
                .map(|(name, value)| {
                    (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
                })
                .collect();
            let body = response
                .bytes_stream()
                .map(|piece| piece.map_err(|error| TransportError::Broken(chain(&error))));
            Ok(HttpResponse { status, headers, body: Box::pin(body) })
        })
    }
}

impl ReqwestTransport {
    fn prepare(&self, request: HttpRequest) -> Result<reqwest::RequestBuilder, TransportError> {
        let url = reqwest::Url::parse(&request.url)
            .map_err(|error| TransportError::Invalid(format!("not an address: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TransportError::Invalid(format!("`{}` is neither http nor https", url.scheme())));
        }
        let client = self.client(&url)?;
        let mut builder = match request.method {
            Method::Get => client.get(url),
            Method::Post => client.post(url).body(request.body),
        };
        for (name, value) in &request.headers {
            builder = builder.header(name, header_value(name, value)?);
        }
        for (name, key) in &request.secret_headers {
            let mut value = header_value(name, key.expose())?;
            value.set_sensitive(true);
            builder = builder.header(name, value);
        }
        Ok(builder)
    }
}

fn header_value(name: &str, value: &str) -> Result<reqwest::header::HeaderValue, TransportError> {
    reqwest::header::HeaderName::from_bytes(name.as_bytes())
        .ok()
        .and_then(|_| value.parse().ok())
        .ok_or_else(|| TransportError::Invalid(format!("header `{name}` cannot be sent as configured")))
}

#[cfg(not(target_arch = "wasm32"))]
fn send_error(error: &reqwest::Error, connect_seconds: u64) -> TransportError {
    if error.is_connect() && error.is_timeout() {
        TransportError::ConnectTimeout { seconds: connect_seconds }
    } else if error.is_connect() {
        TransportError::Connect(chain(error))
    } else {
        TransportError::Broken(chain(error))
    }
}

#[cfg(target_arch = "wasm32")]
fn send_error(error: &reqwest::Error, _connect_seconds: u64) -> TransportError {
    TransportError::Connect(chain(error))
}

/// The innermost cause; reqwest's outer layers only repeat the address.
fn chain(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// [`crate::Clock`] of a tokio runtime.
#[cfg(not(target_arch = "wasm32"))]
pub struct TokioClock;

#[cfg(not(target_arch = "wasm32"))]
impl crate::Clock for TokioClock {
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn jitter(&self) -> f64 {
        fastrand::f64()
    }
}
