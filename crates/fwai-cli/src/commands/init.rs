//! `fwai init`: reads what the project already says, asks for the rest, and writes `.fwai`.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
};
use fwai_app::workspace::{self, Kept, NewProject, WorkspaceError, Written, project_values};
use fwai_firmware::{
    detect::{Detection, Limits, detect},
    template::{self, TEMPLATES, Template},
};
use fwai_schema::document::nearest;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Set up this project, or make a new one
///
/// Reads build system, chip, board, clock, memory map, commands and serial settings from the project's own
/// files, asks for what they do not say, and writes .fwai/. Run again, it updates what it wrote and keeps
/// what you wrote.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai init                                    set up the project in this directory\n  fwai init --yes                              take the best guess for what is missing\n  fwai init --template bare-metal my-firmware  make a new project that boots on a virtual board"
)]
pub struct Args {
    /// Directory of the project; the current one where absent
    dir: Option<PathBuf>,
    /// Make a new project: bare-metal, freertos or arduino
    #[arg(long, value_name = "TEMPLATE", value_parser = template_name)]
    template: Option<&'static str>,
    /// Name of a new project; that of its directory where absent
    #[arg(long, requires = "template")]
    name: Option<String>,
    /// Say what the files do not: mcu=STM32F401CCU6, flash_command='make flash'; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = answer, conflicts_with = "template")]
    answer: Vec<(String, String)>,
}

fn answer(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    let (key, value) = (key.trim(), value.trim());
    if !workspace::answer_keys().any(|known| known == key) {
        let near = nearest(key, workspace::answer_keys()).map(|near| format!("did you mean {near}?"));
        let all = || workspace::answer_keys().collect::<Vec<_>>().join(", ");
        return Err(near.unwrap_or_else(|| format!("choose one of {}", all())));
    }
    if value.is_empty() || value.contains(['\n', '\r', '\0']) {
        return Err(format!("{key} needs a value of one line"));
    }
    Ok((key.to_owned(), value.to_owned()))
}

fn template_name(text: &str) -> Result<&'static str, String> {
    let names = || TEMPLATES.iter().map(|template| template.name).collect::<Vec<_>>().join(", ");
    template::by_name(text).map(|template| template.name).ok_or_else(|| format!("choose one of {}", names()))
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    // Not the repository's root: a project is set up where its owner stands.
    let start = context.flags.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let root = args.dir.as_ref().map_or(start.clone(), |dir| start.join(dir));
    match args.template.and_then(template::by_name) {
        Some(template) => make(context, template, args.name.as_deref(), &root),
        None => set_up(context, &root, args.answer),
    }
}

fn make(context: &Context, template: &Template, name: Option<&str>, root: &Path) -> Result<(), Failure> {
    let absolute = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = match name {
        Some(name) => name.to_owned(),
        None => absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    let made = workspace::new_project(template, &name, &absolute).map_err(failure)?;
    let NewProject { root, detection, written } = made;
    report(context, &detection, &Written { written, kept: Vec::new() }, &root, Some(template));
    Ok(())
}

fn set_up(context: &Context, root: &Path, given: Vec<(String, String)>) -> Result<(), Failure> {
    let detection = detect(root, Limits::default()).map_err(Failure::usage)?;
    let answers = ask_for_missing(context, root, &detection, given)?;
    let written = workspace::write(root, &project_values(&detection, &answers, None)).map_err(failure)?;
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    report(context, &detection, &written, &root, None);
    Ok(())
}

/// What only a person can know.
const QUESTIONS: &[&str] = &["mcu", "board", "build_command", "flash_command", "serial_port"];

/// The words of a question.
fn question(key: &str) -> String {
    match key {
        "mcu" => say!("init-ask-mcu"),
        "board" => say!("init-ask-board"),
        "build_command" => say!("init-ask-build"),
        "flash_command" => say!("init-ask-flash"),
        _ => say!("init-ask-port"),
    }
}

/// Without these a project cannot be worked on.
const NEEDED: &[&str] = &["mcu", "build_command"];

fn ask_for_missing(
    context: &Context,
    root: &Path,
    detection: &Detection,
    given: Vec<(String, String)>,
) -> Result<Vec<(String, String)>, Failure> {
    if context.flags.yes {
        return Ok(given);
    }
    let mut missing = still_open(root, detection);
    missing.retain(|key| !given.iter().any(|(answered, _)| answered == key));
    if !context.is_interactive() {
        let needed: Vec<&str> = missing.iter().copied().filter(|key| NEEDED.contains(key)).collect();
        if needed.is_empty() {
            return Ok(given);
        }
        let message = format!("the project's files do not say: {}", needed.join(", "));
        return Err(Failure::new(Kind::NeedsPerson, message)
            .hint("run `fwai init` in a terminal, or `fwai init --yes` to leave it open"));
    }
    if !missing.is_empty() {
        context.note(say!("init-questions"));
    }
    let mut answers = given;
    for key in missing {
        let guess = detection.guesses.iter().find(|guess| guess.key == key);
        let hint = guess.map(|guess| format!(" [{}]", guess.value)).unwrap_or_default();
        let answer = context.ask(&format!("{}{hint} ", question(key)))?;
        let answer = if answer.trim().is_empty() {
            guess.map(|guess| guess.value.clone()).unwrap_or_default()
        } else {
            answer
        };
        if !answer.trim().is_empty() {
            answers.push((key.to_owned(), answer.trim().to_owned()));
        }
    }
    Ok(answers)
}

/// Questions that neither the project's files nor `.fwai/project.yaml` answer.
fn still_open(root: &Path, detection: &Detection) -> Vec<&'static str> {
    let known = stated_before(root);
    QUESTIONS.iter().copied().filter(|key| detection.get(key).is_none() && !known.contains(key)).collect()
}

