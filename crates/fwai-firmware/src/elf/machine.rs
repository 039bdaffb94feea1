//! Names of the machines that firmware is built for.

use std::fmt;

/// `e_machine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine(pub u16);

/// Number, short name.
const NAMES: &[(u16, &str)] = &[
    (2, "sparc"),
    (3, "x86"),
    (4, "m68k"),
    (8, "mips"),
    (20, "powerpc"),
    (21, "powerpc64"),
    (36, "v850"),
    (40, "arm"),
    (42, "superh"),
    (44, "tricore"),
    (62, "x86_64"),
    (83, "avr"),
    (88, "m32r"),
    (92, "openrisc"),
    (93, "arc"),
    (94, "xtensa"),
    (105, "msp430"),
    (106, "blackfin"),
    (173, "rx"),
    (183, "aarch64"),
    (189, "microblaze"),
    (195, "arcv2"),
    (197, "rl78"),
    (243, "riscv"),
    (258, "loongarch"),
];

impl Machine {
    pub const ARM: Self = Self(40);
    pub const AVR: Self = Self(83);
    pub const XTENSA: Self = Self(94);
    pub const RISCV: Self = Self(243);
    pub const X86_64: Self = Self(62);
    pub const AARCH64: Self = Self(183);

    /// Short name, `machine-123` where it has none here.
    pub fn name(&self) -> String {
        match NAMES.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => (*name).to_string(),
            None => format!("machine-{}", self.0),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
