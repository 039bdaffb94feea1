//! Archive members and objects that the linker placed, from a GNU or LLVM map file.

use std::collections::BTreeMap;

/// An object file in the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    /// The archive, where the object came from one.
    pub archive: Option<String>,
    pub object: String,
    /// Bytes placed in the image.
    pub bytes: u64,
}

pub(super) fn members(map: &str) -> Vec<Member> {
    // What stands before this line lists discarded sections and why members were loaded.
    let placed = map.split_once("Linker script and memory map").map_or(map, |(_, placed)| placed);
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    for line in placed.lines() {
        if let Some((size, file)) = placed_input(line) {
            *sizes.entry(file.to_owned()).or_default() += size;
        }
    }
    sizes.into_iter().map(|(file, bytes)| member(&file, bytes)).collect()
}

/// ` .text.main  0x08000100  0x20 build/main.o` → size and file, for what has an address and a size.
fn placed_input(line: &str) -> Option<(u64, &str)> {
    let is_debug =
        [".debug", " .debug", ".comment", " .comment", ".ARM.attributes", " .ARM.attributes", ".stab"];
    if is_debug.iter().any(|name| line.starts_with(name)) {
        return None;
    }
    let at = line.find("0x")?;
    let mut words = line[at..].split_ascii_whitespace();
    let hex = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let address = hex(words.next()?)?;
    let size_word = words.next()?;
    let size = hex(size_word)?;
    let after = &line[at..];
    let file = after[after.find(size_word)? + size_word.len()..].trim();
    let file = if file.starts_with("0x") { return None } else { file };
    let is_object =
        file.ends_with(".o") || file.ends_with(".obj") || file.ends_with(')') && file.contains(".a(");
    // Sections without an address are not loaded; the first byte of memory belongs to the vectors.
    (address != 0 && size != 0 && is_object).then_some((size, file))
}

fn member(file: &str, bytes: u64) -> Member {
    match file.strip_suffix(')').and_then(|file| file.rsplit_once('(')) {
        Some((archive, object)) => Member { archive: Some(archive.into()), object: object.into(), bytes },
        None => Member { archive: None, object: file.into(), bytes },
    }
}
