//! Arduino sketches: `.ino`, `sketch.yaml`, the editors' own files, and what the source includes.

use super::boards;
use super::findings::Findings;
use super::flags::pattern;
use super::source::{At, Source};
use super::syntax::json;
use super::tree::{file_name, parent};
use super::view::{View, quoted};

pattern!(FQBN, r"\b([A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.,=-]+)?)");
pattern!(
    FQBN_KEY,
    r"(?i)(?:fqbn)[\x22']?\s*[:=]\s*[\x22']?([A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.,=-]+)?)"
);
pattern!(FQBN_OPTION, r"--fqbn[ =]([A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.,=-]+)?)");
pattern!(BEGIN, r"\bSerial\d?\.begin\s*\(\s*([0-9]{3,8})\s*[,)]");

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(sketch) = sketch(view) else { return };
    let dir = parent(&sketch.path).to_owned();
    let inner = View { tree: view.tree, dir: &dir };
    let setup = sketch.find("void setup").unwrap_or_else(|| sketch.at(1));
    findings.add("build_system", "arduino", setup.clone(), 0.84);
    findings.add("rtos", "arduino", setup.clone(), 0.85);
    let stem = file_name(&sketch.path).trim_end_matches(".ino").trim_end_matches(".pde").to_owned();
    findings.add_for("arduino", "name", &stem, setup.clone(), 0.8);
    for (number, line) in sketch.lines() {
        if let Some(found) = BEGIN.captures(line)
            && !line.trim_start().starts_with("//")
        {
            findings.add("serial_baud", &found[1], sketch.at(number), 0.92);
        }
    }

    let mut found: Vec<(String, At, f32)> = Vec::new();
    project_files(inner, &mut found, findings);
    if dir != view.dir {
        project_files(view, &mut found, findings);
    }
    sketch_text(&sketch, &mut found);
    found.sort_by(|one, other| other.2.total_cmp(&one.2));
    let (fqbn, at, confidence) = found.first().cloned().unwrap_or_else(|| {
        // The board that every beginner's sketch is for.
        ("arduino:avr:uno".to_owned(), setup.clone(), 0.35)
    });
    let board = fqbn.splitn(4, ':').take(3).collect::<Vec<_>>().join(":");
    findings.add("board", &fqbn, at.clone(), confidence);
    if let Some((chip, sure)) = boards::chip_of(&fqbn).or_else(|| boards::chip_of(&board)) {
        findings.add("mcu", chip, at.clone(), confidence.min(sure));
    }
    let place = if dir == view.dir {
        ".".to_owned()
    } else {
        quoted(dir.strip_prefix(view.dir).unwrap_or(&dir).trim_start_matches('/'))
    };
    let at = if confidence > 0.5 { at } else { setup };
    let mut add = |key, command: String, confidence| {
        findings.add_for("arduino", key, view.command(&command), at.clone(), confidence);
    };
    add(
        "build_command",
        format!("arduino-cli compile --fqbn {} --output-dir build {place}", quoted(&fqbn)),
        confidence.max(0.4),
    );
    add(
        "flash_command",
        format!("arduino-cli upload --fqbn {} -p {{port}} --input-dir build {place}", quoted(&fqbn)),
        confidence.max(0.4),
    );
    findings.add_for("arduino", "elf", view.path(&format!("build/{}.ino.elf", stem)), at.clone(), 0.7);
    findings.add_for("arduino", "build_dir", view.path("build"), at, 0.7);
}

/// The main sketch: the one that is called like its directory before any other.
fn sketch(view: View<'_>) -> Option<std::rc::Rc<Source>> {
    let sketches: Vec<&str> = view
        .with_extension("ino", 3)
        .chain(view.with_extension("pde", 1))
        .filter(|file| !file.contains("/examples/") && !file.contains("libraries/"))
        .collect();
    let named = |file: &&&str| {
        let stem = file_name(file).rsplit_once('.').map_or("", |(stem, _)| stem);
        file_name(parent(file)) == stem
    };
    let here = sketches.iter().find(|file| parent(file) == view.dir);
    let chosen = here.or_else(|| sketches.iter().find(named)).or(sketches.first())?;
    view.tree.text(chosen)
}

