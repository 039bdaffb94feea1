//! INI files with line numbers: `platformio.ini`, Meson cross files, `.west/config`, `sdkconfig`, `.ioc`.

/// One `key = value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub section: String,
    pub key: String,
    /// Continuation lines are joined with line feeds.
    pub value: String,
    pub line: u32,
}

/// The entries of a file, in order. Indented lines go on with the value above them.
pub fn entries(text: &str) -> Vec<Entry> {
    let mut section = String::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut open = false;
    for (line, raw) in (1..).zip(text.lines()) {
        let trimmed = raw.trim();
        if trimmed.is_empty() || trimmed.starts_with([';', '#']) {
            continue;
        }
        if open
            && raw.starts_with([' ', '\t'])
            && let Some(entry) = entries.last_mut()
        {
            entry.value.push('\n');
            entry.value.push_str(cut_comment(trimmed));
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = name.trim().to_owned();
            open = false;
            continue;
        }
        let Some((key, value)) = trimmed.split_once('=') else {
            open = false;
            continue;
        };
        entries.push(Entry {
            section: section.clone(),
            key: key.trim().to_owned(),
            value: cut_comment(value.trim()).to_owned(),
            line,
        });
        open = true;
    }
    entries
}

/// A value without the comment behind it (` ; why`).
fn cut_comment(value: &str) -> &str {
    let cut = [" ;", "\t;", " #", "\t#"].iter().filter_map(|mark| value.find(mark)).min();
    cut.map_or(value, |at| value[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_continuations_and_comments() {
        let read = entries("; top\n[env:a]\nboard = uno ; mine\nflags =\n\t-DA\n\t; no\n\t-DB\n[b]\nx=1\n");
        let got: Vec<_> =
            read.iter().map(|e| (e.section.as_str(), e.key.as_str(), e.value.as_str(), e.line)).collect();
        assert_eq!(
            got,
            [("env:a", "board", "uno", 3), ("env:a", "flags", "\n-DA\n-DB", 4), ("b", "x", "1", 9)]
        );
    }
}
