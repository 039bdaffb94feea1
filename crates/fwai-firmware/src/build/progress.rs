//! How far a build is, from what it prints.

use memchr::memmem;

/// How far a build is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Steps done, or percent when `total` is 100.
    pub done: u32,
    /// Steps in all, where the tool says.
    pub total: Option<u32>,
    /// What is being done.
    pub text: String,
}

/// Watches the output for steps: Ninja's `[12/80]`, CMake's `[ 15%]`, Cargo's `Compiling`.
#[derive(Default)]
pub struct ProgressReader {
    line: Vec<u8>,
    cargo_steps: u32,
    last: Progress,
}

impl ProgressReader {
    /// Read the next piece; the newest progress in it, if it changed.
    pub fn feed(&mut self, chunk: &[u8]) -> Option<Progress> {
        let mut newest = None;
        let mut rest = chunk;
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            if self.line.is_empty() {
                newest = self.step(&rest[..end]).or(newest);
            } else {
                self.keep(&rest[..end]);
                let line = std::mem::take(&mut self.line);
                newest = self.step(&line).or(newest);
            }
            rest = &rest[end + 1..];
        }
        self.keep(rest);
        newest.filter(|progress| {
            let changed = *progress != self.last;
            self.last.clone_from(progress);
            changed
        })
    }

    fn keep(&mut self, piece: &[u8]) {
        const LONGEST: usize = 4096;
        let room = LONGEST.saturating_sub(self.line.len());
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    fn step(&mut self, line: &[u8]) -> Option<Progress> {
        match line.iter().find(|byte| !byte.is_ascii_whitespace())? {
            b'[' => bracketed(line),
            b'C' | b'B' | 0x1b => {
                if let Some(at) = memmem::find(line, b"Compiling ").filter(|at| *at < 24) {
                    self.cargo_steps += 1;
                    let text = String::from_utf8_lossy(&line[at..]).trim().to_string();
                    return Some(Progress { done: self.cargo_steps, total: None, text });
                }
                // `Building [=====>     ] 12/80: name`, which Cargo draws on terminals.
                let at = memmem::find(line, b"] ")?;
                let text = std::str::from_utf8(&line[at + 2..]).ok()?;
                let (count, name) = text.split_once(": ")?;
                let (done, total) = count.split_once('/')?;
                Some(Progress {
                    done: done.parse().ok()?,
                    total: total.parse().ok(),
                    text: name.trim().to_string(),
                })
            }
            _ => None,
        }
    }
}

fn bracketed(line: &[u8]) -> Option<Progress> {
    let line = std::str::from_utf8(line).ok()?.trim_start();
    let (count, text) = line.strip_prefix('[')?.split_once(']')?;
    let count = count.trim();
    let (done, total) = match count.strip_suffix('%') {
        Some(percent) => (percent, Some(100)),
        None => {
            let (done, total) = count.split_once('/')?;
            (done, Some(total.split(' ').next()?.parse().ok()?))
        }
    };
    let done = done.trim().parse().ok()?;
    total.is_some_and(|total| done <= total && total > 0).then(|| Progress {
        done,
        total,
        text: text.trim().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(text: &str) -> Option<(u32, Option<u32>, String)> {
        let mut reader = ProgressReader::default();
        let mut newest = None;
        for chunk in text.as_bytes().chunks(5) {
            newest = reader.feed(chunk).or(newest);
        }
        newest.map(|progress| (progress.done, progress.total, progress.text))
    }

    #[test]
    fn steps_of_every_tool() {
        for (text, expect) in [
            ("[1/80] Building\n[12/80] Linking app.elf\n", Some((12, Some(80), "Linking app.elf"))),
            ("[ 15%] Building C object main.c.obj\n", Some((15, Some(100), "Building C object main.c.obj"))),
            ("   Compiling a v1.0.0\n   Compiling b v0.2.0\n", Some((2, None, "Compiling b v0.2.0"))),
            ("    Building [=====>    ] 3/9: app\r", Some((3, Some(9), "app"))),
            ("[not/progress] x\n[99/3] y\n[200%] z\nplain\n", None),
        ] {
            let expect = expect.map(|(done, total, text)| (done, total, text.to_string()));
            assert_eq!(last(text), expect, "{text}");
        }
    }
}
