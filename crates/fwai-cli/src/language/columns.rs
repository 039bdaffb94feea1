//! Columns of a terminal: a Chinese character takes two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text without escape sequences takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text, filled with blanks up to a width.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Marks that do not begin a line.
const CLOSING: &str = "，。、；：！？）」』》】…,.;:!?)]}";
/// Marks that do not end one.
const OPENING: &str = "（「『《【([{";

/// Breaks long lines of help. What follows goes below the beginning of its column. Escape sequences take no
/// room; a line breaks at a blank or beside a Chinese character.
pub(super) fn wrap(text: &str, columns: usize) -> String {
    text.lines().map(|line| wrap_line(line, columns)).collect::<Vec<_>>().join("\n")
}

/// A text for people on a terminal that is `columns` wide. A row that is too wide loses the blanks between its
/// cells first; what is still too wide breaks between words.
pub fn fit(text: &str, columns: usize) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim_end();
        let plain = without_escapes(line);
        match width(&plain) > columns && column_of_text(&plain) + 20 > columns {
            true => wrap_line(&squeezed(line), columns),
            false => wrap_line(line, columns),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Two blanks between words at most; those at the beginning stay.
fn squeezed(line: &str) -> String {
    let body = line.trim_start();
    let mut out = line[..line.len() - body.len()].to_owned();
    let mut blanks = 0;
    for letter in body.chars() {
        blanks = if letter == ' ' { blanks + 1 } else { 0 };
        if blanks < 3 {
            out.push(letter);
        }
    }
    out
}

fn wrap_line(line: &str, columns: usize) -> String {
    let plain = without_escapes(line);
    if width(&plain) <= columns {
        return line.to_owned();
    }
    let lead = plain.len() - plain.trim_start().len();
    // A column that leaves too little room is given up.
    let indent = Some(column_of_text(&plain)).filter(|indent| indent + 20 <= columns).unwrap_or(lead + 2);
    if indent + 10 > columns {
        return line.to_owned();
    }
    let mut done = String::new();
    let mut rest = line;
    let mut start = 0;
    while width(&without_escapes(rest)) + start > columns {
        let room = columns - start;
        let keep = if done.is_empty() { indent } else { 0 };
        let Some(at) = break_point(rest, room, keep) else { break };
        done.push_str(rest[..at].trim_end());
        done.push('\n');
        done.push_str(&" ".repeat(indent));
        rest = rest[at..].trim_start();
        start = indent;
    }
    done + rest
}

/// Where the text of a line begins: after the flag's own column, or after the leading blanks.
fn column_of_text(plain: &str) -> usize {
    let lead = plain.len() - plain.trim_start().len();
    let body = &plain[lead..];
    match body.find("  ") {
        Some(gap) => {
            let text = body[gap..].trim_start();
            width(&plain[..plain.len() - text.len()])
        }
        None => lead,
    }
}

/// The last byte position at which the text may break so that it fits into `room`.
fn break_point(text: &str, room: usize, keep: usize) -> Option<usize> {
    let (mut used, mut best, mut before) = (0, None, ' ');
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == '\x1b' {
            escaped = true;
        }
        if escaped {
            escaped = c != 'm';
            continue;
        }
        let wide = c.width().unwrap_or(0) > 1 || before.width().unwrap_or(0) > 1;
        let may = (c == ' ' || wide) && !CLOSING.contains(c) && !OPENING.contains(before);
        if may && used > keep && used <= room {
            best = Some(at);
        }
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        before = c;
    }
    best
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut escaped = false;
    for c in text.chars() {
        match (escaped, c) {
            (false, '\x1b') => escaped = true,
            (false, c) => plain.push(c),
            (true, 'm') => escaped = false,
            (true, _) => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_takes_two_columns() {
        assert_eq!(width("韌體 ok"), 7);
        assert_eq!(pad("韌體", 6), "韌體  ");
        assert_eq!(pad("too long", 3), "too long");
    }

    #[test]
    fn long_lines_break_below_their_column() {
        let line = "      --watch  檔案一變就重新編譯，直到按下 Ctrl-C 為止；輸出維持一行";
        insta::assert_snapshot!(wrap(line, 40), @r"
              --watch  檔案一變就重新編譯，直到
                       按下 Ctrl-C 為止；輸出維
                       持一行
        ");
    }

    #[test]
    fn a_row_that_is_too_wide_loses_blanks_before_it_breaks() {
        let row = "20261115-084456-monitor  success          36 ms    monitor";
        assert_eq!(fit(row, 80), row);
        assert_eq!(fit(row, 44), "20261115-084456-monitor  success  36 ms\n  monitor");
        assert_eq!(fit(row, 40), "20261115-084456-monitor  success  36 ms\n  monitor");
        assert_eq!(
            fit("ok      git: git version 2.47.3 (/usr/bin/git)\nx   ", 40),
            "ok      git: git version 2.47.3\n        (/usr/bin/git)\nx"
        );
        assert_eq!(fit(&"x".repeat(50), 40), "x".repeat(50), "what has no blank is left to the terminal");
    }

    #[test]
    fn a_line_never_begins_with_a_closing_mark() {
        for columns in 24..60 {
            for line in wrap("一二三，四五。六七（八九）十；一二三四五六七八九十，百千萬。", columns).lines()
            {
                assert!(width(line) <= columns, "{columns}: {line}");
                assert!(!line.starts_with(['，', '。', '；', '）']), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn escapes_take_no_room_and_stay() {
        let line = format!("  \x1b[1m--flag\x1b[0m  {}", "字".repeat(20));
        let wrapped = wrap(&line, 32);
        assert!(wrapped.contains("\x1b[1m--flag\x1b[0m"));
        assert!(wrapped.lines().all(|line| width(&without_escapes(line)) <= 32), "{wrapped}");
    }
}
