//! Memory use of an image: regions, sections, files, symbols, growth, budgets.
//!
//! [`analyze`] reads an ELF with what lies beside it (map, linker script, `.su` files) into a
//! [`MemoryReport`]; [`delta`] compares two, [`check`] holds budgets against one, [`html`]
//! shows it as a page.

mod analyze;
mod budget;
mod delta;
mod dwarf;
mod files;
mod html;
mod map_file;
mod regions;
mod report;
mod sections;
mod stack;
mod symbols;

pub use analyze::{MemoryOptions, analyze, analyze_image};
pub use budget::{BudgetError, check};
pub use delta::delta;
pub use html::html;
pub use map_file::{MapFile, MapOutput, Piece};
pub use report::{
    BudgetResult, Change, Delta, FileUse, MemoryReport, RegionUse, SectionKind, SectionUse, Sizes, StackUse,
    SymbolUse,
};
pub use sections::berkeley;
