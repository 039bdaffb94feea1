//! A page as text. Pages are made by strangers: what is nested deeper than any real page would keep the
//! parser busy for minutes, or end it, and is only stripped of its tags.

/// Real pages stay far below.
const DEEPEST: usize = 400;

/// Elements without content, and those whose end is understood without being written.
const FLAT: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup",
    "colgroup", "html", "head", "body", "rp", "rt",
];

/// Markdown of an HTML page.
pub fn of_html(html: &str) -> String {
    if is_too_deep(html) {
        return without_tags(html);
    }
    htmd::convert(html).unwrap_or_else(|_| html.to_owned())
}

fn is_too_deep(html: &str) -> bool {
    let mut depth = 0usize;
    for piece in html.split('<').skip(1) {
        let (closes, name) = match piece.strip_prefix('/') {
            Some(name) => (true, name),
            None => (false, piece),
        };
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        if name.is_empty() || FLAT.contains(&name.as_str()) {
            continue;
        }
        if closes {
            depth = depth.saturating_sub(1);
        } else {
            depth += 1;
            if depth > DEEPEST {
                return true;
            }
        }
    }
    false
}

fn without_tags(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        // What stands before the first tag has none.
        let words =
            piece.split_once('>').map_or(if text.is_empty() { piece } else { "" }, |(_, words)| words).trim();
        if !words.is_empty() {
            text.push_str(words);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_pages_become_markdown_and_deep_ones_plain() {
        let many: String = (0..3000).map(|n| format!("<p>line {n}<br><li>item")).collect();
        assert!(of_html(&format!("<h1>Title</h1><a href=x>link</a>{many}")).contains("# Title"));
        let deep = format!("<p>before</p>{}deep", "<div>".repeat(5000));
        assert_eq!(of_html(&deep), "before\ndeep\n");
    }
}
