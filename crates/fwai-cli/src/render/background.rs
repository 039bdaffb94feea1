//! Colours that can be read: the sixteen of a terminal are made for a dark background, and on a white one its green,
//! cyan and yellow are hardly seen.
//!
//! Everything is painted for a dark background; [`suited`] puts darker colours in their place where the background
//! is known to be light: from `ui.background`, from the terminal's own answer, or from `COLORFGBG`.

use fwai_schema::config::BackgroundChoice;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    stdio::stdin,
};
use std::{
    borrow::Cow,
    io::Write,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

/// As long as the line editor waits for an answer of the terminal.
const PATIENCE: Duration = Duration::from_secs(2);

const UNKNOWN: u8 = 0;
const DARK: u8 = 1;
const LIGHT: u8 = 2;
/// Set by the user, whatever the terminal says.
const SET: u8 = 4;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// What the configuration says.
pub fn choose(choice: BackgroundChoice) {
    match choice {
        BackgroundChoice::Auto if STATE.load(Ordering::Relaxed) & SET != 0 => {
            STATE.store(UNKNOWN, Ordering::Relaxed);
        }
        BackgroundChoice::Auto => {}
        BackgroundChoice::Dark => STATE.store(DARK | SET, Ordering::Relaxed),
        BackgroundChoice::Light => STATE.store(LIGHT | SET, Ordering::Relaxed),
    }
}

pub fn is_light() -> bool {
    static FROM_ENVIRONMENT: OnceLock<bool> = OnceLock::new();
    match STATE.load(Ordering::Relaxed) & !SET {
        DARK => false,
        LIGHT => true,
        _ => *FROM_ENVIRONMENT.get_or_init(|| {
            std::env::var("COLORFGBG").ok().as_deref().and_then(light_by_variable).unwrap_or(false)
        }),
    }
}

/// `15;0`, `0;default;15`: the last number is the background's.
fn light_by_variable(value: &str) -> Option<bool> {
    match value.rsplit(';').next()?.trim().parse::<u8>().ok()? {
        0..=6 | 8 => Some(false),
        7 | 9..=15 => Some(true),
        _ => None,
    }
}

/// The text in colours that suit the background.
pub fn suited(text: &str) -> Cow<'_, str> {
    match text.contains("\x1b[") && is_light() {
        true => Cow::Owned(on_light(text, has_many_colours())),
        false => Cow::Borrowed(text),
    }
}

/// The colour of prompts and commands as the line editor names it.
pub fn accent() -> reedline::Color {
    match (is_light(), has_many_colours()) {
        (false, _) => reedline::Color::LightBlue,
        (true, true) => reedline::Color::Fixed(26),
        (true, false) => reedline::Color::Blue,
    }
}

/// Whether the terminal knows more than sixteen colours.
fn has_many_colours() -> bool {
    static MANY: OnceLock<bool> = OnceLock::new();
    *MANY.get_or_init(|| {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let term = variable("TERM");
        let known = ["256color", "direct", "kitty", "alacritty", "foot", "ghostty", "wezterm"];
        known.iter().any(|name| term.contains(name)) || !variable("COLORTERM").is_empty()
    })
}

/// Each of the sixteen colours that is too light, as a darker one of 256, or as one of the sixteen that is darker.
const DARKER: &[(&str, &str, &str)] = &[
    ("31", "38;5;160", "31"),
    ("32", "38;5;28", "32"),
    ("33", "38;5;94", "35"),
    ("35", "38;5;127", "35"),
    ("36", "38;5;23", "34"),
    ("91", "38;5;160", "31"),
    ("92", "38;5;28", "32"),
    ("93", "38;5;94", "35"),
    ("94", "38;5;26", "34"),
    ("95", "38;5;127", "35"),
    ("96", "38;5;23", "34"),
];

