//! What surrounds a session, through the real binary: hooks of its start and end, the organisation's policy
//! behind an address, the change budget, protected globs, and undo over what a shell did.

use fwai_testkit::{bench::Bench, model_server::Turn};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

fn bench(turns: Vec<Turn>) -> Bench {
    Bench::new(turns).file("src/main.c", "int main(void) { return 0; }\n")
}

/// The results of the calls of one turn: whether each succeeded, and its text.
fn results(bench: &Bench) -> Vec<(bool, String)> {
    let said = bench.run(&["exec", "--json", "--mode", "auto", "go"]);
    let ends = said.events().into_iter().filter(|event| event["type"] == "tool_call_end");
    let ends: Vec<_> = ends
        .map(|event| {
            (event["success"] == true, event["content"][0]["text"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    assert!(!ends.is_empty(), "{}\n{}", said.out, said.err);
    ends
}

fn bash(command: &str) -> Turn {
    Turn::tool("bash", json!({"command": command}))
}

#[test]
fn hooks_run_at_the_start_and_the_end_of_a_session() {
    let bench = bench(vec![Turn::text("done")]);
    let heard = bench.directory.path().join("heard");
    bench.user_config(&format!(
        "hooks:\n  - on: session_start\n    command: \"tee -a {0} >/dev/null; echo '{{\\\"context\\\": \\\"the bench is number seven\\\"}}'\"\n  - on: session_end\n    command: \"tee -a {0} >/dev/null\"\n",
        heard.display()
    ));
    bench.run(&["exec", "hello"]).succeeded();
    let asked = bench.server.requests()[0].body.to_string();
    assert!(asked.contains("the bench is number seven"), "the model reads what the hook said");
    let heard = fs::read_to_string(heard).unwrap();
    let events: Vec<Value> =
        serde_json::Deserializer::from_str(&heard).into_iter().map(Result::unwrap).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["session_start", "session_end"]);
    assert_eq!(events[0]["session"], events[1]["session"]);
}

#[test]
fn a_hook_can_refuse_a_session_and_a_slow_one_only_warns() {
    let bench = bench(vec![Turn::text("done")]);
    bench.user_config("hooks:\n  - on: session_start\n    command: \"echo after hours >&2; exit 2\"\n");
    let said = bench.run(&["exec", "hello"]);
    assert_eq!(said.code, Some(3), "denied by a rule of the user's");
    assert!(said.err.contains("after hours"));
    assert!(bench.server.requests().is_empty(), "no model was asked");
    bench.user_config("hooks:\n  - on: session_start\n    command: sleep 30\n    timeout_s: 1\n");
    bench.run(&["exec", "hello"]).succeeded();
}

#[test]
fn a_projects_own_hooks_wait_for_trust() {
    let bench = bench(vec![Turn::text("one"), Turn::text("two")]);
    let mark = bench.directory.path().join("mark");
    bench.put(
        ".fwai/config.yaml",
        &format!("hooks:\n  - on: session_end\n    command: touch {}\n", mark.display()),
    );
    bench.run(&["exec", "hello"]).succeeded();
    assert!(!mark.exists(), "nobody trusted this project");
    bench.run(&["trust", "--yes"]).succeeded();
    bench.run(&["exec", "hello"]).succeeded();
    assert!(mark.exists());
}

#[test]
fn the_repl_fires_them_too() {
    let bench = bench(vec![Turn::text("hello")]);
    let heard = bench.directory.path().join("heard");
    bench.user_config(&format!(
        "hooks:\n  - on: session_start\n    command: \"echo start >> {0}\"\n  - on: session_end\n    command: \"echo end >> {0}\"\n",
        heard.display()
    ));
    bench.run_with(&[], "hi there\n/quit\n").succeeded();
    assert_eq!(fs::read_to_string(heard).unwrap(), "start\nend\n");
}

/// A skill is a session of its own: one start and one end, however many steps it has, and a start that says no
/// leaves nothing behind.
#[test]
fn a_skill_on_the_command_line_fires_them_too() {
    let skill = "name: two\ndescription: Two steps.\nsteps:\n  - tool: bash\n    with: {command: echo one >> steps}\n  - tool: bash\n    with: {command: echo two >> steps}\n";
    let bench = bench(Vec::new()).file(".fwai/skills/two.yaml", skill);
    bench.run(&["trust", "--yes"]).succeeded();
    let heard = bench.directory.path().join("heard");
    bench.user_config(&format!(
        "hooks:\n  - on: session_start\n    command: \"tee -a {0} >/dev/null\"\n  - on: before_tool\n    tool: bash\n    command: \"tee -a {0} >/dev/null\"\n  - on: session_end\n    command: \"tee -a {0} >/dev/null\"\n",
        heard.display()
    ));
    let summary = bench.json(&["run", "two", "--ci"]);
    assert_eq!(summary["status"], "success", "{summary}");
    let text = fs::read_to_string(&heard).unwrap();
    let events: Vec<Value> =
        serde_json::Deserializer::from_str(&text).into_iter().map(Result::unwrap).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap_or("tool")).collect();
    assert_eq!(
        (names[0], *names.last().unwrap(), names.len()),
        ("session_start", "session_end", 4),
        "{names:?}"
    );
    assert!(events.iter().all(|event| event["session"] == events[0]["session"]), "{text}");
    fs::remove_file(bench.project().join("steps")).unwrap();
    bench.user_config("hooks:\n  - on: session_start\n    command: \"echo after hours >&2; exit 2\"\n");
    let said = bench.run(&["run", "two", "--ci", "--json"]);
    assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
    assert!(said.err.contains("after hours"), "{}", said.err);
    assert!(!bench.project().join("steps").exists(), "no step ran");
}

/// A server for one text over plain HTTP, which can be changed and made to fail.
struct PolicyServer {
    address: String,
    text: Arc<Mutex<String>>,
    broken: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl PolicyServer {
    fn start(text: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: format!("http://{}/policy.yaml", listener.local_addr().unwrap()),
            text: Arc::new(Mutex::new(text.to_owned())),
            broken: Arc::default(),
            asked: Arc::default(),
        };
        let (text, broken, asked) = (server.text.clone(), server.broken.clone(), server.asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                asked.fetch_add(1, Ordering::SeqCst);
                let _ = answer(stream, &text.lock().unwrap().clone(), broken.load(Ordering::SeqCst));
            }
        });
        server
    }
}

