//! The change budget: how many files and lines a session may change, counted over everything it changed,
//! by tools and by shell commands alike.

use fwai_schema::policy::Policy;
use std::collections::BTreeMap;

/// Lines that one file gained and lost against the state at the session's start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileChange {
    pub added: u64,
    pub removed: u64,
}

/// What a session has changed so far. Each measurement of a file replaces the one before, so that editing a
/// file twice counts once, and taking a change back gives its budget back.
#[derive(Debug, Clone, Default)]
pub struct ChangeBudget {
    max_files: Option<u64>,
    max_lines: Option<u64>,
    files: BTreeMap<String, FileChange>,
}

/// A budget that is used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum OverBudget {
    #[error(
        "the session would change {would} files; policy.max_files_changed allows {limit}. Undo something, or ask the user to raise it"
    )]
    Files { would: u64, limit: u64 },
    #[error(
        "the session would change {would} lines; policy.max_lines_changed allows {limit}. Undo something, or ask the user to raise it"
    )]
    Lines { would: u64, limit: u64 },
}

impl ChangeBudget {
    pub fn new(policy: &Policy) -> Self {
        Self {
            max_files: policy.max_files_changed,
            max_lines: policy.max_lines_changed,
            files: BTreeMap::new(),
        }
    }

    /// Whether the file may change in this way; records nothing.
    pub fn check(&self, path: &str, change: FileChange) -> Result<(), OverBudget> {
        let mut after = self.clone();
        after.record(path, change);
        after.verify()
    }

    /// Note how a file now differs from the session's start.
    pub fn record(&mut self, path: &str, change: FileChange) {
        if change == FileChange::default() {
            self.files.remove(path);
        } else {
            self.files.insert(path.to_owned(), change);
        }
    }

    /// Replace everything with a fresh measurement, for instance after a shell command.
    pub fn replace(&mut self, changes: impl IntoIterator<Item = (String, FileChange)>) {
        self.files = changes.into_iter().collect();
    }

    /// Whether what was recorded is within the budget.
    pub fn verify(&self) -> Result<(), OverBudget> {
        let files = self.files_changed();
        if let Some(limit) = self.max_files.filter(|limit| files > *limit) {
            return Err(OverBudget::Files { would: files, limit });
        }
        let lines = self.lines_changed();
        if let Some(limit) = self.max_lines.filter(|limit| lines > *limit) {
            return Err(OverBudget::Lines { would: lines, limit });
        }
        Ok(())
    }

    pub fn is_limited(&self) -> bool {
        self.max_files.is_some() || self.max_lines.is_some()
    }

    pub fn files_changed(&self) -> u64 {
        self.files.len() as u64
    }

    pub fn lines_changed(&self) -> u64 {
        self.files
            .values()
            .fold(0, |sum, change| sum.saturating_add(change.added).saturating_add(change.removed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(files: u64, lines: u64) -> ChangeBudget {
        ChangeBudget::new(&Policy {
            max_files_changed: Some(files),
            max_lines_changed: Some(lines),
            ..Policy::default()
        })
    }

    #[test]
    fn editing_a_file_twice_counts_once_and_reverting_it_gives_the_budget_back() {
        let mut budget = budget(1, 10);
        budget.record("a.c", FileChange { added: 3, removed: 1 });
        budget.record("a.c", FileChange { added: 6, removed: 4 });
        assert_eq!(budget.verify(), Ok(()));
        assert_eq!(
            budget.check("b.c", FileChange { added: 1, removed: 0 }),
            Err(OverBudget::Files { would: 2, limit: 1 })
        );
        budget.record("a.c", FileChange::default());
        assert_eq!(budget.check("b.c", FileChange { added: 1, removed: 0 }), Ok(()));
    }

    #[test]
    fn lines_over_all_files_are_bounded() {
        let mut budget = budget(10, 10);
        budget.replace([
            ("a".to_owned(), FileChange { added: 5, removed: 0 }),
            ("b".to_owned(), FileChange { added: 5, removed: 1 }),
        ]);
        assert_eq!(budget.verify(), Err(OverBudget::Lines { would: 11, limit: 10 }));
    }
}
