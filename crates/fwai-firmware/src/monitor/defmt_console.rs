//! [`DefmtConsole`]: a console whose bytes are defmt frames, read as the lines that the firmware meant.

use std::time::Duration;

use defmt_decoder::{DecodeError, StreamDecoder, Table};

use crate::{
    boards::{BoardError, Console, ConsoleEvent},
    elf::ElfImage,
    launch::BoxFuture,
};

/// Decodes another console's bytes.
pub struct DefmtConsole {
    inner: Box<dyn Console>,
    decoder: Box<dyn StreamDecoder + Send + Sync>,
    broken: bool,
}

/// The strings that an image logs with.
pub struct DefmtStrings(&'static Table);

/// The strings of an image; `Err` says why they cannot be used.
pub fn defmt_strings(image: &ElfImage) -> Result<DefmtStrings, String> {
    let table = Table::parse(image.bytes()).map_err(|error| error.to_string())?;
    let table = table.ok_or_else(|| "the ELF has no defmt strings".to_string())?;
    // Decoders borrow the table; a monitor decodes with one table until the program ends.
    Ok(DefmtStrings(Box::leak(Box::new(table))))
}

impl DefmtStrings {
    /// Read a console through these strings.
    pub fn decode(&self, inner: Box<dyn Console>) -> DefmtConsole {
        DefmtConsole { inner, decoder: self.0.new_stream_decoder(), broken: false }
    }
}

impl DefmtConsole {
    fn decode(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.broken {
            return bytes.to_vec();
        }
        let mut text = String::new();
        self.decoder.received(bytes);
        loop {
            match self.decoder.decode() {
                Ok(frame) => {
                    text.push_str(&frame.display(false).to_string());
                    text.push('\n');
                }
                Err(DecodeError::UnexpectedEof) => break,
                Err(DecodeError::Malformed) => {
                    text.push_str("[a defmt frame could not be decoded: is this the ELF that runs?]\n");
                    // Only framed encodings find the next frame again; without frames nothing can be trusted.
                    self.broken = true;
                    break;
                }
            }
        }
        text.into_bytes()
    }
}

impl Console for DefmtConsole {
    fn next(&mut self, wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
        Box::pin(async move {
            Ok(match self.inner.next(wait).await? {
                ConsoleEvent::Bytes(bytes) => match self.decode(&bytes) {
                    text if text.is_empty() => ConsoleEvent::Quiet,
                    text => ConsoleEvent::Bytes(text),
                },
                other => other,
            })
        })
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
        self.inner.send(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Script(Vec<ConsoleEvent>);

    impl Console for Script {
        fn next(&mut self, _wait: Duration) -> BoxFuture<'_, Result<ConsoleEvent, BoardError>> {
            Box::pin(async {
                Ok(if self.0.is_empty() { ConsoleEvent::Ended("end".into()) } else { self.0.remove(0) })
            })
        }

        fn send<'a>(&'a mut self, _bytes: &'a [u8]) -> BoxFuture<'a, Result<(), BoardError>> {
            Box::pin(async { Ok(()) })
        }
    }

    /// Symbols as defmt's macros make them, assembled for real.
    fn image(folder: &std::path::Path) -> ElfImage {
        let symbol = r#"{\"package\":\"app\",\"tag\":\"defmt_info\",\"data\":\"answer {=u8}\",\"disambiguator\":\"1\",\"crate_name\":\"app\"}"#;
        let source = format!(
            ".section .defmt,\"a\",%progbits\n.byte 0\n.global \"{symbol}\"\n\"{symbol}\":\n.byte 0\n\
             .global \"_defmt_version_ = 4\"\n.set \"_defmt_version_ = 4\", 1\n.global \"_defmt_encoding_ = raw\"\n.set \"_defmt_encoding_ = raw\", 1\n"
        );
        let (assembly, object, elf) = (folder.join("d.s"), folder.join("d.o"), folder.join("d.elf"));
        std::fs::write(&assembly, source).unwrap();
        let run = |program: &str, arguments: &[&std::ffi::OsStr]| {
            assert!(std::process::Command::new(program).args(arguments).status().unwrap().success());
        };
        run("arm-none-eabi-as", &["-o".as_ref(), object.as_os_str(), assembly.as_os_str()]);
        // The default script would put symbols of its own into the section.
        let script = folder.join("d.ld");
        std::fs::write(&script, "SECTIONS { .defmt 0 : { *(.defmt) } }").unwrap();
        let place = ["-e", "0", "-o"].map(std::ffi::OsStr::new);
        run(
            "arm-none-eabi-ld",
            &[&["-T".as_ref(), script.as_os_str()][..], &place[..], &[elf.as_os_str(), object.as_os_str()]]
                .concat(),
        );
        ElfImage::open(&elf).unwrap()
    }

    #[tokio::test]
    async fn frames_become_lines_also_when_cut_in_two() {
        let folder = tempfile::tempdir().unwrap();
        let image = image(folder.path());
        let events = [&[1u8, 0][..], &[42, 1], &[0, 7]].map(|bytes| ConsoleEvent::Bytes(bytes.to_vec()));
        let mut console = defmt_strings(&image).unwrap().decode(Box::new(Script(events.to_vec())));
        let mut text = String::new();
        loop {
            match console.next(Duration::ZERO).await.unwrap() {
                ConsoleEvent::Bytes(bytes) => text.push_str(&String::from_utf8(bytes).unwrap()),
                ConsoleEvent::Ended(_) => break,
                _ => {}
            }
        }
        assert_eq!(text, "INFO answer 42\nINFO answer 7\n");
    }
}
