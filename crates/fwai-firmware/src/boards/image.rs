//! An image as a board sees it: which bytes go to which addresses, for which core.
//!
//! ELF, Intel HEX and raw binary files become the same list of [`Segment`]s, so that the memory map, the
//! read-back and the confirmation need no knowledge of formats.

use std::path::{Path, PathBuf};

use fwai_schema::{
    board::BoardDef,
    project::{MemoryRegion, Project},
};
use sha2::{Digest, Sha256};

use super::intel_hex;
use crate::elf::{CpuAttributes, ElfImage, Machine};

/// How an image file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageKind {
    Elf,
    Hex,
    Bin,
}

/// Bytes that belong at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Where the bytes are stored (the physical address of an ELF).
    pub address: u64,
    /// Where the program uses them.
    pub run_address: u64,
    pub data: Vec<u8>,
    /// Bytes it takes at `run_address`, at least the data.
    pub run_size: u64,
    pub writable: bool,
}

/// A file ready to be flashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub path: PathBuf,
    pub kind: ImageKind,
    pub sha256: String,
    pub file_size: u64,
    /// Segments that hold bytes or take room, in file order.
    pub segments: Vec<Segment>,
    pub build_id: Option<String>,
    /// Address of the build-id's bytes in the target's memory.
    pub build_id_address: Option<u64>,
    /// What it was built for; only an ELF says.
    machine: Option<Machine>,
    cpu: CpuAttributes,
}

/// Why a file is not an image for this board.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum ImageError {
    #[error("cannot read the image {}: {source}; build first, or name the image", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} is not a usable ELF file: {what}; build it again", path.display())]
    Elf { path: PathBuf, what: String },
    #[error("{} is not a usable Intel HEX file: {what}", path.display())]
    Hex { path: PathBuf, what: String },
    #[error("{} holds nothing to flash", path.display())]
    Empty { path: PathBuf },
    #[error("{} is a raw binary and the board's memory map does not say where flash begins; use the ELF", path.display())]
    NoBase { path: PathBuf },
    #[error("{} is an image for {image}, but board {board} has a {arch}; build for this chip or choose another board with `fwai board use`", path.display())]
    WrongCore { path: PathBuf, image: String, board: String, arch: String },
    #[error("{} does not fit board {board}: {what}; check the linker script or choose another board", path.display())]
    DoesNotFit { path: PathBuf, board: String, what: String },
}

const LARGEST_IMAGE: u64 = 1 << 30;

impl Image {
    /// Read an image for a board, whose memory map says where a raw binary goes.
    pub fn read_for(path: &Path, def: &BoardDef, project: &Project) -> Result<Self, ImageError> {
        Self::read(path, flash_base(def, project))
    }

    /// Read an image; a raw binary goes to `base`.
    pub fn read(path: &Path, base: Option<u64>) -> Result<Self, ImageError> {
        let read_error = |source| ImageError::Read { path: path.to_path_buf(), source };
        let size = std::fs::metadata(path).map_err(read_error)?.len();
        if size > LARGEST_IMAGE {
            let what = format!("{size} bytes are more than any board here holds");
            return Err(ImageError::Elf { path: path.to_path_buf(), what });
        }
        let bytes = std::fs::read(path).map_err(read_error)?;
        let mut image = Self {
            path: path.to_path_buf(),
            kind: ImageKind::Bin,
            sha256: hex::encode(Sha256::digest(&bytes)),
            file_size: bytes.len() as u64,
            segments: Vec::new(),
            build_id: None,
            build_id_address: None,
            machine: None,
            cpu: CpuAttributes::default(),
        };
        if bytes.starts_with(b"\x7fELF") {
            image.kind = ImageKind::Elf;
            image.read_elf(bytes).map_err(|what| ImageError::Elf { path: path.to_path_buf(), what })?;
        } else if matches!(extension(path).as_deref(), Some("hex" | "ihex" | "ihx")) {
            image.kind = ImageKind::Hex;
            let fault = |what: String| ImageError::Hex { path: path.to_path_buf(), what };
            let text = std::str::from_utf8(&bytes).map_err(|error| fault(error.to_string()))?;
            let runs = intel_hex::parse(text).map_err(fault)?;
            image.segments = runs.into_iter().map(|(address, data)| plain_segment(address, data)).collect();
        } else if matches!(extension(path).as_deref(), Some("elf" | "axf" | "out")) {
            let what = "it does not begin with the ELF magic".to_string();
            return Err(ImageError::Elf { path: path.to_path_buf(), what });
        } else {
            let base = base.ok_or_else(|| ImageError::NoBase { path: path.to_path_buf() })?;
            image.segments = vec![plain_segment(base, bytes)];
        }
        if image.bytes_to_write() == 0 {
            return Err(ImageError::Empty { path: path.to_path_buf() });
        }
        Ok(image)
    }

    fn read_elf(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let elf = ElfImage::parse(&self.path, bytes).map_err(|error| error.to_string())?;
        self.machine = Some(elf.machine);
        self.cpu = elf.cpu_attributes();
        for segment in elf.load_segments().filter(|segment| segment.memory_size > 0 || segment.file_size > 0)
        {
            let data = elf.segment_data(segment);
            if (data.len() as u64) < segment.file_size {
                return Err("a load segment lies outside the file; it may be cut off".to_string());
            }
            self.segments.push(Segment {
                address: segment.load_address,
                run_address: segment.address,
                data: data.to_vec(),
                run_size: segment.memory_size.max(segment.file_size),
                writable: segment.writable,
            });
        }
        if let Some(id) = elf.gnu_build_id() {
            self.build_id = Some(hex::encode(id));
            self.build_id_address = elf
                .section(".note.gnu.build-id")
                .filter(|note| note.is_alloc() && elf.section_data(note).ends_with(id))
                .map(|note| note.address + note.size - id.len() as u64)
                .filter(|address| elf.read(*address, id.len()) == Some(id));
        }
        Ok(())
    }

