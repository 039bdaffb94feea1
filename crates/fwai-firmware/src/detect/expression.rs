//! Arithmetic as linker scripts write it: `0x08000000 + 16K`, `ORIGIN(RAM) + LENGTH(RAM)`, `(1M / 4)`.

use std::collections::BTreeMap;

/// The value, or `None` when a name is unknown or the text is no arithmetic.
pub fn evaluate(text: &str, symbols: &BTreeMap<String, u64>) -> Option<u64> {
    if text.len() > 400 {
        return None;
    }
    let mut reader = Reader { text: text.trim(), symbols, depth: 0 };
    let value = reader.sum()?;
    reader.text.trim().is_empty().then_some(value)
}

struct Reader<'a> {
    text: &'a str,
    symbols: &'a BTreeMap<String, u64>,
    depth: u8,
}

impl Reader<'_> {
    fn sum(&mut self) -> Option<u64> {
        let mut value = self.product()?;
        loop {
            if self.take("<<") {
                value = value.checked_shl(u32::try_from(self.product()?).ok()?)?;
            } else if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else if self.take("|") {
                value |= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<u64> {
        let mut value = self.atom()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.atom()?)?;
            } else if self.take("/") {
                value = value.checked_div(self.atom()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn atom(&mut self) -> Option<u64> {
        self.depth += 1;
        if self.depth > 50 {
            return None;
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let end = self
            .text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest.trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word);
        }
        if matches!(word, "ORIGIN" | "LENGTH" | "org" | "len") && self.take("(") {
            let end = self.text.find(')')?;
            let name = self.text[..end].trim();
            let key =
                format!("{}({name})", if matches!(word, "ORIGIN" | "org") { "ORIGIN" } else { "LENGTH" });
            self.text = self.text[end + 1..].trim_start();
            return self.symbols.get(&key).copied();
        }
        if word == "DEFINED" && self.take("(") {
            return None;
        }
        self.symbols.get(word).copied()
    }

    fn take(&mut self, mark: &str) -> bool {
        let Some(rest) = self.text.trim_start().strip_prefix(mark) else { return false };
        self.text = rest.trim_start();
        true
    }
}

/// `0x10000`, `256K`, `1M`, `65536`, `0x20K`.
fn number(word: &str) -> Option<u64> {
    let word = word.trim_end_matches(['U', 'u', 'L', 'l']);
    let hex = word.strip_prefix("0x").or(word.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((word, 10), |digits| (digits, 16));
    let (digits, factor) = match digits.as_bytes().last()? {
        b'K' | b'k' => (&digits[..digits.len() - 1], 1024),
        b'M' | b'm' => (&digits[..digits.len() - 1], 1 << 20),
        b'G' | b'g' => (&digits[..digits.len() - 1], 1 << 30),
        _ => (digits, 1),
    };
    u64::from_str_radix(digits, radix).ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn junk_is_no_number(text in "[-0-9A-Za-z+*/()<|._ ]{0,60}") {
            evaluate(&text, &BTreeMap::new());
        }
    }
}
