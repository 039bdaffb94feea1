//! A recorded Tcl session over a real socket, and the real OpenOCD with its `dummy` adapter.

use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::Arc,
    time::Duration,
};

use fwai_schema::{
    board::{BoardDef, BoardKind, OpenOcdBoard},
    project::Project,
};

use super::{
    board::{OpenOcd, program},
    tcl::{Tcl, TclError},
};
use crate::{
    boards::{Board, BoardContext, BoardError, BoardState, Image},
    launch::PlainLauncher,
};

/// A server that expects each command in turn and gives the recorded answer; `None` closes the connection.
fn recorded(
    session: &'static [(&'static str, Option<&'static str>)],
) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = Vec::new();
        for (wanted, answer) in session {
            let mut command = Vec::new();
            let mut byte = [0];
            while byte != [0x1a] {
                if stream.read(&mut byte).unwrap() == 0 {
                    return heard;
                }
                command.push(byte[0]);
            }
            let command = String::from_utf8(command).unwrap();
            assert!(command.contains(wanted), "wanted {wanted}, heard {command}");
            heard.push(command);
            let Some(answer) = answer else { return heard };
            // In two pieces, as a network may deliver it.
            let (first, rest) = answer.split_at(answer.len() / 2);
            stream.write_all(first.as_bytes()).unwrap();
            stream.flush().unwrap();
            stream.write_all(rest.as_bytes()).unwrap();
            stream.write_all(&[0x1a]).unwrap();
        }
        heard
    });
    (address, server)
}

fn image(folder: &std::path::Path) -> Image {
    let path = folder.join("my app.bin");
    std::fs::write(&path, [1, 2, 3, 4]).unwrap();
    Image::read(&path, Some(0x0800_0000)).unwrap()
}

#[tokio::test]
async fn an_image_is_written_verified_and_started() {
    let folder = tempfile::tempdir().unwrap();
    let (address, server) = recorded(&[
        ("reset init", Some("0 target halted due to debug-request, current mode: Thread\n")),
        (
            "flash write_image erase {",
            Some("0 auto erase enabled\nwrote 1024 bytes from file my app.bin in 0.1s (10.0 KiB/s)\n"),
        ),
        ("verify_image {", Some("0 verified 4 bytes in 0.01s (0.4 KiB/s)\n")),
        ("reset run", Some("0 ")),
    ]);
    let mut tcl = Tcl::connect(&address).await.unwrap();
    let report = program(&mut tcl, "bench", &image(folder.path())).await.unwrap();
    assert_eq!((report.proof.method.as_str(), report.proof.ok), ("readback", true));
    assert!(report.proof.detail.unwrap().contains("verified 4 bytes"));
    let heard = server.join().unwrap();
    assert!(heard[1].contains("my app.bin} 0x8000000 bin}"), "{}", heard[1]);
}

#[tokio::test]
async fn a_difference_is_a_proof_that_failed_and_the_core_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let (address, server) = recorded(&[
        ("reset init", Some("0 ")),
        ("flash write_image", Some("0 wrote 1024 bytes\n")),
        (
            "verify_image",
            Some(
                "1 checksum mismatch - attempting binary compare\ndiff 0 address 0x08000002. Was 0x00 instead of 0x03\n",
            ),
        ),
    ]);
    let mut tcl = Tcl::connect(&address).await.unwrap();
    let report = program(&mut tcl, "bench", &image(folder.path())).await.unwrap();
    assert!(!report.proof.ok);
    assert!(report.proof.detail.unwrap().contains("0x08000002"));
    assert_eq!(server.join().unwrap().len(), 3);
}

#[tokio::test]
async fn a_probe_that_vanishes_midway_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (address, _server) = recorded(&[("reset init", Some("0 ")), ("flash write_image", None)]);
    let mut tcl = Tcl::connect(&address).await.unwrap();
    let error = program(&mut tcl, "bench", &image(folder.path())).await.unwrap_err().to_string();
    assert!(error.contains("bench") && error.contains("flash write_image"), "{error}");
}

#[tokio::test]
async fn a_silent_server_ends_at_the_limit() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut tcl = Tcl::connect(&listener.local_addr().unwrap().to_string()).await.unwrap();
    let error = tcl.run("halt", Duration::from_millis(50)).await.unwrap_err();
    assert!(matches!(error, TclError::Timeout { .. }), "{error}");
}

fn dummy(commands: &[&str], config: &[&str], root: &std::path::Path) -> OpenOcd {
    let words = |list: &[&str]| list.iter().map(|word| word.to_string()).collect();
    let def = BoardDef {
        name: "bench".into(),
        kind: BoardKind::Openocd,
        openocd: Some(OpenOcdBoard { config: words(config), commands: words(commands) }),
        ..BoardDef::default()
    };
    let context =
        BoardContext { root: root.into(), project: Project::default(), launcher: Arc::new(PlainLauncher) };
    OpenOcd::new(def, context).unwrap()
}

#[tokio::test]
async fn the_real_openocd_starts_answers_refuses_and_ends_with_its_board() {
    let folder = tempfile::tempdir().unwrap();
    let setup = "adapter driver dummy; adapter speed 1000; jtag newtap t cpu -irlen 4; target create t.cpu testee -chain-position t.cpu";
    let mut board = dummy(&[setup], &[], folder.path());
    assert_eq!(board.state().await, BoardState::Unknown, "a listing starts nothing");
    let identity = board.identify().await.unwrap();
    assert_eq!(identity.details["adapter"], "dummy");
    assert_eq!(identity.details["targets"], "t.cpu");
    board.reset().await.unwrap();
    let error = board.flash(&image(folder.path())).await.unwrap_err();
    assert!(matches!(error, BoardError::Flash { .. }), "{error}");
    let address = board.debug_server().await.unwrap().address;
    assert!(address.starts_with("127.0.0.1:"));
    drop(board);
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    let mine = format!("{}", std::process::id());
    while children(&mine).iter().any(|name| name.contains("openocd")) {
        assert!(std::time::Instant::now() < deadline, "OpenOCD outlived its board");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Names of the running (not ended) children of a process.
fn children(parent: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats
        .filter(|stat| {
            let fields: Vec<&str> =
                stat.rsplit_once(") ").map_or(vec![], |(_, rest)| rest.split(' ').collect());
            fields.get(1) == Some(&parent) && fields.first() != Some(&"Z")
        })
        .collect()
}

#[tokio::test]
async fn a_configuration_that_does_not_exist_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut board = dummy(&[], &["board/no-such-board.cfg"], folder.path());
    let error = board.identify().await.unwrap_err().to_string();
    assert!(error.contains("no-such-board.cfg"), "{error}");
}
