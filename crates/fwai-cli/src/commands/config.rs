//! `fwai config`: what is set, where it was set, and setting it.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{pad, say, width},
};
use clap::Subcommand;
use fwai_app::config::{self, ConfigError, FileError};
use fwai_schema::{
    document::{Document, Problem, Severity, edit, lookup, nearest},
    families::{self, FAMILIES, Family},
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Show, check and change the configuration
///
/// Layers, lowest first: built-in, user, project, environment (FWAI_*), flags.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai config show --origin\n  fwai config get provider.model\n  fwai config set provider.name ollama\n  fwai config set --user ui.language zh-TW\n  fwai config validate .fwai/project.yaml"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the whole configuration as it holds here
    Show {
        /// Say which layer each value came from
        #[arg(long)]
        origin: bool,
    },
    /// Print one value
    Get {
        /// Dotted key, for instance provider.model
        key: String,
    },
    /// Set one value; comments and order of the file stay
    Set {
        /// Dotted key, for instance provider.model
        key: String,
        /// Its value, as YAML has it
        value: String,
        /// In your own configuration instead of the project's
        #[arg(long)]
        user: bool,
    },
    /// Check configuration files; without names, all that apply here
    Validate {
        /// Files to check
        files: Vec<PathBuf>,
    },
    /// Print where the configuration files lie
    Path,
    /// Print the JSON Schema of a kind of file; without a name, list the kinds
    Schema {
        /// Kind of file, for instance config
        family: Option<String>,
    },
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::Show { origin } => show(context, origin),
        Command::Get { key } => get(context, &key),
        Command::Set { key, value, user } => set(context, &key, &value, user),
        Command::Validate { files } => validate(context, files),
        Command::Path => path(context),
        Command::Schema { family } => schema(context, family.as_deref()),
    }
}

fn show(context: &Context, origin: bool) -> Result<(), Failure> {
    let layered = context.config()?;
    if context.json() {
        let mut object = json!({"config": layered.tree});
        if origin {
            object["origins"] = json!(layered.origins);
        }
        context.print_json(&object);
        return Ok(());
    }
    let mut lines = Vec::new();
    flatten(&layered.tree, &mut String::new(), &mut |key, value| {
        let from = layered.origin(key);
        let place = from.place.map(|place| format!(" {place}")).unwrap_or_default();
        lines.push((format!("{key}: {}", edit::render(value)), format!("{}{place}", from.layer.name())));
    });
    let columns = lines.iter().map(|(text, _)| width(text)).max().unwrap_or(0).min(60);
    let dim = anstyle::Style::new().dimmed();
    for (text, from) in lines {
        context.print(if origin { format!("{}  {dim}# {from}{dim:#}", pad(&text, columns)) } else { text });
    }
    Ok(())
}

fn flatten(value: &Value, path: &mut String, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, below) in map {
                let before = path.len();
                if before > 0 {
                    path.push('.');
                }
                path.push_str(key);
                flatten(below, path, visit);
                path.truncate(before);
            }
        }
        _ => visit(path, value),
    }
}

fn get(context: &Context, key: &str) -> Result<(), Failure> {
    let layered = context.config()?;
    let Some(value) = lookup(&layered.tree, key) else {
        // A known key without a value is empty; an unknown key is a mistake.
        let family = families::by_name("config").expect("the list has it");
        return match fwai_schema::document::parse_value("key", "", family, key) {
            Err(problem) if problem.message.starts_with("unknown key") => Err(Failure::usage(problem)),
            _ if context.json() => {
                context.print_json(&json!({"key": key, "value": null, "origin": layered.origin(key)}));
                Ok(())
            }
            _ => Err(Failure::new(Kind::Failed, format_args!("`{key}` is not set"))
                .hint(format_args!("fwai config set {key} VALUE"))),
        };
    };
    if context.json() {
        context.print_json(&json!({"key": key, "value": value, "origin": layered.origin(key)}));
    } else {
        context.print_code(match value {
            Value::String(text) => text.clone(),
            other => edit::render(other),
        });
    }
    Ok(())
}

fn set(context: &Context, key: &str, value: &str, user: bool) -> Result<(), Failure> {
    let file = if user { context.paths.user_config() } else { context.paths.project_config() };
    config::set(&context.paths, &file, key, value)?;
    let name = context.paths.display(&file);
    if context.json() {
        context.print_json(&json!({"key": key, "value": value, "file": name}));
    }
    context.note(say!("config-set", key = key, value = value, file = name));
    Ok(())
}

