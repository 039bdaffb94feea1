//! What a microcontroller's name says: where one stands in a text, how the vendor spells it, which of
//! two names says more, and what is known of its family. The facts are data (`data/*.tsv`).

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// A chip's name found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// In the vendor's spelling.
    pub name: String,
    /// Byte offset in the text.
    pub start: usize,
    pub end: usize,
    /// Whether it names a chip and not only a family (`STM32F4xx`).
    pub specific: bool,
}

/// What is known of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    pattern: String,
    pub arch: String,
    /// Name of OpenOCD's `target/*.cfg`.
    pub openocd: Option<String>,
    pub documents: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Upper,
    Lower,
    Stm32,
    At,
    Nrf,
}

static PATTERNS: LazyLock<(Regex, Vec<Spelling>)> = LazyLock::new(|| {
    let mut alternatives = Vec::new();
    let mut spellings = Vec::new();
    for line in data_lines(include_str!("../../data/part-patterns.txt")) {
        let Some((spelling, pattern)) = line.split_once('\t') else { continue };
        spellings.push(match spelling {
            "lower" => Spelling::Lower,
            "stm32" => Spelling::Stm32,
            "at" => Spelling::At,
            "nrf" => Spelling::Nrf,
            _ => Spelling::Upper,
        });
        alternatives.push(format!("({pattern})"));
    }
    let all = RegexBuilder::new(&alternatives.join("|"))
        .case_insensitive(true)
        .build()
        .expect("the patterns in data/part-patterns.txt are checked by a test");
    (all, spellings)
});

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    data_lines(include_str!("../../data/chip-families.tsv"))
        .filter_map(|line| {
            let mut columns = line.split('\t');
            Some(Family {
                pattern: columns.next()?.to_owned(),
                arch: columns.next()?.to_owned(),
                openocd: columns.next().filter(|name| !name.is_empty()).map(str::to_owned),
                documents: columns
                    .next()
                    .unwrap_or_default()
                    .split(';')
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect(),
            })
        })
        .collect()
});

/// Lines of a data file without comments.
pub fn data_lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Every chip's name in a text, from left to right.
pub fn parts_in(text: &str) -> Vec<Part> {
    let (patterns, spellings) = &*PATTERNS;
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(captures) = patterns.captures_at(text, from) {
        let whole = captures.get(0).expect("group 0 is the match");
        from = whole.end().max(from + 1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before = text[..whole.start()].chars().next_back();
        let after = text[whole.end()..].chars().next();
        // `-DSTM32…`, `generic_stm32…`, `HAL_NRF52840`, but not a piece of a longer word.
        let starts = before.is_none_or(|c| !c.is_ascii_alphanumeric())
            || text[..whole.start()].ends_with("-D")
            || text[..whole.start()].to_ascii_lowercase().ends_with("generic");
        let ends = after.is_none_or(|c| !c.is_ascii_alphanumeric());
        if starts && ends {
            let index = (1..captures.len()).find(|&index| captures.get(index).is_some()).unwrap_or(1) - 1;
            let name = spell(whole.as_str(), spellings[index]);
            let specific = is_specific(&name);
            found.push(Part { name, start: whole.start(), end: whole.end(), specific });
        }
        if from >= text.len() {
            break;
        }
    }
    found
}

/// The first chip's name in a text, one that names a chip before one that names a family.
pub fn part_in(text: &str) -> Option<Part> {
    let mut parts = parts_in(text);
    let best = parts.iter().position(|part| part.specific).unwrap_or(0);
    (!parts.is_empty()).then(|| parts.swap_remove(best))
}

/// The whole text as a chip's name in the vendor's spelling.
pub fn whole_part(text: &str) -> Option<Part> {
    let text = text.trim().trim_matches(['"', '\'']);
    part_in(text).filter(|part| part.start == 0 && part.end == text.len())
}

/// What is known of this chip.
pub fn family(name: &str) -> Option<&'static Family> {
    let name = name.to_ascii_lowercase().replace("esp32-", "esp32");
    FAMILIES.iter().find(|family| fits(&family.pattern.to_ascii_lowercase(), &name))
}

/// Whether two names can mean the same chip: `x` stands for any letter, and the shorter one is a prefix.
pub fn compatible(one: &str, other: &str) -> bool {
    let (one, other) = (comparable(one), comparable(other));
    let wild = |a: char| a == 'x';
    one.chars().zip(other.chars()).all(|(a, b)| a == b || wild(a) || wild(b))
}

/// How many characters of a name say something.
pub fn precision(name: &str) -> usize {
    comparable(name).chars().filter(|&c| c != 'x').count()
}

/// A core (`cortex-m4`), where a text names one.
pub fn core_in(text: &str) -> Option<String> {
    static CORE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\bcortex-?(m0plus|m0\+|m0|m1|m23|m3|m33|m35p|m4f|m4|m52|m55|m7|m85|r4f?|r5f?|a[0-9]{1,2})\b")
            .expect("constant pattern")
    });
    let found = CORE.captures(text)?;
    let core = found[1].to_ascii_lowercase().replace("m0+", "m0plus");
    let core = if core == "m4f" { "m4".to_owned() } else { core };
    // `\b` does not stand after `+`, so `cortex-m0+` arrives as `m0`.
    let end = found.get(0).map_or(0, |found| found.end());
    let core = if core == "m0" && text[end..].starts_with('+') { "m0plus".to_owned() } else { core };
    Some(format!("cortex-{core}"))
}

