//! The symbol table, read when first asked for.

use super::{
    ElfImage, Section,
    image::{SHT_SYMTAB, Segment},
    raw::Raw,
};

/// Where a symbol lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Undefined,
    Absolute,
    /// Not yet placed (relocatable files only).
    Common,
    /// Index of its section.
    Section(u32),
}

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    None,
    Object,
    Function,
    Section,
    File,
    Common,
    Tls,
    Other,
}

/// One entry of the symbol table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: Box<str>,
    /// The address as the table has it; a Thumb function's is odd.
    pub value: u64,
    pub size: u64,
    pub kind: SymbolKind,
    /// Local to its file.
    pub local: bool,
    pub weak: bool,
    pub place: Place,
}

impl Symbol {
    /// Where the first byte is: the value without the Thumb bit.
    pub fn address(&self, image: &ElfImage) -> u64 {
        if image.machine == super::Machine::ARM && self.kind == SymbolKind::Function {
            self.value & !1
        } else {
            self.value
        }
    }
}

impl ElfImage {
    /// All symbols in table order; none when the image is stripped.
    pub fn symbols(&self) -> &[Symbol] {
        self.symbols.get_or_init(|| read_symbols(self))
    }

    /// The symbol with this exact name; a definition before anything else.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        let mut with_name = self.symbols().iter().filter(|symbol| &*symbol.name == name);
        let first = with_name.next()?;
        if first.place != Place::Undefined {
            return Some(first);
        }
        with_name.find(|symbol| symbol.place != Place::Undefined).or(Some(first))
    }

    /// The section that a symbol is in.
    pub fn symbol_section(&self, symbol: &Symbol) -> Option<&Section> {
        match symbol.place {
            Place::Section(index) => self.sections.get(index as usize),
            _ => None,
        }
    }

    /// The loaded segment that holds a run-time address.
    pub fn segment_at(&self, address: u64) -> Option<&Segment> {
        self.load_segments().find(|segment| segment.holds(address))
    }

    /// The section that holds a run-time address.
    pub fn section_at(&self, address: u64) -> Option<&Section> {
        self.sections.iter().find(|section| section.holds(address) && !section.is_tls())
    }
}

fn read_symbols(image: &ElfImage) -> Vec<Symbol> {
    let Some(table) = image.sections.iter().find(|section| section.kind == SHT_SYMTAB) else {
        return Vec::new();
    };
    let raw = image.raw();
    let data = image.section_data(table);
    let names = image.sections.get(table.link as usize).map_or(&[][..], |names| image.section_data(names));
    let extended = extended_indexes(image, table);
    let entry = Raw { data, ..raw };
    let smallest = if raw.wide { 24 } else { 16 };
    let step = table.entry_size.max(smallest);
    let count = data.len() as u64 / step;
    let mut symbols = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    for number in 1..count {
        let at = number * step;
        let fields = || {
            let info = entry.u8(at + if raw.wide { 4 } else { 12 })?;
            let section = entry.u16(at + if raw.wide { 6 } else { 14 })?;
            let name = Raw::text(names, entry.u32(at)?.into()).unwrap_or_default();
            Some((name, info, section, entry.word(at, 4, 8)?, entry.word(at, 8, 16)?))
        };
        let Some((name, info, section, value, size)) = fields() else { break };
        symbols.push(Symbol {
            name: String::from_utf8_lossy(name).into(),
            value,
            size,
            kind: match info & 15 {
                0 => SymbolKind::None,
                1 => SymbolKind::Object,
                2 => SymbolKind::Function,
                3 => SymbolKind::Section,
                4 => SymbolKind::File,
                5 => SymbolKind::Common,
                6 => SymbolKind::Tls,
                _ => SymbolKind::Other,
            },
            local: info >> 4 == 0,
            weak: info >> 4 == 2,
            place: match section {
                0 => Place::Undefined,
                0xfff2 => Place::Common,
                0xffff => match (Raw { data: extended, ..raw }).u32(number * 4) {
                    Some(index) => Place::Section(index),
                    None => Place::Absolute,
                },
                0xff00.. => Place::Absolute,
                index => Place::Section(index.into()),
            },
        });
    }
    symbols
}

/// Section indexes above 0xff00 stand in a table of their own.
fn extended_indexes<'a>(image: &'a ElfImage, table: &Section) -> &'a [u8] {
    const SHT_SYMTAB_SHNDX: u32 = 18;
    let own =
        image.sections.iter().find(|section| section.kind == SHT_SYMTAB_SHNDX && section.link == table.index);
    own.map_or(&[], |section| image.section_data(section))
}
