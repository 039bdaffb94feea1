//! Logs one of everything that defmt can say over UART0 of an LM3S6965, then stops.
//!
//! `make.sh` beside this crate builds it, runs it in QEMU and records what a decoder must read.
#![no_std]
#![no_main]

mod uart_logger;

use defmt::{debug, error, info, println, trace, warn, Debug2Format, Display2Format, Format};

#[link_section = ".vectors"]
#[no_mangle]
pub static VECTORS: [unsafe extern "C" fn(); 2] = [stack_top, Reset];

core::arch::global_asm!(".global stack_top", ".set stack_top, 0x20010000");
extern "C" {
    fn stack_top();
}

defmt::timestamp!("{=u32:us}", uart_logger::ticks());

#[derive(Format)]
struct Point {
    x: i16,
    y: i16,
}

#[derive(Format)]
struct Wrapper(u32, bool);

#[derive(Format)]
struct Nothing;

#[derive(Format)]
enum State {
    Idle,
    Running { speed: u8, at: Point },
    Failed(&'static str),
}

#[derive(Format)]
enum Only {
    One,
}

struct Mixed(u8);

impl Format for Mixed {
    fn format(&self, f: defmt::Formatter) {
        if self.0 == 0 {
            defmt::write!(f, "zero");
        } else {
            defmt::write!(f, "n={=u8:#x}", self.0);
            defmt::write!(f, " then {}", Mixed(self.0 - 1));
        }
    }
}

defmt::bitflags! {
    struct Flags: u16 {
        const READY = 0b1;
        const ERROR = 0b10;
        const BOTH = 0b11;
        const TOP = 0x8000;
    }
}

#[no_mangle]
pub unsafe extern "C" fn Reset() {
    integers();
    texts_and_bytes();
    hints();
    structures();
    levels();
    println!("end of log");
    uart_logger::stop();
}

fn integers() {
    info!("u {=u8} {=u16} {=u32} {=u64} {=u128} {=usize}", 200, 65535, 4_000_000_000, u64::MAX, u128::MAX, 77);
    info!("i {=i8} {=i16} {=i32} {=i64} {=i128} {=isize}", -128, -2, -3, i64::MIN, i128::MIN, -77);
    info!("f {=f32} {=f64} {} {}", 1.5, -0.1, f32::INFINITY, 1e30f64);
    info!("more floats {=f32} {=f32} {=f64} {=f64}", 3.0, 1e-9, f64::NAN, 123456789.125);
    info!("truth {=bool} {=bool} letter {=char} {}", true, false, 'é', '字');
    info!("turned {1=u16} {0=u8} {1=u16:#06x}", 1, 2);
    info!("plain {} {} {} {}", 7u8, -9i64, true, "seven");
    info!("bits {0=0..4} {0=4..8:#b} {0=8..16:#x} {1=3..5}", 0xabcdu16, 0b11000u8);
    info!("far bits {0=120..124} {0=64..72:x} wide {0=0..128:x}", 0x0abc_0000_0000_00de_0000_0000_0000_0001u128);
    info!("ascii bits {0=0..32:a}", 0x41_42_43_44u32);
}

fn texts_and_bytes() {
    info!("text {=str} interned {=istr} empty {=str}|", "héllo", defmt::intern!("kept {in} the ELF"), "");
    info!("quoted {=str:?} {=istr:?}", "a \"b\"\n", defmt::intern!("q\"q"));
    info!("bytes {=[u8]} hex {=[u8]:x} {=[u8]:#04x} bin {=[u8]:08b}", [1, 2, 255], [1, 171], [1, 171], [5]);
    info!("ascii {=[u8]:a} fixed {=[u8; 3]} {=[u8;4]:X} none {=[u8]}", *b"hi\t\"\\\n\xff z", [9, 8, 7], [10, 11, 12, 13], []);
    info!("slices {=[?]} {=[?; 2]} {}", [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }].as_slice(), [Nothing, Nothing], [1u16, 2, 3]);
    info!("ascii slice {:a} hex slice {:#x}", b"plain".as_slice(), [17u32, 18].as_slice());
    info!("foreign {} {}", Debug2Format(&Some("x\ty")), Display2Format(&core::format_args!("{}-{}", 1, 2)));
    info!("cbor {=[u8]:cbor} bad {=[u8]:x}", [0xa2, 0x61, 0x61, 1, 0x61, 0x62, 0x82, 2, 3], [0xff]);
    info!("braces {{}} {{{=u8}}} 100%", 5);
    info!("{=str}", "a line that is long enough for the encoder to write a block of more than one hundred and thirty-four bytes without any zero in it, and then some more");
}

fn hints() {
    info!("hex {=u8:x} {=u8:X} {=u8:#x} {=u8:#X} {=u16:04x} {=u32:#010x} {=u32:#010X}", 171, 171, 171, 171, 171, 0xdead_beef, 0xdead_beef);
    info!("neg hex {=i8:x} {=i16:#06X} {=i32:x} {=i64:x} {=i128:x}", -1, -2, -3, -4, -5);
    info!("bin {=u8:b} {=u8:#b} {=u8:#010b} {=i8:b} oct {=u16:o} {=u16:#o} {=u16:#08o} pad {=u8:05} {=i8:05}", 5, 5, 5, 6, 64, 64, 64, 42, -42);
    info!("time {=u32:us} {=u64:ms} {=u64:tus} {=u64:tms} {=u32:ts}", 1_500_000, 61_001, 90_061_000_001, 90_061_002, 59);
    info!("date {=u64:iso8601ms} {=u64:iso8601s} {=u64:iso8601ms}", 1_668_500_000_123, 951_826_154, 0);
    info!("debug {=u8:?} {=i8:?} {=bool:?} {:?} {:#x}", 1, -1, true, "text", Point { x: 255, y: -1 });
    info!("nested hint {:x} {:#b} {:?} {:us}", Wrapper(255, true), [1u8, 2].as_slice(), Some("s"), Some(1_250_000u32));
}

fn structures() {
    info!("structs {} {} {} {}", Point { x: -1, y: 1 }, Wrapper(3, true), Nothing, Only::One);
    info!("enums {} {} {}", State::Idle, State::Running { speed: 9, at: Point { x: 5, y: 6 } }, State::Failed("hot"));
    info!("enum slice {=[?]}", [State::Idle, State::Failed("wet"), State::Running { speed: 1, at: Point { x: 0, y: 0 } }].as_slice());
    info!("options {} {} {} {}", Some(1u8), None::<u8>, Ok::<u8, bool>(2), Err::<u8, bool>(false));
    info!("tuples {} {} ranges {} refs {}", (1u8, "two"), (), 1u8..4, &&5u8);
    info!("written {} and {}", Mixed(2), Mixed(0));
    info!("flags {} {} {} {}", Flags::READY, Flags::BOTH | Flags::TOP, Flags::empty(), Flags::ERROR);
    info!("deep {}", Some(Some([Some(State::Failed("deep")), None].as_slice())));
}

fn levels() {
    trace!("at trace");
    debug!("at debug {}", 1u8);
    info!("at info");
    warn!("at warn {=str}", "careful");
    error!("at error {=i32}", -5);
    println!("no level {=u8}", 3);
    info!("twice the same");
    info!("twice the same");
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    uart_logger::stop()
}
