//! PlatformIO: `platformio.ini` with its environments, `extends`, `${…}` and boards of the project's own.

use super::findings::Findings;
use super::source::{At, Source};
use super::syntax::ini::{self, Entry};
use super::syntax::json;
use super::view::{View, quoted};
use super::{boards, chips, flags};

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.text("platformio.ini") else { return };
    let file = File { entries: ini::entries(&source.text), source: &source };
    let envs = file.environments();
    let defaults = file.default_environments();
    // An environment without a board runs tests on the host.
    let on_board = |name: &&String| file.get(&format!("env:{name}"), "board").is_some();
    let chosen = defaults
        .iter()
        .find(|name| envs.contains(name) && on_board(name))
        .or_else(|| envs.iter().find(on_board))
        .or(envs.first())
        .cloned();
    let start = chosen
        .as_deref()
        .and_then(|name| source.find(&format!("[env:{name}]")))
        .or_else(|| source.find("["))
        .unwrap_or_else(|| source.at(1));
    findings.add("build_system", "platformio", start.clone(), 0.98);

    // With several environments and no default, `pio run` would build all of them, also those whose
    // board is not the one described here.
    let several = envs.len() > 1 && defaults.len() != 1;
    let selection = match &chosen {
        Some(name) if several => format!(" -e {}", quoted(name)),
        _ => String::new(),
    };
    let command_at =
        if defaults.is_empty() { start.clone() } else { file.default_at().unwrap_or_else(|| start.clone()) };
    let mut add = |key, command: String, confidence| {
        findings.add_for("platformio", key, view.command(&command), command_at.clone(), confidence);
    };
    add("build_command", format!("pio run{selection}"), 0.96);
    add("clean_command", format!("pio run{selection} -t clean"), 0.9);
    add("flash_command", format!("pio run{selection} -t upload"), 0.95);
    add("monitor_command", format!("pio device monitor{selection}"), 0.8);
    if view.files().any(|file| file.starts_with(&view.path("test/"))) {
        add("test_command", format!("pio test{selection}"), 0.5);
    }
    let Some(name) = chosen else { return };
    let section = format!("env:{name}");
    findings.add_for(
        "platformio",
        "elf",
        view.path(&format!(".pio/build/{name}/firmware.elf")),
        start.clone(),
        0.85,
    );
    findings.add_for("platformio", "build_dir", view.path(&format!(".pio/build/{name}")), start, 0.85);
    environment(view, &file, &section, findings);
}

fn environment(view: View<'_>, file: &File<'_>, section: &str, findings: &mut Findings) {
    if let Some((board, at)) = file.get(section, "board") {
        findings.add("board", &board, at.clone(), 0.97);
        let own = view.text(&format!("boards/{board}.json"));
        if let Some(own) = own {
            own_board(&own, findings);
        } else if let Some((chip, confidence)) = boards::chip_of(&board) {
            findings.add("mcu", chip, at, confidence + 0.02);
        }
    }
    if let Some((mcu, at)) = file.get(section, "board_build.mcu") {
        let name = chips::whole_part(&mcu).map_or(mcu, |part| part.name);
        findings.add("mcu", name, at, 0.97);
    }
    if let Some((clock, at)) = file.get(section, "board_build.f_cpu") {
        findings.add("clock_hz", clock.trim_end_matches(['L', 'U', 'l', 'u']), at, 0.95);
    }
    if let Some((platform, at)) = file.get(section, "platform") {
        let lower = platform.to_ascii_lowercase();
        if let Some(chip) = ["espressif8266", "espressif32", "raspberrypi", "nordicnrf51"]
            .iter()
            .zip(["esp8266", "esp32", "RP2040", "nRF51822"])
            .find(|(name, _)| lower.contains(*name))
            .map(|(_, chip)| chip)
        {
            findings.add("mcu", chip, at.clone(), 0.45);
        }
        if lower == "native" {
            findings.add("framework", "native", at, 0.6);
        }
    }
    if let Some((framework, at)) = file.get(section, "framework") {
        let first = framework
            .split([',', '\n'])
            .map(str::trim)
            .find(|word| !word.is_empty())
            .unwrap_or_default()
            .to_owned();
        let rtos = match first.as_str() {
            "arduino" => "arduino",
            "espidf" => "esp-idf",
            "zephyr" => "zephyr",
            "mbed" => "mbed",
            _ => "bare-metal",
        };
        findings.add("framework", &first, at.clone(), 0.95);
        findings.add("rtos", rtos, at, 0.85);
    }
    if let Some((speed, at)) = file.get(section, "monitor_speed") {
        findings.add("serial_baud", speed, at, 0.96);
    }
    for key in ["monitor_port", "upload_port"] {
        if let Some((port, at)) = file.get(section, key)
            && !port.contains('*')
            && !port.contains("://")
            && port.parse::<std::net::IpAddr>().is_err()
        {
            findings.add("serial_port", port, at, if key == "monitor_port" { 0.95 } else { 0.8 });
        }
    }
    for key in ["debug_tool", "upload_protocol"] {
        if let Some((tool, at)) = file.get(section, key) {
            super::openocd::interface(&tool, &at, 0.9, findings);
        }
    }
    if let Some((script, at)) = file.get(section, "board_build.ldscript")
        && let Some(path) = view.resolve(view.dir, &script)
        && view.tree.text(&path).is_some()
    {
        findings.add("linker_script", path, at, 0.95);
    }
    if let Some((text, at)) = file.get(section, "build_flags") {
        // The board is the better witness; a definition only refines it.
        for (offset, line) in (0..).zip(text.split('\n')) {
            flags::read(line, &At { file: at.file.clone(), line: at.line + offset }, 0.8, findings);
        }
    }
    if let Some((text, at)) = file.get(section, "description") {
        findings.add("summary", text, at, 0.8);
    }
}

