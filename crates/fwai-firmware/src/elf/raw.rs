//! Fixed-width fields out of bytes, in either byte order, with nothing to trip over at the end.

/// A view of the file's bytes that knows their order and word size.
#[derive(Clone, Copy)]
pub(super) struct Raw<'a> {
    pub data: &'a [u8],
    pub big_endian: bool,
    pub wide: bool,
}

impl<'a> Raw<'a> {
    pub fn bytes(&self, offset: u64, count: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(count).ok()?)?;
        self.data.get(start..end)
    }

    fn array<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        self.bytes(offset, N as u64)?.try_into().ok()
    }

    pub fn u8(&self, offset: u64) -> Option<u8> {
        self.array::<1>(offset).map(|[byte]| byte)
    }

    pub fn u16(&self, offset: u64) -> Option<u16> {
        let bytes = self.array(offset)?;
        Some(if self.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub fn u32(&self, offset: u64) -> Option<u32> {
        let bytes = self.array(offset)?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    pub fn u64(&self, offset: u64) -> Option<u64> {
        let bytes = self.array(offset)?;
        Some(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// An address-sized field: at `narrow` in a 32-bit record, at `wide` in a 64-bit one.
    pub fn word(&self, base: u64, narrow: u64, wide: u64) -> Option<u64> {
        if self.wide {
            self.u64(base.checked_add(wide)?)
        } else {
            self.u32(base.checked_add(narrow)?).map(u64::from)
        }
    }

    /// The NUL-terminated text at `offset` of a string table.
    pub fn text(table: &'a [u8], offset: u64) -> Option<&'a [u8]> {
        let rest = table.get(usize::try_from(offset).ok()?..)?;
        Some(&rest[..memchr::memchr(0, rest).unwrap_or(rest.len())])
    }
}

/// Unsigned LEB128 at the front of `bytes`, which moves on.
pub(super) fn uleb(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift < 64 {
            value |= u64::from(byte & 0x7f) << shift;
        }
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// NUL-terminated text at the front of `bytes`, which moves on.
pub(super) fn c_string<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = memchr::memchr(0, bytes)?;
    let text = &bytes[..end];
    *bytes = &bytes[end + 1..];
    Some(text)
}
