//! The commands of the guide, as they are printed, with the real program, compiler, QEMU, Python and openssl. A
//! section's commands run in their order, in the project that the quick start makes; only the model is scripted.

use fwai_testkit::model_server::{ModelServer, Turn};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// What no test can carry out, by how its line begins, and why.
const NOT_HERE: &[(&str, &str)] = &[
    ("cargo ", "builds the program itself"),
    ("sudo ", "changes the machine"),
    ("ollama ", "is another program"),
    ("export ANTHROPIC_API_KEY=", "is no key"),
    ("cd my-real-firmware", "is the reader's own project"),
    ("cd my-firmware", "is where every section runs"),
    ("fwai init --template", "is done before every page"),
    ("fwai undo", "has nothing to take back where a scripted model changed nothing"),
    ("fwai sandbox -- make", "needs the reader's own Makefile"),
    ("fwai sandbox --allow-network", "needs a network"),
    ("make 2>&1 |", "needs the reader's own Makefile"),
    ("fwai provider use ollama", "would change the model for the lines after it"),
    ("fwai exec --provider openai", "names a server of the reader's"),
    ("fwai flash --board nucleo", "needs that board"),
    ("fwai debug --board nucleo", "needs that board"),
    ("fwai config get provider.model", "is set by nobody here"),
    ("fwai trust", "asks a person"),
];

/// A reader with a home of their own, in the project of the quick start.
struct Reader {
    folder: tempfile::TempDir,
    server: ModelServer,
}

impl Reader {
    fn new() -> Self {
        let place = json!({"file": "src/uart.c", "line": 1}).to_string();
        let server = ModelServer::answering(move |_| Turn::text(place.clone()));
        let reader = Self { folder: tempfile::tempdir().unwrap(), server };
        let set_up = "fwai init --quiet --yes --template bare-metal my-firmware && cd my-firmware && git init -q . && git add -A \
                      && git -c user.name=t -c user.email=t@example.com commit -qm start && git branch -q origin/main";
        let output = reader.shell(reader.folder.path(), set_up);
        assert!(output.status.success(), "{}", told(&output));
        let schema = r#"{"type": "object", "required": ["file", "line"]}"#;
        fs::write(reader.project().join("place.json"), schema).unwrap();
        reader
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("my-firmware")
    }

    fn shell(&self, place: &Path, script: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_fwai")).parent().unwrap();
        let path = format!("{}:{}:{}", program.display(), python().display(), std::env::var("PATH").unwrap());
        Command::new("sh")
            .args(["-euc", script])
            .current_dir(place)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("FWAI_HOME", self.folder.path().join("home"))
            .env("FWAI_PROVIDER", "anthropic")
            .env("FWAI_BASE_URL", self.server.url())
            .env("ANTHROPIC_API_KEY", concat!("sk-", "ant-test-0123456789abcdefghij"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.shell(&self.project(), "fwai board power off");
    }
}

/// Where `cargo xtask setup` puts a Python with the packages of the guide.
fn python() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("FWAI_DEV_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|place| place.join("fwai-dev")))
        .unwrap_or_else(|| std::env::home_dir().unwrap().join(".cache/fwai-dev"));
    cache.join("venv/bin")
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a section says: files to write, and commands to run, in their order.
#[derive(Default)]
struct Section {
    files: Vec<(String, String)>,
    commands: Vec<String>,
}

fn sections(page: &str) -> Vec<Section> {
    let mut found = vec![Section::default()];
    let mut block: Option<(&str, String)> = None;
    for line in page.lines() {
        let section = found.last_mut().unwrap();
        match &mut block {
            Some(_) if line.starts_with("```") => {
                let (language, text) = block.take().unwrap();
                match (language, text.lines().next().and_then(|first| first.strip_prefix("# "))) {
                    ("yaml", Some(name)) if name.starts_with(".fwai/") => {
                        section.files.push((name.to_owned(), text))
                    }
                    ("sh", _) => section.commands.extend(text.lines().map(str::to_owned)),
                    _ => {}
                }
            }
            Some((_, text)) => text.push_str(&format!("{line}\n")),
            None if line.starts_with("```") => block = Some((line.trim_start_matches('`'), String::new())),
            None if line.starts_with("## ") => found.push(Section::default()),
            None => {}
        }
    }
    found
}

fn check(pages: &[&str], at_least: usize) {
    let mut ran = 0;
    for page in pages {
        let reader = Reader::new();
        // What the pages after the quick start speak of is there.
        if !page.ends_with("quick-start.md") {
            let before = reader.shell(
                &reader.project(),
                "fwai build -q && fwai flash -q && fwai monitor -q --until 'boot ok' --for 20s",
            );
            assert!(before.status.success(), "{}", told(&before));
        }
        for section in sections(&fs::read_to_string(root().join(page)).unwrap()) {
            for (name, text) in &section.files {
                let file = reader.project().join(name);
                // A page's own configuration is checked elsewhere; here it would name servers that are not there.
                if name.contains("/tools/") || name.contains("/agents/") || name.contains("/skills/") {
                    fs::create_dir_all(file.parent().unwrap()).unwrap();
                    fs::write(file, text).unwrap();
                }
            }
            let here = |line: &&String| {
                let line = line.trim();
                !line.is_empty()
                    && !line.starts_with('#')
                    && !NOT_HERE.iter().any(|(start, _)| line.starts_with(start))
            };
            let lines: Vec<&str> = section.commands.iter().filter(here).map(|line| line.as_str()).collect();
            // One shell for the section, so that `cd` and files last; each line says that it came to its end.
            let script: String =
                lines.iter().map(|line| format!("{line}\necho \"<<done>>\" >&2\n")).collect();
            let output = reader.shell(&reader.project(), &script);
            let said = told(&output);
            let done = said.matches("<<done>>").count();
            assert!(
                output.status.success() && done == lines.len(),
                "{page}: `{}` ended with {:?}:\n{said}",
                lines.get(done).unwrap_or(&"the end"),
                output.status.code()
            );
            ran += done;
        }
    }
    assert!(ran >= at_least, "only {ran} commands were found");
}

#[test]
fn the_first_pages_work_as_printed() {
    check(&["docs/quick-start.md", "docs/conversation.md", "README.md"], 18);
}

#[test]
fn the_pages_of_every_day_work_as_printed() {
    check(&["docs/evidence.md", "docs/permissions.md", "docs/boards.md"], 28);
}

#[test]
fn the_pages_for_scripts_and_models_work_as_printed() {
    let pages = [
        "docs/ci.md",
        "docs/headless.md",
        "docs/providers.md",
        "docs/configuration.md",
        "docs/writing-tools.md",
    ];
    check(&pages, 18);
}

#[test]
fn every_slash_command_is_on_the_page_of_the_conversation() {
    let reader = Reader::new();
    let output = reader.shell(&reader.project(), "echo /help | fwai");
    let help = told(&output);
    let page = fs::read_to_string(root().join("docs/conversation.md")).unwrap();
    let names: Vec<&str> =
        help.lines().filter_map(|line| line.strip_prefix("  /")?.split_whitespace().next()).collect();
    assert!(names.len() > 30, "{help}");
    for name in names {
        assert!(page.contains(&format!("`/{name}`")), "docs/conversation.md does not tell of /{name}");
    }
}
