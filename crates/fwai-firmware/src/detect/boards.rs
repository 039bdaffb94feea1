//! From a board's name, as build systems write it, to the chip on it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::chips::{self, data_lines};

static BOARDS: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    data_lines(include_str!("../../data/board-names.tsv")).filter_map(|line| line.split_once('\t')).collect()
});

/// The chip of a board, and how sure that is.
pub fn chip_of(board: &str) -> Option<(String, f32)> {
    let name = board.trim().to_ascii_lowercase();
    // Zephyr: `board@revision/soc/cluster/variant`; the chip stands in the name itself.
    if let Some((plain, qualifiers)) = name.split_once('/') {
        let soc = qualifiers.split('/').next().unwrap_or_default();
        return chips::whole_part(soc)
            .map(|part| (part.name, 0.93))
            .or_else(|| chip_of(plain.split('@').next().unwrap_or(plain)));
    }
    let name = name.split('@').next().unwrap_or_default();
    // OpenOCD calls ST's boards `st_nucleo_…`.
    let name = name.strip_prefix("st_").unwrap_or(name);
    // Arduino: `vendor:architecture:board:options`.
    if name.contains(':') {
        return chip_of_fqbn(board);
    }
    if let Some(chip) = BOARDS.get(name) {
        return Some(((*chip).to_owned(), 0.92));
    }
    named_after_chip(name).map(|chip| (chip, 0.85))
}

fn chip_of_fqbn(fqbn: &str) -> Option<(String, f32)> {
    let lower = fqbn.to_ascii_lowercase();
    let mut pieces = lower.splitn(4, ':');
    let (_vendor, architecture, board) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let options = pieces.next().unwrap_or_default();
    // `arduino:avr:nano:cpu=atmega328old`, `STMicroelectronics:stm32:GenF4:pnum=BLACKPILL_F411CE`.
    for option in options.split(',') {
        let Some((key, value)) = option.split_once('=') else { continue };
        match key {
            "pnum" => {
                if let Some(found) = chip_of(value) {
                    return Some(found);
                }
            }
            "cpu" => {
                let value = value.trim_end_matches("old");
                let value = value.strip_prefix("16mhz").or(value.strip_prefix("8mhz")).unwrap_or(value);
                let value = if value == "atmega328" { "atmega328p" } else { value };
                if let Some(part) = chips::whole_part(value) {
                    return Some((part.name, 0.93));
                }
            }
            _ => {}
        }
    }
    if let Some(found) = BOARDS.get(board) {
        return Some(((*found).to_owned(), 0.92));
    }
    named_after_chip(board)
        .map(|chip| (chip, 0.85))
        .or_else(|| chips::whole_part(architecture).map(|part| (part.name, 0.7)))
}

/// Boards that carry their chip's name: `nucleo_f401re`, `disco_f407vg`, `nrf52840_mdk`, `generic_stm32f103c8`.
fn named_after_chip(name: &str) -> Option<String> {
    for prefix in ["nucleo_", "nucleo-", "nucleo", "disco_", "disco-", "eval_", "weact_", "st_nucleo_"] {
        let Some(rest) = name.strip_prefix(prefix) else { continue };
        let rest: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        let candidate = format!("stm32{}", rest.strip_prefix("stm32").unwrap_or(&rest));
        if let Some(part) = chips::whole_part(&candidate).filter(|part| part.specific) {
            return Some(part.name);
        }
    }
    chips::part_in(name).filter(|part| part.specific).map(|part| part.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(board: &str, chip: Option<&str>) {
        assert_eq!(chip_of(board).map(|found| found.0).as_deref(), chip, "{board}");
    }

    #[test]
    fn boards_lead_to_chips() {
        check("nucleo_f401re", Some("STM32F401RET6"));
        check("NUCLEO_F401RE", Some("STM32F401RET6"));
        check("nucleo_f999zz", None);
        check("nucleo_f405rg", Some("STM32F405RG"));
        check("nucleo-f446ze", Some("STM32F446ZET6"));
        check("disco_f407vg", Some("STM32F407VGT6"));
        check("genericSTM32F103C8", Some("STM32F103C8T6"));
        check("genericSTM32F103V8", Some("STM32F103V8"));
        check("nrf52840dk/nrf52840", Some("nRF52840"));
        check("nrf5340dk/nrf5340/cpuapp/ns", Some("nRF5340"));
        check("esp32s3_devkitm/esp32s3/procpu", Some("esp32s3"));
        check("arduino:avr:uno", Some("ATmega328P"));
        check("arduino:avr:nano:cpu=atmega328old", Some("ATmega328P"));
        check("arduino:avr:mega:cpu=atmega2560", Some("ATmega2560"));
        check("esp32:esp32:esp32", Some("esp32"));
        check("esp32:esp32:some_new_board", Some("esp32"));
        check("esp8266:esp8266:nodemcuv2", Some("esp8266"));
        check("STMicroelectronics:stm32:GenF4:pnum=BLACKPILL_F411CE", Some("STM32F411CEU6"));
        check("rp2040:rp2040:rpipico", Some("RP2040"));
        check("native_sim", None);
    }

    #[test]
    fn every_chip_of_the_table_is_known_to_the_families() {
        for (board, chip) in BOARDS.iter() {
            assert!(
                chips::whole_part(chip).is_some(),
                "{board}: {chip} is no name that part-patterns.txt knows"
            );
            if !chip.starts_with("MCX")
                && !chip.starts_with("APOLLO")
                && !chip.starts_with("K210")
                && !chip.starts_with("MPS3")
            {
                assert!(chips::family(chip).is_some(), "{board}: {chip} has no family");
            }
        }
    }
}
