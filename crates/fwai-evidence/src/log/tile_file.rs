//! Files of the right edge: found at whatever width a crash left them, grown at their end.

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use crate::{
    durable,
    merkle::{TILE_WIDTH, TilePath},
};

/// The file that holds at least `tile.width` of this tile.
pub fn find(log: &Path, tile: TilePath) -> Option<PathBuf> {
    let exact = log.join(tile.to_string());
    if exact.is_file() {
        return Some(exact);
    }
    let full = log.join(tile.full_name());
    let wider =
        fs::read_dir(partial_directory(&full)).ok().into_iter().flatten().flatten().filter_map(|entry| {
            let width: u64 = entry.file_name().to_str()?.parse().ok()?;
            (width >= tile.width).then_some((width, entry.path()))
        });
    wider.min().map(|(_, path)| path).or_else(|| full.is_file().then_some(full))
}

/// Grows a tile from `old_width` (holding `kept` bytes) by `bytes` to the width of `grown`, durably.
pub fn grow(log: &Path, grown: TilePath, old_width: u64, kept: u64, bytes: &[u8]) -> io::Result<()> {
    let full = log.join(grown.full_name());
    let partial = partial_directory(&full);
    let target = log.join(grown.to_string());
    let source = if old_width == 0 {
        // Whatever lies here was never acknowledged.
        let _ = fs::remove_file(&full);
        target.clone()
    } else {
        let old = TilePath { width: old_width, ..grown };
        find(log, old).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{old} is missing")))?
    };
    durable::create_directories(target.parent().expect("a tile lies in a directory"))?;
    let file =
        OpenOptions::new().read(true).write(true).create(old_width == 0).truncate(false).open(&source)?;
    if file.metadata()?.len() < kept {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!("{} is too short", source.display()),
        ));
    }
    file.set_len(kept)?;
    file.write_all_at(bytes, kept)?;
    file.sync_all()?;
    if source != target {
        fs::rename(&source, &target)?;
    }
    durable::sync_directory(target.parent().expect("a tile lies in a directory"))?;
    if grown.width == TILE_WIDTH {
        if source.parent() == Some(&partial) {
            durable::sync_directory(&partial)?;
        }
        // Only leftovers can be in it now.
        let _ = fs::remove_dir_all(&partial);
    } else {
        // After a crash the file may have come from a wider name.
        remove_others(&partial, &target);
    }
    Ok(())
}

/// The first `length` bytes of a file.
pub fn read_prefix(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    durable::open_plain(path)?.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

fn remove_others(partial: &Path, keep: &Path) {
    for entry in fs::read_dir(partial).into_iter().flatten().flatten() {
        if entry.path() != keep {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn partial_directory(full: &Path) -> PathBuf {
    let mut name = full.as_os_str().to_owned();
    name.push(".p");
    PathBuf::from(name)
}
