//! Completion: commands after `/`, their words and values, files after `@`.

use super::{files, slash};
use crate::language::{self, say};
use fwai_app::{config, library, paths::Paths, provider::OFFERS, session_store::SessionStore, workspace};
use fwai_firmware::{boards::Catalogue, template::TEMPLATES};
use fwai_schema::{families, permission::Mode};
use reedline::{Completer, CompletionResult, Span, Suggestion};
use std::{any::TypeId, path::PathBuf};

const MOST: usize = 100;

/// Completes what stands before the cursor.
pub struct Words {
    paths: Paths,
}

/// A word, and what it means.
type Found = (String, String);

impl Words {
    pub fn new(paths: &Paths) -> Self {
        Self { paths: paths.clone() }
    }

    fn found(&self, before: &str, word: &str) -> Vec<Found> {
        if let Some(path) = word.strip_prefix('@') {
            return self.attachable(path.trim_start_matches('"'));
        }
        let Some(command) = before.strip_prefix('/') else { return Vec::new() };
        let words: Vec<&str> = command.split_whitespace().collect();
        let earlier = match before.ends_with(char::is_whitespace) {
            true => &words[..],
            false => &words[..words.len().saturating_sub(1)],
        };
        let found = match earlier {
            [] => slash::list().into_iter().map(|(name, help)| (format!("/{name}"), help)).collect(),
            ["help"] => slash::list(),
            ["mode"] => Mode::ALL.map(|mode| (mode.as_str().to_owned(), String::new())).into(),
            ["model"] => self.models(),
            ["agent"] => self.agents(),
            ["resume"] => self.sessions(),
            ["open"] => vec![("list".to_owned(), say!("repl-open-list"))],
            [name, rest @ ..] => self.of_program(name, rest, word),
        };
        let fits = |value: &str| value.trim_start_matches('"').starts_with(word.trim_start_matches('"'));
        found.into_iter().filter(|(value, _)| fits(value)).take(MOST).collect()
    }

    /// Files by the beginning of their path, else by any part of it.
    fn attachable(&self, typed: &str) -> Vec<Found> {
        let found = match files::beginning(&self.paths.project, typed) {
            nothing if nothing.is_empty() => files::having(&self.paths.project, typed),
            found => found,
        };
        found.into_iter().map(|path| (format!("@{}", quoted(path)), String::new())).collect()
    }

    /// Words of a command of the program, as its own definition says.
    fn of_program(&self, name: &str, earlier: &[&str], word: &str) -> Vec<Found> {
        let cli = language::command();
        let Some(mut command) = cli.find_subcommand(name) else { return Vec::new() };
        let mut values = 0;
        for part in earlier {
            match command.find_subcommand(part) {
                Some(inner) => {
                    command = inner;
                    values = 0;
                }
                None if !part.starts_with('-') => values += 1,
                None => {}
            }
        }
        let about =
            |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string).unwrap_or_default();
        if word.starts_with('-') {
            let flags = command.get_arguments().filter(|argument| !argument.is_hide_set());
            let long = |argument: &clap::Arg| {
                Some((format!("--{}", argument.get_long()?), about(argument.get_help())))
            };
            return flags.filter_map(long).collect();
        }
        let flag = earlier.last().and_then(|last| last.strip_prefix("--"));
        let wanted = match flag {
            Some(flag) => command
                .get_arguments()
                .find(|argument| argument.get_long() == Some(flag) && argument.get_action().takes_values()),
            None => None,
        };
        let place = wanted.or_else(|| {
            let places: Vec<&clap::Arg> = command.get_positionals().collect();
            places.get(values).or(places.last()).copied()
        });
        let mut found: Vec<Found> = match wanted {
            Some(_) => Vec::new(),
            None => command
                .get_subcommands()
                .filter(|inner| inner.get_name() != "help")
                .map(|inner| (inner.get_name().to_owned(), about(inner.get_about())))
                .collect(),
        };
        if let Some(argument) = place {
            found.extend(self.values_of(argument, name, earlier, word));
        }
        found
    }

    /// Values by what the argument is called.
    fn values_of(&self, argument: &clap::Arg, command: &str, earlier: &[&str], word: &str) -> Vec<Found> {
        let possible: Vec<Found> = argument
            .get_possible_values()
            .iter()
            .map(|value| {
                (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default())
            })
            .collect();
        if !possible.is_empty() {
            return possible;
        }
        match (command, argument.get_id().as_str()) {
            (_, "board") | ("board", "name") => self.boards(),
            (_, "session" | "sessions" | "resume") => self.sessions(),
            (_, "run" | "runs") | ("evidence", "old" | "new") => self.runs(),
            ("run", "skill") | (_, "skill") => {
                let skills = library::skills(&self.paths);
                skills.iter().map(|(name, skill)| (name.clone(), language::of_skill(skill))).collect()
            }
            (_, "model") => self.models(),
            ("provider", "name") => {
                OFFERS.iter().map(|offer| (offer.name.to_string(), String::new())).collect()
            }
            ("config", "key") => plain(config::keys()),
            ("config", "value") => {
                let known = earlier.iter().rev().map(|key| config::values(key));
                plain(known.into_iter().find(|found| !found.is_empty()).unwrap_or_default())
            }
            ("config", "family") => plain(families::FAMILIES.iter().map(|family| family.name.to_owned())),
            ("init", "template") => {
                TEMPLATES.iter().map(|one| (one.name.to_owned(), one.summary.to_owned())).collect()
            }
            ("init", "answer") => plain(workspace::answer_keys().map(|key| format!("{key}="))),
            (_, "lang") => plain(["en", "zh-TW", "zh-CN"].map(str::to_owned)),
            (_, "provider") => plain(OFFERS.iter().map(|offer| offer.name.to_string())),
            ("memory", "against") | ("policy", "path" | "cwd") => self.files(word),
            _ if argument.get_value_parser().type_id() == TypeId::of::<PathBuf>() => self.files(word),
            // Numbers, times, patterns and words of one's own are nothing that a list could hold.
            _ => Vec::new(),
        }
    }

    fn files(&self, word: &str) -> Vec<Found> {
        plain(files::beginning(&self.paths.project, word).into_iter().map(quoted))
    }

    fn boards(&self) -> Vec<Found> {
        let catalogue = Catalogue::load(&self.paths.project);
        catalogue
            .boards
            .iter()
            .map(|board| (board.name.clone(), language::understood(&board.title)))
            .collect()
    }

    fn models(&self) -> Vec<Found> {
        let named = OFFERS.iter().filter(|offer| !offer.default_model.is_empty());
        named.map(|offer| (format!("{}/{}", offer.name, offer.default_model), String::new())).collect()
    }

    fn agents(&self) -> Vec<Found> {
        let own = library::agents(&self.paths).into_iter().map(|agent| (agent.name, agent.description));
        std::iter::once(("explorer".to_owned(), say!("repl-explorer"))).chain(own).collect()
    }

    fn sessions(&self) -> Vec<Found> {
        let sessions = SessionStore::new(&self.paths.project).list().unwrap_or_default();
        let mine = sessions.into_iter().filter(|session| session.parent.is_none());
        let last = ("last".to_owned(), say!("repl-newest-session"));
        std::iter::once(last).chain(mine.map(|session| (session.id, session.title))).collect()
    }

    fn runs(&self) -> Vec<Found> {
        let runs = fwai_evidence::runs::list_runs(&self.paths.project).unwrap_or_default();
        runs.into_iter().map(|run| (run.run_id, run.skill)).collect()
    }
}

