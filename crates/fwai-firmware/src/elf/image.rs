//! [`ElfImage`]: the file's bytes with its segments and sections.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::{
    Machine, Symbol,
    headers::{Header, read_sections, read_segments},
    raw::Raw,
};

pub(super) const PT_LOAD: u32 = 1;
pub(super) const PT_NOTE: u32 = 4;
pub(super) const SHT_NULL: u32 = 0;
pub(super) const SHT_SYMTAB: u32 = 2;
pub(super) const SHT_NOTE: u32 = 7;
pub(super) const SHT_NOBITS: u32 = 8;
const SHF_WRITE: u64 = 1;
const SHF_ALLOC: u64 = 2;
const SHF_EXECINSTR: u64 = 4;
const SHF_TLS: u64 = 0x400;
const SHF_COMPRESSED: u64 = 0x800;

/// Why a file could not be read as ELF.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum ElfError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not an ELF file{}; give the file that the linker wrote (usually *.elf, *.axf or *.out)", path.display(), what.as_deref().map(|what| format!(": {what}")).unwrap_or_default())]
    NotElf { path: PathBuf, what: Option<String> },
    #[error("{} is {size} bytes; more than {limit} is not read as an image", path.display())]
    TooLarge { path: PathBuf, size: u64, limit: u64 },
}

/// Width of the file's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Elf32,
    Elf64,
}

/// One program header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// `p_type`; 1 is a segment that is loaded.
    pub kind: u32,
    pub offset: u64,
    /// Where it is when the program runs (VMA).
    pub address: u64,
    /// Where it is stored (LMA).
    pub load_address: u64,
    pub file_size: u64,
    pub memory_size: u64,
    pub readable: bool,
    pub writable: bool,
    pub executable: bool,
}

impl Segment {
    /// A segment that occupies memory.
    pub fn is_load(&self) -> bool {
        self.kind == PT_LOAD
    }

    /// Whether the address is inside when the program runs.
    pub fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| offset < self.memory_size)
    }
}

/// One section header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Index in the section table.
    pub index: u32,
    pub name: String,
    /// `sh_type`.
    pub kind: u32,
    /// `sh_flags`.
    pub flags: u64,
    pub address: u64,
    /// Where its contents are stored; differs from `address` for data that is copied at start.
    pub load_address: u64,
    pub offset: u64,
    pub size: u64,
    pub align: u64,
    pub link: u32,
    pub info: u32,
    pub entry_size: u64,
}

impl Section {
    /// Takes room in memory when the program runs.
    pub fn is_alloc(&self) -> bool {
        self.flags & SHF_ALLOC != 0
    }
    pub fn is_writable(&self) -> bool {
        self.flags & SHF_WRITE != 0
    }
    pub fn is_executable(&self) -> bool {
        self.flags & SHF_EXECINSTR != 0
    }
    /// Thread-local storage.
    pub fn is_tls(&self) -> bool {
        self.flags & SHF_TLS != 0
    }
    /// Has no bytes in the file (`.bss`).
    pub fn is_nobits(&self) -> bool {
        self.kind == SHT_NOBITS
    }
    /// Holds compressed bytes (debug information).
    pub fn is_compressed(&self) -> bool {
        self.flags & SHF_COMPRESSED != 0
    }
    /// Whether the address is inside when the program runs.
    pub fn holds(&self, address: u64) -> bool {
        self.is_alloc() && address.checked_sub(self.address).is_some_and(|offset| offset < self.size)
    }
}

/// An ELF file in memory.
pub struct ElfImage {
    pub path: PathBuf,
    pub class: Class,
    pub big_endian: bool,
    pub machine: Machine,
    /// `e_type`: 1 relocatable, 2 executable, 3 shared, 4 core.
    pub kind: u16,
    pub entry: u64,
    /// `e_flags`.
    pub flags: u32,
    pub segments: Vec<Segment>,
    pub sections: Vec<Section>,
    /// What is damaged, in words.
    pub problems: Vec<String>,
    data: Vec<u8>,
    pub(super) symbols: OnceLock<Vec<Symbol>>,
}

impl fmt::Debug for ElfImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ElfImage({}, {}, {} bytes)", self.path.display(), self.machine, self.data.len())
    }
}

