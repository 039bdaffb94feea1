//! Map files: regions, and which object file each piece came from. GNU ld and LLVM lld here, [`armlink`] and
//! [`iar`] beside it.

mod armlink;
mod iar;

use std::path::Path;

use fwai_schema::project::MemoryRegion;

/// A piece of an output section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Index into [`MapFile::outputs`].
    pub output: usize,
    /// Index into [`MapFile::files`]; `None` is fill.
    pub file: Option<usize>,
    pub address: u64,
    pub size: u64,
}

/// An output section as the map has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapOutput {
    pub name: String,
    pub address: u64,
    pub size: u64,
}

/// What a map file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapFile {
    pub regions: Vec<MemoryRegion>,
    pub outputs: Vec<MapOutput>,
    pub files: Vec<String>,
    pub pieces: Vec<Piece>,
    /// The linker names sections in the map otherwise than in the image: only addresses tell where a piece is.
    pub placed_by_address: bool,
}

impl MapFile {
    pub fn open(path: &Path) -> std::io::Result<Self> {
        Ok(Self::parse(&String::from_utf8_lossy(&std::fs::read(path)?)))
    }

    /// Read any known linker's format.
    pub fn parse(text: &str) -> Self {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let mut reader = Reader::default();
        if first.contains("VMA") && first.contains("LMA") {
            reader.lld(text);
        } else if armlink::is_armlink(text) {
            reader.armlink(text);
        } else if iar::is_iar(text) {
            reader.iar(text);
        } else {
            reader.gnu(text);
        }
        reader.map
    }
}

#[derive(Default)]
struct Reader<'a> {
    map: MapFile,
    known: std::collections::HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    fn file(&mut self, name: &'a str) -> usize {
        *self.known.entry(name).or_insert_with(|| {
            self.map.files.push(name.to_string());
            self.map.files.len() - 1
        })
    }

    /// A piece whose section only its address tells.
    fn piece(&mut self, file: Option<usize>, address: u64, size: u64) {
        self.map.pieces.push(Piece { output: 0, file, address, size });
    }

    fn gnu(&mut self, text: &'a str) {
        let mut lines = text.lines();
        for line in lines.by_ref() {
            if line.starts_with("Memory Configuration") {
                break;
            }
        }
        for line in lines.by_ref() {
            if line.starts_with("Linker script and memory map") {
                break;
            }
            self.region(line);
        }
        // A long name stands alone, with its numbers on the next line.
        let mut pending: Option<Pending<'a>> = None;
        for line in lines {
            if line.starts_with("Cross Reference Table") {
                break;
            }
            let line = line.trim_end();
            let waiting = pending.take();
            match line.as_bytes() {
                [] => {}
                [b' ', b' ', ..] => {
                    let text = line.trim_start();
                    if let (Some(waiting), Some(numbers)) = (waiting, numbers(text)) {
                        self.take(waiting, numbers);
                    }
                }
                [b' ', b'*', b'(', ..] => {}
                [b' ', ..] => {
                    let (name, rest) = first_word(&line[1..]);
                    pending = self.named(Pending::Input(name), rest);
                }
                _ => {
                    let (name, rest) = first_word(line);
                    if !matches!(name, "LOAD" | "START" | "END" | "OUTPUT" | "TARGET")
                        && !line.starts_with("OUTPUT(")
                    {
                        pending = self.named(Pending::Output(name), rest);
                    }
                }
            }
        }
    }

    /// A name with its numbers, or a name that waits for them.
    fn named(&mut self, name: Pending<'a>, rest: &'a str) -> Option<Pending<'a>> {
        if rest.is_empty() {
            return Some(name);
        }
        if let Some(numbers) = numbers(rest) {
            self.take(name, numbers);
        }
        None
    }

    fn take(&mut self, what: Pending<'a>, (address, size, rest): (u64, u64, &'a str)) {
        match what {
            Pending::Output(name) => {
                self.map.outputs.push(MapOutput { name: name.to_string(), address, size })
            }
            Pending::Input(name) => {
                let Some(output) = self.map.outputs.len().checked_sub(1) else { return };
                let is_fill = name == "*fill*";
                if size == 0 || rest.is_empty() && !is_fill {
                    return;
                }
                let file = (!is_fill).then(|| self.file(rest));
                self.map.pieces.push(Piece { output, file, address, size });
            }
        }
    }

    /// `FLASH            0x08000000         0x00010000         xr`
    fn region(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let (Some(name), Some(origin), Some(length)) = (words.next(), words.next(), words.next()) else {
            return;
        };
        if name == "*default*" {
            return;
        }
        if let (Some(origin), Some(length)) = (hex(origin), hex(length)) {
            let attributes = words.next().map(str::to_string);
            self.map.regions.push(MemoryRegion { name: name.to_string(), origin, length, attributes });
        }
    }

    /// Columns `VMA LMA Size Align Out In Symbol`, in hexadecimal without prefix.
    fn lld(&mut self, text: &'a str) {
        for line in text.lines().skip(1) {
            let mut rest = line;
            let mut numbers = [0u64; 4];
            let mut complete = true;
            for number in &mut numbers {
                rest = rest.trim_start();
                let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
                rest = after;
                match u64::from_str_radix(word, 16) {
                    Ok(value) => *number = value,
                    Err(_) => complete = false,
                }
            }
            if !complete {
                continue;
            }
            let name = rest.trim();
            let [address, _, size, _] = numbers;
            if let Some((file, _)) = name.split_once(":(") {
                if let Some(output) = self.map.outputs.len().checked_sub(1)
                    && size > 0
                {
                    let file = (file != "<internal>").then(|| self.file(file));
                    self.map.pieces.push(Piece { output, file, address, size });
                }
            // Symbols stand further to the right and may start with a dot too.
            } else if rest.starts_with(" .") && !name.contains([' ', '=']) {
                self.map.outputs.push(MapOutput { name: name.to_string(), address, size });
            }
        }
    }
}

