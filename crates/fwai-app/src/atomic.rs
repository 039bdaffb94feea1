//! Files that are either as they were or as they should be, whatever happens in between.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Writes a file so that `kill -9`, a full disk or a power cut leave the old one or the new one.
/// Missing directories are made. An existing file keeps its permissions.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory)?;
    let mut temporary = tempfile::Builder::new().prefix(".fwai-new-").tempfile_in(directory)?;
    temporary.write_all(bytes)?;
    match fs::metadata(path) {
        Ok(old) => temporary.as_file().set_permissions(old.permissions())?,
        Err(_) => set_usual_permissions(temporary.as_file())?,
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    sync_directory(directory)
}

/// Makes renames and new names in a directory durable.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    Ok(())
}

/// Temporary files are private; a configuration file is an ordinary one.
fn set_usual_permissions(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
