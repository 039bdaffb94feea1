//! `cargo xtask probes`: the back end for debug probes, which no other build has, compiled and asked for a probe.

use crate::shell::{self, command};
use anyhow::Result;

/// A feature of one package in a command of its own, so that the program itself is built without it.
pub fn run(_arguments: &[String]) -> Result<()> {
    shell::run(&mut command(
        "cargo",
        &[
            "test",
            "--package",
            "fwai-firmware",
            "--features",
            "probe-rs",
            "--lib",
            "--quiet",
            "--",
            "probe_rs",
        ],
    ))
}
