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
        let Some((section, kind)) = kinds[piece.output] else { continue };
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
