//! The licence of a component: what its files say, else its LICENSE file.

use std::{collections::BTreeSet, path::Path};

/// Words that tell licence texts apart; the first that fits.
const TEXTS: [(&str, &[&str]); 12] = [
    ("Apache-2.0", &["Apache License", "Version 2.0"]),
    ("LGPL-3.0-only", &["GNU LESSER GENERAL PUBLIC LICENSE", "Version 3"]),
    ("LGPL-2.1-only", &["GNU LESSER GENERAL PUBLIC LICENSE", "Version 2.1"]),
    ("GPL-3.0-only", &["GNU GENERAL PUBLIC LICENSE", "Version 3"]),
    ("GPL-2.0-only", &["GNU GENERAL PUBLIC LICENSE", "Version 2"]),
    ("MPL-2.0", &["Mozilla Public License", "2.0"]),
    ("BSD-3-Clause", &["Redistribution and use in source and binary forms", "Neither the name"]),
    ("BSD-3-Clause", &["Redistribution and use in source and binary forms", "may not be used to endorse"]),
    ("BSD-2-Clause", &["Redistribution and use in source and binary forms"]),
    ("ISC", &["Permission to use, copy, modify, and/or distribute"]),
    ("MIT", &["Permission is hereby granted, free of charge"]),
    ("Unlicense", &["This is free and unencumbered software"]),
];

const FILES: [&str; 7] =
    ["LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING", "License.txt", "License.md"];

/// `SPDX-License-Identifier` of the given files, joined by AND where they differ.
pub(super) fn of_sources<'p>(files: impl Iterator<Item = &'p Path>) -> Option<String> {
    let mut found = BTreeSet::new();
    for file in files.take(200) {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
        if let Some((_, rest)) = head.split_once("SPDX-License-Identifier:") {
            let line = rest.lines().next().unwrap_or_default();
            let expression = line.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
            if is_expression(expression) {
                found.insert(expression.to_owned());
            }
        }
    }
    let many = found.len() > 1;
    let parts: Vec<String> = found
        .into_iter()
        .map(
            |expression| {
                if many && expression.contains(' ') { format!("({expression})") } else { expression }
            },
        )
        .collect();
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

/// The licence file of a directory.
pub(super) fn of_directory(directory: &Path) -> Option<String> {
    FILES.iter().find_map(|name| {
        let text = std::fs::read_to_string(directory.join(name)).ok()?;
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let fits = |words: &&[&str]| words.iter().all(|word| flat.contains(word));
        TEXTS.iter().find(|(_, words)| fits(words)).map(|(id, _)| (*id).to_owned())
    })
}

fn is_expression(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.+() :".contains(c);
    !text.is_empty() && text.len() < 200 && text.chars().all(plain)
}
