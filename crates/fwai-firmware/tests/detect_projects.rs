//! Detection on projects in the shape that real tools generate: value, file and line.

use std::path::{Path, PathBuf};

use fwai_firmware::detect::{Detection, Limits, detect};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/projects").join(name)
}

fn project(name: &str) -> Detection {
    detect(&fixture(name), Limits::default()).unwrap()
}

/// Fixture, key, value, place.
const EXPECTED: &[(&str, &str, &str, &str)] = &[
    ("cubemx-cmake", "build_system", "cmake", "CMakeLists.txt:27"),
    ("cubemx-cmake", "mcu", "STM32F401CCU6", "blackpill_logger.ioc:5"),
    (
        "cubemx-cmake",
        "build_command",
        "cmake --preset Debug && cmake --build --preset Debug",
        "CMakePresets.json:13",
    ),
    ("cubemx-cmake", "clock_hz", "84000000", "blackpill_logger.ioc:17"),
    ("cubemx-cmake", "serial_baud", "230400", "blackpill_logger.ioc:18"),
    ("cubemx-cmake", "name", "blackpill_logger", "CMakeLists.txt:27"),
    ("cubemx-cmake", "elf", "build/Debug/blackpill_logger.elf", "CMakeLists.txt:33"),
    ("cubemx-cmake", "arch", "cortex-m4", "cmake/gcc-arm-none-eabi.cmake:18"),
    ("cubemx-cmake", "linker_script", "STM32F401XX_FLASH.ld", "cmake/gcc-arm-none-eabi.cmake:22"),
    ("cubemx-makefile", "build_system", "make", "Makefile:60"),
    ("cubemx-makefile", "mcu", "STM32F407VGTx", "Makefile:54"),
    ("cubemx-makefile", "build_command", "make", "Makefile:60"),
    ("cubemx-makefile", "flash_command", "make flash", "Makefile:66"),
    ("cubemx-makefile", "elf", "build/motor_control.elf", "Makefile:62"),
    ("cubemx-makefile", "serial_baud", "115200", "Core/Src/main.c:5"),
    ("cubemx-makefile", "toolchain_prefix", "arm-none-eabi-", "Makefile:27"),
    ("cubemx-makefile", "debug_interface", "st-link", "Makefile:67"),
    ("libopencm3", "build_system", "make", "Makefile:16"),
    ("libopencm3", "mcu", "STM32F103C8T6", "Makefile:8"),
    ("libopencm3", "build_command", "make", "Makefile:16"),
    ("libopencm3", "flash_command", "make flash", "rules.mk:9"),
    ("libopencm3", "framework", "libopencm3", "Makefile:16"),
    ("platformio-envs", "build_system", "platformio", "platformio.ini:21"),
    ("platformio-envs", "mcu", "STM32F103C8T6", "platformio.ini:23"),
    ("platformio-envs", "build_command", "pio run", "platformio.ini:4"),
    ("platformio-envs", "flash_command", "pio run -t upload", "platformio.ini:4"),
    ("platformio-envs", "clock_hz", "72000000", "platformio.ini:24"),
    ("platformio-envs", "serial_baud", "57600", "platformio.ini:8"),
    ("platformio-envs", "debug_interface", "st-link", "platformio.ini:14"),
    ("platformio-esp32", "mcu", "esp32s3", "platformio.ini:3"),
    ("platformio-esp32", "build_command", "pio run", "platformio.ini:1"),
    ("platformio-esp32", "serial_port", "/dev/ttyACM0", "platformio.ini:6"),
    ("zephyr-app", "build_system", "zephyr", "CMakeLists.txt:5"),
    ("zephyr-app", "mcu", "nRF52840", "README.rst:6"),
    ("zephyr-app", "build_command", "west build -b nrf52840dk/nrf52840", "README.rst:6"),
    ("zephyr-app", "flash_command", "west flash", "README.rst:6"),
    ("zephyr-workspace", "build_system", "zephyr", "app/CMakeLists.txt:3"),
    ("zephyr-workspace", "mcu", "STM32F767ZIT6", "app/CMakeLists.txt:2"),
    ("zephyr-workspace", "build_command", "west build -b nucleo_f767zi app", "app/CMakeLists.txt:2"),
    ("esp-idf", "build_system", "esp-idf", "CMakeLists.txt:5"),
    ("esp-idf", "mcu", "esp32c3", "sdkconfig.defaults:1"),
    ("esp-idf", "build_command", "idf.py build", "CMakeLists.txt:5"),
    ("esp-idf", "clock_hz", "160000000", "sdkconfig.defaults:2"),
    ("esp-idf", "summary", "Starts a FreeRTOS task to print \"Hello World\"", "README.md:6"),
    ("arduino-sketch", "build_system", "arduino", "Thermostat/Thermostat.ino:4"),
    ("arduino-sketch", "mcu", "ATmega2560", "Thermostat/sketch.yaml:3"),
    (
        "arduino-sketch",
        "build_command",
        "arduino-cli compile --fqbn arduino:avr:mega:cpu=atmega2560 --output-dir build Thermostat",
        "Thermostat/sketch.yaml:3",
    ),
    ("arduino-sketch", "serial_port", "/dev/ttyACM1", "Thermostat/sketch.yaml:7"),
    ("arduino-bare", "mcu", "esp8266", "arduino-bare.ino:3"),
    ("arduino-bare", "serial_baud", "74880", "arduino-bare.ino:8"),
    ("cargo-stm32", "build_system", "cargo", "Cargo.toml:1"),
    ("cargo-stm32", "mcu", "STM32F411CEUx", ".cargo/config.toml:7"),
    ("cargo-stm32", "build_command", "cargo build --release", ".cargo/config.toml:12"),
    ("cargo-stm32", "flash_command", "probe-rs download --chip STM32F411CEUx {elf}", ".cargo/config.toml:3"),
    ("cargo-stm32", "summary", "Reads the IMU and talks to the flight controller", "Cargo.toml:5"),
    ("cargo-quickstart", "mcu", "LM3S6965", ".cargo/config.toml:3"),
    ("cargo-quickstart", "name", "hello-qemu", "Cargo.toml:5"),
    ("meson", "build_system", "meson", "meson.build:1"),
    ("meson", "mcu", "STM32F302RETx", "meson.build:5"),
    (
        "meson",
        "build_command",
        "meson setup build --cross-file cross/stm32f302.ini && meson compile -C build",
        "meson.build:1",
    ),
    ("meson", "flash_command", "meson compile -C build flash", "meson.build:12"),
    ("embedder-md", "build_system", "custom", "EMBEDDER.md:14"),
    ("embedder-md", "mcu", "STM32L476RG", "EMBEDDER.md:5"),
    ("embedder-md", "build_command", "./build.sh release", "EMBEDDER.md:14"),
    ("embedder-md", "serial_baud", "460800", "EMBEDDER.md:22"),
    ("embedder-md", "gdb_server_port", "61234", "EMBEDDER.md:18"),
    ("pico-sdk", "build_system", "cmake", "CMakeLists.txt:8"),
    ("pico-sdk", "mcu", "RP2040", "CMakeLists.txt:3"),
    ("pico-sdk", "build_command", "cmake -S . -B build && cmake --build build", "CMakeLists.txt:8"),
    ("nrf5-sdk", "mcu", "nRF52832_xxAA", "pca10040/s132/armgcc/Makefile:19"),
    ("nrf5-sdk", "build_command", "cd pca10040/s132/armgcc && make", "pca10040/s132/armgcc/Makefile:35"),
    ("nrf5-sdk", "board", "pca10040", "pca10040/s132/armgcc/Makefile:16"),
    ("avr-makefile", "mcu", "ATmega328P", "Makefile:2"),
    ("avr-makefile", "clock_hz", "16000000", "Makefile:3"),
    ("avr-makefile", "build_command", "make", "Makefile:11"),
    ("avr-makefile", "flash_command", "make flash", "Makefile:17"),
    ("riot", "mcu", "STM32F446RET6", "Makefile:5"),
    ("riot", "board", "nucleo-f446re", "Makefile:5"),
    ("riot", "rtos", "riot", "Makefile:12"),
    ("riot", "flash_command", "make flash", "Makefile:12"),
    ("contiki", "mcu", "nRF52840", "Makefile:4"),
    ("contiki", "rtos", "contiki-ng", "Makefile:7"),
    ("mbed", "build_system", "mbed", "mbed-os.lib:1"),
    ("mbed", "mcu", "STM32F429ZIT6", "mbed_app.json:6"),
    ("mbed", "build_command", "mbed compile -t GCC_ARM -m NUCLEO_F429ZI", "mbed_app.json:6"),
    ("cmake-toolchain", "mcu", "STM32G071xB", "CMakeLists.txt:4"),
    (
        "cmake-toolchain",
        "build_command",
        "cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=cmake/arm-toolchain.cmake && cmake --build build",
        "CMakeLists.txt:2",
    ),
    ("cmake-toolchain", "flash_command", "cmake --build build --target flash", "CMakeLists.txt:13"),
    ("cmake-toolchain", "linker_script", "ld/valve.ld", "CMakeLists.txt:6"),
    ("nested", "build_system", "make", "firmware/Makefile:4"),
    ("nested", "mcu", "STM32L432xx", "firmware/Makefile:2"),
    ("nested", "build_command", "cd firmware && make", "firmware/Makefile:4"),
    ("chibios", "mcu", "STM32F407xG", "Makefile:7"),
    ("chibios", "arch", "cortex-m4", "Makefile:2"),
    ("esp-idf-make", "build_system", "esp-idf", "Makefile:2"),
    ("esp-idf-make", "build_command", "make", "Makefile:2"),
    ("contiki-board", "mcu", "CC2538", "Makefile:3"),
    ("make-openocd-board", "mcu", "STM32L476RGT6", "Makefile:15"),
    ("make-openocd-board", "flash_command", "make load", "Makefile:14"),
    ("cargo-workspace", "build_command", "cd app && cargo build --release", "app/Cargo.toml:6"),
    ("cargo-workspace", "mcu", "STM32G474RE", "app/Cargo.toml:8"),
    ("cargo-workspace", "rtos", "embassy", "app/Cargo.toml:6"),
    ("cubeide", "build_system", "stm32cubemx", "gimbal.ioc:6"),
    ("cubeide", "mcu", "STM32G431KBT6", "gimbal.ioc:1"),
    ("cubeide", "rtos", "freertos", "gimbal.ioc:2"),
    ("platformio-native-first", "mcu", "esp8266", "platformio.ini:10"),
    ("platformio-native-first", "build_command", "pio run -e d1", "platformio.ini:8"),
];

