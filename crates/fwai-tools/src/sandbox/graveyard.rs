//! First processes of sandboxes whose commands have ended. The kernel takes milliseconds to take their
//! namespaces apart; they are collected when the next command starts.

use super::kernel::sys;
use std::{
    os::fd::{AsRawFd, OwnedFd},
    sync::{Mutex, PoisonError},
};

static ENDING: Mutex<Vec<OwnedFd>> = Mutex::new(Vec::new());

/// Collects this process later.
pub fn bury(process: &OwnedFd) {
    let mut ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    match process.try_clone() {
        Ok(process) => ending.push(process),
        // No descriptor is left to remember it by, so it is waited for.
        Err(_) => drop(sys::reap(process.as_raw_fd(), true)),
    }
}

/// Collects those that are gone by now.
pub fn sweep() {
    let mut ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    ending.retain(|process| matches!(sys::reap(process.as_raw_fd(), false), Ok(None)));
}
