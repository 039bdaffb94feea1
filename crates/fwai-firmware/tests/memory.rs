//! Figures equal to those of binutils, on images of several kinds.

mod support;

use std::path::Path;

use fwai_firmware::memory::{MemoryOptions, MemoryReport, analyze, delta};
use support::{TestProject, shell};

fn report(elf: &Path) -> MemoryReport {
    analyze(
        elf,
        &MemoryOptions {
            root: elf.parent().and_then(Path::parent).map(Path::to_path_buf),
            ..MemoryOptions::default()
        },
    )
    .unwrap()
}

/// The report says what `size` and `nm` say, to the byte, and its parts add up.
fn agrees_with_binutils(elf: &Path, prefix: &str) -> MemoryReport {
    let report = report(elf);
    let name = elf.display();
    let size = shell(Path::new("/"), &format!("{prefix}size '{name}'"));
    let numbers: Vec<u64> = size
        .lines()
        .nth(1)
        .unwrap()
        .split_whitespace()
        .take(4)
        .map(|number| number.parse().unwrap())
        .collect();
    let ours = report.size;
    assert_eq!([ours.text, ours.data, ours.bss, ours.total], numbers[..], "{name}");

    let nm = shell(Path::new("/"), &format!("{prefix}nm --size-sort '{name}' 2>/dev/null"));
    let mut theirs: Vec<(u64, String)> = nm
        .lines()
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let size = u64::from_str_radix(words.next().unwrap(), 16).unwrap();
            // A symbol version is nm's addition to the name.
            (size, words.nth(1).unwrap().split('@').next().unwrap().to_string())
        })
        .collect();
    let mut found: Vec<(u64, String)> = report
        .symbols
        .iter()
        .map(|symbol| (symbol.size, symbol.name.split('@').next().unwrap().to_string()))
        .collect();
    theirs.sort();
    found.sort();
    assert_eq!(found.len(), theirs.len(), "{name}");
    assert_eq!(found, theirs, "{name}");

    let sections: u64 = report.sections.iter().map(|section| section.size).sum();
    let files: u64 = report.files.iter().map(|file| file.size).sum();
    assert_eq!(files, sections, "{name}: the files add up to the sections");
    assert_eq!(sections, ours.total, "{name}: the sections add up to the total");
    report
}

