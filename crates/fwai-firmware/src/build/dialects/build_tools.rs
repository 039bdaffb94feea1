//! Make, Ninja, shells, Cargo's neighbours: PlatformIO, Arduino, Zephyr's west, ESP-IDF.

use super::between;
use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity},
    parser::Context,
};

/// `make[1]: Entering directory '/x'`, ``ninja: Entering directory `build'``.
pub(super) fn read_directories(line: &str, context: &mut Context) -> bool {
    if let Some((_, name)) = line.split_once(": Entering directory ") {
        context.directories.push(name.trim_matches(['\'', '`', '"']).to_string());
        return true;
    }
    if line.contains(": Leaving directory ") {
        context.directories.pop();
        return true;
    }
    false
}

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    command_not_found(line, context) || make(line, context) || ninja(line, context) || too_big(line, context)
}

/// `/bin/sh: 1: arm-none-eabi-gcc: not found`, `bash: line 1: x: command not found`, `make: x: No such file or directory`.
fn command_not_found(line: &str, context: &mut Context) -> bool {
    let program = if let Some(rest) = line.strip_suffix(": command not found") {
        rest.rsplit(": ").next()
    } else if let Some(rest) = line.strip_suffix(": not found") {
        rest.contains("sh: ").then(|| rest.rsplit(": ").next()).flatten()
    } else if let Some(rest) = line.strip_suffix(": No such file or directory") {
        let mut parts = rest.splitn(2, ": ");
        let is_make = parts.next().is_some_and(is_make);
        parts.next().filter(|program| is_make && !program.contains([' ', ':']) && !program.starts_with("***"))
    } else {
        None
    };
    let Some(program) = program.filter(|program| !program.is_empty()) else { return false };
    let message = format!("`{program}` is not installed or not on PATH");
    context.push(
        Diagnostic::new("shell", Severity::Error, message)
            .detail(Detail::CommandNotFound { program: program.to_string() }),
    );
    true
}

fn is_make(name: &str) -> bool {
    let name = name.split('[').next().unwrap_or(name);
    matches!(name, "make" | "gmake" | "mingw32-make" | "gnumake")
}

fn make(line: &str, context: &mut Context) -> bool {
    let Some((before, message)) = line.split_once("*** ") else { return false };
    let speaker = before.trim().trim_end_matches(':');
    if is_make(speaker) || speaker.is_empty() {
        let message = message.trim_end_matches("  Stop.").trim_end_matches(". Stop.");
        // `[Makefile:12: main.o] Error 1`: something before went wrong and said so itself.
        let is_follow_up = message.starts_with('[')
            || message.starts_with("Waiting for unfinished jobs")
            || message.starts_with("Deleting");
        let mut diagnostic = Diagnostic::new("make", Severity::Error, message.trim());
        if is_follow_up {
            diagnostic.detail = Some(Detail::FollowUp);
        } else if let Some(name) = between(message, "No rule to make target '", "'")
            .or_else(|| between(message, "No rule to make target `", "'"))
        {
            diagnostic.detail = Some(Detail::MissingFile { name: name.to_string() });
        }
        context.push(diagnostic);
        return true;
    }
    // `Makefile:3: *** missing separator.  Stop.`
    let place = Place::parse(speaker);
    if place.line.is_none() {
        return false;
    }
    let message = message.trim().trim_end_matches("Stop.").trim();
    context.push(Diagnostic::new("make", Severity::Error, message).at(place));
    true
}

fn ninja(line: &str, context: &mut Context) -> bool {
    if let Some(message) = line.strip_prefix("ninja: error: ") {
        let mut diagnostic = Diagnostic::new("ninja", Severity::Error, message);
        if let Some(name) =
            message.strip_prefix('\'').and_then(|rest| rest.split_once("', needed by")).map(|(name, _)| name)
        {
            diagnostic.detail = Some(Detail::MissingFile { name: name.to_string() });
        } else if let Some((place, rest)) =
            message.split_once(": ").filter(|(place, _)| Place::parse(place).line.is_some())
        {
            diagnostic = Diagnostic::new("ninja", Severity::Error, rest).at(Place::parse(place));
        }
        context.push(diagnostic);
        return true;
    }
    let stopped = line.starts_with("ninja: build stopped") || line.starts_with("ninja: fatal");
    let wrapper = line.starts_with("ninja failed with exit code")
        || line.starts_with("FATAL ERROR: command exited with status");
    if stopped || wrapper || line.starts_with("FAILED: ") {
        context.function = None;
        if !line.starts_with("FAILED: ") {
            let message = line.strip_prefix("ninja: ").unwrap_or(line);
            context.push(Diagnostic::new("ninja", Severity::Error, message).detail(Detail::FollowUp));
        }
        return true;
    }
    false
}

/// PlatformIO's and Arduino's words for a region that overflows.
fn too_big(line: &str, context: &mut Context) -> bool {
    let text = line.trim().trim_start_matches("Error: ");
    if let Some(rest) =
        text.strip_prefix("The ").filter(|rest| rest.contains("is greater than maximum allowed"))
    {
        let region = if rest.starts_with("program size") { "program memory" } else { "data memory" };
        let number =
            |open: &str| between(rest, open, " bytes").and_then(|count| count.trim().parse::<u64>().ok());
        let over = number("size (").zip(number("allowed (")).and_then(|(used, most)| used.checked_sub(most));
        let detail = Detail::RegionOverflow { region: region.to_string(), bytes: over, section: None };
        context.push(Diagnostic::new("platformio", Severity::Error, text).detail(detail));
        return true;
    }
    let (region, is_section) = match text {
        _ if text.starts_with("Sketch too big") => ("program memory", false),
        _ if text.starts_with("text section exceeds available space") => ("program memory", true),
        _ if text.starts_with("data section exceeds available space") => ("data memory", true),
        _ if text.starts_with("Not enough memory") => ("data memory", false),
        _ => return false,
    };
    let mut diagnostic = Diagnostic::new("arduino", Severity::Error, text);
    diagnostic.detail = Some(if is_section {
        Detail::RegionOverflow { region: region.to_string(), bytes: None, section: None }
    } else {
        Detail::FollowUp
    });
    context.push(diagnostic);
    true
}

/// Lines that start with the severity: `Error: …`, `fatal: …`, `devicetree error: …`, `ERROR: …`.
pub(super) fn read_loose(line: &str, context: &mut Context) -> bool {
    let text = line.trim();
    let starts = [
        ("devicetree error: ", Severity::Error, "devicetree"),
        ("UnknownBoard: ", Severity::Error, "platformio"),
        ("UnknownPlatform: ", Severity::Error, "platformio"),
        ("Error during build: ", Severity::Error, "arduino"),
        ("Compilation error: ", Severity::Error, "arduino"),
        ("fatal error: ", Severity::Error, "build"),
        ("Fatal error: ", Severity::Error, "build"),
        ("FATAL ERROR: ", Severity::Error, "build"),
        ("ERROR: ", Severity::Error, "build"),
        ("Error: ", Severity::Error, "build"),
        ("Warning: ", Severity::Warning, "build"),
        ("WARNING: ", Severity::Warning, "build"),
    ];
    for (start, severity, source) in starts {
        if let Some(message) = text.strip_prefix(start) {
            let mut diagnostic = Diagnostic::new(source, severity, message);
            if matches!(start, "Error during build: " | "Compilation error: ") {
                diagnostic.detail = Some(Detail::FollowUp);
            }
            context.push(diagnostic);
            return true;
        }
    }
    false
}
