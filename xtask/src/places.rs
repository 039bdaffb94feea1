//! Where the repository and its caches lie.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies below the root").to_owned()
}

/// What setup downloads for tests: Python and npm packages. `FWAI_DEV_CACHE` moves it.
pub fn cache() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FWAI_DEV_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("fwai-dev")))
        .or_else(|| env::home_dir().map(|home| home.join(".cache/fwai-dev")))
        .unwrap_or_else(|| root().join("target/fwai-dev"))
}

/// Cargo's target directory of this workspace.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
