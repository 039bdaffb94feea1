//! The `MEMORY` block of a GNU linker script, for detection and for memory figures alike.

use std::{collections::HashMap, path::Path};

use fwai_schema::project::MemoryRegion;

/// The regions of a script and of the files that it includes.
pub fn regions_of_script(path: &Path) -> std::io::Result<Vec<MemoryRegion>> {
    let mut text = String::new();
    load(path, &mut text, 0)?;
    Ok(parse_regions(&text))
}

fn load(path: &Path, into: &mut String, depth: usize) -> std::io::Result<()> {
    const DEEPEST: usize = 8;
    let text = without_comments(&String::from_utf8_lossy(&std::fs::read(path)?));
    for line in text.lines() {
        match line.trim().strip_prefix("INCLUDE ") {
            Some(name) if depth < DEEPEST => {
                let name = name.trim().trim_matches('"').trim_end_matches(';');
                // A script that is not beside this one is on the linker's search path, which is not known here.
                let _ = load(&path.with_file_name(name), into, depth + 1);
            }
            _ => {
                into.push_str(line);
                into.push('\n');
            }
        }
    }
    Ok(())
}

/// A region and where its definition begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defined {
    pub region: MemoryRegion,
    /// Which of the texts.
    pub text: usize,
    /// Line in that text, from 1.
    pub line: u32,
}

/// The regions that the text of a script defines; a length that cannot be computed leaves its region out.
pub fn parse_regions(text: &str) -> Vec<MemoryRegion> {
    definitions_in(&[text]).into_iter().map(|defined| defined.region).collect()
}

/// The regions of a script and of the files that it includes, given as texts; the first of a name counts.
pub fn definitions_in(texts: &[&str]) -> Vec<Defined> {
    const MOST_REGIONS: usize = 256;
    let texts: Vec<String> = texts.iter().map(|text| without_comments(text)).collect();
    let mut known: HashMap<String, u64> = HashMap::new();
    for text in &texts {
        let block = memory_blocks(text).first().map_or(text.len(), |block| block.0);
        assignments(&text[..block], &[], &mut known);
    }
    let mut regions: Vec<MemoryRegion> = Vec::new();
    let mut found: Vec<Defined> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        for (start, end) in memory_blocks(text) {
            for (offset, definition) in definitions(&text[start..end]) {
                let Some(region) = region(definition, &regions, &known) else { continue };
                if regions.len() >= MOST_REGIONS || regions.iter().any(|before| before.name == region.name) {
                    continue;
                }
                regions.push(region.clone());
                let before = &text.as_bytes()[..start + offset];
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u32;
                found.push(Defined { region, text: number, line });
            }
        }
    }
    found
}

/// Comments blanked; line breaks stay, so that places stay.
fn without_comments(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let start = match (rest.find("/*"), rest.find("//")) {
            (Some(block), Some(line)) => block.min(line),
            (Some(at), None) | (None, Some(at)) => at,
            (None, None) => break,
        };
        clean.push_str(&rest[..start]);
        let end = if rest[start..].starts_with("/*") {
            rest[start + 2..].find("*/").map(|end| start + 2 + end + 2)
        } else {
            rest[start..].find('\n').map(|end| start + end)
        };
        clean.push(' ');
        let comment = &rest[start..end.unwrap_or(rest.len())];
        clean.extend(comment.chars().filter(|c| *c == '\n'));
        match end {
            Some(end) => rest = &rest[end..],
            None => return clean,
        }
    }
    clean.push_str(rest);
    clean
}

fn memory_blocks(text: &str) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    for (at, _) in text.match_indices("MEMORY") {
        let before = text[..at].chars().next_back();
        let after = text[at + 6..].trim_start();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || !after.starts_with('{') {
            continue;
        }
        let open = text.len() - after.len() + 1;
        if let Some(close) = text[open..].find('}') {
            blocks.push((open, open + close));
        }
    }
    blocks
}

