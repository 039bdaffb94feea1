//! Sections and Berkeley sizes.

use super::report::{SectionKind, SectionUse, Sizes};
use crate::elf::{ElfImage, Section};

/// What `size` prints: everything allocated, code and constants as text.
pub fn berkeley(image: &ElfImage) -> Sizes {
    let mut sizes = Sizes::default();
    for section in allocated(image) {
        let into = if section.is_executable() || !section.is_writable() {
            &mut sizes.text
        } else if section.is_nobits() {
            &mut sizes.bss
        } else {
            &mut sizes.data
        };
        *into = into.wrapping_add(section.size);
    }
    sizes.total = sizes.text.wrapping_add(sizes.data).wrapping_add(sizes.bss);
    sizes
}

/// The sections that take memory.
pub(super) fn allocated(image: &ElfImage) -> impl Iterator<Item = &Section> {
    image.sections.iter().filter(|section| section.is_alloc() && section.kind != 0)
}

pub(super) fn kind(section: &Section) -> SectionKind {
    if section.is_nobits() {
        SectionKind::Bss
    } else if section.is_executable() {
        SectionKind::Text
    } else if section.is_writable() {
        SectionKind::Data
    } else {
        SectionKind::Rodata
    }
}

/// Rows of the report, in order of address. An image without section headers shows its segments.
pub(super) fn rows(image: &ElfImage) -> Vec<SectionUse> {
    let mut rows: Vec<SectionUse> = allocated(image)
        .filter(|section| section.size > 0)
        .map(|section| SectionUse {
            name: section.name.clone(),
            address: section.address,
            load_address: section.load_address,
            size: section.size,
            kind: kind(section),
            ..SectionUse::default()
        })
        .collect();
    if image.sections.is_empty() {
        rows = segment_rows(image);
    }
    rows.sort_by_key(|row| (row.address, row.load_address));
    rows
}

fn segment_rows(image: &ElfImage) -> Vec<SectionUse> {
    let mut rows = Vec::new();
    for (number, segment) in image.load_segments().enumerate() {
        let kind = match (segment.executable, segment.writable) {
            (true, _) => SectionKind::Text,
            (false, true) => SectionKind::Data,
            (false, false) => SectionKind::Rodata,
        };
        let row = |name: String, kind, start: u64, size| SectionUse {
            name,
            address: segment.address.wrapping_add(start),
            load_address: segment.load_address.wrapping_add(start),
            size,
            kind,
            ..SectionUse::default()
        };
        let stored = segment.file_size.min(segment.memory_size);
        if stored > 0 {
            rows.push(row(format!("segment {number}"), kind, 0, stored));
        }
        if segment.memory_size > stored {
            rows.push(row(
                format!("segment {number} (zeroed)"),
                SectionKind::Bss,
                stored,
                segment.memory_size - stored,
            ));
        }
    }
    rows
}

/// Sizes of an image without section headers, from its segments.
pub(super) fn sizes_of_rows(rows: &[SectionUse]) -> Sizes {
    let mut sizes = Sizes::default();
    for row in rows {
        let part = match row.kind {
            SectionKind::Text | SectionKind::Rodata => &mut sizes.text,
            SectionKind::Data => &mut sizes.data,
            SectionKind::Bss => &mut sizes.bss,
        };
        *part = part.wrapping_add(row.size);
    }
    sizes.total = sizes.text.wrapping_add(sizes.data).wrapping_add(sizes.bss);
    sizes
}
