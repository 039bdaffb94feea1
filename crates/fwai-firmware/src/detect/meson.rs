//! Meson projects: `meson.build` with its subdirectories, and the cross file.

use super::findings::Findings;
use super::flags::{self, pattern};
use super::source::Source;
use super::syntax::ini;
use super::tree::{file_name, parent};
use super::view::{View, quoted};
use super::{chips, openocd};

pattern!(PROJECT, r"(?s)\bproject\s*\(\s*'([^']+)'");
pattern!(EXECUTABLE, r"(?s)\bexecutable\s*\(\s*'([^']+)'");
pattern!(FLASH, r"\brun_target\s*\(\s*'([^']+)'");

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(build) = view.text("meson.build") else { return };
    let cross = cross_file(view);
    let start = PROJECT.find(&build.text).map_or_else(|| build.at(1), |found| build.at_offset(found.start()));
    let mut firmware = cross.is_some();
    let files =
        |file: &&str| matches!(file_name(file), "meson.build" | "meson_options.txt" | "meson.options");
    for path in view.files().filter(files).take(30) {
        let Some(source) = view.tree.text(path) else { continue };
        firmware |= flags::looks_like_firmware(&source.text);
        let doubt = if path == build.path { 0.0 } else { 0.05 };
        scan(view, &source, doubt, findings);
    }
    findings.add("build_system", "meson", start.clone(), if firmware { 0.92 } else { 0.65 });
    if let Some(found) = PROJECT.captures(&build.text) {
        findings.add_for("meson", "name", &found[1], start.clone(), 0.88);
    }
    let command = match &cross {
        Some(cross) => {
            scan(view, cross, 0.0, findings);
            host_machine(cross, findings);
            let file = cross.path.strip_prefix(view.dir).unwrap_or(&cross.path).trim_start_matches('/');
            format!("meson setup build --cross-file {} && meson compile -C build", quoted(file))
        }
        None => "meson setup build && meson compile -C build".to_owned(),
    };
    findings.add_for("meson", "build_command", view.command(&command), start.clone(), 0.9);
    findings.add_for(
        "meson",
        "clean_command",
        view.command("meson compile -C build --clean"),
        start.clone(),
        0.8,
    );
    findings.add_for("meson", "build_dir", view.path("build"), start, 0.8);
    if let Some(found) = EXECUTABLE.captures(&build.text) {
        let at = build.at_offset(found.get(0).map_or(0, |found| found.start()));
        findings.add_for("meson", "elf", view.path(&format!("build/{}", &found[1])), at, 0.75);
    }
    for found in FLASH.captures_iter(&build.text) {
        if super::cmake::is_flash_target(&found[1]) {
            let at = build.at_offset(found.get(0).map_or(0, |found| found.start()));
            let command = format!("meson compile -C build {}", quoted(&found[1]));
            findings.add_for("meson", "flash_command", view.command(&command), at, 0.9);
        }
    }
}

/// The cross file that a newcomer would take: one for a microcontroller before any other.
fn cross_file(view: View<'_>) -> Option<std::rc::Rc<Source>> {
    let mut found = None;
    for path in view.files().filter(|path| {
        let name = file_name(path).to_ascii_lowercase();
        [".ini", ".txt", ".cross", ".meson", ".cfg", ".build"].iter().any(|end| name.ends_with(end))
            || name.contains("cross")
    }) {
        if file_name(path) == "meson.build" || file_name(path) == "CMakeLists.txt" {
            continue;
        }
        let Some(source) = view.tree.text(path) else { continue };
        if !source.text.contains("[host_machine]") && !source.text.contains("[binaries]") {
            continue;
        }
        if flags::looks_like_firmware(&source.text) {
            return Some(source);
        }
        if source.text.contains("[host_machine]") {
            found.get_or_insert(source);
        }
    }
    found
}

fn host_machine(cross: &Source, findings: &mut Findings) {
    for entry in ini::entries(&cross.text) {
        let value = entry.value.trim_matches('\'');
        let at = cross.at(entry.line);
        if entry.section == "host_machine" && entry.key == "cpu" {
            if let Some(core) = chips::core_in(value) {
                findings.add("arch", core, at, 0.9);
            } else if let Some(part) = chips::part_in(value) {
                findings.add("mcu", part.name, at, 0.88);
            }
        } else if entry.section == "constants" && entry.value.contains("none-eabi") {
            flags::compiler("arm-none-eabi-gcc", "arm-none-eabi-", &at, 0.85, findings);
        } else if entry.section == "properties" && entry.key.contains("linker_script") {
            findings.add("linker_script", value, at, 0.8);
        }
    }
}

fn scan(view: View<'_>, source: &Source, doubt: f32, findings: &mut Findings) {
    for (number, raw) in source.lines() {
        let line = raw.split('#').next().unwrap_or_default();
        if line.trim().is_empty() {
            continue;
        }
        let at = source.at(number);
        flags::read(line, &at, 0.9 - doubt, findings);
        openocd::command_line(line, &at, findings);
        if let Some((name, value)) = line.split_once('=') {
            let value = value.trim().trim_end_matches(',');
            if value.starts_with(['\'', '"']) {
                super::variables::assignment(
                    name.trim(),
                    value,
                    &at,
                    super::variables::Strength { doubt },
                    findings,
                );
            }
        }
        for quoted in line.split('\'').skip(1).step_by(2) {
            let name = file_name(quoted);
            let script = quoted.trim_start_matches("-Wl,").trim_start_matches("-T").trim_start_matches(',');
            if name.ends_with(".ld") || name.ends_with(".lds") {
                let script = script.rsplit('@').next().unwrap_or(script).trim_start_matches('/');
                let path = view
                    .resolve(parent(&source.path), script)
                    .filter(|path| view.tree.text(path).is_some())
                    .or_else(|| view.files().find(|file| file_name(file) == name).map(str::to_owned));
                if let Some(path) = path {
                    findings.add("linker_script", path, at.clone(), 0.9 - doubt);
                }
            }
            if let Some(part) = chips::part_in(quoted).filter(|part| part.specific) {
                let whole = part.end - part.start == quoted.len();
                findings.add("mcu", part.name, at.clone(), if whole { 0.86 } else { 0.74 } - doubt);
            }
            if quoted.to_ascii_lowercase().contains("freertos") {
                findings.add("rtos", "freertos", at.clone(), 0.75);
            }
        }
    }
}
