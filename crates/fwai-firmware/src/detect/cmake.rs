//! CMake projects: `CMakeLists.txt` with what it includes, toolchain files and `CMakePresets.json`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::findings::Findings;
use super::source::{At, Source};
use super::syntax::cmake::{Command, Variables, commands};
use super::syntax::json;
use super::tree::{file_name, parent};
use super::variables::{self, Strength};
use super::view::{View, quoted};
use super::{boards, chips, flags};

/// Files that one project may include; a generated tree of thousands is not read to its end.
const MOST_FILES: usize = 60;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(lists) = view.text("CMakeLists.txt") else { return };
    // Zephyr and ESP-IDF are CMake inside, but nobody builds them so.
    if lists.text.contains("tools/cmake/project.cmake")
        || lists.text.contains("find_package(Zephyr")
        || lists.text.contains("cmake/app/boilerplate.cmake")
    {
        return;
    }
    let presets = Presets::read(view);
    let mut reading = Reading::new(view, findings);
    reading.file(&lists, 0, 0.0);
    if let Some(toolchain) = presets.as_ref().and_then(|presets| presets.toolchain.clone()) {
        reading.path("", &toolchain, 0.0);
    }
    let toolchain = reading.toolchain_by_name();
    let outcome = reading.finish();

    let start = outcome.project_at.clone().unwrap_or_else(|| lists.at(1));
    let confidence = if outcome.firmware { 0.9 } else { 0.6 };
    findings.add("build_system", "cmake", start.clone(), confidence);
    if let Some((name, at)) = &outcome.name {
        findings.add_for("cmake", "name", name, at.clone(), 0.85);
    }
    build_commands(view, &outcome, presets.as_ref(), toolchain.as_deref(), &start, findings);
    if outcome.pico {
        let (file, line) =
            outcome.pico_at.clone().map_or((start.file.clone(), start.line), |at| (at.file, at.line));
        let at = At { file, line };
        findings.add("framework", "pico-sdk", at.clone(), 0.9);
        findings.add_for("cmake", "flash_command", "picotool load -v -x {elf}", at, 0.6);
    }
}

fn build_commands(
    view: View<'_>,
    outcome: &Outcome,
    presets: Option<&Presets>,
    toolchain: Option<&str>,
    start: &At,
    findings: &mut Findings,
) {
    let (build, dir, at, confidence) = match presets {
        Some(presets) => {
            let dir = presets.build_dir.clone().unwrap_or_else(|| "build".to_owned());
            let second = match &presets.build_preset {
                Some(name) => format!("cmake --build --preset {}", quoted(name)),
                None => format!("cmake --build {}", quoted(&dir)),
            };
            (
                format!("cmake --preset {} && {second}", quoted(&presets.configure)),
                dir,
                presets.at.clone(),
                0.93,
            )
        }
        None => {
            let mut configure = "cmake -S . -B build".to_owned();
            let mut at = start.clone();
            if let Some(file) = toolchain.filter(|_| !outcome.sets_toolchain) {
                let file = file.strip_prefix(view.dir).map_or(file, |rest| rest.trim_start_matches('/'));
                configure.push_str(&format!(" -DCMAKE_TOOLCHAIN_FILE={}", quoted(file)));
                at = start.clone();
            }
            if outcome.needs_build_type {
                configure.push_str(" -DCMAKE_BUILD_TYPE=Debug");
            }
            (format!("{configure} && cmake --build build"), "build".to_owned(), at, 0.88)
        }
    };
    findings.add_for("cmake", "build_command", view.command(&build), at.clone(), confidence);
    let clean = format!("cmake --build {} --target clean", quoted(&dir));
    findings.add_for("cmake", "clean_command", view.command(&clean), at.clone(), 0.8);
    findings.add_for("cmake", "build_dir", view.path(&dir), at, 0.85);
    if let Some((name, at)) = &outcome.executable {
        let name = if name.contains('.') { name.clone() } else { format!("{name}{}", outcome.suffix) };
        findings.add_for("cmake", "elf", view.path(&format!("{dir}/{name}")), at.clone(), 0.8);
    }
    if let Some((target, at)) = &outcome.flash_target {
        let command = format!("cmake --build {} --target {}", quoted(&dir), quoted(target));
        findings.add_for("cmake", "flash_command", view.command(&command), at.clone(), 0.9);
    }
}

