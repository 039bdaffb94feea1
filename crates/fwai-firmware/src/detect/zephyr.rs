//! Zephyr applications: `CMakeLists.txt` with `find_package(Zephyr)`, `prj.conf`, west's files, and the
//! many places where people write the board's name.

use serde_json::Value;

use super::boards;
use super::chips;
use super::cmake::cached;
use super::findings::Findings;
use super::flags::pattern;
use super::source::{At, Source};
use super::syntax::cmake::commands;
use super::syntax::{ini, json};
use super::tree::{file_name, parent};
use super::view::{View, quoted};

pattern!(
    PACKAGE,
    r"(?im)^[^#\n]*(?:find_package\s*\(\s*(?:Zephyr|ZephyrUnittest|Sysbuild)\b|ZEPHYR_BASE\}/cmake/app/boilerplate\.cmake)"
);
pattern!(WEST_BUILD, r"west\s+build\b[^\n`]*?(?:-b|--board)[ =]([A-Za-z0-9_./@-]+)");
pattern!(RST_BOARD, r"^\s*:board:\s*([A-Za-z0-9_./@-]+)");

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some((app, lists)) = application(view) else { return };
    let at = PACKAGE.find(&lists.text).map_or_else(|| lists.at(1), |found| lists.at_offset(found.start()));
    findings.add("build_system", "zephyr", at.clone(), 0.97);
    findings.add("rtos", "zephyr", at.clone(), 0.98);
    for command in commands(&lists.text) {
        if command.name == "project"
            && let Some(name) = command.argument(0)
        {
            let confidence = if name == "NONE" || name == "app" { 0.3 } else { 0.85 };
            findings.add_for("zephyr", "name", name, lists.at(command.line), confidence);
        }
    }
    let inner = View { tree: view.tree, dir: &app };
    boards_of(view, inner, &lists, findings);
    configuration(inner, findings);

    let board = findings.best("board").map(|best| (best.value.clone(), best.at.clone()));
    let place =
        if app == view.dir { String::new() } else { format!(" {}", quoted(relative(view.dir, &app))) };
    let (command, at, confidence) = match board {
        Some((board, at)) => (format!("west build -b {}{place}", quoted(&board)), at, 0.94),
        None => (format!("west build{place}"), at, 0.6),
    };
    let mut add = |key, command: &str, confidence| {
        findings.add_for("zephyr", key, view.command(command), at.clone(), confidence);
    };
    add("build_command", &command, confidence);
    add("clean_command", "west build -t clean", 0.85);
    add("flash_command", "west flash", 0.9);
    add("gdb_server_command", "west debugserver", 0.7);
    findings.add_for("zephyr", "build_dir", view.path("build"), at.clone(), 0.85);
    findings.add_for("zephyr", "elf", view.path("build/zephyr/zephyr.elf"), at, 0.9);
}

/// The application's directory: this one, or one below a west workspace.
fn application(view: View<'_>) -> Option<(String, std::rc::Rc<Source>)> {
    if let Some(lists) = view.text("CMakeLists.txt").filter(|lists| PACKAGE.is_match(&lists.text)) {
        return Some((view.dir.to_owned(), lists));
    }
    let workspace =
        view.first(&["west.yml", "zephyr/module.yml"]).is_some() || view.text(".west/config").is_some();
    if !workspace {
        return None;
    }
    view.files()
        .filter(|file| {
            file_name(file) == "CMakeLists.txt" && !file.contains("tests/") && !file.starts_with("zephyr/")
        })
        .take(400)
        .find_map(|file| {
            let lists = view.tree.text(file).filter(|lists| PACKAGE.is_match(&lists.text))?;
            Some((parent(file).to_owned(), lists))
        })
}

fn relative<'a>(dir: &str, path: &'a str) -> &'a str {
    path.strip_prefix(dir).unwrap_or(path).trim_start_matches('/')
}

fn board(name: &str, at: At, confidence: f32, findings: &mut Findings) {
    let name = name.trim().trim_matches(['"', '\'']);
    if name.is_empty() || name.contains(['$', '<', '{', '*']) || name.len() > 80 {
        return;
    }
    findings.add("board", name, at.clone(), confidence);
    if let Some((chip, sure)) = boards::chip_of(name) {
        findings.add("mcu", chip, at, confidence.min(sure));
    }
}

/// Everywhere a board is named, from what the build itself reads down to prose.
fn boards_of(view: View<'_>, app: View<'_>, lists: &Source, findings: &mut Findings) {
    for command in commands(&lists.text) {
        if command.name == "set"
            && command.argument(0) == Some("BOARD")
            && let Some(name) = command.argument(1)
        {
            board(name, lists.at(command.line), 0.96, findings);
        }
    }
    for view in [app, view] {
        if let Some(cache) = view.first(&["build/CMakeCache.txt", "build/zephyr/CMakeCache.txt"]) {
            for (number, line) in cache.lines() {
                if let Some(name) =
                    line.strip_prefix("BOARD:STRING=").or(line.strip_prefix("CACHED_BOARD:STRING="))
                {
                    board(name, cache.at(number), 0.93, findings);
                }
            }
        }
        if let Some(presets) = view.text("CMakePresets.json") {
            from_presets(&presets, findings);
        }
        if let Some(config) = view.text(".west/config") {
            for entry in ini::entries(&config.text) {
                if entry.section == "build" && entry.key == "board" {
                    board(&entry.value, config.at(entry.line), 0.94, findings);
                }
            }
        }
        for name in ["sample.yaml", "testcase.yaml"] {
            if let Some(sample) = view.text(name) {
                from_sample(&sample, findings);
            }
        }
        for name in ["README.md", "README.rst", "README", "readme.md", "README.txt"] {
            if let Some(readme) = view.text(name) {
                from_prose(&readme, findings);
            }
        }
        for directory in [
            ".github/workflows/build.yml",
            ".github/workflows/build.yaml",
            ".github/workflows/ci.yml",
            ".github/workflows/main.yml",
            ".gitlab-ci.yml",
        ] {
            if let Some(workflow) = view.text(directory) {
                from_prose(&workflow, findings);
            }
        }
    }
    own_boards(view, app, findings);
    overlays(app, findings);
}

