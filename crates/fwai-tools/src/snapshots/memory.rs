//! What is known of every file of the last snapshot, kept on disk so that the next session need not read
//! them all again. Losing it costs time and nothing else.

use super::{
    objects::ObjectId,
    stat::{Known, Look, Table},
};
use std::{fs, io::Write, path::Path};

const MAGIC: &[u8] = b"fwai snapshot memory 1\n";
const NUMBERS: usize = 7;

/// Reads what an earlier session knew; nothing where the file is missing or damaged.
pub fn load(path: &Path) -> Table {
    fs::read(path).ok().and_then(|bytes| parse(&bytes)).unwrap_or_default()
}

fn parse(bytes: &[u8]) -> Option<Table> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut known = Table::with_capacity(rest.len() / 128);
    while !rest.is_empty() {
        let (fixed, more) = rest.split_at_checked(NUMBERS * 8 + 20 + 4)?;
        let number = |index: usize| {
            i64::from_le_bytes(fixed[8 * index..8 * index + 8].try_into().expect("eight bytes"))
        };
        let length = u32::from_le_bytes(fixed[NUMBERS * 8 + 20..].try_into().ok()?) as usize;
        let (path, more) = more.split_at_checked(length)?;
        let look = Look {
            changed: (number(0), number(1)),
            modified: (number(2), number(3)),
            size: number(4) as u64,
            inode: number(5) as u64,
            mode: number(6) as u32,
        };
        let id = ObjectId(fixed[NUMBERS * 8..NUMBERS * 8 + 20].try_into().ok()?);
        known.insert(path.into(), Known::new(look, id, true));
        rest = more;
    }
    Some(known)
}

/// Keeps what is settled, for the next session.
pub fn save(path: &Path, known: &Table) {
    let mut bytes = Vec::with_capacity(MAGIC.len() + known.len() * 128);
    bytes.extend_from_slice(MAGIC);
    for (name, known) in known.iter().filter(|(_, known)| known.settled) {
        let look = &known.look;
        let numbers: [i64; NUMBERS] = [
            look.changed.0,
            look.changed.1,
            look.modified.0,
            look.modified.1,
            look.size as i64,
            look.inode as i64,
            i64::from(look.mode),
        ];
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        bytes.extend_from_slice(&known.id.0);
        bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name);
    }
    let Some(directory) = path.parent() else { return };
    if let Ok(mut file) = tempfile::NamedTempFile::new_in(directory)
        && file.write_all(&bytes).is_ok()
    {
        let _ = file.persist(path);
    }
}
