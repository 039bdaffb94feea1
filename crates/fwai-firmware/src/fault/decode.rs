//! [`decode`]: from registers to words.

use super::{
    FaultFact, FaultReport, FaultState,
    bits::{is_set, set_bits},
};
use crate::elf::Symbolizer;

/// Explain a fault; with a symbolizer also the function and line.
pub fn decode(state: &FaultState, symbols: Option<&Symbolizer>) -> FaultReport {
    let kind = kind_of(state);
    let address = faulting_address(state);
    let location = state.frame.pc.zip(symbols).and_then(|(pc, symbols)| symbols.locate(pc.into()));
    let caller = state
        .frame
        .lr
        .filter(|lr| *lr < 0xF000_0000)
        .zip(symbols)
        .and_then(|(lr, symbols)| symbols.locate_call(lr.into()));
    let mut report = FaultReport {
        kind: kind.to_string(),
        address,
        address_is: address.map(|address| describe_address(address, state, symbols)),
        facts: facts(state),
        location,
        caller,
        ..FaultReport::default()
    };
    report.summary = summary(state, &report);
    (report.causes, report.next_steps) = advice(state, &report);
    report
}

fn kind_of(state: &FaultState) -> &'static str {
    let cfsr = state.cfsr.unwrap_or(0);
    let hfsr = state.hfsr.unwrap_or(0);
    // The first match is the cause where one fault led to another.
    if state.sfsr.unwrap_or(0) & !(1 << 6) != 0 {
        "secure fault"
    } else if cfsr & 0x0000_003b != 0 {
        "memory management fault"
    } else if cfsr & 0x0000_3f00 != 0 {
        "bus fault"
    } else if cfsr & 0x031f_0000 != 0 {
        "usage fault"
    } else if hfsr & (1 << 31) != 0 {
        "debug event"
    } else if hfsr != 0 {
        "hard fault"
    } else {
        "unknown"
    }
}

fn faulting_address(state: &FaultState) -> Option<u32> {
    if is_set("CFSR", state.cfsr, "MMARVALID") {
        state.mmfar
    } else if is_set("CFSR", state.cfsr, "BFARVALID") {
        state.bfar
    } else if is_set("SFSR", state.sfsr, "SFARVALID") {
        state.sfar
    } else {
        None
    }
}

fn facts(state: &FaultState) -> Vec<FaultFact> {
    let registers = [
        ("CFSR", state.cfsr),
        ("HFSR", state.hfsr),
        ("DFSR", state.dfsr),
        ("SFSR", state.sfsr),
        ("SHCSR", state.shcsr),
    ];
    let mut facts = Vec::new();
    for (register, value) in registers {
        for bit in set_bits(register, value.unwrap_or(0)) {
            facts.push(FaultFact {
                name: format!("{register}.{}", bit.name),
                meaning: bit.meaning.to_string(),
            });
        }
    }
    if let Some(value) = state.exc_return {
        facts.push(FaultFact { name: "EXC_RETURN".to_string(), meaning: exc_return(value) });
    }
    if let Some(xpsr) = state.frame.xpsr {
        let number = xpsr & 0x1ff;
        let running = match number {
            0 => "thread code was running".to_string(),
            number => format!("the handler of {} was running", exception_name(number)),
        };
        let thumb = if xpsr & (1 << 24) == 0 { "; the Thumb bit is clear" } else { "" };
        facts.push(FaultFact { name: "xPSR".to_string(), meaning: format!("{running}{thumb}") });
    }
    facts
}

fn exc_return(value: u32) -> String {
    if value & 0xFF00_0000 != 0xFF00_0000 {
        return format!("{value:#010x} is no EXC_RETURN value");
    }
    let stack = if value & 4 != 0 { "process stack (PSP)" } else { "main stack (MSP)" };
    let mode = if value & 8 != 0 { "thread mode" } else { "handler mode" };
    let frame = if value & 0x10 == 0 { ", frame with floating-point registers" } else { "" };
    format!("{value:#010x}: the frame is on the {stack}, return to {mode}{frame}")
}

fn exception_name(number: u32) -> String {
    match number {
        1 => "Reset".to_string(),
        2 => "NMI".to_string(),
        3 => "HardFault".to_string(),
        4 => "MemManage".to_string(),
        5 => "BusFault".to_string(),
        6 => "UsageFault".to_string(),
        7 => "SecureFault".to_string(),
        11 => "SVCall".to_string(),
        12 => "DebugMonitor".to_string(),
        14 => "PendSV".to_string(),
        15 => "SysTick".to_string(),
        16.. => format!("interrupt {}", number - 16),
        _ => format!("exception {number}"),
    }
}

fn describe_address(address: u32, state: &FaultState, symbols: Option<&Symbolizer>) -> String {
    if address < 0x400 {
        return "close to zero, as when a null pointer is used".to_string();
    }
    let image = symbols.map(Symbolizer::image);
    if let Some(section) = image.and_then(|image| image.section_at(address.into())) {
        let symbol = image.and_then(|image| {
            image.symbols().iter().find(|symbol| {
                let start = symbol.address(image);
                symbol.size > 0 && (start..start.saturating_add(symbol.size)).contains(&address.into())
            })
        });
        return match symbol {
            Some(symbol) => format!("in `{}` ({})", symbol.name, section.name),
            None => format!("in section {}", section.name),
        };
    }
    if state.sp.is_some_and(|sp| sp.abs_diff(address) < 256) {
        return "next to the stack pointer: the stack has left its memory".to_string();
    }
    match address >> 28 {
        0 | 1 => "in the code region, where nothing of this image is",
        2 | 3 => "in the RAM region, outside what this image uses",
        4 | 5 => "a peripheral; it may be switched off, or not exist on this part",
        6..=9 => "external memory, which may not be set up",
        0xA..=0xD => "the external device region",
        _ => "the core's own registers",
    }
    .to_string()
}

