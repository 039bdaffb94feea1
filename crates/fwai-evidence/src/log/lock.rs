//! One writer at a time, the others queue; readers wait for the writer only.

use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
};

use rustix::fs::{FlockOperation, flock};

use crate::durable::open_plain;

const NAME: &str = ".lock";

/// Waits for the log; the lock goes with the file, also when the process dies.
pub fn lock_for_writing(directory: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(directory.join(NAME))?;
    retry(|| flock(&file, FlockOperation::LockExclusive))?;
    Ok(file)
}

/// Keeps writers out while somebody reads; a log without a lock file, a copy say, is read as it is.
pub fn lock_for_reading(directory: &Path) -> io::Result<Option<File>> {
    let Ok(file) = open_plain(&directory.join(NAME)) else { return Ok(None) };
    retry(|| flock(&file, FlockOperation::LockShared))?;
    Ok(Some(file))
}

fn retry(mut lock: impl FnMut() -> rustix::io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(rustix::io::Errno::INTR) => {}
            done => return Ok(done?),
        }
    }
}