enum Pending<'a> {
    Output(&'a str),
    Input(&'a str),
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(' ').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// `0x08000060       0x28 build/main.o`
fn numbers(text: &str) -> Option<(u64, u64, &str)> {
    let (address, rest) = first_word(text);
    let (size, rest) = first_word(rest);
    Some((hex(address)?, hex(size)?, rest))
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gnu_pieces_wrapped_names_and_fill() {
        let map = MapFile::parse(
            "Discarded input sections\n\n .text          0x00000000       0x99 gone.o\n\nMemory Configuration\n\nName             Origin             Length             Attributes\nFLASH            0x08000000         0x00010000         xr\n*default*        0x00000000         0xffffffff\n\nLinker script and memory map\n\nLOAD main.o\n                0x20002000                        _estack = 1\n\n.text           0x08000000       0x50\n *(.text*)\n .text.main     0x08000000       0x28 build/main.o\n                0x08000000                main\n *fill*         0x08000028        0x4 \n .text.a_long_function_name\n                0x0800002c       0x24 lib/libc.a(mem cpy.o)\n                                         0x30 (size before relaxing)\n.data           0x20000000        0x8 load address 0x08000050\n .data          0x20000000        0x8 main.o\nOUTPUT(x.elf elf32-littlearm)\n\nCross Reference Table\n\n.text 0x1 0x2 no.o\n",
        );
        assert_eq!(map.regions.len(), 1);
        assert_eq!(map.files, ["build/main.o", "lib/libc.a(mem cpy.o)", "main.o"]);
        let pieces: Vec<_> = map.pieces.iter().map(|piece| (piece.output, piece.file, piece.size)).collect();
        assert_eq!(pieces, [(0, Some(0), 0x28), (0, None, 4), (0, Some(1), 0x24), (1, Some(2), 8)]);
    }

    #[test]
    fn lld_columns() {
        let map = MapFile::parse(
            "     VMA      LMA     Size Align Out     In      Symbol\n 8000000  8000000       50     4 .text\n 8000000  8000000       28     4         main.o:(.text.main)\n 8000000  8000000       28     1                 main\n 8000028  8000028        4     4         <internal>:(.text)\n20000000  8000050        0     1 _sdata = .\n20000000  8000050        8     4 .data\n20000000  8000050        8     4         main.o:(.data)\n",
        );
        assert_eq!(map.outputs.len(), 2);
        assert_eq!(map.files, ["main.o"]);
        let pieces: Vec<_> = map.pieces.iter().map(|piece| (piece.output, piece.file, piece.size)).collect();
        assert_eq!(pieces, [(0, Some(0), 0x28), (0, None, 4), (1, Some(0), 8)]);
    }

    proptest::proptest! {
        #[test]
        fn junk_never_panics(text in "[ .*()0-9a-fx\nVMALé]{0,200}") {
            MapFile::parse(&text);
            MapFile::parse(&format!("Memory Configuration\n\nLinker script and memory map\n{text}"));
            MapFile::parse(&format!("VMA LMA\n{text}"));
            MapFile::parse(&format!("Memory Map of the image\nExecution Region {text}\n{text}"));
            MapFile::parse(&format!("*** PLACEMENT SUMMARY\n\"P1\": place in [{text}\n  Section \n{text}"));
        }
    }
}
