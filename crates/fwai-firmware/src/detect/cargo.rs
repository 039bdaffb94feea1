//! Embedded Rust: `Cargo.toml`, `.cargo/config.toml`, `Embed.toml`, `memory.x`.

use super::findings::Findings;
use super::flags::pattern;
use super::source::{At, Source};
use super::tree::file_name;
use super::view::{View, quoted};
use super::{boards, chips};

pattern!(TARGET, r#"(?m)^\s*target\s*=\s*(?:\[\s*)?"([^"]+)""#);
pattern!(CHIP, r#"--chip(?:-description-path)?["',\s=]+([A-Za-z0-9_.-]+)"#);
pattern!(ESP_MCU, r#"(?m)^\s*MCU\s*=\s*"([^"]+)""#);
pattern!(EMBED_CHIP, r#"(?m)^\s*chip\s*=\s*"([^"]+)""#);
pattern!(SECTION, r"^\s*\[+\s*([^\]]+?)\s*\]+");
pattern!(QUOTED, r#""([^"]+)""#);

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(manifest) = view.text("Cargo.toml") else { return };
    let plain = without_comments(&manifest);
    let package = string_in(&plain, "package", "name");
    let name = package.as_ref().map(|(name, _)| name.clone());
    let name_at = package.map_or_else(|| manifest.at(1), |(_, at)| at);
    // Cargo also reads the configuration of the directories above.
    let config = view
        .first(&[".cargo/config.toml", ".cargo/config"])
        .or_else(|| view.tree.text(".cargo/config.toml"))
        .map(|source| without_comments(&source));

    let mut embedded = dependencies(&plain, findings);
    let mut triple = None;
    let mut runner = None;
    if let Some(config) = &config {
        triple = target(config, findings);
        runner = runner_of(config, findings);
        if let Some(found) = ESP_MCU.captures(&config.text)
            && let Some(part) = chips::whole_part(&found[1])
        {
            findings.add(
                "mcu",
                part.name,
                config.at_offset(found.get(0).map_or(0, |found| found.start())),
                0.95,
            );
        }
    }
    embedded = embedded.or_else(|| triple.as_ref().map(|(_, at)| at.clone()));
    let memory = view.text("memory.x");
    if let Some(memory) = &memory {
        embedded.get_or_insert_with(|| memory.at(1));
        findings.add("linker_script", &memory.path, memory.at(1), 0.9);
    }
    embed_toml(view, findings);

    let (at, confidence) = match (&triple, embedded) {
        (Some((_, at)), _) => (at.clone(), 0.96),
        (None, Some(at)) => (at, 0.88),
        // A host tool beside the firmware is no firmware.
        (None, None) => (name_at.clone(), 0.35),
    };
    // The manifest is what makes it Cargo; the configuration is only what makes it embedded.
    let manifest_at =
        plain.find("[package]").or_else(|| plain.find("[workspace]")).unwrap_or_else(|| manifest.at(1));
    findings.add("build_system", "cargo", manifest_at, confidence);
    findings.add_for(
        "cargo",
        "build_command",
        view.command("cargo build --release"),
        at.clone(),
        confidence.min(0.93),
    );
    findings.add_for("cargo", "clean_command", view.command("cargo clean"), at.clone(), 0.8);
    if let Some(name) = &name {
        findings.add_for("cargo", "name", name, name_at.clone(), 0.93);
        let binary = string_in(&plain, "bin", "name").map_or(name.clone(), |(name, _)| name);
        let dir = triple
            .as_ref()
            .map_or("target/release".to_owned(), |(triple, _)| format!("target/{triple}/release"));
        findings.add_for("cargo", "elf", view.path(&format!("{dir}/{binary}")), name_at, 0.85);
    }
    if let Some((description, at)) = string_in(&plain, "package", "description") {
        findings.add("summary", description, at, 0.85);
    }
    if confidence > 0.5 {
        findings.add("compiler", "rustc", at.clone(), 0.9);
    }
    flash(view, runner, &at, findings);
}

fn flash(view: View<'_>, runner: Option<(String, At)>, at: &At, findings: &mut Findings) {
    let chip = findings.best("mcu").map(|best| (best.value.clone(), best.at.clone()));
    let Some((runner, runner_at)) = runner else {
        if let Some(embed) = view.text("Embed.toml") {
            findings.add_for(
                "cargo",
                "flash_command",
                view.command("cargo embed --release"),
                embed.at(1),
                0.85,
            );
        }
        return;
    };
    let command = if runner.contains("probe-rs") || runner.contains("probe-run") {
        let Some((chip, _)) = chip else { return };
        findings.add("debug_interface", "probe-rs", runner_at.clone(), 0.7);
        format!("probe-rs download --chip {} {{elf}}", quoted(&chip))
    } else if runner.contains("espflash") {
        "espflash flash {elf}".to_owned()
    } else if runner.contains("elf2uf2-rs") {
        "elf2uf2-rs -d {elf}".to_owned()
    } else if runner.contains("picotool") {
        "picotool load -v -x -t elf {elf}".to_owned()
    } else if runner.contains("ravedude") {
        "cargo run --release".to_owned()
    } else {
        let _ = at;
        return;
    };
    findings.add_for("cargo", "flash_command", command, runner_at, 0.88);
}

/// Crates that only firmware uses; where the first of them stands.
fn dependencies(manifest: &Source, findings: &mut Findings) -> Option<At> {
    const SIGNS: &[&str] = &[
        "cortex-m",
        "cortex-m-rt",
        "riscv-rt",
        "embedded-hal",
        "embassy-executor",
        "embassy-stm32",
        "embassy-nrf",
        "embassy-rp",
        "esp-hal",
        "esp-idf-svc",
        "esp-idf-hal",
        "esp-idf-sys",
        "avr-device",
        "arduino-hal",
        "panic-halt",
        "panic-probe",
        "defmt",
        "rtic",
        "cortex-m-rtic",
        "xtensa-lx-rt",
        "msp430-rt",
        "panic-semihosting",
        "microbit-v2",
        "microbit",
        "rp-pico",
        "rp2040-hal",
        "rp235x-hal",
    ];
    let mut section = String::new();
    let mut first = None;
    for (number, line) in manifest.lines() {
        if let Some(found) = SECTION.captures(line).filter(|_| !line.contains('=')) {
            section = found[1].replace('"', "");
            if let Some(name) = section.rsplit_once("dependencies.").map(|(_, name)| name.to_owned()) {
                crate_name(&name, &manifest.at(number), SIGNS, &mut first, findings);
            }
            continue;
        }
        if section.contains("dev-dependencies") || section.contains("build-dependencies") {
            continue;
        }
        let listed = section.ends_with("dependencies");
        if !listed && !section.contains("dependencies.") && section != "features" {
            continue;
        }
        let at = manifest.at(number);
        if listed && let Some((name, _)) = line.split_once(['=', '.']) {
            crate_name(name.trim().trim_matches('"'), &at, SIGNS, &mut first, findings);
        }
        for found in QUOTED.captures_iter(line) {
            let feature = found[1].rsplit('/').next().unwrap_or_default();
            if let Some(part) = chips::whole_part(feature) {
                let weak = section == "features" || !part.specific;
                findings.add(
                    "mcu",
                    part.name.replace("esp32-", "esp32"),
                    at.clone(),
                    if weak { 0.5 } else { 0.9 },
                );
            } else if let Some((chip, _)) =
                boards::chip_of(feature).filter(|_| feature.starts_with("arduino-"))
            {
                findings.add("mcu", chip, at.clone(), 0.88);
            }
        }
    }
    first
}

fn crate_name(name: &str, at: &At, signs: &[&str], first: &mut Option<At>, findings: &mut Findings) {
    if name.starts_with("embassy-") || name == "rtic" || name == "cortex-m-rtic" {
        let rtos = if name.starts_with("embassy-") { "embassy" } else { "rtic" };
        if name != "embassy-sync" && name != "embassy-time" {
            findings.add("rtos", rtos, at.clone(), 0.85);
        }
    }
    let hal = ["-hal", "-pac", "-bsp"].iter().any(|end| name.ends_with(end));
    if signs.contains(&name) || (hal && chips::part_in(name).is_some()) {
        first.get_or_insert(at.clone());
    }
    if let Some(part) = chips::part_in(name) {
        findings.add("mcu", part.name, at.clone(), if part.specific { 0.8 } else { 0.4 });
    } else if let Some((chip, _)) = boards::chip_of(name) {
        findings.add("board", name, at.clone(), 0.7);
        findings.add("mcu", chip, at.clone(), 0.82);
    }
}

fn target(config: &Source, findings: &mut Findings) -> Option<(String, At)> {
    let found = TARGET.captures(&config.text)?;
    let triple = found[1].trim_end_matches(".json").to_owned();
    let bare = ["none", "-elf", "avr", "espidf", "msp430"].iter().any(|sign| triple.contains(sign));
    if !bare || triple.contains("linux") {
        return None;
    }
    let at = config.at_offset(found.get(1).map_or(0, |found| found.start()));
    let arch = if triple.starts_with("thumbv6m") {
        "cortex-m0"
    } else if triple.starts_with("thumbv7m-") {
        "cortex-m3"
    } else if triple.starts_with("thumbv7em") {
        "cortex-m4"
    } else if triple.starts_with("thumbv8m.base") {
        "cortex-m23"
    } else if triple.starts_with("thumbv8m") {
        "cortex-m33"
    } else if triple.starts_with("riscv64") {
        "riscv64"
    } else if triple.starts_with("riscv") {
        "riscv32"
    } else if triple.starts_with("xtensa") {
        "xtensa"
    } else if triple.starts_with("avr") {
        "avr"
    } else if triple.starts_with("msp430") {
        "msp430"
    } else {
        ""
    };
    findings.add("arch", arch, at.clone(), 0.7);
    if let Some(part) = chips::part_in(&triple) {
        findings.add("mcu", part.name, at.clone(), 0.75);
    }
    Some((triple, at))
}

fn runner_of(config: &Source, findings: &mut Findings) -> Option<(String, At)> {
    if let Some(found) = CHIP.captures(&config.text) {
        let at = config.at_offset(found.get(1).map_or(0, |found| found.start()));
        let name = chips::whole_part(&found[1]).map_or_else(|| found[1].to_owned(), |part| part.name);
        findings.add("mcu", name, at, 0.95);
    }
    let start = config.text.find("runner")?;
    let rest = &config.text[start..];
    let value = rest.split_once('=')?.1.trim_start();
    let end = if value.starts_with('[') { value.find(']') } else { value.find('\n') };
    let runner = &value[..end.unwrap_or(value.len())];
    if runner.contains("qemu-system") {
        static CPU_OR_MACHINE: &[(&str, &str)] = &[
            ("lm3s6965evb", "LM3S6965"),
            ("microbit", "nRF51822"),
            ("stm32vldiscovery", "STM32F100RB"),
            ("netduinoplus2", "STM32F405RG"),
        ];
        for (machine, chip) in CPU_OR_MACHINE {
            if runner.contains(machine) {
                findings.add("board", *machine, config.at_offset(start), 0.85);
                findings.add("mcu", *chip, config.at_offset(start), 0.8);
            }
        }
        if let Some(core) = chips::core_in(runner) {
            findings.add("arch", core, config.at_offset(start), 0.85);
        }
    }
    Some((runner.to_owned(), config.at_offset(start)))
}

fn embed_toml(view: View<'_>, findings: &mut Findings) {
    for name in ["Embed.toml", ".embed.toml", "Probe.toml"] {
        let Some(source) = view.text(name) else { continue };
        let source = without_comments(&source);
        if let Some(found) = EMBED_CHIP.captures(&source.text) {
            let name = chips::whole_part(&found[1]).map_or_else(|| found[1].to_owned(), |part| part.name);
            findings.add("mcu", name, source.at_offset(found.get(1).map_or(0, |found| found.start())), 0.94);
        }
    }
    for path in view.files().filter(|path| file_name(path) == "openocd.gdb").take(1) {
        if let Some(source) = view.tree.text(path) {
            findings.add("debug_interface", "openocd", source.at(1), 0.4);
        }
    }
}

/// The first `key = "text"` of a section.
fn string_in(source: &Source, section: &str, key: &str) -> Option<(String, At)> {
    let mut here = false;
    for (number, line) in source.lines() {
        if let Some(found) = SECTION.captures(line).filter(|_| line.trim_start().starts_with('[')) {
            here = &found[1] == section;
        } else if here
            && let Some((name, value)) = line.split_once('=')
            && name.trim() == key
            && let Some(found) = QUOTED.captures(value)
        {
            return Some((found[1].to_owned(), source.at(number)));
        }
    }
    None
}

/// The text with comment lines blanked, so that places stay where they are.
fn without_comments(source: &Source) -> Source {
    let mut text = String::with_capacity(source.text.len());
    for line in source.text.split_inclusive('\n') {
        if line.trim_start().starts_with('#') {
            text.push_str(if line.ends_with('\n') { "\n" } else { "" });
        } else {
            text.push_str(line);
        }
    }
    Source { path: source.path.clone(), text }
}