fn validate(context: &Context, files: Vec<PathBuf>) -> Result<(), Failure> {
    let named = !files.is_empty();
    let files = if named { files } else { every_file(context) };
    let mut problems = Vec::new();
    let mut checked = Vec::new();
    for file in files {
        match validate_file(context, &file, named) {
            Ok(Some(found)) => {
                problems.extend(found);
                checked.push(context.paths.display(&file));
            }
            Ok(None) => {}
            Err(ConfigError::Problems(found)) => {
                problems.extend(found);
                checked.push(context.paths.display(&file));
            }
            Err(other) => return Err(other.into()),
        }
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if context.json() {
        context.print_json(&json!({"ok": errors == 0, "files": checked, "problems": problems}));
    } else {
        for problem in &problems {
            match problem.severity {
                Severity::Warning => context.warn(problem),
                Severity::Error => crate::output::error_line(&problem.to_string()),
            }
        }
        context.print(say!(
            "config-checked",
            files = checked.len(),
            errors = errors,
            warnings = problems.len() - errors,
        ));
    }
    if errors > 0 { Err(Failure::told(Kind::Usage)) } else { Ok(()) }
}

/// The configuration that applies here: user, project, and the project's own definitions.
fn every_file(context: &Context) -> Vec<PathBuf> {
    let paths = &context.paths;
    let mut files =
        vec![paths.user_config(), paths.project_config(), paths.project_file(), paths.policy_file()];
    for folder in ["tools", "skills", "agents", "boards"] {
        let Ok(entries) = std::fs::read_dir(paths.fwai().join(folder)) else { continue };
        let mut found: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml"))
            .collect();
        found.sort();
        files.extend(found);
    }
    files
}

fn validate_file(context: &Context, file: &Path, named: bool) -> Result<Option<Vec<Problem>>, ConfigError> {
    let Some(family) = family_of(file) else {
        let path = context.paths.display(file);
        let source = std::io::Error::other("its name and folder do not say what kind of file it is");
        return Err(FileError::Unreadable { path, source }.into());
    };
    let variable = |name: &str| std::env::var(name).ok();
    let document = match matches!(family.name, "config" | "project") {
        true => config::load_document(file, &context.paths, family, &variable)?,
        false => match config::read_text(file, &context.paths)? {
            Some(text) => Some(
                Document::parse(&context.paths.display(file), &text)
                    .map_err(|p| ConfigError::Problems(vec![p]))?,
            ),
            None => None,
        },
    };
    match document {
        Some(document) => Ok(Some(document.check(family))),
        None if named => {
            let source = std::io::Error::from(std::io::ErrorKind::NotFound);
            Err(FileError::Unreadable { path: context.paths.display(file), source }.into())
        }
        None => Ok(None),
    }
}

fn family_of(file: &Path) -> Option<&'static Family> {
    let stem = file.file_stem()?.to_str()?;
    let folder = file.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("");
    families::by_name(folder.strip_suffix('s').unwrap_or("")).or_else(|| families::by_name(stem))
}

fn path(context: &Context) -> Result<(), Failure> {
    let files: Vec<_> = config::files(&context.paths).into_iter().collect();
    if context.json() {
        let list: Vec<_> = files
            .iter()
            .map(|(layer, path)| json!({"layer": layer, "path": path, "exists": path.exists()}))
            .collect();
        context.print_json(
            &json!({"files": list, "project": context.paths.project, "user": context.paths.user}),
        );
    } else {
        for (layer, path) in files {
            let state = if path.exists() { String::new() } else { format!("  {}", say!("config-absent")) };
            context.print(format_args!("{:8} {}{state}", layer.name(), path.display()));
        }
    }
    Ok(())
}

fn schema(context: &Context, family: Option<&str>) -> Result<(), Failure> {
    match family {
        Some(name) => match families::by_name(name) {
            Some(family) => {
                crate::output::line(&serde_json::to_string_pretty(&family.schema()).expect("plain data"));
                Ok(())
            }
            None => {
                let names = FAMILIES.iter().map(|family| family.name);
                let guess = nearest(name, names.clone())
                    .map(|g| format!("; did you mean `{g}`?"))
                    .unwrap_or_default();
                Err(Failure::usage(format_args!("no schema is called `{name}`{guess}"))
                    .hint(format_args!("one of {}", names.collect::<Vec<_>>().join(", "))))
            }
        },
        None if context.json() => {
            let list: Vec<_> =
                FAMILIES.iter().map(|f| json!({"name": f.name, "where": f.where_found})).collect();
            context.print_json(&json!({"schemas": list}));
            Ok(())
        }
        None => {
            for family in FAMILIES {
                context.print(format_args!("{:12} {}", family.name, family.where_found));
            }
            Ok(())
        }
    }
}
