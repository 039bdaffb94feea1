//! What is known about a fault before it is explained.

/// The eight words that the core pushes when it takes an exception.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ExceptionFrame {
    pub r0: Option<u32>,
    pub r1: Option<u32>,
    pub r2: Option<u32>,
    pub r3: Option<u32>,
    pub r12: Option<u32>,
    pub lr: Option<u32>,
    pub pc: Option<u32>,
    pub xpsr: Option<u32>,
}

impl ExceptionFrame {
    /// Out of the words at the stack pointer that the core used.
    pub fn from_words(words: [u32; 8]) -> Self {
        let [r0, r1, r2, r3, r12, lr, pc, xpsr] = words.map(Some);
        Self { r0, r1, r2, r3, r12, lr, pc, xpsr }
    }
}

/// Fault registers and frame; whatever is not known stays empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct FaultState {
    /// 0xE000ED28: MMFSR, BFSR and UFSR in one.
    pub cfsr: Option<u32>,
    /// 0xE000ED2C.
    pub hfsr: Option<u32>,
    /// 0xE000ED30.
    pub dfsr: Option<u32>,
    /// 0xE000ED34.
    pub mmfar: Option<u32>,
    /// 0xE000ED38.
    pub bfar: Option<u32>,
    /// 0xE000ED3C, meaning defined by the chip.
    pub afsr: Option<u32>,
    /// 0xE000ED24.
    pub shcsr: Option<u32>,
    /// 0xE000EDE4, ARMv8-M with TrustZone.
    pub sfsr: Option<u32>,
    /// 0xE000EDE8.
    pub sfar: Option<u32>,
    /// LR inside the handler.
    pub exc_return: Option<u32>,
    /// Stack pointer at the fault.
    pub sp: Option<u32>,
    pub frame: ExceptionFrame,
}

impl FaultState {
    /// Addresses of the registers that a debugger reads to fill this in, by name.
    pub const REGISTERS: &'static [(&'static str, u32)] = &[
        ("SHCSR", 0xE000_ED24),
        ("CFSR", 0xE000_ED28),
        ("HFSR", 0xE000_ED2C),
        ("DFSR", 0xE000_ED30),
        ("MMFAR", 0xE000_ED34),
        ("BFAR", 0xE000_ED38),
        ("AFSR", 0xE000_ED3C),
    ];

    /// Set a register by its name in any case (`cfsr`, `MMAR`, `ip`, `r15`…); `false` when the name is
    /// none of ours. MMFSR, BFSR and UFSR go into their part of CFSR.
    pub fn set(&mut self, name: &str, value: u32) -> bool {
        match name.to_ascii_lowercase().as_str() {
            "mmfsr" | "mfsr" => return self.merge_cfsr(value & 0xff),
            "bfsr" => return self.merge_cfsr((value & 0xff) << 8),
            "ufsr" => return self.merge_cfsr((value & 0xffff) << 16),
            _ => {}
        }
        match self.slot(name) {
            Some(slot) => {
                *slot = Some(value);
                true
            }
            None => false,
        }
    }

    /// The register with this name in any case.
    pub(super) fn slot(&mut self, name: &str) -> Option<&mut Option<u32>> {
        let frame = &mut self.frame;
        Some(match name.to_ascii_lowercase().as_str() {
            "cfsr" => &mut self.cfsr,
            "hfsr" => &mut self.hfsr,
            "dfsr" => &mut self.dfsr,
            "mmfar" | "mmar" | "mmfa" => &mut self.mmfar,
            "bfar" | "bfa" => &mut self.bfar,
            "afsr" => &mut self.afsr,
            "shcsr" => &mut self.shcsr,
            "sfsr" => &mut self.sfsr,
            "sfar" => &mut self.sfar,
            "exc_return" | "exc_ret" | "excreturn" | "lr_exc" => &mut self.exc_return,
            "sp" | "msp" | "psp" | "r13" => &mut self.sp,
            "r0" => &mut frame.r0,
            "r1" => &mut frame.r1,
            "r2" => &mut frame.r2,
            "r3" => &mut frame.r3,
            "r12" | "ip" => &mut frame.r12,
            "lr" | "r14" => &mut frame.lr,
            "pc" | "r15" => &mut frame.pc,
            "xpsr" | "psr" | "apsr" => &mut frame.xpsr,
            _ => return None,
        })
    }

    fn merge_cfsr(&mut self, bits: u32) -> bool {
        self.cfsr = Some(self.cfsr.unwrap_or(0) | bits);
        true
    }
}
