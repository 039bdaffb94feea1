//! What an SVD file says, expanded.

use std::path::{Path, PathBuf};

/// Why an SVD file could not be used.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum SvdError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} is not well-formed XML: {what}", path.display())]
    Xml { path: PathBuf, what: String },
    #[error("{} has no <device>; is it a CMSIS-SVD file?", path.display())]
    NoDevice { path: PathBuf },
    #[error("no register `{name}`{}", nearest.as_deref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default())]
    NoRegister { name: String, nearest: Option<String> },
}

/// A chip's peripherals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Svd {
    pub device: String,
    pub peripherals: Vec<Peripheral>,
    /// What was left out, in words.
    pub problems: Vec<String>,
}

/// One peripheral at one address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Peripheral {
    pub name: String,
    pub description: String,
    pub base: u64,
    pub registers: Vec<Register>,
    /// Name and number of each interrupt.
    pub interrupts: Vec<(String, u32)>,
}

/// One register; arrays and clusters are expanded (`CH[0].CR` is `CH0.CR` or `CH[0].CR` as the vendor wrote it).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Register {
    /// With its clusters, without its peripheral.
    pub name: String,
    pub description: String,
    pub address: u64,
    /// In bits.
    pub size: u32,
    /// `read-only`, `write-only`, `read-write`…
    pub access: Option<String>,
    pub reset_value: Option<u64>,
    pub fields: Vec<Field>,
    /// Reading has a side effect, so a tool should ask first.
    pub read_changes_state: bool,
}

/// Some bits of a register.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub description: String,
    pub offset: u32,
    pub width: u32,
    pub access: Option<String>,
    pub values: Vec<EnumValue>,
}

/// A named value of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnumValue {
    pub name: String,
    pub description: String,
    pub value: u64,
    /// Bits that matter; an SVD pattern such as `#1xx` leaves some open.
    pub mask: u64,
    /// Stands for every value that has no other name.
    pub is_default: bool,
}

impl Svd {
    /// Read the file.
    pub fn open(path: &Path) -> Result<Self, SvdError> {
        let bytes =
            std::fs::read(path).map_err(|source| SvdError::Read { path: path.to_path_buf(), source })?;
        Self::parse(path, &bytes)
    }

    pub fn peripheral(&self, name: &str) -> Option<&Peripheral> {
        self.peripherals.iter().find(|peripheral| peripheral.name.eq_ignore_ascii_case(name))
    }

    /// The register at `PERIPHERAL.REGISTER`, in any case; a trailing `.FIELD` is found too.
    pub fn register(&self, path: &str) -> Result<(&Peripheral, &Register, Option<&Field>), SvdError> {
        let path = path.trim().replace("->", ".");
        let missing = || SvdError::NoRegister { name: path.clone(), nearest: self.nearest(&path) };
        let (first, rest) = path.split_once('.').ok_or_else(missing)?;
        let peripheral = self.peripheral(first).ok_or_else(missing)?;
        let by_name = |name: &str| {
            peripheral.registers.iter().find(|register| register.name.eq_ignore_ascii_case(name))
        };
        if let Some(register) = by_name(rest) {
            return Ok((peripheral, register, None));
        }
        let (register, field) = rest.rsplit_once('.').ok_or_else(missing)?;
        let register = by_name(register).ok_or_else(missing)?;
        let field = register
            .fields
            .iter()
            .find(|found| found.name.eq_ignore_ascii_case(field))
            .ok_or_else(missing)?;
        Ok((peripheral, register, Some(field)))
    }

    /// The register that covers an address.
    pub fn register_at(&self, address: u64) -> Option<(&Peripheral, &Register)> {
        self.peripherals.iter().find_map(|peripheral| {
            let covers = |register: &&Register| {
                address
                    .checked_sub(register.address)
                    .is_some_and(|offset| offset < u64::from(register.size.div_ceil(8)))
            };
            peripheral.registers.iter().find(covers).map(|register| (peripheral, register))
        })
    }

    fn nearest(&self, path: &str) -> Option<String> {
        let wanted = path.to_ascii_uppercase();
        let names = self.peripherals.iter().flat_map(|peripheral| {
            peripheral.registers.iter().map(move |register| format!("{}.{}", peripheral.name, register.name))
        });
        let scored = names.map(|name| (strsim::jaro_winkler(&name.to_ascii_uppercase(), &wanted), name));
        scored.filter(|(score, _)| *score > 0.85).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
    }
}