#[derive(Default)]
struct Outcome {
    firmware: bool,
    project_at: Option<At>,
    name: Option<(String, At)>,
    executable: Option<(String, At)>,
    suffix: String,
    flash_target: Option<(String, At)>,
    sets_toolchain: bool,
    needs_build_type: bool,
    pico: bool,
    pico_at: Option<At>,
}

struct Reading<'a, 'f> {
    view: View<'a>,
    findings: &'f mut Findings,
    variables: Variables,
    seen: BTreeSet<String>,
    outcome: Outcome,
}

impl<'a, 'f> Reading<'a, 'f> {
    fn new(view: View<'a>, findings: &'f mut Findings) -> Self {
        Self {
            view,
            findings,
            variables: Variables::default(),
            seen: BTreeSet::new(),
            outcome: Outcome::default(),
        }
    }

    /// Reads another file of the project, named as CMake code names it.
    fn path(&mut self, from: &str, path: &str, doubt: f32) -> bool {
        let path = path.strip_prefix("<src>").map_or_else(
            || self.view.resolve(from, path),
            |rest| self.view.resolve(self.view.dir, rest.trim_start_matches('/')),
        );
        let Some(path) = path else { return false };
        let Some(source) = self.view.tree.text(&path) else { return false };
        self.file(&source, 1, doubt);
        true
    }

    fn file(&mut self, source: &Source, depth: u8, doubt: f32) {
        if depth > 6 || self.seen.len() >= MOST_FILES || !self.seen.insert(source.path.clone()) {
            return;
        }
        let dir = parent(&source.path).to_owned();
        self.outcome.firmware |= flags::looks_like_firmware(&source.text);
        // Branches behind `else` must not overwrite what the first branch set.
        let mut nesting = 0_u32;
        let mut alternative: Option<u32> = None;
        for command in commands(&source.text) {
            for name in ["CMAKE_CURRENT_LIST_DIR", "CMAKE_CURRENT_SOURCE_DIR"] {
                self.variables
                    .set(name, if dir == self.view.dir { "<src>".into() } else { self.below_source(&dir) });
            }
            for name in ["CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR"] {
                self.variables.set(name, "<src>".into());
            }
            match command.name.as_str() {
                "if" => nesting += 1,
                "elseif" | "else" => alternative = alternative.or(Some(nesting)),
                "endif" => {
                    if alternative == Some(nesting) {
                        alternative = None;
                    }
                    nesting = nesting.saturating_sub(1);
                }
                _ => self.command(source, &command, depth, doubt, alternative.is_some()),
            }
        }
    }

    fn below_source(&self, dir: &str) -> String {
        let rest = dir.strip_prefix(self.view.dir).unwrap_or(dir).trim_start_matches('/');
        format!("<src>/{rest}")
    }

