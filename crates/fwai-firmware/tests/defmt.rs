//! The decoder of defmt logs against a real device's bytes, and against bytes that no device would send.

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use fwai_firmware::{
    defmt::{DefmtError, Line, Stream, Table},
    elf::ElfImage,
};
use proptest::prelude::*;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/defmt").join(name)
}

fn table(name: &str) -> Arc<Table> {
    static TABLES: [LazyLock<Arc<Table>>; 2] =
        [LazyLock::new(|| read("rzcobs")), LazyLock::new(|| read("raw"))];
    fn read(name: &str) -> Arc<Table> {
        let image = ElfImage::open(file(&format!("{name}.elf"))).unwrap();
        Arc::new(Table::of(&image).unwrap().unwrap())
    }
    TABLES[usize::from(name == "raw")].clone()
}

fn frames(name: &str) -> Vec<u8> {
    std::fs::read(file(&format!("{name}.frames"))).unwrap()
}

/// Lines in the form of the reference decoder.
fn written(lines: &[Line]) -> Vec<String> {
    let line = |line: &Line| match line {
        Line::Log { timestamp, level, message, place } => {
            let place =
                place.as_ref().map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
            let timestamp = timestamp.as_ref().map(|timestamp| format!("{timestamp} ")).unwrap_or_default();
            let level = level.map(|level| format!("{} ", level.as_str())).unwrap_or_default();
            format!("{place}|{timestamp}{level}{message}")
        }
        Line::Text(text) => format!("text {text}"),
        Line::Damaged(_) => "damaged".to_string(),
    };
    lines.iter().map(line).collect()
}

fn expected(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file(&format!("{name}.expected.txt"))).unwrap();
    // The reference puts the directory of the compilation in front; people want the path in the project.
    text.lines().map(|line| line.strip_prefix("device/").unwrap().to_string()).collect()
}

#[test]
fn every_line_reads_as_the_reference_decoder_reads_it() {
    for name in ["rzcobs", "raw"] {
        let expected = expected(name);
        assert!(expected.len() > 40, "{name}: the fixture is there");
        let lines = Stream::new(table(name)).received(&frames(name));
        let lines = written(&lines);
        for (ours, theirs) in lines.iter().zip(&expected) {
            assert_eq!(ours, theirs, "{name}");
        }
        assert_eq!(lines.len(), expected.len(), "{name}");
    }
}

#[test]
fn bytes_may_come_one_by_one() {
    for name in ["rzcobs", "raw"] {
        let mut stream = Stream::new(table(name));
        let lines: Vec<Line> = frames(name).iter().flat_map(|byte| stream.received(&[*byte])).collect();
        assert_eq!(written(&lines), expected(name), "{name}");
    }
}

#[test]
fn a_lost_byte_costs_one_frame_when_frames_are_marked() {
    let frames = frames("rzcobs");
    let all = expected("rzcobs");
    for lost in (1..frames.len()).filter(|at| frames[*at] != 0) {
        let damaged = [&frames[..lost], &frames[lost + 1..]].concat();
        let lines = written(&Stream::new(table("rzcobs")).received(&damaged));
        let kept = lines.iter().filter(|line| all.contains(line)).count();
        assert!(kept >= all.len() - 1, "byte {lost}: {} of {} lines are left", kept, all.len());
    }
}

#[test]
fn an_unmarked_stream_finds_its_way_back() {
    let frames = frames("raw");
    let all = expected("raw");
    let noise = [&[0xde, 0xad, 0xff, 0xff][..], &frames].concat();
    let lines = written(&Stream::new(table("raw")).received(&noise));
    assert_eq!(lines[0], "damaged");
    let kept = lines.iter().filter(|line| all.contains(line)).count();
    assert!(kept >= all.len() - 2, "{kept} of {} lines are left", all.len());
}

#[test]
fn a_boot_loader_may_speak_first() {
    let mut stream = Stream::new(table("rzcobs"));
    let bytes = [&b"ROM v1.2 boot\r\n\xff\x00"[..], &frames("rzcobs")].concat();
    let lines = stream.received(&bytes);
    assert_eq!(lines[0], Line::Text("ROM v1.2 boot\r\n".into()));
    assert_eq!(written(&lines)[1..], expected("rzcobs"));
    // Nothing but text: it is shown once the device falls silent.
    assert_eq!(stream.received(b"PANIC in stage 1\n"), []);
    assert_eq!(stream.silent(), Some(Line::Text("PANIC in stage 1\n".into())));
    assert_eq!(stream.silent(), None);
}

#[test]
fn an_image_without_symbols_is_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("stripped.elf");
    let status = std::process::Command::new("arm-none-eabi-strip")
        .args(["-o".as_ref(), stripped.as_os_str(), file("rzcobs.elf").as_os_str()])
        .status();
    assert!(status.unwrap().success());
    let error = Table::of(&ElfImage::open(stripped).unwrap()).unwrap_err();
    assert_eq!(error, DefmtError::NoVersion);
    assert!(error.to_string().contains("stripped"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_are_too_strange(noise in proptest::collection::vec(any::<u8>(), 0..600), at in 0usize..1000) {
        for name in ["rzcobs", "raw"] {
            let frames = frames(name);
            let at = at.min(frames.len());
            let mut stream = Stream::new(table(name));
            stream.received(&frames[..at]);
            stream.received(&noise);
            stream.received(&frames[at..]);
            stream.silent();
        }
    }

    #[test]
    fn no_image_is_too_damaged(changes in proptest::collection::vec((0usize..70_000, any::<u8>()), 1..40), cut in 0usize..70_000) {
        let mut bytes = std::fs::read(file("rzcobs.elf")).unwrap();
        for (at, value) in changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        if cut % 3 == 0 {
            bytes.truncate(cut);
        }
        if let Ok(image) = ElfImage::parse("damaged.elf", bytes)
            && let Ok(Some(table)) = Table::of(&image)
        {
            Stream::new(Arc::new(table)).received(&frames("rzcobs"));
        }
    }
}
