//! The templates with the real compiler and the real QEMU.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fwai_firmware::detect::{Limits, detect};
use fwai_firmware::template::by_name;

fn write(template: &str, name: &str, root: &Path) {
    for file in by_name(template).unwrap().render(name) {
        let path = root.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.text).unwrap();
    }
}

/// Runs a command; its exit code and everything it said.
fn run(root: &Path, command: &str) -> (bool, String) {
    let output = Command::new("sh").args(["-c", command]).current_dir(root).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn bare_metal_builds_without_warnings_and_boots() {
    let dir = tempfile::tempdir().unwrap();
    write("bare-metal", "blinky", dir.path());
    let detection = detect(dir.path(), Limits::default()).unwrap();
    assert_eq!(detection.value("build_system"), Some("cmake"));
    assert_eq!(detection.value("mcu"), Some("STM32F100RB"));
    for build in [
        detection.value("build_command").unwrap(),
        "cmake --preset release && cmake --build --preset release",
    ] {
        let (ok, text) = run(dir.path(), build);
        assert!(ok, "{build}\n{text}");
        assert!(!text.to_lowercase().contains("warning"), "{text}");
    }
    let elf = dir.path().join(detection.value("elf").unwrap());
    let (_, notes) = run(dir.path(), &format!("arm-none-eabi-readelf -n {}", elf.display()));
    let id = notes.split("Build ID: ").nth(1).expect("a build id").split_whitespace().next().unwrap();

    let mut qemu = Command::new("qemu-system-arm")
        .args([
            "-M",
            "stm32vldiscovery",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "stdio",
            "-kernel",
        ])
        .arg(&elf)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (send, lines) = std::sync::mpsc::channel();
    let console = BufReader::new(qemu.stdout.take().unwrap());
    std::thread::spawn(move || console.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
    let mut seen = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !seen.iter().any(|line: &String| line.starts_with("alive for 1 s")) {
        let left = deadline.saturating_duration_since(Instant::now());
        seen.push(
            lines.recv_timeout(left).unwrap_or_else(|_| panic!("no heartbeat; the console said {seen:?}")),
        );
    }
    qemu.kill().unwrap();
    qemu.wait().unwrap();
    assert!(seen.iter().any(|line| line.trim() == format!("blinky 0.1.0 build {id}")), "{seen:?}");
    assert!(seen.iter().any(|line| line.trim() == "boot ok"), "{seen:?}");
}

#[test]
fn freertos_says_where_the_kernel_must_lie() {
    let dir = tempfile::tempdir().unwrap();
    write("freertos", "tasks_demo", dir.path());
    let detection = detect(dir.path(), Limits::default()).unwrap();
    assert_eq!(detection.value("rtos"), Some("freertos"));
    assert_eq!(detection.value("mcu"), Some("STM32F100RB"));
    let (ok, text) = run(dir.path(), detection.value("build_command").unwrap());
    assert!(!ok);
    assert!(text.contains("third_party/FreeRTOS-Kernel/tasks.c does not exist"), "{text}");
    assert!(text.contains("git clone"), "{text}");
}

#[test]
fn arduino_says_where_the_core_must_lie() {
    let dir = tempfile::tempdir().unwrap();
    write("arduino", "lamp", dir.path());
    let detection = detect(dir.path(), Limits::default()).unwrap();
    assert_eq!(detection.value("build_system"), Some("arduino"));
    assert_eq!(detection.value("mcu"), Some("ATmega328P"));
    assert!(
        detection.value("build_command").unwrap().starts_with("arduino-cli compile --fqbn arduino:avr:uno")
    );
    let (ok, text) = run(dir.path(), "make ARDUINO_DATA=/nowhere");
    assert!(!ok);
    assert!(text.contains("/nowhere/packages/arduino/hardware/avr does not exist"), "{text}");
}