/// `NAME (attr) : ORIGIN = …, LENGTH = …`, which may stand several on a line or one on several.
fn definitions(block: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<usize> = Vec::new();
    let mut previous_end = 0;
    for (colon, _) in block.match_indices(':') {
        let head = &block[previous_end..colon];
        // The second half of `condition ? one : other`.
        if head.contains('?') {
            previous_end = colon + 1;
            continue;
        }
        // The name is the last word before the colon, without its attributes.
        let without_attributes = head.trim_end();
        let without_attributes = match without_attributes.ends_with(')') {
            true => without_attributes.rfind('(').map_or(without_attributes, |at| &without_attributes[..at]),
            false => without_attributes,
        };
        let name =
            without_attributes.trim_end().rsplit([' ', '\t', '\n', '\r', ';']).next().unwrap_or_default();
        if !name.is_empty() {
            starts.push(previous_end + without_attributes.trim_end().len() - name.len());
        }
        previous_end = colon + 1;
    }
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    starts.iter().zip(ends).map(|(start, end)| (*start, &block[*start..end])).collect()
}

fn region(definition: &str, before: &[MemoryRegion], known: &HashMap<String, u64>) -> Option<MemoryRegion> {
    let (head, body) = definition.split_once(':')?;
    let (name, attributes) = match head.split_once('(') {
        Some((name, rest)) => (name, rest.split(')').next().map(|text| text.trim().to_string())),
        None => (head, None),
    };
    let value = |names: &[&str]| {
        names.iter().find_map(|name| {
            let at = find_word(body, name)?;
            let rest = body[at + name.len()..].trim_start().strip_prefix('=')?;
            let end = top_level_end(rest);
            evaluate(&rest[..end], before, known)
        })
    };
    Some(MemoryRegion {
        name: name.trim().to_string(),
        origin: value(&["ORIGIN", "origin", "org", "o"])?,
        length: value(&["LENGTH", "length", "len", "l"])?,
        attributes: attributes.filter(|text| !text.is_empty()),
    })
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let after = &text[at + word.len()..];
        !text[..*at].chars().next_back().is_some_and(is_word) && after.trim_start().starts_with('=')
    })
}