#[test]
fn every_fixture_says_what_it_is_and_where() {
    let mut wrong = Vec::new();
    for (name, key, value, place) in EXPECTED {
        let found = project(name).get(key).map(|finding| {
            (
                finding.value.clone(),
                format!("{}:{}", finding.file.as_deref().unwrap_or("-"), finding.line.unwrap_or(0)),
            )
        });
        if found.as_ref().map(|(value, place)| (value.as_str(), place.as_str())) != Some((*value, *place)) {
            wrong.push(format!("{name} {key}: expected {value} at {place}, got {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_finding_points_into_a_file_that_has_that_line() {
    for entry in std::fs::read_dir(fixture("")).unwrap() {
        let root = entry.unwrap().path();
        let detection = detect(&root, Limits::default()).unwrap();
        for finding in detection.findings.iter().chain(&detection.alternatives) {
            let file = root.join(finding.file.as_ref().expect("every finding has a file"));
            let lines = std::fs::read_to_string(&file).unwrap().lines().count() as u32;
            let line = finding.line.expect("every finding has a line");
            assert!((1..=lines).contains(&line), "{finding:?} in {}", file.display());
            assert!(finding.confidence > 0.0 && finding.confidence <= 1.0, "{finding:?}");
        }
    }
}

#[test]
fn memory_maps_are_read_with_expressions_and_includes() {
    let regions: Vec<_> = project("cmake-toolchain")
        .regions
        .into_iter()
        .map(|region| (region.name, region.origin, region.length))
        .collect();
    assert_eq!(
        regions,
        [("FLASH".to_owned(), 0x0800_2000, 120 * 1024), ("RAM".to_owned(), 0x2000_0000, 36 * 1024)]
    );
}

#[test]
fn nothing_is_invented_where_nothing_is_said() {
    let detection = project("nothing");
    assert!(detection.findings.is_empty(), "{:?}", detection.findings);
    assert_eq!(detection.missing, ["build_system", "mcu", "build_command", "flash_command"]);
    assert_eq!(detection.value("name"), Some("nothing"));
}

#[test]
fn documents_fit_the_chip() {
    let documents = project("cubemx-cmake").documents;
    assert!(documents.iter().any(|name| name.contains("RM0368")), "{documents:?}");
    assert!(documents.iter().any(|name| name.starts_with("errata")), "{documents:?}");
    assert!(project("nothing").documents.iter().any(|name| name.starts_with("schematic")));
}

#[test]
fn a_directory_in_the_place_of_a_build_file_is_one_clear_error() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("CMakeLists.txt")).unwrap();
    let error = detect(dir.path(), Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with("CMakeLists.txt: a directory stands where a file is expected"), "{error}");
}

/// Every marker file filled with junk of several kinds: nothing panics, nothing hangs.
#[test]
fn junk_in_every_file_is_survived() {
    let names = [
        "CMakeLists.txt",
        "CMakePresets.json",
        "Makefile",
        "meson.build",
        "cross.ini",
        "platformio.ini",
        "prj.conf",
        "west.yml",
        "sample.yaml",
        "sdkconfig",
        "sketch.ino",
        "sketch.yaml",
        "a.ioc",
        "Cargo.toml",
        ".cargo/config.toml",
        "Embed.toml",
        "memory.x",
        "a.ld",
        "mbed_app.json",
        "SConstruct",
        "rtconfig.py",
        "a.csolution.yml",
        ".cproject",
        "a.uvprojx",
        ".vscode/launch.json",
        "openocd.cfg",
        "compile_commands.json",
        "EMBEDDER.md",
        "README.md",
        "main.c",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let pieces: &[&str] = &[
        "set(",
        "${",
        "}",
        "$(",
        ")",
        "\n",
        "MEMORY {",
        "FLASH : ORIGIN = ",
        "LENGTH = 99999999999999999999K",
        "\"",
        "'",
        "\\",
        "#",
        "[",
        "]",
        "=",
        "-DSTM32F4",
        "-mcpu=",
        "ä",
        "\u{0}",
        "\t",
        "include ",
        "ifeq (",
        "else",
        "find_package(Zephyr",
        "[env:",
        "extends = a",
        "<OVERVIEW>",
        "Target MCU = ",
        "0x",
        ":",
        "project(",
        "/*",
        "*/",
        "-T",
        ".ld ",
        "tools/cmake/project.cmake",
        "{\"configurePresets\": [{",
        "--chip",
        "runner",
        "\u{feff}",
        "esp32",
        "(((((((((((",
        "<<",
        "ORIGIN(",
        "MCU = $(MCU)",
        "board = x\n",
    ];
    for round in 0..60 {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".cargo")).unwrap();
        std::fs::create_dir_all(dir.path().join(".vscode")).unwrap();
        for name in names {
            let mut bytes = Vec::new();
            for _ in 0..(random() % 80) {
                if round % 3 == 0 {
                    bytes.extend(random().to_le_bytes());
                } else {
                    bytes.extend(pieces[(random() % pieces.len() as u64) as usize].as_bytes());
                }
            }
            std::fs::write(dir.path().join(name), bytes).unwrap();
        }
        detect(dir.path(), Limits::default()).unwrap();
    }
}

#[test]
fn truncated_fixtures_are_survived() {
    for name in ["cubemx-cmake", "cargo-stm32", "platformio-envs", "meson", "zephyr-app"] {
        let root = fixture(name);
        for entry in ignore::WalkBuilder::new(&root).hidden(false).build().flatten() {
            if !entry.path().is_file() {
                continue;
            }
            let whole = std::fs::read(entry.path()).unwrap();
            let dir = tempfile::tempdir().unwrap();
            let target = dir.path().join(entry.path().strip_prefix(&root).unwrap());
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            for step in 0..8 {
                std::fs::write(&target, &whole[..whole.len() * step / 8]).unwrap();
                detect(dir.path(), Limits::default()).unwrap();
            }
        }
    }
}
