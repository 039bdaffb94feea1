//! What one detector sees: the tree, and the directory that holds the build files.

use std::rc::Rc;

use super::source::Source;
use super::tree::{ProjectTree, join, normalise};

/// A project inside the tree. Usually its directory is the tree's root.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub tree: &'a ProjectTree,
    /// Relative to the tree's root; `""` is the root.
    pub dir: &'a str,
}

impl<'a> View<'a> {
    /// A file of the project's directory.
    pub fn text(&self, relative: &str) -> Option<Rc<Source>> {
        self.tree.text(&join(self.dir, relative))
    }

    /// The first of these files that exists.
    pub fn first(&self, names: &[&str]) -> Option<Rc<Source>> {
        names.iter().find_map(|name| self.text(name))
    }

    /// Listed files in and below the project's directory.
    pub fn files(&self) -> impl Iterator<Item = &'a str> {
        self.tree.under(self.dir)
    }

    /// Listed files with this extension, not deeper than `depth` levels below the project's directory.
    pub fn with_extension(&self, extension: &'a str, depth: usize) -> impl Iterator<Item = &'a str> {
        let level = |path: &str| path.matches('/').count();
        let base = if self.dir.is_empty() { 0 } else { level(self.dir) + 1 };
        self.files().filter(move |file| {
            level(file) <= base + depth
                && file.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
        })
    }

    /// A path as a build file writes it, from the tree's root; `None` when it leads elsewhere.
    pub fn resolve(&self, from: &str, path: &str) -> Option<String> {
        let path = path.trim().trim_matches(['"', '\'']);
        normalise(&join(from, path)).filter(|path| !path.is_empty())
    }

    /// The command, run in the project's directory.
    pub fn command(&self, command: &str) -> String {
        if self.dir.is_empty() { command.to_owned() } else { format!("cd {} && {command}", quoted(self.dir)) }
    }

    /// A path of the project's directory, seen from the tree's root.
    pub fn path(&self, relative: &str) -> String {
        join(self.dir, relative)
    }
}

/// A word that a shell takes as one, whatever stands in it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+,@%{}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