impl ElfImage {
    /// Read the file. It is copied into memory rather than mapped, so that a rebuild under our feet
    /// cannot change or cut off what is being looked at.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ElfError> {
        const LIMIT: u64 = 2 << 30;
        let path = path.into();
        let read_error = |path: &Path, source| ElfError::Read { path: path.to_path_buf(), source };
        let facts = std::fs::metadata(&path).map_err(|source| read_error(&path, source))?;
        if !facts.is_file() {
            return Err(ElfError::NotElf { path, what: Some("it is not a regular file".to_string()) });
        }
        if facts.len() > LIMIT {
            return Err(ElfError::TooLarge { path, size: facts.len(), limit: LIMIT });
        }
        let data = std::fs::read(&path).map_err(|source| read_error(&path, source))?;
        Self::parse(path, data)
    }

    /// Read an image that is already in memory; `path` is for messages.
    pub fn parse(path: impl Into<PathBuf>, data: Vec<u8>) -> Result<Self, ElfError> {
        let path = path.into();
        let header = match Header::read(&data) {
            Ok(header) => header,
            Err(what) => return Err(ElfError::NotElf { path, what }),
        };
        let raw = header.raw(&data);
        let mut problems = Vec::new();
        let segments = read_segments(raw, &header, &mut problems);
        let sections = read_sections(raw, &header, &segments, &mut problems);
        Ok(Self {
            path,
            class: if header.wide { Class::Elf64 } else { Class::Elf32 },
            big_endian: header.big_endian,
            machine: Machine(header.machine),
            kind: header.kind,
            entry: header.entry,
            flags: header.flags,
            segments,
            sections,
            problems,
            data,
            symbols: OnceLock::new(),
        })
    }

    /// Whether the bytes start like an ELF file.
    pub fn looks_like_elf(start: &[u8]) -> bool {
        start.starts_with(b"\x7fELF")
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    pub(super) fn raw(&self) -> Raw<'_> {
        Raw { data: &self.data, big_endian: self.big_endian, wide: self.class == Class::Elf64 }
    }

    /// The first section with this name.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The section's bytes in the file; as many as there are when the file is cut off.
    pub fn section_data(&self, section: &Section) -> &[u8] {
        if section.is_nobits() || section.kind == SHT_NULL {
            return &[];
        }
        clipped(&self.data, section.offset, section.size)
    }

    /// The segments that are loaded.
    pub fn load_segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.is_load())
    }

    /// The segment's bytes in the file; as many as there are when the file is cut off.
    pub fn segment_data(&self, segment: &Segment) -> &[u8] {
        clipped(&self.data, segment.offset, segment.file_size)
    }

    /// What a programmer writes to the chip: load address and bytes, in order of address.
    pub fn load_chunks(&self) -> Vec<(u64, &[u8])> {
        let mut chunks: Vec<(u64, &[u8])> = self
            .load_segments()
            .map(|segment| (segment.load_address, self.segment_data(segment)))
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        chunks.sort_by_key(|(address, _)| *address);
        chunks
    }

    /// Bytes at a run-time address, when the file has them.
    pub fn read(&self, address: u64, count: usize) -> Option<&[u8]> {
        let in_segments = self.load_segments().find_map(|segment| {
            let start = usize::try_from(address.checked_sub(segment.address)?).ok()?;
            self.segment_data(segment).get(start..start.checked_add(count)?)
        });
        in_segments.or_else(|| {
            let mut loaded = self.sections.iter().filter(|section| section.is_alloc());
            loaded.find_map(|section| {
                let start = usize::try_from(address.checked_sub(section.address)?).ok()?;
                self.section_data(section).get(start..start.checked_add(count)?)
            })
        })
    }

    /// A 32-bit word at a run-time address.
    pub fn read_u32(&self, address: u64) -> Option<u32> {
        let bytes: [u8; 4] = self.read(address, 4)?.try_into().ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// Whether the image can run as it is (not a relocatable object or a core dump).
    pub fn is_executable(&self) -> bool {
        matches!(self.kind, 2 | 3)
    }

    /// Whether debug information is present.
    pub fn has_debug_info(&self) -> bool {
        self.sections.iter().any(|section| section.name == ".debug_info" || section.name == ".zdebug_info")
    }
}

pub(super) fn clipped(data: &[u8], offset: u64, size: u64) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(data.len());
    let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX)).min(data.len());
    &data[start..end]
}
