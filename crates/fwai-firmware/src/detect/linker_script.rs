//! Linker scripts: the memory map, and the chip that a generated script names.

use std::collections::BTreeSet;

use super::chips;
use super::findings::Findings;
use super::flags::pattern;
use super::source::{At, Source};
use super::tree::{file_name, parent};
use super::view::View;
use crate::linker_script::{Defined, definitions_in};

/// One region of a `MEMORY` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub name: String,
    pub attributes: Option<String>,
    pub origin: u64,
    pub length: u64,
    pub at: At,
}

pattern!(MEMORY, r"\bMEMORY\b\s*\{");
pattern!(INCLUDE, r#"(?m)^\s*INCLUDE\s+"?([^\s"]+)"?"#);

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let named = findings.best("linker_script").map(|best| best.value.clone());
    let Some(path) = named.or_else(|| likely_script(view)) else { return };
    let Some(source) = view.tree.text(&path) else { return };
    if findings.best("linker_script").is_none() {
        let line = MEMORY.find(&source.text).map_or(1, |found| source.at_offset(found.start()).line);
        findings.add("linker_script", &path, source.at(line), 0.7);
    }
    if let Some(part) = chips::part_in(file_name(&path)) {
        findings.add("mcu", part.name, source.at(1), if part.specific { 0.7 } else { 0.35 });
    }
    for (number, line) in source.lines().take(60) {
        let lower = line.to_ascii_lowercase();
        let speaks_of_chip = ["target", "device", "chip", "mcu", "microcontroller", "linker script for"]
            .iter()
            .any(|word| lower.contains(word));
        if let Some(part) = chips::part_in(line).filter(|_| speaks_of_chip) {
            findings.add("mcu", part.name, source.at(number), if part.specific { 0.74 } else { 0.35 });
        }
    }
    for region in regions(view, &source) {
        findings.add("memory_region", describe(&region), region.at, 0.95);
    }
}

/// A script that nobody names: one with a `MEMORY` block, for flash before RAM.
fn likely_script(view: View<'_>) -> Option<String> {
    let mut found: Vec<&str> = ["ld", "lds", "x", "lcf"]
        .iter()
        .flat_map(|extension| view.with_extension(extension, 4))
        .filter(|path| view.tree.text(path).is_some_and(|text| MEMORY.is_match(&text.text)))
        .take(50)
        .collect();
    found.sort_by_key(|path| {
        (file_name(path).to_ascii_lowercase().contains("ram"), path.matches('/').count(), path.len())
    });
    found.first().map(|path| (*path).to_owned())
}

/// The regions of a script and of what it includes, in order.
pub fn regions(view: View<'_>, source: &Source) -> Vec<Region> {
    let mut texts = vec![(source.path.clone(), source.text.to_string())];
    let mut seen = BTreeSet::from([source.path.clone()]);
    let mut next = 0;
    while next < texts.len() && texts.len() < 10 {
        let (path, text) = texts[next].clone();
        for found in INCLUDE.captures_iter(&text) {
            let included =
                view.resolve(parent(&path), &found[1]).filter(|path| view.tree.text(path).is_some()).or_else(
                    || view.files().find(|file| file_name(file) == file_name(&found[1])).map(str::to_owned),
                );
            if let Some(included) = included
                && seen.insert(included.clone())
                && let Some(source) = view.tree.text(&included)
            {
                texts.push((included, source.text.to_string()));
            }
        }
        next += 1;
    }
    let contents: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let at = |found: &Defined| At { file: texts[found.text].0.clone(), line: found.line };
    definitions_in(&contents)
        .into_iter()
        .map(|found| Region {
            at: at(&found),
            name: found.region.name,
            attributes: found.region.attributes.filter(|letters| !letters.is_empty()),
            origin: found.region.origin,
            length: found.region.length,
        })
        .collect()
}

/// As a linker script would write it.
pub fn describe(region: &Region) -> String {
    let attributes = region.attributes.as_ref().map(|letters| format!(" ({letters})")).unwrap_or_default();
    let length = match region.length {
        length if length > 0 && length % (1 << 20) == 0 => format!("{}M", length >> 20),
        length if length > 0 && length % 1024 == 0 => format!("{}K", length >> 10),
        length => length.to_string(),
    };
    format!("{}{attributes} : ORIGIN = {:#010x}, LENGTH = {length}", region.name, region.origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::tree::{Limits, ProjectTree};

    fn read(files: &[(&str, &str)]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let tree = ProjectTree::scan(dir.path(), Limits::default()).unwrap();
        let view = View { tree: &tree, dir: "" };
        let source = tree.text(files[0].0).unwrap();
        regions(view, &source)
            .iter()
            .map(|region| format!("{}:{} {}", region.at.file, region.at.line, describe(region)))
            .collect()
    }

    #[test]
    fn every_way_to_write_a_size() {
        insta::assert_debug_snapshot!(read(&[("a.ld", "
_boot = 16K;
/* MEMORY { no (r) : ORIGIN = 0, LENGTH = 1 } */
MEMORY
{
  FLASH (rx)      : ORIGIN = 0x08000000 + _boot, LENGTH = 256K - _boot
  RAM (xrw)  : org = 0x20000000, len = 0x10000 /* comment */
  CCM : o = ORIGIN(RAM) + LENGTH(RAM), l = (1M / 4) - 4 * 1024
  BACKUP(rw) : ORIGIN = 1073883136, LENGTH = 4096
}
")]), @r#"
        [
            "a.ld:6 FLASH (rx) : ORIGIN = 0x08004000, LENGTH = 240K",
            "a.ld:7 RAM (xrw) : ORIGIN = 0x20000000, LENGTH = 64K",
            "a.ld:8 CCM : ORIGIN = 0x20010000, LENGTH = 252K",
            "a.ld:9 BACKUP (rw) : ORIGIN = 0x40022800, LENGTH = 4K",
        ]
        "#);
    }

    #[test]
    fn included_files_are_read() {
        let found = read(&[
            ("app.ld", "INCLUDE memory.ld\nSECTIONS { }\n"),
            ("memory.ld", "MEMORY { FLASH : ORIGIN = 0, LENGTH = 1M }\n"),
        ]);
        assert_eq!(found, ["memory.ld:1 FLASH : ORIGIN = 0x00000000, LENGTH = 1M"]);
    }
}
