//! The report as one HTML file: a treemap that needs nothing else, not even a network.

use super::report::MemoryReport;

/// Symbols drawn at most; a browser draws more slowly than anybody reads.
const MOST_SYMBOLS: usize = 20_000;

/// The page.
pub fn html(report: &MemoryReport) -> String {
    let mut shown = report.clone();
    shown.symbols.truncate(MOST_SYMBOLS);
    // Symbol names are data of strangers: nothing in them may end the script or start a tag.
    let data = serde_json::to_string(&shown)
        .unwrap_or_else(|_| "{}".to_string())
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let title: String = report.elf.chars().filter(|c| !matches!(c, '<' | '>' | '&' | '"')).collect();
    // The data goes in last, so that no name in it is taken for a placeholder.
    include_str!("treemap.html").replace("{{title}}", &title).replace("{{data}}", &data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::SymbolUse;

    #[test]
    fn names_cannot_leave_the_script() {
        let evil = SymbolUse {
            name: "</script><script>alert(1)</script>{{title}}".to_string(),
            size: 4,
            ..SymbolUse::default()
        };
        let report =
            MemoryReport { elf: "<b>.elf".to_string(), symbols: vec![evil], ..MemoryReport::default() };
        let page = html(&report);
        assert_eq!(
            page.matches("</script>").count(),
            include_str!("treemap.html").matches("</script>").count()
        );
        assert!(!page.contains("<b>") && page.contains("alert(1)"));
        assert!(!page.contains("http://") && !page.contains("https://"), "the page loads nothing");
    }
}
