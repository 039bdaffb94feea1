//! `decode_fault`: reads the fault registers and the stacked frame from the target.

use super::session::{DebugError, DebugSession};
use crate::fault::{ExceptionFrame, FaultReport, FaultState, decode};

/// Words above the stack pointer that are searched for the frame the core pushed.
const SEARCHED_WORDS: usize = 256;

/// What happened to the core.
pub enum FaultFinding {
    Fault(Box<FaultReport>),
    /// Nothing is recorded; the text says where the core is.
    NoFault(String),
}

impl DebugSession {
    /// Explain the fault that the core is in, or was in.
    pub(super) async fn find_fault(&mut self) -> Result<FaultFinding, DebugError> {
        if let Some(crash) = self.crash.take() {
            return Ok(FaultFinding::Fault(Box::new(self.explain_crash(&crash))));
        }
        let mut state = FaultState::default();
        for (name, address) in FaultState::REGISTERS {
            if let Some(value) = self.read_word(u64::from(*address)).await? {
                state.set(name, value);
            }
        }
        let registers = self.core_registers().await?;
        let register =
            |name: &str| registers.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let exception = register("xpsr").unwrap_or(0) & 0x1ff;
        let in_handler = (2..=7).contains(&exception);
        let recorded = state.cfsr.unwrap_or(0) != 0 || state.hfsr.unwrap_or(0) & !(1 << 31) != 0;
        if !in_handler && !recorded {
            let pc = register("pc").unwrap_or(0);
            let place = self
                .symbols
                .locate(u64::from(pc))
                .map(|location| format!(" in {location}"))
                .unwrap_or_default();
            return Ok(FaultFinding::NoFault(format!(
                "no fault is recorded; the core is at {pc:#010x}{place}"
            )));
        }
        if in_handler {
            let lr = register("lr").filter(|lr| *lr >= 0xffff_ff00);
            let main = register("msp").or_else(|| register("sp"));
            let process = register("psp").filter(|sp| *sp != 0);
            // In the handler's first instructions LR still says which stack was used.
            let stacks = match lr {
                Some(lr) if lr & 4 != 0 => [process, None],
                Some(_) => [main, None],
                None => [main.or(register("sp")), process],
            };
            state.exc_return = lr;
            for sp in stacks.into_iter().flatten() {
                if let Some((frame, at)) = self.stacked_frame(sp).await? {
                    state.frame = frame;
                    state.sp = Some(at);
                    break;
                }
            }
        }
        let mut report = decode(&state, Some(&self.symbols));
        if exception == 3 && report.kind == "unknown" {
            report.kind = "hard fault".into();
            let place =
                report.location.as_ref().map(|location| format!(" at {location}")).unwrap_or_default();
            report.summary = format!("hard fault{place}; this core keeps no record of the reason");
        }
        Ok(FaultFinding::Fault(Box::new(report)))
    }

    /// The first plausible exception frame above a stack pointer.
    async fn stacked_frame(&mut self, sp: u32) -> Result<Option<(ExceptionFrame, u32)>, DebugError> {
        let mut words = Vec::new();
        while words.len() < SEARCHED_WORDS {
            let address = u64::from(sp) + words.len() as u64 * 4;
            // The stack may end at the end of memory.
            match self.read_memory(address, 32).await {
                Ok(bytes) => {
                    words.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])))
                }
                Err(DebugError::Gdb(super::GdbError::Refused { .. })) => break,
                Err(error) => return Err(error),
            }
        }
        let code = |address: u32| self.symbols.is_code(u64::from(address));
        let plausible = |frame: &[u32]| {
            let (lr, pc, xpsr) = (frame[5], frame[6], frame[7]);
            let returns = lr >= 0xffff_ff00 || (lr & 1 == 1 && code(lr & !1));
            // A jump to nowhere leaves a PC that is no code; then the return address must be.
            let runs = pc & 1 == 0 && (code(pc) || (returns && lr < 0xffff_ff00));
            xpsr & (1 << 24) != 0 && xpsr & 0x00ff_0000 & !(0x3f << 10) == 0 && runs && returns
        };
        for start in 0..words.len().saturating_sub(7) {
            let frame = &words[start..start + 8];
            if plausible(frame) {
                let words: [u32; 8] = frame.try_into().expect("eight words");
                return Ok(Some((ExceptionFrame::from_words(words), sp + start as u32 * 4)));
            }
        }
        Ok(None)
    }

    /// Name and value of the core registers.
    pub(super) async fn core_registers(&mut self) -> Result<Vec<(String, u32)>, DebugError> {
        let names = self.mi("-data-list-register-names").await?;
        let names: Vec<String> =
            names.results.list("register-names").iter().map(ToString::to_string).collect();
        let values = self.mi("-data-list-register-values x").await?;
        let mut registers = Vec::new();
        for value in values.results.list("register-values") {
            let name = value.number("number").and_then(|number| names.get(usize::try_from(number).ok()?));
            if let (Some(name), Some(number)) = (name, value.number("value"))
                && !name.is_empty()
            {
                registers.push((name.clone(), number as u32));
            }
        }
        Ok(registers)
    }

    /// A crash that the board saw: only registers are left of it.
    fn explain_crash(&self, crash: &crate::boards::Crash) -> FaultReport {
        let register = |name: &str| crash.registers.get(name).copied();
        let location = register("R15").and_then(|pc| self.symbols.locate(u64::from(pc)));
        let caller = register("R14")
            .filter(|lr| *lr < 0xf000_0000)
            .and_then(|lr| self.symbols.locate_call(u64::from(lr)));
        let place = location.as_ref().map(|location| format!(" at {location}")).unwrap_or_default();
        FaultReport {
            kind: "lockup".into(),
            summary: format!("{}{place}", crash.summary),
            location,
            caller,
            causes: vec!["the fault handler itself faulted: it used an address, a stack or a driver that does not work".into()],
            next_steps: vec![
                "break at HardFault_Handler and decode the first fault before the handler runs on".into(),
                "keep the fault handler to a loop or a breakpoint until the first fault is fixed".into(),
            ],
            ..FaultReport::default()
        }
    }
}
