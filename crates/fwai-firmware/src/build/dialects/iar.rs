//! IAR: `"main.c",12  Error[Pe020]: identifier "x" is undefined`.

use super::between;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity, SymbolUser},
    parser::Context,
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    let words = [
        ("Fatal Error[", Severity::Error),
        ("Fatal error[", Severity::Error),
        ("Internal Error[", Severity::Error),
        ("Error[", Severity::Error),
        ("Warning[", Severity::Warning),
        ("Remark[", Severity::Note),
    ];
    let found = words.iter().find_map(|(word, severity)| Some((line.find(word)?, word.len(), *severity)));
    let Some((at, length, severity)) = found else { return false };
    let Some((code, message)) = line[at + length..].split_once(']') else { return false };
    let is_code = code.len() > 2
        && code.starts_with(|first: char| first.is_ascii_uppercase())
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(message) = message.strip_prefix(':').map(str::trim).filter(|_| is_code) else { return false };
    let (message, place) = match place_before(line[..at].trim()) {
        Some(place) => (message, place),
        None => place_after(message),
    };
    let mut diagnostic = Diagnostic::new("iar", severity, message).at(place).code(Some(code.to_string()));
    diagnostic.detail = detail(code, message);
    if severity == Severity::Note {
        context.note(
            Place { file: diagnostic.file, line: diagnostic.line, column: None }.note(diagnostic.message),
        );
    } else {
        context.push(diagnostic);
    }
    true
}

/// `"C:\proj\main.c",12`
fn place_before(text: &str) -> Option<Place> {
    let (file, rest) = text.strip_prefix('"')?.split_once('"')?;
    let line = rest.trim_start_matches(',').split([',', ' ']).next()?.parse().ok();
    Some(Place { file: Some(file.to_string()), line, column: None })
}

/// Older versions end with ` C:\proj\main.c 12`.
fn place_after(message: &str) -> (&str, Place) {
    let split = message.rsplit_once(' ').and_then(|(head, line)| {
        let line = line.parse().ok()?;
        let start = head.find(":\\").map(|at| at - 1).or_else(|| head.find(" /").map(|at| at + 1))?;
        Some((
            head[..start].trim(),
            Place { file: Some(head[start..].to_string()), line: Some(line), column: None },
        ))
    });
    split.unwrap_or((message, Place::default()))
}

fn detail(code: &str, message: &str) -> Option<Detail> {
    let quoted = || between(message, "\"", "\"").map(str::to_string);
    match code {
        "Li005" => {
            let object = between(message, "[referenced from ", "]").map(str::to_string);
            let users = object.map(|object| SymbolUser { object: Some(object), ..SymbolUser::default() });
            Some(Detail::UndefinedReference { symbol: quoted()?, users: users.into_iter().collect() })
        }
        "Li006" => Some(Detail::MultipleDefinition { symbol: quoted()?, places: Vec::new() }),
        "Pe1696" => Some(Detail::MissingHeader { name: quoted()? }),
        "Lp011" => {
            let hex = |open: &str, close: &str| {
                let digits = between(message, open, close)?.trim().trim_start_matches("0x").replace('\'', "");
                u64::from_str_radix(&digits, 16).ok()
            };
            let wanted =
                hex("minimum size of ", " bytes").or_else(|| hex("total estimated size of ", " bytes"));
            let free = hex("total uncommitted space ", ")");
            let region = between(message, "in <", ">").unwrap_or("memory").to_string();
            Some(Detail::RegionOverflow {
                region,
                bytes: wanted.zip(free).map(|(wanted, free)| wanted.saturating_sub(free)),
                section: None,
            })
        }
        _ => None,
    }
}
