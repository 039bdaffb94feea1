//! How much memory the processes of a sandbox have together, read from its own `/proc`.
//!
//! Control groups would say it, too, but few machines let an ordinary user make one. Nothing here allocates:
//! it runs in the first process of the sandbox.

use super::sys;
use std::ffi::CStr;

/// Pages that belong to the processes alone; what they share with files is not counted, and what lies in
/// the file system in memory has a bound of its own.
pub fn used_pages(processes: i32) -> u64 {
    let mut sum = 0;
    let mut buffer = [0u8; 4096];
    if sys::rewind(processes).is_err() {
        return 0;
    }
    while let Ok(count @ 1..) = sys::directory_entries(processes, &mut buffer) {
        let mut at = 0;
        // An entry: inode and offset (8 bytes each), its length (2), its kind (1), its name.
        while at + 19 < count {
            let length = usize::from(u16::from_ne_bytes([buffer[at + 16], buffer[at + 17]]));
            let end = (at + length).min(count);
            if length == 0 {
                break;
            }
            sum += of_process(processes, &buffer[at + 19..end]);
            at = end;
        }
    }
    sum
}

/// Pages of one process, if the name is that of one.
fn of_process(processes: i32, name: &[u8]) -> u64 {
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 10 || name.get(digits) != Some(&0) {
        return 0;
    }
    let mut path = [0u8; 24];
    path[..digits].copy_from_slice(&name[..digits]);
    path[digits..digits + 6].copy_from_slice(b"/statm");
    let Ok(path) = CStr::from_bytes_until_nul(&path) else { return 0 };
    let Ok(fd) = sys::open_read(processes, path) else { return 0 };
    let mut text = [0u8; 128];
    let count = sys::read(fd, &mut text).unwrap_or(0);
    sys::close(fd);
    let mut numbers = text[..count].split(|byte| *byte == b' ').map(number);
    let (_, resident, shared) = (numbers.next(), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    resident.saturating_sub(shared)
}

fn number(digits: &[u8]) -> u64 {
    digits.iter().take_while(|b| b.is_ascii_digit()).fold(0, |sum, b| sum * 10 + u64::from(b - b'0'))
}