fn summary(state: &FaultState, report: &FaultReport) -> String {
    let cause = cause_bit(state);
    let what = match (cause, report.kind.as_str()) {
        (Some(meaning), kind) => format!("{}: {meaning}", capitalised(kind)),
        (None, "unknown") => "No fault bit is set".to_string(),
        (None, kind) => capitalised(kind),
    };
    let escalated = report.kind != "hard fault" && is_set("HFSR", state.hfsr, "FORCED");
    let access = report.address.map(|address| format!(", at address {address:#010x}")).unwrap_or_default();
    let place = match (&report.location, state.frame.pc) {
        (Some(location), _) => format!(", in {}", location.frames[0]),
        (None, Some(pc)) => format!(", PC {pc:#010x}"),
        (None, None) => String::new(),
    };
    format!("{what}{access}{place}{}", if escalated { " (escalated to a hard fault)" } else { "" })
}

fn cause_bit(state: &FaultState) -> Option<&'static str> {
    let worth_saying = |name: &str| !name.ends_with("VALID") && name != "FORCED";
    [("SFSR", state.sfsr), ("CFSR", state.cfsr), ("HFSR", state.hfsr)].into_iter().find_map(
        |(register, value)| {
            set_bits(register, value.unwrap_or(0)).find(|bit| worth_saying(bit.name)).map(|bit| bit.meaning)
        },
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Likely causes and next steps by the bits that are set.
fn advice(state: &FaultState, report: &FaultReport) -> (Vec<String>, Vec<String>) {
    let cfsr = |name| is_set("CFSR", state.cfsr, name);
    let mut causes: Vec<&str> = Vec::new();
    let mut next: Vec<&str> = Vec::new();
    if cfsr("STKOF") || cfsr("STKERR") || cfsr("MSTKERR") {
        causes.push("stack overflow: the stack grew out of its memory while registers were pushed");
        next.push("give the stack of this task (or the main stack) more room, and look for large local arrays and deep recursion (`fwai memory` lists stack use from .su files)");
    }
    if cfsr("UNSTKERR") || cfsr("MUNSTKERR") || cfsr("INVPC") {
        causes.push("the stack frame was overwritten, or the stack pointer was changed inside a handler");
        next.push("look for writes past the end of local arrays, and for a wrong EXC_RETURN in the RTOS port or context switch");
    }
    if report.address.is_some_and(|address| address < 0x400) {
        causes.push("a null pointer, perhaps plus the offset of a structure's field");
        next.push("look at the pointers that this line uses, and at where they should have been set");
    } else if cfsr("PRECISERR") && report.address.is_some_and(|address| matches!(address >> 28, 4 | 5)) {
        causes.push("the peripheral's clock is off, it is in reset, or the address is not on this part");
        next.push("enable its clock (and read back once) before the first access; check the address against the SVD file");
    } else if cfsr("PRECISERR") || cfsr("DACCVIOL") {
        causes.push(
            "a wild or stale pointer, an index out of range, or memory that does not exist or is not set up",
        );
        next.push("look at the pointers and indexes that this line uses");
    }
    if cfsr("IMPRECISERR") {
        causes
            .push("a buffered write to an address that does not answer, some instructions before this place");
        next.push("set ACTLR.DISDEFWBUF (bit 1 at 0xE000E008, Cortex-M3 and M4) and run again: the fault then becomes precise");
    }
    if cfsr("IBUSERR") || cfsr("IACCVIOL") || cfsr("UNDEFINSTR") {
        causes.push("a jump to a place that is no code: a damaged function pointer, vtable or return address, or a wrong vector table");
        next.push("look at LR: the caller is more trustworthy than PC here");
    }
    if cfsr("INVSTATE") {
        causes.push("a jump to an even address: a function pointer without the Thumb bit, a null function pointer, or a vector table entry that is not a Thumb address");
        next.push("look at LR for the caller, and at function pointers and interrupt vectors that it uses");
    }
    if cfsr("NOCP") {
        causes.push("floating point is used before it is enabled, or the code was built for a core with an FPU that this one lacks");
        next.push("set CPACR bits 20 to 23 (0xE000ED88) before the first floating-point instruction, or build with -mfloat-abi=soft");
    }
    if cfsr("UNALIGNED") {
        causes.push("a pointer cast to a wider type, a packed structure, or LDM/STM/LDRD on an odd address");
        next.push("copy with memcpy, or fix the alignment; CCR.UNALIGN_TRP may be set on purpose");
    }
    if cfsr("DIVBYZERO") {
        causes.push("a divisor that is zero");
        next.push("check the divisor on this line before dividing");
    }
    if is_set("HFSR", state.hfsr, "VECTTBL") {
        causes.push("VTOR points to a place without a vector table, or the entry there cannot be read");
        next.push("check SCB->VTOR and that the table's section is kept by the linker script (KEEP)");
    }
    if is_set("HFSR", state.hfsr, "DEBUGEVT") || is_set("DFSR", state.dfsr, "BKPT") {
        causes.push(
            "a BKPT instruction, as in a semihosting call or an assertion, with no debugger to take it",
        );
        next.push("build without semihosting (--specs=nosys.specs), or attach a debugger");
    }
    if is_set("HFSR", state.hfsr, "FORCED") && state.cfsr.is_none_or(|cfsr| cfsr == 0) {
        next.push("read CFSR (0xE000ED28): the escalated fault's cause is there");
    }
    if report.location.is_none() && state.frame.pc.is_some() {
        next.push("give the ELF of the running image to see function and line");
    }
    let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_string).collect();
    (owned(causes), owned(next))
}
