//! The project's own words: a one-line summary, and the chip where nothing else names one.

use super::chips;
use super::findings::Findings;
use super::view::View;

pub fn detect(view: View<'_>, findings: &mut Findings) {
    let Some(source) = view.first(&["README.md", "readme.md", "README.rst", "README.txt", "README"]) else {
        return;
    };
    let mut titled = false;
    let mut summary = false;
    let mut fenced = false;
    for (number, line) in source.lines().take(300) {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let at = source.at(number);
        if let Some(part) = chips::part_in(trimmed) {
            let confidence = if part.specific { 0.42 } else { 0.2 };
            findings.add(
                "mcu",
                part.name.replace("esp32-", "esp32"),
                at.clone(),
                confidence - (number.min(200) as f32) * 0.0005,
            );
        }
        if fenced || trimmed.is_empty() {
            continue;
        }
        if let Some(title) = trimmed.strip_prefix("# ") {
            if !titled {
                findings.add("name", title.trim(), at, 0.3);
            }
            titled = true;
        } else if titled && !summary && is_prose(trimmed) {
            summary = true;
            let end = trimmed.find(". ").map_or(trimmed.len(), |at| at + 1);
            findings.add("summary", trimmed[..end].trim_end_matches('.').replace(['`', '*'], ""), at, 0.5);
        }
    }
}

fn is_prose(line: &str) -> bool {
    line.len() > 12
        && line.chars().next().is_some_and(|c| c.is_alphabetic() || c == '*' || c == '`')
        && !line.contains("](") | line.contains(' ')
        && !line.starts_with("http")
        && line.split_whitespace().count() >= 3
}
