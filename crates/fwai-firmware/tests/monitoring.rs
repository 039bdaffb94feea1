//! The monitor over virtual boards and serial ports (pty pairs with a scripted device).

mod board_bench;

use std::{
    fs::File,
    io::{Read, Write},
    sync::Arc,
    time::Duration,
};

use board_bench::Bench;
use fwai_firmware::{
    boards::{self, Board, BoardState, ConsoleEvent, ConsoleFrom, Image},
    elf::{ElfImage, Symbolizer},
    flash::{ProofWanted, flash},
    monitor::{MonitorOptions, MonitorOutcome, Patterns, Sink, compile, describe_core, watch},
};
use fwai_schema::{
    board::{BoardDef, BoardKind},
    evidence::BootOutcome,
    project::{BootConfig, FlashConfig, SerialConfig},
};

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    notes: Vec<String>,
}

impl Sink for Kept {
    fn bytes(&mut self, bytes: &[u8], _at: Duration) {
        self.bytes.extend_from_slice(bytes);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_string());
    }
}

fn until(pattern: &str, seconds: u64) -> MonitorOptions {
    MonitorOptions {
        patterns: Patterns { success: compile(&[pattern.to_string()]).unwrap(), failure: Vec::new() },
        limit: Some(Duration::from_secs(seconds)),
        stop_when_decided: true,
        send: Vec::new(),
    }
}

async fn boot(
    bench: &Bench,
    defines: &[&str],
    options: &MonitorOptions,
) -> (MonitorOutcome, Box<dyn Board>, Symbolizer) {
    let elf = bench.firmware("stm32vldiscovery", defines);
    let mut board = bench.board("stm32vldiscovery");
    board.flash(&Image::read(&elf, None).unwrap()).await.unwrap();
    let symbols = Symbolizer::new(Arc::new(ElfImage::open(&elf).unwrap()));
    let mut console = board.console(ConsoleFrom::Boot).await.unwrap();
    let outcome = watch(&mut *console, options, Some(&symbols), &mut Kept::default(), None).await.unwrap();
    (outcome, board, symbols)
}

#[tokio::test]
async fn a_boot_banner_is_success() {
    let bench = Bench::new();
    let (outcome, ..) = boot(&bench, &[], &until("boot ok", 20)).await;
    assert_eq!(outcome.boot.status, BootOutcome::Success);
    assert!(outcome.boot.matched.unwrap().starts_with("fixture boot ok"));
}

#[tokio::test]
async fn a_boot_that_never_comes_is_a_timeout_that_says_where_the_core_is() {
    let bench = Bench::new();
    let (outcome, mut board, symbols) = boot(&bench, &["VARIANT_SILENT"], &until("boot ok", 1)).await;
    assert_eq!(outcome.boot.status, BootOutcome::Timeout);
    assert_eq!(outcome.bytes, 0);
    let registers = board.glance().await.unwrap();
    let text = describe_core(&registers, Some(&symbols)).unwrap();
    assert!(text.contains("in main ("), "{text}");
    assert_eq!(board.state().await, BoardState::Running, "looking does not stop it");
}

#[tokio::test]
async fn a_fault_dump_is_a_failure_explained_to_the_line() {
    let bench = Bench::new();
    let (outcome, ..) = boot(&bench, &["VARIANT_FAULT"], &until("boot ok", 20)).await;
    assert_eq!(outcome.boot.status, BootOutcome::Failure);
    let fault = outcome.explanations.iter().find(|known| known.kind == "cortex-m fault").unwrap();
    assert!(
        fault.summary.contains("Bus fault") && fault.summary.contains("read_sensor"),
        "{}",
        fault.summary
    );
}

#[tokio::test]
async fn a_lockup_is_a_failure_with_its_place() {
    let bench = Bench::new();
    let (outcome, ..) = boot(&bench, &["VARIANT_LOCKUP"], &until("boot ok", 20)).await;
    assert_eq!(outcome.boot.status, BootOutcome::Failure);
    assert!(outcome.crash.is_some());
    assert!(
        outcome.explanations[0].details.iter().any(|line| line.contains("report_fault")),
        "{:?}",
        outcome.explanations
    );
}

