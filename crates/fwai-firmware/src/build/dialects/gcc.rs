//! GCC, Clang, GNU as and everything that writes `file:line:column: severity: message [-Wflag]`.

use crate::build::{
    diagnostic::{Detail, Diagnostic, Place, Severity},
    parser::Context,
};

pub(super) fn read(line: &str, context: &mut Context) -> bool {
    if include_chain(line, context) || in_function(line, context) {
        return true;
    }
    let Some((before, severity, message)) = split_severity(line) else {
        return note_without_severity(line, context);
    };
    let place = if is_tool(before) { Place::default() } else { Place::parse(before) };
    let (message, code) = split_flag(message);
    if severity == Severity::Note {
        // A note that stands alone ("#pragma message", "offload" remarks) is no complaint.
        context.note(place.note(message));
        return true;
    }
    let tool = tool_name(before);
    let mut diagnostic = Diagnostic::new(tool, severity, message).at(place).code(code);
    diagnostic.function = context.function.clone();
    diagnostic.detail = detail(tool, message);
    context.push(diagnostic);
    true
}

/// `In file included from a.h:3:5,` and the `from b.c:1:` lines below it.
fn include_chain(line: &str, context: &mut Context) -> bool {
    let rest = match line.strip_prefix("In file included from ") {
        Some(rest) => {
            context.includes.clear();
            rest
        }
        None => match line.strip_prefix("                 from ") {
            Some(rest) if !context.includes.is_empty() => rest,
            _ => return false,
        },
    };
    let place = Place::parse(rest.trim_end_matches([',', ':']));
    context.includes.push(place.note("included from here"));
    true
}

/// `main.c: In function 'main':`, `At global scope:`.
fn in_function(line: &str, context: &mut Context) -> bool {
    let Some(inner) = line.strip_suffix(':') else { return false };
    let names = [
        ": In function ",
        ": In member function ",
        ": In constructor ",
        ": In destructor ",
        ": In static member function ",
        ": In lambda function",
    ];
    for name in names {
        if let Some((_, function)) = inner.split_once(name) {
            let function = function.trim_matches(['\'', '`', '\u{2018}', '\u{2019}', ' ']);
            context.function = (!function.is_empty()).then(|| function.to_string());
            return true;
        }
    }
    if inner.ends_with(": At top level")
        || inner.ends_with(": At global scope")
        || inner.ends_with(": Assembler messages")
    {
        context.function = None;
        return true;
    }
    false
}

/// `x.h:3:5:   required from here` belongs to the complaint that follows or came before.
fn note_without_severity(line: &str, context: &mut Context) -> bool {
    match line.split_once(":   required from ") {
        Some((place, what)) => {
            context.includes.push(Place::parse(place).note(format!("required from {what}")));
            true
        }
        None => false,
    }
}

const SEVERITIES: &[(&str, Severity)] = &[
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("note", Severity::Note),
    ("fatal error", Severity::Error),
    ("Error", Severity::Error),
    ("Warning", Severity::Warning),
    ("Fatal error", Severity::Error),
    ("Info", Severity::Note),
    ("internal compiler error", Severity::Error),
    ("sorry, unimplemented", Severity::Error),
    ("remark", Severity::Note),
    ("ERROR", Severity::Error),
    ("WARNING", Severity::Warning),
    ("internal error", Severity::Error),
];

/// What stands before `: severity: `, the severity, and the message.
pub(super) fn split_severity(line: &str) -> Option<(&str, Severity, &str)> {
    for at in memchr::memmem::find_iter(line.as_bytes(), b": ") {
        let rest = line[at + 2..].trim_start();
        for (word, severity) in SEVERITIES {
            if let Some(message) = rest.strip_prefix(word).and_then(|rest| rest.strip_prefix(':')) {
                return Some((&line[..at], *severity, message.trim()));
            }
        }
    }
    None
}

/// The message without its trailing `[-Wflag]`, and the flag.
pub(super) fn split_flag(message: &str) -> (&str, Option<String>) {
    let Some((text, flag)) = message.strip_suffix(']').and_then(|message| message.rsplit_once(" [")) else {
        return (message, None);
    };
    if !flag.starts_with("-W") && !flag.starts_with("-f") {
        return (message, None);
    }
    let flag = flag.strip_prefix("-Werror=").map_or_else(|| flag.to_string(), |flag| format!("-W{flag}"));
    let flag = flag.strip_prefix("-Werror,").map_or_else(|| flag.clone(), str::to_string);
    (text, Some(flag))
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A program speaks, not a file: `cc1`, `arm-none-eabi-gcc`, `collect2`.
pub(super) fn is_tool(text: &str) -> bool {
    let name = last_part(text.trim());
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.split_once('-').map_or(name, |_| name.rsplit('-').next().unwrap_or(name));
    matches!(
        name,
        "cc1"
            | "cc1plus"
            | "cc1obj"
            | "collect2"
            | "gcc"
            | "g++"
            | "cc"
            | "c++"
            | "clang"
            | "clang++"
            | "as"
            | "ld"
            | "cpp"
            | "armclang"
            | "armlink"
            | "lto"
            | "wrapper"
            | "lto1"
            | "xgcc"
            | "ar"
            | "objcopy"
            | "nm"
            | "strip"
    )
}

fn tool_name(before: &str) -> &'static str {
    let name = last_part(before);
    if name.contains("clang") {
        "clang"
    } else if name.starts_with("collect2") {
        "ld"
    } else {
        "gcc"
    }
}

fn detail(tool: &str, message: &str) -> Option<Detail> {
    if tool == "ld" && message.contains("returned")
        || message.starts_with("linker command failed")
        || message.contains("lto-wrapper failed")
    {
        return Some(Detail::FollowUp);
    }
    if let Some(name) = message.strip_suffix(": No such file or directory") {
        let is_header = !name.contains(' ')
            && name.rsplit_once('.').is_some_and(|(_, end)| end.starts_with(['h', 'H', 'i']));
        return Some(if is_header {
            Detail::MissingHeader { name: name.to_string() }
        } else {
            Detail::MissingFile { name: name.trim_matches('\'').to_string() }
        });
    }
    let name = message.strip_suffix("' file not found")?.strip_prefix('\'')?;
    Some(Detail::MissingHeader { name: name.to_string() })
}