#[test]
fn a_cortex_m_image_with_its_map() {
    let project = TestProject::built_blinky();
    let report = agrees_with_binutils(&project.elf(), "arm-none-eabi-");
    assert_eq!(report.regions_from, "map");
    let [flash, ram] = &report.regions[..] else { panic!("{:?}", report.regions) };
    assert_eq!((flash.name.as_str(), flash.origin, flash.length), ("FLASH", 0x0800_0000, 64 * 1024));
    // `.data` is stored in flash and runs in RAM; so it counts in both.
    let size_of = |name: &str| report.sections.iter().find(|section| section.name == name).unwrap().size;
    let stored = size_of(".isr_vector") + size_of(".text") + size_of(".note.gnu.build-id") + size_of(".data");
    assert_eq!(flash.used, stored);
    assert_eq!(ram.used, size_of(".data") + size_of(".bss"));
    let image = std::fs::metadata(project.join("build/blinky.bin")).unwrap().len();
    assert_eq!(flash.used + flash.padding, image, "the binary is what lies in flash");

    let file = |name: &str| {
        report.files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{:?}", report.files))
    };
    assert_eq!(file("build/counter.o").bss, 17 * 4);
    assert_eq!(file("build/counter.o").data, 4);
    assert_eq!(file("build/main.o").bss, 300);
    let frame = report.symbols.iter().find(|symbol| symbol.name == "frame").unwrap();
    assert_eq!((frame.size, frame.section.as_str(), frame.file.as_deref()), (300, ".bss", Some("main.c")));
    assert_eq!(report.symbols[0].name, "frame", "largest first");
    let stack = report.stack.iter().find(|stack| stack.function == "count_up").unwrap();
    assert!(stack.bytes > 0 && stack.kind == "static" && stack.file == "counter.c");
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn without_a_map_debug_information_names_the_files() {
    let project = TestProject::built_blinky();
    project.sh("rm build/blinky.map");
    let elf = project.elf();
    let report = agrees_with_binutils(&elf, "arm-none-eabi-");
    let file = |name: &str| {
        report.files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{:?}", report.files))
    };
    assert_eq!((file("counter.c").bss, file("main.c").bss), (17 * 4, 300));
    assert!(report.regions.is_empty() && report.problems[0].contains("no memory regions are known"));

    let options = MemoryOptions { linker_scripts: vec![project.join("link.ld")], ..MemoryOptions::default() };
    let with_script = analyze(&elf, &options).unwrap();
    assert_eq!(with_script.regions_from, "linker_script");
    assert_eq!(with_script.regions[1].used, report.size.bss + 8);
}

#[test]
fn packed_debug_information_is_read() {
    for packing in ["zlib", "zstd", "zlib-gnu"] {
        let project = TestProject::built_blinky();
        project.sh(&format!(
            "rm build/blinky.map && arm-none-eabi-objcopy --compress-debug-sections={packing} build/blinky.elf build/packed.elf"
        ));
        let report = agrees_with_binutils(&project.join("build/packed.elf"), "arm-none-eabi-");
        assert!(report.files.iter().any(|file| file.name == "counter.c"), "{packing}: {:?}", report.files);
    }
}

#[test]
fn the_map_of_another_build_is_not_used() {
    let project = TestProject::built_blinky();
    project.sh("cp build/blinky.map old.map");
    project.edit("counter.c", "counts[17]", "counts[18]");
    project.sh("make -s && cp old.map build/blinky.map");
    let report = report(&project.elf());
    assert!(
        report.problems.iter().any(|problem| problem.contains("not the map of this image")),
        "{:?}",
        report.problems
    );
    assert!(report.files.iter().any(|file| file.name == "counter.c"));
}

#[test]
fn stripped_and_relocatable_and_other_machines() {
    let project = TestProject::built_blinky();
    project.sh("arm-none-eabi-strip -o build/stripped.elf build/blinky.elf");
    assert!(agrees_with_binutils(&project.join("build/stripped.elf"), "arm-none-eabi-").symbols.is_empty());
    agrees_with_binutils(&project.join("build/counter.o"), "arm-none-eabi-");
    project.sh("arm-none-eabi-strip -g -o build/nodebug.elf build/blinky.elf");
    agrees_with_binutils(&project.join("build/nodebug.elf"), "arm-none-eabi-");
    // Big-endian, and 64-bit hosts: a program, and a shared library.
    project.sh("arm-none-eabi-gcc -mbig-endian -mcpu=cortex-r4 -g -c counter.c -o build/big.o");
    agrees_with_binutils(&project.join("build/big.o"), "arm-none-eabi-");
    project.sh("printf 'thread_local int x; int y[9]; struct M { M(); virtual int spin(int); } m; M::M() {} int M::spin(int a) { static int n; return n += a + x; } int main() { return y[1]; }' > m.cpp && g++ -g m.cpp -o build/host.elf");
    let host = agrees_with_binutils(&project.join("build/host.elf"), "");
    let spin = host.symbols.iter().find(|symbol| symbol.name == "_ZN1M4spinEi").unwrap();
    assert_eq!(spin.demangled.as_deref(), Some("M::spin(int)"));
    for program in ["/bin/sh", "/usr/bin/gcc"] {
        agrees_with_binutils(&std::fs::canonicalize(program).unwrap(), "");
    }
}

#[test]
fn an_image_without_section_headers_shows_its_segments() {
    let project = TestProject::built_blinky();
    let mut bytes = std::fs::read(project.elf()).unwrap();
    bytes[0x20..0x24].fill(0); // e_shoff
    bytes[0x30..0x34].fill(0); // e_shnum, e_shstrndx
    project.write("build/bare.elf", bytes);
    let report = report(&project.join("build/bare.elf"));
    let whole = self::report(&project.elf());
    assert_eq!(report.size.total, whole.size.total);
    assert!(
        report.problems.iter().any(|problem| problem.contains("no section headers")),
        "{:?}",
        report.problems
    );
    assert_eq!(report.build_id, whole.build_id, "the note is found through its segment");
}

#[test]
fn damage_anywhere_is_survived() {
    let project = TestProject::built_blinky();
    let bytes = std::fs::read(project.elf()).unwrap();
    let mut state = 1u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..8 {
            // A fixed sequence, so that a failure comes again.
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let at = (state >> 33) as usize % damaged.len();
            damaged[at] = (state >> 20) as u8;
        }
        project.write("build/damaged.elf", &damaged);
        // An error is as good as a report; a panic is not.
        let _ = analyze(&project.join("build/damaged.elf"), &MemoryOptions::default());
    }
    for end in (0..bytes.len()).step_by(499) {
        project.write("build/damaged.elf", &bytes[..end]);
        let _ = analyze(&project.join("build/damaged.elf"), &MemoryOptions::default());
    }
}

#[test]
fn growth_names_what_grew() {
    let project = TestProject::built_blinky();
    let before = report(&project.elf());
    project.edit("counter.c", "counts[17]", "counts[20]");
    project.edit(
        "counter.c",
        "static unsigned clamp",
        "const unsigned char table[64] = {1};\nstatic unsigned clamp",
    );
    project.edit("counter.c", "return counts[step % 17]", "return counts[step % 17] + table[step % 64]");
    project.sh("make -s");
    let after = report(&project.elf());
    let growth = delta(&before, &after, "before");
    let of = |name: &str| {
        growth
            .symbols
            .iter()
            .find(|change| change.name == name)
            .map(|change| (change.before, change.after, change.change))
    };
    assert_eq!(of("counts"), Some((68, 80, 12)));
    assert_eq!(of("table"), Some((0, 64, 64)));
    assert_eq!(growth.symbols[0].name, "table", "largest first");
    assert_eq!(growth.bss, 12);
    assert_eq!(growth.total, growth.text + growth.data + growth.bss);
    let ram = growth.regions.iter().find(|change| change.name == "RAM").unwrap();
    assert_eq!(ram.change, 12);
}
