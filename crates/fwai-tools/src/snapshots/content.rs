//! Reads files into the object store: one by one where few changed, by several threads into one pack where
//! many are new.

use super::{
    SnapshotError,
    git::Git,
    objects::{Kind, MANY, ObjectId, Objects, id_of},
    stat::Look,
};
use std::{
    ffi::OsStr,
    fs::OpenOptions,
    io::{self, Read},
    os::unix::{ffi::OsStrExt, ffi::OsStringExt, fs::OpenOptionsExt},
    path::Path,
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
    root: &Path,
    wanted: &[(usize, Wanted)],
    objects: &mut Objects,
    git: &Git,
) -> Result<Vec<Option<ObjectId>>, SnapshotError> {
    let mut ids = if wanted.len() < MANY {
        wanted
            .iter()
            .map(|(_, file)| match small(root, file) {
                Some(content) => objects.write(Kind::Blob, &content).map(Some),
                None => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>()?
    } else {
        packed(root, wanted, objects)
            .map_err(|source| SnapshotError::Io { path: root.display().to_string(), source })?
    };
    for (id, (_, file)) in
        ids.iter_mut().zip(wanted).filter(|(_, (_, file))| !file.is_link && file.size > LARGE)
    {
        let path = root.join(OsStr::from_bytes(&file.path));
        let answer = git.run(&["hash-object", "-w", "--no-filters", "--", &path.to_string_lossy()]);
        *id = answer.ok().and_then(|text| ObjectId::parse(text.trim()));
        objects.assume(*id);
    }
    Ok(ids)
}

fn small(root: &Path, file: &Wanted) -> Option<Vec<u8>> {
    if !file.is_link && file.size > LARGE {
        return None;
    }
    let path = root.join(OsStr::from_bytes(&file.path));
    if file.is_link {
        return std::fs::read_link(path).ok().map(|target| target.into_os_string().into_vec());
    }
    // Neither a link put in its place nor a pipe that never ends.
    let mut open = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(path)
        .ok()?;
    let mut content = Vec::with_capacity(file.size as usize + 1);
    open.by_ref().take(LARGE + 1).read_to_end(&mut content).ok()?;
    Some(content)
}

fn packed(
    root: &Path,
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
                    for index in first..(first + 16).min(wanted.len()) {
                        let Some(content) = small(root, &wanted[index].1) else { continue };
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
