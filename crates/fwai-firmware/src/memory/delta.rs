//! Growth of one image against another.

use std::collections::BTreeMap;

use super::report::{Change, Delta, MemoryReport};

/// What changed from `before` to `after`.
pub fn delta(before: &MemoryReport, after: &MemoryReport, against: &str) -> Delta {
    let difference = |after: u64, before: u64| after.wrapping_sub(before) as i64;
    Delta {
        against: against.to_string(),
        text: difference(after.size.text, before.size.text),
        data: difference(after.size.data, before.size.data),
        bss: difference(after.size.bss, before.size.bss),
        total: difference(after.size.total, before.size.total),
        regions: changes(
            before.regions.iter().map(|region| (region.name.as_str(), region.used)),
            after.regions.iter().map(|region| (region.name.as_str(), region.used)),
        ),
        sections: changes(
            before.sections.iter().map(|section| (section.name.as_str(), section.size)),
            after.sections.iter().map(|section| (section.name.as_str(), section.size)),
        ),
        files: changes(
            before.files.iter().map(|file| (file.name.as_str(), file.size)),
            after.files.iter().map(|file| (file.name.as_str(), file.size)),
        ),
        symbols: changes(
            before.symbols.iter().map(|symbol| (symbol.shown(), symbol.size)),
            after.symbols.iter().map(|symbol| (symbol.shown(), symbol.size)),
        ),
    }
}

/// What has another size, largest change first. Things of one name are counted together.
fn changes<'a>(
    before: impl Iterator<Item = (&'a str, u64)>,
    after: impl Iterator<Item = (&'a str, u64)>,
) -> Vec<Change> {
    let mut sizes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, size) in before {
        let entry = &mut sizes.entry(name).or_default().0;
        *entry = entry.saturating_add(size);
    }
    for (name, size) in after {
        let entry = &mut sizes.entry(name).or_default().1;
        *entry = entry.saturating_add(size);
    }
    let mut changes: Vec<Change> = sizes
        .into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(name, (before, after))| Change {
            name: name.to_string(),
            before,
            after,
            change: after.wrapping_sub(before) as i64,
        })
        .collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.change.unsigned_abs()));
    changes
}
