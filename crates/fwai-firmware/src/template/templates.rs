//! Every template, in one list; their files lie in `templates/`.

/// A new project.
#[derive(Debug)]
pub struct Template {
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// What the project file should say beyond what detection reads from the files.
    pub facts: &'static [(&'static str, &'static str)],
    /// Lines on the console that mean success, as regular expressions.
    pub boot_success: &'static [&'static str],
    pub boot_failure: &'static [&'static str],
    /// What must be there before it builds; empty where nothing is missing.
    pub needs: &'static str,
}

/// One file of a new project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFile {
    pub path: String,
    pub text: String,
}

macro_rules! files {
    ($($path:literal: $source:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../templates/", $source)))),*]
    };
}

const STM32_FACTS: &[(&str, &str)] = &[("board", "stm32vldiscovery")];

pub const TEMPLATES: &[Template] = &[
    Template {
        name: "bare-metal",
        summary: "C without an operating system; boots on the virtual board stm32vldiscovery",
        files: files! {
            "CMakeLists.txt": "bare-metal/CMakeLists.txt",
            "CMakePresets.json": "common/CMakePresets.json",
            "README.md": "bare-metal/README.md",
            ".gitignore": "common/gitignore",
            "cmake/arm-none-eabi.cmake": "common/cmake/arm-none-eabi.cmake",
            "linker/stm32f100rb.ld": "common/linker/stm32f100rb.ld",
            "src/build_id.c": "common/src/build_id.c",
            "src/build_id.h": "common/src/build_id.h",
            "src/main.c": "bare-metal/src/main.c",
            "src/startup.c": "common/src/startup.c",
            "src/uart.c": "common/src/uart.c",
            "src/uart.h": "common/src/uart.h",
        },
        facts: STM32_FACTS,
        boot_success: &["boot ok"],
        boot_failure: &["panic:"],
        needs: "",
    },
    Template {
        name: "freertos",
        summary: "C with FreeRTOS; the kernel's sources are yours to add",
        files: files! {
            "CMakeLists.txt": "freertos/CMakeLists.txt",
            "CMakePresets.json": "common/CMakePresets.json",
            "README.md": "freertos/README.md",
            ".gitignore": "common/gitignore",
            "cmake/arm-none-eabi.cmake": "common/cmake/arm-none-eabi.cmake",
            "linker/stm32f100rb.ld": "common/linker/stm32f100rb.ld",
            "src/FreeRTOSConfig.h": "freertos/src/FreeRTOSConfig.h",
            "src/build_id.c": "common/src/build_id.c",
            "src/build_id.h": "common/src/build_id.h",
            "src/main.c": "freertos/src/main.c",
            "src/startup.c": "common/src/startup.c",
            "src/uart.c": "common/src/uart.c",
            "src/uart.h": "common/src/uart.h",
        },
        facts: STM32_FACTS,
        boot_success: &["boot ok"],
        boot_failure: &["panic:"],
        needs: "the FreeRTOS kernel in third_party/FreeRTOS-Kernel (git clone --depth 1 https://github.com/FreeRTOS/FreeRTOS-Kernel.git third_party/FreeRTOS-Kernel)",
    },
    Template {
        name: "arduino",
        summary: "an Arduino sketch for the Uno; the board's core is yours to install",
        files: files! {
            "{{name}}/{{name}}.ino": "arduino/sketch.ino",
            "{{name}}/sketch.yaml": "arduino/sketch.yaml",
            "Makefile": "arduino/Makefile",
            "README.md": "arduino/README.md",
            ".gitignore": "common/gitignore",
        },
        facts: &[],
        boot_success: &["boot ok"],
        boot_failure: &[],
        needs: "the Arduino core in ~/.arduino15/packages/arduino/hardware/avr (arduino-cli core install arduino:avr)",
    },
];

/// The template of this name.
pub fn by_name(name: &str) -> Option<&'static Template> {
    let name = if name == "rtos" { "freertos" } else { name };
    TEMPLATES.iter().find(|template| template.name == name)
}

impl Template {
    /// The files of a project called `name` (see [`super::project_name`]).
    pub fn render(&self, name: &str) -> Vec<RenderedFile> {
        let fill = |text: &str| text.replace("{{name}}", name);
        self.files.iter().map(|(path, text)| RenderedFile { path: fill(path), text: fill(text) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_complete() {
        let mut seen = std::collections::BTreeSet::new();
        for template in TEMPLATES {
            assert!(seen.insert(template.name));
            let files = template.render("demo");
            assert!(files.iter().any(|file| file.path == "README.md"));
            for file in files {
                assert!(!file.text.contains("{{"), "{}: {}", template.name, file.path);
                assert!(!file.path.contains(".."), "{}", file.path);
            }
        }
    }
}