    fn command(&mut self, source: &Source, command: &Command, depth: u8, doubt: f32, alternative: bool) {
        let at = source.at(command.line);
        let first = self.variables.expand(command.argument(0).unwrap_or_default());
        let doubt = if alternative { doubt + 0.2 } else { doubt };
        match command.name.as_str() {
            "message"
            | "while"
            | "endwhile"
            | "foreach"
            | "endforeach"
            | "string"
            | "return"
            | "function"
            | "macro"
            | "cmake_minimum_required"
            | "cmake_policy"
            | "find_program"
            | "execute_process"
            | "install" => return,
            "project" => {
                let named =
                    self.variables.get("CMAKE_PROJECT_NAME").map(str::to_owned).filter(|_| first.is_empty());
                let name = named.unwrap_or_else(|| first.clone());
                if depth == 0 {
                    self.outcome.project_at.get_or_insert(at.clone());
                    self.outcome.name.get_or_insert((name.clone(), at.clone()));
                }
                self.variables.set("PROJECT_NAME", name.clone());
                self.variables.set("CMAKE_PROJECT_NAME", name.clone());
                if let Some(part) = chips::part_in(&name) {
                    self.findings.add("mcu", part.name, at, 0.55 - doubt);
                }
                return;
            }
            "set" => {
                let set_already = self.variables.get(&first).is_some();
                let value: Vec<&str> = command.arguments[1.min(command.arguments.len())..]
                    .iter()
                    .map(|argument| argument.text.as_str())
                    .take_while(|text| !matches!(*text, "CACHE" | "PARENT_SCOPE"))
                    .collect();
                let value = value.join(" ");
                self.assignment(source, command, &first, &value, doubt);
                if !(alternative && set_already) {
                    // Expanded now, so that `set(A "${A} more")` grows instead of looping.
                    let value = self.variables.expand(&value);
                    self.variables.set(&first, value);
                }
            }
            "include" => {
                if first.contains("pico_sdk_import") || first.contains("pico_sdk_init") {
                    self.outcome.pico = true;
                    self.outcome.pico_at.get_or_insert(at.clone());
                } else {
                    self.path(parent(&source.path), &first, doubt);
                }
                return;
            }
            "pico_sdk_init" => {
                self.outcome.pico = true;
                self.outcome.pico_at.get_or_insert(at);
            }
            "add_subdirectory" => {
                // What a library says of itself is weaker than what the project says.
                self.path(parent(&source.path), &format!("{first}/CMakeLists.txt"), doubt + 0.05);
                return;
            }
            "add_executable" => {
                let real = !command.arguments.iter().any(|a| matches!(a.text.as_str(), "IMPORTED" | "ALIAS"));
                let test = first.to_ascii_lowercase().contains("test");
                if real && !first.is_empty() && (!test || self.outcome.executable.is_none()) {
                    self.outcome.executable.get_or_insert((first.clone(), at.clone()));
                }
            }
            "add_custom_target" if is_flash_target(&first) => {
                self.outcome.flash_target.get_or_insert((first.clone(), at.clone()));
            }
            "set_target_properties" => {
                if let Some(index) = command.arguments.iter().position(|a| a.text == "SUFFIX")
                    && let Some(suffix) = command.argument(index + 1)
                {
                    self.outcome.suffix = suffix.to_owned();
                }
            }
            "add_compile_definitions" | "target_compile_definitions" | "add_definitions" => {
                for argument in &command.arguments {
                    let text = self.variables.expand(&argument.text);
                    let text = text.strip_prefix("-D").unwrap_or(&text);
                    let (name, value) = text.split_once('=').unwrap_or((text, ""));
                    let at = source.at(argument.line);
                    flags::define(name, &at, 0.9 - doubt, self.findings);
                    if name == "F_CPU" {
                        flags::read(&format!("F_CPU={value}"), &at, 0.9, self.findings);
                    }
                }
                return;
            }
            _ => {}
        }
        self.scan(source, command, doubt);
    }

    fn assignment(&mut self, source: &Source, command: &Command, name: &str, value: &str, doubt: f32) {
        let expanded = self.variables.expand(value);
        let line = command.arguments.get(1).map_or(command.line, |argument| argument.line);
        let at = source.at(line);
        match name {
            "CMAKE_TOOLCHAIN_FILE" => {
                self.outcome.sets_toolchain = true;
                self.path(parent(&source.path), &expanded, doubt);
            }
            "CMAKE_SYSTEM_NAME" => self.outcome.firmware |= expanded.starts_with("Generic"),
            "CMAKE_SYSTEM_PROCESSOR" => {
                if let Some(core) = chips::core_in(&expanded) {
                    self.findings.add("arch", core, at, 0.9 - doubt);
                }
            }
            "CMAKE_EXECUTABLE_SUFFIX" | "CMAKE_EXECUTABLE_SUFFIX_C" | "CMAKE_EXECUTABLE_SUFFIX_CXX" => {
                self.outcome.suffix = expanded;
            }
            "TOOLCHAIN_PREFIX" | "CROSS_COMPILE" => {
                let prefix = file_name(&expanded);
                let prefix = if prefix.ends_with('-') { prefix.to_owned() } else { format!("{prefix}-") };
                if prefix.len() > 3 {
                    flags::compiler(&format!("{prefix}gcc"), &prefix, &at, 0.85 - doubt, self.findings);
                }
            }
            "PICO_BOARD" => {
                self.findings.add("board", &expanded, at.clone(), 0.95 - doubt);
                if let Some((chip, confidence)) = boards::chip_of(&expanded) {
                    self.findings.add("mcu", chip, at, confidence - doubt);
                }
            }
            "PICO_PLATFORM" => {
                if let Some(part) = chips::part_in(&expanded) {
                    self.findings.add("mcu", part.name, at, 0.95 - doubt);
                }
            }
            _ => variables::assignment(name, &expanded, &at, Strength { doubt }, self.findings),
        }
    }

