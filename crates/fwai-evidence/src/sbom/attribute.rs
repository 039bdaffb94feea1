//! Gives every linked file to a component.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    component_rules::{ComponentRule, rules},
    linked::Linked,
    manifests::{Declared, Manifests},
    map_members::Member,
};

/// Folders in which projects keep code of others.
const VENDOR_FOLDERS: [&str; 15] = [
    "third_party",
    "thirdparty",
    "3rdparty",
    "vendor",
    "vendors",
    "external",
    "externals",
    "extern",
    "deps",
    "lib",
    "libs",
    "drivers",
    "middlewares",
    "modules",
    "components",
];

/// Who a component is, before versions, hashes and licences are looked up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    /// The project's own code.
    Own,
    /// Index into the rules.
    Rule(usize),
    /// Name and place of declaration.
    Declared(String, PathBuf),
    /// Foreign, but nothing says what.
    Unknown(String),
}

/// The files of one component.
#[derive(Debug, Default)]
pub(super) struct Share {
    pub root: Option<PathBuf>,
    pub declared: Option<Declared>,
    /// Shown name → path on disk, where the file is there.
    pub sources: BTreeMap<String, Option<PathBuf>>,
    pub archives: BTreeMap<String, PathBuf>,
    pub ranges: Vec<(u64, u64)>,
    pub bytes: u64,
}

pub(super) fn attribute(project: &Path, linked: &Linked, members: &[Member]) -> BTreeMap<Identity, Share> {
    let manifests = Manifests::of(project);
    let mut shares: BTreeMap<Identity, Share> = BTreeMap::new();
    for (path, ranges) in &linked.sources {
        let on_disk = [PathBuf::from(path), project.join(path)].into_iter().find(|path| path.is_file());
        // Compiled with a mapped prefix, or from inside the project.
        let place = on_disk.clone().unwrap_or_else(|| PathBuf::from(path));
        let inside = place.strip_prefix(project).ok().map(|path| format!("/{}", path.display()));
        let seen = inside.clone().unwrap_or_else(|| place.display().to_string());
        let (identity, root, manifest) =
            identify(project, &seen, &place, inside.is_some() || !place.is_absolute(), &manifests);
        let share = shares.entry(identity).or_default();
        share.root = share.root.take().or(root);
        share.declared = share.declared.take().or(manifest);
        let shown = inside.map(|path| path.trim_start_matches('/').to_owned()).unwrap_or(seen);
        share.sources.insert(shown, on_disk);
        share.ranges.extend(ranges);
        share.bytes += ranges.iter().map(|(start, end)| end - start).sum::<u64>();
    }
    add_archives(project, linked, members, &mut shares);
    shares
}

type Found = (Identity, Option<PathBuf>, Option<Declared>);

fn identify(project: &Path, seen: &str, place: &Path, is_inside: bool, manifests: &Manifests) -> Found {
    if let Some(found) = manifests.crate_of(&place.to_string_lossy()) {
        return (
            Identity::Declared(found.name.clone(), found.root.clone()),
            Some(found.root.clone()),
            Some(found),
        );
    }
    let manifest = manifests
        .declared
        .iter()
        .filter(|declared| place.starts_with(&declared.root))
        .max_by_key(|declared| declared.root.as_os_str().len())
        .cloned();
    for (index, rule) in rules().iter().enumerate() {
        if let Some(end) = rule.paths.iter().find_map(|pattern| pattern.find(seen).map(|found| found.end())) {
            let root = rule_root(rule, &seen[..end]);
            let root =
                if is_inside { project.join(root.trim_start_matches('/')) } else { PathBuf::from(root) };
            return (Identity::Rule(index), Some(root), manifest);
        }
    }
    if let Some(found) = manifest {
        return (
            Identity::Declared(found.name.clone(), found.root.clone()),
            Some(found.root.clone()),
            Some(found),
        );
    }
    if is_inside {
        let parts: Vec<&str> = seen.trim_start_matches('/').split('/').collect();
        let vendor =
            parts.iter().position(|part| VENDOR_FOLDERS.contains(&part.to_ascii_lowercase().as_str()));
        // A folder inside a vendor folder; a file directly in `lib/` may well be the project's own.
        if let Some(at) = vendor.filter(|at| at + 2 < parts.len()) {
            let root = project.join(parts[..=at + 1].join("/"));
            return (Identity::Unknown(parts[at + 1].to_owned()), Some(root), None);
        }
        return (Identity::Own, None, None);
    }
    let folder = place.parent().unwrap_or(place);
    (Identity::Unknown(folder.display().to_string()), Some(folder.to_owned()), None)
}

fn rule_root(rule: &ComponentRule, matched: &str) -> String {
    let mut root = matched.trim_end_matches('/');
    for _ in 0..rule.root_up {
        root = root.rsplit_once('/').map_or(root, |(above, _)| above);
    }
    root.to_owned()
}

/// Libraries without debug information, and objects of which DWARF knows nothing.
fn add_archives(project: &Path, linked: &Linked, members: &[Member], shares: &mut BTreeMap<Identity, Share>) {
    let stem =
        |path: &str| path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or_default().to_owned();
    let known: std::collections::BTreeSet<String> = linked.sources.keys().map(|path| stem(path)).collect();
    for member in members {
        let file = member.archive.as_deref().unwrap_or(&member.object);
        let name = file.rsplit('/').next().unwrap_or(file);
        let rule = rules().iter().position(|rule| rule.archives.iter().any(|pattern| pattern.is_match(name)));
        let identity = match rule {
            Some(rule) => Identity::Rule(rule),
            None if known.contains(&stem(&member.object)) => continue,
            None => Identity::Unknown(name.to_owned()),
        };
        let place = [PathBuf::from(file), project.join(file), project.join("build").join(file)]
            .into_iter()
            .find(|path| path.is_file());
        let share = shares.entry(identity).or_default();
        share.bytes += member.bytes;
        match place {
            Some(path) => {
                let path = path.canonicalize().unwrap_or(path);
                share.archives.insert(name.to_owned(), path);
            }
            None => {
                share.sources.entry(file.to_owned()).or_insert(None);
            }
        }
    }
}
