//! `defmt-reference ELF FRAMES`: every line of the stream as `file:line|timestamp LEVEL message`.

use defmt_decoder::{DecodeError, Table};

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [elf, frames] = &paths[..] else { panic!("give an ELF and a file with frames") };
    let elf = std::fs::read(elf).expect("the ELF is readable");
    let table = Table::parse(&elf).expect("the ELF is sound").expect("the ELF logs with defmt");
    let locations = table.get_locations(&elf).expect("the debug information is sound");
    let mut stream = table.new_stream_decoder();
    stream.received(&std::fs::read(frames).expect("the frames are readable"));
    loop {
        match stream.decode() {
            Ok(frame) => {
                let place = locations.get(&frame.index());
                let place = place.map(|place| format!("{}:{}", place.file.display(), place.line));
                println!("{}|{}", place.unwrap_or_default(), frame.display(false));
            }
            Err(DecodeError::Malformed) => println!("damaged"),
            Err(DecodeError::UnexpectedEof) => break,
        }
    }
}
