//! Arguments out of a frame's bytes, as the format strings of the table say.

use std::borrow::Cow;

use super::{
    format::{Format, Kind},
    table::{Entry, Role, Table},
};

/// No device sends more in one frame; larger numbers are damage.
const MOST_BYTES: u32 = 64 * 1024;
/// Values that take no bytes (`struct Nothing;`) would otherwise let one frame fill the memory.
const MOST_VALUES: usize = 64 * 1024;
const DEEPEST: usize = 64;

/// Why there is no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoFrame {
    /// The bytes end in the middle.
    Short,
    /// They say something that the table does not know.
    Damaged,
}

/// A decoded argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'t> {
    Unsigned(u128),
    /// With its width in bytes.
    Signed(i128, u8),
    F32(f32),
    F64(f64),
    Bool(bool),
    Char(char),
    Text(Cow<'t, str>),
    Bytes(Vec<u8>),
    Nested(&'t Format, Vec<Value<'t>>),
    Slice(Vec<Value<'t>>),
    /// What several `write!` calls made.
    Sequence(Vec<Value<'t>>),
}

/// One log line as it travelled.
#[derive(Debug)]
pub(super) struct Frame<'t> {
    pub(super) number: u16,
    pub(super) role: Role,
    pub(super) timestamp: Option<(&'t Format, Vec<Value<'t>>)>,
    pub(super) format: &'t Format,
    pub(super) arguments: Vec<Value<'t>>,
}

impl Table {
    /// The frame at the front of `bytes`, and what follows it.
    pub(super) fn frame<'t, 'b>(&'t self, bytes: &'b [u8]) -> Result<(Frame<'t>, &'b [u8]), NoFrame> {
        let mut reader = Reader { table: self, bytes, depth: 0, values: 0 };
        let number = reader.number()?;
        let entry = self.entry(number).filter(|entry| entry.role != Role::Part).ok_or(NoFrame::Damaged)?;
        let format = entry.format.as_ref().ok_or(NoFrame::Damaged)?;
        let timestamp = match &self.timestamp {
            Some(format) => Some((format, reader.arguments(format)?)),
            None => None,
        };
        let arguments = reader.arguments(format)?;
        Ok((Frame { number, role: entry.role, timestamp, format, arguments }, reader.bytes))
    }
}

struct Reader<'t, 'b> {
    table: &'t Table,
    bytes: &'b [u8],
    depth: usize,
    values: usize,
}

impl<'t, 'b> Reader<'t, 'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], NoFrame> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(NoFrame::Short)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn unsigned(&mut self, bytes: u8) -> Result<u128, NoFrame> {
        let mut value = [0; 16];
        value[..usize::from(bytes)].copy_from_slice(self.take(bytes.into())?);
        Ok(u128::from_le_bytes(value))
    }

    fn u32(&mut self) -> Result<u32, NoFrame> {
        Ok(self.unsigned(4)? as u32)
    }

    fn number(&mut self) -> Result<u16, NoFrame> {
        Ok(self.unsigned(2)? as u16)
    }

    fn length(&mut self) -> Result<usize, NoFrame> {
        let length = self.u32()?;
        if length > MOST_BYTES {
            return Err(NoFrame::Damaged);
        }
        Ok(length as usize)
    }

    fn arguments(&mut self, format: &'t Format) -> Result<Vec<Value<'t>>, NoFrame> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NoFrame::Damaged);
        }
        let values = format.arguments.iter().map(|kind| self.value(kind)).collect();
        self.depth -= 1;
        values
    }

    fn value(&mut self, kind: &Kind) -> Result<Value<'t>, NoFrame> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(NoFrame::Damaged);
        }
        Ok(match kind {
            Kind::Unsigned(bytes) => Value::Unsigned(self.unsigned(*bytes)?),
            Kind::Signed(bytes) => {
                let unused = 128 - 8 * u32::from(*bytes);
                let value = (self.unsigned(*bytes)? as i128) << unused >> unused;
                Value::Signed(value, *bytes)
            }
            Kind::F32 => Value::F32(f32::from_bits(self.u32()?)),
            Kind::F64 => Value::F64(f64::from_bits(self.unsigned(8)? as u64)),
            Kind::Bool => match self.unsigned(1)? {
                0 => Value::Bool(false),
                1 => Value::Bool(true),
                _ => return Err(NoFrame::Damaged),
            },
            Kind::Char => Value::Char(char::from_u32(self.u32()?).ok_or(NoFrame::Damaged)?),
            Kind::Bits(range) => {
                let lowest = range.start / 8;
                let bytes = ((range.end - 1) / 8 - lowest + 1).next_power_of_two();
                Value::Unsigned(self.unsigned(bytes)? << (8 * lowest))
            }
            Kind::Text => {
                let length = self.length()?;
                Value::Text(text(self.take(length)?))
            }
            Kind::Interned => {
                let number = self.number()?;
                Value::Text(Cow::Borrowed(&self.table.part(number).ok_or(NoFrame::Damaged)?.text))
            }
            Kind::Bytes => {
                let length = self.length()?;
                Value::Bytes(self.take(length)?.to_vec())
            }
            Kind::ByteArray(length) => Value::Bytes(self.take(*length as usize)?.to_vec()),
            Kind::Nested => {
                let entry = self.part()?;
                self.nested(entry)?
            }
            Kind::NestedSlice => {
                let length = self.length()?;
                self.slice(length)?
            }
            Kind::NestedArray(length) => self.slice(*length as usize)?,
            Kind::Sequence => {
                let mut written = Vec::new();
                loop {
                    let number = self.number()?;
                    if number == 0 {
                        break Value::Sequence(written);
                    }
                    let part = self.table.part(number).and_then(|part| part.format.as_ref());
                    let format = part.ok_or(NoFrame::Damaged)?;
                    written.push(Value::Nested(format, self.arguments(format)?));
                    self.values += 1;
                    if self.values > MOST_VALUES {
                        return Err(NoFrame::Damaged);
                    }
                }
            }
            Kind::Preformatted => {
                let end = memchr::memchr(0xff, self.bytes).ok_or(NoFrame::Short)?;
                let written = text(self.take(end)?);
                self.take(1)?;
                Value::Text(written)
            }
        })
    }

    fn part(&mut self) -> Result<&'t Entry, NoFrame> {
        let number = self.number()?;
        self.table.part(number).ok_or(NoFrame::Damaged)
    }

    fn nested(&mut self, entry: &'t Entry) -> Result<Value<'t>, NoFrame> {
        let format = if entry.variants.is_empty() {
            entry.format.as_ref()
        } else {
            // The discriminant takes as many bytes as the number of variants asks for.
            let width = match entry.variants.len() - 1 {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                _ => 4,
            };
            let variant = self.unsigned(width)?;
            usize::try_from(variant).ok().and_then(|variant| entry.variants.get(variant))
        };
        let format = format.ok_or(NoFrame::Damaged)?;
        Ok(Value::Nested(format, self.arguments(format)?))
    }

    fn slice(&mut self, length: usize) -> Result<Value<'t>, NoFrame> {
        let entry = self.part()?;
        let mut elements = Vec::new();
        for _ in 0..length {
            self.values += 1;
            if self.values > MOST_VALUES {
                return Err(NoFrame::Damaged);
            }
            elements.push(self.nested(entry)?);
        }
        Ok(Value::Slice(elements))
    }
}

/// Line noise in a text is no reason to lose the line.
fn text<'t>(bytes: &[u8]) -> Cow<'t, str> {
    Cow::Owned(String::from_utf8_lossy(bytes).into_owned())
}
