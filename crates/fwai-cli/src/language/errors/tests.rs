//! Every type of errors in the source is in the list, and everything that it says is translated.

use super::{
    super::tests::{CHINESE, of_an_error, texts_of, walk},
    FORMS,
};
use fwai_schema::said::{Form, Piece, SYSTEM, SYSTEM_VARIANTS};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

fn forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter().flat_map(|forms| forms.iter())
}

/// `app-KeyError` for each type below `crates/*/src` that derives thiserror's `Error`.
fn types_in_the_source() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for directory in std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        let name = directory.file_name().unwrap().to_string_lossy().into_owned();
        let Some(name) = name.strip_prefix("fwai-") else { continue };
        let mut files = Vec::new();
        if directory.join("src").is_dir() {
            walk(&directory.join("src"), &mut files);
        }
        for (path, text) in files {
            // What is defined for tests reaches nobody.
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for (at, derive) in text.match_indices("#[derive(") {
                let traits = text[at + derive.len()..].split(')').next().unwrap_or_default();
                if !traits.split(',').any(|one| matches!(one.trim(), "Error" | "thiserror::Error")) {
                    continue;
                }
                let names = text[at..].lines().filter_map(|line| {
                    let line = line.trim_start_matches("pub").trim_start_matches("(crate)").trim_start();
                    line.strip_prefix("enum ").or_else(|| line.strip_prefix("struct "))
                });
                let word = names.flat_map(|name| name.split(|letter: char| !letter.is_alphanumeric())).next();
                found.insert(format!("{name}-{}", word.unwrap_or_else(|| panic!("{path}: no type"))));
            }
        }
    }
    found
}

#[test]
fn every_error_of_every_crate_is_in_the_list() {
    let listed: BTreeSet<String> = forms().map(|form| form.key.to_owned()).collect();
    assert_eq!(types_in_the_source(), listed);
}

#[test]
fn everything_that_an_error_says_is_translated() {
    let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for form in forms() {
        let key = match form.variant {
            "" => form.key.to_owned(),
            variant => format!("{}.{variant}", form.key),
        };
        let values = form.pieces.iter().filter_map(|piece| match piece {
            Piece::Value(name) => Some((*name).to_owned()),
            Piece::Words(_) => None,
        });
        assert!(wanted.insert(key.clone(), values.collect()).is_none(), "{key} is there twice");
    }
    for (_, variant) in SYSTEM_VARIANTS {
        wanted.insert(format!("{SYSTEM}.{variant}"), BTreeSet::new());
    }
    for language in CHINESE {
        let texts = texts_of(language);
        for (key, values) in &wanted {
            let text = texts.get(key).unwrap_or_else(|| panic!("{language:?} lacks {key}, with {values:?}"));
            assert_eq!(text, values, "{key} of {language:?}");
        }
        let extra: Vec<_> =
            texts.keys().filter(|key| of_an_error(key) && !wanted.contains_key(*key)).collect();
        assert!(extra.is_empty(), "{language:?} translates what nobody says: {extra:?}");
    }
}