fn comparable(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.split('_').next().unwrap_or_default();
    name.strip_prefix("at").filter(|rest| rest.starts_with("sam")).unwrap_or(name).replace('-', "")
}

fn fits(pattern: &str, name: &str) -> bool {
    let (body, open) = pattern.strip_suffix('*').map_or((pattern, false), |body| (body, true));
    let mut name = name.chars();
    for wanted in body.chars() {
        match name.next() {
            Some(got) if wanted == '?' || wanted == got => {}
            _ => return false,
        }
    }
    open || name.next().is_none()
}

fn spell(name: &str, spelling: Spelling) -> String {
    let upper = name.to_ascii_uppercase();
    match spelling {
        Spelling::Upper => upper,
        Spelling::Lower => name.to_ascii_lowercase(),
        Spelling::Stm32 => upper.replace('X', "x"),
        Spelling::Nrf => upper.replacen("NRF", "nRF", 1).replace("_XX", "_xx"),
        Spelling::At => ["ATmega", "ATtiny", "ATxmega"]
            .iter()
            .find(|prefix| upper.starts_with(&prefix.to_ascii_uppercase()))
            .map_or(upper.clone(), |prefix| format!("{prefix}{}", &upper[prefix.len()..])),
    }
}

/// `STM32F4`, `STM32F4xx` and `GD32F1xx` are families; `STM32F401xC` and `STM32F407xx` are chips.
fn is_specific(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("stm32") {
        return rest.chars().filter(|&c| c != 'x').count() >= 4 || (rest.starts_with("mp") && rest.len() > 3);
    }
    if lower.starts_with("gd32") || lower.starts_with("at32") {
        return lower.chars().filter(|&c| c != 'x').count() >= 8;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(part_in(text).map(|part| part.name).as_deref(), expect, "in {text:?}");
    }

    #[test]
    fn names_are_found_and_spelt_as_the_vendor_does() {
        check("-DSTM32F401xC", Some("STM32F401xC"));
        check("stm32f103c8t6", Some("STM32F103C8T6"));
        check("STM32F401CCUX_FLASH.ld", Some("STM32F401CCUx"));
        check("startup_stm32f407xx.s", Some("STM32F407xx"));
        check("-DNRF52832_XXAA", Some("nRF52832_xxAA"));
        check("-mmcu=atmega328p", Some("ATmega328P"));
        check("CONFIG_IDF_TARGET=\"esp32s3\"", Some("esp32s3"));
        check("Chip is ESP32-C3 (revision 3)", Some("esp32-c3"));
        check("genericSTM32F103C8", Some("STM32F103C8"));
        check("MK64FN1M0VLL12", Some("MK64FN1M0VLL12"));
        check("ATSAMD21G18A", Some("ATSAMD21G18A"));
        check("STM32F4xx_HAL_Driver", Some("STM32F4xx"));
        check("CMSIS::STM32F407VG", Some("STM32F407VG"));
        check("a plain sentence with makefile words", None);
        check("mystm32f4thing", None);
    }

    #[test]
    fn a_family_is_no_chip() {
        assert!(!part_in("STM32F4xx").unwrap().specific);
        assert!(!part_in("stm32f4").unwrap().specific);
        assert!(part_in("STM32F407xx").unwrap().specific);
        assert!(part_in("STM32L0").is_some_and(|part| !part.specific));
    }

    #[test]
    fn the_more_precise_of_two_compatible_names_is_known() {
        assert!(compatible("STM32F407xx", "STM32F407VGTx"));
        assert!(compatible("STM32F401xC", "STM32F401CCU6"));
        assert!(!compatible("STM32F401xC", "STM32F411xE"));
        assert!(!compatible("STM32F401xC", "STM32F401RET6"));
        assert!(precision("STM32F401CCU6") > precision("STM32F401xC"));
    }

    #[test]
    fn families_know_their_core_and_manual() {
        let f401 = family("STM32F401CCU6").unwrap();
        assert_eq!(
            (f401.arch.as_str(), f401.documents[0].as_str()),
            ("cortex-m4", "RM0368 reference manual")
        );
        assert_eq!(family("esp32-c3").unwrap().arch, "riscv32");
        assert_eq!(family("STM32G070RB").unwrap().documents[0], "RM0454 reference manual");
    }

    #[test]
    fn cores_are_read_from_flags_and_prose() {
        assert_eq!(core_in("-mcpu=cortex-m0plus").as_deref(), Some("cortex-m0plus"));
        assert_eq!(core_in("ARM Cortex-M0+ at 48 MHz").as_deref(), Some("cortex-m0plus"));
        assert_eq!(core_in("Cortex-M4F").as_deref(), Some("cortex-m4"));
        assert_eq!(core_in("cortex-monkey"), None);
    }
}
