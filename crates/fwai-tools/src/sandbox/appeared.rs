//! Protected paths that a command made although no mount could forbid it: a glob such as `**/*.pem` names
//! no path that could be covered beforehand, and a repository with programs in its settings can be put
//! anywhere. They are looked for when the command ends and taken away.

use super::{
    hard_links::{Survey, SurveyCache},
    left_repositories,
    placeholders::Placeholder,
};
use fwai_policy::protect::Protection;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// What was there before the command ran.
#[derive(Debug)]
pub struct Watch {
    root: PathBuf,
    protection: Protection,
    with_globs: bool,
    before: HashSet<PathBuf>,
    cache: Option<Arc<SurveyCache>>,
}

impl Watch {
    /// `with_globs` where some of the user's globs name no single path.
    pub fn new(root: &Path, protection: Protection, with_globs: bool, found: &Survey) -> Self {
        let mut before: HashSet<PathBuf> = found.protected.iter().chain(&found.nested).cloned().collect();
        before.extend(found.bare.iter().flat_map(|path| left_repositories::programs_in(path)));
        Self { root: root.to_owned(), protection, with_globs, before, cache: None }
    }

    pub fn with(mut self, cache: Arc<SurveyCache>) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Takes away what has appeared; the answer is what it was.
    pub fn take_away(self) -> Vec<PathBuf> {
        let cache = self.cache.unwrap_or_default();
        let Ok(survey) = cache.survey(&self.root, &self.protection, self.with_globs) else {
            return Vec::new();
        };
        let is_new = |path: &PathBuf| !self.before.contains(path);
        let globs = survey.protected.into_iter().filter(is_new);
        let nested = survey.nested.into_iter().filter(is_new);
        let nested = nested.flat_map(|path| left_repositories::programs_below(&path, &self.root));
        let bare = survey.bare.iter().flat_map(|path| left_repositories::programs_in(path)).filter(is_new);
        let appeared: Vec<PathBuf> = globs.chain(nested).chain(bare).collect();
        appeared.into_iter().filter(|path| take_one_away(&self.root, path)).collect()
    }
}

/// Into fwai's own directory where there is one, since somebody else may have made the file meanwhile.
fn take_one_away(root: &Path, path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else { return false };
    // That of another command, which takes it away itself. It holds nothing, or it would be none.
    let holds_nothing = if metadata.is_dir() { is_empty(path) } else { metadata.len() == 0 };
    if Placeholder::is_one(&metadata) && holds_nothing {
        return false;
    }
    let keep = root.join(".fwai");
    if fs::symlink_metadata(&keep).is_ok_and(|metadata| metadata.is_dir()) && !is_empty(&keep) {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let removed = keep.join("removed");
        if fs::create_dir_all(&removed).is_ok()
            && fs::rename(path, removed.join(format!("{now}-{name}"))).is_ok()
        {
            return true;
        }
    }
    match metadata.is_dir() {
        true => fs::remove_dir_all(path).is_ok(),
        false => fs::remove_file(path).is_ok(),
    }
}

/// An empty one may be the placeholder of another command, and goes with it.
fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}
