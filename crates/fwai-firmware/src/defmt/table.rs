//! [`Table`]: the log strings of an image.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::{DefmtError, LogPlace, format::Format, hint::FlagsType, locations::log_places};
use crate::elf::{ElfImage, Place, Section};

/// How important a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trace => "TRACE",
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
        }
    }
}

/// How frames are told apart on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One after the other, with nothing between them.
    Raw,
    /// Zero-free, with a zero after each.
    Rzcobs,
}

/// The strings of an image by the number that travels.
#[derive(Debug)]
pub struct Table {
    pub(super) encoding: Encoding,
    pub(super) timestamp: Option<Format>,
    entries: BTreeMap<u16, Entry>,
    flags: HashMap<FlagsType, Vec<(String, u128)>>,
    places: BTreeMap<u16, LogPlace>,
}

/// One string.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) role: Role,
    pub(super) text: String,
    /// Of a string that is a format string.
    pub(super) format: Option<Format>,
    /// Of an enum, one for each variant.
    pub(super) variants: Vec<Format>,
}

/// What a string is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A whole line; `println!` has no level.
    Log(Option<Level>),
    /// A part of a line.
    Part,
}

/// The name of a symbol in `.defmt`.
#[derive(Deserialize)]
struct SymbolName {
    package: String,
    #[serde(default)]
    disambiguator: String,
    tag: String,
    data: String,
    crate_name: Option<String>,
}

impl Table {
    /// The strings of an image; `None` when it does not log with defmt.
    pub fn of(image: &ElfImage) -> Result<Option<Self>, DefmtError> {
        // A host program may keep one section for each string.
        let is_defmt = |section: &Section| section.name == ".defmt" || section.name.starts_with(".defmt.");
        if !image.sections.iter().any(is_defmt) {
            return Ok(None);
        }
        let version = only_one(image, "version")?.ok_or(DefmtError::NoVersion)?;
        if !matches!(&*version, "3" | "4") {
            return Err(DefmtError::Version(version));
        }
        let encoding = match only_one(image, "encoding")?.ok_or(DefmtError::NoEncoding)?.as_str() {
            "raw" => Encoding::Raw,
            "rzcobs" => Encoding::Rzcobs,
            other => return Err(DefmtError::Encoding(other.to_string())),
        };
        let mut table = Self {
            encoding,
            timestamp: None,
            entries: BTreeMap::new(),
            flags: HashMap::new(),
            places: BTreeMap::new(),
        };
        let mut flags: HashMap<FlagsType, Vec<(u128, String, u128)>> = HashMap::new();
        let mut numbers = HashMap::new();
        let mut seen = 0;
        for symbol in image.symbols() {
            let Place::Section(index) = symbol.place else { continue };
            let Some(section) = image.sections.get(index as usize).filter(|section| is_defmt(section)) else {
                continue;
            };
            seen += 1;
            // Linker marks and mapping symbols are no JSON; neither are names that damage has reached.
            let Ok(name) = serde_json::from_str::<SymbolName>(&symbol.name) else { continue };
            match &*name.tag {
                "defmt_timestamp" => table.timestamp = Format::read(&name.data),
                "defmt_bitflags_value" => {
                    let value = flag_value(image, section, symbol.value);
                    if let (Some(value), Some((key, order, flag))) = (value, flag_name(name)) {
                        flags.entry(key).or_default().push((order, flag, value));
                    }
                }
                _ => {
                    let (Some(entry), Ok(number)) = (Entry::of(name), u16::try_from(symbol.value)) else {
                        continue;
                    };
                    numbers.insert(&*symbol.name, number);
                    table.entries.insert(number, entry);
                }
            }
        }
        if table.entries.is_empty() {
            return Err(DefmtError::NoStrings(seen));
        }
        for (key, mut values) in flags {
            values.sort();
            table.flags.insert(key, values.into_iter().map(|(_, name, value)| (name, value)).collect());
        }
        table.places = log_places(image, &numbers);
        Ok(Some(table))
    }

    pub(super) fn entry(&self, number: u16) -> Option<&Entry> {
        self.entries.get(&number)
    }

    /// A string that is not a whole line.
    pub(super) fn part(&self, number: u16) -> Option<&Entry> {
        self.entry(number).filter(|entry| entry.role == Role::Part)
    }

    pub(super) fn flags(&self, of: &FlagsType) -> Option<&[(String, u128)]> {
        self.flags.get(of).map(Vec::as_slice)
    }

    /// Where the line with this number is written in the source.
    pub(super) fn place(&self, number: u16) -> Option<&LogPlace> {
        self.places.get(&number)
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Entry {
    fn of(name: SymbolName) -> Option<Self> {
        let role = match &*name.tag {
            "defmt_trace" => Role::Log(Some(Level::Trace)),
            "defmt_debug" => Role::Log(Some(Level::Debug)),
            "defmt_info" => Role::Log(Some(Level::Info)),
            "defmt_warn" => Role::Log(Some(Level::Warn)),
            "defmt_error" => Role::Log(Some(Level::Error)),
            "defmt_println" => Role::Log(None),
            "defmt_prim" | "defmt_derived" | "defmt_bitflags" | "defmt_write" | "defmt_str" | "defmt_fmt" => {
                Role::Part
            }
            // Other tools may keep strings of their own here.
            _ => return None,
        };
        let text = name.data;
        let is_format = name.tag != "defmt_str";
        // Only what `#[derive(Format)]` makes of an enum has variants; elsewhere a bar is a bar.
        let variants = match role == Role::Part && is_format && text.contains('|') {
            true => text.split('|').map(Format::read).collect::<Option<_>>().unwrap_or_default(),
            false => Vec::new(),
        };
        let format = if is_format { Format::read(&text) } else { None };
        Some(Self { role, text, format, variants })
    }
}

/// The value of `_defmt_version_ = 4` and its like; some linkers leave quotes around the name.
fn only_one(image: &ElfImage, what: &'static str) -> Result<Option<String>, DefmtError> {
    let start = format!("_defmt_{what}_ = ");
    let mut found: Option<String> = None;
    for symbol in image.symbols() {
        let Some(value) = symbol.name.trim_matches('"').strip_prefix(&*start) else { continue };
        match &found {
            Some(first) if first != value => {
                return Err(DefmtError::Mixed { what, first: first.clone(), second: value.to_string() });
            }
            _ => found = Some(value.to_string()),
        }
    }
    Ok(found)
}

fn flag_value(image: &ElfImage, section: &Section, address: u64) -> Option<u128> {
    let start = usize::try_from(address.checked_sub(section.address)?).ok()?;
    let bytes = image.section_data(section).get(start..start.checked_add(16)?)?;
    Some(u128::from_le_bytes(bytes.try_into().ok()?))
}

/// `Type::0::NAME`: the type, the place in its definition, the flag.
fn flag_name(name: SymbolName) -> Option<(FlagsType, u128, String)> {
    let mut parts = name.data.split("::").map(str::to_string);
    let (flags, order, flag) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let key = FlagsType {
        name: flags,
        package: name.package,
        disambiguator: name.disambiguator,
        crate_name: name.crate_name,
    };
    Some((key, order, flag))
}
