//! An organisation's policy that lies behind an address: fetched within bounds, kept with its hash and age
//! in the user's own directory, so that it holds without a network too.
//!
//! Only `https`, or `http` on this machine's loopback. What cannot be fetched, or is no policy, leaves the
//! last one in force; where there is none, nothing may be done.

use crate::{atomic, paths::Paths};
use fwai_schema::{
    document::read_str,
    families,
    policy::{NetworkPolicy, Policy},
};
use fwai_tools::web::client::{self, Bounds};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::PathBuf,
    time::{Duration, SystemTime},
};

/// A policy that was fetched this recently is not asked for again.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// No real policy is longer.
const MAX_BYTES: u64 = 1 << 20;
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// What is kept beside the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub url: String,
    pub sha256: String,
    /// Seconds since 1970.
    pub fetched: u64,
}

/// The policy behind an address, from the server or, where that cannot be had, from the last time.
pub fn policy(paths: &Paths, url: &str) -> Result<Policy, String> {
    let last = kept(paths, url);
    if let Some((kept, policy)) = &last
        && now().saturating_sub(kept.fetched) < FRESH.as_secs()
    {
        return Ok(policy.clone());
    }
    match fetch(url).and_then(|text| Ok((parse(url, &text)?, text))) {
        Ok((policy, text)) => {
            if let Err(error) = keep(paths, url, &text) {
                tracing::warn!("the organisation's policy holds, but cannot be kept for later: {error}");
            }
            Ok(policy)
        }
        Err(why) => match last {
            Some((kept, policy)) => {
                let age = now().saturating_sub(kept.fetched) / 60;
                tracing::warn!("the organisation's policy of {age} min ago holds: {why}");
                Ok(policy)
            }
            None => Err(format!(
                "{why}\n  next: go online once, or name a file in `org_policy.source`; no earlier copy is kept"
            )),
        },
    }
}

/// The copy of the last time, if it is whole.
pub fn kept(paths: &Paths, url: &str) -> Option<(Kept, Policy)> {
    let (text_file, about_file) = files(paths, url);
    let kept: Kept = serde_json::from_slice(&fs::read(about_file).ok()?).ok()?;
    let text = fs::read_to_string(text_file).ok()?;
    let whole = kept.url == url && kept.sha256 == hex::encode(Sha256::digest(&text));
    let policy = parse(url, &text).ok()?;
    whole.then_some((kept, policy))
}

fn keep(paths: &Paths, url: &str, text: &str) -> std::io::Result<()> {
    let (text_file, about_file) = files(paths, url);
    let kept = Kept { url: url.to_owned(), sha256: hex::encode(Sha256::digest(text)), fetched: now() };
    atomic::write(&text_file, text.as_bytes())?;
    atomic::write(&about_file, serde_json::to_string_pretty(&kept)?.as_bytes())
}

fn files(paths: &Paths, url: &str) -> (PathBuf, PathBuf) {
    let name = hex::encode(&Sha256::digest(url)[..8]);
    let directory = paths.user.join("org-policy");
    (directory.join(format!("{name}.yaml")), directory.join(format!("{name}.json")))
}

fn parse(url: &str, text: &str) -> Result<Policy, String> {
    let family = families::by_name("policy").expect("the list has it");
    read_str(url, text, family)
        .map(|(policy, _)| policy)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn fetch(url: &str) -> Result<String, String> {
    let network = NetworkPolicy { allow_private: true, ..NetworkPolicy::default() };
    let bounds = Bounds { network: &network, max_bytes: MAX_BYTES, timeout: TIME_LIMIT, tls_only: true };
    // A thread of its own: this one may belong to a runtime, which cannot wait for another.
    let page = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let accept = [("accept", "application/yaml, text/plain, */*".to_owned())];
            runtime.map_err(|error| error.to_string())?.block_on(client::get(url, &accept, &bounds))
        });
        work.join().unwrap_or_else(|_| Err("the fetch broke off".to_owned()))
    })?;
    if page.status != 200 {
        return Err(format!("{url} answers with status {}", page.status));
    }
    if page.cut {
        return Err(format!("{url} is longer than {} kB", MAX_BYTES >> 10));
    }
    String::from_utf8(page.body).map_err(|_| format!("{url} is not text"))
}

fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs()
}
