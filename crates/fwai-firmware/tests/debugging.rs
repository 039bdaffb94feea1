//! Debugging with real GDB on virtual boards: break, read, step, faults, wrong ELF, hanging and dying GDB.

mod board_bench;

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use board_bench::Bench;
use fwai_firmware::{
    boards::{Board, Image},
    debug::{DebugError, DebugOptions, DebugSession, Trust},
    launch::PlainLauncher,
};

const BOARD: &str = "stm32vldiscovery";

async fn flashed(bench: &Bench, board: &str, elf: &Path) -> Box<dyn Board> {
    let mut opened = bench.board(board);
    let report = opened.flash(&Image::read(elf, None).unwrap()).await.unwrap();
    assert!(report.proof.ok);
    opened
}

async fn session(bench: &Bench, board: &mut dyn Board, options: DebugOptions) -> DebugSession {
    DebugSession::start(board, options, bench.root(), Arc::new(PlainLauncher)).await.unwrap()
}

/// Runs the command and returns its text; it must succeed.
async fn ok(session: &mut DebugSession, command: &str) -> String {
    let step = session.run(command).await;
    assert!(step.ok, "{command}: {}", step.result);
    step.result
}

fn gdb_of(bench: &Bench) -> u32 {
    // GDB runs in the project's directory, which no other test shares.
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let here = std::fs::read_link(entry.path().join("cwd"))
            .is_ok_and(|cwd| cwd == bench.root().canonicalize().unwrap());
        let name = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if here && name.contains("gdb") {
            return pid;
        }
    }
    panic!("no GDB runs in {}", bench.root().display());
}

#[tokio::test]
async fn break_in_main_read_a_variable_step_and_look_around() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
    assert!(session.identity.contains("build-id"), "{}", session.identity);
    assert!(ok(&mut session, "break main").await.contains("in main at main.c:"));
    let stopped = ok(&mut session, "continue").await;
    assert!(stopped.starts_with("breakpoint 1, main ()"), "{stopped}");
    let trace = session.run("backtrace").await;
    assert!(
        trace.result.contains("#0 main ()") && trace.result.contains("#1 Reset_Handler ()"),
        "{}",
        trace.result
    );
    assert_eq!(trace.data.unwrap()[0]["func"], "main");
    assert_eq!(ok(&mut session, "print boots").await, "boots = 41");
    assert!(ok(&mut session, "watch boots").await.contains("watchpoint"));
    let watched = ok(&mut session, "continue").await;
    assert!(watched.contains("41 -> 42"), "{watched}");
    ok(&mut session, "delete").await;
    assert!(ok(&mut session, "next").await.contains("main.c:"));
    assert!(ok(&mut session, "registers pc sp").await.contains("pc"));
    let memory = ok(&mut session, "memory &boots 4").await;
    assert!(memory.contains("2a 00 00 00"), "{memory}");
    assert!(ok(&mut session, "disassemble read_sensor").await.contains("the guilty line"));
    assert!(ok(&mut session, "break print if text != 0").await.contains("in print"));
    ok(&mut session, "continue").await;
    let locals = ok(&mut session, "locals").await;
    assert!(locals.contains("text = 0x"), "{locals}");
    let finished = ok(&mut session, "finish").await;
    assert!(finished.starts_with("returned, "), "{finished}");
    ok(&mut session, "delete").await;
    assert_eq!(ok(&mut session, "continue").await, "running");
    let halted = session.run("backtrace").await;
    assert!(!halted.ok && halted.result.contains("interrupt"), "{}", halted.result);
    assert!(ok(&mut session, "interrupt").await.contains("main.c"));
    let unknown = session.run("print no_such_thing").await;
    assert!(!unknown.ok && unknown.result.contains("no_such_thing"), "{}", unknown.result);
    assert!(ok(&mut session, "info line main").await.contains("main.c"), "other commands go to GDB");
    session.close().await;
}

#[tokio::test]
async fn a_hard_fault_is_decoded_to_the_guilty_line() {
    let bench = Bench::new();
    for board_name in [BOARD, "microbit", "netduinoplus2"] {
        let elf = bench.firmware(board_name, &["VARIANT_FAULT"]);
        let mut board = flashed(&bench, board_name, &elf).await;
        let mut console = board.console(Default::default()).await.unwrap();
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains("BFAR") {
            match console.next(Duration::from_secs(20)).await.unwrap() {
                fwai_firmware::boards::ConsoleEvent::Bytes(bytes) => seen.extend(bytes),
                other => panic!("{other:?}"),
            }
        }
        let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
        let step = session.run("decode_fault").await;
        assert!(step.ok, "{board_name}: {}", step.result);
        let guilty =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/firmware/main.c"))
                .unwrap()
                .lines()
                .position(|line| line.contains("the guilty line"))
                .unwrap()
                + 1;
        assert!(step.result.contains(&format!("main.c:{guilty}")), "{board_name}: {}", step.result);
        assert!(step.result.contains("read_sensor"), "{}", step.result);
        if board_name != "microbit" {
            assert_eq!(step.data.as_ref().unwrap()["address"], 0xa000_0000u32);
            assert!(step.result.contains("Bus fault"), "{}", step.result);
        }
        session.close().await;
    }
}

