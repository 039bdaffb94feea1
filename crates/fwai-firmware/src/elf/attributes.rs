//! Build attributes: the CPU and floating-point unit that the compiler was told to build for.

use super::{
    ElfImage, Machine,
    raw::{Raw, c_string, uleb},
};

/// What `.ARM.attributes` or `.riscv.attributes` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuAttributes {
    /// `armv7e-m`, `rv32imc`…
    pub arch: Option<String>,
    /// Name as given to the compiler, for instance `Cortex-M4`.
    pub cpu: Option<String>,
    /// `M`, `R` or `A`.
    pub profile: Option<char>,
    /// Uses floating-point registers.
    pub hard_float: bool,
}

impl ElfImage {
    /// What the compiler was told to build for, where the image says so.
    pub fn cpu_attributes(&self) -> CpuAttributes {
        let (name, vendor) = match self.machine {
            Machine::ARM => (".ARM.attributes", &b"aeabi"[..]),
            Machine::RISCV => (".riscv.attributes", &b"riscv"[..]),
            _ => return CpuAttributes::default(),
        };
        let Some(section) = self.section(name) else { return CpuAttributes::default() };
        let mut found = CpuAttributes::default();
        let raw = Raw { data: self.section_data(section), ..self.raw() };
        read(raw, vendor, |tag, value| match (self.machine, tag, value) {
            (Machine::ARM, 5, Value::Text(cpu)) => {
                found.cpu = Some(String::from_utf8_lossy(cpu).into_owned())
            }
            (Machine::ARM, 6, Value::Number(arch)) => found.arch = arm_arch(arch).map(str::to_string),
            (Machine::ARM, 7, Value::Number(profile)) => {
                found.profile = u8::try_from(profile).ok().filter(u8::is_ascii_uppercase).map(char::from);
            }
            (Machine::ARM, 10, Value::Number(unit)) => found.hard_float = unit != 0,
            (Machine::RISCV, 5, Value::Text(arch)) => {
                found.arch = Some(String::from_utf8_lossy(arch).into_owned());
            }
            _ => {}
        });
        found
    }
}

enum Value<'a> {
    Number(u64),
    Text(&'a [u8]),
}

/// Format version `A`, then vendor sections, then sub-sections of which tag 1 speaks of the whole file.
fn read(raw: Raw<'_>, wanted: &[u8], mut each: impl FnMut(u64, Value<'_>)) -> Option<()> {
    let mut at = 1;
    while raw.u8(0)? == b'A' {
        let length = u64::from(raw.u32(at)?);
        let mut vendor = raw.bytes(at + 4, length.checked_sub(4)?)?;
        let name = c_string(&mut vendor)?;
        while name == wanted && vendor.len() > 5 {
            let size = Raw { data: vendor, ..raw }.u32(1)? as usize;
            let mut attributes = vendor.get(5..size)?;
            if vendor[0] == 1 {
                while !attributes.is_empty() {
                    one(&mut attributes, &mut each)?;
                }
            }
            vendor = &vendor[size..];
        }
        at += length;
    }
    Some(())
}

fn one(bytes: &mut &[u8], each: &mut impl FnMut(u64, Value<'_>)) -> Option<()> {
    let tag = uleb(bytes)?;
    match tag {
        32 => {
            uleb(bytes)?;
            c_string(bytes)?;
        }
        4 | 5 => each(tag, Value::Text(c_string(bytes)?)),
        0..32 => each(tag, Value::Number(uleb(bytes)?)),
        odd if odd % 2 == 1 => each(tag, Value::Text(c_string(bytes)?)),
        _ => each(tag, Value::Number(uleb(bytes)?)),
    }
    Some(())
}

fn arm_arch(number: u64) -> Option<&'static str> {
    Some(match number {
        1 => "armv4",
        2 => "armv4t",
        3 => "armv5t",
        4 => "armv5te",
        5 => "armv5tej",
        6 => "armv6",
        7 => "armv6kz",
        8 => "armv6t2",
        9 => "armv6k",
        10 => "armv7",
        11 => "armv6-m",
        12 => "armv6s-m",
        13 => "armv7e-m",
        14 => "armv8-a",
        15 => "armv8-r",
        16 => "armv8-m.base",
        17 => "armv8-m.main",
        21 => "armv8.1-m.main",
        _ => return None,
    })
}
