//! A unified diff with colours, file by file.

use std::fmt::Write;

use super::escape::escape;

/// Files with more lines than this start folded.
const LONG: usize = 200;

pub(super) fn diff(text: &str) -> String {
    let mut out = String::new();
    for file in files(text) {
        let lines: Vec<&str> = file.lines().collect();
        let count = |sign: char, header: &str| {
            lines.iter().filter(|l| l.starts_with(sign) && !l.starts_with(header)).count()
        };
        let (added, removed) = (count('+', "+++"), count('-', "---"));
        let open = if lines.len() <= LONG { " open" } else { "" };
        let _ = write!(
            out,
            "<details class=file{open}><summary><span class=path>{}</span><span class=add>+{added}</span> \
             <span class=del>−{removed}</span></summary><pre class=diff>",
            escape(&name(&lines)),
        );
        let mut in_hunk = false;
        for line in lines {
            let class = match line.as_bytes().first() {
                Some(b'@') if line.starts_with("@@") => {
                    in_hunk = true;
                    "hunk"
                }
                _ if !in_hunk => "meta",
                Some(b'+') => "add",
                Some(b'-') => "del",
                _ => "same",
            };
            let _ = write!(out, "<span class={class}>{}\n</span>", escape(line));
        }
        out.push_str("</pre></details>");
    }
    out
}

/// Splits before every `diff --git`, or before `---` where that is missing.
fn files(text: &str) -> Vec<&str> {
    let marker = if text.contains("diff --git ") { "diff --git " } else { "--- " };
    let mut starts: Vec<usize> = text
        .match_indices(marker)
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).filter(|part| !part.trim().is_empty()).collect()
}

fn name(lines: &[&str]) -> String {
    let of = |mark: &str| {
        lines
            .iter()
            .find_map(|line| line.strip_prefix(mark))
            .map(|path| path.split('\t').next().unwrap_or(path))
    };
    let path = of("+++ ").filter(|path| *path != "/dev/null").or_else(|| of("--- "));
    match path {
        Some(path) => path.trim_start_matches("a/").trim_start_matches("b/").to_owned(),
        None => {
            lines.first().map(|line| line.trim_start_matches("diff --git ").to_owned()).unwrap_or_default()
        }
    }
}
