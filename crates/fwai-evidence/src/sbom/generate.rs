//! From an image to its SBOM.

use std::path::{Path, PathBuf};

use fwai_schema::evidence::EvidenceSbom;
use regex::Regex;
use serde_json::Value;

use super::{
    attribute::{Identity, Share, attribute},
    component_rules::rules,
    cyclonedx::{Bom, Component, Tool, cyclonedx},
    digest::{self, Digests},
    licence,
    linked::{Linked, linked},
    manifests::encode,
    map_members::members,
    version,
};

/// What an SBOM is made from.
#[derive(Debug, Clone)]
pub struct SbomInput<'a> {
    pub elf: &'a Path,
    /// The linker's map; shows archive members without debug information.
    pub map: Option<&'a Path>,
    /// The project's root.
    pub project: &'a Path,
    pub name: &'a str,
    pub version: Option<&'a str>,
    /// The model that took part, if any.
    pub model: Option<ModelRef>,
    pub fwai_version: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRef {
    pub provider: String,
    pub name: String,
}

/// Why there is no SBOM.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum SbomError {
    #[error("{path}: {source}; build first, or name an ELF file")]
    Read { path: String, source: std::io::Error },
    #[error("{path}: not an image that can be read: {reason}; name the ELF file that the linker wrote")]
    Image { path: String, reason: String },
}

/// The SBOM of an image, as CycloneDX 1.6. The same input gives the same bytes.
pub fn generate(input: &SbomInput<'_>) -> Result<Value, SbomError> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|source| SbomError::Read { path: path.display().to_string(), source })
    };
    let image = read(input.elf)?;
    let linked = linked(&image)
        .map_err(|reason| SbomError::Image { path: input.elf.display().to_string(), reason })?;
    let members = match input.map {
        Some(path) => members(&String::from_utf8_lossy(&read(path)?)),
        None => Vec::new(),
    };
    let project = input.project.canonicalize().unwrap_or_else(|_| input.project.to_owned());
    let shares = attribute(&project, &linked, &members);
    let tools = toolchain(&linked);
    let compiler = tools.iter().find(|tool| tool.name == "GCC").and_then(|tool| tool.version.clone());
    let mut components: Vec<Component> = shares
        .iter()
        .map(|(identity, share)| component(input, identity, share, &linked, compiler.as_deref()))
        .collect();
    if components.is_empty() {
        components.push(unattributed(&linked, &image));
    }
    components.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(cyclonedx(&Bom {
        name: input.name,
        version: input.version,
        fwai_version: input.fwai_version,
        image: digest::of_bytes(&image),
        image_name: input.elf.file_name().and_then(|name| name.to_str()).unwrap_or("firmware.elf"),
        components,
        tools,
        model: input.model.clone(),
    }))
}

/// How a record of a run names an SBOM that was written to `path`.
pub fn summary(bom: &Value, text: &[u8], path: &str) -> EvidenceSbom {
    let components = bom["components"].as_array().into_iter().flatten().map(|component| {
        let name = component["name"].as_str().unwrap_or_default();
        component["version"].as_str().map_or_else(|| name.to_owned(), |version| format!("{name} {version}"))
    });
    EvidenceSbom {
        format: "cyclonedx".into(),
        version: "1.6".into(),
        path: path.into(),
        sha256: digest::of_bytes(text).sha256,
        components: components.collect(),
    }
}

/// An image without debug information or map still has its bytes.
fn unattributed(linked: &Linked, image: &[u8]) -> Component {
    let code = linked.all_code();
    let digests = digest::of_bytes(if code.is_empty() { image } else { &code });
    Component {
        name: "unattributed code".into(),
        is_unknown: true,
        digests: Some(digests),
        hash_of: "linked-code",
        bytes: code.len() as u64,
        ..Component::default()
    }
}

