//! A register's value as fields.

use std::fmt;

use super::{Field, Peripheral, Register};

/// A register with a value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DecodedRegister {
    /// `RCC.AHB1ENR`.
    pub name: String,
    pub address: u64,
    pub value: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset_value: Option<u64>,
    pub description: String,
    /// Lowest bits first.
    pub fields: Vec<DecodedField>,
}

/// A field with a value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DecodedField {
    pub name: String,
    /// `[7:4]` or `[3]`.
    pub bits: String,
    pub value: u64,
    /// What the vendor calls this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    pub description: String,
    /// Differs from the value after reset.
    pub changed: bool,
}

impl Register {
    /// The value's fields.
    pub fn decode(&self, peripheral: &Peripheral, value: u64) -> DecodedRegister {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| field.offset);
        DecodedRegister {
            name: format!("{}.{}", peripheral.name, self.name),
            address: self.address,
            value,
            reset_value: self.reset_value,
            description: self.description.clone(),
            fields: fields.into_iter().map(|field| field.decode(value, self.reset_value)).collect(),
        }
    }
}

impl Field {
    /// This field's bits out of the register's value.
    pub fn extract(&self, value: u64) -> u64 {
        let mask = if self.width >= 64 { u64::MAX } else { (1 << self.width) - 1 };
        value.checked_shr(self.offset).unwrap_or(0) & mask
    }

    /// `[7:4]` or `[3]`.
    pub fn bits(&self) -> String {
        match self.width {
            0 | 1 => format!("[{}]", self.offset),
            width => format!("[{}:{}]", self.offset + width - 1, self.offset),
        }
    }

    fn decode(&self, register: u64, reset: Option<u64>) -> DecodedField {
        let value = self.extract(register);
        let named = self
            .values
            .iter()
            .find(|named| !named.is_default && value & named.mask == named.value & named.mask);
        let named = named.or_else(|| self.values.iter().find(|named| named.is_default));
        DecodedField {
            name: self.name.clone(),
            bits: self.bits(),
            value,
            meaning: named.map(|named| match named.description.as_str() {
                "" => named.name.clone(),
                text => format!("{}: {text}", named.name),
            }),
            description: self.description.clone(),
            changed: reset.is_some_and(|reset| self.extract(reset) != value),
        }
    }
}

impl fmt::Display for DecodedRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} @ {:#010x} = {:#010x}", self.name, self.address, self.value)?;
        for field in &self.fields {
            let mark = if field.changed { '*' } else { ' ' };
            let what = field.meaning.as_deref().unwrap_or(&field.description);
            writeln!(f, " {mark} {:<8} {:<16} {:#x}  {what}", field.bits, field.name, field.value)?;
        }
        Ok(())
    }
}
