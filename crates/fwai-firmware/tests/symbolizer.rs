//! Addresses of a real image, checked against what the compiler wrote.

mod support;

use std::sync::Arc;

use fwai_firmware::elf::{ElfImage, Symbolizer};
use support::TestProject;

fn symbolizer(project: &TestProject, name: &str) -> Symbolizer {
    Symbolizer::new(Arc::new(ElfImage::open(project.join(name)).unwrap()))
}

#[test]
fn every_instruction_agrees_with_addr2line() {
    let project = TestProject::built_blinky();
    let symbols = symbolizer(&project, "build/blinky.elf");
    let text = symbols.image().section(".text").unwrap().clone();
    let addresses: Vec<u64> = (text.address..text.address + text.size).step_by(2).collect();
    let list: String = addresses.iter().map(|address| format!("{address:#x}\n")).collect();
    project.write("addresses", list);
    let expected = project.sh("arm-none-eabi-addr2line -f -e build/blinky.elf < addresses");
    for (address, expected) in addresses.iter().zip(expected.lines().collect::<Vec<_>>().chunks(2)) {
        let Some(found) = symbols.locate(*address) else {
            assert!(expected[1].ends_with(":?"), "{address:#x}: {}", expected[1]);
            continue;
        };
        let line = expected[1].split(" (disc").next().unwrap();
        if !line.ends_with('?') {
            assert_eq!(found.file_line().as_deref(), Some(line), "{address:#x}");
            assert_eq!(found.function(), Some(expected[0]), "{address:#x}");
        }
    }
    assert!(symbols.locate(0x0800_0060).is_some());
    assert!(symbols.locate(0x4000_0000).is_none());
    assert!(symbols.is_code(text.address | 1) && !symbols.is_code(0x2000_0000));
}

#[test]
fn inlined_calls_name_both_functions() {
    let project = TestProject::blinky();
    project.sh(
        "make -s CFLAGS='-mcpu=cortex-m3 -mthumb -O2 -g -ffreestanding -fno-tree-loop-distribute-patterns'",
    );
    let symbols = symbolizer(&project, "build/blinky.elf");
    let start = symbols.image().symbol("count_up").unwrap().value & !1;
    let inlined = (start..start + 60).step_by(2).find_map(|at| {
        let location = symbols.locate(at)?;
        (location.function() == Some("clamp")).then_some(location)
    });
    let shown = inlined.expect("clamp is inlined at -O2").to_string();
    assert!(shown.contains("clamp (") && shown.contains(", inlined into count_up ("), "{shown}");
}

#[test]
fn without_debug_information_the_symbol_table_answers() {
    let project = TestProject::built_blinky();
    project.sh("arm-none-eabi-strip -g -o build/plain.elf build/blinky.elf");
    let symbols = symbolizer(&project, "build/plain.elf");
    let main = symbols.image().symbol("main").unwrap().value;
    let location = symbols.locate(main + 4).unwrap();
    assert_eq!((location.function(), location.offset, location.file_line()), (Some("main"), Some(4), None));
}

#[test]
fn compressed_debug_information_is_unpacked() {
    let project = TestProject::built_blinky();
    let main = symbolizer(&project, "build/blinky.elf").image().symbol("main").unwrap().value;
    for style in ["zlib-gabi", "zlib-gnu"] {
        project.sh(&format!(
            "arm-none-eabi-objcopy --compress-debug-sections={style} build/blinky.elf build/packed.elf"
        ));
        let line = symbolizer(&project, "build/packed.elf").locate(main).unwrap().file_line().unwrap();
        assert!(line.contains("main.c:"), "{style}: {line}");
    }
}
