//! A command that a tool of a session started ends with that session, even when the session is killed: nobody else
//! would ever end a build that hangs.

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};
use std::{thread, time::Duration};

/// How often it is looked whether the session is still there.
const LOOK: Duration = Duration::from_millis(300);

/// Ends this program as SIGTERM would, once `parent` is no longer its parent.
pub fn watch(parent: i32) {
    let parent = Pid::from_raw(parent);
    thread::spawn(move || {
        while getppid() == parent {
            thread::sleep(LOOK);
        }
        let _ = kill_process(getpid(), Signal::TERM);
    });
}
