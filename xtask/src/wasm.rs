//! `cargo xtask wasm`: the clean crates must compile for the browser.
//!
//! With rustup's wasm32 target present it is used. Else Debian's own compiler builds the standard
//! library first (about a minute, once).

use crate::{
    places,
    shell::{self, command},
    tidy::CLEAN_CRATES,
};
use anyhow::Result;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

pub fn run(_arguments: &[String]) -> Result<()> {
    let mut packages: Vec<&str> = CLEAN_CRATES.iter().flat_map(|name| ["--package", *name]).collect();
    packages.extend(["--no-default-features", "--lib", "--target", TARGET]);
    let target = places::target().with_file_name("target-wasm");
    if rustup_has_target() {
        return shell::run(command("cargo", &["build"]).args(&packages).env("CARGO_TARGET_DIR", target));
    }
    let debian = &mut Command::new("/usr/bin/cargo");
    let build =
        debian.current_dir(places::root()).args(["build", "-Zbuild-std=std,panic_abort"]).args(&packages);
    shell::run(
        build
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19")
            .env("CARGO_TARGET_DIR", target)
            // What cargo tells its children about rustup's compiler does not hold for Debian's.
            .env_remove("RUSTC_WRAPPER")
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("CARGO"),
    )
}

/// Whether rustup can compile for the browser by itself.
pub fn rustup_has_target() -> bool {
    shell::output(&mut command("rustc", &["--print", "target-libdir", "--target", TARGET]))
        .is_ok_and(|directory| std::path::Path::new(directory.trim()).exists())
}
