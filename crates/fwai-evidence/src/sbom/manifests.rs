//! What the project itself says about foreign code: git submodules, west.yml, PlatformIO libraries,
//! ESP components and crates.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use fwai_schema::document::Document;
use serde_json::Value;

/// Foreign code with the place where the project declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declared {
    /// Absolute directory.
    pub root: PathBuf,
    pub name: String,
    pub version: Option<String>,
    pub purl: Option<String>,
    pub licence: Option<String>,
    /// `.gitmodules`, `west.yml`…
    pub source: &'static str,
    /// The package as it was fetched, where a lock file states its digest.
    pub package: Option<Package>,
}

/// A package by address and digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    pub url: String,
    pub sha256: String,
}

/// What manifests and lock files of a project say.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    pub declared: Vec<Declared>,
    /// Checksums of `Cargo.lock`, by name and version.
    crates: BTreeMap<(String, String), String>,
}

impl Manifests {
    /// Everything declared in or beside `root`.
    pub fn of(root: &Path) -> Self {
        Self { declared: declared(root), crates: crate_checksums(root) }
    }

    /// The crate of a source path, with the checksum of the lock file.
    pub fn crate_of(&self, path: &str) -> Option<Declared> {
        let mut found = crate_of(path)?;
        let key = (found.name.clone(), found.version.clone().unwrap_or_default());
        found.package = self.crates.get(&key).map(|sha256| Package {
            url: format!("https://crates.io/api/v1/crates/{}/{}/download", encode(&key.0), encode(&key.1)),
            sha256: sha256.clone(),
        });
        Some(found)
    }
}

