//! Draws the picture of the README: the real program on a real terminal, with the demo's bug, a scripted
//! model and a virtual board. `cargo xtask picture` runs it.

use avt::{Color, Pen};
use fwai_schema::message::Usage;
use fwai_testkit::{
    bench::Bench,
    model_server::{Scenario, Turn},
    terminal::Terminal,
};
use serde_json::json;
use std::{fmt::Write, process::Command};

const COLUMNS: u16 = 92;
/// A cell in pixels.
const WIDE: f64 = 8.4;
const HIGH: f64 = 18.0;

fn main() {
    let target = std::env::args().nth(1).expect("picture FILE.svg");
    let bench = Bench::new(Scenario { turns: turns(), piece_chars: 20, ..Scenario::default() });
    make_project(&bench);
    let terminal = Terminal::open(&bench, COLUMNS, 60);
    terminal.wait_for_prompt();
    terminal.type_in("it builds, but never says \"boot ok\". find out why and mend it\r");
    terminal.wait_for("It boots");
    terminal.wait_for_prompt();
    let svg = terminal.look(draw);
    std::fs::write(&target, svg).expect("the picture can be written");
    let _ = bench.fwai(&["board", "power", "off"]).output();
    println!("{target}");
}

/// The demo makes a project with a bug, and mends it; the bug is brought back.
fn make_project(bench: &Bench) {
    std::fs::remove_dir_all(bench.project()).expect("it was made a moment ago");
    let home = bench.directory.path();
    let made = Command::new(fwai_testkit::bench::program())
        .args(["demo", "--dir", "project", "--quiet"])
        .current_dir(home)
        .env("FWAI_HOME", home.join("user"))
        .status();
    assert!(made.is_ok_and(|status| status.success()), "the demo runs");
    let back =
        Command::new("git").current_dir(bench.project()).args(["checkout", "-q", "--", "src"]).status();
    assert!(back.is_ok_and(|status| status.success()), "git brings the bug back");
}

fn turns() -> Vec<Turn> {
    let usage = Usage { input_tokens: 4_200, output_tokens: 160, ..Usage::default() };
    let fix = json!([{"old": "GPIOC_BASE 0x60011000U", "new": "GPIOC_BASE 0x40011000U"}]);
    let turns = [
        Turn::text("I build and flash what is there, and watch it start.")
            .and_tool("build_firmware", json!({})),
        Turn::tool("flash_board", json!({})),
        Turn::tool("read_console", json!({"wait_for_boot": true, "seconds": 3})),
        Turn::tool("decode_fault", json!({})),
        Turn::text(
            "It faults in `led_init`: port C of this chip lies at `0x40011000`, the file says `0x60011000`.",
        )
        .and_tool("edit_file", json!({"path": "src/led.c", "edits": fix})),
        Turn::tool("build_firmware", json!({})),
        Turn::tool("flash_board", json!({})),
        Turn::tool("read_console", json!({"wait_for_boot": true})),
        Turn::text(
            "**It boots.** One digit of an address was wrong:\n\n| register | before | after |\n|---|---|---|\n| `GPIOC_BASE` | 0x60011000 | 0x40011000 |\n",
        ),
    ];
    turns.into_iter().map(|turn| turn.usage(usage)).collect()
}

/// The screen as an SVG with text as text.
fn draw(screen: &avt::Terminal) -> String {
    let mut lines: Vec<&avt::Line> = screen.screen().all_lines().collect();
    while lines.last().is_some_and(|line| line.text().trim().is_empty()) {
        lines.pop();
    }
    let (width, height) = (f64::from(COLUMNS) * WIDE + 40.0, lines.len() as f64 * HIGH + 66.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"fwai finds and mends a bug on a virtual board\">\n<style>text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;white-space:pre;fill:#d7dae0}}</style>\n<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#1b1f27\"/>\n<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"9.5\" fill=\"none\" stroke=\"#4a5160\"/>\n",
        width - 1.0,
        height - 1.0
    );
    for (number, colour) in ["#e06c6c", "#d8b25c", "#7fb069"].iter().enumerate() {
        let x = 22 + number * 20;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"22\" r=\"6\" fill=\"{colour}\"/>");
    }
    for (row, line) in lines.iter().enumerate() {
        let y = 58.0 + row as f64 * HIGH;
        let mut column = 0;
        for run in line.chunks(|one, other| one.pen() != other.pen()) {
            let text: String = run.iter().map(|cell| cell.char()).collect();
            let cells: usize = run.iter().map(|cell| usize::from(cell.width())).sum();
            if !text.trim().is_empty() {
                draw_run(&mut svg, &text, column, y, run[0].pen());
            }
            column += cells;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_run(svg: &mut String, text: &str, column: usize, y: f64, pen: &Pen) {
    let blank = text.len() - text.trim_start().len();
    let shown = text.trim();
    let x = 20.0 + (column + blank) as f64 * WIDE;
    let mut style = String::new();
    if let Some(colour) = pen.foreground() {
        let _ = write!(style, "fill:{};", rgb(colour));
    } else if pen.is_faint() {
        style.push_str("fill:#8b93a3;");
    }
    if pen.is_bold() {
        style.push_str("font-weight:bold;");
    }
    if pen.is_italic() {
        style.push_str("font-style:italic;");
    }
    if !style.is_empty() {
        style = format!(" style=\"{style}\"");
    }
    let escaped = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let length = shown.chars().count() as f64 * WIDE;
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.0}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\"{style}>{escaped}</text>"
    );
}

fn rgb(colour: Color) -> String {
    const SIXTEEN: [&str; 16] = [
        "#5c6370", "#e06c75", "#8cc265", "#d8b25c", "#61afef", "#c678dd", "#4fb8c4", "#d7dae0", "#7f8796",
        "#e06c75", "#8cc265", "#d8b25c", "#6cb2f5", "#c678dd", "#4fb8c4", "#ffffff",
    ];
    match colour {
        Color::Indexed(number) => SIXTEEN[usize::from(number) % 16].to_owned(),
        Color::RGB(rgb) => format!("#{:02x}{:02x}{:02x}", rgb.r, rgb.g, rgb.b),
    }
}