    /// Looks at every argument for flags, linker scripts and chips.
    fn scan(&mut self, source: &Source, command: &Command, doubt: f32) {
        let skip = usize::from(command.name == "set");
        for argument in command.arguments.iter().skip(skip) {
            let text = self.variables.expand(&argument.text);
            let at = source.at(argument.line);
            // A value that came out of a variable is better cited where the variable was set.
            let indirect = if text == argument.text { 0.0 } else { 0.06 };
            flags::read(&text, &at, 0.9 - doubt - indirect, self.findings);
            let mut scripts = flags::linker_scripts(&text);
            let lower = text.to_ascii_lowercase();
            if scripts.is_empty() && (lower.ends_with(".ld") || lower.ends_with(".lds")) {
                scripts.push(text.rsplit([' ', ',']).next().unwrap_or_default().to_owned());
            }
            for script in scripts {
                self.linker_script(source, &script, &at, doubt);
            }
            let path = text.contains('/') || lower.ends_with(".s") || lower.ends_with(".ld");
            if let Some(part) = chips::part_in(&text).filter(|part| part.specific) {
                let whole = part.end - part.start == text.len();
                let confidence = if whole {
                    0.86
                } else if path {
                    0.72
                } else {
                    0.78
                };
                self.findings.add("mcu", part.name, at.clone(), confidence - doubt);
            }
            if lower.contains("freertos") {
                self.findings.add("rtos", "freertos", at, 0.8 - doubt);
            }
        }
    }

    fn linker_script(&mut self, source: &Source, script: &str, at: &At, doubt: f32) {
        let from = parent(&source.path);
        let path = match script.strip_prefix("<src>") {
            Some(rest) => self.view.resolve(self.view.dir, rest.trim_start_matches('/')),
            None => self.view.resolve(from, script),
        };
        let found = path.filter(|path| self.view.tree.text(path).is_some()).or_else(|| {
            self.view.files().find(|file| file_name(file) == file_name(script)).map(str::to_owned)
        });
        if let Some(path) = found {
            self.findings.add("linker_script", path, at.clone(), 0.92 - doubt);
        }
        if let Some(part) = chips::part_in(file_name(script)) {
            self.findings.add("mcu", part.name, at.clone(), if part.specific { 0.85 } else { 0.45 } - doubt);
        }
    }

    /// A toolchain file that nobody names: read when it lies where people put them.
    fn toolchain_by_name(&mut self) -> Option<String> {
        let candidates: Vec<&str> = self
            .view
            .with_extension("cmake", 3)
            .filter(|file| {
                let name = file_name(file).to_ascii_lowercase();
                ["toolchain", "none-eabi", "arm-gcc", "gcc-arm", "cross", "avr", "stm32", "cortex"]
                    .iter()
                    .any(|sign| name.contains(sign))
            })
            .collect();
        let mut found = None;
        for file in candidates {
            let Some(source) = self.view.tree.text(file) else { continue };
            if !source.text.contains("CMAKE_SYSTEM_NAME") && !source.text.contains("CMAKE_C_COMPILER") {
                continue;
            }
            if self.seen.contains(file) {
                self.outcome.sets_toolchain = true;
                return None;
            }
            if found.is_none() {
                found = Some(file.to_owned());
                self.file(&source, 1, 0.1);
            }
        }
        found
    }

