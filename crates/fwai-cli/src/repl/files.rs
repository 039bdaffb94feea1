//! Files of the project by what has been typed of them: by the beginning of the path, or by any part of it.

use ignore::WalkBuilder;
use std::path::Path;

const MOST: usize = 100;
/// Entries that are looked at; more would make whoever types wait.
const LOOKED_AT: usize = 20_000;

/// Files and folders whose path begins like this; folders end with a slash.
pub fn beginning(root: &Path, begun: &str) -> Vec<String> {
    let (folder, name) = begun.rsplit_once('/').map_or(("", begun), |(folder, name)| (folder, name));
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let file =
                entry.file_name().into_string().ok().filter(|file| !file.contains(char::is_control))?;
            let hidden = file.starts_with('.') && !name.starts_with('.');
            if hidden || !file.starts_with(name) {
                return None;
            }
            let slash = if entry.path().is_dir() { "/" } else { "" };
            Some(match folder {
                "" => format!("{file}{slash}"),
                folder => format!("{folder}/{file}{slash}"),
            })
        })
        .take(MOST)
        .collect();
    found.sort();
    found
}

/// Files that have this somewhere in their path, in any case, those first in whose name it stands. What git ignores
/// is left out.
pub fn having(root: &Path, part: &str) -> Vec<String> {
    let part = part.to_lowercase();
    if part.chars().count() < 2 {
        return Vec::new();
    }
    let walk = WalkBuilder::new(root).require_git(false).build().filter_map(Result::ok).take(LOOKED_AT);
    let mut found: Vec<(usize, String)> = walk
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(root).ok()?.to_str()?.to_owned();
            let lower = path.to_lowercase();
            let name = lower.rsplit('/').next().unwrap_or_default();
            let rank = match () {
                _ if path.contains(char::is_control) => return None,
                _ if name == part => 0,
                _ if name.starts_with(&part) => 1,
                _ if name.contains(&part) => 2,
                _ if lower.contains(&part) => 3,
                _ => return None,
            };
            Some((rank, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_the_beginning_and_by_any_part() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for file in
            ["src/uart.c", "src/UART_dma.c", "src/my file.c", "drivers/uart/core.c", "build/uart.o", ".env"]
        {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "build/\n").unwrap();
        assert_eq!(beginning(root, ""), ["build/", "drivers/", "src/"]);
        assert_eq!(beginning(root, "src/u"), ["src/uart.c"]);
        assert_eq!(beginning(root, "src/my"), ["src/my file.c"]);
        assert_eq!(beginning(root, ".e"), [".env"]);
        assert!(beginning(root, "nowhere/x").is_empty());
        assert_eq!(having(root, "uart"), ["src/UART_dma.c", "src/uart.c", "drivers/uart/core.c"]);
        assert_eq!(having(root, "uart.c")[0], "src/uart.c");
        assert!(having(root, "u").is_empty() && having(root, "nothing").is_empty());
    }
}