    /// Bytes that flashing writes.
    pub fn bytes_to_write(&self) -> u64 {
        self.segments.iter().map(|segment| segment.data.len() as u64).sum()
    }

    /// Which region takes how many bytes to write, in the order of the memory map.
    pub fn use_of_regions(&self, regions: &[MemoryRegion]) -> Vec<(String, u64)> {
        let mut used: Vec<(String, u64)> = Vec::new();
        for segment in self.segments.iter().filter(|segment| !segment.data.is_empty()) {
            let name = regions
                .iter()
                .find(|region| holds(region, segment.address, segment.data.len() as u64))
                .map_or_else(|| format!("{:#010x}", segment.address), |region| region.name.clone());
            match used.iter_mut().find(|(known, _)| *known == name) {
                Some((_, bytes)) => *bytes += segment.data.len() as u64,
                None => used.push((name, segment.data.len() as u64)),
            }
        }
        used
    }

    /// Refuse an image that is for another core or does not fit the memory map.
    pub fn check_fits(&self, def: &BoardDef, project: &Project) -> Result<(), ImageError> {
        self.check_core(def)?;
        let regions = memory_map(def, project);
        if regions.is_empty() {
            return Ok(());
        }
        let joined = join(regions);
        let fits = |start: u64, size: u64| {
            size == 0 || joined.iter().any(|(from, to)| start >= *from && start.saturating_add(size) <= *to)
        };
        for segment in &self.segments {
            let size = segment.data.len() as u64;
            let place = if !fits(segment.address, size) {
                Some((segment.address, size))
            } else if !fits(segment.run_address, segment.run_size) {
                Some((segment.run_address, segment.run_size))
            } else {
                None
            };
            if let Some((start, size)) = place {
                let map: Vec<String> = regions
                    .iter()
                    .map(|region| {
                        format!(
                            "{} {:#010x}..{:#010x}",
                            region.name,
                            region.origin,
                            region.origin + region.length
                        )
                    })
                    .collect();
                let what = format!(
                    "{size} bytes at {start:#010x}..{:#010x} lie outside its memory ({})",
                    start.saturating_add(size),
                    map.join(", ")
                );
                return Err(ImageError::DoesNotFit {
                    path: self.path.clone(),
                    board: def.name.clone(),
                    what,
                });
            }
        }
        Ok(())
    }

    fn check_core(&self, def: &BoardDef) -> Result<(), ImageError> {
        let wrong = |image: String| ImageError::WrongCore {
            path: self.path.clone(),
            image,
            board: def.name.clone(),
            arch: def.arch.clone(),
        };
        let arch = def.arch.to_ascii_lowercase();
        let wanted = match arch.as_str() {
            arch if arch.starts_with("cortex") || arch.starts_with("arm") => Machine::ARM,
            arch if arch.starts_with("riscv") || arch.starts_with("rv32") => Machine::RISCV,
            _ => return Ok(()),
        };
        match self.machine {
            Some(machine) if machine != wanted => return Err(wrong(machine.name())),
            _ => {}
        }
        let executes: &[&str] = match arch.as_str() {
            "cortex-m0" | "cortex-m0plus" | "cortex-m0+" | "cortex-m1" => &["armv6-m", "armv6s-m"],
            "cortex-m3" => &["armv7", "armv6-m", "armv6s-m"],
            "cortex-m4" | "cortex-m4f" | "cortex-m7" | "cortex-m7f" => {
                &["armv7", "armv7e-m", "armv6-m", "armv6s-m"]
            }
            "cortex-m23" => &["armv6-m", "armv6s-m", "armv8-m.base"],
            "cortex-m33" | "cortex-m35p" => {
                &["armv7", "armv7e-m", "armv6-m", "armv6s-m", "armv8-m.base", "armv8-m.main"]
            }
            _ => return Ok(()),
        };
        match (&self.cpu.arch, self.cpu.profile) {
            (Some(image), Some(profile @ ('A' | 'R'))) => Err(wrong(format!("{image} ({profile} profile)"))),
            (Some(image), _) if !executes.contains(&image.as_str()) => Err(wrong(image.clone())),
            _ => Ok(()),
        }
    }
}

/// The board's own memory map, else the project's.
pub(crate) fn memory_map<'a>(def: &'a BoardDef, project: &'a Project) -> &'a [MemoryRegion] {
    if def.regions.is_empty() { &project.target.regions } else { &def.regions }
}

/// Where a raw binary goes: the start of the region that programs are stored in.
pub(crate) fn flash_base(def: &BoardDef, project: &Project) -> Option<u64> {
    let regions = memory_map(def, project);
    let named = |region: &&MemoryRegion| region.name.to_ascii_lowercase().contains("flash");
    let executable = |region: &&MemoryRegion| {
        region.attributes.as_ref().is_some_and(|letters| letters.contains('x') && !letters.contains('w'))
    };
    regions.iter().find(named).or_else(|| regions.iter().find(executable)).map(|region| region.origin)
}

fn holds(region: &MemoryRegion, start: u64, size: u64) -> bool {
    start >= region.origin && start.saturating_add(size) <= region.origin.saturating_add(region.length)
}

fn plain_segment(address: u64, data: Vec<u8>) -> Segment {
    Segment { address, run_address: address, run_size: data.len() as u64, data, writable: false }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Adjoining regions as one range: a segment may reach across their border.
fn join(regions: &[MemoryRegion]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> =
        regions.iter().map(|region| (region.origin, region.origin.saturating_add(region.length))).collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match joined.last_mut() {
            Some((_, end)) if from <= *end => *end = (*end).max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}
