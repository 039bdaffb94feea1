//! The user's own index as a head start: it knows the content's name of every file that is unchanged since
//! git last looked. It is only read, and only believed where git would believe it.

use super::{
    objects::ObjectId,
    stat::{Known, Look},
};
use std::{fs, os::unix::fs::MetadataExt, path::Path, sync::Arc};

/// Files that the index vouches for. Nothing where the index is of a kind that is not read here, or where
/// git rewrites files on their way in, so that its names are those of other bytes.
pub fn read(repository: &Path) -> Vec<(Arc<[u8]>, Known)> {
    let path = repository.join("index");
    let (Ok(bytes), Ok(metadata)) = (fs::read(&path), fs::symlink_metadata(&path)) else {
        return Vec::new();
    };
    let written = (metadata.mtime(), metadata.mtime_nsec());
    let entries = parse(&bytes, written).unwrap_or_default();
    match entries.iter().any(|(path, _)| path.ends_with(b".gitattributes")) {
        true => Vec::new(),
        false => entries,
    }
}

/// Whether an entry of the index means the file as it looks now. Git keeps only the lower half of large numbers.
pub fn vouches(entry: &Look, now: &Look) -> bool {
    let short = |number: u64| number as u32;
    entry.changed == now.changed
        && entry.modified == now.modified
        && short(entry.size) == short(now.size)
        && short(entry.inode) == short(now.inode)
        && entry.mode == now.mode
}

fn parse(bytes: &[u8], written: (i64, i64)) -> Option<Vec<(Arc<[u8]>, Known)>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let version = number(4)?;
    // Version 4 packs its paths; such an index is simply no head start.
    if bytes.get(..4)? != b"DIRC" || !(2..=3).contains(&version) {
        return None;
    }
    let mut entries = Vec::new();
    let mut at = 12;
    for _ in 0..number(8)? {
        let mode = number(at + 24)?;
        let id = ObjectId(bytes.get(at + 40..at + 60)?.try_into().ok()?);
        let flags = u16::from_be_bytes(bytes.get(at + 60..at + 62)?.try_into().ok()?);
        let extended = flags & 0x4000 != 0;
        let more =
            if extended { u16::from_be_bytes(bytes.get(at + 62..at + 64)?.try_into().ok()?) } else { 0 };
        let name = at + 62 + usize::from(extended) * 2;
        let length = bytes.get(name..)?.iter().position(|byte| *byte == 0)?;
        let path = Arc::from(&bytes[name..name + length]);
        let modified = (i64::from(number(at + 8)?), i64::from(number(at + 12)?));
        let look = Look {
            changed: (i64::from(number(at)?), i64::from(number(at + 4)?)),
            modified,
            size: u64::from(number(at + 36)?),
            inode: u64::from(number(at + 20)?),
            mode,
        };
        // Conflicts, promises to add, files left out of the work tree, and what changed as git looked.
        let plain = flags & 0xb000 == 0
            && more == 0
            && modified < written
            && matches!(mode, 0o100_644 | 0o100_755 | 0o120_000);
        if plain {
            entries.push((path, Known::new(look, id, true)));
        }
        at += (name - at + length + 8) & !7;
    }
    Some(entries)
}
