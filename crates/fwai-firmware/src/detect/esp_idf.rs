//! ESP-IDF projects: `project.cmake`, `sdkconfig` and its defaults, `idf_component.yml`.

use super::chips;
use super::findings::Findings;
use super::flags::pattern;
use super::source::Source;
use super::syntax::cmake::commands;
use super::tree::file_name;
use super::view::View;

pattern!(
    PROJECT_CMAKE,
    r"(?m)^[^#\n]*(?:IDF_PATH[^\n]*project\.cmake|idf_build_process|idf_component_register)"
);
pattern!(PROJECT_MK, r"(?m)^[^#\n]*include[^\n]*IDF_PATH[^\n]*make/project\.mk");
pattern!(SET_TARGET, r"idf\.py[^\n`]*?(?:set-target|-DIDF_TARGET=)\s*(esp32[a-z0-9]*|esp8266)");

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let lists = view.text("CMakeLists.txt").filter(|lists| PROJECT_CMAKE.is_match(&lists.text));
    let makefile = view.text("Makefile").filter(|makefile| PROJECT_MK.is_match(&makefile.text));
    let Some(main) = lists.or(makefile) else { return };
    let pattern = if file_name(&main.path) == "Makefile" { &*PROJECT_MK } else { &*PROJECT_CMAKE };
    let start = pattern.find(&main.text).map_or_else(|| main.at(1), |found| main.at_offset(found.start()));
    // A component by itself (`idf_component_register`) is no project that could be built.
    let component = !main.text.contains("project.cmake")
        && !main.text.contains("project.mk")
        && !main.text.contains("idf_build_process");
    findings.add("build_system", "esp-idf", start.clone(), if component { 0.6 } else { 0.97 });
    findings.add("rtos", "esp-idf", start.clone(), 0.95);
    let mut name = None;
    for command in commands(&main.text) {
        match (command.name.as_str(), command.argument(0)) {
            ("project", Some(text)) => {
                name = Some(text.to_owned());
                findings.add_for("esp-idf", "name", text, main.at(command.line), 0.9);
            }
            ("set", Some("IDF_TARGET" | "ENV{IDF_TARGET}")) => {
                if let Some(target) = command.argument(1) {
                    target_chip(target, &main, command.line, 0.95, findings);
                }
            }
            _ => {}
        }
    }
    for (number, line) in main.lines() {
        if let Some(text) = line.strip_prefix("PROJECT_NAME").and_then(|rest| rest.split('=').nth(1)) {
            name = Some(text.trim().to_owned());
            findings.add_for("esp-idf", "name", text.trim(), main.at(number), 0.9);
        }
    }
    let mut add = |key, command: &str, confidence| {
        findings.add_for("esp-idf", key, view.command(command), start.clone(), confidence);
    };
    if file_name(&main.path) == "Makefile" {
        // Projects from before `idf.py`.
        add("build_command", "make", 0.93);
        add("clean_command", "make clean", 0.9);
        add("flash_command", "make flash", 0.9);
        add("monitor_command", "make monitor", 0.8);
    } else {
        add("build_command", "idf.py build", 0.96);
        add("clean_command", "idf.py fullclean", 0.9);
        add("flash_command", "idf.py flash", 0.93);
        add("monitor_command", "idf.py monitor", 0.85);
        add("gdb_server_command", "idf.py openocd", 0.6);
    }
    findings.add_for("esp-idf", "build_dir", view.path("build"), start.clone(), 0.9);
    if let Some(name) = name.filter(|name| !name.contains('$')) {
        findings.add_for("esp-idf", "elf", view.path(&format!("build/{name}.elf")), start.clone(), 0.9);
    }
    targets(view, findings);
    if findings.best("mcu").is_none() {
        // What `idf.py build` takes when nothing says otherwise.
        findings.add("mcu", "esp32", start, 0.5);
    }
}

fn targets(view: View<'_>, findings: &mut Findings) {
    if let Some(config) = view.text("sdkconfig") {
        sdkconfig(&config, 0.97, findings);
    }
    for (name, confidence) in [("sdkconfig.defaults", 0.94), ("sdkconfig.ci", 0.6)] {
        if let Some(config) = view.text(name) {
            sdkconfig(&config, confidence, findings);
        }
    }
    for file in view.tree.directly_in(view.dir) {
        if let Some(target) = file_name(file).strip_prefix("sdkconfig.defaults.")
            && let Some(source) = view.tree.text(file)
        {
            target_chip(target, &source, 1, 0.7, findings);
        }
    }
    for name in ["main/idf_component.yml", "idf_component.yml"] {
        let Some(source) = view.text(name) else { continue };
        let mut listed = false;
        for (number, line) in source.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with("targets:") {
                listed = true;
            } else if listed && !trimmed.starts_with('-') {
                listed = false;
            }
            if listed && let Some(part) = chips::part_in(trimmed) {
                target_chip(&part.name, &source, number, 0.7, findings);
            }
        }
    }
    for name in ["README.md", "readme.md"] {
        let Some(source) = view.text(name) else { continue };
        for (number, line) in source.lines() {
            if let Some(found) = SET_TARGET.captures(line) {
                target_chip(&found[1], &source, number, 0.72, findings);
            } else if line.contains("Supported Targets")
                && let Some(part) = chips::part_in(line)
            {
                let only = chips::parts_in(line).len() == 1;
                target_chip(&part.name, &source, number, if only { 0.75 } else { 0.55 }, findings);
            }
        }
    }
}

fn target_chip(target: &str, source: &Source, line: u32, confidence: f32, findings: &mut Findings) {
    let target = target.trim().trim_matches('"');
    if let Some(part) = chips::whole_part(target) {
        findings.add("mcu", part.name.replace('-', ""), source.at(line), confidence);
    }
}

fn sdkconfig(source: &Source, confidence: f32, findings: &mut Findings) {
    for (number, line) in source.lines() {
        let Some((key, value)) = line.trim().split_once('=') else { continue };
        let value = value.trim().trim_matches('"');
        let at = source.at(number);
        match key {
            "CONFIG_IDF_TARGET" => target_chip(value, source, number, confidence, findings),
            "CONFIG_ESP_CONSOLE_UART_BAUDRATE" | "CONFIG_CONSOLE_UART_BAUDRATE" => {
                findings.add("serial_baud", value, at, confidence - 0.05);
            }
            "CONFIG_ESPTOOLPY_MONITOR_BAUD" | "CONFIG_MONITOR_BAUD" => {
                findings.add("serial_baud", value, at, confidence - 0.1);
            }
            "CONFIG_ESPTOOLPY_PORT" => findings.add("serial_port", value, at, 0.7),
            key if key.ends_with("DEFAULT_CPU_FREQ_MHZ") => {
                if let Ok(mhz) = value.parse::<u64>()
                    && mhz < 10_000
                {
                    findings.add("clock_hz", (mhz * 1_000_000).to_string(), at, confidence - 0.05);
                }
            }
            key if value == "y" && key.starts_with("CONFIG_IDF_TARGET_ESP") => {
                let target = key.trim_start_matches("CONFIG_IDF_TARGET_").to_ascii_lowercase();
                target_chip(&target, source, number, confidence - 0.02, findings);
            }
            key if value == "y" && key.contains("DEFAULT_CPU_FREQ_") => {
                if let Some(mhz) = key.rsplit('_').next().and_then(|mhz| mhz.parse::<u64>().ok())
                    && mhz < 10_000
                {
                    findings.add("clock_hz", (mhz * 1_000_000).to_string(), at, confidence - 0.1);
                }
            }
            _ => {}
        }
    }
}