#[tokio::test]
async fn what_is_sent_comes_back() {
    let bench = Bench::new();
    let mut options = until("marco polo", 20);
    options.send = vec![b"marco ".to_vec(), b"polo\r\n".to_vec()];
    let (outcome, ..) = boot(&bench, &[], &options).await;
    assert_eq!(outcome.boot.status, BootOutcome::Success, "{outcome:?}");
}

/// The device's end of a pty pair, and the path of the other end.
fn pty() -> (File, String) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let device = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&device).unwrap();
    unlockpt(&device).unwrap();
    let path = ptsname(&device, Vec::new()).unwrap().into_string().unwrap();
    (File::from(device), path)
}

fn serial_board(bench: &Bench, port: &str, flash_command: Option<&str>) -> Box<dyn Board> {
    let def = BoardDef {
        name: "bench".into(),
        kind: BoardKind::Serial,
        arch: "cortex-m3".into(),
        serial: Some(SerialConfig { port: Some(port.into()), baud: Some(115_200), ..Default::default() }),
        flash: flash_command.map(|command| FlashConfig { command: Some(command.into()), image: None }),
        ..Default::default()
    };
    boards::open(&def, &bench.context()).unwrap()
}

#[tokio::test]
async fn a_serial_console_reads_writes_and_loses_nothing_at_a_megabyte() {
    let bench = Bench::new();
    let (mut device, path) = pty();
    let mut board = serial_board(&bench, &path, None);
    assert_eq!(board.state().await, BoardState::Running);
    let mut console = board.console(ConsoleFrom::Now).await.unwrap();
    let script = std::thread::spawn(move || {
        let mut ready = [0; 3];
        device.read_exact(&mut ready).unwrap();
        assert_eq!(&ready, b"go\r");
        for number in 0..40_000u32 {
            device.write_all(format!("line {number:06} 0123456789abcdef\n").as_bytes()).unwrap();
        }
        device.write_all(b"done\n").unwrap();
        device
    });
    console.send(b"go\r").await.unwrap();
    let mut kept = Kept::default();
    let outcome = watch(&mut *console, &until("^done", 60), None, &mut kept, None).await.unwrap();
    assert_eq!(outcome.boot.status, BootOutcome::Success);
    let text = String::from_utf8(kept.bytes).unwrap();
    let mut lines = text.lines().filter(|line| line.starts_with("line"));
    for number in 0..40_000u32 {
        assert_eq!(lines.next(), Some(format!("line {number:06} 0123456789abcdef").as_str()));
    }
    drop(script.join().unwrap());
}

