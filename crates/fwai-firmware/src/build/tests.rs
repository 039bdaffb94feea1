//! What tools write, word for word, and what is understood of it.

use super::*;

/// One line a complaint, its detail behind `|`, its notes indented.
fn shown(text: &str) -> String {
    let mut lines = String::new();
    for diagnostic in DiagnosticParser::parse(text.as_bytes(), true) {
        lines.push_str(&diagnostic.one_line());
        if let Some(detail) = &diagnostic.detail {
            lines.push_str(&format!(" | {}", serde_json::to_string(detail).unwrap()));
        }
        lines.push('\n');
        for note in diagnostic.notes {
            let place =
                note.file.map(|file| format!("{file}:{} ", note.line.unwrap_or(0))).unwrap_or_default();
            lines.push_str(&format!("    {place}{}\n", note.message));
        }
    }
    lines
}

#[test]
fn gcc_with_include_chain_notes_and_function() {
    let text = "\
In file included from src/drivers/uart.h:4,
                 from src/main.c:2:
src/config.h:7:10: fatal error: board_pins.h: No such file or directory
    7 | #include \"board_pins.h\"
      |          ^~~~~~~~~~~~~~
compilation terminated.
src/app.c: In function 'app_run':
src/app.c:14:9: warning: unused variable 'count' [-Wunused-variable]
   14 |     int count = 0;
      |         ^~~~~
src/app.c:20:5: error: 'led_on' undeclared (first use in this function); did you mean 'led_an'?
src/app.c:20:5: note: each undeclared identifier is reported only once for each function it appears in
cc1: all warnings being treated as errors
cc1: error: unrecognized command-line option '-mcpu=cortex-m99'
make: *** [Makefile:12: build/app.o] Error 1
make: *** Waiting for unfinished jobs....
";
    insta::assert_snapshot!(shown(text), @r#"
    src/config.h:7:10: error: board_pins.h: No such file or directory | {"kind":"missing_header","name":"board_pins.h"}
        src/drivers/uart.h:4 included from here
        src/main.c:2 included from here
    src/app.c:20:5: error: 'led_on' undeclared (first use in this function); did you mean 'led_an'?
        src/app.c:20 each undeclared identifier is reported only once for each function it appears in
    error: unrecognized command-line option '-mcpu=cortex-m99'
    error: [Makefile:12: build/app.o] Error 1 | {"kind":"follow_up"}
    error: Waiting for unfinished jobs.... | {"kind":"follow_up"}
    src/app.c:14:9: warning: unused variable 'count' [-Wunused-variable]
    "#);
    let found = DiagnosticParser::parse(text.as_bytes(), true);
    assert_eq!(found[1].function.as_deref(), Some("app_run"));
}

#[test]
fn warnings_as_errors_and_clang() {
    let text = "\
main.c:3:7: error: unused variable 'x' [-Werror=unused-variable]
main.c:9:12: error: unused variable 'y' [-Werror,-Wunused-variable]
main.c:4:10: fatal error: 'missing.h' file not found
C:\\work\\app\\main.c:12:5: warning: implicit conversion [-Wconversion]
clang: error: linker command failed with exit code 1 (use -v to see invocation)
";
    insta::assert_snapshot!(shown(text), @r#"
    main.c:4:10: error: 'missing.h' file not found | {"kind":"missing_header","name":"missing.h"}
    main.c:3:7: error: unused variable 'x' [-Wunused-variable]
    main.c:9:12: error: unused variable 'y' [-Wunused-variable]
    error: linker command failed with exit code 1 (use -v to see invocation) | {"kind":"follow_up"}
    C:\work\app\main.c:12:5: warning: implicit conversion [-Wconversion]
    "#);
}

#[test]
fn assembler() {
    let text = "startup.s: Assembler messages:\nstartup.s:12: Error: bad instruction `movx r0,#1'\nstartup.s:20: Warning: end of file not at end of a line; newline inserted\n";
    insta::assert_snapshot!(shown(text), @r"
    startup.s:12: error: bad instruction `movx r0,#1'
    startup.s:20: warning: end of file not at end of a line; newline inserted
    ");
}

#[test]
fn gnu_ld() {
    let text = "\
/usr/lib/gcc/arm-none-eabi/12.2.1/../../../arm-none-eabi/bin/ld: app.elf section `.text' will not fit in region `FLASH'
/usr/lib/gcc/arm-none-eabi/12.2.1/../../../arm-none-eabi/bin/ld: region `FLASH' overflowed by 18344 bytes
/opt/gcc/bin/arm-none-eabi-ld: build/main.o: in function `main':
/proj/src/main.c:12: undefined reference to `sensor_read'
/opt/gcc/bin/arm-none-eabi-ld: /proj/src/main.c:19: undefined reference to `sensor_read'
main.c:(.text.init+0x4): undefined reference to `vtable for Motor'
/opt/gcc/bin/arm-none-eabi-ld: build/b.o:/proj/src/b.c:3: multiple definition of `counter'; build/a.o:/proj/src/a.c:7: first defined here
/opt/gcc/bin/arm-none-eabi-ld: cannot find -lnosys: No such file or directory
/opt/gcc/bin/arm-none-eabi-ld: cannot open linker script file stm32.ld: No such file or directory
/opt/gcc/bin/arm-none-eabi-ld:link.ld:25: syntax error
/opt/gcc/bin/arm-none-eabi-ld: section .data LMA [08000100,08000107] overlaps section .text LMA [08000000,0800012b]
/opt/gcc/bin/arm-none-eabi-ld: warning: app.elf has a LOAD segment with RWX permissions
/opt/gcc/bin/arm-none-eabi-ld: error: libfoo.a(x.o) uses VFP register arguments, app.elf does not
collect2: error: ld returned 1 exit status
";
    insta::assert_snapshot!(shown(text), @r#"
    error: region `FLASH' overflowed by 18344 bytes | {"kind":"region_overflow","region":"FLASH","bytes":18344,"section":".text"}
        app.elf section `.text' will not fit in region `FLASH'
    /proj/src/main.c:12: error: undefined reference to `sensor_read' | {"kind":"undefined_reference","symbol":"sensor_read","users":[{"file":"/proj/src/main.c","line":12,"function":"main","object":"build/main.o"},{"file":"/proj/src/main.c","line":19,"function":"main","object":"build/main.o"}]}
    main.c: error: undefined reference to `vtable for Motor' | {"kind":"undefined_reference","symbol":"vtable for Motor","users":[{"file":"main.c","function":"main","object":"build/main.o"}]}
    /proj/src/b.c:3: error: multiple definition of `counter' | {"kind":"multiple_definition","symbol":"counter","places":[{"file":"/proj/src/b.c","line":3,"object":"build/b.o"},{"file":"/proj/src/a.c","line":7,"object":"build/a.o"}]}
        /proj/src/a.c:7 first defined here
    error: cannot find -lnosys: No such file or directory | {"kind":"missing_library","name":"nosys"}
    error: cannot open linker script file stm32.ld: No such file or directory | {"kind":"missing_file","name":"stm32.ld"}
    link.ld:25: error: syntax error
    error: section .data LMA [08000100,08000107] overlaps section .text LMA [08000000,0800012b]
    error: libfoo.a(x.o) uses VFP register arguments, app.elf does not
    error: ld returned 1 exit status | {"kind":"follow_up"}
    warning: app.elf has a LOAD segment with RWX permissions
    "#);
}

#[test]
fn llvm_ld() {
    let text = "\
ld.lld: error: undefined symbol: sensor_read
>>> referenced by main.c:12 (src/main.c:12)
>>>               build/main.o:(main)
>>> referenced by main.c:19 (src/main.c:19)
>>>               build/main.o:(app_loop)
ld.lld: error: section '.text' will not fit in region 'FLASH': overflowed by 1092 bytes
ld.lld: error: duplicate symbol: counter
>>> defined at a.c:7 (src/a.c:7)
>>>            a.o:(counter)
>>> defined at b.c:3 (src/b.c:3)
>>>            b.o:(.bss.counter+0x0)
ld.lld: error: unable to find library -lnosys
";
    insta::assert_snapshot!(shown(text), @r#"
    main.c:12: error: undefined symbol: sensor_read | {"kind":"undefined_reference","symbol":"sensor_read","users":[{"file":"main.c","line":12,"function":"main","object":"build/main.o"},{"file":"main.c","line":19,"function":"app_loop","object":"build/main.o"}]}
    error: section '.text' will not fit in region 'FLASH': overflowed by 1092 bytes | {"kind":"region_overflow","region":"FLASH","bytes":1092,"section":".text"}
    a.c:7: error: duplicate symbol: counter | {"kind":"multiple_definition","symbol":"counter","places":[{"file":"a.c","line":7,"function":"counter","object":"a.o"},{"file":"b.c","line":3,"function":".bss.counter+0x0","object":"b.o"}]}
    error: unable to find library -lnosys | {"kind":"missing_library","name":"nosys"}
    "#);
}

#[test]
fn cmake_ninja_meson() {
    let text = "\
CMake Error at CMakeLists.txt:8 (add_executable):
  Cannot find source file:

    src/gone.c

  Tried extensions .c .C .c++
CMake Error at CMakeLists.txt:2 (project):
  The CMAKE_C_COMPILER:

    no-such-gcc

  is not a full path and was not found in the PATH.

CMake Warning (dev) in src/CMakeLists.txt:
  No project() command is present.

CMake Error: The source directory \"/x\" does not appear to contain CMakeLists.txt.
-- Configuring incomplete, errors occurred!
ninja: error: 'src/gone.c', needed by 'CMakeFiles/a.dir/gone.c.o', missing and no known rule to make it
ninja: build stopped: subcommand failed.
meson.build:3:0: ERROR: Unknown function \"executabel\".
";
    insta::assert_snapshot!(shown(text), @r#"
    CMakeLists.txt:2: error: The CMAKE_C_COMPILER: no-such-gcc is not a full path and was not found in the PATH. | {"kind":"command_not_found","program":"no-such-gcc"}
    CMakeLists.txt:8: error: Cannot find source file: src/gone.c | {"kind":"missing_file","name":"src/gone.c"}
    error: The source directory "/x" does not appear to contain CMakeLists.txt.
    error: 'src/gone.c', needed by 'CMakeFiles/a.dir/gone.c.o', missing and no known rule to make it | {"kind":"missing_file","name":"src/gone.c"}
    meson.build:3:0: error: Unknown function "executabel".
    error: Configuring incomplete, errors occurred! | {"kind":"follow_up"}
    error: build stopped: subcommand failed. | {"kind":"follow_up"}
    src/CMakeLists.txt: warning: No project() command is present.
    "#);
}

#[test]
fn make_and_shells() {
    let text = "\
Makefile:3: *** missing separator.  Stop.
make[1]: *** No rule to make target 'src/gone.c', needed by 'gone.o'.  Stop.
/bin/sh: 1: arm-none-eabi-gcc: not found
bash: line 1: west: command not found
make: arm-none-eabi-g++: No such file or directory
make: *** [Makefile:9: main.o] Error 127
";
    insta::assert_snapshot!(shown(text), @r#"
    error: `arm-none-eabi-gcc` is not installed or not on PATH | {"kind":"command_not_found","program":"arm-none-eabi-gcc"}
    error: `west` is not installed or not on PATH | {"kind":"command_not_found","program":"west"}
    error: `arm-none-eabi-g++` is not installed or not on PATH | {"kind":"command_not_found","program":"arm-none-eabi-g++"}
    Makefile:3: error: missing separator.
    error: No rule to make target 'src/gone.c', needed by 'gone.o'. | {"kind":"missing_file","name":"src/gone.c"}
    error: [Makefile:9: main.o] Error 127 | {"kind":"follow_up"}
    "#);
}

#[test]
fn rustc_for_people() {
    let text = "\
   Compiling app v0.1.0 (/proj/app)
warning: unused variable: `x`
 --> src/main.rs:3:9
  |
3 |     let x = 1;
  |         ^ help: if this is intentional, prefix it with an underscore: `_x`
  |
  = note: `#[warn(unused_variables)]` (part of `#[warn(unused)]`) on by default

error[E0308]: mismatched types
  --> src/main.rs:10:18
   |
10 |     let y: u32 = \"no\";
   |            ---   ^^^^ expected `u32`, found `&str`

error: linking with `rust-lld` failed: exit status: 1
  |
  = note: \"rust-lld\" \"-flavor\" \"gnu\"
  = note: rust-lld: error: section '.bss' will not fit in region 'RAM': overflowed by 512 bytes
          rust-lld: error: undefined symbol: _critical_section_1_0_acquire
          >>> referenced by lib.rs:180 (src/lib.rs:180)

warning: `app` (bin \"app\") generated 1 warning
error: could not compile `app` (bin \"app\") due to 2 previous errors; 1 warning emitted
";
    insta::assert_snapshot!(shown(text), @r#"
    src/main.rs:10:18: error: mismatched types [E0308]
    error: section '.bss' will not fit in region 'RAM': overflowed by 512 bytes | {"kind":"region_overflow","region":"RAM","bytes":512,"section":".bss"}
    lib.rs:180: error: undefined symbol: _critical_section_1_0_acquire | {"kind":"undefined_reference","symbol":"_critical_section_1_0_acquire","users":[{"file":"lib.rs","line":180}]}
    error: linking with `rust-lld` failed: exit status: 1 | {"kind":"follow_up"}
    error: could not compile `app` (bin "app") due to 2 previous errors; 1 warning emitted | {"kind":"follow_up"}
    src/main.rs:3:9: warning: unused variable: `x` [unused_variables]
        `#[warn(unused_variables)]` (part of `#[warn(unused)]`) on by default
    "#);
}

#[test]
fn rustc_as_json() {
    let text = r#"{"reason":"compiler-artifact","target":{"name":"error"}}
{"reason":"compiler-message","message":{"message":"mismatched types","code":{"code":"E0308"},"level":"error","spans":[{"file_name":"src/main.rs","line_start":10,"column_start":18,"is_primary":true}],"children":[{"message":"expected due to this","spans":[],"level":"note"}]}}
{"$message_type":"diagnostic","message":"aborting due to 1 previous error","code":null,"level":"error","spans":[],"children":[]}
{"broken error
"#;
    insta::assert_snapshot!(shown(text), @r#"
    src/main.rs:10:18: error: mismatched types [E0308]
        expected due to this
    error: aborting due to 1 previous error | {"kind":"follow_up"}
    "#);
}

#[test]
fn iar() {
    let text = r#"
  led_on(;
         ^
"C:\proj\src\main.c",12  Error[Pe029]: expected an expression
"C:\proj\src\main.c",3  Fatal Error[Pe1696]: cannot open source file "board.h"
Warning[Pe177]: variable "x" was declared but never referenced C:\proj\src\app.c 44
Error[Li005]: no definition for "sensor_read" [referenced from C:\proj\Debug\Obj\main.o]
Error[Lp011]: section placement failed: unable to allocate space for sections/blocks with a total estimated minimum size of 0x4'8000 bytes (max align 0x8) in <[0x800'0000-0x803'ffff]> (total uncommitted space 0x4'0000).
"#;
    insta::assert_snapshot!(shown(text), @r#"
    C:\proj\src\main.c:3: error: cannot open source file "board.h" [Pe1696] | {"kind":"missing_header","name":"board.h"}
    C:\proj\src\main.c:12: error: expected an expression [Pe029]
    error: no definition for "sensor_read" [referenced from C:\proj\Debug\Obj\main.o] [Li005] | {"kind":"undefined_reference","symbol":"sensor_read","users":[{"object":"C:\\proj\\Debug\\Obj\\main.o"}]}
    error: section placement failed: unable to allocate space for sections/blocks with a total estimated minimum size of 0x4'8000 bytes (max align 0x8) in <[0x800'0000-0x803'ffff]> (total uncommitted space 0x4'0000). [Lp011] | {"kind":"region_overflow","region":"[0x800'0000-0x803'ffff]","bytes":32768}
    C:\proj\src\app.c:44: warning: variable "x" was declared but never referenced [Pe177]
    "#);
}

#[test]
fn arm_compilers() {
    let text = r#""src/main.c", line 12: Error:  #20: identifier "foo" is undefined
"src/main.c", line 3: Warning:  #177-D: variable "x" was declared but never referenced
"startup.s", line 20: Error: A1163E: Unknown opcode movx , expecting opcode or Macro
..\src\app.c(7): error:  #5: cannot open source input file "board.h": No such file or directory
.\Objects\app.axf: Error: L6218E: Undefined symbol sensor_read (referred from main.o).
.\Objects\app.axf: Error: L6407E: Sections of aggregate size 0x1a4c bytes could not fit into .ANY selector(s).
Error: L6220E: Execution region RW_IRAM1 size (67000 bytes) exceeds limit (65536 bytes).
Error: L6200E: Symbol counter multiply defined (by b.o and a.o).
"#;
    insta::assert_snapshot!(shown(text), @r#"
    ..\src\app.c:7: error: cannot open source input file "board.h": No such file or directory [#5] | {"kind":"missing_header","name":"board.h"}
    src/main.c:12: error: identifier "foo" is undefined [#20]
    startup.s:20: error: Unknown opcode movx , expecting opcode or Macro [A1163E]
    error: Undefined symbol sensor_read (referred from main.o). [L6218E] | {"kind":"undefined_reference","symbol":"sensor_read","users":[{"object":"main.o"}]}
    error: Sections of aggregate size 0x1a4c bytes could not fit into .ANY selector(s). [L6407E] | {"kind":"region_overflow","region":".ANY","bytes":6732}
    error: Execution region RW_IRAM1 size (67000 bytes) exceeds limit (65536 bytes). [L6220E] | {"kind":"region_overflow","region":"RW_IRAM1","bytes":1464}
    error: Symbol counter multiply defined (by b.o and a.o). [L6200E] | {"kind":"multiple_definition","symbol":"counter","places":[{"object":"b.o"},{"object":"a.o"}]}
    src/main.c:3: warning: variable "x" was declared but never referenced [#177-D]
    "#);
}

#[test]
fn platformio_and_arduino() {
    let text = "\
Error: The program size (34560 bytes) is greater than maximum allowed (32256 bytes)
*** [checkprogsize] Explicit exit, status 1
text section exceeds available space in board
Error during build: exit status 1
UnknownBoard: Unknown board ID 'unoo'
";
    insta::assert_snapshot!(shown(text), @r#"
    error: The program size (34560 bytes) is greater than maximum allowed (32256 bytes) | {"kind":"region_overflow","region":"program memory","bytes":2304}
        text section exceeds available space in board
    error: Unknown board ID 'unoo'
    error: [checkprogsize] Explicit exit, status 1 | {"kind":"follow_up"}
    error: exit status 1 | {"kind":"follow_up"}
    "#);
}

#[test]
fn the_same_header_warning_in_many_files_is_said_once() {
    let text = "a.h:1:2: warning: unused [-Wunused]\n".repeat(40);
    let found = DiagnosticParser::parse(text.as_bytes(), false);
    assert_eq!((found.len(), found[0].count), (1, 40));
}

#[test]
fn command_lines_with_error_flags_are_no_errors() {
    let text = "arm-none-eabi-gcc -Werror -Wno-error=unused -DLOG=\"error\" -c src/error.c -o error.o\n[3/9] Building C object src/warning.c.obj\n-- Looking for fatal_error.h - not found\n";
    assert_eq!(DiagnosticParser::parse(text.as_bytes(), false), []);
}

#[test]
fn a_silent_failure_shows_its_last_words() {
    let found = DiagnosticParser::parse(b"starting\nsomething odd happened\n\n", true);
    assert_eq!(found[0].message, "something odd happened");
    assert_eq!(DiagnosticParser::parse(b"starting\nsomething odd happened\n", false), []);
    let found = DiagnosticParser::parse(
        b"gen.py: key `pins` is not there\nmake: *** [Makefile:3: gen.h] Error 1\nbye\n",
        true,
    );
    assert_eq!(found[0].message, "gen.py: key `pins` is not there");
}

proptest::proptest! {
    #[test]
    fn junk_never_panics_and_chunks_do_not_matter(
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..600),
        cut in 0usize..600,
    ) {
        let mut in_pieces = DiagnosticParser::new();
        let cut = cut.min(bytes.len());
        in_pieces.feed(&bytes[..cut]);
        in_pieces.feed(&bytes[cut..]);
        proptest::prop_assert_eq!(in_pieces.finish(true), DiagnosticParser::parse(&bytes, true));
    }

    #[test]
    fn torn_messages_never_panic(words in proptest::collection::vec(proptest::sample::select(vec![
        "a.c", ":", "12", ": error: ", ": warning: ", "In file included from ", "undefined reference to `", "'", "\n", "region `", "' overflowed by ",
        "CMake Error at ", " (x):", "error[E0308]: ", "--> ", "Error[Pe020]: ", "\", line ", "\"", "*** ", "ld: ", "rust-lld: error: ", ">>> ", "é", "\u{1b}[", "{", "]",
        "multiple definition of `", "; ", "cannot find ", " will not fit in region `", ": in function `", "':", "Error: L6218E: ", "(", ")", ",", " ", "undefined symbol: ",
    ]), 0..30)) {
        DiagnosticParser::parse(words.concat().as_bytes(), true);
    }
}
