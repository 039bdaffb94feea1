//! Debug sections, unpacked where the linker compressed them.

use std::{borrow::Cow, io::Read};

use super::{ElfImage, raw::Raw};

/// A debug section larger than this when unpacked is damage or malice.
const LARGEST: u64 = 1 << 30;

impl ElfImage {
    /// The bytes of a debug section such as `.debug_info`; empty when it is missing or damaged.
    pub fn debug_section(&self, name: &str) -> Cow<'_, [u8]> {
        if let Some(section) = self.section(name) {
            let data = self.section_data(section);
            return if section.is_compressed() {
                unpack(Raw { data, ..self.raw() })
            } else {
                Cow::Borrowed(data)
            };
        }
        let old_name = name.replacen(".debug", ".zdebug", 1);
        match self.section(&old_name).map(|section| self.section_data(section)) {
            Some([b'Z', b'L', b'I', b'B', s0, s1, s2, s3, s4, s5, s6, s7, packed @ ..]) => {
                inflate(packed, u64::from_be_bytes([*s0, *s1, *s2, *s3, *s4, *s5, *s6, *s7]))
            }
            _ => Cow::Borrowed(&[]),
        }
    }
}

fn unpack(raw: Raw<'_>) -> Cow<'_, [u8]> {
    const ZLIB: u32 = 1;
    const ZSTD: u32 = 2;
    let header = if raw.wide { 24 } else { 12 };
    match (raw.u32(0), raw.word(0, 4, 8), raw.data.get(header..)) {
        (Some(ZLIB), Some(size), Some(packed)) => inflate(packed, size),
        (Some(ZSTD), Some(size), Some(packed)) => expand(packed, size),
        _ => Cow::Borrowed(&[]),
    }
}

fn inflate(packed: &[u8], size: u64) -> Cow<'static, [u8]> {
    let Some(limit) = usize::try_from(size).ok().filter(|_| size <= LARGEST) else {
        return Cow::Borrowed(&[]);
    };
    match miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, limit) {
        Ok(bytes) => Cow::Owned(bytes),
        Err(_) => Cow::Borrowed(&[]),
    }
}

/// zstd, which newer linkers write.
fn expand(packed: &[u8], size: u64) -> Cow<'static, [u8]> {
    let mut bytes = Vec::new();
    let read = ruzstd::decoding::StreamingDecoder::new(packed)
        .is_ok_and(|decoder| decoder.take(size.min(LARGEST)).read_to_end(&mut bytes).is_ok());
    if read && bytes.len() as u64 == size { Cow::Owned(bytes) } else { Cow::Borrowed(&[]) }
}
