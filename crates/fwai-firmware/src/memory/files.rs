//! Bytes per file: by the map where there is one, else by symbols and debug information.

use std::collections::BTreeMap;

use super::{
    map_file::MapFile,
    report::{FileUse, SectionKind, SectionUse, SymbolUse},
};

/// Row for bytes that alignment lost.
pub(super) const FILL: &str = "[fill]";
/// Row for bytes that nobody claims.
pub(super) const UNKNOWN: &str = "[unknown]";

/// Whether the map is of this very image: every section that both have agrees.
pub(super) fn map_fits(map: &MapFile, sections: &[SectionUse]) -> bool {
    if map.placed_by_address {
        return fits_by_address(map, sections);
    }
    let mut agreed = 0;
    for section in sections {
        let same_name = map.outputs.iter().find(|output| output.name == section.name && output.size > 0);
        match same_name {
            Some(output) if output.address == section.address && output.size == section.size => agreed += 1,
            Some(_) => return false,
            None => {}
        }
    }
    agreed > 0
}

/// Every piece lies in a section, and every section with pieces ends where its last piece does.
fn fits_by_address(map: &MapFile, sections: &[SectionUse]) -> bool {
    const ALIGNMENT: u64 = 8;
    let mut ends: Vec<u64> = vec![0; sections.len()];
    for piece in &map.pieces {
        let Some(section) = section_at(sections, piece.address) else { return false };
        ends[section] = ends[section].max(piece.address.saturating_add(piece.size));
    }
    let close = |(section, end): (&SectionUse, &u64)| {
        *end == 0 || section.address.saturating_add(section.size).abs_diff(*end) < ALIGNMENT
    };
    !map.pieces.is_empty() && sections.iter().zip(&ends).all(close)
}

fn section_at(sections: &[SectionUse], address: u64) -> Option<usize> {
    let holds =
        |section: &SectionUse| address.checked_sub(section.address).is_some_and(|at| at < section.size);
    sections.iter().position(holds)
}

/// By the map; also the fill inside sections.
pub(super) fn by_map(map: &MapFile, sections: &[SectionUse]) -> (Vec<FileUse>, u64) {
    let kinds: Vec<Option<(usize, SectionKind)>> = map
        .outputs
        .iter()
        .map(|output| {
            let at = sections
                .iter()
                .position(|section| section.name == output.name && section.address == output.address)?;
            Some((at, sections[at].kind))
        })
        .collect();
    let mut claimed: Vec<u64> = vec![0; sections.len()];
    let mut uses: Vec<FileUse> =
        map.files.iter().map(|name| FileUse { name: name.clone(), ..FileUse::default() }).collect();
    let mut fill = FileUse { name: FILL.to_string(), ..FileUse::default() };
    for piece in &map.pieces {
        let placed = if map.placed_by_address {
            section_at(sections, piece.address).map(|section| (section, sections[section].kind))
        } else {
            kinds.get(piece.output).copied().flatten()
        };
        let Some((section, kind)) = placed else { continue };
        let room = sections[section].size - claimed[section];
        let bytes = piece.size.min(room);
        claimed[section] += bytes;
        match piece.file {
            Some(file) => uses[file].add(kind, bytes),
            None => fill.add(kind, bytes),
        }
    }
    let mut unknown = FileUse { name: UNKNOWN.to_string(), ..FileUse::default() };
    for (section, claimed) in sections.iter().zip(claimed) {
        unknown.add(section.kind, section.size - claimed);
    }
    let padding = fill.size;
    uses.push(fill);
    uses.push(unknown);
    (sorted(uses), padding)
}

/// By symbols: each byte of a section belongs to the first symbol that covers it.
pub(super) fn by_symbols(symbols: &[SymbolUse], sections: &[SectionUse]) -> Vec<FileUse> {
    let mut in_order: Vec<&SymbolUse> = symbols.iter().collect();
    in_order.sort_by_key(|symbol| (symbol.address, std::cmp::Reverse(symbol.size)));
    let mut uses: BTreeMap<&str, FileUse> = BTreeMap::new();
    for section in sections {
        let end = section.address.saturating_add(section.size);
        let mut at = section.address;
        let first = in_order.partition_point(|symbol| symbol.address < section.address);
        for symbol in in_order[first..].iter().take_while(|symbol| symbol.address < end) {
            if symbol.section != section.name {
                continue;
            }
            let start = symbol.address.max(at);
            let stop = symbol.address.saturating_add(symbol.size).min(end);
            if stop <= start {
                continue;
            }
            uses.entry(UNKNOWN).or_default().add(section.kind, start - at);
            uses.entry(symbol.file.as_deref().unwrap_or(UNKNOWN))
                .or_default()
                .add(section.kind, stop - start);
            at = stop;
        }
        uses.entry(UNKNOWN).or_default().add(section.kind, end - at);
    }
    sorted(uses.into_iter().map(|(name, row)| FileUse { name: name.to_string(), ..row }).collect())
}

fn sorted(mut uses: Vec<FileUse>) -> Vec<FileUse> {
    uses.retain(|row| row.size > 0);
    uses.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arm's linker names two sections alike, so only addresses tell them apart.
    #[test]
    fn a_map_of_armlink_fits_its_image_and_no_other() {
        let map = MapFile::parse(
            "Memory Map of the image\n Execution Region ER_IROM1 (Exec base: 0x08000000, Load base: 0x08000000, Size: 0x10, Max: 0x1000, ABSOLUTE)\n 0x08000000 0x08000000 0x0000000c Code RO 1 .text main.o\n 0x0800000c 0x0800000c 0x00000004 PAD\n Execution Region RW_IRAM1 (Exec base: 0x20000000, Load base: 0x08000010, Size: 0x20, Max: 0x400, ABSOLUTE)\n 0x20000000 0x08000010 0x00000008 Data RW 2 .data main.o\n 0x20000008 - 0x00000018 Zero RW 3 .bss uart.o\n",
        );
        let row = |name: &str, address, size, kind| SectionUse {
            name: name.into(),
            address,
            size,
            kind,
            ..SectionUse::default()
        };
        let mut sections = vec![
            row("ER_IROM1", 0x0800_0000, 0x10, SectionKind::Text),
            row("RW_IRAM1", 0x2000_0000, 8, SectionKind::Data),
            row("RW_IRAM1", 0x2000_0008, 0x18, SectionKind::Bss),
        ];
        assert!(map_fits(&map, &sections));
        let (files, fill) = by_map(&map, &sections);
        assert_eq!(fill, 4);
        let of = |name: &str| {
            files.iter().find(|file| file.name == name).map(|file| (file.text, file.data, file.bss))
        };
        assert_eq!(of("main.o"), Some((12, 8, 0)));
        assert_eq!(of("uart.o"), Some((0, 0, 0x18)));
        assert_eq!(of(UNKNOWN), None);
        sections[2].size = 0x28;
        assert!(!map_fits(&map, &sections), "the map of another build");
    }
}