fn answer(mut stream: TcpStream, text: &str, broken: bool) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 1024];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        request.extend_from_slice(&buffer[..count]);
    }
    let status = if broken { "500 Broken" } else { "200 OK" };
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}", text.len())
}

#[test]
fn an_organisations_policy_behind_an_address_tightens_and_outlives_its_server() {
    let bench = bench(vec![]);
    let server = PolicyServer::start("blocked_tools: [write_file]\nprotected_paths: [src/**]\n");
    bench.user_config(&format!("org_policy:\n  source: {}\n  required: true\n", server.address));
    let check = |line: &str| -> Value {
        let said = bench.run(&["policy", "check", "--json", line]);
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err))
    };
    assert_eq!(check("rm src/main.c")["verdict"], "deny");
    assert_eq!(server.asked.load(Ordering::SeqCst), 1);
    assert_eq!(check("rm src/main.c")["verdict"], "deny");
    assert_eq!(server.asked.load(Ordering::SeqCst), 1, "a fresh copy is not asked for again");
    // Grown old, and the server fails: the last copy holds.
    let kept: Vec<PathBuf> = fs::read_dir(bench.directory.path().join("user/org-policy"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let about = kept.iter().find(|path| path.extension().unwrap() == "json").unwrap();
    let mut record: Value = serde_json::from_str(&fs::read_to_string(about).unwrap()).unwrap();
    assert_eq!(record["sha256"].as_str().unwrap().len(), 64);
    record["fetched"] = json!(1);
    fs::write(about, record.to_string()).unwrap();
    server.broken.store(true, Ordering::SeqCst);
    assert_eq!(check("rm src/main.c")["verdict"], "deny");
    // A page that is no policy does not loosen anything either.
    server.broken.store(false, Ordering::SeqCst);
    *server.text.lock().unwrap() = "<html>please log in</html>".into();
    assert_eq!(check("rm src/main.c")["verdict"], "deny");
    // A new policy takes its place.
    *server.text.lock().unwrap() = "protected_paths: [docs/**]\n".into();
    assert_ne!(check("rm src/main.c")["verdict"], "deny");
    // The walls know it, too.
    fs::create_dir(bench.project().join("docs")).unwrap();
    fs::write(bench.project().join("docs/a"), "a").unwrap();
    assert_ne!(bench.run(&["sandbox", "--", "sh", "-c", "echo b > docs/a"]).code, Some(0));
    assert_eq!(fs::read_to_string(bench.project().join("docs/a")).unwrap(), "a");
}

#[test]
fn an_organisations_policy_that_was_never_read_refuses_everything() {
    let bench = bench(vec![Turn::text("never")]);
    for (source, expected) in [
        ("http://127.0.0.1:9/policy.yaml", "go online once"),
        ("http://policy.example/policy.yaml", "only https"),
    ] {
        bench.user_config(&format!("org_policy:\n  source: {source}\n"));
        for arguments in [&["exec", "hello"][..], &["sandbox", "--", "true"], &["policy", "check", "ls"]] {
            let said = bench.run(arguments);
            assert_ne!(said.code, Some(0), "{source} {arguments:?}");
            assert!(said.err.contains(expected), "{source} {arguments:?}: {}", said.err);
        }
    }
    assert!(bench.server.requests().is_empty());
}

#[test]
fn a_change_beyond_the_budget_is_taken_back() {
    let bench = bench(vec![
        bash("for n in 1 2 3 4 5; do echo $n > src/file$n.c; done; rm src/main.c"),
        bash("echo small > src/one.c"),
        Turn::text("done"),
    ]);
    bench.user_config("policy:\n  max_files_changed: 3\n");
    let results = results(&bench);
    assert!(!results[0].0 && results[0].1.contains("max_files_changed"), "{}", results[0].1);
    assert!(bench.project().join("src/main.c").exists() && !bench.project().join("src/file1.c").exists());
    assert!(results[1].0, "what is within the budget stays: {}", results[1].1);
    assert!(bench.project().join("src/one.c").exists());
}

#[test]
fn the_budget_cannot_be_hidden_from() {
    let bench = bench(vec![
        bash("printf 'gen*\\n' >> .gitignore; for n in 1 2 3 4 5; do echo $n > src/gen$n.c; done"),
        bash("mkdir cache && echo '*' > cache/.gitignore && for n in 1 2 3 4; do echo $n > cache/$n; done"),
        bash(
            "mv src moved && mkdir src && cp moved/main.c src/a.c && cp moved/main.c src/b.c && chmod +x src/a.c",
        ),
        Turn::text("done"),
    ]);
    bench.user_config("policy:\n  max_files_changed: 3\n");
    let results = results(&bench);
    for (done, said) in &results[..3] {
        assert!(!done && said.contains("max_files_changed"), "{said}");
    }
    for made in ["src/gen1.c", "cache/1", "moved/main.c"] {
        assert!(!bench.project().join(made).exists(), "{made}");
    }
}

#[test]
fn a_protected_glob_holds_for_files_that_appear() {
    let bench = bench(vec![bash("echo key > src/new.pem"), Turn::text("done")]);
    bench.user_config("policy:\n  protected_paths: ['**/*.pem']\n");
    let results = results(&bench);
    assert!(!results[0].0 && results[0].1.contains("new.pem"), "{}", results[0].1);
    assert!(!bench.project().join("src/new.pem").exists());
    // Built at run time, so that nothing can be read off the command line.
    let said = bench.run(&["sandbox", "--", "sh", "-c", "n=pe; echo key > src/other.${n}m"]);
    assert_eq!(said.code, Some(3), "{}", said.err);
    assert!(!bench.project().join("src/other.pem").exists());
}

#[test]
fn undo_goes_back_over_shell_jobs_and_commands_that_only_read() {
    let bench = bench(vec![
        bash("cat src/main.c"),
        bash("printf 'a\\n' > src/a.c && rm src/main.c"),
        bash("ls src"),
        Turn::tool("bash", json!({"command": "printf 'job\\n' > src/job.c; sleep 60", "background": true})),
        Turn::tool(
            "bash",
            json!({"command": "while ! test -e src/job.c; do sleep 0.05; done; cat src/job.c"}),
        ),
        bash("printf 'b\\n' > src/b.c"),
        Turn::text("done"),
    ]);
    let results = results(&bench);
    assert!(results.iter().all(|(success, _)| *success), "{results:?}");
    assert!(results[0].1.contains("int main") && results[2].1.contains("a.c"));
    let source = |name: &str| bench.project().join("src").join(name);
    assert!(source("job.c").exists() && source("b.c").exists());
    bench.run(&["undo"]).succeeded();
    assert!(!source("b.c").exists() && source("job.c").exists());
    bench.run(&["undo", "--to", "1"]).succeeded();
    assert!(source("main.c").exists() && !source("a.c").exists() && !source("job.c").exists());
}