#[tokio::test]
async fn an_unplugged_port_is_told_and_found_again() {
    let bench = Bench::new();
    let (mut device, path) = pty();
    // The name stays while the device behind it changes, as with a udev link.
    let link = bench.root().join("ttyBOARD");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut board = serial_board(&bench, link.to_str().unwrap(), None);
    let mut console = board.console(ConsoleFrom::Now).await.unwrap();
    device.write_all(b"before\n").unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"before\n") && !seen.ends_with(b"before\r\n") {
        match console.next(Duration::from_secs(20)).await.unwrap() {
            ConsoleEvent::Bytes(bytes) => seen.extend(bytes),
            other => panic!("{other:?}"),
        }
    }
    drop(device);
    assert!(matches!(console.next(Duration::from_secs(20)).await.unwrap(), ConsoleEvent::Lost(_)));
    assert!(console.send(b"x").await.is_err(), "nothing can be sent meanwhile");
    let (mut device, path) = pty();
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(console.next(Duration::from_secs(20)).await.unwrap(), ConsoleEvent::Back);
    device.write_all(b"after\n").unwrap();
    match console.next(Duration::from_secs(20)).await.unwrap() {
        ConsoleEvent::Bytes(bytes) => assert!(bytes.starts_with(b"after")),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_port_is_released_while_flashing_and_the_build_id_proves_the_image() {
    let bench = Bench::new();
    let elf = bench.firmware("stm32vldiscovery", &[]);
    let image = Image::read(&elf, None).unwrap();
    let id = image.build_id.clone().unwrap();
    let (device, path) = pty();
    // The flash command fails if anybody has the port open.
    let command = "for p in /proc/[0-9]*/fd/*; do [ \"$(readlink $p)\" = {port} ] && exit 3; done; cp {bin} flashed.bin";
    let mut board = serial_board(&bench, &path, Some(command));
    let mut console = board.console(ConsoleFrom::Now).await.unwrap();
    let mut answer = device.try_clone().unwrap();
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopping = stop.clone();
    let banner = format!("hello build-id {id}\n");
    let talker = std::thread::spawn(move || {
        while !stopping.load(std::sync::atomic::Ordering::Relaxed) {
            // Nobody may have the other end open right now.
            let _ = answer.write_all(banner.as_bytes());
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let wanted = ProofWanted { boot: BootConfig::default(), patience: Some(Duration::from_secs(20)) };
    let outcome = flash(&mut *board, &image, None, &wanted).await;
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    talker.join().unwrap();
    let outcome = outcome.unwrap();
    assert_eq!(
        (outcome.evidence.proof.method.as_str(), outcome.evidence.proof.ok),
        ("build_id", true),
        "{:?}",
        outcome.evidence.proof
    );
    let flashed = std::fs::read(bench.root().join("flashed.bin")).unwrap();
    assert!(flashed.starts_with(&image.segments[0].data));
    let mut released = false;
    while let ConsoleEvent::Bytes(_) | ConsoleEvent::Lost(_) =
        console.next(Duration::from_secs(5)).await.unwrap()
    {
        released = true;
    }
    assert!(released);
}

#[tokio::test]
async fn another_build_id_on_the_console_disproves_and_a_failing_command_is_told() {
    let bench = Bench::new();
    let image = Image::read(&bench.firmware("stm32vldiscovery", &[]), None).unwrap();
    let (mut device, path) = pty();
    let mut board = serial_board(&bench, &path, Some("true"));
    let talker = std::thread::spawn(move || {
        for _ in 0..100 {
            let _ = device.write_all(b"build-id 00112233445566778899aabbccddeeff00112233\n");
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let wanted = ProofWanted { boot: BootConfig::default(), patience: Some(Duration::from_secs(1)) };
    let proof = flash(&mut *board, &image, None, &wanted).await.unwrap().evidence.proof;
    assert_eq!((proof.method.as_str(), proof.ok), ("build_id", false), "{proof:?}");
    talker.join().unwrap();
    let mut board = serial_board(&bench, &path, Some("echo cannot open programmer; exit 7"));
    let error = flash(&mut *board, &image, None, &wanted).await.unwrap_err().to_string();
    assert!(error.contains("code 7") && error.contains("cannot open programmer"), "{error}");
    let mut board = serial_board(&bench, &path, None);
    let error = flash(&mut *board, &image, None, &wanted).await.unwrap_err().to_string();
    assert!(error.contains("flash.command"), "{error}");
}

#[tokio::test]
async fn a_command_board_runs_the_users_own_monitor() {
    let bench = Bench::new();
    let def = BoardDef {
        name: "own".into(),
        kind: BoardKind::Command,
        serial: Some(SerialConfig {
            port: Some("/dev/null".into()),
            baud: Some(9600),
            monitor_command: Some("echo on {port} at {baud}; read line; echo got $line".into()),
            ..Default::default()
        }),
        ..Default::default()
    };
    let mut board = boards::open(&def, &bench.context()).unwrap();
    let mut console = board.console(ConsoleFrom::Now).await.unwrap();
    let mut options = until("got hello", 20);
    options.send = vec![b"hello\n".to_vec()];
    let mut kept = Kept::default();
    let outcome = watch(&mut *console, &options, None, &mut kept, None).await.unwrap();
    assert_eq!(outcome.boot.status, BootOutcome::Success);
    assert!(String::from_utf8_lossy(&kept.bytes).starts_with("on /dev/null at 9600\n"));
}
