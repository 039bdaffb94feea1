//! What compiler and linker flags say about the target, wherever they stand: in a Makefile, a CMake
//! argument, a Meson array, `compile_commands.json`, `build_flags` of PlatformIO.

use super::chips;
use super::findings::Findings;
use super::source::At;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).expect("constant pattern"));
    };
}
pub(crate) use pattern;

pattern!(MCPU, r"-mcpu=([A-Za-z0-9+._-]+)");
pattern!(MMCU, r"-mmcu=([A-Za-z0-9_-]+)");
pattern!(MARCH, r"-march=(rv32[a-z0-9_]*|rv64[a-z0-9_]*)");
pattern!(DEFINE, r"(?:^|[\s'\x22,;\[\](>:])-D\s*([A-Za-z_][A-Za-z0-9_]*)");
pattern!(F_CPU, r"F_CPU\s*[:?]?=\s*\(?\s*([0-9]{4,10})\s*U?L*");
pattern!(SCRIPT, r"(?:-T\s*|--script=|-Wl,-T,?)\s*\\?[\x22']?([^\s,;'\x22\\]+\.(?:lds|ld|x|icf))");
pattern!(
    COMPILER,
    r"\b((?:arm-none-eabi|arm-zephyr-eabi|avr|riscv(?:32|64)?-(?:unknown|none|esp|zephyr)-elf|xtensa-[a-z0-9]+-elf|msp430(?:-elf)?|mips-[a-z]+-elf|pic32)-)(?:gcc|g\+\+|c\+\+|clang)\b"
);

/// Reads one piece of a build file. `strength` is the confidence of a chip that a `-D` names.
pub fn read(text: &str, at: &At, strength: f32, findings: &mut Findings) {
    if let Some(found) = MMCU.captures(text) {
        let name = chips::whole_part(&found[1]).map_or_else(|| found[1].to_owned(), |part| part.name);
        findings.add("mcu", name, at.clone(), (strength + 0.04).min(0.95));
    }
    if let Some(found) = MCPU.captures(text)
        && let Some(core) = chips::core_in(&found[1])
    {
        findings.add("arch", core, at.clone(), 0.95);
    }
    if let Some(found) = MARCH.captures(text) {
        findings.add(
            "arch",
            if found[1].starts_with("rv64") { "riscv64" } else { "riscv32" },
            at.clone(),
            0.9,
        );
    }
    for found in DEFINE.captures_iter(text) {
        define(&found[1], at, strength, findings);
    }
    if let Some(found) = F_CPU.captures(text) {
        findings.add("clock_hz", &found[1], at.clone(), 0.92);
    }
    if let Some(found) = COMPILER.captures(text) {
        compiler(&found[0], &found[1], at, 0.9, findings);
    }
}