fn component(
    input: &SbomInput<'_>,
    identity: &Identity,
    share: &Share,
    linked: &Linked,
    compiler: Option<&str>,
) -> Component {
    let (digests, hash_of) = digests(share, linked);
    let mut component = Component {
        digests,
        hash_of,
        bytes: share.bytes,
        declared_in: share.declared.as_ref().map(|declared| declared.source),
        package: share.declared.as_ref().and_then(|declared| declared.package.clone()),
        files: share.sources.keys().chain(share.archives.keys()).cloned().collect(),
        ..Component::default()
    };
    let on_disk = || share.sources.values().flatten().map(PathBuf::as_path);
    let found_licence = licence::of_sources(on_disk()).or_else(|| {
        share.root.as_deref().filter(|root| *root != input.project).and_then(licence::of_directory)
    });
    match identity {
        Identity::Own => {
            component.name = input.name.to_owned();
            component.version = input.version.map(str::to_owned);
            component.is_own = true;
            component.licence = found_licence.or_else(|| licence::of_directory(input.project));
        }
        Identity::Rule(index) => {
            let rule = &rules()[*index];
            component.name = rule.name.clone();
            component.supplier = rule.supplier.clone();
            component.version = match rule.version_of.as_deref() {
                Some(_) => compiler.map(str::to_owned),
                None => share
                    .root
                    .as_deref()
                    .and_then(|root| version::find(root, &rule.versions))
                    .or_else(|| {
                        share.archives.values().find_map(|archive| beside_archive(archive, &rule.versions))
                    })
                    .or_else(|| share.declared.as_ref().and_then(|declared| declared.version.clone())),
            };
            component.licence = found_licence.or_else(|| rule.licence.clone());
            component.purl = rule.purl.as_ref().map(|purl| fill(purl, component.version.as_deref()));
        }
        Identity::Declared(name, _) => {
            component.name = name.clone();
            if let Some(declared) = &share.declared {
                component.version = declared.version.clone();
                component.purl = declared.purl.clone();
                component.licence = found_licence.or_else(|| declared.licence.clone());
            }
        }
        Identity::Unknown(name) => {
            component.name = name.clone();
            component.is_unknown = true;
            component.licence = found_licence;
            let hash =
                component.digests.as_ref().map(|digests| format!("?checksum=sha256:{}", digests.sha256));
            let short = name.rsplit('/').next().unwrap_or(name);
            component.purl = Some(format!("pkg:generic/{}{}", encode(short), hash.unwrap_or_default()));
        }
    }
    component
}

/// Headers of a toolchain's library lie in an `include` directory above the archive.
fn beside_archive(archive: &Path, places: &[super::component_rules::VersionPlace]) -> Option<String> {
    archive.ancestors().skip(1).take(9).find_map(|above| {
        ["include", "include/newlib", "arm-none-eabi/include", "riscv64-unknown-elf/include"].iter().find_map(
            |folder| {
                let directory = above.join(folder);
                let entries = std::fs::read_dir(&directory).ok()?;
                let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
                files.sort();
                places.iter().find_map(|place| {
                    files
                        .iter()
                        .filter(|file| {
                            file.file_name()
                                .and_then(|name| name.to_str())
                                .is_some_and(|name| place.file.is_match(name))
                        })
                        .find_map(|file| version::read(file, place))
                })
            },
        )
    })
}

fn fill(purl: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => purl.replace("{version}", &encode(version)),
        None => {
            let fragment =
                purl.split_once('#').map(|(_, fragment)| format!("#{fragment}")).unwrap_or_default();
            let name = purl.split(['@', '#']).next().unwrap_or(purl);
            format!("{name}{fragment}")
        }
    }
}

fn digests(share: &Share, linked: &Linked) -> (Option<Digests>, &'static str) {
    let archives: Vec<(String, &Path)> =
        share.archives.iter().map(|(name, path)| (name.clone(), path.as_path())).collect();
    if let Some(digests) = digest::of_files(&archives) {
        return (Some(digests), "archives");
    }
    let sources: Option<Vec<(String, &Path)>> =
        share.sources.iter().map(|(name, path)| Some((name.clone(), path.as_deref()?))).collect();
    if let Some(digests) = sources.and_then(|sources| digest::of_files(&sources)) {
        return (Some(digests), "linked-sources");
    }
    let mut ranges = share.ranges.clone();
    ranges.sort_unstable();
    let code = linked.code(&ranges);
    ((!code.is_empty()).then(|| digest::of_bytes(&code)), "linked-code")
}

/// The compilers and assemblers that made the linked units.
fn toolchain(linked: &Linked) -> Vec<Tool> {
    let known = [
        ("GCC", r"GNU (?:C|C\+\+|Fortran|D)\S* ([0-9]+\.[0-9]+\.[0-9]+)", "pkg:generic/gcc"),
        ("GNU assembler", r"GNU AS ([0-9]+(?:\.[0-9]+)+)", "pkg:generic/binutils"),
        ("rustc", r"rustc version ([0-9]+\.[0-9]+\.[0-9]+\S*)", "pkg:github/rust-lang/rust"),
        ("Clang", r"clang version ([0-9]+\.[0-9]+\.[0-9]+)", "pkg:generic/clang"),
    ];
    let mut tools = Vec::new();
    for (name, pattern, purl) in known {
        let pattern = Regex::new(pattern).expect("a constant pattern");
        let mut versions: Vec<String> = linked
            .producers
            .iter()
            .filter_map(|producer| {
                Some(pattern.captures(producer)?.get(1)?.as_str().trim_end_matches(')').to_owned())
            })
            .collect();
        versions.sort();
        versions.dedup();
        tools.extend(versions.into_iter().map(|version| Tool {
            name: name.into(),
            purl: format!("{purl}@{}", encode(&version)),
            version: Some(version),
        }));
    }
    tools
}
