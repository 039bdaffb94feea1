//! The boards that fwai knows: those built in, and the user's own files.
//!
//! Later files win by name: built in < `boards/*.yaml` of the project < `.fwai/boards/*.yaml`. A broken
//! file costs only its own board and is reported.

use std::path::Path;

use fwai_schema::{board::BoardDef, document, families};

/// Every built-in board; the file in `boards/` is the fact, this list only embeds it.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("stm32vldiscovery", include_str!("../../../../boards/stm32vldiscovery.yaml")),
    ("netduinoplus2", include_str!("../../../../boards/netduinoplus2.yaml")),
    ("mps2-an385", include_str!("../../../../boards/mps2-an385.yaml")),
    ("lm3s6965evb", include_str!("../../../../boards/lm3s6965evb.yaml")),
    ("microbit", include_str!("../../../../boards/microbit.yaml")),
];

/// Boards by name, in the order in which they are listed.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    pub boards: Vec<BoardDef>,
    /// Files that could not be read, each with its place and reason.
    pub problems: Vec<String>,
}

/// Why a board was not found.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum CatalogueError {
    #[error("no board is named `{name}`{}; known boards: {known}; describe your own in .fwai/boards/{name}.yaml, or give project.yaml its flash.command, debug.openocd or serial.port", suggestion(.near))]
    Unknown { name: String, near: Option<String>, known: String },
    #[error("no board is chosen; `fwai board use NAME` chooses one of: {known}")]
    NoneChosen { known: String },
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

impl Catalogue {
    /// Built-in boards and those of the project at `root`.
    pub fn load(root: &Path) -> Self {
        let mut catalogue = Self::default();
        for (name, text) in BUILT_IN {
            catalogue.add(&format!("boards/{name}.yaml"), name, text);
        }
        for folder in [root.join("boards"), root.join(".fwai/boards")] {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            files.sort();
            for path in files {
                if !matches!(path.extension().and_then(|e| e.to_str()), Some("yaml" | "yml"))
                    || !path.is_file()
                {
                    continue;
                }
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                match std::fs::read_to_string(&path) {
                    Ok(text) => catalogue.add(&path.display().to_string(), &stem, &text),
                    Err(error) => catalogue.problems.push(format!("cannot read {}: {error}", path.display())),
                }
            }
        }
        catalogue
    }

    fn add(&mut self, file: &str, stem: &str, text: &str) {
        let family = families::by_name("board").expect("the list of families holds `board`");
        let mut def: BoardDef = match document::read_str(file, text, family) {
            Ok((def, _)) => def,
            Err(problems) => {
                self.problems.extend(problems.iter().map(|problem| problem.to_string()));
                return;
            }
        };
        if def.name.is_empty() {
            def.name = stem.to_string();
        }
        if !is_safe_name(&def.name) {
            self.problems.push(format!(
                "{file}: the name `{}` may only hold letters, digits, `.`, `_` and `-`",
                def.name.escape_debug()
            ));
            return;
        }
        match self.boards.iter_mut().find(|known| known.name == def.name) {
            Some(known) => *known = def,
            None => self.boards.push(def),
        }
    }

    /// The board of this name.
    pub fn find(&self, name: &str) -> Result<&BoardDef, CatalogueError> {
        self.boards.iter().find(|board| board.name == name).ok_or_else(|| {
            let near = document::nearest(name, self.boards.iter().map(|board| board.name.as_str()));
            CatalogueError::Unknown { name: name.to_string(), near, known: self.names() }
        })
    }

    /// The chosen board, else the first that fits the MCU.
    pub fn choose(&self, chosen: Option<&str>, mcu: Option<&str>) -> Result<&BoardDef, CatalogueError> {
        if let Some(name) = chosen {
            return self.find(name);
        }
        mcu.and_then(|mcu| self.stand_in_for(mcu))
            .ok_or_else(|| CatalogueError::NoneChosen { known: self.names() })
    }

    /// The first board that can stand in for an MCU such as `STM32F100RBT6`.
    pub fn stand_in_for(&self, mcu: &str) -> Option<&BoardDef> {
        let mut best: Option<(&BoardDef, usize)> = None;
        for board in &self.boards {
            for pattern in board.fits.iter().filter(|pattern| name_matches(pattern, mcu)) {
                if best.is_none_or(|(_, length)| pattern.len() > length) {
                    best = Some((board, pattern.len()));
                }
            }
        }
        best.map(|(board, _)| board)
    }

    fn names(&self) -> String {
        self.boards.iter().map(|board| board.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// `STM32F100*` against a part name, without regard to case.
fn name_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// Names become directory names, so they must not leave theirs.
pub(crate) fn is_safe_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && !name.starts_with(['.', '-'])
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_board_reads_and_is_complete() {
        let empty = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::load(empty.path());
        assert_eq!(catalogue.problems, Vec::<String>::new());
        assert_eq!(catalogue.boards.len(), BUILT_IN.len());
        for ((name, _), board) in BUILT_IN.iter().zip(&catalogue.boards) {
            assert_eq!(&board.name, name);
            assert!(!board.title.is_empty() && !board.chip.is_empty() && !board.arch.is_empty(), "{name}");
            assert!(board.regions.len() >= 2, "{name} needs flash and RAM");
            assert!(board.qemu.as_ref().is_some_and(|qemu| !qemu.machine.is_empty()), "{name}");
            assert!(!board.limits.is_empty(), "{name} must say what it does not simulate");
        }
    }

    #[test]
    fn project_files_add_and_replace_and_a_broken_one_costs_only_itself() {
        let project = tempfile::tempdir().unwrap();
        let folder = project.path().join(".fwai/boards");
        std::fs::create_dir_all(folder.join("stm32vldiscovery")).unwrap();
        std::fs::write(folder.join("bench.yaml"), "kind: openocd\nchip: STM32F401CC\n").unwrap();
        std::fs::write(folder.join("microbit.yaml"), "name: microbit\ntitle: mine\n").unwrap();
        std::fs::write(folder.join("broken.yaml"), "kind: [what\n").unwrap();
        std::fs::write(folder.join("evil.yaml"), "name: ../../etc\n").unwrap();
        let catalogue = Catalogue::load(project.path());
        assert_eq!(catalogue.find("bench").unwrap().chip, "STM32F401CC");
        assert_eq!(catalogue.find("microbit").unwrap().title, "mine");
        assert_eq!(catalogue.boards.len(), BUILT_IN.len() + 1);
        assert_eq!(catalogue.problems.len(), 2, "{:?}", catalogue.problems);
        assert!(catalogue.problems.iter().any(|problem| problem.contains("broken.yaml")));
    }

    #[test]
    fn a_chip_finds_its_stand_in_by_the_longest_pattern() {
        let catalogue = Catalogue::load(Path::new("/nonexistent"));
        let stand_in = |mcu| catalogue.stand_in_for(mcu).map(|board| board.name.as_str());
        assert_eq!(stand_in("STM32F100RBT6B"), Some("stm32vldiscovery"));
        assert_eq!(stand_in("stm32f407vg"), Some("netduinoplus2"));
        assert_eq!(stand_in("nRF51822-QFAA"), Some("microbit"));
        assert_eq!(stand_in("RP2040"), None);
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        let error = Catalogue::load(Path::new("/nonexistent")).find("microbot").unwrap_err().to_string();
        assert!(error.contains("did you mean `microbit`?"), "{error}");
    }
}
