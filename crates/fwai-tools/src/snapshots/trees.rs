//! From a list of files to git's tree objects, and the difference of two lists.

use super::{
    SnapshotError,
    objects::{Kind, ObjectId, Objects, id_of},
    stat::Entry,
};
use std::{cmp::Ordering, sync::Arc};

/// The files of a state by path (bytes, `/` between names), in order.
pub type Files = Vec<(Arc<[u8]>, Entry)>;

/// A file that is new or different in a state, or gone.
pub type Step = (Arc<[u8]>, Option<Entry>);

/// The state after `steps`.
pub fn stepped(before: &Files, mut steps: Vec<Step>) -> Files {
    // They come in a few runs that are in order already, which this sort makes use of.
    steps.sort_by(|a, b| a.0.cmp(&b.0));
    let mut after = Files::with_capacity(before.len() + steps.len());
    let mut rest = &before[..];
    for (path, entry) in steps {
        let until = rest.partition_point(|(old, _)| *old < path);
        after.extend_from_slice(&rest[..until]);
        rest = &rest[until..];
        if rest.first().is_some_and(|(old, _)| *old == path) {
            rest = &rest[1..];
        }
        after.extend(entry.map(|entry| (path, entry)));
    }
    after.extend_from_slice(rest);
    after
}

/// Writes the trees of a state; the answer is the topmost.
pub fn write(files: &Files, objects: &mut Objects) -> Result<ObjectId, SnapshotError> {
    let flat: Vec<(&[u8], &Entry)> = files.iter().map(|(path, entry)| (&**path, entry)).collect();
    let mut made = Vec::new();
    let top = write_below(&flat, 0, &mut made);
    objects.write_all(Kind::Tree, made)?;
    Ok(top)
}

/// `files` share their first `skip` bytes, which name the directory.
fn write_below(files: &[(&[u8], &Entry)], skip: usize, made: &mut Vec<(ObjectId, Vec<u8>)>) -> ObjectId {
    // Name as git compares it (directories as if they ended in a slash), mode, id.
    let mut entries: Vec<(&[u8], u32, ObjectId)> = Vec::new();
    let mut rest = files;
    while let Some(((path, entry), others)) = rest.split_first() {
        let below = &path[skip..];
        match below.iter().position(|byte| *byte == b'/') {
            None => {
                entries.push((below, entry.mode, entry.id));
                rest = others;
            }
            Some(end) => {
                let prefix = &path[..=skip + end];
                let count = rest.iter().take_while(|(path, _)| path.starts_with(prefix)).count();
                let (inside, others) = rest.split_at(count);
                let id = write_below(inside, prefix.len(), made);
                entries.push((&below[..=end], 0o40_000, id));
                rest = others;
            }
        }
    }
    entries.sort_unstable();
    let mut content = Vec::with_capacity(entries.len() * 40);
    for (name, mode, id) in entries {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        content.extend_from_slice(match mode {
            0o40_000 => b"40000 ",
            0o100_755 => b"100755 ",
            0o120_000 => b"120000 ",
            _ => b"100644 ",
        });
        content.extend_from_slice(name);
        content.push(0);
        content.extend(id.0);
    }
    let id = id_of(Kind::Tree, &content);
    made.push((id, content));
    id
}

/// A path with its entries before and after; one of them may be missing.
pub type Pair<'a> = (&'a [u8], Option<&'a Entry>, Option<&'a Entry>);

/// What differs, in the order of paths.
pub fn differences<'a>(before: &'a Files, after: &'a Files) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return found,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let was = if order.is_le() { old.next() } else { None };
        let is = if order.is_ge() { new.next() } else { None };
        let (was, is, path) = match (was, is) {
            (Some((path, was)), Some((_, is))) => (Some(was), Some(is), path),
            (Some((path, was)), None) => (Some(was), None, path),
            (None, Some((path, is))) => (None, Some(is), path),
            (None, None) => return found,
        };
        if was != is {
            found.push((&**path, was, is));
        }
    }
}
