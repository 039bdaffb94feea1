//! CMake and Meson at configure time.

use super::between;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity},
    parser::{Context, Open},
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    if context.open == Open::CmakeMessage && paragraph(line, context) {
        return true;
    }
    cmake(line, context) || meson(line, context)
}

/// The indented paragraph below `CMake Error at …` is the message.
fn paragraph(line: &str, context: &mut Context) -> bool {
    let Some(last) = context.found.last_mut() else { return false };
    if line.trim().is_empty() {
        // "Cannot find source file:", and the name in a paragraph of its own.
        let half_said = last.message.ends_with(':')
            || last.message.starts_with("The CMAKE_") && !last.message.contains(" is not ");
        if !last.message.is_empty() && !half_said {
            context.open = Open::None;
        }
        return true;
    }
    if !line.starts_with(' ') {
        context.open = Open::None;
        return false;
    }
    if !last.message.is_empty() {
        last.message.push(' ');
    }
    last.message.push_str(line.trim());
    if let Some(name) = missing_compiler(&last.message) {
        last.detail = Some(Detail::CommandNotFound { program: name });
    } else if let Some(name) = between(&last.message, "Cannot find source file: ", " ")
        .or_else(|| last.message.strip_prefix("Cannot find source file: "))
    {
        last.detail = Some(Detail::MissingFile { name: name.to_string() });
    }
    true
}

/// `The CMAKE_C_COMPILER: arm-none-eabi-gcc is not a full path and was not found in the PATH.`
fn missing_compiler(message: &str) -> Option<String> {
    between(message, "_COMPILER: ", " is not a full path").map(|name| name.trim().to_string())
}

fn cmake(line: &str, context: &mut Context) -> bool {
    let (severity, rest) = if let Some(rest) = line.strip_prefix("CMake Error") {
        (Severity::Error, rest)
    } else if let Some(rest) = line.strip_prefix("CMake Warning") {
        (Severity::Warning, rest)
    } else if let Some(rest) = line.strip_prefix("CMake Deprecation Warning") {
        (Severity::Warning, rest)
    } else {
        if line.starts_with("-- Configuring incomplete, errors occurred!") {
            context.push(
                Diagnostic::new("cmake", Severity::Error, line.trim_start_matches("-- "))
                    .detail(Detail::FollowUp),
            );
            return true;
        }
        return false;
    };
    let rest = rest.strip_prefix(" (dev)").unwrap_or(rest);
    if let Some(place) = rest.strip_prefix(" at ").or_else(|| rest.strip_prefix(" in ")) {
        // `CMakeLists.txt:5 (add_executable):`
        let place = place.trim_end_matches(':');
        let place = place.split_once(" (").map_or(place, |(place, _)| place);
        context.push(Diagnostic::new("cmake", severity, "").at(Place::parse(place)));
    } else {
        context.push(Diagnostic::new("cmake", severity, rest.trim_start_matches(':').trim()));
    }
    if context.found.last().is_some_and(|last| last.message.is_empty()) {
        context.open = Open::CmakeMessage;
    }
    true
}

/// `meson.build:3:0: ERROR: Unknown function "x".`
fn meson(line: &str, context: &mut Context) -> bool {
    let Some((place, message)) = line.split_once(": ERROR: ") else { return false };
    let place = Place::parse(place.rsplit(' ').next().unwrap_or(place));
    if !place
        .file
        .as_deref()
        .is_some_and(|file| file.ends_with("meson.build") || file.ends_with("meson_options.txt"))
    {
        return false;
    }
    context.push(Diagnostic::new("meson", Severity::Error, message).at(place));
    true
}
