//! Makefiles: those of STM32CubeMX, libopencm3, the nRF5 SDK, AVR projects, RIOT, Contiki-NG, ChibiOS,
//! and whatever people write by hand.

use std::collections::BTreeSet;

use super::cmake::is_flash_target;
use super::findings::Findings;
use super::source::{At, Source};
use super::syntax::make::{Statement, Variables, statements, without_comment};
use super::tree::{file_name, parent};
use super::variables::{self, Strength};
use super::view::{View, quoted};
use super::{boards, chips, flags};

const NAMES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
const MOST_FILES: usize = 40;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(makefile) = view.first(NAMES) else { return };
    let mut reading = Reading {
        view,
        findings,
        variables: Variables::default(),
        seen: BTreeSet::new(),
        targets: Vec::new(),
        assigned: Vec::new(),
        frameworks: Vec::new(),
        firmware: false,
    };
    reading.file(&makefile, 0);
    reading.conclude(&makefile);
}

struct Reading<'a, 'f> {
    view: View<'a>,
    findings: &'f mut Findings,
    variables: Variables,
    seen: BTreeSet<String>,
    targets: Vec<(String, At)>,
    assigned: Vec<(String, At)>,
    frameworks: Vec<(&'static str, At)>,
    firmware: bool,
}

impl Reading<'_, '_> {
    fn file(&mut self, source: &Source, depth: u8) {
        if depth > 6 || self.seen.len() >= MOST_FILES || !self.seen.insert(source.path.clone()) {
            return;
        }
        self.firmware |= flags::looks_like_firmware(&source.text);
        let dir = parent(&source.path).to_owned();
        let strength = Strength { doubt: if depth == 0 { 0.0 } else { 0.05 } };
        let read = statements(&source.text, &mut self.variables);
        // A first pass fills the variables, files that are included among them; the second reads
        // with everything known, since Make expands late.
        for statement in &read {
            if let Statement::Include { path, line } = statement {
                self.framework(path, &source.at(*line));
                if let Some(included) =
                    self.view.resolve(&dir, path).and_then(|path| self.view.tree.text(&path))
                {
                    self.file(&included, depth + 1);
                }
            }
        }
        for statement in &read {
            match statement {
                Statement::Assignment { name, value, line } => {
                    let at = source.at(*line);
                    let expanded = self.variables.expand(value);
                    self.assignment(source, name, &expanded, &at, strength);
                    self.assigned.push((name.clone(), at));
                }
                Statement::Target { name, line } => self.targets.push((name.clone(), source.at(*line))),
                Statement::Include { .. } => {}
            }
        }
        self.scan(source, &dir, strength);
    }

    fn assignment(&mut self, source: &Source, name: &str, value: &str, at: &At, strength: Strength) {
        let value = value.trim();
        match name {
            "PREFIX" | "CROSS_COMPILE" | "TOOLCHAIN_PREFIX" | "TRGT" | "CROSS" | "TOOLCHAIN"
            | "GNU_PREFIX" => {
                let prefix = file_name(value);
                let prefix = if prefix.ends_with('-') { prefix.to_owned() } else { format!("{prefix}-") };
                if prefix.starts_with("arm-")
                    || prefix.starts_with("avr-")
                    || prefix.contains("-elf-")
                    || prefix.contains("eabi")
                {
                    flags::compiler(&format!("{prefix}gcc"), &prefix, at, 0.9, self.findings);
                }
            }
            "LDSCRIPT" | "LINKER_SCRIPT" | "LD_SCRIPT" | "LINKERSCRIPT" | "LDFILE" | "LINKER_FILE"
            | "LSCRIPT" | "LDS" => {
                self.linker_script(parent(&source.path), value, at);
            }
            "CPU" | "CPU_FLAGS" | "MCPU" | "CORE" | "ARCH" => {
                if let Some(core) = chips::core_in(value) {
                    self.findings.add("arch", core, at.clone(), 0.9);
                }
            }
            "TARGETS" => {
                // nRF5 SDK: `TARGETS := nrf52832_xxaa`.
                if let Some(part) = chips::part_in(value) {
                    self.findings.add("mcu", part.name, at.clone(), 0.88);
                }
            }
            "TARGET"
                if self.assigned.iter().any(|(name, _)| name.starts_with("CONTIKI"))
                    || self.variables.get("CONTIKI").is_some() =>
            {
                // Contiki-NG's target is a platform, often the chip itself.
                self.findings.add("board", value, at.clone(), 0.7);
                if let Some((chip, confidence)) = boards::chip_of(value) {
                    self.findings.add("mcu", chip, at.clone(), confidence.max(0.9));
                }
            }
            "LIBNAME" | "OPENCM3_LIB" => {
                if let Some(part) = chips::part_in(value) {
                    self.findings.add("mcu", part.name, at.clone(), 0.5);
                }
            }
            "OOCD_BOARD" | "OPENOCD_BOARD" => {
                self.findings.add("board", value, at.clone(), 0.6);
            }
            "OOCD_INTERFACE" | "OPENOCD_INTERFACE" => {
                super::openocd::interface(value, at, 0.8, self.findings)
            }
            "PROJECT" | "PROJECT_NAME" | "PROJ_NAME" | "BINARY" | "TARGET" | "APPLICATION" | "PROGRAM"
            | "CONTIKI_PROJECT" => {
                let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "_-. ".contains(c));
                if plain && !value.is_empty() {
                    let name = value.split_whitespace().next().unwrap_or(value);
                    self.findings.add_for(
                        "make",
                        "name",
                        name,
                        at.clone(),
                        if name == "main" { 0.3 } else { 0.8 },
                    );
                }
            }
            "BOARD_FQBN" | "FQBN" => {
                self.findings.add("board", value, at.clone(), 0.9);
                if let Some((chip, confidence)) = boards::chip_of(value) {
                    self.findings.add("mcu", chip, at.clone(), confidence);
                }
            }
            _ => {}
        }
        variables::assignment(name, value, at, strength, self.findings);
    }

