//! Notes: small records that tools leave in an image.

use super::{
    ElfImage,
    image::{PT_NOTE, SHT_NOTE},
    raw::Raw,
};

impl ElfImage {
    /// The contents of the first note with this owner and type.
    pub fn note(&self, owner: &[u8], kind: u32) -> Option<&[u8]> {
        let in_sections = self
            .sections
            .iter()
            .filter(|section| section.kind == SHT_NOTE || section.name.starts_with(".note"))
            .map(|section| self.section_data(section));
        let in_segments = self
            .segments
            .iter()
            .filter(|segment| segment.kind == PT_NOTE)
            .map(|segment| self.segment_data(segment));
        in_sections.chain(in_segments).find_map(|bytes| find(Raw { data: bytes, ..self.raw() }, owner, kind))
    }
}

fn find<'a>(raw: Raw<'a>, owner: &[u8], kind: u32) -> Option<&'a [u8]> {
    let mut at = 0u64;
    loop {
        let (name_size, size, found) = (raw.u32(at)?, raw.u32(at + 4)?, raw.u32(at + 8)?);
        let name = raw.bytes(at + 12, name_size.into())?;
        let start = at + 12 + u64::from(name_size).next_multiple_of(4);
        let contents = raw.bytes(start, size.into())?;
        if found == kind && name.strip_suffix(b"\0").unwrap_or(name) == owner {
            return Some(contents);
        }
        at = start + u64::from(size).next_multiple_of(4);
    }
}
