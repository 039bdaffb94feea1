//! What the C code gives away: FreeRTOS, start-up files, the console's speed.

use super::chips;
use super::findings::Findings;
use super::flags::pattern;
use super::source::At;
use super::tree::file_name;
use super::view::View;

pattern!(
    BAUD,
    r"(?i)\b(?:BaudRate\s*=\s*|BAUD(?:_?RATE)?\s*[=(\s]\s*|(?:uart|usart)\w*_(?:init|begin|setup|set_baudrate)\s*\([^;\n]*?)\(?([0-9]{4,7})\b"
);
pattern!(
    CLOCK,
    r"(?:#define\s+(?:F_CPU|SYSCLK_FREQ|SYSTEM_CLOCK|CPU_CLOCK_HZ|SystemCoreClock)|SystemCoreClock\s*=)\s*\(?\s*([0-9]{6,10})"
);

const MOST_FILES: usize = 40;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    for file in view.files() {
        let name = file_name(file);
        if name == "FreeRTOSConfig.h" {
            let at = view
                .tree
                .text(file)
                .and_then(|text| text.find("#define"))
                .unwrap_or(At { file: file.to_owned(), line: 1 });
            findings.add("rtos", "freertos", at, 0.88);
        } else if name == "tx_user.h" || name == "tx_api.h" {
            findings.add("rtos", "threadx", At { file: file.to_owned(), line: 1 }, 0.7);
        } else if name.to_ascii_lowercase().starts_with("startup_")
            && let Some(part) = chips::part_in(name).filter(|part| part.specific)
        {
            findings.add("mcu", part.name, At { file: file.to_owned(), line: 1 }, 0.66);
        }
    }
    let own = |file: &&str| {
        let lower = file.to_ascii_lowercase();
        (lower.ends_with(".c") || lower.ends_with(".cpp") || lower.ends_with(".h"))
            && !["drivers/", "middlewares/", "cmsis", "third_party", "vendor", "libopencm3", "freertos"]
                .iter()
                .any(|sign| lower.contains(sign))
    };
    for file in view.files().filter(own).take(MOST_FILES) {
        let Some(source) = view.tree.text(file) else { continue };
        for (number, line) in source.lines().take(4_000) {
            if line.trim_start().starts_with("//") || line.len() > 400 {
                continue;
            }
            if let Some(found) = BAUD.captures(line)
                && is_usual_speed(&found[1])
            {
                findings.add("serial_baud", &found[1], source.at(number), 0.68);
            }
            if let Some(found) = CLOCK.captures(line) {
                findings.add("clock_hz", &found[1], source.at(number), 0.66);
            }
        }
    }
}

fn is_usual_speed(text: &str) -> bool {
    [
        "1200", "2400", "4800", "9600", "14400", "19200", "38400", "57600", "74880", "76800", "115200",
        "230400", "250000", "256000", "460800", "500000", "921600", "1000000", "1500000", "2000000",
    ]
    .contains(&text)
}
