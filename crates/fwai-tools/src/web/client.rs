//! A bounded HTTP fetch that cannot be talked into the local network.
//!
//! Names are resolved here, every address is checked, and the connection goes to the address that was
//! checked, so that a second look-up cannot lead elsewhere. Redirects are followed by hand, each checked
//! like the first address.

use futures_util::StreamExt;
use fwai_policy::hosts;
use fwai_schema::policy::NetworkPolicy;
use reqwest::{Client, Url, header, redirect::Policy};
use std::{net::SocketAddr, time::Duration};

const MOST_REDIRECTS: usize = 5;

/// What a server answered.
pub struct Page {
    pub url: String,
    pub status: u16,
    pub content_type: String,
    pub body: Vec<u8>,
    /// The body was longer.
    pub cut: bool,
}

/// Limits of one fetch.
pub struct Bounds<'a> {
    pub network: &'a NetworkPolicy,
    pub max_bytes: u64,
    pub timeout: Duration,
    /// Only `https`, and `http` to this machine itself; redirects too.
    pub tls_only: bool,
}

/// Fetches an address within its bounds.
pub async fn get(
    address: &str,
    headers: &[(&'static str, String)],
    bounds: &Bounds<'_>,
) -> Result<Page, String> {
    match tokio::time::timeout(bounds.timeout, follow(address, headers, bounds)).await {
        Ok(page) => page,
        Err(_) => Err(format!("{address}: no whole answer within {} s", bounds.timeout.as_secs())),
    }
}

async fn follow(
    address: &str,
    headers: &[(&'static str, String)],
    bounds: &Bounds<'_>,
) -> Result<Page, String> {
    let mut url = Url::parse(address).map_err(|error| format!("{address} is no address: {error}"))?;
    let first = url.clone();
    for _ in 0..=MOST_REDIRECTS {
        let client = client_for(&url, bounds).await?;
        let mut request = client.get(url.clone());
        // Keys are for the service that the user chose, not for where it leads.
        let same_host = url.host_str() == first.host_str() && url.scheme() == first.scheme();
        for (name, value) in headers.iter().filter(|_| same_host) {
            request = request.header(*name, value);
        }
        let response = request.send().await.map_err(|error| format!("{url}: {}", root_cause(&error)))?;
        let next = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
        if let Some(next) = next.filter(|_| response.status().is_redirection()) {
            url = url.join(next).map_err(|error| format!("{url} leads nowhere: {error}"))?;
            continue;
        }
        return read(response, bounds.max_bytes).await;
    }
    Err(format!("{address} was redirected more than {MOST_REDIRECTS} times"))
}

async fn client_for(url: &Url, bounds: &Bounds<'_>) -> Result<Client, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{url}: only http and https can be fetched"));
    }
    let on_this_machine = match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        _ => false,
    };
    if bounds.tls_only && url.scheme() != "https" && !on_this_machine {
        return Err(format!("{url}: only https is accepted here"));
    }
    let host = hosts::check(bounds.network, url.as_str()).map_err(|refusal| refusal.to_string())?;
    let port = url.port_or_known_default().unwrap_or(443);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let addresses: Vec<SocketAddr> =
        tokio::net::lookup_host((bare, port)).await.map_err(|error| format!("{host}: {error}"))?.collect();
    let private = addresses.iter().find(|address| hosts::is_private_address(address.ip()));
    if let Some(private) = private.filter(|_| !bounds.network.allow_private) {
        return Err(format!(
            "{host} is {}, an address of the local network, which policy forbids",
            private.ip()
        ));
    }
    // A second call finds the provider of the first, which is the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .resolve_to_addrs(bare, &addresses)
        .user_agent(concat!("fwai/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| error.to_string())
}

async fn read(response: reqwest::Response, max_bytes: u64) -> Result<Page, String> {
    let url = response.url().to_string();
    let status = response.status().as_u16();
    let content_type =
        response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("").to_owned();
    let mut body = Vec::new();
    let mut cut = false;
    let mut stream = response.bytes_stream();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|error| format!("{url}: cut off: {}", root_cause(&error)))?;
        let room = (max_bytes as usize).saturating_sub(body.len());
        body.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() > room {
            cut = true;
            break;
        }
    }
    Ok(Page { url, status, content_type, body, cut })
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
