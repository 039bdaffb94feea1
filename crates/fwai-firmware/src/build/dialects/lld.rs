//! LLVM's linker, alone or inside rustc and Clang.

use super::between;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity, SymbolUser},
    parser::{Context, Open},
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    let line = if context.open == Open::RustLinker {
        line.trim_start().trim_start_matches("= note: ")
    } else {
        line
    };
    if let Some(rest) = line.trim_start().strip_prefix(">>> ") {
        return continued(rest.trim(), context);
    }
    let Some((program, rest)) = line.split_once(": ") else { return false };
    let name = program.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    if !matches!(name, "ld.lld" | "rust-lld" | "lld" | "ld64.lld" | "wasm-ld" | "lld-link") {
        return false;
    }
    let (severity, message) = match rest.split_once(": ") {
        Some(("error", message)) => (Severity::Error, message),
        Some(("warning", message)) => (Severity::Warning, message),
        _ => return false,
    };
    let mut diagnostic = Diagnostic::new("lld", severity, message);
    diagnostic.detail = detail(message);
    if let Some((place, message)) =
        message.split_once(": ").filter(|(place, _)| Place::parse(place).line.is_some())
    {
        diagnostic = Diagnostic { message: message.to_string(), ..diagnostic }.at(Place::parse(place));
    }
    let rust = context.open == Open::RustLinker;
    context.push(diagnostic);
    context.open = if rust { Open::RustLinker } else { Open::Lld };
    true
}

fn detail(message: &str) -> Option<Detail> {
    if let Some(symbol) = message.strip_prefix("undefined symbol: ") {
        return Some(Detail::UndefinedReference { symbol: symbol.to_string(), users: Vec::new() });
    }
    if let Some(symbol) = message.strip_prefix("duplicate symbol: ") {
        return Some(Detail::MultipleDefinition { symbol: symbol.to_string(), places: Vec::new() });
    }
    if let Some(name) = message.strip_prefix("unable to find library -l") {
        return Some(Detail::MissingLibrary { name: name.to_string() });
    }
    if let Some(name) =
        message.strip_prefix("cannot open ").or_else(|| message.strip_prefix("cannot find linker script "))
    {
        return Some(Detail::MissingFile { name: name.split(": ").next().unwrap_or(name).to_string() });
    }
    let region = between(message, " will not fit in region '", "'")?;
    let bytes = between(message, "overflowed by ", " byte").and_then(|count| count.parse().ok());
    let section = between(message, "section '", "'").map(str::to_string);
    Some(Detail::RegionOverflow { region: region.to_string(), bytes, section })
}

/// `>>> referenced by main.c:12 (src/main.c:12)`, `>>> defined at a.c:3`, `>>>               main.o:(main)`.
fn continued(rest: &str, context: &mut Context) -> bool {
    let Some(last) = context.found.last_mut().filter(|last| last.source == "lld") else { return false };
    let named = rest.strip_prefix("referenced by ").or_else(|| rest.strip_prefix("defined at "));
    let users = match &mut last.detail {
        Some(Detail::UndefinedReference { users, .. }) => users,
        Some(Detail::MultipleDefinition { places, .. }) => places,
        _ => {
            context.note(Place::default().note(rest));
            return true;
        }
    };
    match named {
        Some(place) => {
            let place = place.split(" (").next().unwrap_or(place);
            let user = match place.split_once(":(") {
                Some((object, function)) => SymbolUser {
                    object: Some(object.to_string()),
                    function: Some(function.trim_end_matches(')').to_string()),
                    ..SymbolUser::default()
                },
                None => {
                    let place = Place::parse(place);
                    SymbolUser { file: place.file, line: place.line, ..SymbolUser::default() }
                }
            };
            users.push(user);
        }
        None => {
            if let (Some(user), Some((object, function))) = (users.last_mut(), rest.split_once(":(")) {
                user.object = Some(object.to_string());
                user.function =
                    function.split(')').next().map(|name| name.trim_start_matches(".text.").to_string());
            }
        }
    }
    if let Some(first) = users.first().filter(|_| last.file.is_none()) {
        (last.file, last.line) = (first.file.clone(), first.line);
    }
    true
}
