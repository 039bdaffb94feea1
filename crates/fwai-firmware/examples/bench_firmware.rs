//! Measures the two rates that the firmware engine promises, and prints them as one JSON object:
//! `cargo run --profile quick -p fwai-firmware --example bench_firmware`.
//!
//! The image is built once with `arm-none-eabi-gcc` and kept in the directory given as the first
//! argument (else the system's temporary one). A second argument names an image of your own instead.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use fwai_firmware::{
    build::DiagnosticParser,
    elf::{ElfImage, SymbolKind, Symbolizer},
    memory::{MemoryOptions, analyze},
};

/// Bytes that the image has at least.
const IMAGE_BYTES: u64 = 20_000_000;
const FUNCTIONS_PER_FILE: usize = 900;

fn main() {
    let directory =
        std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("fwai-bench"), PathBuf::from);
    let elf = std::env::args_os().nth(2).map_or_else(|| large_image(&directory), PathBuf::from);
    let bytes = std::fs::metadata(&elf).expect("the image was just made").len();
    let options = MemoryOptions::default();
    let report = analyze(&elf, &options).expect("a whole image");
    let (with_map, _) = median(|| analyze(&elf, &options).map(|report| report.symbols.len()));
    let alone = directory.join("alone");
    std::fs::create_dir_all(&alone).expect("a directory for the copy");
    let copy = alone.join("large.elf");
    std::fs::copy(&elf, &copy).expect("room for a copy");
    let (without_map, _) = median(|| analyze(&copy, &options).map(|report| report.symbols.len()));
    let first_address = first_lookup(&elf);

    let log = build_log();
    let (parse, complaints) = median(|| DiagnosticParser::parse(log.as_bytes(), true).len());
    println!(
        "{}",
        serde_json::json!({
            "memory_elf_bytes": bytes,
            "memory_symbols": report.symbols.len(),
            "memory_with_map_ms": milliseconds(with_map),
            "memory_without_map_ms": milliseconds(without_map),
            "memory_goal_ms": 300,
            "first_address_to_line_ms": milliseconds(first_address),
            "diagnostics_bytes": log.len(),
            "diagnostics_found": complaints,
            "diagnostics_mb_per_s": (log.len() as f64 / 1e6 / parse.as_secs_f64()).round(),
            "diagnostics_goal_mb_per_s": 50,
        })
    );
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 1e2
}

fn median<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut result = work();
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let begin = Instant::now();
            result = work();
            begin.elapsed()
        })
        .collect();
    times.sort();
    (times[times.len() / 2], result)
}

/// Opening the image and asking for one line, as a fault does.
fn first_lookup(elf: &Path) -> Duration {
    let (time, _) = median(|| {
        let image = ElfImage::open(elf).expect("a whole image");
        let functions =
            image.symbols().iter().filter(|symbol| symbol.kind == SymbolKind::Function && symbol.size > 0);
        let address = functions.map(|symbol| symbol.value).nth(50).expect("an image with functions");
        Symbolizer::new(std::sync::Arc::new(image)).locate(address)
    });
    time
}

/// An image of the wanted size from as many generated files as it takes.
fn large_image(directory: &Path) -> PathBuf {
    let elf = directory.join("large.elf");
    if std::fs::metadata(&elf).is_ok_and(|facts| facts.len() >= IMAGE_BYTES) {
        return elf;
    }
    std::fs::create_dir_all(directory).expect("a directory for the image");
    std::fs::write(
        directory.join("large.ld"),
        "MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 64M\n RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 64M }\n\
         SECTIONS { .text : { *(.text*) *(.rodata*) } > FLASH .data : { *(.data*) } > RAM AT> FLASH .bss : { *(.bss*) } > RAM }",
    )
    .expect("room for the script");
    let mut objects = Vec::new();
    let mut total = 0;
    for number in 0.. {
        let source = directory.join(format!("part_{number}.c"));
        let object = directory.join(format!("part_{number}.o"));
        std::fs::write(&source, generated(number)).expect("room for a source");
        run(
            directory,
            "arm-none-eabi-gcc",
            &["-mcpu=cortex-m4", "-mthumb", "-O0", "-g", "-c", &name(&source), "-o", &name(&object)],
        );
        total += std::fs::metadata(&object).expect("just compiled").len();
        objects.push(name(&object));
        // Objects hold relocations that the image loses: about half.
        if total > IMAGE_BYTES * 2 {
            break;
        }
    }
    let mut arguments =
        vec!["-nostdlib", "-T", "large.ld", "-Wl,-Map=large.map", "-Wl,--entry=work_0_0", "-o", "large.elf"];
    arguments.extend(objects.iter().map(String::as_str));
    run(directory, "arm-none-eabi-gcc", &arguments);
    elf
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).current_dir(directory).status();
    assert!(status.is_ok_and(|status| status.success()), "{program} failed");
}

fn generated(number: usize) -> String {
    let mut text = String::from("struct reading { int value; const char *unit; struct reading *next; };\n");
    for index in 0..FUNCTIONS_PER_FILE {
        let _ = writeln!(
            text,
            "static int cache_{number}_{index}[{}]; const short table_{number}_{index}[] = {{ {index}, 2, 3 }};\n\
             int work_{number}_{index}(struct reading *from, int scale) {{\n  int sum = scale;\n  \
             for (struct reading *at = from; at; at = at->next) {{ int step = at->value * {index}; sum += step ^ cache_{number}_{index}[step & 1]; cache_{number}_{index}[0] = sum; }}\n  \
             return sum + table_{number}_{index}[sum & 1];\n}}",
            index % 7 + 2
        );
    }
    text
}

/// A log as builds write it: mostly command lines and steps, now and then a complaint with its excerpt.
fn build_log() -> String {
    let mut log = String::new();
    for step in 0..60_000 {
        let _ = writeln!(log, "[{step}/60000] Building C object src/CMakeFiles/app.dir/module_{step}.c.obj");
        let _ = writeln!(
            log,
            "/usr/bin/arm-none-eabi-gcc -DSTM32F407xx -I/proj/include -I/proj/drivers/include -mcpu=cortex-m4 -Os -Wall -Wextra -Werror=return-type -ffunction-sections -MD -MT src/module_{step}.c.obj -o src/module_{step}.c.obj -c /proj/src/module_{step}.c"
        );
        if step % 10 == 0 {
            let _ = writeln!(
                log,
                "/proj/src/module_{step}.c: In function 'module_{step}_init':\n/proj/src/module_{step}.c:{}:9: warning: unused variable 'count' [-Wunused-variable]\n   12 |     int count = 0;\n      |         ^~~~~",
                step % 400 + 1
            );
        }
    }
    log.push_str(
        "/usr/bin/ld: region `FLASH' overflowed by 1234 bytes\ncollect2: error: ld returned 1 exit status\n",
    );
    log
}
