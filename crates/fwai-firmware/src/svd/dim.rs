//! Arrays: `dim`, `dimIncrement`, `dimIndex`.

use roxmltree::Node;

use super::{number::number, read::child_text};

/// More elements than this in one array is damage.
const MOST_ELEMENTS: u64 = 4096;

/// Name suffix and address offset of each element of an array; one without a suffix for a single element.
pub(super) fn elements(node: Node<'_, '_>) -> Vec<(Option<String>, u64)> {
    let dim = child_text(node, "dim").and_then(number).filter(|dim| (1..=MOST_ELEMENTS).contains(dim));
    let Some(dim) = dim else { return vec![(None, 0)] };
    let step = child_text(node, "dimIncrement").and_then(number).unwrap_or(0);
    let names = indexes(child_text(node, "dimIndex"), dim);
    names
        .into_iter()
        .enumerate()
        .map(|(number, name)| (Some(name), step.wrapping_mul(number as u64)))
        .collect()
}

/// The name of one element: `%s` and `[%s]` filled in.
pub(super) fn element_name(name: &str, index: Option<&str>) -> String {
    match index {
        None => name.replace("[%s]", "").replace("%s", ""),
        Some(index) if name.contains("%s") => name.replace("%s", index),
        Some(index) => format!("{name}{index}"),
    }
}

fn indexes(list: Option<&str>, dim: u64) -> Vec<String> {
    let counted = || (0..dim).map(|number| number.to_string()).collect();
    let Some(list) = list else { return counted() };
    let mut names = Vec::new();
    for part in list.split(',').map(str::trim) {
        match part.split_once('-') {
            Some((first, last)) => match range(first.trim(), last.trim()) {
                Some(range) => names.extend(range),
                None => names.push(part.to_string()),
            },
            None => names.push(part.to_string()),
        }
    }
    if names.len() as u64 == dim { names } else { counted() }
}

fn range(first: &str, last: &str) -> Option<Vec<String>> {
    if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
        return (first <= last && last - first < 4096)
            .then(|| (first..=last).map(|n| n.to_string()).collect());
    }
    match (first.as_bytes(), last.as_bytes()) {
        (&[first @ b'A'..=b'Z'], &[last @ b'A'..=b'Z']) | (&[first @ b'a'..=b'z'], &[last @ b'a'..=b'z']) => {
            Some((first..=last).map(|letter| char::from(letter).to_string()).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_as_vendors_write_them() {
        for (list, dim, expect) in [
            (None, 3, vec!["0", "1", "2"]),
            (Some("A,B,C"), 3, vec!["A", "B", "C"]),
            (Some("1-3"), 3, vec!["1", "2", "3"]),
            (Some("A-C"), 3, vec!["A", "B", "C"]),
            (Some("wrong,count"), 3, vec!["0", "1", "2"]),
        ] {
            assert_eq!(indexes(list, dim), expect, "{list:?}");
        }
    }
}
