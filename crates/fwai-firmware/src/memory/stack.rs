//! Stack use per function, from the compiler's `.su` files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::report::StackUse;

/// Every `.su` file below a directory, largest function first.
pub(super) fn below(directory: &Path) -> Vec<StackUse> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_path_buf(), 0)];
    let mut budget = 30_000usize;
    while let Some((directory, depth)) = open.pop() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        for entry in entries.flatten() {
            let Some(left) = budget.checked_sub(1) else { return sorted(found) };
            budget = left;
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < 12 => open.push((path, depth + 1)),
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "su") => {
                    read(&path, &mut found)
                }
                _ => {}
            }
        }
    }
    sorted(found)
}

fn read(path: &PathBuf, into: &mut Vec<StackUse>) {
    const LARGEST: u64 = 16 << 20;
    if fs::metadata(path).is_ok_and(|facts| facts.len() <= LARGEST)
        && let Ok(bytes) = fs::read(path)
    {
        into.extend(String::from_utf8_lossy(&bytes).lines().filter_map(line));
    }
}

/// `src/main.c:12:5:main 24 static`
fn line(text: &str) -> Option<StackUse> {
    let mut columns = text.split('\t');
    let (place, bytes, kind) = (columns.next()?, columns.next()?, columns.next().unwrap_or("static"));
    // The place is `file:line:column:function`; a C++ name may hold colons and a file a drive letter.
    let mut parts = place.match_indices(':').map(|(at, _)| at).collect::<Vec<_>>().into_iter();
    let (file_end, line_end, column_end) = loop {
        let colon = parts.next()?;
        let rest = &place[colon + 1..];
        let line_length = rest.find(':')?;
        let after = &rest[line_length + 1..];
        let column_length = after.find(':')?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number(&rest[..line_length]) && is_number(&after[..column_length]) {
            break (colon, colon + 1 + line_length, colon + 1 + line_length + 1 + column_length);
        }
    };
    Some(StackUse {
        file: place[..file_end].to_string(),
        line: place[file_end + 1..line_end].parse().ok()?,
        function: place[column_end + 1..].to_string(),
        bytes: bytes.trim().parse().ok()?,
        kind: kind.trim().to_string(),
    })
}

fn sorted(mut found: Vec<StackUse>) -> Vec<StackUse> {
    found.sort_by(|a, b| {
        b.bytes.cmp(&a.bytes).then_with(|| (&a.function, &a.file).cmp(&(&b.function, &b.file)))
    });
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_c_and_cpp() {
        let c = line("src/main.c:12:5:main\t24\tstatic").unwrap();
        assert_eq!((c.file.as_str(), c.line, c.function.as_str(), c.bytes), ("src/main.c", 12, "main", 24));
        let cpp = line("C:\\app\\motor.cpp:7:6:void motor::spin(int)\t40\tdynamic,bounded").unwrap();
        assert_eq!((cpp.function.as_str(), cpp.kind.as_str()), ("void motor::spin(int)", "dynamic,bounded"));
        assert_eq!(line("junk"), None);
        assert_eq!(line("a:b:c:d\tx\ty"), None);
    }
}
