//! Fault registers out of what firmware prints when it dies.
//!
//! Every fault handler prints in its own way (`CFSR = 0x00008200`, `r15/pc: 0x080001a4`,
//! `BFAR Address: 0x50008158`, or Zephyr's sentences), so the text is read as words: a register's
//! name, then within a few words its value.

use super::FaultState;

/// Words that stand between a name and its value.
const BETWEEN: &[&str] = &[
    "address", "addr", "register", "reg", "value", "val", "at", "is", "a1", "a2", "a3", "a4", "fault",
    "status",
];

/// Sentences that mean a bit of CFSR or HFSR (Zephyr and RTOS ports that decode for themselves).
const SENTENCES: &[(&str, &str, u32)] = &[
    ("instruction access violation", "cfsr", 1 << 0),
    ("data access violation", "cfsr", 1 << 1),
    ("stacking error (context area might be not valid)", "cfsr", 1 << 4),
    ("precise data bus error", "cfsr", 1 << 9),
    ("imprecise data bus error", "cfsr", 1 << 10),
    ("instruction bus error", "cfsr", 1 << 8),
    ("attempt to execute undefined instruction", "cfsr", 1 << 16),
    ("illegal use of the epsr", "cfsr", 1 << 17),
    ("illegal load of exc_return into pc", "cfsr", 1 << 18),
    ("no coprocessor instructions", "cfsr", 1 << 19),
    ("stack overflow (context area not valid)", "cfsr", 1 << 20),
    ("unaligned memory access", "cfsr", 1 << 24),
    ("division by zero", "cfsr", 1 << 25),
    ("bus fault on vector table read", "hfsr", 1 << 1),
];

impl FaultState {
    /// What a console dump says; `None` when there is no fault in it. The first value of each register
    /// counts, because a second fault is often only a result of the first.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut state = Self::default();
        let words: Vec<&str> = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let mut named = 0;
        for (at, word) in words.iter().enumerate() {
            let mut probe = Self::default();
            if !probe.set(word, 0) {
                continue;
            }
            let Some(value) = value_after(&words[at + 1..]) else { continue };
            let partial = matches!(word.to_ascii_lowercase().as_str(), "mmfsr" | "mfsr" | "bfsr" | "ufsr");
            if partial || state.slot(word).is_some_and(|slot| slot.is_none()) {
                state.set(word, value);
                named += 1;
            }
        }
        let lower = text.to_ascii_lowercase();
        let spoken = state.add_sentences(&lower);
        let speaks_of_fault =
            ["fault", "panic", "exception", "crash", "cfsr"].iter().any(|word| lower.contains(word));
        state.tell_exc_return_from_lr();
        (spoken
            || speaks_of_fault && (state.cfsr.is_some() || state.hfsr.is_some() || state.frame.pc.is_some()))
        .then_some(state)
        .filter(|_| spoken || named > 0)
    }

    fn add_sentences(&mut self, lower: &str) -> bool {
        let mut found = false;
        for (sentence, register, bits) in SENTENCES {
            let Some(at) = lower.find(sentence) else { continue };
            // "imprecise data bus error" contains "precise data bus error".
            if *sentence == "precise data bus error" && lower[..at].ends_with("im") {
                continue;
            }
            found = true;
            if let Some(slot) = self.slot(register) {
                *slot = Some(slot.unwrap_or(0) | bits);
            }
        }
        if found {
            if self.bfar.is_some_and(|_| self.cfsr.unwrap_or(0) & 0x0200 != 0) {
                self.cfsr = self.cfsr.map(|cfsr| cfsr | 1 << 15);
            }
            if self.mmfar.is_some_and(|_| self.cfsr.unwrap_or(0) & 0x0002 != 0) {
                self.cfsr = self.cfsr.map(|cfsr| cfsr | 1 << 7);
            }
        }
        found
    }

    /// Many handlers print the handler's LR, which is EXC_RETURN, under the name of LR.
    fn tell_exc_return_from_lr(&mut self) {
        if self.exc_return.is_none() && self.frame.lr.is_some_and(|lr| lr >= 0xFFFF_FF00) {
            self.exc_return = self.frame.lr.take();
        }
    }
}

fn value_after(words: &[&str]) -> Option<u32> {
    let mut probe = FaultState::default();
    for word in words.iter().take(4) {
        if let Some(value) = hex(word) {
            return Some(value);
        }
        let lower = word.to_ascii_lowercase();
        if !BETWEEN.contains(&lower.as_str()) && probe.slot(&lower).is_none() {
            return None;
        }
    }
    None
}

/// `0x…`, or exactly eight hexadecimal digits.
fn hex(word: &str) -> Option<u32> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    match digits {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if word.len() == 8 => u32::from_str_radix(word, 16).ok(),
        None => None,
    }
}