fn on_light(text: &str, many: bool) -> String {
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        let (before, tail) = (&rest[..at + 2], &rest[at + 2..]);
        out.push_str(before);
        let end = tail.find(|letter: char| !letter.is_ascii_digit() && letter != ';').unwrap_or(tail.len());
        let codes = &tail[..end];
        match tail[end..].starts_with('m') && !codes.contains("38;") && !codes.contains("48;") {
            true => {
                let codes: Vec<&str> = codes
                    .split(';')
                    .map(|code| match DARKER.iter().find(|(light, ..)| *light == code) {
                        Some(&(_, of_many, of_few)) => {
                            if many {
                                of_many
                            } else {
                                of_few
                            }
                        }
                        None => code,
                    })
                    .collect();
                out.push_str(&codes.join(";"));
            }
            false => out.push_str(codes),
        }
        rest = &tail[end..];
    }
    out.push_str(rest);
    out
}

/// What came when the terminal was asked.
pub struct Heard {
    /// It says where its cursor is, without which no line can be edited.
    pub answers: bool,
    /// What a person typed meanwhile.
    pub typed: String,
}

/// Asks the terminal where its cursor is, and which background it has.
///
/// The question about the cursor comes last: every terminal that the line editor works on answers it, so that nothing
/// is waited for longer than that would, and no answer comes when nobody reads it any more.
pub fn ask_terminal(colours: bool) -> Heard {
    let mut out = std::io::stdout().lock();
    if colours && STATE.load(Ordering::Relaxed) & SET == 0 && knows_the_question() {
        let _ = out.write_all(b"\x1b]11;?\x1b\\");
    }
    let _ = out.write_all(b"\x1b[6n").and_then(|()| out.flush());
    drop(out);
    let heard = read_answer();
    let (answer, typed) = taken_apart(&heard);
    if let Some(light) = answer.and_then(light_by_answer) {
        STATE.store(if light { LIGHT } else { DARK }, Ordering::Relaxed);
    }
    Heard { answers: cursor_answer(&heard).is_some(), typed }
}

/// Terminals that know the question about colours, or pass over it in silence.
fn knows_the_question() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    let known =
        ["xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "wezterm", "konsole", "vte", "gnome"];
    known.iter().any(|name| term.starts_with(name))
}