fn project_files(view: View<'_>, found: &mut Vec<(String, At, f32)>, findings: &mut Findings) {
    for name in ["sketch.yaml", "sketch.yml"] {
        let Some(source) = view.text(name) else { continue };
        for (number, line) in source.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with('#') {
                continue;
            }
            if let Some(text) = trimmed.strip_prefix("default_port:") {
                findings.add("serial_port", text.trim().trim_matches('"'), source.at(number), 0.9);
            }
            if let Some(text) = FQBN_KEY.captures(trimmed) {
                let confidence = if trimmed.starts_with("default_fqbn") { 0.98 } else { 0.95 };
                found.push((text[1].to_owned(), source.at(number), confidence));
            }
        }
    }
    for name in [".vscode/arduino.json", "arduino.json", "sketch.json"] {
        let Some(source) = view.text(name) else { continue };
        let Some(value) = json::parse(&source.text) else { continue };
        let text = |key: &str| value.get(key).and_then(|value| value.as_str());
        if let Some(port) = text("port") {
            findings.add(
                "serial_port",
                port,
                source.find_pair("port", port).unwrap_or_else(|| source.at(1)),
                0.85,
            );
        }
        let fqbn = text("board")
            .or_else(|| value.get("cpu").and_then(|cpu| cpu.get("fqbn")).and_then(|fqbn| fqbn.as_str()));
        if let Some(fqbn) = fqbn.filter(|fqbn| FQBN.is_match(fqbn)) {
            let at = source.find(fqbn).unwrap_or_else(|| source.at(1));
            let whole = text("configuration").map_or(fqbn.to_owned(), |options| format!("{fqbn}:{options}"));
            found.push((whole, at, 0.93));
        }
    }
    let places = [
        "README.md",
        "readme.md",
        "README",
        "Makefile",
        "makefile",
        ".github/workflows/build.yml",
        ".github/workflows/compile.yml",
        ".github/workflows/compile-sketches.yml",
        ".github/workflows/main.yml",
        ".github/workflows/arduino.yml",
        "build.sh",
    ];
    for name in places {
        let Some(source) = view.text(name) else { continue };
        for (number, line) in source.lines() {
            let captured = FQBN_OPTION.captures(line).or_else(|| FQBN_KEY.captures(line));
            if let Some(text) = captured {
                found.push((text[1].to_owned(), source.at(number), 0.8));
            }
        }
    }
}

