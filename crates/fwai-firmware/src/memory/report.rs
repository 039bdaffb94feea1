//! What is known about an image's memory, for people, programs and pictures.

use serde::{Deserialize, Serialize};

/// The whole report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryReport {
    pub elf: String,
    pub machine: String,
    pub build_id: String,
    /// As `size` counts.
    pub size: Sizes,
    pub regions: Vec<RegionUse>,
    /// Where the regions come from: `map`, `linker_script`, `project`, or empty.
    pub regions_from: String,
    pub sections: Vec<SectionUse>,
    /// Largest first; the sum of all rows is the sum of all sections.
    pub files: Vec<FileUse>,
    /// Largest first, as `nm --size-sort` counts.
    pub symbols: Vec<SymbolUse>,
    /// Bytes that hold nothing: alignment between and inside sections.
    pub padding: u64,
    /// Largest first, from `.su` files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<StackUse>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Delta>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetResult>,
    /// What could not be read or was left out, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// Berkeley sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    pub text: u64,
    pub data: u64,
    pub bss: u64,
    pub total: u64,
}

/// One memory region and how full it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RegionUse {
    pub name: String,
    pub origin: u64,
    pub length: u64,
    /// Bytes of sections in it; data that is copied at start counts where it is stored and where it runs.
    pub used: u64,
    pub free: u64,
    pub percent: f64,
    /// Bytes lost between its sections.
    pub padding: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<String>,
}

/// What a section is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    #[default]
    Text,
    Rodata,
    Data,
    Bss,
}

/// One section that takes memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionUse {
    pub name: String,
    pub address: u64,
    pub load_address: u64,
    pub size: u64,
    pub kind: SectionKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Where its contents are stored, when that is elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_region: Option<String>,
}

/// One object file (from the map) or source file (from debug information).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileUse {
    pub name: String,
    pub size: u64,
    pub text: u64,
    pub rodata: u64,
    pub data: u64,
    pub bss: u64,
}

impl FileUse {
    pub(super) fn add(&mut self, kind: SectionKind, bytes: u64) {
        // A damaged image may claim more bytes than there are numbers.
        self.size = self.size.saturating_add(bytes);
        let part = match kind {
            SectionKind::Text => &mut self.text,
            SectionKind::Rodata => &mut self.rodata,
            SectionKind::Data => &mut self.data,
            SectionKind::Bss => &mut self.bss,
        };
        *part = part.saturating_add(bytes);
    }
}

/// One symbol with a size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolUse {
    /// As the linker has it.
    pub name: String,
    /// As a person wrote it, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demangled: Option<String>,
    pub size: u64,
    pub section: String,
    pub file: Option<String>,
    pub address: u64,
    /// `function`, `object` or `other`.
    pub kind: String,
}

impl SymbolUse {
    /// The name for people.
    pub fn shown(&self) -> &str {
        self.demangled.as_deref().unwrap_or(&self.name)
    }
}

/// Stack of one function, as the compiler computed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackUse {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub bytes: u64,
    /// `static`, `dynamic`, `dynamic,bounded`.
    pub kind: String,
}

/// Growth against another image.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    /// What was compared with.
    pub against: String,
    pub text: i64,
    pub data: i64,
    pub bss: i64,
    pub total: i64,
    pub regions: Vec<Change>,
    pub sections: Vec<Change>,
    pub files: Vec<Change>,
    /// Largest change first.
    pub symbols: Vec<Change>,
}

/// One thing that changed its size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub name: String,
    pub before: u64,
    pub after: u64,
    pub change: i64,
}

/// One budget and whether it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetResult {
    /// `flash`, a region's name, or `symbol growth`.
    pub name: String,
    /// As written: `90%`, `64K`.
    pub limit: String,
    pub limit_bytes: u64,
    pub used: u64,
    pub ok: bool,
    pub message: String,
}
