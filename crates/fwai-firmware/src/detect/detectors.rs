//! Every detector, in one list. To add one: write `detect/<name>.rs` with a `detect` function, add a
//! line here, and a fixture under `tests/fixtures/projects/`.

use super::findings::Findings;
use super::view::View;

/// Something that reads one kind of file.
pub struct Detector {
    pub name: &'static str,
    /// What it reads, for people.
    pub reads: &'static str,
    pub run: fn(View<'_>, &mut Findings),
}

/// In the order in which they speak: of two findings that are equally sure, the earlier one counts.
/// Readers of what build files point to (linker scripts) come after them.
pub const DETECTORS: &[Detector] = &[
    Detector { name: "embedder-md", reads: "EMBEDDER.md", run: super::embedder_md::detect },
    Detector { name: "stm32cubemx", reads: "*.ioc", run: super::cubemx::detect },
    Detector { name: "platformio", reads: "platformio.ini, boards/*.json", run: super::platformio::detect },
    Detector {
        name: "zephyr",
        reads: "CMakeLists.txt, prj.conf, west.yml, sample.yaml, boards/",
        run: super::zephyr::detect,
    },
    Detector {
        name: "esp-idf",
        reads: "CMakeLists.txt, sdkconfig*, idf_component.yml",
        run: super::esp_idf::detect,
    },
    Detector {
        name: "cargo",
        reads: "Cargo.toml, .cargo/config.toml, Embed.toml, memory.x",
        run: super::cargo::detect,
    },
    Detector { name: "meson", reads: "meson.build, cross files", run: super::meson::detect },
    Detector {
        name: "cmake",
        reads: "CMakeLists.txt, *.cmake, CMakePresets.json",
        run: super::cmake::detect,
    },
    Detector { name: "make", reads: "Makefile, *.mk", run: super::make::detect },
    Detector {
        name: "arduino",
        reads: "*.ino, sketch.yaml, .vscode/arduino.json",
        run: super::arduino::detect,
    },
    Detector {
        name: "other-systems",
        reads: "mbed_app.json, SConstruct, *.csolution.yml, .cproject, *.uvprojx",
        run: super::other_systems::detect,
    },
    Detector {
        name: "compile-commands",
        reads: "compile_commands.json",
        run: super::compile_commands::detect,
    },
    Detector { name: "vscode", reads: ".vscode/launch.json", run: super::vscode::detect },
    Detector { name: "openocd", reads: "openocd.cfg", run: super::openocd::detect },
    Detector { name: "linker-script", reads: "*.ld, memory.x", run: super::linker_script::detect },
    Detector {
        name: "source-code",
        reads: "*.c, *.h, FreeRTOSConfig.h, startup_*",
        run: super::source_code::detect,
    },
    Detector { name: "readme", reads: "README.md", run: super::readme::detect },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_say_what_they_read() {
        let mut seen = std::collections::BTreeSet::new();
        for detector in DETECTORS {
            assert!(seen.insert(detector.name), "{} twice", detector.name);
            assert!(!detector.reads.is_empty());
        }
    }
}