/// What the sketch itself says: comments that name a board, headers that only one core has.
fn sketch_text(sketch: &Source, found: &mut Vec<(String, At, f32)>) {
    const HEADERS: &[(&str, &str, f32)] = &[
        ("ESP8266WiFi.h", "esp8266:esp8266:nodemcuv2", 0.75),
        ("ESP8266WebServer.h", "esp8266:esp8266:nodemcuv2", 0.75),
        ("ESP8266HTTPClient.h", "esp8266:esp8266:nodemcuv2", 0.75),
        ("esp_camera.h", "esp32:esp32:esp32cam", 0.7),
        ("BLEDevice.h", "esp32:esp32:esp32", 0.7),
        ("esp_now.h", "esp32:esp32:esp32", 0.7),
        ("esp_wifi.h", "esp32:esp32:esp32", 0.7),
        ("BluetoothSerial.h", "esp32:esp32:esp32", 0.7),
        ("WebServer.h", "esp32:esp32:esp32", 0.55),
        ("M5Stack.h", "esp32:esp32:m5stack-core-esp32", 0.7),
        ("WiFiNINA.h", "arduino:samd:mkrwifi1010", 0.55),
        ("WiFi101.h", "arduino:samd:mkr1000", 0.55),
        ("ArduinoBLE.h", "arduino:mbed_nano:nano33ble", 0.5),
        ("WiFiS3.h", "arduino:renesas_uno:unor4wifi", 0.75),
        ("Arduino_LED_Matrix.h", "arduino:renesas_uno:unor4wifi", 0.75),
        ("Arduino_LSM9DS1.h", "arduino:mbed_nano:nano33ble", 0.65),
        ("bluefruit.h", "adafruit:nrf52:feather52840", 0.6),
        ("pico/stdlib.h", "rp2040:rp2040:rpipico", 0.7),
        ("WiFi.h", "esp32:esp32:esp32", 0.5),
        ("avr/", "arduino:avr:uno", 0.45),
    ];
    const NAMES: &[(&str, &str)] = &[
        ("uno r4 wifi", "arduino:renesas_uno:unor4wifi"),
        ("uno r4", "arduino:renesas_uno:minima"),
        ("nano 33 ble", "arduino:mbed_nano:nano33ble"),
        ("nano 33 iot", "arduino:samd:nano_33_iot"),
        ("nano every", "arduino:megaavr:nona4809"),
        ("nano esp32", "arduino:esp32:nano_nora"),
        ("arduino mega", "arduino:avr:mega"),
        ("mega 2560", "arduino:avr:mega"),
        ("mega2560", "arduino:avr:mega"),
        ("arduino leonardo", "arduino:avr:leonardo"),
        ("pro micro", "arduino:avr:leonardo"),
        ("arduino micro", "arduino:avr:micro"),
        ("arduino due", "arduino:sam:arduino_due_x"),
        ("arduino zero", "arduino:samd:arduino_zero_native"),
        ("mkr wifi 1010", "arduino:samd:mkrwifi1010"),
        ("mkr1000", "arduino:samd:mkr1000"),
        ("arduino nano", "arduino:avr:nano"),
        ("arduino uno", "arduino:avr:uno"),
        ("nodemcu", "esp8266:esp8266:nodemcuv2"),
        ("wemos d1", "esp8266:esp8266:d1_mini"),
        ("esp8266", "esp8266:esp8266:generic"),
        ("esp32-cam", "esp32:esp32:esp32cam"),
        ("esp32-s3", "esp32:esp32:esp32s3"),
        ("esp32s3", "esp32:esp32:esp32s3"),
        ("esp32-c3", "esp32:esp32:esp32c3"),
        ("esp32c3", "esp32:esp32:esp32c3"),
        ("esp32-s2", "esp32:esp32:esp32s2"),
        ("esp32", "esp32:esp32:esp32"),
        ("raspberry pi pico", "rp2040:rp2040:rpipico"),
        ("blue pill", "STMicroelectronics:stm32:GenF1:pnum=BLUEPILL_F103C8"),
        ("bluepill", "STMicroelectronics:stm32:GenF1:pnum=BLUEPILL_F103C8"),
        ("teensy 4.1", "teensy:avr:teensy41"),
        ("teensy 4.0", "teensy:avr:teensy40"),
        ("digispark", "digistump:avr:digispark-tiny"),
        ("attiny85", "ATTinyCore:avr:attinyx5:chip=85"),
    ];
    let mut comment = false;
    for (number, line) in sketch.lines().take(2_000) {
        let trimmed = line.trim();
        if let Some(include) = trimmed.strip_prefix("#include") {
            let include = include.trim().trim_matches(['<', '>', '"']);
            if let Some((_, fqbn, confidence)) =
                HEADERS.iter().find(|(header, ..)| include.starts_with(header))
            {
                found.push(((*fqbn).to_owned(), sketch.at(number), *confidence));
            }
        }
        comment |= trimmed.starts_with("/*");
        if comment || trimmed.starts_with("//") {
            if let Some(text) = FQBN_KEY.captures(trimmed).or_else(|| FQBN_OPTION.captures(trimmed)) {
                found.push((text[1].to_owned(), sketch.at(number), 0.9));
            }
            let lower = trimmed.to_ascii_lowercase();
            let stated = lower.contains("board") || lower.contains("target") || lower.contains("hardware");
            if let Some((_, fqbn)) = NAMES.iter().find(|(name, _)| lower.contains(name)) {
                found.push(((*fqbn).to_owned(), sketch.at(number), if stated { 0.8 } else { 0.6 }));
            }
        }
        if trimmed.contains("*/") {
            comment = false;
        }
    }
}
