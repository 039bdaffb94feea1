//! Images from a real compiler, whole and damaged.

mod support;

use fwai_firmware::elf::{BuildIdSource, ElfImage, Machine, SymbolKind};
use support::TestProject;

#[test]
fn an_image_says_what_it_is() {
    let project = TestProject::built_blinky();
    let image = ElfImage::open(project.elf()).unwrap();
    assert_eq!(image.machine, Machine::ARM);
    assert!(image.problems.is_empty(), "{:?}", image.problems);
    let cpu = image.cpu_attributes();
    assert_eq!((cpu.arch.as_deref(), cpu.profile), (Some("armv7"), Some('M')));
    let data = image.section(".data").unwrap();
    assert_eq!(data.address, 0x2000_0000);
    assert!((0x0800_0000..0x0801_0000).contains(&data.load_address), "{:#x}", data.load_address);
    let main = image.symbol("main").unwrap();
    assert_eq!((main.kind, main.value & 1), (SymbolKind::Function, 1));
    assert_eq!(image.symbol_section(main).unwrap().name, ".text");
    assert_eq!(image.find_bytes(b"blinky 1.0 ready").len(), 1);
    assert!(image.strings(8).iter().any(|found| found.text.ends_with("blinky 1.0 ready")));
}

#[test]
fn the_vector_table_is_found_with_and_without_its_name() {
    let project = TestProject::built_blinky();
    let image = ElfImage::open(project.elf()).unwrap();
    let table = image.vector_table().unwrap();
    assert_eq!((table.address, table.initial_stack), (0x0800_0000, 0x2000_2000));
    assert_eq!(u64::from(table.reset), image.symbol("Reset_Handler").unwrap().value & !1);
    project
        .sh("arm-none-eabi-objcopy --strip-all --rename-section .isr_vector=.x build/blinky.elf build/s.elf");
    assert_eq!(ElfImage::open(project.join("build/s.elf")).unwrap().vector_table(), Some(table));
}

#[test]
fn the_build_id_is_the_linkers_or_the_loaded_bytes() {
    let project = TestProject::built_blinky();
    let id = ElfImage::open(project.elf()).unwrap().build_id();
    let shown = project.sh("arm-none-eabi-readelf -n build/blinky.elf");
    assert_eq!(id.source, BuildIdSource::GnuNote);
    assert!(shown.contains(&format!("Build ID: {id}")), "{shown}");

    project.sh("touch startup.c && make -s LDFLAGS='-nostdlib -T link.ld'");
    let whole = ElfImage::open(project.elf()).unwrap().build_id();
    assert_eq!(whole.source, BuildIdSource::LoadedBytes);
    project.sh("arm-none-eabi-strip -o build/stripped.elf build/blinky.elf");
    assert_eq!(ElfImage::open(project.join("build/stripped.elf")).unwrap().build_id(), whole);
    project.edit("counter.c", "= 42", "= 43");
    project.sh("make -s LDFLAGS='-nostdlib -T link.ld'");
    assert_ne!(ElfImage::open(project.elf()).unwrap().build_id(), whole);
}

#[test]
fn a_damaged_image_is_read_as_far_as_it_goes() {
    let project = TestProject::built_blinky();
    let bytes = std::fs::read(project.elf()).unwrap();
    for end in (0..bytes.len()).step_by(37) {
        if let Ok(image) = ElfImage::parse("cut.elf", bytes[..end].to_vec()) {
            assert!(!image.problems.is_empty(), "cut at {end} went unseen");
            look_at_everything(&image);
        }
    }
    for at in 0..bytes.len().min(0x200) {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            if let Ok(image) = ElfImage::parse("damaged.elf", damaged) {
                look_at_everything(&image);
            }
        }
    }
    let headers = bytes.len() - 20 * 40;
    for at in headers..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        look_at_everything(&ElfImage::parse("damaged.elf", damaged).unwrap());
    }
}

fn look_at_everything(image: &ElfImage) {
    image.symbols();
    image.build_id();
    image.vector_table();
    image.cpu_attributes();
    image.find_bytes(b"blinky");
    image.strings(4);
}

#[test]
fn what_is_no_elf_says_so() {
    for (bytes, expect) in [
        (&b""[..], "it is empty"),
        (b":10000000", "Intel HEX"),
        (b"S0030000FC", "S-records"),
        (b"\x7fELF\x09\x01", "no known class"),
        (b"\x7fELF\x01\x01\x01", "cut off"),
        (b"plain text", "is not an ELF file; give the file"),
    ] {
        let message = ElfImage::parse("x.elf", bytes.to_vec()).unwrap_err().to_string();
        assert!(message.contains(expect), "{message}");
    }
}
