//! Measures what a person waits for at a board, with the real program: `flash` until the boot banner is seen on a
//! virtual board, and `monitor` on a serial port that never pauses.
//! `cargo run --profile quick -p fwai-firmware --example board_bench -- PATH_OF_FWAI`.

use std::{
    fs::File,
    io::{Read, Write},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

const ROUNDS: usize = 7;
/// Bytes a second, and for how long.
const RATE: usize = 1_000_000;
const SECONDS: usize = 5;

fn main() {
    let program = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("fwai"), PathBuf::from);
    let directory = std::env::temp_dir().join(format!("fwai-board-bench-{}", std::process::id()));
    let bench = Bench { program, directory };
    println!("| what | figure | goal |\n|---|---|---|");
    bench.flash_to_banner();
    bench.monitor_without_loss();
}

struct Bench {
    program: PathBuf,
    directory: PathBuf,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.fwai("board", &["board", "power", "off"]).output();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Bench {
    fn fwai(&self, project: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .arg("-C")
            .arg(self.directory.join(project))
            .env("FWAI_HOME", self.directory.join("user"))
            .env_remove("CI")
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end; the one object of `--json`.
    fn json(&self, project: &str, arguments: &[&str]) -> Value {
        let output = self.fwai(project, &[arguments, &["--json"]].concat()).output().expect("fwai starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("one object")
    }

    /// Both commands as a person types them: write, prove, restart, and see the banner.
    fn flash_to_banner(&self) {
        std::fs::create_dir_all(self.directory.join("board")).expect("a directory for the project");
        self.json("board", &["init", "--template", "bare-metal", "--yes"]);
        self.json("board", &["build"]);
        let round = || {
            let begin = Instant::now();
            self.json("board", &["flash", "--yes"]);
            let seen = self.json("board", &["monitor", "--until", "boot ok", "--for", "10s"]);
            assert_eq!(seen["boot"]["status"], "success");
            begin.elapsed()
        };
        let first = round();
        let mut times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
        times.sort();
        println!("| flash, proof and boot banner, board was off | {} | ≤ 1 s |", milliseconds(first));
        println!(
            "| flash, proof and boot banner, median of {ROUNDS} | {} | ≤ 1 s |",
            milliseconds(times[ROUNDS / 2])
        );
    }

    /// A device that sends numbered lines at a steady rate; every byte must be in the log.
    fn monitor_without_loss(&self) {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("a terminal of our own");
        unlockpt(&terminal).expect("a terminal of our own");
        let path = ptsname(&terminal, Vec::new()).expect("its name").into_string().expect("a path");
        // Held open, so that nothing is lost between our opening it and fwai's.
        let mut port = rustix::termios::tcgetattr(&terminal).expect("its settings");
        port.make_raw();
        rustix::termios::tcsetattr(&terminal, rustix::termios::OptionalActions::Now, &port)
            .expect("raw bytes");
        let _held = File::options().read(true).write(true).open(&path).expect("the other end");
        let fwai = self.directory.join("serial/.fwai");
        std::fs::create_dir_all(&fwai).expect("a directory for the project");
        std::fs::write(fwai.join("project.yaml"), format!("name: bench\nserial:\n  port: {path}\n"))
            .expect("room");
        let child = self
            .fwai(
                "serial",
                &["monitor", "--send", "go", "--until", "the end of it all", "--for", "60s", "--json"],
            )
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("fwai starts");
        let mut device = File::from(terminal);
        wait_for_listener(&mut device);
        let (sent, took) = send(&mut device);
        let output = child.wait_with_output().expect("fwai ends");
        let seen: Value = serde_json::from_slice(&output.stdout).expect("one object");
        let log = self.directory.join("serial").join(seen["log_file"].as_str().expect("a log"));
        let lost = lost(&sent, &std::fs::read(&log).expect("the log"));
        let rate = sent.len() as f64 / took.as_secs_f64() / 1e6;
        println!("| monitor: bytes sent at {rate:.2} MB/s | {} | 1 MB/s |", sent.len());
        println!("| monitor: bytes not in the log | {lost} | 0 |");
        assert_eq!(lost, 0, "{} bytes were counted", seen["bytes"]);
    }
}

/// The monitor is there once its greeting arrives.
fn wait_for_listener(device: &mut File) {
    let mut greeting = [0; 2];
    device.read_exact(&mut greeting).expect("the monitor sends");
    assert_eq!(&greeting, b"go");
}

/// Sends numbered lines, a millisecond's worth at a time, never faster than the rate.
fn send(device: &mut File) -> (Vec<u8>, Duration) {
    let mut all = Vec::new();
    let begin = Instant::now();
    let mut number = 0;
    let mut sent = 0;
    while sent < RATE * SECONDS {
        let due = RATE * begin.elapsed().as_millis() as usize / 1000;
        if sent >= due {
            std::thread::sleep(Duration::from_micros(500));
            continue;
        }
        let mut part = Vec::new();
        while part.len() < due - sent {
            part.extend_from_slice(
                format!("{number:08} sensor reads {:05}\n", number * 7919 % 100_000).as_bytes(),
            );
            number += 1;
        }
        device.write_all(&part).expect("the port takes bytes");
        sent += part.len();
        all.extend_from_slice(&part);
    }
    let took = begin.elapsed();
    device.write_all(b"the end of it all\n").expect("the port takes bytes");
    device.flush().expect("the port takes bytes");
    (all, took)
}

/// Bytes of `sent` that are not in the log, in order.
fn lost(sent: &[u8], log: &[u8]) -> usize {
    let mut kept = log.split(|byte| *byte == b'\n');
    let missing = sent.split_inclusive(|byte| *byte == b'\n').filter(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        kept.next().is_none_or(|kept| kept.strip_suffix(b"\r").unwrap_or(kept) != line)
    });
    missing.map(<[u8]>::len).sum()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}
