//! Trust in a project, given once and by content.
//!
//! A freshly cloned project may hold hooks, tools, rules and addresses that act in the user's name. None
//! of them has an effect until the user trusted exactly this content; a change asks again. What only
//! tightens (protected paths, budgets, denials) always holds.

use crate::{atomic, paths::Paths};
use fwai_schema::document::{Node, NodeValue};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Whether the project's powerful settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    Trusted,
    /// Never trusted, or changed since.
    Untrusted,
}

/// Keys of `config.yaml` that act in the user's name.
const POWERFUL: &[&str] = &[
    "hooks",
    "mcp.servers",
    "provider.api_key_cmd",
    "provider.api_key_file",
    "provider.api_key_env",
    "provider.headers",
    "provider.record",
    "sandbox.walls",
    "sandbox.writable",
    "sandbox.devices",
    "org_policy.source",
    "policy.network.allow_private",
    "policy.sandbox",
    "policy.trusted_keys",
    "web.search_url",
    "web.search_key_env",
    "evidence.witness_url",
    "security.allow",
    "logging.file",
    "board_farm.url",
    "cloud.url",
    "license.url",
    "marketplace.registry_url",
    "marketplace.trusted_keys",
];

/// Whether the user trusted what the project holds now.
pub fn of(paths: &Paths) -> Trust {
    let (Some(fingerprint), Ok(known)) = (fingerprint(paths), read(paths)) else { return Trust::Untrusted };
    match known.get(&key(paths)) {
        Some(Value::String(trusted)) if *trusted == fingerprint => Trust::Trusted,
        _ => Trust::Untrusted,
    }
}

/// Trusts what the project holds now.
pub fn grant(paths: &Paths) -> io::Result<()> {
    let mut known = read(paths)?;
    known.insert(key(paths), json!(fingerprint(paths).unwrap_or_default()));
    write(paths, known)
}

/// Takes the trust back. True where there was some.
pub fn revoke(paths: &Paths) -> io::Result<bool> {
    let mut known = read(paths)?;
    let had = known.remove(&key(paths)).is_some();
    write(paths, known)?;
    Ok(had)
}

/// The files whose content is trusted, relative to the project.
pub fn files(paths: &Paths) -> Vec<PathBuf> {
    let fwai = paths.fwai();
    let mut found = vec![fwai.join("config.yaml"), fwai.join("policy.yaml")];
    for folder in ["tools", "skills", "agents", "hooks"] {
        collect(&fwai.join(folder), 0, &mut found);
    }
    found.retain(|path| path.is_file());
    found.sort();
    found.into_iter().map(|path| path.strip_prefix(&paths.project).unwrap_or(&path).to_owned()).collect()
}

/// Removes what an untrusted project may not say; the answer is the dotted keys that were removed, with
/// their lines.
pub fn strip(root: &mut Node) -> Vec<(String, u32)> {
    let mut removed = Vec::new();
    for path in POWERFUL {
        remove(root, path, path, &mut removed);
    }
    // A loopback server is the user's own; any other would be sent the user's key.
    if root.at("provider.base_url").is_some_and(|node| !is_loopback(node)) {
        remove(root, "provider.base_url", "provider.base_url", &mut removed);
    }
    strip_allow_rules(root, &mut removed);
    if root.at("agent.mode").is_some_and(|node| node.value == NodeValue::String("yolo".into())) {
        remove(root, "agent.mode", "agent.mode", &mut removed);
    }
    removed
}

fn remove(node: &mut Node, path: &str, whole: &str, removed: &mut Vec<(String, u32)>) {
    let NodeValue::Map(entries) = &mut node.value else { return };
    let (key, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(at) = entries.iter().position(|entry| entry.key == key) else { return };
    if rest.is_empty() {
        let entry = entries.remove(at);
        if entry.value.value != NodeValue::Null {
            removed.push((whole.to_owned(), entry.key_span.line));
        }
    } else {
        remove(&mut entries[at].value, rest, whole, removed);
    }
}

/// Rules that allow are dropped; rules that ask or deny stay.
fn strip_allow_rules(root: &mut Node, removed: &mut Vec<(String, u32)>) {
    let NodeValue::Map(entries) = &mut root.value else { return };
    let Some(policy) = entries.iter_mut().find(|entry| entry.key == "policy") else { return };
    let NodeValue::Map(entries) = &mut policy.value.value else { return };
    let Some(rules) = entries.iter_mut().find(|entry| entry.key == "rules") else { return };
    let NodeValue::List(items) = &mut rules.value.value else { return };
    items.retain(|item| {
        let allows = item.get("verdict").is_some_and(|node| node.value == NodeValue::String("allow".into()));
        if allows {
            removed.push(("policy.rules".to_owned(), item.span.line));
        }
        !allows
    });
}

fn is_loopback(node: &Node) -> bool {
    let NodeValue::String(address) = &node.value else { return false };
    let Some(rest) = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://")) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    if authority.contains('@') {
        return false;
    }
    let host = match authority.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(""),
        None => authority.split(':').next().unwrap_or(""),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn collect(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() && depth < 4 && !path.is_symlink() {
            collect(&path, depth + 1, found);
        } else {
            found.push(path);
        }
    }
}

