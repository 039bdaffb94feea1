//! How much memory and processor time the processes of a sandbox have together, read from its own `/proc`.
//!
//! Control groups would say it, too, but few machines let an ordinary user make one. Nothing here allocates:
//! it runs in the first process of the sandbox.

use super::sys;
use std::ffi::CStr;

/// Whether the processes together have more than `limit` pages in memory. Pages of files do not count, since
/// the system can take them back; what they share among each other counts once. Files in the file system in
/// memory have a bound of their own.
pub fn is_above(processes: i32, limit: u64) -> bool {
    // Everything that they see is more than what they have, and quickly known.
    if sum(processes, &mut |name| resident_pages(processes, name)) <= limit {
        return false;
    }
    sum(processes, &mut |name| own_pages(processes, name).unwrap_or_else(|| resident_pages(processes, name)))
        > limit
}

/// Ticks of processor time of all processes, those that ended and were waited for among them.
pub fn processor_ticks(processes: i32) -> u64 {
    sum(processes, &mut |name| {
        let mut buffer = [0u8; 1024];
        let stat = read(processes, name, b"/stat", &mut buffer);
        // The command's name stands in parentheses and may hold anything. Twelve fields after it come four
        // times: its own in user and system mode, and those of its children.
        let Some(end) = stat.iter().rposition(|byte| *byte == b')') else { return 0 };
        stat[end..].split(|byte| *byte == b' ').skip(12).take(4).map(number).sum()
    })
}

/// The sum of a figure over all processes.
fn sum(processes: i32, figure: &mut dyn FnMut(&[u8]) -> u64) -> u64 {
    let mut sum = 0u64;
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
            let name = &buffer[at + 19..end];
            let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if (1..=10).contains(&digits) && name.get(digits) == Some(&0) {
                sum = sum.saturating_add(figure(&name[..digits]));
            }
            at = end;
        }
    }
    sum
}

/// Pages of a process that are in memory, files among them.
fn resident_pages(processes: i32, name: &[u8]) -> u64 {
    let mut buffer = [0u8; 128];
    let statm = read(processes, name, b"/statm", &mut buffer);
    statm.split(|byte| *byte == b' ').nth(1).map_or(0, number)
}

/// Pages that are no file's, each divided by the number of processes that share it. Nothing where the process
/// does not let itself be looked at.
fn own_pages(processes: i32, name: &[u8]) -> Option<u64> {
    let mut buffer = [0u8; 2048];
    let rollup = read(processes, name, b"/smaps_rollup", &mut buffer);
    let mut kilobytes = None;
    for line in rollup.split(|byte| *byte == b'\n') {
        let value = line.strip_prefix(b"Pss_Anon:").or_else(|| line.strip_prefix(b"Pss_Shmem:"));
        if let Some(value) = value {
            kilobytes = Some(kilobytes.unwrap_or(0) + number(value.trim_ascii_start()));
        }
    }
    // Known since before this process was made.
    kilobytes.map(|kilobytes| kilobytes * 1024 / rustix::param::page_size() as u64)
}

fn read<'b>(processes: i32, name: &[u8], file: &[u8], buffer: &'b mut [u8]) -> &'b [u8] {
    let mut path = [0u8; 32];
    path[..name.len()].copy_from_slice(name);
    path[name.len()..name.len() + file.len()].copy_from_slice(file);
    let Ok(path) = CStr::from_bytes_until_nul(&path) else { return &[] };
    let Ok(fd) = sys::open_read(processes, path) else { return &[] };
    let count = sys::read(fd, buffer).unwrap_or(0);
    sys::close(fd);
    &buffer[..count]
}

fn number(digits: &[u8]) -> u64 {
    digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0u64, |sum, b| sum.saturating_mul(10).saturating_add(u64::from(b - b'0')))
}