    /// Flags stand on lines of their own in long lists, so every physical line is looked at by itself.
    fn scan(&mut self, source: &Source, dir: &str, strength: Strength) {
        for (number, raw) in source.lines() {
            let line = without_comment(raw);
            let trimmed = line.trim_start();
            if trimmed.is_empty()
                || trimmed.starts_with("ifeq")
                || trimmed.starts_with("ifneq")
                || trimmed.starts_with("else")
            {
                continue;
            }
            let at = source.at(number);
            let expanded = if line.contains('$') { self.variables.expand(line) } else { line.to_owned() };
            // A value that came out of a variable is better cited where the variable was set.
            let indirect = if expanded == line { 0.0 } else { 0.06 };
            flags::read(&expanded, &at, 0.9 - strength.doubt - indirect, self.findings);
            for script in flags::linker_scripts(&expanded) {
                self.linker_script(dir, &script, &at);
            }
            let lower = expanded.to_ascii_lowercase();
            if lower.contains("startup_") || lower.contains("system_") {
                if let Some(part) = chips::part_in(&expanded) {
                    let confidence = if part.specific { 0.75 } else { 0.4 };
                    self.findings.add("mcu", part.name, at.clone(), confidence - strength.doubt);
                }
            } else if let Some(part) =
                chips::part_in(&lower).filter(|part| !part.specific && lower.contains("driver"))
            {
                self.findings.add("mcu", part.name, at.clone(), 0.3);
            }
            if lower.contains("freertos") && !trimmed.starts_with('@') {
                self.findings.add("rtos", "freertos", at.clone(), 0.8);
            }
            super::openocd::command_line(&expanded, &at, self.findings);
        }
    }

    fn linker_script(&mut self, dir: &str, script: &str, at: &At) {
        let script = script.split_whitespace().next().unwrap_or_default();
        let script = script.trim_start_matches("-T");
        let path = self.view.resolve(dir, script).filter(|path| self.view.tree.text(path).is_some());
        let path = path.or_else(|| {
            let name = file_name(script);
            (!name.is_empty())
                .then(|| self.view.files().find(|file| file_name(file) == name).map(str::to_owned))?
        });
        if let Some(path) = path {
            self.findings.add("linker_script", path, at.clone(), 0.93);
        }
        if let Some(part) = chips::part_in(file_name(script)) {
            self.findings.add("mcu", part.name, at.clone(), if part.specific { 0.85 } else { 0.45 });
        }
    }

    /// Frameworks that a Makefile enters through one include.
    fn framework(&mut self, path: &str, at: &At) {
        let riot = self.variables.get("RIOTBASE").is_some() && path.ends_with("Makefile.include");
        let contiki = self.variables.get("CONTIKI").is_some() && path.ends_with("Makefile.include");
        let found = if riot {
            "riot"
        } else if contiki {
            "contiki-ng"
        } else if path.to_ascii_lowercase().contains("chibios") || path.contains("os/common/startup/ARMCMx") {
            "chibios"
        } else if path.contains("/mk/genlink-config.mk")
            || path.contains("libopencm3")
            || path.contains("Makefile.rules") && path.contains("opencm3")
        {
            "libopencm3"
        } else if path.ends_with("Arduino.mk") {
            "arduino"
        } else if path.contains("nrfx") || path.contains("Makefile.common") && path.contains("gcc") {
            "nrf5-sdk"
        } else if path.ends_with("/make/project.mk") {
            "esp-idf"
        } else {
            return;
        };
        self.firmware = true;
        self.frameworks.push((found, at.clone()));
    }