#[tokio::test]
async fn peripheral_registers_are_read_by_name_and_field() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let svd = bench.root().join("chip.svd");
    let text = r#"<?xml version="1.0"?><device><name>STM32F100</name><addressUnitBits>8</addressUnitBits><width>32</width><size>32</size>
        <peripherals><peripheral><name>USART1</name><baseAddress>0x40013800</baseAddress><registers>
        <register><name>CR1</name><addressOffset>0xC</addressOffset><resetValue>0</resetValue><fields>
        <field><name>RE</name><bitOffset>2</bitOffset><bitWidth>1</bitWidth></field>
        <field><name>UE</name><bitOffset>13</bitOffset><bitWidth>1</bitWidth></field>
        </fields></register></registers></peripheral></peripherals></device>"#;
    std::fs::write(&svd, text).unwrap();
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut options = DebugOptions::new(&elf);
    options.svd = Some(svd);
    let mut session = session(&bench, &mut *board, options).await;
    ok(&mut session, "break print_build_id").await;
    ok(&mut session, "continue").await;
    let step = session.run("peripheral USART1.CR1").await;
    assert!(step.ok, "{}", step.result);
    let data = step.data.unwrap();
    assert_eq!(data[0]["value"], 0x200c, "{data}");
    assert_eq!(data[0]["fields"][1]["name"], "UE");
    assert_eq!(data[0]["fields"][1]["value"], 1);
    assert!(!session.run("peripheral USART9.CR1").await.ok);
    session.close().await;
}

#[tokio::test]
async fn without_a_fault_it_says_where_the_core_is() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
    let text = ok(&mut session, "decode_fault").await;
    assert!(text.starts_with("no fault is recorded"), "{text}");
    session.close().await;
}

#[tokio::test]
async fn a_lockup_is_decoded_from_what_qemu_left() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &["VARIANT_LOCKUP"]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while board.crash().await.is_none() {
        assert!(tokio::time::Instant::now() < deadline, "the lock-up never came");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
    let text = ok(&mut session, "decode_fault").await;
    assert!(text.contains("locked up") && text.contains("report_fault"), "{text}");
    session.close().await;
}

#[tokio::test]
async fn another_elf_is_refused_unless_allowed() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let other = bench.firmware(BOARD, &["VARIANT_OTHER"]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let error =
        DebugSession::start(&mut *board, DebugOptions::new(&other), bench.root(), Arc::new(PlainLauncher))
            .await
            .err()
            .unwrap();
    assert!(matches!(error, DebugError::OtherElf { .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("is not what board stm32vldiscovery runs") && text.contains("fwai flash"),
        "{text}"
    );
    let mut options = DebugOptions::new(&other);
    options.allow_other_elf = true;
    let session =
        DebugSession::start(&mut *board, options, bench.root(), Arc::new(PlainLauncher)).await.unwrap();
    assert!(session.identity.starts_with("another ELF"));
    session.close().await;
    // Without a build-id the code itself tells them apart.
    let stripped = bench.root().join("no-id.elf");
    let status = Command::new("arm-none-eabi-objcopy")
        .args(["-R", ".note.gnu.build-id"])
        .args([&other, &stripped])
        .status();
    assert!(status.unwrap().success());
    let error =
        DebugSession::start(&mut *board, DebugOptions::new(&stripped), bench.root(), Arc::new(PlainLauncher))
            .await
            .err()
            .unwrap();
    assert!(matches!(error, DebugError::OtherElf { .. }), "{error}");
}

#[tokio::test]
async fn a_hanging_gdb_is_ended_and_the_session_goes_on_with_its_breakpoints() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut options = DebugOptions::new(&elf);
    options.limit = Duration::from_secs(3);
    let mut session = session(&bench, &mut *board, options).await;
    ok(&mut session, "break main").await;
    let pid = gdb_of(&bench).to_string();
    assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    let step = session.run("print boots").await;
    assert!(!step.ok && step.result.contains("did not answer"), "{}", step.result);
    assert_eq!(ok(&mut session, "print boots").await, "boots = 42", "a new GDB answers");
    assert!(ok(&mut session, "continue").await.contains("main ()"), "the breakpoint was set again");
    session.close().await;
}

#[tokio::test]
async fn a_dying_gdb_is_replaced() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
    let pid = gdb_of(&bench).to_string();
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    let step = session.run("print boots").await;
    assert!(!step.ok && step.result.contains("GDB ended"), "{}", step.result);
    assert!(ok(&mut session, "print boots").await.starts_with("boots = "));
    session.close().await;
}

#[tokio::test]
async fn a_board_that_dies_under_gdb_is_an_error_not_a_hang() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut session = session(&bench, &mut *board, DebugOptions::new(&elf)).await;
    let pid = board_bench::qemu_pid(&bench.root().join(".fwai/boards").join(BOARD)).unwrap().to_string();
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    let step = session.run("stepi").await;
    assert!(!step.ok, "{}", step.result);
    session.close().await;
}

#[tokio::test]
async fn a_model_cannot_leave_the_debugger() {
    let bench = Bench::new();
    let elf = bench.firmware(BOARD, &[]);
    let mut board = flashed(&bench, BOARD, &elf).await;
    let mut options = DebugOptions::new(&elf);
    options.trust = Trust::Model;
    let mut session = session(&bench, &mut *board, options).await;
    let witness = bench.root().join("witness");
    for command in [
        format!("shell touch {}", witness.display()),
        format!("!touch {}", witness.display()),
        format!("python open('{}','w')", witness.display()),
        format!("print $_shell(\"touch {}\")", witness.display()),
        format!("break main if $_shell(\"touch {}\")", witness.display()),
        format!("print 1\nshell touch {}", witness.display()),
        format!("disassemble main\nshell touch {}", witness.display()),
        format!("-interpreter-exec console \"shell touch {}\"", witness.display()),
        format!("dump memory {} 0x08000000 0x08000010", witness.display()),
    ] {
        let step = session.run(&command).await;
        assert!(!witness.exists(), "{command} reached this computer: {}", step.result);
    }
    assert!(ok(&mut session, "x/2wx 0x08000000").await.contains("0x8000000"));
    session.close().await;
}
