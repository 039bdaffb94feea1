//! Bundles of entries: each entry behind its length.

use std::{io, os::unix::fs::FileExt as _, path::Path};

use crate::durable::open_plain;

/// Appends one entry to the bytes of a bundle.
pub fn push_entry(bundle: &mut Vec<u8>, entry: &[u8]) {
    let length = u16::try_from(entry.len()).expect("entries are measured before they get here");
    bundle.extend_from_slice(&length.to_be_bytes());
    bundle.extend_from_slice(entry);
}

/// Bytes that the first `count` entries of a bundle take, without reading the entries themselves.
pub fn length_of(path: &Path, count: u64) -> io::Result<u64> {
    let file = open_plain(path)?;
    let mut offset = 0;
    for _ in 0..count {
        let mut length = [0; 2];
        file.read_exact_at(&mut length, offset)?;
        offset += 2 + u64::from(u16::from_be_bytes(length));
    }
    Ok(offset)
}

/// The first `count` entries in the bytes of a bundle; `None` when it is too short.
pub fn split_entries(mut bytes: &[u8], count: u64) -> Option<Vec<&[u8]>> {
    let mut entries = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let (length, rest) = bytes.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length));
        entries.push(rest.get(..length)?);
        bytes = &rest[length..];
    }
    Some(entries)
}
