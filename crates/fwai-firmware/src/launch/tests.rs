//! Real processes: order of streams, time limits, trees, cancellation.

use std::time::Duration;

use super::*;

async fn shell(line: &str, limit: Option<Duration>) -> (String, Exit) {
    let mut text = Vec::new();
    let mut spec = LaunchSpec::shell(line, "/");
    spec.timeout = limit;
    let finished =
        run(&PlainLauncher, spec, &mut |chunk| text.extend_from_slice(chunk), &CancellationToken::new())
            .await
            .unwrap();
    (String::from_utf8(text).unwrap(), finished.exit)
}

#[tokio::test]
async fn both_streams_keep_their_order() {
    let (text, exit) = shell("echo one; echo two >&2; echo three; exit 3", None).await;
    assert_eq!((text.as_str(), exit.code), ("one\ntwo\nthree\n", Some(3)));
    assert!(!exit.success());
}

#[tokio::test]
async fn a_time_limit_kills_grandchildren_too() {
    let (text, exit) = shell("sh -c 'echo $$; sleep 1000' & wait", Some(Duration::from_millis(300))).await;
    assert!(exit.timed_out && !exit.success());
    gone(text.trim().parse().unwrap()).await;
}

#[tokio::test]
async fn endless_output_does_not_hide_the_time_limit() {
    let (text, exit) = shell("yes", Some(Duration::from_millis(100))).await;
    assert!(exit.timed_out && text.starts_with("y\ny\n"));
}

#[tokio::test]
async fn a_dropped_child_takes_its_tree_with_it() {
    let spec = LaunchSpec::shell("sh -c 'echo $$; sleep 1000' & wait", "/").streams(
        Stream::Null,
        Stream::Piped,
        Stream::Null,
    );
    let mut child = PlainLauncher.launch(spec).await.unwrap();
    let mut line = [0; 16];
    let count = tokio::io::AsyncReadExt::read(child.stdout.as_mut().unwrap(), &mut line).await.unwrap();
    let pid = std::str::from_utf8(&line[..count]).unwrap().trim().parse().unwrap();
    drop(child);
    gone(pid).await;
}

#[tokio::test]
async fn cancelling_stops_even_what_ignores_the_interrupt() {
    let cancel = CancellationToken::new();
    let trigger = cancel.clone();
    let spec = LaunchSpec::shell("trap '' INT; echo up; while :; do sleep 0.05; done", "/");
    let finished = run(&PlainLauncher, spec, &mut move |_| trigger.cancel(), &cancel).await.unwrap();
    assert!(finished.exit.cancelled && finished.exit.signal == Some(9), "{finished:?}");
}

#[tokio::test]
async fn a_daemon_that_keeps_the_pipe_does_not_hold_us() {
    let (text, exit) = shell("echo built; setsid sleep 5 & exit 0", None).await;
    assert_eq!((text.as_str(), exit.success()), ("built\n", true));
}

#[tokio::test]
async fn a_missing_program_and_directory_are_named() {
    let missing = PlainLauncher.launch(LaunchSpec::argv(["no-such-compiler"], "/")).await.err().unwrap();
    assert!(missing.to_string().contains("`no-such-compiler` is not installed"), "{missing}");
    let nowhere = PlainLauncher.launch(LaunchSpec::argv(["true"], "/no/such/place")).await.err().unwrap();
    assert!(nowhere.to_string().contains("/no/such/place does not exist"), "{nowhere}");
}

#[test]
fn a_command_line_can_be_pasted_back() {
    let spec = LaunchSpec::argv(["gdb", "-ex", "print a's", ""], "/");
    assert_eq!(spec.command_line(), r"gdb -ex 'print a'\''s' ''");
}

/// Waits until the process is gone or only its dead entry is left.
async fn gone(pid: u32) {
    for _ in 0..500 {
        match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => tokio::time::sleep(Duration::from_millis(10)).await,
            _ => return,
        }
    }
    panic!("process {pid} still runs");
}
