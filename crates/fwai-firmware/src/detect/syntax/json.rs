//! JSON as editors write it: with comments and trailing commas.

/// The value, or `None` when the text is no JSON even so.
pub fn parse(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&plain(text)).ok())
}

/// The text without comments and trailing commas; line breaks stay where they are.
fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = characters.next() {
        if quoted {
            result.push(c);
            match c {
                '\\' => result.extend(characters.next()),
                '"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match (c, characters.peek()) {
            ('"', _) => {
                quoted = true;
                result.push(c);
            }
            ('/', Some('/')) => while characters.next_if(|&c| c != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut last = ' ';
                for c in characters.by_ref() {
                    if c == '\n' {
                        result.push(c);
                    }
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (']' | '}', _) => {
                let kept = result.trim_end().len();
                if result[..kept].ends_with(',') {
                    result.remove(kept - 1);
                }
                result.push(c);
            }
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_forgiven() {
        let value = parse("{ // c\n \"a\": [1, 2,], /* x\n */ \"b\": \"//no\",\n}").unwrap();
        assert_eq!(value, serde_json::json!({"a": [1, 2], "b": "//no"}));
        assert_eq!(parse("{"), None);
    }
}