/// The same for a project that was not looked at yet.
pub fn open_questions(context: &Context) -> Result<Vec<&'static str>, Failure> {
    let root = context.flags.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let detection = detect(&root, Limits::default()).map_err(Failure::usage)?;
    Ok(still_open(&root, &detection))
}

/// Keys of questions that `.fwai/project.yaml` already answers.
fn stated_before(root: &Path) -> Vec<&'static str> {
    let paths = fwai_app::paths::Paths { user: root.to_owned(), project: root.to_owned() };
    let Ok(Some((project, _))) = fwai_app::config::load_project(&paths) else { return Vec::new() };
    let answered = [
        ("mcu", project.target.mcu.is_some()),
        ("board", project.target.board.is_some()),
        ("build_command", project.build.command.is_some()),
        ("flash_command", project.flash.command.is_some()),
        ("serial_port", project.serial.port.is_some()),
    ];
    answered.into_iter().filter(|(_, there)| *there).map(|(key, _)| key).collect()
}

/// The object of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    root: &'a Path,
    template: Option<&'a str>,
    #[serde(flatten)]
    detection: &'a Detection,
    #[serde(flatten)]
    written: &'a Written,
    needs: Option<&'a str>,
    /// What a person can still say; `missing` is what the files do not.
    open: Vec<&'static str>,
}

fn report(
    context: &Context,
    detection: &Detection,
    written: &Written,
    root: &Path,
    template: Option<&Template>,
) {
    if context.json() {
        context.print_json(&Report {
            root,
            template: template.map(|template| template.name),
            detection,
            written,
            needs: template.map(|template| template.needs).filter(|needs| !needs.is_empty()),
            open: still_open(root, detection),
        });
    }
    for warning in &detection.warnings {
        context.warn(warning);
    }
    findings(context, detection);
    for Kept { key, yours, found } in &written.kept {
        context.print(say!("init-kept", key = key, yours = yours, found = found));
    }
    if written.written.is_empty() {
        context.print(say!("init-up-to-date"));
    } else {
        context.print(say!("init-wrote", files = short_list(&written.written), directory = root.display()));
    }
    if let Some(template) = template.filter(|template| !template.needs.is_empty()) {
        context.print(say!("init-needs", needs = template.needs));
    }
    if !detection.documents.is_empty() {
        context.print(say!("init-documents"));
        for document in &detection.documents {
            context.print(format!("  - {}", understood(document)));
        }
    }
    context.print(context.spoken(&match template {
        Some(_) => say!("init-next-there", directory = root.display()),
        None if detection.get("build_command").is_some() => say!("init-next"),
        None => say!("init-next-command"),
    }));
}

/// What was found and where, the guesses marked as such.
fn findings(context: &Context, detection: &Detection) {
    let dim = anstyle::Style::new().dimmed();
    if detection.findings.is_empty() {
        context.print(say!("init-nothing"));
    }
    for finding in &detection.findings {
        let place = match (&finding.file, finding.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => String::new(),
        };
        let sure = (finding.confidence * 100.0).round();
        context.print(format!("{:18} {}  {dim}{place} ({sure} %){dim:#}", finding.key, finding.value));
    }
    for guess in &detection.guesses {
        context.print(format!(
            "{:18} {}  {dim}{}{dim:#}",
            guess.key,
            guess.value,
            say!("init-guessed", why = understood(&guess.why))
        ));
    }
    for other in &detection.alternatives {
        let place = other.file.as_deref().unwrap_or_default();
        let line = other.line.unwrap_or_default();
        let place = format!("{place}:{line}");
        let words = say!("init-not-taken", key = other.key, value = other.value, place = place);
        context.print(format!("{dim}{words}{dim:#}"));
    }
}

fn short_list(paths: &[String]) -> String {
    match paths {
        few if few.len() <= 4 => few.join(", "),
        many => say!("and-more", list = many[..3].join(", "), count = many.len() - 3),
    }
}

fn failure(error: WorkspaceError) -> Failure {
    Failure::usage(error)
}
