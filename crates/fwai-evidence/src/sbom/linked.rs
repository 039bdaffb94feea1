//! Which sources are in an image, from its DWARF, and which compilers made it.
//!
//! A unit of which the linker kept nothing is not in the image: its addresses are gone (zero) or lie
//! outside every loaded section.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use gimli::{AttributeValue, EndianSlice, RunTimeEndian};
use object::{Object, ObjectSection, SectionFlags};

#[derive(Debug, Default)]
pub(super) struct Linked {
    /// Source path (as DWARF has it, joined with its directory) → address ranges of its code.
    pub sources: BTreeMap<String, Vec<(u64, u64)>>,
    /// `DW_AT_producer` of linked units.
    pub producers: BTreeSet<String>,
    /// Loaded bytes by address.
    loaded: Vec<(u64, Vec<u8>)>,
    /// Where sections lie in memory, also those without bytes in the file.
    ranges: Vec<(u64, u64)>,
}

impl Linked {
    /// The linked bytes of some ranges, for files that cannot be read any more.
    pub fn code(&self, ranges: &[(u64, u64)]) -> Vec<u8> {
        let mut code = Vec::new();
        for (start, end) in ranges {
            for (address, bytes) in &self.loaded {
                let from = start.saturating_sub(*address) as usize;
                let to = end.saturating_sub(*address) as usize;
                if start >= address && to <= bytes.len() && from < to {
                    code.extend_from_slice(&bytes[from..to]);
                }
            }
        }
        code
    }

    /// Everything that is loaded.
    pub fn all_code(&self) -> Vec<u8> {
        self.loaded.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    }

    fn is_loaded(&self, at: u64) -> bool {
        at != 0 && self.ranges.iter().any(|(start, end)| (*start..*end).contains(&at))
    }
}

pub(super) fn linked(image: &[u8]) -> Result<Linked, String> {
    let file = object::File::parse(image).map_err(|error| error.to_string())?;
    let mut linked = Linked::default();
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        if sh_flags.0 & object::elf::SHF_ALLOC.0 == 0 {
            continue;
        }
        linked.ranges.push((section.address(), section.address().saturating_add(section.size())));
        if let Ok(bytes) = section.data()
            && !bytes.is_empty()
        {
            linked.loaded.push((section.address(), bytes.to_vec()));
        }
    }
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let load = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(section.and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(load).map_err(|error| error.to_string())?;
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let mut units = dwarf.units();
    // One broken unit ends the list, since where the next begins is unknown; what was read stays.
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header) {
            let _ = read_unit(&dwarf, &unit, &mut linked);
        }
    }
    Ok(linked)
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

fn read_unit(
    dwarf: &gimli::Dwarf<Slice<'_>>,
    unit: &gimli::Unit<Slice<'_>>,
    linked: &mut Linked,
) -> gimli::Result<()> {
    let text = |slice: Slice<'_>| slice.to_string_lossy().into_owned();
    let directory = unit.comp_dir.map(text).unwrap_or_default();
    let name = unit.name.map(text).unwrap_or_default();
    let mut files: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    if let Some(program) = unit.line_program.clone() {
        let (program, sequences) = program.sequences()?;
        for sequence in sequences.iter().filter(|sequence| linked.is_loaded(sequence.start)) {
            let mut rows = program.resume_from(sequence);
            let mut current: Option<(String, u64)> = None;
            while let Some((header, row)) = rows.next_row()? {
                if let Some((file, start)) = current.take()
                    && row.address() > start
                {
                    files.entry(file).or_default().push((start, row.address()));
                }
                if row.end_sequence() {
                    continue;
                }
                if let Some(entry) = row.file(header) {
                    let mut path = String::new();
                    if let Some(folder) = entry.directory(header) {
                        path = text(dwarf.attr_string(unit, folder)?);
                    }
                    let file_name = text(dwarf.attr_string(unit, entry.path_name())?);
                    path = join(&join(&directory, &path), &file_name);
                    current = Some((path, row.address()));
                }
            }
        }
    }
    let has_code = !files.is_empty();
    if has_code || has_loaded_variable(unit, linked)? {
        files.entry(join(&directory, &name)).or_default();
        if let Some(producer) = producer(dwarf, unit)? {
            linked.producers.insert(producer);
        }
    }
    for (file, ranges) in files {
        linked.sources.entry(file).or_default().extend(ranges);
    }
    Ok(())
}

fn producer(dwarf: &gimli::Dwarf<Slice<'_>>, unit: &gimli::Unit<Slice<'_>>) -> gimli::Result<Option<String>> {
    let mut entries = unit.entries();
    let Some(root) = entries.next_dfs()? else { return Ok(None) };
    let Some(value) = root.attr_value(gimli::DW_AT_producer) else { return Ok(None) };
    Ok(Some(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned()))
}

/// Tables of constants have no code; their variables have addresses.
fn has_loaded_variable(unit: &gimli::Unit<Slice<'_>>, linked: &Linked) -> gimli::Result<bool> {
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        if entry.tag() != gimli::DW_TAG_variable {
            continue;
        }
        if let Some(AttributeValue::Exprloc(expression)) = entry.attr_value(gimli::DW_AT_location) {
            let mut operations = expression.operations(unit.encoding());
            if let Ok(Some(gimli::Operation::Address { address })) = operations.next()
                && linked.is_loaded(address)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Joins and tidies: `a/b` + `../c` → `a/c`.
pub(super) fn join(directory: &str, path: &str) -> String {
    let joined = if path.starts_with('/') || path.get(1..3) == Some(":\\") || path.get(1..3) == Some(":/") {
        path.replace('\\', "/")
    } else {
        format!("{directory}/{path}").replace('\\', "/")
    };
    let is_absolute = joined.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let tidy = parts.join("/");
    if is_absolute { format!("/{tidy}") } else { tidy }
}
