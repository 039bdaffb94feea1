//! Where in the source each log line stands, from the debug information.

use std::collections::{BTreeMap, HashMap};

use crate::elf::ElfImage;

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPlace {
    pub file: String,
    pub line: u64,
}

/// The places of the log lines that `numbers` has by symbol name; what damage hides is left out.
///
/// Each line is a variable `DEFMT_LOG_STATEMENT` whose linkage name is the symbol.
pub(super) fn log_places(image: &ElfImage, numbers: &HashMap<&str, u16>) -> BTreeMap<u16, LogPlace> {
    let mut places = BTreeMap::new();
    if !image.has_debug_info() {
        return places;
    }
    let endian = if image.big_endian { gimli::RunTimeEndian::Big } else { gimli::RunTimeEndian::Little };
    let sections = gimli::DwarfSections::load(|id| Ok::<_, gimli::Error>(image.debug_section(id.name())));
    let Ok(sections) = sections else { return places };
    let dwarf = sections.borrow(|section| gimli::EndianSlice::new(section, endian));
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let _ = places_of_unit(unit.unit_ref(&dwarf), numbers, &mut places);
    }
    places
}

fn places_of_unit<R: gimli::Reader>(
    unit: gimli::UnitRef<'_, R>,
    numbers: &HashMap<&str, u16>,
    places: &mut BTreeMap<u16, LogPlace>,
) -> gimli::Result<()> {
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        if entry.tag() != gimli::DW_TAG_variable {
            continue;
        }
        let (Some(linkage), Some(gimli::AttributeValue::FileIndex(file)), Some(line)) = (
            entry.attr_value(gimli::DW_AT_linkage_name),
            entry.attr_value(gimli::DW_AT_decl_file),
            entry.attr_value(gimli::DW_AT_decl_line).and_then(|line| line.udata_value()),
        ) else {
            continue;
        };
        let Ok(linkage) = unit.attr_string(linkage) else { continue };
        let Some(number) = numbers.get(&*linkage.to_string_lossy()?) else { continue };
        if let Some(file) = file_name(unit, file) {
            places.insert(*number, LogPlace { file, line });
        }
    }
    Ok(())
}

fn file_name<R: gimli::Reader>(unit: gimli::UnitRef<'_, R>, index: u64) -> Option<String> {
    let header = unit.line_program.as_ref()?.header();
    let file = header.file(index)?;
    let name = unit.attr_string(file.path_name()).ok()?;
    let directory = file.directory(header).and_then(|directory| unit.attr_string(directory).ok());
    let text = |reader: R| reader.to_string_lossy().ok().map(|text| text.into_owned());
    let name = text(name)?;
    Some(match directory.and_then(text) {
        Some(directory) if !name.starts_with('/') && !directory.is_empty() => format!("{directory}/{name}"),
        _ => name,
    })
}
