//! The Cortex-M vector table: where the chip takes its stack and its first instruction from.

use super::{ElfImage, Machine};

/// A vector table and its first two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorTable {
    pub address: u64,
    pub initial_stack: u32,
    /// Reset handler without the Thumb bit.
    pub reset: u32,
}

const SECTIONS: &[&str] = &[
    ".isr_vector",
    ".vectors",
    ".vector_table",
    ".intvecs",
    ".vector",
    ".isr_vectors",
    ".interrupts",
    "rom_start",
];
const SYMBOLS: &[&str] = &[
    "g_pfnVectors",
    "__isr_vector",
    "__Vectors",
    "__vector_table",
    "_vectors",
    "vector_table",
    "__VECTOR_TABLE",
    "__vectors",
    "_vector_table",
    "__RESET_VECTOR",
    "vectors",
];

impl ElfImage {
    /// The vector table: by the usual names, else whatever at the start of a load segment makes sense
    /// as one. `None` for images of other machines.
    pub fn vector_table(&self) -> Option<VectorTable> {
        if self.machine != Machine::ARM || self.big_endian {
            return None;
        }
        let by_section = SECTIONS.iter().filter_map(|name| self.section(name)).map(|section| section.address);
        let by_symbol = SYMBOLS.iter().filter_map(|name| self.symbol(name)).map(|symbol| symbol.value & !1);
        let mut starts: Vec<u64> = self.load_segments().map(|segment| segment.address).collect();
        starts.sort_unstable();
        by_section.chain(by_symbol).chain(starts).find_map(|address| self.vectors_at(address))
    }

    fn vectors_at(&self, address: u64) -> Option<VectorTable> {
        let (initial_stack, reset) = (self.read_u32(address)?, self.read_u32(address + 4)?);
        let runs = self.segment_at(u64::from(reset & !1)).is_some_and(|segment| segment.executable);
        let in_ram = initial_stack.is_multiple_of(4)
            && (0x1000_0000..0x4000_0000).contains(&initial_stack)
            // External and tightly coupled memories of the larger parts.
            || (0x6000_0000..0xA000_0000).contains(&initial_stack) && initial_stack.is_multiple_of(4)
            || self.load_segments().any(|segment| {
                segment.writable && (segment.address..=segment.address + segment.memory_size).contains(&initial_stack.into())
            });
        (reset & 1 == 1 && runs && in_ram).then_some(VectorTable {
            address,
            initial_stack,
            reset: reset & !1,
        })
    }
}