/// Linker scripts that flags name.
pub fn linker_scripts(text: &str) -> Vec<String> {
    SCRIPT.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

/// A preprocessor definition without its `-D`.
pub fn define(name: &str, at: &At, strength: f32, findings: &mut Findings) {
    // `BOARD_PCA10040` of the nRF5 SDK.
    if let Some(board) = name.strip_prefix("BOARD_")
        && let Some((chip, _)) = super::boards::chip_of(board)
    {
        findings.add("board", board.to_ascii_lowercase(), at.clone(), 0.85);
        findings.add("mcu", chip, at.clone(), strength - 0.1);
    }
    // A chip's own definition is only the chip's name; `STM32F4_HAL_TIMEOUT` is something else. Vendors
    // dress it up: `CPU_MK64FN1M0VLL12`, `PART_TM4C123GH6PM`, `__SAMD21J18A__`, `__AVR_ATmega328P__`.
    let bare = name.trim_matches('_');
    let bare = ["CPU_", "PART_", "TARGET_", "CHIP_", "MCU_", "DEVICE_", "SOC_", "AVR_"]
        .iter()
        .find_map(|prefix| bare.strip_prefix(prefix))
        .unwrap_or(bare);
    if let Some(part) = chips::whole_part(bare) {
        findings.add("mcu", part.name, at.clone(), if part.specific { strength } else { strength * 0.5 });
    } else if let Some((chip, rest)) = old_density_define(name) {
        findings.add("mcu", chip, at.clone(), strength * rest);
    }
}

/// The definitions of ST's old Standard Peripheral Library name density classes, not chips.
fn old_density_define(name: &str) -> Option<(&'static str, f32)> {
    Some(match name {
        "STM32F10X_LD" | "STM32F10X_MD" | "STM32F10X_HD" | "STM32F10X_XL" => ("STM32F103", 0.6),
        "STM32F10X_LD_VL" | "STM32F10X_MD_VL" | "STM32F10X_HD_VL" => ("STM32F100", 0.6),
        "STM32F10X_CL" => ("STM32F107", 0.6),
        "STM32F40_41xxx" | "STM32F40XX" => ("STM32F407", 0.5),
        "STM32F429_439xx" => ("STM32F429", 0.5),
        "STM32F427_437xx" => ("STM32F427", 0.5),
        _ => return None,
    })
}

/// A cross compiler and its prefix.
pub fn compiler(name: &str, prefix: &str, at: &At, confidence: f32, findings: &mut Findings) {
    findings.add("compiler", name.replace("g++", "gcc").replace("c++", "gcc"), at.clone(), confidence);
    findings.add("toolchain_prefix", prefix, at.clone(), confidence);
}

/// Whether a text speaks of a cross compiler or a microcontroller at all.
pub fn looks_like_firmware(text: &str) -> bool {
    pattern!(
        SIGNS,
        r"(?i)none-eabi|-mcpu=cortex|cortex-m[0-9]|-mmcu=|avr-gcc|avr-objcopy|riscv[0-9a-z-]*-elf|xtensa|openocd|st-flash|avrdude|nrfjprog|pyocd|libopencm3|\.ld\b|CMAKE_SYSTEM_NAME\s+Generic|pico_sdk|msp430|stm32|sdcc"
    );
    SIGNS.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, &str)]) {
        let mut findings = Findings::default();
        read(text, &At { file: "f".into(), line: 1 }, 0.9, &mut findings);
        let got: Vec<_> = findings.candidates.iter().map(|c| (c.key, c.value.as_str())).collect();
        assert_eq!(got, expect, "{text}");
    }

    #[test]
    fn flags_name_chip_core_and_clock() {
        check(
            "-mcpu=cortex-m4 -DUSE_HAL_DRIVER -DSTM32F407xx",
            &[("arch", "cortex-m4"), ("mcu", "STM32F407xx")],
        );
        check("-mmcu=atmega328p -DF_CPU=16000000UL", &[("mcu", "ATmega328P"), ("clock_hz", "16000000")]);
        check(
            "CFLAGS += -DBOARD_PCA10040 -DNRF52832_XXAA",
            &[("board", "pca10040"), ("mcu", "nRF52832"), ("mcu", "nRF52832_xxAA")],
        );
        check("'-DSTM32F302xE',", &[("mcu", "STM32F302xE")]);
        check("-D STM32F103xx", &[("mcu", "STM32F103xx")]);
        check("-DCPU_MK64FN1M0VLL12", &[("mcu", "MK64FN1M0VLL12")]);
        check("-D__SAMD21J18A__", &[("mcu", "SAMD21J18A")]);
        check("-DPART_TM4C123GH6PM", &[("mcu", "TM4C123GH6PM")]);
        check("-DSTM32_HAL_H -DFOO", &[]);
    }

    #[test]
    fn linker_scripts_are_found_in_every_spelling() {
        assert_eq!(
            linker_scripts("-T../stm32.ld -Wl,-T,a/b.lds -Wl,--script=c.ld"),
            ["../stm32.ld", "a/b.lds", "c.ld"]
        );
    }
}