/// Checksums in the project's `Cargo.lock`, or in that of the workspace above it.
fn crate_checksums(root: &Path) -> BTreeMap<(String, String), String> {
    #[derive(serde::Deserialize)]
    struct Lock {
        #[serde(default)]
        package: Vec<LockedCrate>,
    }
    #[derive(serde::Deserialize)]
    struct LockedCrate {
        name: String,
        version: String,
        checksum: Option<String>,
    }
    let lock = root.ancestors().take(3).find_map(|above| {
        let text = std::fs::read_to_string(above.join("Cargo.lock")).ok()?;
        toml::from_str::<Lock>(&text).ok()
    });
    let crates = lock.into_iter().flat_map(|lock| lock.package);
    crates
        .filter_map(|one| {
            Some(((one.name, one.version), one.checksum.filter(|checksum| is_sha256(checksum))?))
        })
        .collect()
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn declared(root: &Path) -> Vec<Declared> {
    let mut all = submodules(root);
    all.extend(west(root));
    all.extend(platformio(root));
    all.extend(esp_components(root));
    all
}

fn submodules(root: &Path) -> Vec<Declared> {
    let Ok(text) = std::fs::read_to_string(root.join(".gitmodules")) else { return Vec::new() };
    let mut found = Vec::new();
    for section in text.split("[submodule").skip(1) {
        let value = |key: &str| {
            section.lines().find_map(|line| {
                let (name, value) = line.split_once('=')?;
                (name.trim() == key).then(|| value.trim().to_owned())
            })
        };
        let Some(path) = value("path") else { continue };
        let directory = root.join(&path);
        let commit = checked_out_commit(&directory);
        let url = value("url").unwrap_or_default();
        found.push(Declared {
            name: path.rsplit('/').next().unwrap_or(&path).to_owned(),
            purl: Some(purl_of_git(&url, &path, commit.as_deref())),
            version: commit,
            licence: None,
            root: directory,
            source: ".gitmodules",
            package: None,
        });
    }
    found
}

/// The commit of a checked-out submodule, read from its git directory.
fn checked_out_commit(directory: &Path) -> Option<String> {
    let link = directory.join(".git");
    let git = match std::fs::read_to_string(&link) {
        Ok(text) => directory.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => link,
    };
    let head = std::fs::read_to_string(git.join("HEAD")).ok()?;
    match head.trim().strip_prefix("ref: ") {
        None => Some(head.trim().to_owned()),
        Some(name) => std::fs::read_to_string(git.join(name)).ok().map(|commit| commit.trim().to_owned()),
    }
}

/// `https://github.com/a/b.git` → `pkg:github/a/b@version`.
fn purl_of_git(url: &str, path: &str, version: Option<&str>) -> String {
    let at = version.map(|version| format!("@{}", encode(version))).unwrap_or_default();
    let hosted = url
        .split_once("github.com")
        .map(|(_, rest)| rest.trim_start_matches([':', '/']).trim_end_matches(".git"));
    match hosted.and_then(|rest| rest.split_once('/')) {
        Some((owner, name)) => {
            format!("pkg:github/{}/{}{at}", encode(&owner.to_lowercase()), encode(&name.to_lowercase()))
        }
        None => format!("pkg:generic/{}{at}", encode(path.rsplit('/').next().unwrap_or(path))),
    }
}

/// Percent-encodes one part of a package URL.
pub(super) fn encode(part: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    part.bytes()
        .map(|byte| if plain(&byte) { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Projects of the west manifest; the workspace is the project or the directory above.
fn west(root: &Path) -> Vec<Declared> {
    let mut found = Vec::new();
    let above = root.parent().unwrap_or(root);
    let files = [
        (root.join("west.yml"), above),
        (root.join("west.yml"), root),
        (above.join("zephyr/west.yml"), above),
    ];
    for (file, top) in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let Ok(document) = Document::parse("west.yml", &text) else { continue };
        let manifest = document.root.to_json();
        let manifest = &manifest["manifest"];
        let text_of = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let remote_base = |name: &str| {
            let remotes = manifest["remotes"].as_array()?;
            remotes
                .iter()
                .find(|remote| remote["name"] == name)
                .and_then(|remote| text_of(&remote["url-base"]))
        };
        for project in manifest["projects"].as_array().into_iter().flatten() {
            let Some(name) = text_of(&project["name"]) else { continue };
            let path = text_of(&project["path"]).unwrap_or_else(|| name.clone());
            let revision =
                text_of(&project["revision"]).or_else(|| text_of(&manifest["defaults"]["revision"]));
            let remote = text_of(&project["remote"]).or_else(|| text_of(&manifest["defaults"]["remote"]));
            let repository = text_of(&project["repo-path"]).unwrap_or_else(|| name.clone());
            let url = text_of(&project["url"])
                .or_else(|| Some(format!("{}/{repository}", remote_base(&remote?)?)))
                .unwrap_or_default();
            found.push(Declared {
                root: top.join(&path),
                purl: Some(purl_of_git(&url, &path, revision.as_deref())),
                name,
                version: revision,
                licence: None,
                source: "west.yml",
                package: None,
            });
        }
    }
    found
}

fn platformio(root: &Path) -> Vec<Declared> {
    let mut found = Vec::new();
    for environment in directories(&root.join(".pio/libdeps")) {
        for library in directories(&environment) {
            found.extend(platformio_library(&library));
        }
    }
    for library in directories(&root.join("lib")) {
        found.extend(platformio_library(&library));
    }
    found
}

fn platformio_library(directory: &Path) -> Option<Declared> {
    let json = |name: &str| -> Option<Value> {
        serde_json::from_str(&std::fs::read_to_string(directory.join(name)).ok()?).ok()
    };
    let package = json(".piopm").unwrap_or_default();
    let library = json("library.json").unwrap_or_default();
    let properties = std::fs::read_to_string(directory.join("library.properties")).unwrap_or_default();
    let property = |key: &str| {
        properties.lines().find_map(|line| {
            line.split_once('=')
                .filter(|(name, _)| name.trim() == key)
                .map(|(_, value)| value.trim().to_owned())
        })
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let name = text(&package["name"]).or_else(|| text(&library["name"])).or_else(|| property("name"))?;
    let version =
        text(&package["version"]).or_else(|| text(&library["version"])).or_else(|| property("version"));
    let owner =
        text(&package["spec"]["owner"]).map(|owner| format!("{}/", encode(&owner))).unwrap_or_default();
    let at = version.as_deref().map(|version| format!("@{}", encode(version))).unwrap_or_default();
    Some(Declared {
        root: directory.to_owned(),
        purl: Some(format!("pkg:generic/platformio/{owner}{}{at}", encode(&name))),
        licence: text(&library["license"]).or_else(|| property("license")),
        name,
        version,
        source: "platformio",
        package: None,
    })
}

/// Managed components of ESP-IDF. Their own manifest names version and licence, `dependencies.lock` the digest.
fn esp_components(root: &Path) -> Vec<Declared> {
    let read = |path: PathBuf| -> Option<Value> {
        let text = std::fs::read_to_string(&path).ok()?;
        Some(Document::parse("yml", &text).ok()?.root.to_json())
    };
    let locked = read(root.join("dependencies.lock")).unwrap_or_default();
    let component = |directory: PathBuf| {
        let folder = directory.file_name()?.to_str()?.to_owned();
        let name = folder.replacen("__", "/", 1);
        let lock = &locked["dependencies"][&name];
        let manifest = read(directory.join("idf_component.yml")).unwrap_or_default();
        // Versions such as 1.10 are numbers to YAML; the lock quotes them or has three parts.
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let version = text(&lock["version"]).or_else(|| text(&manifest["version"]));
        if version.is_none() && manifest.is_null() {
            return None;
        }
        let at = version.as_deref().map(|version| format!("@{}", encode(version))).unwrap_or_default();
        let encoded: Vec<String> = name.split('/').map(encode).collect();
        let encoded = encoded.join("/");
        let sha256 = text(&lock["component_hash"]).filter(|hash| is_sha256(hash));
        let registry = text(&lock["source"]["registry_url"])
            .unwrap_or_else(|| "https://components.espressif.com/".to_owned());
        let registry = registry.trim_end_matches('/');
        Some(Declared {
            root: directory,
            purl: Some(format!("pkg:generic/espressif-component/{encoded}{at}")),
            licence: text(&manifest["license"]),
            package: sha256.map(|sha256| Package { url: format!("{registry}/components/{encoded}"), sha256 }),
            name,
            version,
            source: "idf_component.yml",
        })
    };
    directories(&root.join("managed_components")).into_iter().filter_map(component).collect()
}

fn directories(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(of) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// The crate of a source path: `…/registry/src/INDEX/name-1.2.3/src/lib.rs`.
fn crate_of(path: &str) -> Option<Declared> {
    if let Some(at) = path.find("/registry/src/") {
        let mut rest = path[at + "/registry/src/".len()..].splitn(3, '/');
        let (index, folder) = (rest.next()?, rest.next()?);
        let split = folder
            .match_indices('-')
            .find(|(at, _)| folder[at + 1..].starts_with(|c: char| c.is_ascii_digit()))?
            .0;
        let (name, version) = (&folder[..split], &folder[split + 1..]);
        let root = PathBuf::from(format!("{}/registry/src/{index}/{folder}", &path[..at]));
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
        let licence = manifest.lines().find_map(|line| {
            let value = line.strip_prefix("license")?.trim_start().strip_prefix('=')?.trim();
            Some(value.trim_matches('"').replace('/', " OR "))
        });
        return Some(Declared {
            root,
            name: name.into(),
            version: Some(version.into()),
            purl: Some(format!("pkg:cargo/{}@{}", encode(name), encode(version))),
            licence,
            source: "Cargo.lock",
            package: None,
        });
    }
    let at = path.find("/rustc/")?;
    let commit = path[at + "/rustc/".len()..].split('/').next()?;
    path.contains("/library/").then(|| Declared {
        root: PathBuf::from(format!("{}/rustc/{commit}/library", &path[..at])),
        name: "rust-std".into(),
        version: Some(commit.into()),
        purl: Some(format!("pkg:github/rust-lang/rust@{commit}#library")),
        licence: Some("MIT OR Apache-2.0".into()),
        source: "rustc",
        package: None,
    })
}
