//! Logs that survive what happens to files.

use super::*;
use fwai_schema::message::{ContentBlock, Message};

fn event(seq: u64, turn: u32, body: EventBody) -> Event {
    Event { seq, ts: format!("2026-01-01T00:00:{seq:02}.000Z"), session: "s1".into(), turn, body }
}

fn started(seq: u64) -> Event {
    let body = EventBody::SessionStarted {
        version: "0".into(),
        provider: "p".into(),
        model: "m".into(),
        mode: Default::default(),
        cwd: "/".into(),
        title: None,
        forked_from: None,
        parent: None,
    };
    event(seq, 0, body)
}

fn said(seq: u64, turn: u32, text: &str) -> Event {
    let message = Message::user(vec![ContentBlock::text(text)]);
    event(seq, turn, EventBody::Message { message, injected: false })
}

fn store_with(events: &[Event]) -> (tempfile::TempDir, SessionStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SessionStore::new(directory.path());
    let log = store.open("s1").unwrap();
    for event in events {
        log.append(event).unwrap();
    }
    log.sync().unwrap();
    (directory, store)
}

fn three_events() -> Vec<Event> {
    vec![started(1), event(2, 1, EventBody::TurnStarted {}), said(3, 1, "  fix the UART\nplease")]
}

#[test]
fn a_log_torn_at_any_byte_opens_with_every_whole_event() {
    let events = three_events();
    let (_directory, store) = store_with(&events);
    let path = store.log_path("s1").unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let log = store.open("s1").unwrap();
        let loaded = log.load().unwrap();
        // An event whose newline alone is missing is whole, too.
        let ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
        let expected = ends.iter().filter(|end| length >= **end).count();
        assert_eq!(loaded, events[..expected], "torn at byte {length}");
        let next = said(9, 2, "more");
        log.append(&next).unwrap();
        assert_eq!(log.load().unwrap().last(), Some(&next), "torn at byte {length}");
        assert_eq!(log.load().unwrap().len(), expected + 1);
    }
}

#[test]
fn a_second_writer_is_refused_until_the_first_is_gone() {
    let (_directory, store) = store_with(&three_events());
    let first = store.open("s1").unwrap();
    let refused = store.open("s1").err().unwrap();
    assert!(refused.what.contains("in use by another fwai"), "{refused}");
    assert!(matches!(store.remove("s1"), Err(SessionError::InUse { .. })));
    assert!(matches!(store.check_free("s1"), Err(SessionError::InUse { .. })));
    assert_eq!(store.load("s1").unwrap().len(), 3, "reading is always possible");
    drop(first);
    store.check_free("s1").unwrap();
    store.open("s1").unwrap();
}

#[test]
fn junk_between_events_costs_only_itself() {
    let (_directory, store) = store_with(&three_events());
    let path = store.log_path("s1").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let first_end = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    bytes.splice(first_end..first_end, b"\xff\xfe\0\0 not json\n{\"seq\":\n\n".iter().copied());
    fs::write(&path, &bytes).unwrap();
    assert_eq!(store.load("s1").unwrap(), three_events());
}

#[test]
fn lists_newest_first_and_resolves_names() {
    let (_directory, store) = store_with(&three_events());
    let mut later = started(30);
    later.session = "s20".into();
    store.open("s20").unwrap().append(&later).unwrap();
    let listed = store.list().unwrap();
    let ids: Vec<&str> = listed.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, ["s20", "s1"]);
    assert_eq!((listed[1].turns, listed[1].title.as_str()), (1, "fix the UART"));
    assert_eq!(store.resolve("last").unwrap(), "s20");
    assert_eq!(store.resolve("s2").unwrap(), "s20");
    assert!(matches!(store.resolve("s"), Err(SessionError::Ambiguous { .. })));
    assert!(matches!(store.resolve("x"), Err(SessionError::Unknown { .. })));
    assert!(matches!(store.resolve(""), Err(SessionError::Unknown { .. })));
}

#[test]
fn hostile_names_stay_outside() {
    let (_directory, store) = store_with(&[]);
    for name in ["../x", "a/b", "", ".", "..", ".hidden", "a\0b", &"x".repeat(200)] {
        assert!(store.open(name).is_err(), "{name:?}");
        assert!(store.remove(name).is_err(), "{name:?}");
    }
}

#[test]
fn a_fork_shares_the_beginning_and_nothing_else() {
    let mut events = three_events();
    events.push(event(4, 2, EventBody::TurnStarted {}));
    events.push(said(5, 2, "second"));
    let (_directory, store) = store_with(&events);
    store.fork("s1", Some(1), "s2", "2026-02-02T00:00:00.000Z").unwrap();
    let forked = store.load("s2").unwrap();
    assert_eq!(forked.len(), 3);
    assert!(forked.iter().all(|event| event.session == "s2"));
    let EventBody::SessionStarted { forked_from: Some(from), .. } = &forked[0].body else { panic!() };
    assert_eq!((from.session.as_str(), from.turn), ("s1", 1));
    assert_eq!(store.load("s1").unwrap(), events, "the origin stays as it was");
    let wrong = store.fork("s1", Some(7), "s3", "now").unwrap_err();
    assert_eq!(wrong.to_string(), "session s1 has 2 turns; there is no turn 7");
    store.remove("s1").unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
}

/// Not a test of its own: the victim of the next one, started as a process of its own.
#[test]
fn victim_appends_until_killed() {
    let Some(project) = std::env::var_os("FWAI_TEST_VICTIM") else { return };
    let log = SessionStore::new(project).open("s1").unwrap();
    let mut out = io::stdout().lock();
    for seq in 1.. {
        log.append(&said(seq, 1, &"x".repeat(usize::try_from(seq % 977).unwrap()))).unwrap();
        use io::Write;
        writeln!(out, "acknowledged {seq}").unwrap();
    }
}

#[test]
fn kill_9_loses_no_acknowledged_event() {
    let directory = tempfile::tempdir().unwrap();
    let store = SessionStore::new(directory.path());
    for round in 0..5 {
        let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "session_store::tests::victim_appends_until_killed", "--nocapture", "--quiet"])
            .env("FWAI_TEST_VICTIM", directory.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let mut acknowledged = 0;
        let wanted = 100 + round * 37;
        while acknowledged < wanted {
            let line = lines.next().unwrap().unwrap();
            if let Some(seq) = line.strip_prefix("acknowledged ") {
                acknowledged = seq.parse().unwrap();
            }
        }
        assert!(store.open("s1").is_err(), "the victim holds the lock");
        victim.kill().unwrap();
        victim.wait().unwrap();
        for line in lines.map_while(Result::ok) {
            if let Some(seq) = line.strip_prefix("acknowledged ").and_then(|seq| seq.parse().ok()) {
                acknowledged = seq;
            }
        }
        let log = store.open("s1").unwrap();
        let events = log.load().unwrap();
        let last = events.iter().rev().map(|event| event.seq).next().unwrap();
        assert!(last >= acknowledged, "event {acknowledged} was acknowledged, the log ends at {last}");
        drop(log);
        fs::remove_dir_all(directory.path().join(".fwai")).unwrap();
    }
}