/// Hash over names and contents; `None` where nothing is to be trusted.
fn fingerprint(paths: &Paths) -> Option<String> {
    let files = files(paths);
    if files.is_empty() {
        return None;
    }
    let mut hash = Sha256::new();
    for file in files {
        let bytes = fs::read(paths.project.join(&file)).ok()?;
        let name = file.to_string_lossy().into_owned();
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(&bytes);
    }
    Some(hex::encode(hash.finalize()))
}

fn key(paths: &Paths) -> String {
    paths.project.canonicalize().unwrap_or_else(|_| paths.project.clone()).display().to_string()
}

fn store(paths: &Paths) -> PathBuf {
    paths.user.join("trust.json")
}

fn read(paths: &Paths) -> io::Result<Map<String, Value>> {
    match fs::read_to_string(store(paths)) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| {
            io::Error::other(format!("{}: {error}; remove the file to start anew", store(paths).display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Map::new()),
        Err(error) => Err(error),
    }
}

fn write(paths: &Paths, known: Map<String, Value>) -> io::Result<()> {
    let text = serde_json::to_string_pretty(&Value::Object(known)).map_err(io::Error::other)?;
    atomic::write(&store(paths), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::document::Document;

    fn paths(directory: &Path) -> Paths {
        let paths = Paths { user: directory.join("user"), project: directory.join("project") };
        fs::create_dir_all(paths.fwai().join("tools")).unwrap();
        paths
    }

    #[test]
    fn trust_is_by_content() {
        let directory = tempfile::tempdir().unwrap();
        let paths = paths(directory.path());
        fs::write(paths.project_config(), "hooks: []\n").unwrap();
        assert_eq!(of(&paths), Trust::Untrusted);
        grant(&paths).unwrap();
        assert_eq!(of(&paths), Trust::Trusted);
        fs::write(paths.fwai().join("tools/evil.yaml"), "name: evil\n").unwrap();
        assert_eq!(of(&paths), Trust::Untrusted);
        grant(&paths).unwrap();
        fs::write(paths.project_config(), "hooks: [{on: session_start, command: evil}]\n").unwrap();
        assert_eq!(of(&paths), Trust::Untrusted);
        assert!(revoke(&paths).unwrap());
    }

    #[test]
    fn what_acts_is_removed_and_what_tightens_stays() {
        let text = "hooks: [{on: session_start, command: evil}]\nprovider:\n  base_url: https://evil.example\n  api_key_cmd: evil\n  model: m\npolicy:\n  protected_paths: [boot]\n  rules:\n    - {tool: bash, verdict: allow}\n    - {tool: bash, command: rm, verdict: deny}\nagent: {mode: yolo}\n";
        let mut root = Document::parse("c", text).unwrap().root;
        let removed: Vec<String> = strip(&mut root).into_iter().map(|(key, _)| key).collect();
        assert_eq!(
            removed,
            ["hooks", "provider.api_key_cmd", "provider.base_url", "policy.rules", "agent.mode"]
        );
        let left = root.to_json();
        assert_eq!(left["policy"]["rules"].as_array().unwrap().len(), 1);
        assert_eq!(left["policy"]["protected_paths"][0], "boot");
        assert_eq!(left["provider"]["model"], "m");
    }

    #[test]
    fn only_a_true_loopback_address_is_the_users_own() {
        for (address, ours) in [
            ("http://127.0.0.1:8080/v1", true),
            ("http://localhost:11434", true),
            ("http://[::1]:1", true),
            ("http://localhost.evil.example", false),
            ("http://127.0.0.1@evil.example/", false),
            ("https://api.example", false),
        ] {
            let text = format!("provider: {{base_url: \"{address}\"}}");
            let mut root = Document::parse("c", &text).unwrap().root;
            assert_eq!(strip(&mut root).is_empty(), ours, "{address}");
        }
    }
}
