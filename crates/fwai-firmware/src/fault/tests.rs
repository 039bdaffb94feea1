//! Faults as chips and operating systems report them.

use super::*;

fn check(text: &str, expect: &str) {
    let state = FaultState::from_text(text).expect("a fault");
    let shown = decode(&state, None).to_string();
    for part in expect.lines() {
        assert!(shown.contains(part.trim()), "missing {part:?} in:\n{shown}");
    }
}

#[test]
fn a_bare_handler() {
    check(
        "HardFault!\r\nCFSR = 0x00008200\r\nHFSR = 0x40000000\r\nBFAR = 0x40023830\r\nR0 = 0x00000001 R1=0x2 LR = 0x08000251 PC = 0x08000202 PSR = 0x61000000",
        "Bus fault: a read or write failed on the bus, and the stacked PC is the guilty instruction, at address 0x40023830, PC 0x08000202 (escalated to a hard fault)
         clock is off
         xPSR: thread code was running",
    );
}

#[test]
fn zephyr() {
    check(
        "[00:00:00.010,000] <err> os: ***** BUS FAULT *****\n<err> os:   Precise data bus error\n<err> os:   BFAR Address: 0x0\n\
         <err> os: r0/a1:  0x00000000  r1/a2:  0x00000000  r2/a3:  0x00000000\n<err> os: r3/a4:  0x00000000 r12/ip:  0x00000000 r14/lr:  0x000012f5\n\
         <err> os:  xpsr:  0x21000000\n<err> os: Faulting instruction address (r15/pc): 0x00000ab2",
        "Bus fault
         at address 0x00000000
         PC 0x00000ab2
         a null pointer",
    );
}

#[test]
fn mbed_without_prefixes() {
    check(
        "++ MbedOS Fault Handler ++\n\nFaultType: HardFault\n\nContext:\nR0   : 00000000\nR1   : 20001F6C\nLR   : 08001E73\nPC   : 08001E7A\nxPSR : 61000000\nHFSR : 40000000\nMMFSR: 00000000\nBFSR : 00000000\nUFSR : 00000200",
        "Usage fault: integer division by zero, PC 0x08001e7a (escalated to a hard fault)
         check the divisor",
    );
}

#[test]
fn stack_overflow_and_exc_return() {
    check(
        "usage fault: cfsr: 0x00100000 lr: 0xfffffffd psp: 0x20000ff0",
        "Usage fault: the stack pointer went below its limit
         the frame is on the process stack (PSP), return to thread mode
         more room",
    );
}

#[test]
fn no_fault_in_ordinary_text() {
    for text in [
        "",
        "boot ok\nPC tools ready",
        "temperature at 0x20000000",
        "faults: none",
        "\u{1b}[31mfault\u{1b}[0m",
    ] {
        assert_eq!(FaultState::from_text(text), None, "{text:?}");
    }
}

#[test]
fn an_imprecise_error_is_not_a_precise_one() {
    let state = FaultState::from_text("BUS FAULT: Imprecise data bus error").unwrap();
    assert_eq!(state.cfsr, Some(1 << 10));
}

#[test]
fn every_bit_is_explained_once() {
    for register in ["CFSR", "HFSR", "DFSR", "SHCSR", "SFSR"] {
        let bits: Vec<u8> = set_bits(register, u32::MAX).map(|bit| bit.bit).collect();
        let mut sorted = bits.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(bits, sorted, "{register}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_and_any_values_are_read(text in ".{0,200}", cfsr: u32, hfsr: u32, pc: u32, exc: u32) {
        let _ = FaultState::from_text(&text);
        let mut state = FaultState { cfsr: Some(cfsr), hfsr: Some(hfsr), exc_return: Some(exc), ..FaultState::default() };
        state.set("pc", pc);
        proptest::prop_assert!(!decode(&state, None).summary.is_empty());
    }
}
