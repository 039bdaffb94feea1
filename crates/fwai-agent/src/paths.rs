//! Paths as words: comparing and matching what a model wrote, without touching a disk. The tools resolve
//! paths for real; this is the first of two walls.

use crate::{config::SessionConfig, tool::PathScope};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::path::{Component, Path, PathBuf};

/// Whether `path`, as a model wrote it, is the project-relative `relative`.
pub(crate) fn is_same(config: &SessionConfig, path: &str, relative: &str) -> bool {
    in_project(config, path).is_some_and(|path| Some(path) == in_project_root(config, relative))
}

/// The path from the project's root; none where it leads outside.
pub(crate) fn in_project(config: &SessionConfig, path: &str) -> Option<PathBuf> {
    from(&config.cwd, &config.project_root, path)
}

fn in_project_root(config: &SessionConfig, path: &str) -> Option<PathBuf> {
    from(&config.project_root, &config.project_root, path)
}

fn from(base: &Path, root: &Path, path: &str) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !whole.pop() {
                    return None;
                }
            }
            other => whole.push(other),
        }
    }
    whole.strip_prefix(root).ok().map(Path::to_path_buf)
}

/// Why one of these paths must not be written by this agent.
pub(crate) fn outside_scopes(
    config: &SessionConfig,
    scopes: &[PathScope],
    writes: &[String],
) -> Option<String> {
    if scopes.is_empty() {
        return None;
    }
    writes.iter().find_map(|path| {
        let Some(inside) = in_project(config, path) else {
            return Some(format!("{path} is outside the project; this agent must not write it"));
        };
        scopes.iter().find_map(|scope| {
            if matches(&scope.protected, &inside) {
                return Some(format!("{path} is protected from this agent"));
            }
            match &scope.allowed {
                Some(allowed) if !matches(allowed, &inside) => Some(format!(
                    "this agent may only write {}; {path} is not among them",
                    allowed.join(", ")
                )),
                _ => None,
            }
        })
    })
}

fn matches(globs: &[String], path: &Path) -> bool {
    compiled(globs).is_match(path)
}

/// A glob that cannot be read protects nothing and allows nothing; configuration checks report it.
fn compiled(globs: &[String]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for text in globs {
        // `src/` and `src` mean everything below, too.
        let stem = text.trim_end_matches('/');
        for glob in [stem.to_owned(), format!("{stem}/**")] {
            if let Ok(glob) = Glob::new(&glob) {
                builder.add(glob);
            }
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_must_agree() {
        let config = SessionConfig::new("s", "/p");
        let outer = PathScope { allowed: Some(vec!["src/".into()]), protected: vec!["src/boot".into()] };
        let inner = PathScope { allowed: Some(vec!["**/*.c".into()]), protected: vec![] };
        let scopes = [outer, inner];
        let verdict = |path: &str| outside_scopes(&config, &scopes, &[path.to_owned()]);
        assert_eq!(verdict("src/uart.c"), None);
        assert_eq!(verdict("/p/src/./x/../uart.c"), None);
        assert_eq!(verdict("src/boot/start.c").unwrap(), "src/boot/start.c is protected from this agent");
        assert!(verdict("lib/uart.c").unwrap().contains("may only write src/"));
        assert!(verdict("src/uart.h").unwrap().contains("may only write **/*.c"));
        assert!(verdict("../other/src/uart.c").unwrap().contains("outside the project"));
    }

    #[test]
    fn the_plan_is_recognised_however_it_is_written() {
        let mut config = SessionConfig::new("s", "/p");
        config.cwd = "/p/src".into();
        let plan = ".fwai/sessions/s/plan.md";
        assert!(is_same(&config, "/p/.fwai/sessions/s/plan.md", plan));
        assert!(is_same(&config, "../.fwai/./sessions/s/plan.md", plan));
        assert!(!is_same(&config, ".fwai/sessions/s/plan.md/../../x", plan));
        assert!(!is_same(&config, "../../p2/.fwai/sessions/s/plan.md", plan));
    }
}
