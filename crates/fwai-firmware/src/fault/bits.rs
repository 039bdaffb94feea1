//! The bits of the fault registers, as data.

/// One bit of one register, in words.
#[derive(Debug, PartialEq, Eq)]
pub struct FaultBit {
    pub register: &'static str,
    pub bit: u8,
    pub name: &'static str,
    pub meaning: &'static str,
}

const fn bit(register: &'static str, bit: u8, name: &'static str, meaning: &'static str) -> FaultBit {
    FaultBit { register, bit, name, meaning }
}

const ALL: &[FaultBit] = &[
    bit(
        "CFSR",
        0,
        "IACCVIOL",
        "instruction fetch from a place that the memory protection forbids or marks execute-never",
    ),
    bit("CFSR", 1, "DACCVIOL", "read or write at a place that the memory protection forbids"),
    bit(
        "CFSR",
        3,
        "MUNSTKERR",
        "memory protection fault while registers were restored at the end of an exception",
    ),
    bit(
        "CFSR",
        4,
        "MSTKERR",
        "memory protection fault while registers were pushed at the start of an exception",
    ),
    bit("CFSR", 5, "MLSPERR", "memory protection fault while floating-point registers were saved lazily"),
    bit("CFSR", 7, "MMARVALID", "MMFAR holds the address"),
    bit("CFSR", 8, "IBUSERR", "instruction fetch from an address where no memory answers"),
    bit(
        "CFSR",
        9,
        "PRECISERR",
        "a read or write failed on the bus, and the stacked PC is the guilty instruction",
    ),
    bit(
        "CFSR",
        10,
        "IMPRECISERR",
        "an earlier buffered write failed on the bus; the stacked PC is somewhat after the guilty instruction",
    ),
    bit("CFSR", 11, "UNSTKERR", "bus error while registers were restored at the end of an exception"),
    bit("CFSR", 12, "STKERR", "bus error while registers were pushed at the start of an exception"),
    bit("CFSR", 13, "LSPERR", "bus error while floating-point registers were saved lazily"),
    bit("CFSR", 15, "BFARVALID", "BFAR holds the address"),
    bit("CFSR", 16, "UNDEFINSTR", "the instruction does not exist on this core"),
    bit("CFSR", 17, "INVSTATE", "the core was told to leave Thumb state, which it cannot"),
    bit("CFSR", 18, "INVPC", "an exception return with an invalid EXC_RETURN value or a damaged stack frame"),
    bit("CFSR", 19, "NOCP", "a coprocessor or floating-point instruction while that unit is off or absent"),
    bit("CFSR", 20, "STKOF", "the stack pointer went below its limit: stack overflow"),
    bit(
        "CFSR",
        24,
        "UNALIGNED",
        "an unaligned read or write that the instruction or CCR.UNALIGN_TRP does not allow",
    ),
    bit("CFSR", 25, "DIVBYZERO", "integer division by zero"),
    bit("HFSR", 1, "VECTTBL", "the vector table could not be read"),
    bit(
        "HFSR",
        30,
        "FORCED",
        "another fault was escalated to a hard fault, because its own handler is off or busy",
    ),
    bit("HFSR", 31, "DEBUGEVT", "a debug event, such as a breakpoint instruction with no debugger attached"),
    bit("DFSR", 0, "HALTED", "halted by the debugger or after a step"),
    bit("DFSR", 1, "BKPT", "a breakpoint was hit"),
    bit("DFSR", 2, "DWTTRAP", "a watchpoint was hit"),
    bit("DFSR", 3, "VCATCH", "the debugger caught an exception vector"),
    bit("DFSR", 4, "EXTERNAL", "an external debug request"),
    bit("SHCSR", 0, "MEMFAULTACT", "the memory management fault handler is running"),
    bit("SHCSR", 1, "BUSFAULTACT", "the bus fault handler is running"),
    bit("SHCSR", 2, "HARDFAULTACT", "the hard fault handler is running"),
    bit("SHCSR", 3, "USGFAULTACT", "the usage fault handler is running"),
    bit("SHCSR", 7, "SVCALLACT", "an SVCall is being handled"),
    bit("SHCSR", 10, "PENDSVACT", "PendSV is being handled"),
    bit("SHCSR", 11, "SYSTICKACT", "SysTick is being handled"),
    bit("SHCSR", 12, "USGFAULTPENDED", "a usage fault is pending"),
    bit("SHCSR", 13, "MEMFAULTPENDED", "a memory management fault is pending"),
    bit("SHCSR", 14, "BUSFAULTPENDED", "a bus fault is pending"),
    bit("SHCSR", 16, "MEMFAULTENA", "memory management faults have their own handler"),
    bit("SHCSR", 17, "BUSFAULTENA", "bus faults have their own handler"),
    bit("SHCSR", 18, "USGFAULTENA", "usage faults have their own handler"),
    bit("SFSR", 0, "INVEP", "secure code was entered at a place that is no SG instruction"),
    bit("SFSR", 1, "INVIS", "wrong integrity signature in a secure exception frame"),
    bit("SFSR", 2, "INVER", "an exception return to the wrong security state"),
    bit("SFSR", 3, "AUVIOL", "the attribution unit forbids this access from the non-secure side"),
    bit("SFSR", 4, "INVTRAN", "a branch to the non-secure side without the instruction for it"),
    bit("SFSR", 5, "LSPERR", "security violation while floating-point registers were saved lazily"),
    bit("SFSR", 6, "SFARVALID", "SFAR holds the address"),
    bit("SFSR", 7, "LSERR", "error in the state of lazy floating-point saving"),
];

/// The named bits that are set in a register's value, lowest first.
pub fn set_bits(register: &str, value: u32) -> impl Iterator<Item = &'static FaultBit> {
    ALL.iter().filter(move |bit| bit.register == register && value >> bit.bit & 1 == 1)
}

/// Whether the named bit of a register is set.
pub(super) fn is_set(register: &str, value: Option<u32>, name: &str) -> bool {
    value.is_some_and(|value| set_bits(register, value).any(|bit| bit.name == name))
}