fn own_board(source: &Source, findings: &mut Findings) {
    let Some(value) = json::parse(&source.text) else { return };
    let build = value.get("build");
    let text = |key: &str| build.and_then(|build| build.get(key)).and_then(|value| value.as_str());
    if let Some(mcu) = text("mcu") {
        let name = chips::whole_part(mcu).map_or_else(|| mcu.to_owned(), |part| part.name);
        findings.add("mcu", name, source.find_pair("\"mcu\"", mcu).unwrap_or_else(|| source.at(1)), 0.96);
    }
    if let Some(clock) = text("f_cpu") {
        let at = source.find("f_cpu").unwrap_or_else(|| source.at(1));
        findings.add("clock_hz", clock.trim_end_matches(['L', 'U']), at, 0.93);
    }
}

struct File<'a> {
    entries: Vec<Entry>,
    source: &'a Source,
}

impl File<'_> {
    fn environments(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (_, line) in self.source.lines() {
            if let Some(name) = line.trim().strip_prefix("[env:").and_then(|rest| rest.split(']').next())
                && !names.iter().any(|known| known == name)
            {
                names.push(name.trim().to_owned());
            }
        }
        names
    }

    fn default_environments(&self) -> Vec<String> {
        let found = self.own("platformio", "default_envs").or_else(|| self.own("platformio", "env_default"));
        found
            .map(|entry| {
                self.filled(&entry.value, 4)
                    .split([',', '\n', ' '])
                    .map(|name| name.trim().to_owned())
                    .filter(|name| !name.is_empty())
                    .collect()
            })
            .unwrap_or_default()
    }

    fn default_at(&self) -> Option<At> {
        let entry =
            self.own("platformio", "default_envs").or_else(|| self.own("platformio", "env_default"))?;
        Some(self.source.at(entry.line))
    }

    fn own(&self, section: &str, key: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.section == section && entry.key == key)
    }

    /// A value of an environment: its own, what it extends, then `[env]`.
    fn get(&self, section: &str, key: &str) -> Option<(String, At)> {
        self.inherited(section, key, 8)
            .or_else(|| self.own("env", key))
            .map(|entry| (self.filled(&entry.value, 8), self.source.at(entry.line)))
    }

    fn inherited(&self, section: &str, key: &str, depth: u8) -> Option<&Entry> {
        if let Some(entry) = self.own(section, key) {
            return Some(entry);
        }
        let extends = self.own(section, "extends").filter(|_| depth > 0)?;
        extends.value.split([',', '\n']).find_map(|parent| self.inherited(parent.trim(), key, depth - 1))
    }

    /// `${section.key}` filled in.
    fn filled(&self, text: &str, depth: u8) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            result.push_str(&rest[..start]);
            let Some(end) = rest[start..].find('}').map(|end| start + end) else { break };
            if let Some((section, key)) = rest[start + 2..end].rsplit_once('.')
                && depth > 0
                && result.len() < 8_000
                && let Some(entry) = self.inherited(section, key, 4)
            {
                result.push_str(&self.filled(&entry.value, depth - 1));
            }
            rest = &rest[end + 1..];
        }
        result.push_str(rest);
        result.trim().to_owned()
    }
}
