//! Reading the three kinds of header, whole or as far as they go.

use super::{
    ElfImage, Section, Segment,
    image::{SHT_NULL, clipped},
    raw::Raw,
};

/// More headers than this in one file is damage, not firmware.
const MOST_HEADERS: u64 = 1 << 20;

/// The file header.
pub(super) struct Header {
    pub(super) wide: bool,
    pub(super) big_endian: bool,
    pub(super) kind: u16,
    pub(super) machine: u16,
    pub(super) entry: u64,
    pub(super) flags: u32,
    pub(super) program: Table,
    pub(super) section: Table,
    pub(super) names: u32,
}

pub(super) struct Table {
    offset: u64,
    entry_size: u64,
    count: u64,
}

impl Header {
    pub(super) fn read(data: &[u8]) -> Result<Self, Option<String>> {
        if !ElfImage::looks_like_elf(data) {
            return Err(match data {
                [] => Some("it is empty".to_string()),
                [b':', ..] => Some("it looks like Intel HEX".to_string()),
                [b'S', b'0'..=b'9', ..] => Some("it looks like Motorola S-records".to_string()),
                _ => None,
            });
        }
        let (wide, big_endian) = match (data.get(4), data.get(5)) {
            (Some(class @ 1..=2), Some(order @ 1..=2)) => (*class == 2, *order == 2),
            _ => return Err(Some("its header names no known class and byte order".to_string())),
        };
        let raw = Raw { data, wide, big_endian };
        let read = || {
            let past_words = if wide { 48 } else { 36 };
            Some(Self {
                wide,
                big_endian,
                kind: raw.u16(16)?,
                machine: raw.u16(18)?,
                entry: raw.word(24, 0, 0)?,
                flags: raw.u32(past_words)?,
                program: Table {
                    offset: raw.word(0, 28, 32)?,
                    entry_size: raw.u16(past_words + 6)?.into(),
                    count: raw.u16(past_words + 8)?.into(),
                },
                section: Table {
                    offset: raw.word(0, 32, 40)?,
                    entry_size: raw.u16(past_words + 10)?.into(),
                    count: raw.u16(past_words + 12)?.into(),
                },
                names: raw.u16(past_words + 14)?.into(),
            })
        };
        read()
            .map(|header| header.with_large_counts(raw))
            .ok_or_else(|| Some("its header is cut off".to_string()))
    }

    pub(super) fn raw<'a>(&self, data: &'a [u8]) -> Raw<'a> {
        Raw { data, wide: self.wide, big_endian: self.big_endian }
    }

    /// Counts that do not fit the header stand in section 0.
    fn with_large_counts(mut self, raw: Raw<'_>) -> Self {
        let first = self.section.offset;
        if first == 0 {
            self.section.count = 0;
            return self;
        }
        if self.section.count == 0 {
            self.section.count = raw.word(first, 20, 32).unwrap_or(0);
        }
        if self.names == 0xffff {
            self.names = raw.u32(first + if self.wide { 40 } else { 24 }).unwrap_or(0);
        }
        if self.program.count == 0xffff {
            self.program.count = raw.u32(first + if self.wide { 44 } else { 28 }).unwrap_or(0).into();
        }
        self
    }
}

pub(super) fn read_segments(raw: Raw<'_>, header: &Header, problems: &mut Vec<String>) -> Vec<Segment> {
    let size = if header.wide { 56 } else { 32 };
    read_table(&header.program, size, "program headers", problems, |at| {
        let flags = raw.u32(at + if header.wide { 4 } else { 24 })?;
        Some(Segment {
            kind: raw.u32(at)?,
            offset: raw.word(at, 4, 8)?,
            address: raw.word(at, 8, 16)?,
            load_address: raw.word(at, 12, 24)?,
            file_size: raw.word(at, 16, 32)?,
            memory_size: raw.word(at, 20, 40)?,
            executable: flags & 1 != 0,
            writable: flags & 2 != 0,
            readable: flags & 4 != 0,
        })
    })
}

pub(super) fn read_sections(
    raw: Raw<'_>,
    header: &Header,
    segments: &[Segment],
    problems: &mut Vec<String>,
) -> Vec<Section> {
    let size = if header.wide { 64 } else { 40 };
    let mut index = 0;
    let mut name_offsets = Vec::new();
    let mut sections = read_table(&header.section, size, "section headers", problems, |at| {
        name_offsets.push(raw.u32(at)?);
        let section = Section {
            index,
            name: String::new(),
            kind: raw.u32(at + 4)?,
            flags: raw.word(at, 8, 8)?,
            address: raw.word(at, 12, 16)?,
            load_address: 0,
            offset: raw.word(at, 16, 24)?,
            size: raw.word(at, 20, 32)?,
            link: raw.u32(at + if header.wide { 40 } else { 24 })?,
            info: raw.u32(at + if header.wide { 44 } else { 28 })?,
            align: raw.word(at, 32, 48)?,
            entry_size: raw.word(at, 36, 56)?,
        };
        index += 1;
        Some(section)
    });
    let names = match sections.get(header.names as usize) {
        Some(names) if header.names != 0 => clipped(raw.data, names.offset, names.size),
        _ if sections.is_empty() => &[][..],
        _ => {
            problems.push("the section names are missing".to_string());
            &[][..]
        }
    };
    let total = raw.data.len() as u64;
    for (section, name) in sections.iter_mut().zip(name_offsets) {
        section.name = Raw::text(names, name.into())
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .unwrap_or_default();
        section.load_address = load_address(section, segments);
        let in_file = section.kind != SHT_NULL && !section.is_nobits() && section.size > 0;
        if in_file && section.offset.checked_add(section.size).is_none_or(|end| end > total) {
            problems.push(format!("section {} goes past the end of the file", section.name));
        }
    }
    sections
}

/// Where the section's contents are stored: its place in the segment that carries it.
fn load_address(section: &Section, segments: &[Segment]) -> u64 {
    if !section.is_alloc() {
        return 0;
    }
    let carrier = segments.iter().filter(|segment| segment.is_load()).find(|segment| {
        let by_address = section.address.checked_sub(segment.address).is_some_and(|start| {
            start.checked_add(section.size).is_some_and(|end| end <= segment.memory_size)
        });
        let by_offset = section.is_nobits()
            || section.offset.checked_sub(segment.offset).is_some_and(|start| {
                start.checked_add(section.size).is_some_and(|end| end <= segment.file_size)
            });
        by_address && by_offset
    });
    match carrier {
        Some(segment) => segment.load_address.wrapping_add(section.address - segment.address),
        None => section.address,
    }
}

fn read_table<T>(
    table: &Table,
    smallest: u64,
    what: &str,
    problems: &mut Vec<String>,
    mut read: impl FnMut(u64) -> Option<T>,
) -> Vec<T> {
    if table.count == 0 || table.offset == 0 {
        return Vec::new();
    }
    if table.entry_size < smallest || table.count > MOST_HEADERS {
        problems
            .push(format!("the {what} are damaged ({} entries of {} bytes)", table.count, table.entry_size));
        return Vec::new();
    }
    let mut entries = Vec::new();
    for number in 0..table.count {
        let at = table
            .offset
            .checked_add(number * table.entry_size)
            .filter(|at| at.checked_add(smallest).is_some());
        match at.and_then(&mut read) {
            Some(entry) => entries.push(entry),
            None => {
                problems.push(format!("the {what} are cut off after {number} of {}", table.count));
                break;
            }
        }
    }
    entries
}
