//! Whether the ELF is what runs: debugging with another one shows lines that were never executed.

use std::time::Duration;

use super::gdb::{Gdb, GdbError};
use crate::boards::{Image, Segment};

const LIMIT: Duration = Duration::from_secs(20);
/// Enough to tell two programs apart; a slow probe reads it in a second or two.
const MOST_COMPARED: usize = 64 * 1024;

/// How the ELF and the target's memory compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// Equal; the text says what was compared.
    Same(String),
    /// The text says where they part.
    Different(String),
    /// Nothing of the ELF is in memory that does not change.
    Unknown,
}

/// Compare the build-id where it is in memory, and the code itself.
pub async fn compare(gdb: &mut Gdb, image: &Image) -> Result<Match, GdbError> {
    let mut compared = Vec::new();
    if let (Some(address), Some(id)) = (image.build_id_address, &image.build_id) {
        let found = hex::encode(read_memory(gdb, address, id.len() / 2).await?);
        if found != *id {
            // Only a note's own header makes the bytes there somebody's build-id.
            let header = match address.checked_sub(4) {
                Some(start) => read_memory(gdb, start, 4).await?,
                None => Vec::new(),
            };
            let what = match header == b"GNU\0" {
                true => format!("the board runs build {found}, the ELF is build {id}"),
                false => format!("the board does not hold build {id} at {address:#010x}"),
            };
            return Ok(Match::Different(what));
        }
        compared.push(format!("build-id {id}"));
    }
    let mut left = MOST_COMPARED;
    let fixed = |segment: &&Segment| segment.address == segment.run_address && !segment.data.is_empty();
    for segment in image.segments.iter().filter(fixed) {
        // A writable segment may hold variables; its beginning (vectors, code) still identifies it.
        let most = if segment.writable { 64 } else { left };
        let count = segment.data.len().min(most).min(left);
        let found = read_memory(gdb, segment.address, count).await?;
        if let Some(at) = segment.data[..count].iter().zip(&found).position(|(elf, board)| elf != board) {
            let address = segment.address + at as u64;
            return Ok(Match::Different(format!(
                "at {address:#010x} the board holds {:02x}, the ELF {:02x}",
                found[at], segment.data[at]
            )));
        }
        compared.push(format!("{count} bytes at {:#010x}", segment.address));
        left -= count;
        if left == 0 {
            break;
        }
    }
    Ok(if compared.is_empty() { Match::Unknown } else { Match::Same(compared.join(", ")) })
}

/// Bytes of the target, through GDB.
pub async fn read_memory(gdb: &mut Gdb, address: u64, count: usize) -> Result<Vec<u8>, GdbError> {
    let mut bytes = Vec::with_capacity(count);
    while bytes.len() < count {
        let chunk = (count - bytes.len()).min(16 * 1024);
        let command = format!("-data-read-memory-bytes {:#x} {chunk}", address + bytes.len() as u64);
        let answer = gdb.command(&command, LIMIT).await?;
        let contents: String =
            answer.results.list("memory").iter().filter_map(|part| part.text("contents")).collect();
        let read = hex::decode(&contents).unwrap_or_default();
        if read.len() < chunk {
            let message = format!("cannot read {count} bytes at {address:#010x}");
            return Err(GdbError::Refused { command, message });
        }
        bytes.extend(read);
    }
    Ok(bytes)
}