/// What comes until the answer about the cursor.
fn read_answer() -> String {
    let (mut heard, began) = (Vec::new(), Instant::now());
    while !heard_cursor(&heard) {
        let left = PATIENCE.saturating_sub(began.elapsed());
        let Ok(wait) = Timespec::try_from(left) else { break };
        let input = stdin();
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        if left.is_zero() || !matches!(poll(&mut polled, Some(&wait)), Ok(1..)) {
            break;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(stdin(), &mut bytes) {
            Ok(count @ 1..) => heard.extend_from_slice(&bytes[..count]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&heard).into_owned()
}

fn heard_cursor(heard: &[u8]) -> bool {
    let text = String::from_utf8_lossy(heard);
    cursor_answer(&text).is_some()
}

/// Where the answer `ESC [ row ; column R` stands.
fn cursor_answer(text: &str) -> Option<(usize, usize)> {
    text.match_indices("\x1b[").find_map(|(at, _)| {
        let tail = &text[at + 2..];
        let length = tail.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
        (length > 0 && tail[length..].starts_with('R')).then_some((at, at + 2 + length + 1))
    })
}

/// The colour of the background, and what was typed around the answers.
fn taken_apart(heard: &str) -> (Option<&str>, String) {
    let mut typed = heard.to_owned();
    if let Some((start, end)) = cursor_answer(&typed) {
        typed.replace_range(start..end, "");
    }
    let mut colour = None;
    if let Some(start) = typed.find("\x1b]11;") {
        let tail = &typed[start..];
        let ends = ["\x07", "\x1b\\"].iter().filter_map(|end| Some((tail.find(end)?, end.len())));
        let (length, mark) = ends.min().unwrap_or((tail.len(), 0));
        let begin = heard.find("\x1b]11;").unwrap_or_default() + 5;
        colour = heard.get(begin..begin + length.saturating_sub(5));
        typed.replace_range(start..start + length + mark, "");
    }
    (colour, typed)
}

/// `rgb:ffff/fafa/f0f0`, with one to four digits each.
fn light_by_answer(colour: &str) -> Option<bool> {
    let parts = colour.strip_prefix("rgb:").or_else(|| colour.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/').map(|part| {
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1)?;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::palette;

    #[test]
    fn a_variable_or_an_answer_says_which_background_it_is() {
        for (value, light) in [
            ("15;0", Some(false)),
            ("0;15", Some(true)),
            ("0;default;15", Some(true)),
            ("15;8", Some(false)),
            ("0;7", Some(true)),
            ("default", None),
            ("", None),
        ] {
            assert_eq!(light_by_variable(value), light, "{value:?}");
        }
        for (answer, light) in [
            ("rgb:ffff/ffff/ffff", Some(true)),
            ("rgb:fd/f6/e3", Some(true)),
            ("rgb:0000/2b2b/3636", Some(false)),
            ("rgb:0/0/0", Some(false)),
            ("rgb:zz/0/0", None),
            ("rgb:/0/0", None),
            ("#ffffff", None),
        ] {
            assert_eq!(light_by_answer(answer), light, "{answer:?}");
        }
    }

    #[test]
    fn what_is_typed_around_the_answers_is_kept() {
        let heard = "he\x1b]11;rgb:ffff/ffff/ffff\x1b\\ll\x1b[12;1Ro\r";
        assert_eq!(taken_apart(heard), (Some("rgb:ffff/ffff/ffff"), "hello\r".to_owned()));
        assert_eq!(taken_apart("\x1b]11;rgb:0/0/0\x07\x1b[1;1R"), (Some("rgb:0/0/0"), String::new()));
        assert_eq!(taken_apart("x\x1b[1;1R"), (None, "x".to_owned()));
        assert_eq!(taken_apart(""), (None, String::new()));
    }

    /// Relative luminance as WCAG has it.
    fn luminance([red, green, blue]: [f64; 3]) -> f64 {
        let linear = |part: f64| {
            let part = part / 255.0;
            if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// What xterm shows for the colour of a painted text; nothing where it has the terminal's own.
    fn shown(painted: &str) -> Option<[f64; 3]> {
        const NORMAL: [[f64; 3]; 8] = [
            [0.0, 0.0, 0.0],
            [205.0, 0.0, 0.0],
            [0.0, 205.0, 0.0],
            [205.0, 205.0, 0.0],
            [0.0, 0.0, 238.0],
            [205.0, 0.0, 205.0],
            [0.0, 205.0, 205.0],
            [229.0, 229.0, 229.0],
        ];
        let codes = painted.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m'));
        codes.into_iter().find_map(|(codes, _)| {
            if let Some(index) = codes.strip_prefix("38;5;") {
                let index: usize = index.parse::<usize>().unwrap() - 16;
                let level = |part: usize| if part == 0 { 0.0 } else { 55.0 + 40.0 * part as f64 };
                return Some([level(index / 36), level(index / 6 % 6), level(index % 6)]);
            }
            match codes.parse().ok()? {
                code @ 30..=37 => Some(NORMAL[code - 30]),
                94 => Some([92.0, 92.0, 255.0]),
                90..=97 => Some([255.0, 255.0, 255.0]),
                _ => None,
            }
        })
    }

    #[test]
    fn every_colour_can_be_read_on_black_and_on_white() {
        for style in palette::ALL {
            let painted = format!("{style}x{style:#}");
            let Some(colour) = shown(&painted) else { continue };
            assert!(contrast(colour, [0.0; 3]) >= 3.0, "{painted:?} on black");
            let colour = shown(&on_light(&painted, true)).unwrap();
            assert!(contrast(colour, [255.0; 3]) >= 4.5, "{painted:?} on white: {colour:?}");
        }
        for (of_the_sixteen, ..) in DARKER {
            let colour =
                shown(&on_light(&format!("\x1b[1;{of_the_sixteen}mx"), true).replace("1;38", "38")).unwrap();
            assert!(contrast(colour, [255.0; 3]) >= 4.5, "{of_the_sixteen} on white");
        }
    }

    #[test]
    fn only_colours_change_and_those_that_were_chosen_stay() {
        assert_eq!(on_light("\x1b[1;36mx\x1b[0m y", true), "\x1b[1;38;5;23mx\x1b[0m y");
        assert_eq!(on_light("\x1b[32mx\x1b[0m", false), "\x1b[32mx\x1b[0m");
        assert_eq!(on_light("\x1b[38;5;36mx\x1b[2K\x1b[36", true), "\x1b[38;5;36mx\x1b[2K\x1b[36");
        assert_eq!(on_light("36m plain", true), "36m plain");
    }
}
