//! Reads files into the object store: one by one where few changed, by several threads into one pack where
//! many are new.

use super::{
    SnapshotError,
    git::Git,
    objects::{Kind, MANY, ObjectId, Objects, id_of},
    stat::Look,
};
use crate::safe_path::{ProjectDir, SafePath};
use rustix::fs::OFlags;
use std::{
    ffi::CString,
    fs::File,
    io::{self, Read},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// Larger files are left to git, which reads them piece by piece.
const LARGE: u64 = 16 << 20;

/// A file whose content is wanted.
pub struct Wanted {
    pub path: Vec<u8>,
    pub size: u64,
    pub is_link: bool,
}

impl Wanted {
    pub fn new(path: Vec<u8>, look: &Look) -> Self {
        Self { path, size: look.size, is_link: look.is_link() }
    }
}

/// Stores the contents; `None` for a file that cannot be read (any more).
pub fn store(
    project: &ProjectDir,
    wanted: &[(usize, Wanted)],
    objects: &mut Objects,
    git: &Git,
) -> Result<Vec<Option<ObjectId>>, SnapshotError> {
    let mut ids = if wanted.len() < MANY {
        wanted
            .iter()
            .map(|(_, file)| match small(project, file) {
                Some(content) => objects.write(Kind::Blob, &content).map(Some),
                None => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>()?
    } else {
        packed(project, wanted, objects)
            .map_err(|source| SnapshotError::Io { path: project.root().display().to_string(), source })?
    };
    for (id, (_, file)) in
        ids.iter_mut().zip(wanted).filter(|(_, (_, file))| !file.is_link && file.size > LARGE)
    {
        let open = SafePath::from_scan(&file.path).and_then(|path| open(project, &path));
        let stored = open.map(|open| git.store(open));
        *id = stored.and_then(Result::ok).and_then(|text| ObjectId::parse(text.trim()));
        objects.assume(*id);
    }
    Ok(ids)
}

/// Neither a link put in its place, also of a directory above it, nor a pipe that never ends.
fn open(project: &ProjectDir, path: &SafePath) -> Option<File> {
    project.open_plain(path, OFlags::RDONLY | OFlags::NONBLOCK).ok().map(File::from)
}

fn small(project: &ProjectDir, file: &Wanted) -> Option<Vec<u8>> {
    let path = SafePath::from_scan(&file.path)?;
    if file.is_link {
        let link = project.open_plain(&path, OFlags::PATH).ok()?;
        return rustix::fs::readlinkat(link, "", Vec::new()).ok().map(CString::into_bytes);
    }
    if file.size > LARGE {
        return None;
    }
    let mut open = open(project, &path)?;
    let mut content = vec![0; file.size as usize];
    let mut filled = 0;
    // No further than the size that was seen: a file that grows looks different next time, and is read again.
    while filled < content.len() {
        match open.read(&mut content[filled..]).ok()? {
            0 => break,
            count => filled += count,
        }
    }
    content.truncate(filled);
    Some(content)
}

fn packed(
    project: &ProjectDir,
    wanted: &[(usize, Wanted)],
    objects: &mut Objects,
) -> io::Result<Vec<Option<ObjectId>>> {
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get().min(8));
    let next = AtomicUsize::new(0);
    let mut pack = objects.pack()?;
    let mut ids = vec![None; wanted.len()];
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(64);
        for _ in 0..threads {
            let send = send.clone();
            let (next, objects) = (&next, &*objects);
            scope.spawn(move || {
                loop {
                    let first = next.fetch_add(16, Ordering::Relaxed);
                    if first >= wanted.len() {
                        return;
                    }
                    let mut batch = Vec::with_capacity(16);
                    for (index, (_, file)) in wanted.iter().enumerate().skip(first).take(16) {
                        let Some(content) = small(project, file) else { continue };
                        let id = id_of(Kind::Blob, &content);
                        batch.push((index, id, (!objects.has(&id)).then_some(content)));
                    }
                    if send.send(batch).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (index, id, content) in receive.iter().flatten() {
            ids[index] = Some(id);
            if let Some(content) = content {
                pack.add(Kind::Blob, id, &content)?;
            }
        }
        io::Result::Ok(())
    })?;
    objects.adopt(pack)?;
    Ok(ids)
}
