//! Map files of IAR's linker (ILINK).

use fwai_schema::project::MemoryRegion;

use super::Reader;

/// Whether the text is of this linker.
pub(super) fn is_iar(text: &str) -> bool {
    text.contains("*** PLACEMENT SUMMARY")
}

impl<'a> Reader<'a> {
    /// The placement summary: directives that name address ranges, then the rows of each.
    pub(super) fn iar(&mut self, text: &'a str) {
        self.map.placed_by_address = true;
        let summary = text.split_once("*** PLACEMENT SUMMARY").map_or("", |(_, summary)| summary);
        let summary = summary.split_once("\n*** ").map_or(summary, |(summary, _)| summary);
        let (directives, rows) = match summary.find("\n  Section ") {
            Some(at) => summary.split_at(at),
            None => (summary, ""),
        };
        for directive in directives.split(';') {
            self.map.regions.extend(placements(directive));
        }
        for line in rows.lines() {
            self.iar_row(line);
        }
    }

    /// `section kind address [alignment] size object [number]`; a long section name stands alone, one line above.
    fn iar_row(&mut self, line: &'a str) {
        let Some(at) = line.find("0x").filter(|_| line.starts_with("  ") && !line.contains(" - 0x")) else {
            return;
        };
        let mut rest = &line[at..];
        let mut numbers = Vec::new();
        loop {
            let text = rest.trim_start();
            let (word, after) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
            match number(word) {
                Some(value) if numbers.len() < 3 => numbers.push(value),
                _ => break,
            }
            rest = after;
        }
        let (Some(address), Some(size)) = (numbers.first(), numbers.last()) else { return };
        let object = rest.trim();
        // A block's own row repeats what the rows inside it say.
        if numbers.len() < 2 || *size == 0 || matches!(object, "" | "<Block>" | "<Init block>") {
            return;
        }
        let name = match object.rsplit_once(" [") {
            Some((name, number)) if number.ends_with(']') => name.trim(),
            _ => object,
        };
        let file = self.file(name);
        self.piece(Some(file), *address, *size);
    }
}

/// `"P1":  place in [from 0x800'0000 to 0x80f'ffff] { ro }`; several ranges may be joined with `|`.
fn placements(directive: &str) -> Vec<MemoryRegion> {
    let Some((name, what)) = directive.trim().split_once(':') else { return Vec::new() };
    let name = name.trim().rsplit('\n').next().unwrap_or_default().trim().trim_matches('"');
    let Some((ranges, contents)) = what.trim().strip_prefix("place in").and_then(|rest| rest.split_once('{'))
    else {
        return Vec::new();
    };
    let is_written = contents
        .split([',', ' ', '}', '\n'])
        .any(|word| matches!(word.trim(), "rw" | "readwrite" | "zi" | "CSTACK" | "HEAP"));
    let mut regions: Vec<MemoryRegion> = Vec::new();
    for range in ranges.split('|') {
        let inner = range.trim().trim_start_matches('[').trim_end_matches(']').trim();
        let ends = match inner.strip_prefix("from ") {
            Some(rest) => rest.split_once(" to "),
            None => inner.split_once('-'),
        };
        let Some((first, last)) =
            ends.and_then(|(first, last)| Some((number(first.trim())?, number(last.trim())?)))
        else {
            continue;
        };
        let Some(length) = last.checked_sub(first).and_then(|length| length.checked_add(1)) else { continue };
        let name =
            if regions.is_empty() { name.to_string() } else { format!("{name}.{}", regions.len() + 1) };
        let attributes = Some(if is_written { "rw" } else { "rx" }.to_string());
        regions.push(MemoryRegion { name, origin: first, length, attributes });
    }
    regions
}

/// `0x800'0000`, `0x1ac`, or an alignment such as `4`.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(&digits.replace('\'', ""), 16).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::MapFile, *};

    #[test]
    fn directives_blocks_and_wrapped_names() {
        let text = "
###############################################################################
# IAR ELF Linker V9.30.1.335/W64 for ARM                 02/Mar/2026  10:00:00
###############################################################################

*******************************************************************************
*** RUNTIME MODEL ATTRIBUTES
***

*******************************************************************************
*** PLACEMENT SUMMARY
***

\"A0\":  place at address 0x800'0000 { ro section .intvec };
\"P1\":  place in [from 0x800'0000 to 0x80f'ffff] { ro };
\"P2\":  place in [from 0x2000'0000 to 0x2000'4fff] |
          [from 0x1000'0000 to 0x1000'0fff] {
          rw, block CSTACK, block HEAP };
initialize by copy { rw };

  Section            Kind         Address    Aln      Size  Object
  -------            ----         -------    ---      ----  ------
\"A0\":                                              0x1ac
  .intvec            ro code   0x800'0000      4     0x1ac  startup.o [1]
                             - 0x800'01ac            0x1ac

\"P1\":                                               0x90
  .text              ro code   0x800'01ac      4      0x60  main.o [1]
  .text.a_function_with_a_long_name
                     ro code   0x800'020c      4      0x20  sprintf.o [3]
  Initializer bytes  const     0x800'022c      4      0x10  <for P2 s0>
                             - 0x800'023c             0x90

\"P2\", part 1 of 2:                                   0x10
  P2 s0                       0x2000'0000      4      0x10  <Init block>
    .data            inited   0x2000'0000      4      0x10  main.o [1]
                            - 0x2000'0010             0x10

\"P2\", part 2 of 2:                                  0x400
  CSTACK                      0x2000'0010      8     0x400  <Block>
    CSTACK           uninit   0x2000'0010            0x400  <Block tail>
                            - 0x2000'0410            0x400

*******************************************************************************
*** INIT TABLE
***
          Address      Size
  .bss    0x2000'0000  0x10  not.o [1]
";
        assert!(is_iar(text));
        let map = MapFile::parse(text);
        let regions: Vec<_> =
            map.regions.iter().map(|region| (region.name.as_str(), region.origin, region.length)).collect();
        assert_eq!(
            regions,
            [("P1", 0x0800_0000, 0x10_0000), ("P2", 0x2000_0000, 0x5000), ("P2.2", 0x1000_0000, 0x1000)]
        );
        assert_eq!(map.files, ["startup.o", "main.o", "sprintf.o", "<for P2 s0>", "<Block tail>"]);
        let pieces: Vec<_> =
            map.pieces.iter().map(|piece| (piece.file.unwrap(), piece.address, piece.size)).collect();
        assert_eq!(
            pieces,
            [
                (0, 0x0800_0000, 0x1ac),
                (1, 0x0800_01ac, 0x60),
                (2, 0x0800_020c, 0x20),
                (3, 0x0800_022c, 0x10),
                (1, 0x2000_0000, 0x10),
                (4, 0x2000_0010, 0x400),
            ]
        );
    }
}
