//! A run that is ended in each kind of step: whatever it was doing, its evidence says so and verifies.

use super::*;
use fwai_testkit::model_server::Fault;

/// A step that goes on until it is stopped, and the sign that it is at work.
struct Kind {
    name: &'static str,
    step: &'static str,
    model: fn(u32) -> Vec<Turn>,
    is_at_work: fn(&Desk, u32) -> bool,
}

/// Whether the sleep of this test runs: others run beside it.
fn sleeps(seconds: u32) -> bool {
    runs(&format!("sleep {seconds}"))
}

const KINDS: &[Kind] = &[
    Kind {
        name: "build",
        step: "tool: build",
        model: |_| Vec::new(),
        is_at_work: |_, seconds| sleeps(seconds),
    },
    Kind {
        name: "analysis",
        step: "action: llm_analyze\n    prompt: Why?\n    input: notes.txt",
        model: |_| vec![Turn::text("late").fault(Fault::Delay { ms: 600_000 })],
        is_at_work: |desk, _| desk.server.as_ref().is_some_and(|server| server.requests().len() == 1),
    },
    Kind {
        name: "answer_half_way",
        step: "action: llm_analyze\n    prompt: Why?",
        model: |_| vec![Turn::text("x".repeat(4_000)).fault(Fault::Stall { after: 1_500, ms: 600_000 })],
        is_at_work: |desk, _| desk.server.as_ref().is_some_and(|server| server.requests().len() == 1),
    },
    Kind {
        name: "agent",
        step: "action: agentic\n    goal: Wait.",
        model: |seconds| {
            vec![Turn::tool("bash", json!({"command": format!("sh -c 'sleep {seconds}; true'")}))]
        },
        is_at_work: |_, seconds| sleeps(seconds),
    },
    Kind {
        name: "backoff",
        step: "tool: bash\n    with: {command: \"touch tried; false\"}\n    retry: {times: 3, backoff: 10m}",
        model: |_| Vec::new(),
        is_at_work: |desk, _| desk.root().join("tried").exists(),
    },
    Kind {
        name: "time_limit",
        step: "tool: bash\n    with: {command: \"sh -c 'sleep SECONDS; true'\"}\n    timeout: 1h",
        model: |_| Vec::new(),
        is_at_work: |_, seconds| sleeps(seconds),
    },
];

impl Kind {
    /// A project in which the skill `waits` has one step of this kind between two others.
    fn desk(&self, seconds: u32) -> Desk {
        let skill = format!(
            "name: waits\ndescription: Waits.\nsteps:\n  - name: first\n    tool: bash\n    with: {{command: echo done}}\n  - name: wait\n    {}\n  - name: last\n    tool: bash\n    with: {{command: touch never}}\n    when: always\n  - action: evidence\n",
            self.step.replace("SECONDS", &seconds.to_string())
        );
        let desk = Desk::plain(&[&skill, FLAKY]).with_model((self.model)(seconds));
        fs::create_dir_all(desk.root().join(".fwai")).unwrap();
        let project = format!("name: p\nbuild:\n  command: sh -c 'sleep {seconds}; true'\n");
        fs::write(desk.root().join(".fwai/project.yaml"), project).unwrap();
        fs::write(desk.root().join("notes.txt"), "some notes\n").unwrap();
        desk
    }
}

#[test]
fn signals_in_each_kind_of_step_leave_evidence_that_verifies() {
    const SECONDS: u32 = 86411;
    for (number, kind) in KINDS.iter().enumerate() {
        let signal = if number % 2 == 0 { "-INT" } else { "-TERM" };
        let desk = kind.desk(SECONDS);
        let child = desk.start(&["run", "waits", "--ci", "--json"]);
        until(kind.name, || (kind.is_at_work)(&desk, SECONDS));
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", kind.name);
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&object["status"], &object["error"]["kind"]),
            (&json!("interrupted"), &json!("interrupted"))
        );
        let ended =
            [("first", "success"), ("wait", "interrupted"), ("last", "skipped"), ("evidence", "skipped")];
        assert_eq!(steps(&object), ended, "{}: {object}", kind.name);
        assert!(!sleeps(SECONDS), "{}", kind.name);
        let evidence = desk.evidence(&object);
        assert_eq!(
            (&evidence["status"], steps(&evidence)),
            (&json!("interrupted"), ended.to_vec()),
            "{}",
            kind.name
        );
        assert!(!desk.root().join("never").exists(), "{}", kind.name);
        desk.verifies();
    }
}

#[test]
fn the_watchdog_ends_each_kind_of_step() {
    const SECONDS: u32 = 86412;
    for kind in KINDS {
        let desk = kind.desk(SECONDS);
        let (code, object, said) = desk.json(&["run", "waits", "--ci", "--watchdog", "5"]);
        assert_eq!(code, 124, "{}: {object}\n{said}", kind.name);
        assert_eq!(object["error"]["kind"], "watchdog", "{}", kind.name);
        assert_eq!(steps(&object)[1], ("wait", "interrupted"), "{}: {object}", kind.name);
        assert!(!sleeps(SECONDS), "{}", kind.name);
        desk.verifies();
    }
}

#[test]
fn a_kill_in_each_kind_of_step_is_told_by_the_next_run() {
    const SECONDS: u32 = 86413;
    for kind in KINDS {
        let desk = kind.desk(SECONDS);
        let mut child = desk.start(&["run", "waits", "--ci", "--json"]);
        until(kind.name, || (kind.is_at_work)(&desk, SECONDS));
        send(&child, "-KILL");
        child.wait().unwrap();
        assert_eq!(desk.json(&["run", "flaky"]).0, 0, "{}", kind.name);
        let runs_of = desk.root().join(".fwai/runs");
        let killed = file_names(&runs_of).into_iter().find(|name| name.ends_with("-waits")).unwrap();
        let text = fs::read_to_string(runs_of.join(killed).join("evidence.json")).unwrap();
        let evidence: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(evidence["status"], "interrupted", "{}", kind.name);
        assert_eq!(steps(&evidence), [("first", "success"), ("wait", "interrupted")], "{}", kind.name);
        desk.verifies();
        until("the end of what it started", || !sleeps(SECONDS));
    }
}

/// Watching a real console is a step, too.
#[test]
fn watching_the_console_can_be_ended() {
    let desk = Desk::firmware();
    desk.skill(
        "name: listens\ndescription: Listens.\nsteps:\n  - {name: build, tool: build}\n  - {name: flash, tool: flash}\n  - name: listen\n    tool: read_console\n    with: {until: never said, seconds: 600}\n",
    );
    let child = desk.start(&["run", "listens", "--ci", "--json"]);
    let monitors = || {
        let runs = desk.root().join(".fwai/runs");
        runs.exists() && file_names(&runs).iter().any(|name| name.ends_with("-monitor"))
    };
    until("the console", monitors);
    send(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        steps(&object),
        [("build", "success"), ("flash", "success"), ("listen", "interrupted")],
        "{object}"
    );
    desk.verifies();
}
