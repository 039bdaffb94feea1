//! Virtual boards with real QEMU and firmware compiled here: flash, proof, console, reset, power, crashes.

mod board_bench;

use std::time::Duration;

use board_bench::Bench;
use fwai_firmware::boards::{Board, BoardState, Catalogue, Console, ConsoleEvent, ConsoleFrom, Image};

/// Reads until the text is there; panics with what came instead.
async fn read_until(console: &mut dyn Console, wanted: &str) -> String {
    let mut seen = Vec::new();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while tokio::time::Instant::now() < deadline {
        match console.next(Duration::from_millis(200)).await.unwrap() {
            ConsoleEvent::Bytes(bytes) => seen.extend(bytes),
            ConsoleEvent::Quiet => {}
            other => panic!("{other:?} after {:?}", String::from_utf8_lossy(&seen)),
        }
        let text = String::from_utf8_lossy(&seen);
        if text.contains(wanted) {
            return text.into_owned();
        }
    }
    panic!("`{wanted}` never came; got {:?}", String::from_utf8_lossy(&seen));
}

async fn flash(board: &mut dyn Board, elf: &std::path::Path) -> Image {
    let image = Image::read(elf, None).unwrap();
    image.check_fits(board.def(), &Default::default()).unwrap();
    let report = board.flash(&image).await.unwrap();
    assert_eq!(report.proof.method, "readback");
    assert!(report.proof.ok, "{:?}", report.proof);
    assert_eq!(report.bytes, image.bytes_to_write());
    image
}

#[tokio::test]
async fn every_built_in_board_flashes_proves_and_prints_its_build_id() {
    let bench = Bench::new();
    for def in Catalogue::load(bench.root()).boards {
        let mut board = bench.board(&def.name);
        let image = flash(&mut *board, &bench.firmware(&def.name, &[])).await;
        let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
        let text = read_until(&mut *console, "\r\n").await;
        let id = image.build_id.clone().unwrap();
        assert!(text.contains(&format!("fixture boot ok build-id {id}")), "{}: {text}", def.name);
        console.send(b"ping").await.unwrap();
        read_until(&mut *console, "ping").await;
        assert_eq!(board.state().await, BoardState::Running);
        board.power(false).await.unwrap();
        assert_eq!(board.state().await, BoardState::Off);
    }
}

#[tokio::test]
async fn a_board_outlives_its_handle_and_keeps_its_console() {
    let bench = Bench::new();
    let elf = bench.firmware("stm32vldiscovery", &[]);
    flash(&mut *bench.board("stm32vldiscovery"), &elf).await;
    // The build overwrites the file; the board's flash must not follow.
    std::fs::write(&elf, b"another build").unwrap();
    let mut again = bench.board("stm32vldiscovery");
    assert_eq!(again.state().await, BoardState::Running);
    let mut console = again.console(ConsoleFrom::Boot).await.unwrap();
    let first = read_until(&mut *console, "\r\n").await;
    again.reset().await.unwrap();
    let mut console = again.console(ConsoleFrom::Boot).await.unwrap();
    assert_eq!(read_until(&mut *console, "\r\n").await, first, "only the boot since the reset");
    again.power(false).await.unwrap();
    again.power(true).await.unwrap();
    let mut console = again.console(ConsoleFrom::Boot).await.unwrap();
    assert_eq!(read_until(&mut *console, "\r\n").await, first);
}

#[tokio::test]
async fn a_lockup_is_a_crash_of_the_target_and_a_reset_brings_it_back() {
    let bench = Bench::new();
    let elf = bench.firmware("stm32vldiscovery", &["VARIANT_LOCKUP"]);
    let mut board = bench.board("stm32vldiscovery");
    flash(&mut *board, &elf).await;
    let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
    let crash = loop {
        match console.next(Duration::from_secs(20)).await.unwrap() {
            ConsoleEvent::Crashed(crash) => break crash,
            ConsoleEvent::Bytes(bytes) => assert!(String::from_utf8_lossy(&bytes).contains("sensor")),
            other => panic!("{other:?}"),
        }
    };
    assert!(crash.summary.contains("locked up"), "{}", crash.summary);
    assert!(crash.registers.contains_key("R15"));
    assert!(matches!(board.state().await, BoardState::Crashed(_)));
    assert!(board.crash().await.is_some());
    let good = bench.firmware("stm32vldiscovery", &[]);
    flash(&mut *board, &good).await;
    assert_eq!(board.state().await, BoardState::Running);
    assert!(board.crash().await.is_none());
}