    fn finish(self) -> Outcome {
        let mut outcome = self.outcome;
        if outcome.pico {
            outcome.firmware = true;
            outcome.suffix = ".elf".to_owned();
            if self.findings.best("mcu").is_none_or(|best| best.confidence < 0.7)
                && let Some(at) = outcome.pico_at.clone()
            {
                // The SDK builds for the first Pico unless it is told otherwise.
                self.findings.add("mcu", "RP2040", at.clone(), 0.7);
                self.findings.add("arch", "cortex-m0plus", at, 0.7);
            }
        }
        outcome
    }
}

pub fn is_flash_target(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["flash", "upload", "program", "burn", "prog"];
    words.iter().any(|word| {
        name == *word
            || name.starts_with(&format!("{word}-"))
            || name.starts_with(&format!("{word}_"))
            || name.ends_with(&format!("-{word}"))
            || name.ends_with(&format!("_{word}"))
    })
}

/// What `CMakePresets.json` offers: the preset that a newcomer would take.
struct Presets {
    configure: String,
    build_preset: Option<String>,
    build_dir: Option<String>,
    toolchain: Option<String>,
    at: At,
}

impl Presets {
    fn read(view: View<'_>) -> Option<Self> {
        let source = view.first(&["CMakePresets.json", "CMakeUserPresets.json"])?;
        let value = json::parse(&source.text)?;
        let configure = value.get("configurePresets")?.as_array()?;
        let visible = |preset: &&Value| !preset.get("hidden").and_then(Value::as_bool).unwrap_or(false);
        let name_of = |preset: &Value| preset.get("name").and_then(Value::as_str).map(str::to_owned);
        let usable: Vec<&Value> = configure.iter().filter(visible).collect();
        let chosen = usable
            .iter()
            .find(|preset| name_of(preset).is_some_and(|name| name.eq_ignore_ascii_case("debug")))
            .or_else(|| usable.first())?;
        let name = name_of(chosen)?;
        let build_preset = value.get("buildPresets").and_then(Value::as_array).and_then(|presets| {
            presets
                .iter()
                .filter(visible)
                .find(|preset| preset.get("configurePreset").and_then(Value::as_str) == Some(&name))
                .and_then(name_of)
        });
        let text = |key: &str| inherited(configure, chosen, key, 8);
        let fill = |text: String| {
            text.replace("${sourceDir}/", "")
                .replace("${sourceDir}", ".")
                .replace("${presetName}", &name)
                .replace("${sourceDirName}", "")
        };
        let at = source.find_pair("\"name\"", &format!("\"{name}\"")).unwrap_or_else(|| source.at(1));
        Some(Self {
            build_dir: text("binaryDir").map(fill),
            toolchain: text("toolchainFile")
                .or_else(|| cached(configure, chosen, "CMAKE_TOOLCHAIN_FILE", 8))
                .map(|path| path.replace("${sourceDir}/", "").replace("${sourceDir}", ".")),
            configure: name,
            build_preset,
            at,
        })
    }
}

/// A field of a preset, or of what it inherits.
fn inherited(all: &[Value], preset: &Value, key: &str, depth: u8) -> Option<String> {
    if let Some(text) = preset.get(key).and_then(Value::as_str) {
        return Some(text.to_owned());
    }
    parents(all, preset, depth).find_map(|parent| inherited(all, parent, key, depth - 1))
}

/// A cache variable of a preset, or of what it inherits.
pub fn cached(all: &[Value], preset: &Value, name: &str, depth: u8) -> Option<String> {
    let value = preset.get("cacheVariables").and_then(|variables| variables.get(name));
    let text = value.and_then(|value| value.as_str().or_else(|| value.get("value").and_then(Value::as_str)));
    if let Some(text) = text {
        return Some(text.to_owned());
    }
    parents(all, preset, depth).find_map(|parent| cached(all, parent, name, depth - 1))
}

fn parents<'v>(all: &'v [Value], preset: &'v Value, depth: u8) -> impl Iterator<Item = &'v Value> {
    let names: Vec<&str> = match preset.get("inherits") {
        _ if depth == 0 => Vec::new(),
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).take(16).collect(),
        _ => Vec::new(),
    };
    names.into_iter().filter_map(move |name| {
        all.iter().find(|preset| preset.get("name").and_then(Value::as_str) == Some(name))
    })
}
