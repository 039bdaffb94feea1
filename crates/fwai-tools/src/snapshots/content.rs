//! Reads what is new into the object store, while the look over the tree goes on: into a pack of each
//! thread's own where much is new, one object at a time where little is.

use super::{
    SnapshotError,
    git::Git,
    objects::{Kind, MANY, ObjectId, Objects, Pack, id_of},
    scan::{Found, Visitor},
    stat::{Look, Table},
    user_index,
};
use crate::safe_path::{ProjectDir, SafePath};
use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags};
use std::{fs::File, io, sync::Arc};

/// Larger files are left to git, which reads them piece by piece.
const LARGE: u64 = 16 << 20;
/// So much is held in memory before a pack is begun.
const HELD_BYTES: usize = 1 << 20;

/// What is known before the look.
#[derive(Clone, Copy)]
pub struct Before<'s> {
    pub known: &'s Table,
    pub borrowed: &'s Table,
    pub objects: &'s Objects,
    /// The number of this look.
    pub round: u32,
}

/// A file that is not as it was known, or may not be.
pub struct Change {
    pub path: Arc<[u8]>,
    pub look: Look,
    /// `None` for a file that cannot be read (any more).
    pub id: Option<ObjectId>,
}

/// One thread's part of a look.
pub struct Reader<'s> {
    before: Before<'s>,
    /// Files that were known before and are still here.
    pub still_here: usize,
    pub changes: Vec<Change>,
    held: Vec<(ObjectId, Vec<u8>)>,
    held_bytes: usize,
    /// The file at hand.
    content: Vec<u8>,
    pack: Option<Pack>,
    packed: Vec<ObjectId>,
    failed: Option<io::Error>,
}

impl<'s> Reader<'s> {
    pub fn new(before: Before<'s>) -> Self {
        Self {
            before,
            still_here: 0,
            changes: Vec::new(),
            held: Vec::new(),
            held_bytes: 0,
            content: Vec::new(),
            pack: None,
            packed: Vec::new(),
            failed: None,
        }
    }

    fn keep(&mut self, id: ObjectId) -> io::Result<()> {
        if let Some(pack) = &mut self.pack {
            return pack.add(Kind::Blob, id, &self.content);
        }
        self.held_bytes += self.content.len();
        self.held.push((id, self.content.clone()));
        if self.held.len() >= MANY || self.held.len() > 1 && self.held_bytes > HELD_BYTES {
            let mut pack = self.before.objects.pack()?;
            for (id, content) in self.held.drain(..) {
                pack.add(Kind::Blob, id, &content)?;
            }
            self.pack = Some(pack);
        }
        Ok(())
    }

    /// Stores what was just read.
    fn stored(&mut self) -> ObjectId {
        let id = id_of(Kind::Blob, &self.content);
        if !self.before.objects.has(&id)
            && let Err(error) = self.keep(id)
        {
            self.failed.get_or_insert(error);
        }
        id
    }

    /// How the file looks and its content; `None` for the content if it cannot be read or is large.
    fn read(&mut self, found: &Found<'_>) -> Option<(Look, Option<ObjectId>)> {
        if found.is_link {
            let look = look_of(found)?;
            let target = sys::readlinkat(found.directory, found.name, Vec::new());
            return Some((
                look,
                target.ok().map(|target| {
                    self.content = target.into_bytes();
                    self.stored()
                }),
            ));
        }
        // Neither a link put in its place nor a pipe that never ends.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(open) = sys::openat(found.directory, found.name, flags, Mode::empty()) else {
            return Some((look_of(found)?, None));
        };
        let stat = sys::fstat(&open).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return None;
        }
        let look = Look::of(&stat);
        if look.size > LARGE {
            return Some((look, None));
        }
        // No further than the size that was seen: a file that grows looks different next time, and is read
        // again.
        let size = look.size as usize;
        if self.content.len() < size {
            self.content.resize(size, 0);
        }
        let mut filled = 0;
        while filled < size {
            match rustix::io::read(&open, &mut self.content[filled..size]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Some((look, None)),
            }
        }
        self.content.truncate(filled);
        Some((look, Some(self.stored())))
    }
}

impl Visitor for Reader<'_> {
    fn file(&mut self, found: &Found<'_>) {
        let Before { known, borrowed, round, .. } = self.before;
        let known = known.get(found.path);
        let lent = borrowed.get(found.path).inspect(|lent| lent.see(round));
        if known.is_some() || lent.is_some() {
            let Some(look) = look_of(found) else { return };
            if let Some(known) = known {
                known.see(round);
                self.still_here += 1;
                if known.settled && known.look == look {
                    return;
                }
            }
            if let Some(lent) = lent.filter(|lent| user_index::vouches(&lent.look, &look)) {
                self.changes.push(Change { path: found.path.into(), look, id: Some(lent.id) });
                return;
            }
        }
        match self.read(found) {
            Some((look, id)) => self.changes.push(Change { path: found.path.into(), look, id }),
            None => {
                // It went away meanwhile, or something else stands in its place.
                if let Some(known) = known {
                    known.see(round - 1);
                    self.still_here -= 1;
                }
            }
        }
    }

    fn finish(&mut self) {
        // Here and not later, since here several threads do it.
        self.changes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        if let Some(pack) = self.pack.take() {
            match pack.finish() {
                Ok(ids) => self.packed = ids,
                Err(error) => drop(self.failed.get_or_insert(error)),
            }
        }
    }
}

fn look_of(found: &Found<'_>) -> Option<Look> {
    let stat = sys::statat(found.directory, found.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    matches!(kind, FileType::RegularFile | FileType::Symlink).then(|| Look::of(&stat))
}

/// What all threads found.
pub struct Harvest {
    pub still_here: usize,
    pub changes: Vec<Change>,
    held: Vec<(ObjectId, Vec<u8>)>,
    packed: Vec<ObjectId>,
}

impl Harvest {
    pub fn of(readers: Vec<Reader<'_>>) -> io::Result<Self> {
        let mut all = Self { still_here: 0, changes: Vec::new(), held: Vec::new(), packed: Vec::new() };
        for mut reader in readers {
            if let Some(error) = reader.failed {
                return Err(error);
            }
            all.still_here += reader.still_here;
            all.changes.append(&mut reader.changes);
            all.held.append(&mut reader.held);
            all.packed.append(&mut reader.packed);
        }
        Ok(all)
    }

    /// Stores what is not stored yet; the answer is every change.
    pub fn store(
        mut self,
        project: &ProjectDir,
        objects: &mut Objects,
        git: &Git,
    ) -> Result<Vec<Change>, SnapshotError> {
        objects.assume(self.packed);
        objects.write_all(Kind::Blob, self.held)?;
        let is_large = |change: &&mut Change| !change.look.is_link() && change.look.size > LARGE;
        for change in self.changes.iter_mut().filter(is_large).filter(|change| change.id.is_none()) {
            let flags = OFlags::RDONLY | OFlags::NONBLOCK;
            let open =
                SafePath::from_scan(&change.path).and_then(|path| project.open_plain(&path, flags).ok());
            let stored = open.and_then(|open| git.store(File::from(open)).ok());
            change.id = stored.and_then(|text| ObjectId::parse(text.trim()));
            objects.assume(change.id);
        }
        Ok(self.changes)
    }
}
