//! GNU ld: regions that overflow, symbols that are missing or there twice, libraries not found.

use super::between;
use super::gcc::split_severity;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity, SymbolUser},
    parser::Context,
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    let (text, from_linker) = match without_program(line) {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    in_function(text, context)
        || undefined(text, context)
        || more_undefined(text)
        || multiple(text, context)
        || region(text, context)
        || missing(text, context)
        || placed_wrong(text, context)
        || from_linker && anything_else(text, context)
}

/// The line without a leading `…/arm-none-eabi/bin/ld: `.
fn without_program(line: &str) -> Option<&str> {
    // The first colon that is not a drive letter's.
    let colon = line.bytes().enumerate().skip(2).find(|(_, byte)| *byte == b':')?.0;
    let (program, rest) = (&line[..colon], &line[colon + 1..]);
    let name = program.rsplit(['/', '\\']).next()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_linker = matches!(name, "ld" | "ld.bfd" | "ld.gold" | "gold")
        || name.ends_with("-ld")
        || name.ends_with("-ld.bfd");
    is_linker.then(|| rest.trim_start())
}

/// ``main.o: in function `main':``
fn in_function(text: &str, context: &mut Context) -> bool {
    let Some((object, function)) =
        text.split_once(": in function `").or_else(|| text.split_once(": In function `"))
    else {
        return false;
    };
    let Some(function) = function.strip_suffix("':") else { return false };
    context.linker_object = Some(object.to_string());
    context.linker_function = Some(function.to_string());
    true
}

fn undefined(text: &str, context: &mut Context) -> bool {
    let Some((before, symbol)) =
        text.split_once("undefined reference to `").or_else(|| text.split_once("undefined reference to '"))
    else {
        return false;
    };
    let symbol = symbol.rsplit_once('\'').map_or(symbol, |(symbol, _)| symbol);
    let user = user(before, context);
    let place = Place { file: user.file.clone(), line: user.line, column: None };
    let detail = Detail::UndefinedReference { symbol: symbol.to_string(), users: vec![user] };
    context.push(
        Diagnostic::new("ld", Severity::Error, format!("undefined reference to `{symbol}'"))
            .at(place)
            .detail(detail),
    );
    true
}

fn more_undefined(text: &str) -> bool {
    text.contains("more undefined references to `")
}

/// `main.c:12: `, `main.c:(.text+0x4): `, `main.o:main.c:(.text.main+0x8): `.
fn user(before: &str, context: &Context) -> SymbolUser {
    let before = before.trim().trim_end_matches(':').trim();
    let mut user = SymbolUser {
        function: context.linker_function.clone(),
        object: context.linker_object.clone(),
        ..SymbolUser::default()
    };
    let (place, in_section) = match before.split_once(":(") {
        Some((place, section)) => {
            if user.function.is_none() {
                let section = section.split(['+', ')']).next().unwrap_or_default();
                user.function = section.strip_prefix(".text.").map(str::to_string);
            }
            (place, true)
        }
        None => (before, false),
    };
    if place.is_empty() {
        return user;
    }
    let place = match split_object(place) {
        Some((object, source)) => {
            if user.object.as_deref() != Some(object) {
                user.function = user.function.filter(|_| in_section && context.linker_function.is_none());
            }
            user.object = Some(object.to_string());
            source
        }
        None => place,
    };
    let place = Place::parse(place);
    (user.file, user.line) = (place.file, place.line);
    user
}

fn multiple(text: &str, context: &mut Context) -> bool {
    let Some((before, rest)) = text.split_once("multiple definition of `") else { return false };
    let symbol = rest.split_once('\'').map_or(rest, |(symbol, _)| symbol);
    let first = user(before, context);
    let mut places = vec![first.clone()];
    if let Some((_, second)) = rest.split_once("'; ") {
        let second = second.trim_end_matches(": first defined here");
        let none = Context::default();
        places.push(user(second, &none));
    }
    let place = Place { file: first.file, line: first.line, column: None };
    let message = format!("multiple definition of `{symbol}'");
    let mut diagnostic = Diagnostic::new("ld", Severity::Error, message).at(place);
    if let Some(second) = places.get(1) {
        diagnostic.notes.push(
            Place { file: second.file.clone(), line: second.line, column: None }.note("first defined here"),
        );
    }
    context.push(diagnostic.detail(Detail::MultipleDefinition { symbol: symbol.to_string(), places }));
    true
}