#[tokio::test]
async fn a_killed_qemu_ends_the_console_and_power_on_starts_it_again() {
    let bench = Bench::new();
    let elf = bench.firmware("mps2-an385", &[]);
    let mut board = bench.board("mps2-an385");
    flash(&mut *board, &elf).await;
    let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
    read_until(&mut *console, "boot ok").await;
    let pid = board_bench::qemu_pid(&bench.root().join(".fwai/boards/mps2-an385")).unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    loop {
        match console.next(Duration::from_secs(20)).await.unwrap() {
            ConsoleEvent::Bytes(_) => {}
            ConsoleEvent::Ended(what) => break assert!(what.contains("power on"), "{what}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(board.state().await, BoardState::Off);
    board.power(true).await.unwrap();
    let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
    read_until(&mut *console, "boot ok").await;
}

#[tokio::test]
async fn a_hanging_qemu_is_replaced_by_the_next_flash() {
    let bench = Bench::new();
    let elf = bench.firmware("lm3s6965evb", &[]);
    let mut board = bench.board("lm3s6965evb");
    flash(&mut *board, &elf).await;
    let pid = board_bench::qemu_pid(&bench.root().join(".fwai/boards/lm3s6965evb")).unwrap();
    assert!(std::process::Command::new("kill").args(["-STOP", &pid.to_string()]).status().unwrap().success());
    flash(&mut *board, &elf).await;
    let next = board_bench::qemu_pid(&bench.root().join(".fwai/boards/lm3s6965evb")).unwrap();
    assert_ne!(next, pid);
    assert!(
        !std::path::Path::new(&format!("/proc/{pid}/exe")).exists() || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.contains(") Z ")
        }
    );
}

#[tokio::test]
async fn a_chatty_firmware_loses_no_byte() {
    const LINES: u32 = 60_000;
    let bench = Bench::new();
    let elf = bench.firmware("stm32vldiscovery", &[&format!("VARIANT_CHATTER={LINES}")]);
    let mut board = bench.board("stm32vldiscovery");
    flash(&mut *board, &elf).await;
    let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"\r\n") {
        match console.next(Duration::from_secs(30)).await.unwrap() {
            ConsoleEvent::Bytes(bytes) => seen.extend(bytes),
            other => panic!("{other:?} after {} bytes", seen.len()),
        }
    }
    let text = String::from_utf8(seen).unwrap();
    let mut lines = text.lines();
    for number in 0..LINES {
        let wanted = format!("line {number:08x} the quick brown fox jumps over the lazy dog....");
        assert_eq!(lines.next(), Some(wanted.as_str()));
    }
}

#[tokio::test]
async fn a_qemu_that_cannot_start_says_why() {
    let bench = Bench::new();
    let elf = bench.firmware("microbit", &[]);
    let image = Image::read(&elf, None).unwrap();
    let mut def = bench.def("microbit");
    def.qemu.as_mut().unwrap().machine = "no-such-machine".into();
    let mut board = fwai_firmware::boards::open(&def, &bench.context()).unwrap();
    let error = board.flash(&image).await.unwrap_err().to_string();
    assert!(error.contains("no-such-machine"), "{error}");
    def.qemu.as_mut().unwrap().program = Some("qemu-system-missing".into());
    let mut board = fwai_firmware::boards::open(&def, &bench.context()).unwrap();
    assert!(matches!(board.state().await, BoardState::Absent(_)));
    let error = board.flash(&image).await.unwrap_err().to_string();
    assert!(error.contains("qemu-system-missing"), "{error}");
}

#[tokio::test]
async fn raw_binaries_and_hex_files_boot_too() {
    let bench = Bench::new();
    let elf = bench.firmware("netduinoplus2", &[]);
    for (format, extension) in [("binary", "bin"), ("ihex", "hex")] {
        let file = elf.with_extension(extension);
        let status = std::process::Command::new("arm-none-eabi-objcopy")
            .args(["-O", format])
            .args([&elf, &file])
            .status()
            .unwrap();
        assert!(status.success());
        let image = Image::read(&file, Some(0x0800_0000)).unwrap();
        let mut board = bench.board("netduinoplus2");
        let report = board.flash(&image).await.unwrap();
        assert!(report.proof.ok, "{extension}: {:?}", report.proof);
        let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
        read_until(&mut *console, "boot ok").await;
    }
}

#[tokio::test]
async fn images_for_another_chip_or_too_large_are_refused() {
    let bench = Bench::new();
    let project = Default::default();
    let m4 = Image::read(&bench.firmware("netduinoplus2", &[]), None).unwrap();
    let error = m4.check_fits(&bench.def("stm32vldiscovery"), &project).unwrap_err().to_string();
    assert!(error.contains("armv7e-m") && error.contains("cortex-m3"), "{error}");
    let m3 = Image::read(&bench.firmware("lm3s6965evb", &[]), None).unwrap();
    let error = m3.check_fits(&bench.def("stm32vldiscovery"), &project).unwrap_err().to_string();
    assert!(error.contains("outside its memory"), "{error}");
    let host = Image::read(&std::env::current_exe().unwrap(), None).unwrap();
    assert!(host.check_fits(&bench.def("microbit"), &project).is_err());
    let junk = bench.root().join("junk.elf");
    std::fs::write(&junk, b"not an ELF").unwrap();
    assert!(Image::read(&junk, None).unwrap_err().to_string().contains("junk.elf"));
    let whole = std::fs::read(bench.firmware("microbit", &[])).unwrap();
    for cut in [5, 40, 60, 0x1010] {
        std::fs::write(&junk, &whole[..cut]).unwrap();
        assert!(Image::read(&junk, None).is_err(), "cut to {cut} bytes");
    }
}
