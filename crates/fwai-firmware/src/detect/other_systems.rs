//! Build systems outside the common nine that can still be told by one file: Mbed OS, SCons (RT-Thread),
//! CMSIS solutions, and the project files of Eclipse-based IDEs and Keil.

use super::findings::Findings;
use super::flags::pattern;
use super::syntax::json;
use super::view::{View, quoted};
use super::{boards, chips};

pattern!(KEIL_DEVICE, r"<Device>\s*([^<\s]+)\s*</Device>");
pattern!(ECLIPSE_CHIP, r#"(?:target_mcu|deviceid|mcu)[^>]*?value="([^"]+)""#);
pattern!(CSOLUTION_DEVICE, r"(?m)^\s*-?\s*device:\s*([A-Za-z0-9:_.-]+)");
pattern!(
    MBED_TARGET,
    r"(?:mbed(?:-tools)?\s+(?:compile|build|config|deploy)[^\n`]*?(?:-m|--target)\s+)([A-Za-z0-9_]+)"
);

pub fn detect(view: View<'_>, findings: &mut Findings) {
    mbed(view, findings);
    scons(view, findings);
    csolution(view, findings);
    eclipse(view, findings);
    keil(view, findings);
}

fn mbed(view: View<'_>, findings: &mut Findings) {
    let marker = view.first(&["mbed-os.lib", "mbed_app.json", "mbed_app.json5", ".mbed", "mbed_settings.py"]);
    let library = view.text("mbed-os.lib");
    let Some(marker) = marker else { return };
    let at = library.as_ref().map_or_else(|| marker.at(1), |library| library.at(1));
    findings.add("build_system", "mbed", at.clone(), 0.93);
    findings.add("rtos", "mbed", at.clone(), 0.93);
    let mut target: Option<(String, super::source::At, f32)> = None;
    if let Some(settings) = view.text(".mbed") {
        for (number, line) in settings.lines() {
            if let Some(name) = line.strip_prefix("TARGET=") {
                target = Some((name.trim().to_owned(), settings.at(number), 0.95));
            }
        }
    }
    if target.is_none()
        && let Some(app) = view.first(&["mbed_app.json", "mbed_app.json5"])
        && let Some(overrides) =
            json::parse(&app.text).and_then(|value| value.get("target_overrides").cloned())
        && let Some(name) =
            overrides.as_object().and_then(|names| names.keys().find(|name| *name != "*").cloned())
    {
        let place = app.find(&format!("\"{name}\"")).unwrap_or_else(|| app.at(1));
        target = Some((name, place, 0.75));
    }
    if target.is_none() {
        for name in ["README.md", "readme.md"] {
            let Some(readme) = view.text(name) else { continue };
            let found = readme.lines().find_map(|(number, line)| {
                MBED_TARGET.captures(line).map(|found| (found[1].to_owned(), readme.at(number), 0.7))
            });
            target = target.or(found);
        }
    }
    let command = match &target {
        Some((name, ..)) => format!("mbed compile -t GCC_ARM -m {}", quoted(name)),
        None => "mbed compile -t GCC_ARM".to_owned(),
    };
    let command_at = target.as_ref().map_or(at, |(_, at, _)| at.clone());
    findings.add_for(
        "mbed",
        "build_command",
        view.command(&command),
        command_at.clone(),
        if target.is_some() { 0.85 } else { 0.6 },
    );
    findings.add_for("mbed", "flash_command", view.command(&format!("{command} --flash")), command_at, 0.7);
    if let Some((name, at, confidence)) = target {
        findings.add("board", &name, at.clone(), confidence);
        if let Some((chip, sure)) = boards::chip_of(&name) {
            findings.add("mcu", chip, at, sure.min(confidence));
        }
    }
}

fn scons(view: View<'_>, findings: &mut Findings) {
    let Some(file) = view.first(&["SConstruct", "SConstruct.py"]) else { return };
    let thread = view.text("rtconfig.py");
    let at = file.find("Environment").unwrap_or_else(|| file.at(1));
    findings.add("build_system", "scons", at.clone(), if thread.is_some() { 0.9 } else { 0.5 });
    findings.add_for("scons", "build_command", view.command("scons"), at.clone(), 0.85);
    findings.add_for("scons", "clean_command", view.command("scons -c"), at, 0.85);
    let Some(config) = thread else { return };
    for (number, line) in config.lines() {
        let at = config.at(number);
        super::flags::read(line, &at, 0.85, findings);
        if let Some((name, value)) = line.split_once('=')
            && matches!(name.trim(), "CPU" | "SOC" | "BOARD" | "CHIP")
        {
            let value = value.trim().trim_matches(['"', '\'']);
            if let Some(core) = chips::core_in(value) {
                findings.add("arch", core, at.clone(), 0.85);
            }
            super::variables::assignment(
                name.trim(),
                value,
                &at,
                super::variables::Strength::default(),
                findings,
            );
        }
    }
    findings.add("rtos", "rt-thread", config.at(1), 0.85);
}

fn csolution(view: View<'_>, findings: &mut Findings) {
    let Some(path) =
        view.files().find(|file| file.ends_with(".csolution.yml") || file.ends_with(".csolution.yaml"))
    else {
        return;
    };
    let Some(source) = view.tree.text(path) else { return };
    let at = source.find("solution:").unwrap_or_else(|| source.at(1));
    findings.add("build_system", "cmsis-toolbox", at.clone(), 0.93);
    let command =
        format!("cbuild {}", quoted(path.strip_prefix(view.dir).unwrap_or(path).trim_start_matches('/')));
    findings.add_for("cmsis-toolbox", "build_command", view.command(&command), at, 0.9);
    if let Some(found) = CSOLUTION_DEVICE.captures(&source.text) {
        let name = found[1].rsplit(':').next().unwrap_or_default().to_owned();
        findings.add(
            "mcu",
            chips::whole_part(&name).map_or(name, |part| part.name),
            source.at_offset(found.get(1).map_or(0, |m| m.start())),
            0.94,
        );
    }
}

fn eclipse(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.text(".cproject") else { return };
    if let Some(found) = ECLIPSE_CHIP.captures(&source.text)
        && let Some(part) = chips::part_in(&found[1])
    {
        findings.add("mcu", part.name, source.at_offset(found.get(1).map_or(0, |m| m.start())), 0.92);
    }
    if let Some(found) = source.text.find("target_board") {
        let rest = &source.text[found
            ..source
                .text
                .len()
                .min(found + super::syntax::cmake::floor_boundary(&source.text[found..], 300))];
        if let Some(name) = rest.split("value=\"").nth(1).and_then(|rest| rest.split('"').next())
            && name != "genericBoard"
        {
            findings.add("board", name, source.at_offset(found), 0.8);
        }
    }
    let at = source.find("<cconfiguration").unwrap_or_else(|| source.at(1));
    findings.add("build_system", "eclipse-cdt", at.clone(), 0.5);
    if view.text("Debug/makefile").is_some() {
        findings.add_for("eclipse-cdt", "build_command", view.command("make -C Debug all"), at, 0.7);
    }
}

fn keil(view: View<'_>, findings: &mut Findings) {
    let path = view.with_extension("uvprojx", 3).next().or_else(|| view.with_extension("uvproj", 3).next());
    let Some(path) = path else { return };
    let Some(source) = view.tree.text(path) else { return };
    let at = source.find("<Device>").unwrap_or_else(|| source.at(1));
    if let Some(found) = KEIL_DEVICE.captures(&source.text) {
        let name = chips::part_in(&found[1]).map_or_else(|| found[1].to_owned(), |part| part.name);
        findings.add("mcu", name, at.clone(), 0.92);
    }
    findings.add("build_system", "keil", at.clone(), 0.5);
    let project = quoted(path.strip_prefix(view.dir).unwrap_or(path).trim_start_matches('/'));
    findings.add_for("keil", "build_command", view.command(&format!("UV4 -b {project} -j0")), at, 0.6);
}
