//! The whole output of a call, page by page on a terminal, or simply printed.

use crate::language::say;
use crate::render::{
    Abilities, abilities,
    call::{Call, took},
    clean::clean,
    palette,
    text::{Indent, Line, Span, fold},
};
use crossterm::{
    event::{Event, KeyCode, KeyModifiers, read},
    terminal::{disable_raw_mode, enable_raw_mode},
};
use std::{
    io::{IsTerminal, Write},
    path::Path,
    time::Duration,
};

/// More than anyone reads, less than would fill the memory.
const MOST_BYTES: u64 = 8 << 20;

/// Shows a call, or says that there is none.
pub fn open_call(call: Option<&Call>, root: &Path) {
    let Some(call) = call else {
        crate::output::error_line(&say!("repl-no-call"));
        return;
    };
    let whole = call.full_output.as_deref().and_then(|path| read_whole(&root.join(path)));
    let title = format!("{} {}  {}", call.name, call.about, took(Duration::from_millis(call.duration_ms)));
    page(&title, whole.as_deref().unwrap_or(&call.text));
}

fn read_whole(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(clean(&String::from_utf8_lossy(&bytes)))
}

/// Shows a text: on a screen of its own if it is longer than this one.
pub fn page(title: &str, text: &str) {
    let signs = Abilities::of_stdout();
    let (_, rows) = abilities::size();
    let fits = |columns: usize| layout(text, columns).len() + 2 < rows;
    let alone = std::io::stdin().is_terminal() && abilities::has_live_screen();
    if !alone || fits(abilities::size().0) {
        crate::output::line(&Line::styled(clean(title), palette::BOLD).paint(signs.colours));
        for line in layout(text, abilities::size().0.saturating_sub(1)) {
            crate::output::line(&line.paint(signs.colours));
        }
        return;
    }
    if enable_raw_mode().is_err() {
        return;
    }
    print("\x1b[?1049h\x1b[?25l");
    turn_pages(title, text, signs);
    print("\x1b[?1049l\x1b[?25h");
    let _ = disable_raw_mode();
}

fn turn_pages(title: &str, text: &str, signs: Abilities) {
    let mut top = 0;
    loop {
        let (columns, rows) = abilities::size();
        let lines = layout(text, columns);
        let page = rows.saturating_sub(2).max(1);
        top = top.min(lines.len().saturating_sub(page));
        draw(title, &lines, top, columns, page, signs);
        let key = match read() {
            Ok(Event::Key(key)) if key.is_press() => key,
            Ok(_) => continue,
            Err(_) => return,
        };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc | KeyCode::Enter => return,
            KeyCode::Char('c' | 'd' | 'o') if control => return,
            KeyCode::Down | KeyCode::Char('j') => top += 1,
            KeyCode::Up | KeyCode::Char('k') => top = top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ' | 'f') => top += page,
            KeyCode::PageUp | KeyCode::Char('b') => top = top.saturating_sub(page),
            KeyCode::Home | KeyCode::Char('g') => top = 0,
            KeyCode::End | KeyCode::Char('G') => top = lines.len(),
            _ => {}
        }
    }
}

fn draw(title: &str, lines: &[Line], top: usize, columns: usize, page: usize, signs: Abilities) {
    let mark = signs.sign("…", "~");
    let mut out = String::from("\x1b[?2026h\x1b[H\x1b[2J");
    out.push_str(&Line::styled(clean(title), palette::BOLD).cut(columns, mark).paint(signs.colours));
    for line in lines.iter().skip(top).take(page) {
        out.push_str("\r\n");
        out.push_str(&line.paint(signs.colours));
    }
    let last = (top + page).min(lines.len());
    let state = format!("{}-{last}/{}   {}", top + 1, lines.len(), say!("repl-pager-keys"));
    out.push_str(&format!("\x1b[{};1H", page + 2));
    out.push_str(
        &Line::styled(state, palette::DIM).cut(columns.saturating_sub(1), mark).paint(signs.colours),
    );
    out.push_str("\x1b[?2026l");
    print(&out);
}

fn layout(text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let style = crate::render::diff_style(line);
        let span = Span::new(line.replace('\t', "    "), style);
        lines.extend(fold(vec![span], columns.max(2), &Indent::default()));
    }
    lines
}

fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