fn from_presets(source: &Source, findings: &mut Findings) {
    let Some(value) = json::parse(&source.text) else { return };
    let Some(presets) = value.get("configurePresets").and_then(Value::as_array) else { return };
    for preset in presets {
        if let Some(name) = cached(presets, preset, "BOARD", 8) {
            let at = source.find_pair("BOARD", &name).unwrap_or_else(|| source.at(1));
            board(&name, at, 0.95, findings);
        }
    }
}

/// `integration_platforms` and `platform_allow` of Twister's files.
fn from_sample(source: &Source, findings: &mut Findings) {
    let mut strength: Option<f32> = None;
    for (number, line) in source.lines() {
        let trimmed = line.trim();
        let (key, rest) = trimmed.split_once(':').unwrap_or((trimmed, ""));
        match key.trim_start_matches("- ") {
            "integration_platforms" => strength = Some(0.7),
            "platform_allow" => strength = Some(0.65),
            _ if !trimmed.starts_with("- ") && !trimmed.is_empty() => strength = None,
            _ => {}
        }
        let Some(confidence) = strength else { continue };
        let names =
            if rest.trim().is_empty() { trimmed.strip_prefix("- ").unwrap_or_default() } else { rest };
        for name in names.split([' ', ',', '[', ']']).filter(|name| !name.is_empty()) {
            // A simulator is what the tests run on, rarely what the firmware is for.
            let simulated = name.contains("native") || name.starts_with("qemu");
            board(name, source.at(number), if simulated { 0.45 } else { confidence }, findings);
        }
    }
}

fn from_prose(source: &Source, findings: &mut Findings) {
    for (number, line) in source.lines() {
        for pattern in [&*WEST_BUILD, &*RST_BOARD] {
            if let Some(found) = pattern.captures(line) {
                board(&found[1], source.at(number), 0.75, findings);
            }
        }
    }
}

/// Boards that the project itself defines.
fn own_boards(view: View<'_>, app: View<'_>, findings: &mut Findings) {
    for file in view.files().chain(app.files()) {
        if !file.contains("boards/") {
            continue;
        }
        let name = file_name(file);
        if name == "board.yml" {
            let Some(source) = view.tree.text(file) else { continue };
            for (number, line) in source.lines() {
                let trimmed = line.trim().trim_start_matches("- ");
                let Some(value) = trimmed.strip_prefix("name:").map(str::trim) else { continue };
                if let Some(part) = chips::whole_part(value) {
                    findings.add("mcu", part.name, source.at(number), 0.9);
                } else if number < 6 {
                    board(value, source.at(number), 0.8, findings);
                }
            }
        } else if name.ends_with("_defconfig") {
            let Some(source) = view.tree.text(file) else { continue };
            kconfig(&source, findings);
            board(name.trim_end_matches("_defconfig"), source.at(1), 0.72, findings);
        } else if name.ends_with(".dts") {
            let Some(source) = view.tree.text(file) else { continue };
            for (number, line) in source.lines().take(60) {
                if let Some(part) = line.contains(".dtsi").then(|| chips::part_in(line)).flatten() {
                    findings.add("mcu", part.name, source.at(number), 0.85);
                }
            }
        }
    }
}

/// `boards/nrf52840dk_nrf52840.overlay` says that somebody built for that board.
fn overlays(app: View<'_>, findings: &mut Findings) {
    for file in app.files().filter(|file| file.contains("boards/")) {
        let name = file_name(file);
        if let Some(stem) = name.strip_suffix(".overlay").or(name.strip_suffix(".conf")) {
            let at = At { file: file.to_owned(), line: 1 };
            let simulated = stem.contains("native") || stem.starts_with("qemu");
            board(stem, at, if simulated { 0.4 } else { 0.68 }, findings);
        }
    }
}

fn configuration(app: View<'_>, findings: &mut Findings) {
    for name in ["build/zephyr/.config", "prj.conf"] {
        if let Some(source) = app.text(name) {
            kconfig(&source, findings);
        }
    }
}

fn kconfig(source: &Source, findings: &mut Findings) {
    for (number, line) in source.lines() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let at = source.at(number);
        let value = value.trim().trim_matches('"');
        if key == "CONFIG_SOC"
            && let Some(part) = chips::part_in(value)
        {
            findings.add("mcu", part.name, at, 0.95);
        } else if let Some(name) = key.strip_prefix("CONFIG_SOC_")
            && value == "y"
            && let Some(part) = chips::whole_part(name).filter(|part| part.specific)
        {
            findings.add("mcu", part.name, at, 0.9);
        } else if key == "CONFIG_BOARD" {
            board(value, at, 0.95, findings);
        } else if key == "CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC"
            && value.parse::<u64>().is_ok_and(|hz| hz > 1_000_000)
        {
            findings.add("clock_hz", value, at, 0.7);
        }
    }
}