/// `main.o:/src/main.c:3` and `libx.a(main.o):main.c` name the object before the source.
fn split_object(place: &str) -> Option<(&str, &str)> {
    let end = [".o:", ".obj:", "):"].iter().find_map(|end| Some(place.find(end)? + end.len()))?;
    (end < place.len()).then(|| (&place[..end - 1], &place[end..]))
}

/// ``region `FLASH' overflowed by 1234 bytes`` and ``section `.text' will not fit in region `FLASH'``.
fn region(text: &str, context: &mut Context) -> bool {
    if let Some((region, rest)) =
        text.split_once("region `").and_then(|(_, rest)| rest.split_once("' overflowed by "))
    {
        let bytes = rest.split(' ').next().and_then(|count| count.parse().ok());
        let detail = Detail::RegionOverflow { region: region.to_string(), bytes, section: None };
        let message = format!("region `{region}' overflowed by {rest}");
        context.push(Diagnostic::new("ld", Severity::Error, message).detail(detail));
        return true;
    }
    let Some((before, region)) = text.split_once(" will not fit in region `") else { return false };
    let region = region.trim_end_matches('\'');
    let section = between(before, "section `", "'").or_else(|| before.rsplit(' ').next()).map(str::to_string);
    let detail = Detail::RegionOverflow { region: region.to_string(), bytes: None, section };
    context.push(Diagnostic::new("ld", Severity::Error, text.to_string()).detail(detail));
    true
}

fn missing(text: &str, context: &mut Context) -> bool {
    let Some(rest) = text.strip_prefix("cannot find ") else { return false };
    let name = rest.split(": No such").next().unwrap_or(rest).split(": ").next().unwrap_or(rest);
    let detail = match name.strip_prefix("-l") {
        Some(name) => Detail::MissingLibrary { name: name.to_string() },
        None => Detail::MissingFile { name: name.to_string() },
    };
    context.push(Diagnostic::new("ld", Severity::Error, format!("cannot find {rest}")).detail(detail));
    true
}

/// `section .data LMA [08000100,08000107] overlaps section .text LMA […]`.
fn placed_wrong(text: &str, context: &mut Context) -> bool {
    let overlaps = text.starts_with("section ") && text.contains(" overlaps section ");
    let truncated = text.contains("relocation truncated to fit");
    if !overlaps && !truncated {
        return false;
    }
    let (place, message) = match text.split_once("relocation truncated to fit") {
        Some((before, rest)) => {
            let user = user(before, context);
            (
                Place { file: user.file, line: user.line, column: None },
                format!("relocation truncated to fit{rest}"),
            )
        }
        None => (Place::default(), text.to_string()),
    };
    context.push(Diagnostic::new("ld", Severity::Error, message).at(place));
    true
}

/// Whatever else the linker says.
fn anything_else(text: &str, context: &mut Context) -> bool {
    let text = text.strip_prefix("final link failed: ").unwrap_or(text);
    if let Some(message) = text.strip_prefix("warning: ") {
        context.push(Diagnostic::new("ld", Severity::Warning, message));
        return true;
    }
    if let Some((before, severity, message)) = split_severity(text) {
        context.push(Diagnostic::new("ld", severity, message).at(Place::parse(before)));
        return true;
    }
    if let Some(note) = text.strip_prefix("NOTE: ") {
        context.note(Place::default().note(note));
        return true;
    }
    let message = text.strip_prefix("error: ").unwrap_or(text);
    // `link.ld:12: syntax error` and `cannot open linker script file x.ld: No such file or directory`.
    let place =
        message.split_once(": ").map(|(before, _)| Place::parse(before)).filter(|place| place.line.is_some());
    let (place, message) = match (place, message.split_once(": ")) {
        (Some(place), Some((_, rest))) => (place, rest),
        _ => (Place::default(), message),
    };
    let mut diagnostic = Diagnostic::new("ld", Severity::Error, message).at(place);
    if let Some(name) = message.strip_suffix(": No such file or directory") {
        let name = name.rsplit(' ').next().unwrap_or(name);
        diagnostic.detail = Some(Detail::MissingFile { name: name.to_string() });
    }
    context.push(diagnostic);
    true
}
