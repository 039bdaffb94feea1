//! Arm Compiler 5 and 6, Keil, TI: `"main.c", line 12: Error:  #20: identifier "x" is undefined`.

use super::between;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity, SymbolUser},
    parser::Context,
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    let Some((place, rest)) = placed(line) else { return armlink(line, context) };
    let Some((severity, rest)) = severity(rest) else { return false };
    let (code, message) = split_code(rest);
    let mut diagnostic = Diagnostic::new("armcc", severity, message).at(place).code(code);
    if let Some(name) = between(message, "cannot open source input file \"", "\"")
        .or_else(|| between(message, "could not open source file \"", "\""))
    {
        diagnostic.detail = Some(Detail::MissingHeader { name: name.to_string() });
    }
    context.push(diagnostic);
    true
}

/// `"main.c", line 12: …` or `main.c(12): …` or `main.c(12,3): …`.
fn placed(line: &str) -> Option<(Place, &str)> {
    if let Some(rest) = line.strip_prefix('"') {
        let (file, rest) = rest.split_once("\", line ")?;
        let (number, rest) = rest.split_once(':')?;
        let number = number.split([' ', '(']).next()?;
        return Some((
            Place { file: Some(file.to_string()), line: number.parse().ok(), column: None },
            rest.trim_start(),
        ));
    }
    let (before, rest) = line.split_once("): ").or_else(|| line.split_once(") : "))?;
    let (file, numbers) = before.rsplit_once('(')?;
    let mut numbers = numbers.split(',');
    let line = numbers.next()?.trim().parse().ok()?;
    let column = numbers.next().and_then(|column| column.trim().parse().ok());
    Some((Place { file: Some(file.trim().to_string()), line: Some(line), column }, rest.trim_start()))
}

fn severity(text: &str) -> Option<(Severity, &str)> {
    let words = [
        ("fatal error", Severity::Error),
        ("catastrophic error", Severity::Error),
        ("error", Severity::Error),
        ("warning", Severity::Warning),
        ("remark", Severity::Note),
        ("note", Severity::Note),
    ];
    words.into_iter().find_map(|(word, severity)| {
        let head = text.get(..word.len())?;
        head.eq_ignore_ascii_case(word).then(|| (severity, text[word.len()..].trim_start_matches([':', ' '])))
    })
}

/// `#20: message`, `#177-D: message`, `A1163E: message`, `C2065: message`.
fn split_code(text: &str) -> (Option<String>, &str) {
    let Some((code, message)) = text.split_once(':') else { return (None, text) };
    let is_code = code.starts_with('#') && code.len() <= 10
        || code.len() >= 4
            && code.len() <= 10
            && code.starts_with(|first: char| first.is_ascii_uppercase())
            && code.bytes().skip(1).any(|byte| byte.is_ascii_digit())
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code { (Some(code.to_string()), message.trim()) } else { (None, text) }
}

/// `Error: L6218E: Undefined symbol foo (referred from main.o).`, perhaps after the image's name.
fn armlink(line: &str, context: &mut Context) -> bool {
    let Some((at, severity)) = line
        .find("Error: L6")
        .map(|at| (at, Severity::Error))
        .or_else(|| line.find("Warning: L6").map(|at| (at, Severity::Warning)))
        .or_else(|| line.find("Fatal error: L6").map(|at| (at, Severity::Error)))
    else {
        return false;
    };
    let Some((_, rest)) = line[at..].split_once(": ") else { return false };
    let (code, message) = split_code(rest);
    let mut diagnostic = Diagnostic::new("armlink", severity, message).code(code);
    if let Some((symbol, rest)) =
        message.strip_prefix("Undefined symbol ").and_then(|rest| rest.split_once(" (referred from "))
    {
        let object = rest.split(')').next().unwrap_or(rest).to_string();
        let users = vec![SymbolUser { object: Some(object), ..SymbolUser::default() }];
        diagnostic.detail = Some(Detail::UndefinedReference { symbol: symbol.to_string(), users });
    } else if let Some(rest) =
        message.strip_prefix("Symbol ").filter(|rest| rest.contains(" multiply defined "))
    {
        let symbol = rest.split(' ').next().unwrap_or_default().to_string();
        let places = between(rest, "(by ", ")").unwrap_or_default().split(" and ");
        let places = places
            .map(|object| SymbolUser { object: Some(object.to_string()), ..SymbolUser::default() })
            .collect();
        diagnostic.detail = Some(Detail::MultipleDefinition { symbol, places });
    } else if let Some(region) = overflow(message) {
        diagnostic.detail = Some(region);
    } else if let Some(name) = message.strip_prefix("Could not open file ") {
        let name = name.split(": ").next().unwrap_or(name).to_string();
        diagnostic.detail = Some(Detail::MissingFile { name });
    }
    context.push(diagnostic);
    true
}

/// `Sections of aggregate size 0x1234 bytes could not fit into .ANY selector(s).`,
/// `Execution region RW_IRAM1 size (67000 bytes) exceeds limit (65536 bytes).`
fn overflow(message: &str) -> Option<Detail> {
    if let Some(size) = between(message, "Sections of aggregate size 0x", " bytes could not fit into ") {
        let bytes = u64::from_str_radix(size, 16).ok();
        return Some(Detail::RegionOverflow { region: ".ANY".to_string(), bytes, section: None });
    }
    let (region, rest) = message.split_once(" region ")?.1.split_once(" size (")?;
    let number = |text: &str| text.split(' ').next()?.parse::<u64>().ok();
    let (used, limit) = (number(rest)?, number(rest.split_once("limit (")?.1)?);
    Some(Detail::RegionOverflow { region: region.to_string(), bytes: used.checked_sub(limit), section: None })
}