impl Completer for Words {
    fn complete(&mut self, line: &str, position: usize) -> CompletionResult {
        let before = line.get(..position).unwrap_or(line);
        let start = word_start(before);
        let found = self.found(before, &before[start..]);
        let suggestions: Vec<Suggestion> = found
            .into_iter()
            .map(|(value, what)| Suggestion {
                append_whitespace: !value.trim_end_matches('"').ends_with(['/', '=']),
                value,
                description: what.lines().next().filter(|what| !what.is_empty()).map(str::to_owned),
                span: Span::new(start, position),
                ..Suggestion::default()
            })
            .collect();
        CompletionResult::fresh(suggestions)
    }
}

/// Values that need no words about them.
fn plain(values: impl IntoIterator<Item = String>) -> Vec<Found> {
    values.into_iter().map(|value| (value, String::new())).collect()
}

/// A name with spaces, as a command line takes it.
fn quoted(path: String) -> String {
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
}

/// Where the word before the cursor begins; a name in quotes may hold spaces.
fn word_start(before: &str) -> usize {
    if let Some(at) = before.rfind("@\"").filter(|at| !before[at + 2..].contains('"')) {
        return at;
    }
    before
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("src")).unwrap();
        std::fs::write(directory.path().join("src/uart.c"), "").unwrap();
        std::fs::write(directory.path().join("src/my file.c"), "").unwrap();
        let mut words = Words::new(&Paths::find(directory.path()));
        let found = words.complete(line, line.len());
        let found: Vec<&str> = found.suggestions().iter().map(|found| found.value.as_str()).collect();
        for wanted in expected {
            assert!(found.contains(wanted), "{line:?} offers {found:?}, not {wanted}");
        }
        if expected.is_empty() {
            assert!(found.is_empty(), "{line:?} offers {found:?}");
        }
    }

    #[test]
    fn commands_their_words_and_values() {
        check("/bu", &["/build"]);
        check("/mode ", &["plan", "ask", "auto", "yolo"]);
        check("/evidence ", &["list", "show"]);
        check("/build --cl", &["--clean"]);
        check("/flash --board ", &["microbit"]);
        check("/board use ", &["microbit"]);
        check("/export --format ", &["html", "csv"]);
        check("/help bu", &["build"]);
        check("/provider use an", &["anthropic"]);
        check("/config set agent.mo", &["agent.mode"]);
        check("/config set agent.mode ", &["plan", "ask", "auto", "yolo"]);
        check("/config set --user ui.background li", &["light"]);
        check("/config schema proj", &["project"]);
        check("/init --template ", &["bare-metal", "freertos", "arduino"]);
        check("/init --answer mc", &["mcu="]);
        check("/memory sr", &["src/"]);
        check("/security scan sr", &["src/"]);
        check("/monitor --until ", &[]);
        check("/monitor --for ", &[]);
        check("/config set provider.model ", &[]);
        check("/agent ", &["explorer"]);
        check("look at @sr", &["@src/"]);
        check("look at @src/u", &["@src/uart.c"]);
        check("look at @uart", &["@src/uart.c"]);
        check("look at @src/my", &["@\"src/my file.c\""]);
        check("look at @\"src/my fi", &["@\"src/my file.c\""]);
        check("/plan look at @src/u", &["@src/uart.c"]);
        check("看\u{3000}@src/u", &["@src/uart.c"]);
        check("just words", &[]);
        check("/nothing ", &[]);
    }
}
