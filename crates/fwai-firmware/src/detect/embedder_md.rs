//! An existing `EMBEDDER.md`: what a person, or another tool, already stated about the project.

use super::chips;
use super::findings::Findings;
use super::source::At;
use super::view::View;

/// Its keys, ours, and how they are told apart: the file's own words in lower case.
const KEYS: &[(&str, &str)] = &[
    ("name", "name"),
    ("project name", "name"),
    ("board", "board"),
    ("toolchain", "compiler"),
    ("debug interface", "debug_interface"),
    ("rtos / sdk", "rtos"),
    ("rtos/sdk", "rtos"),
    ("rtos", "rtos"),
    ("sdk", "rtos"),
    ("project summary", "summary"),
    ("summary", "summary"),
    ("build_command", "build_command"),
    ("clean_command", "clean_command"),
    ("test_command", "test_command"),
    ("flash_command", "flash_command"),
    ("gdb_server_command", "gdb_server_command"),
    ("gdb_server_host", "gdb_server_host"),
    ("gdb_server_port", "gdb_server_port"),
    ("gdb_client_command", "gdb"),
    ("serial_port", "serial_port"),
    ("serial_baudrate", "serial_baud"),
    ("serial_baud", "serial_baud"),
    ("serial_monitor_command", "monitor_command"),
    ("serial_encoding", "serial_encoding"),
    ("serial_startup_commands", "serial_startup_commands"),
    ("elf", "elf"),
];

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.first(&["EMBEDDER.md", "embedder.md", "Embedder.md"]) else { return };
    for (number, line) in source.lines() {
        let line = line.trim().trim_start_matches(['-', '*', ' ']);
        let Some((key, value)) = line.split_once('=').or_else(|| line.split_once(':')) else { continue };
        // `**Target MCU**` and `Build Command` are meant like `target mcu` and `build_command`.
        let key = key.trim().trim_matches(['`', '*', ' ']).to_ascii_lowercase();
        let snake = key.replace(' ', "_");
        let value = value.trim().trim_matches(['`', '*', ' ']).trim();
        if is_placeholder(value) {
            continue;
        }
        let at = source.at(number);
        if matches!(snake.as_str(), "target_mcu" | "mcu" | "chip" | "microcontroller") {
            let name = chips::part_in(value).map_or_else(|| value.to_owned(), |part| part.name);
            findings.add("mcu", name, at.clone(), 0.98);
            if let Some(core) = chips::core_in(value) {
                findings.add("arch", core, at, 0.9);
            }
        } else if let Some((_, ours)) = KEYS.iter().find(|(theirs, _)| *theirs == key || *theirs == snake) {
            if *ours == "serial_startup_commands" && value == "[]" {
                continue;
            }
            findings.add(ours, value, at.clone(), 0.98);
            if *ours == "build_command" {
                system_of(value, &at, findings);
            }
        }
    }
}

/// `<shell command to build>` was never filled in.
fn is_placeholder(value: &str) -> bool {
    value.is_empty()
        || (value.starts_with('<') && value.ends_with('>'))
        || value.eq_ignore_ascii_case("none")
        || value.eq_ignore_ascii_case("n/a")
}

/// The build system that a build command belongs to; files of the project say it better where they exist.
fn system_of(command: &str, at: &At, findings: &mut Findings) {
    const PROGRAMS: &[(&str, &str)] = &[
        ("west", "zephyr"),
        ("idf.py", "esp-idf"),
        ("pio", "platformio"),
        ("platformio", "platformio"),
        ("arduino-cli", "arduino"),
        ("meson", "meson"),
        ("cargo", "cargo"),
        ("cmake", "cmake"),
        ("ninja", "cmake"),
        ("make", "make"),
        ("gmake", "make"),
        ("scons", "scons"),
        ("mbed", "mbed"),
        ("cbuild", "cmsis-toolbox"),
    ];
    let words =
        command.split([' ', ';', '&', '|', '(', ')']).map(|word| word.rsplit('/').next().unwrap_or(word));
    for word in words {
        if let Some((_, system)) = PROGRAMS.iter().find(|(program, _)| *program == word) {
            findings.add("build_system", *system, at.clone(), 0.7);
            return;
        }
    }
    findings.add("build_system", "custom", at.clone(), 0.55);
}
