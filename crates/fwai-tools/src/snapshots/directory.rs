//! The shadow git directory: what makes it one, and what it borrows from the user's own repository.

use super::{git, stat::Table, user_index};
use std::{fs, path::Path};

/// Makes a directory that git takes for a repository.
pub fn make(directory: &Path) -> std::io::Result<()> {
    if directory.join("HEAD").exists() {
        return Ok(());
    }
    for below in ["objects/info", "objects/pack", "refs/heads", "info"] {
        fs::create_dir_all(directory.join(below))?;
    }
    fs::write(
        directory.join("info/attributes"),
        "* -text -eol -filter -ident -working-tree-encoding -merge\n",
    )?;
    fs::write(
        directory.join("config"),
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tautocrlf = false\n\thooksPath = /dev/null\n\
         \tprotectNTFS = false\n\tprotectHFS = false\n[gc]\n\tauto = 0\n",
    )?;
    // Last, since it is what makes the directory complete.
    fs::write(directory.join("HEAD"), "ref: refs/heads/none\n")
}

/// The user's own index knows the name of every unchanged file's content, and its objects need not be
/// copied. Not where git rewrites files on their way in: there it names other bytes.
pub fn borrow_from_repository(root: &Path, directory: &Path) -> Table {
    let repository = root.join(".git");
    let objects = repository.join("objects");
    let is_directory = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    if !is_directory(&repository)
        || !is_directory(&objects)
        || repository.join("info/attributes").exists()
        || root.join(".gitattributes").exists()
    {
        return Table::new();
    }
    let config = fs::read_to_string(repository.join("config")).unwrap_or_default().to_ascii_lowercase();
    let telling = ["autocrlf", "eol", "[filter", "worktree", "objectformat", "partialclone", "promisor"];
    if telling.iter().any(|word| config.contains(word)) {
        return Table::new();
    }
    let index = user_index::read(&repository);
    let alternates = directory.join("objects/info/alternates");
    if index.is_empty()
        || git::rewrites_by_default()
        || fs::write(alternates, format!("{}\n", objects.display())).is_err()
    {
        return Table::new();
    }
    index.into_iter().collect()
}
