//! [`Symbolizer`]: from an address to function, file and line.

use std::{
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use gimli::{EndianArcSlice, RunTimeEndian};

use super::{ElfImage, Machine, Place, SymbolKind, demangled};

type Reader = EndianArcSlice<RunTimeEndian>;

/// Answers "what is at this address?". Debug information is read at the first question, and only the
/// units that the questions touch.
pub struct Symbolizer {
    image: Arc<ElfImage>,
    functions: OnceLock<Vec<Function>>,
    lines: OnceLock<Option<Mutex<addr2line::Context<Reader>>>>,
}

struct Function {
    start: u64,
    end: u64,
    name: String,
}

/// One function at an address, with the place in its source.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Frame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// What is at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    pub address: u64,
    /// Bytes from the start of the function that the symbol table names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The function itself, then those it was inlined into. Never empty.
    pub frames: Vec<Frame>,
}

impl Location {
    /// The innermost function.
    pub fn function(&self) -> Option<&str> {
        self.frames.first()?.function.as_deref()
    }

    /// `file:line` of the innermost function.
    pub fn file_line(&self) -> Option<String> {
        let frame = self.frames.first()?;
        Some(format!("{}:{}", frame.file.as_deref()?, frame.line?))
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or("??"))?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " ({file}:{line})"),
            (Some(file), None) => write!(f, " ({file})"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, frame) in self.frames.iter().enumerate() {
            if number > 0 {
                f.write_str(", inlined into ")?;
            }
            write!(f, "{frame}")?;
        }
        Ok(())
    }
}

impl Symbolizer {
    pub fn new(image: Arc<ElfImage>) -> Self {
        Self { image, functions: OnceLock::new(), lines: OnceLock::new() }
    }

    pub fn image(&self) -> &ElfImage {
        &self.image
    }

    /// Whether instructions are at the address, so that a number on a console may be a code address.
    pub fn is_code(&self, address: u64) -> bool {
        let address = self.without_thumb_bit(address);
        if self.image.sections.is_empty() {
            return self.image.segment_at(address).is_some_and(|segment| segment.executable);
        }
        self.image.section_at(address).is_some_and(super::Section::is_executable)
    }

    /// What is at the address; `None` when nothing is known about it.
    pub fn locate(&self, address: u64) -> Option<Location> {
        let probe = self.without_thumb_bit(address);
        let named = self.named_function(probe);
        let mut frames = self.frames(probe);
        if let Some(function) = named {
            match frames.last_mut() {
                None => frames.push(Frame { function: Some(function.name.clone()), ..Frame::default() }),
                // Assembly has lines and no functions; its names are in the symbol table.
                Some(outermost) if outermost.function.is_none() => {
                    outermost.function = Some(function.name.clone())
                }
                Some(_) => {}
            }
        }
        (!frames.is_empty()).then(|| Location {
            address,
            offset: named.map(|function| probe - function.start),
            frames,
        })
    }

    /// What called: the place just before a return address.
    pub fn locate_call(&self, return_address: u64) -> Option<Location> {
        let before = self.without_thumb_bit(return_address).checked_sub(1)?;
        self.locate(before).map(|location| Location { address: return_address, ..location })
    }

    fn without_thumb_bit(&self, address: u64) -> u64 {
        if self.image.machine == Machine::ARM { address & !1 } else { address }
    }

    fn named_function(&self, address: u64) -> Option<&Function> {
        let functions = self.functions.get_or_init(|| functions(&self.image));
        let after = functions.partition_point(|function| function.start <= address);
        functions[..after].last().filter(|function| address < function.end)
    }

    fn frames(&self, address: u64) -> Vec<Frame> {
        let lines = self.lines.get_or_init(|| line_table(&self.image));
        let Some(context) = lines else { return Vec::new() };
        let context = context.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        let Ok(mut frames) = context.find_frames(address).skip_all_loads() else { return found };
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.as_ref().and_then(|function| {
                let raw = function.raw_name().ok()?;
                Some(demangled(&raw).unwrap_or_else(|| raw.into_owned()))
            });
            let place = frame.location.as_ref();
            found.push(Frame {
                function,
                file: place.and_then(|place| place.file).map(str::to_string),
                line: place.and_then(|place| place.line).filter(|line| *line > 0),
                column: place.and_then(|place| place.column).filter(|column| *column > 0),
            });
        }
        found.retain(|frame| *frame != Frame::default());
        found
    }
}

fn functions(image: &ElfImage) -> Vec<Function> {
    let mut functions: Vec<Function> = image
        .symbols()
        .iter()
        .filter(|symbol| matches!(symbol.place, Place::Section(_)) && !symbol.name.is_empty())
        .filter(|symbol| {
            symbol.kind == SymbolKind::Function
                || symbol.kind == SymbolKind::None
                    && !symbol.name.starts_with(['$', '.'])
                    && image.symbol_section(symbol).is_some_and(super::Section::is_executable)
        })
        .map(|symbol| {
            let start = symbol.address(image);
            Function { start, end: start.saturating_add(symbol.size), name: symbol.name.to_string() }
        })
        .collect();
    // At one address the symbol with a size is the better answer, so it comes last.
    functions.sort_by_key(|function| (function.start, function.end));
    for index in 0..functions.len() {
        // A label of assembly has no size: it reaches to the next one, or to the end of its section.
        if functions[index].end == functions[index].start {
            let start = functions[index].start;
            let next = functions[index..].iter().map(|next| next.start).find(|next| *next > start);
            let section_end =
                image.section_at(start).map(|section| section.address.saturating_add(section.size));
            functions[index].end = next.into_iter().chain(section_end).min().unwrap_or(start);
        }
    }
    for function in &mut functions {
        if let Some(name) = demangled(&function.name) {
            function.name = name;
        }
    }
    functions
}

fn line_table(image: &ElfImage) -> Option<Mutex<addr2line::Context<Reader>>> {
    if !image.has_debug_info() {
        return None;
    }
    let endian = if image.big_endian { RunTimeEndian::Big } else { RunTimeEndian::Little };
    let dwarf = gimli::Dwarf::load(|id| -> Result<Reader, gimli::Error> {
        Ok(EndianArcSlice::new(Arc::from(&*image.debug_section(id.name())), endian))
    })
    .ok()?;
    addr2line::Context::from_dwarf(dwarf).ok().map(Mutex::new)
}