/// Up to a comma or line end outside parentheses.
fn top_level_end(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' | ';' if depth <= 0 => return at,
            '\n' if depth <= 0 && !text[..at].trim().is_empty() => {
                // An expression goes on when it ends with an operator or the next line starts with one.
                let ends_open = text[..at].trim_end().ends_with(['+', '-', '*', '/', '=']);
                let goes_on = text[at..].trim_start().starts_with(['+', '-', '*', '/', ')']);
                if !ends_open && !goes_on {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// `NAME = expression;` before the block, and `PROVIDE`d or `DEFINED` defaults are left alone.
fn assignments(text: &str, regions: &[MemoryRegion], known: &mut HashMap<String, u64>) {
    for statement in text.split([';', '\n']) {
        let Some((name, expression)) = statement.split_once('=') else { continue };
        let name = name.trim().trim_start_matches("PROVIDE(").trim();
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
        if is_name && let Some(value) = evaluate(expression, regions, known) {
            known.insert(name.to_string(), value);
        }
    }
}

/// An expression of numbers, names, `+ - * / << >> |`, parentheses, `ORIGIN()`, `LENGTH()` and `DEFINED() ? :`.
fn evaluate(text: &str, regions: &[MemoryRegion], known: &HashMap<String, u64>) -> Option<u64> {
    let mut parser = Expression { rest: text.trim(), regions, known, depth: 0 };
    let value = parser.ternary()?;
    parser.rest.trim().is_empty().then_some(value)
}

struct Expression<'a> {
    rest: &'a str,
    regions: &'a [MemoryRegion],
    known: &'a HashMap<String, u64>,
    depth: usize,
}

impl Expression<'_> {
    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn ternary(&mut self) -> Option<u64> {
        let condition = self.either()?;
        if !self.take('?') {
            return Some(condition);
        }
        let (yes, no) = (self.ternary()?, self.take(':').then(|| self.ternary())??);
        Some(if condition != 0 { yes } else { no })
    }

    fn either(&mut self) -> Option<u64> {
        let mut value = self.shift()?;
        while self.take('|') {
            value |= self.shift()?;
        }
        Some(value)
    }

    fn shift(&mut self) -> Option<u64> {
        let mut value = self.sum()?;
        loop {
            let rest = self.rest.trim_start();
            let left = rest.starts_with("<<");
            if !left && !rest.starts_with(">>") {
                return Some(value);
            }
            self.rest = &rest[2..];
            let by = u32::try_from(self.sum()?).ok()?;
            value = if left { value.checked_shl(by)? } else { value.checked_shr(by)? };
        }
    }

    fn sum(&mut self) -> Option<u64> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value = value.checked_add(self.product()?)?;
            } else if self.take('-') {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<u64> {
        let mut value = self.atom()?;
        loop {
            if self.take('*') {
                value = value.checked_mul(self.atom()?)?;
            } else if self.take('/') {
                value = value.checked_div(self.atom()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn atom(&mut self) -> Option<u64> {
        self.depth += 1;
        if self.depth > 200 {
            return None;
        }
        if self.take('(') {
            let value = self.ternary()?;
            return self.take(')').then_some(value);
        }
        let rest = self.rest.trim_start();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word);
        }
        let lower = word.to_ascii_lowercase();
        if matches!(lower.as_str(), "origin" | "org" | "length" | "len" | "defined") && self.take('(') {
            let close = self.rest.find(')')?;
            let name = self.rest[..close].trim();
            self.rest = &self.rest[close + 1..];
            if lower == "defined" {
                return Some(u64::from(self.known.contains_key(name)));
            }
            let region = self.regions.iter().find(|region| region.name == name)?;
            return Some(if lower.starts_with('o') { region.origin } else { region.length });
        }
        self.known.get(word).copied()
    }
}

/// `0x10000`, `64K`, `1M`, `020` (octal).
pub(crate) fn number(word: &str) -> Option<u64> {
    let word = word.trim_end_matches(['U', 'u', 'L', 'l']);
    let (digits, factor) = match word.as_bytes().last()? {
        b'K' | b'k' => (&word[..word.len() - 1], 1024),
        b'M' | b'm' => (&word[..word.len() - 1], 1024 * 1024),
        b'G' | b'g' => (&word[..word.len() - 1], 1024 * 1024 * 1024),
        _ => (word, 1),
    };
    let digits = digits.trim();
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    value.ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_as_vendors_write_them() {
        let text = r"
/* Highest address of the user mode stack */
_estack = 0x20005000;    /* end of RAM */
BOOT_SIZE = 0x4000;
MEMORY
{
  FLASH (rx)      : ORIGIN = 0x08000000 + BOOT_SIZE, LENGTH = 128K - BOOT_SIZE // less the boot loader
  RAM (xrw) : ORIGIN = 0x20000000, LENGTH = 20K
  CCM : org = ORIGIN(RAM) + LENGTH(RAM), len = 0x1000
  TAIL (r) : ORIGIN = DEFINED(NOPE) ? 1 : 2, LENGTH = (2 * 3) + 010
  BAD : ORIGIN = UNKNOWN, LENGTH = 1
  BITS : ORIGIN = (1 << 28) | 0x10UL, LENGTH = 4K
  LINES (rw) :
     ORIGIN = 0x10,
     LENGTH = 1M
}
SECTIONS { .memory : { *(.x) } > RAM }
";
        let found: Vec<(String, u64, u64)> = parse_regions(text)
            .into_iter()
            .map(|region| (region.name, region.origin, region.length))
            .collect();
        let expect = [
            ("FLASH", 0x0800_4000, 112 * 1024),
            ("RAM", 0x2000_0000, 20 * 1024),
            ("CCM", 0x2000_5000, 0x1000),
            ("TAIL", 2, 14),
            ("BITS", 0x1000_0010, 4096),
            ("LINES", 0x10, 1024 * 1024),
        ];
        assert_eq!(found, expect.map(|(name, origin, length)| (name.to_string(), origin, length)));
        assert_eq!(parse_regions(text)[0].attributes.as_deref(), Some("rx"));
    }

    #[test]
    fn several_on_one_line() {
        let found = parse_regions(
            "MEMORY { rom (rx) : ORIGIN = 0, LENGTH = 256K ram (!rx) : org = 0x40000000, l = 4M }",
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[1].name.as_str(), found[1].length), ("ram", 4 << 20));
    }

    proptest::proptest! {
        #[test]
        fn junk_is_no_region(text in "[A-Z(){}:=,;+*/ 0-9xKM\n]{0,120}") {
            parse_regions(&format!("MEMORY {{ {text} }}"));
            parse_regions(&text);
        }
    }
}
