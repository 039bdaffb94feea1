//! `fwai exec` through the real binary and a scripted model over real HTTP.

mod answer;
mod asking;
mod flags;
mod material;
mod work;

use fwai_testkit::{bench::Bench, model_server::Scenario};

/// A project with one source file.
fn bench(scenario: impl Into<Scenario>) -> Bench {
    Bench::new(scenario).file("src/uart.c", "#include \"uart.h\"\n#define BAUD 9600\n")
}
