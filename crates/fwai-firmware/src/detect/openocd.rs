//! OpenOCD: configuration files of the project, and command lines in build files.

use super::findings::Findings;
use super::flags::pattern;
use super::source::At;
use super::tree::file_name;
use super::view::{View, quoted};

pattern!(FLAG, r"-f\s+([A-Za-z0-9_./-]+\.cfg)");
pattern!(SOURCE, r"^\s*(?:source\s+\[find\s+([^\]\s]+)\s*\]|script\s+(\S+))");

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(path) = view.with_extension("cfg", 2).find(|path| {
        let name = file_name(path).to_ascii_lowercase();
        name.contains("openocd")
            || view
                .tree
                .text(path)
                .is_some_and(|text| SOURCE.is_match(&text.text) || text.text.contains("[find "))
    }) else {
        return;
    };
    let Some(source) = view.tree.text(path) else { return };
    for (number, line) in source.lines() {
        if let Some(found) = SOURCE.captures(line) {
            let name = found.get(1).or(found.get(2)).map_or("", |found| found.as_str());
            let at = source.at(number);
            if name.starts_with("interface/") {
                interface(name, &at, 0.85, findings);
            }
            board(name, &at, findings);
            target(name, &at, findings);
        }
    }
    findings.add("openocd_config", path, source.at(1), 0.9);
    let command = format!("openocd -f {} -c \"program {{elf}} verify reset exit\"", quoted(path));
    findings.add("flash_command", command, source.at(1), 0.72);
    findings.add("gdb_server_command", format!("openocd -f {}", quoted(path)), source.at(1), 0.75);
}

/// `openocd -f interface/stlink.cfg -f target/stm32f4x.cfg …` in a build file.
pub fn command_line(line: &str, at: &At, findings: &mut Findings) {
    if !line.to_ascii_lowercase().contains("openocd") && !line.contains(".cfg") {
        return;
    }
    for found in FLAG.captures_iter(line) {
        if found[1].starts_with("interface/") {
            interface(&found[1], at, 0.8, findings);
        }
        board(&found[1], at, findings);
        target(&found[1], at, findings);
    }
}

/// `board/st_nucleo_l476rg.cfg` names a board, and often its chip.
fn board(name: &str, at: &At, findings: &mut Findings) {
    let Some(file) = name.trim_start_matches('/').strip_prefix("board/") else { return };
    let stem = file.trim_end_matches(".cfg");
    findings.add("board", stem, at.clone(), 0.5);
    if let Some((chip, _)) = super::boards::chip_of(stem) {
        findings.add("mcu", chip, at.clone(), 0.6);
    }
}

/// A probe by any of the names that OpenOCD, PlatformIO and IDEs give it.
pub fn interface(name: &str, at: &At, confidence: f32, findings: &mut Findings) {
    let lower = name.to_ascii_lowercase();
    let known = [
        ("stlink", "st-link"),
        ("st-link", "st-link"),
        ("jlink", "j-link"),
        ("j-link", "j-link"),
        ("cmsis-dap", "cmsis-dap"),
        ("cmsis_dap", "cmsis-dap"),
        ("blackmagic", "blackmagic"),
        ("bmp", "blackmagic"),
        ("picoprobe", "cmsis-dap"),
        ("esp-prog", "esp-prog"),
        ("esp-builtin", "esp-builtin"),
        ("usbasp", "usbasp"),
        ("atmel-ice", "atmel-ice"),
        ("dfu", "dfu"),
        ("esptool", "serial"),
        ("serial", "serial"),
        ("nrfjprog", "j-link"),
        ("ftdi", "ftdi"),
    ];
    if let Some((_, plain)) = known.iter().find(|(sign, _)| lower.contains(sign)) {
        findings.add("debug_interface", *plain, at.clone(), confidence);
    }
}

/// `target/stm32f4x.cfg` names a family.
fn target(name: &str, at: &At, findings: &mut Findings) {
    let Some(file) = name.strip_prefix("target/") else { return };
    let stem = file.trim_end_matches(".cfg").trim_end_matches(".tcl");
    if let Some(part) = super::chips::part_in(stem) {
        findings.add(
            "mcu",
            part.name.trim_end_matches('x'),
            at.clone(),
            if part.specific { 0.6 } else { 0.35 },
        );
    }
}