    fn conclude(mut self, makefile: &Source) {
        let frameworks = std::mem::take(&mut self.frameworks);
        for (name, at) in &frameworks {
            match *name {
                "libopencm3" | "nrf5-sdk" => self.findings.add("framework", *name, at.clone(), 0.9),
                name => self.findings.add("rtos", name, at.clone(), 0.92),
            }
        }
        let has = |name: &str| frameworks.iter().find(|(found, _)| *found == name).map(|(_, at)| at.clone());
        let own: Vec<&(String, At)> =
            self.targets.iter().filter(|(_, at)| at.file == makefile.path).collect();
        let target =
            |name: &str| self.targets.iter().find(|(found, _)| found == name).map(|(_, at)| at.clone());
        let start = target("all")
            .filter(|at| at.file == makefile.path)
            .or_else(|| frameworks.iter().map(|(_, at)| at.clone()).find(|at| at.file == makefile.path))
            .or_else(|| own.iter().find(|(name, _)| !name.starts_with('.')).map(|(_, at)| at.clone()))
            .or_else(|| self.assigned.first().map(|(_, at)| at.clone()))
            .unwrap_or_else(|| makefile.at(1));
        let confidence = if self.firmware { 0.86 } else { 0.5 };
        self.findings.add("build_system", "make", start.clone(), confidence);

        // A first target that only prints help is not the build.
        let first = own
            .iter()
            .map(|(name, _)| name.as_str())
            .find(|name| !name.starts_with('.') && !name.contains('%'));
        let goal = match first {
            Some("help" | "clean" | "flash" | "upload" | "menu" | "info" | "setup") => {
                ["all", "build", "firmware", "compile", "elf"].into_iter().find(|name| target(name).is_some())
            }
            _ => None,
        };
        let (build, at) = match goal {
            Some(goal) => (format!("make {goal}"), target(goal).unwrap_or_else(|| start.clone())),
            None => ("make".to_owned(), start.clone()),
        };
        self.findings.add_for(
            "make",
            "build_command",
            self.view.command(&build),
            at,
            if self.firmware { 0.88 } else { 0.6 },
        );
        if let Some(at) = target("clean").or_else(|| frameworks.first().map(|(_, at)| at.clone())) {
            self.findings.add_for("make", "clean_command", self.view.command("make clean"), at, 0.88);
        }
        if let Some(at) = target("test") {
            self.findings.add_for("make", "test_command", self.view.command("make test"), at, 0.6);
        }
        let flash = ["flash", "upload", "program", "burn", "prog", "load", "download", "deploy"]
            .into_iter()
            .find_map(|name| target(name).map(|at| (name.to_owned(), at)))
            .or_else(|| self.targets.iter().find(|(name, _)| is_flash_target(name)).cloned());
        if let Some((name, at)) = flash {
            let command = self.view.command(&format!("make {}", quoted(&name)));
            self.findings.add_for("make", "flash_command", command, at, 0.9);
        } else if let Some(at) = has("riot").or_else(|| has("libopencm3")) {
            self.findings.add_for("make", "flash_command", self.view.command("make flash"), at, 0.75);
        } else if let Some(at) = has("arduino") {
            self.findings.add_for("make", "flash_command", self.view.command("make upload"), at, 0.85);
        }
        if let Some(at) = has("riot") {
            self.findings.add_for("make", "monitor_command", self.view.command("make term"), at, 0.7);
        }
        let elf = self.targets.iter().find(|(name, _)| name.ends_with(".elf") && !name.contains('%'));
        if let Some((name, at)) = elf
            && let Some(path) = self.view.resolve(self.view.dir, name)
        {
            self.findings.add_for("make", "elf", path, at.clone(), 0.85);
        }
        if let Some(dir) = self.variables.get("BUILD_DIR").or(self.variables.get("BUILDDIR")) {
            let dir = self.variables.expand(dir);
            if let Some((_, at)) =
                self.assigned.iter().find(|(name, _)| name == "BUILD_DIR" || name == "BUILDDIR")
                && let Some(path) = self.view.resolve(self.view.dir, &dir)
            {
                self.findings.add_for("make", "build_dir", path, at.clone(), 0.85);
            }
        }
    }
}
