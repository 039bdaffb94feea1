//! How QEMU is started for a board.
//!
//! A small shell line around it sets two limits that QEMU itself lacks: no core file when a lock-up
//! makes it abort, and a bound on its logs, so that chatty firmware cannot fill the disk overnight.

use std::{ffi::OsString, path::Path};

use fwai_schema::board::QemuBoard;

use super::directory::Directory;
use crate::boards::{Image, ImageKind};

/// Bytes that a console log may reach before QEMU stops adding to it.
pub const LARGEST_LOG: u64 = 1 << 30;

/// `ulimit -f` counts blocks of 512 bytes.
const WRAPPER: &str =
    "ulimit -c 0; ulimit -f 2097152; trap '' XFSZ; log=$1; shift; exec \"$@\" >>\"$log\" 2>&1";

/// The whole command, paused at the first instruction.
pub fn argv(qemu: &QemuBoard, board: &str, directory: &Directory, image: Option<&Image>) -> Vec<OsString> {
    let mut argv: Vec<OsString> = ["/bin/sh", "-c", WRAPPER, "fwai-board"].map(OsString::from).to_vec();
    argv.push(directory.qemu_log().into());
    argv.push(program(qemu).into());
    let mut add = |words: &[&str]| argv.extend(words.iter().map(OsString::from));
    add(&["-machine", &qemu.machine, "-name", &format!("fwai-{board}"), "-display", "none", "-nodefaults"]);
    if let Some(cpu) = &qemu.cpu {
        add(&["-cpu", cpu]);
    }
    let socket = |id: &str, name: &str| {
        format!("socket,id={id},path={},server=on,wait=off", escaped(&directory.socket(name)))
    };
    add(&[
        "-chardev",
        &format!(
            "{},logfile={},logappend=on",
            socket("console", "serial.sock"),
            escaped(&directory.console_log())
        ),
    ]);
    for _ in 0..qemu.console {
        add(&["-serial", "null"]);
    }
    add(&["-serial", "chardev:console"]);
    add(&["-chardev", &socket("qmp", "qmp.sock"), "-mon", "chardev=qmp,mode=control"]);
    add(&["-chardev", &socket("gdb", "gdb.sock"), "-gdb", "chardev:gdb"]);
    add(&["-S"]);
    for word in &qemu.args {
        add(&[word]);
    }
    match image {
        None => {}
        Some(image) if image.kind == ImageKind::Elf => {
            argv.push("-kernel".into());
            argv.push(image.path.clone().into());
        }
        Some(image) => {
            let place = match (image.kind, image.segments.first()) {
                (ImageKind::Bin, Some(segment)) => format!(",addr={:#x},force-raw=on", segment.address),
                _ => String::new(),
            };
            argv.push("-device".into());
            argv.push(format!("loader,file={}{place}", escaped(&image.path)).into());
        }
    }
    argv
}

/// The QEMU that runs this board.
pub fn program(qemu: &QemuBoard) -> &str {
    qemu.program.as_deref().unwrap_or("qemu-system-arm")
}

/// QEMU splits options at commas; a doubled comma stands for one.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace(',', ",,")
}
