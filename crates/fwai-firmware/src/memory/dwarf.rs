//! Which source file a symbol comes from, by debug information.

use std::collections::HashMap;

use gimli::{EndianSlice, RunTimeEndian};

use crate::elf::ElfImage;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// Source files by the address of a function or variable.
#[derive(Default)]
pub(super) struct SourceFiles {
    pub names: Vec<String>,
    pub by_address: HashMap<u64, u32>,
}

impl SourceFiles {
    pub fn at(&self, address: u64) -> Option<&str> {
        self.by_address.get(&address).map(|index| self.names[*index as usize].as_str())
    }

    /// Read every unit; damaged ones are skipped.
    pub fn read(image: &ElfImage) -> Self {
        if !image.has_debug_info() {
            return Self::default();
        }
        let endian = if image.big_endian { RunTimeEndian::Big } else { RunTimeEndian::Little };
        let Ok(sections) =
            gimli::DwarfSections::load(|id| Ok::<_, gimli::Error>(image.debug_section(id.name())))
        else {
            return Self::default();
        };
        let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
        let mut headers = Vec::new();
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            headers.push(header);
        }
        let workers =
            std::thread::available_parallelism().map_or(1, usize::from).min(8).min(headers.len().max(1));
        let share = headers.len().div_ceil(workers).max(1);
        let parts: Vec<Self> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                headers.chunks(share).map(|part| scope.spawn(|| read_units(&dwarf, part))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let mut all = Self::default();
        for part in parts {
            let shift = all.names.len() as u32;
            all.names.extend(part.names);
            all.by_address.extend(part.by_address.into_iter().map(|(address, name)| (address, name + shift)));
        }
        all
    }
}

fn read_units(dwarf: &gimli::Dwarf<Slice<'_>>, headers: &[gimli::UnitHeader<Slice<'_>>]) -> SourceFiles {
    let mut files = SourceFiles::default();
    for header in headers {
        // A unit that cannot be read tells nothing, and the others still do.
        let _ = read_unit(dwarf, *header, &mut files);
    }
    files
}

fn read_unit(
    dwarf: &gimli::Dwarf<Slice<'_>>,
    header: gimli::UnitHeader<Slice<'_>>,
    files: &mut SourceFiles,
) -> Result<(), gimli::Error> {
    let unit = dwarf.unit(header)?;
    let Some(name) = unit.name else { return Ok(()) };
    let mut path = name.to_string_lossy().into_owned();
    if let Some(directory) = unit.comp_dir.filter(|_| !path.starts_with('/') && !path.contains(":\\")) {
        path = format!("{}/{path}", directory.to_string_lossy());
    }
    let number = files.names.len() as u32;
    files.names.push(path);
    let mut entries = unit.entries_raw(None)?;
    while !entries.is_empty() {
        let Some(abbreviation) = entries.read_abbreviation()? else { continue };
        let wanted = match abbreviation.tag() {
            gimli::DW_TAG_variable => gimli::DW_AT_location,
            gimli::DW_TAG_subprogram => gimli::DW_AT_low_pc,
            _ => {
                entries.skip_attributes(abbreviation.attributes())?;
                continue;
            }
        };
        for specification in abbreviation.attributes() {
            if specification.name() != wanted {
                entries.skip_attributes(std::slice::from_ref(specification))?;
                continue;
            }
            let value = entries.read_attribute(*specification)?.value();
            let address = match value {
                gimli::AttributeValue::Exprloc(expression) => fixed_address(dwarf, &unit, expression),
                other => dwarf.attr_address(&unit, other)?,
            };
            if let Some(address) = address.filter(|address| *address != 0) {
                files.by_address.insert(address, number);
            }
        }
    }
    Ok(())
}

/// The address of a variable that has one for good: `DW_OP_addr` or `DW_OP_addrx` alone.
fn fixed_address(
    dwarf: &gimli::Dwarf<Slice<'_>>,
    unit: &gimli::Unit<Slice<'_>>,
    expression: gimli::Expression<Slice<'_>>,
) -> Option<u64> {
    let mut operations = expression.operations(unit.encoding());
    match operations.next().ok()?? {
        gimli::Operation::Address { address } => Some(address),
        gimli::Operation::AddressIndex { index } => dwarf.address(unit, index).ok(),
        _ => None,
    }
}
