//! Where fwai's files lie: the user's directory and the project's `.fwai`.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The places of one user in one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `$FWAI_HOME`, else `$XDG_CONFIG_HOME/fwai`, else `~/.config/fwai`.
    pub user: PathBuf,
    /// The directory that holds `.fwai`, or where one would be made.
    pub project: PathBuf,
}

impl Paths {
    /// The places for a command that runs in `start`: the nearest directory upwards that has a `.fwai`,
    /// else that of the git repository, else `start` itself.
    pub fn find(start: &Path) -> Self {
        let user = user_directory();
        Self { project: project_root(start, &user), user }
    }

    pub fn fwai(&self) -> PathBuf {
        self.project.join(".fwai")
    }

    pub fn user_config(&self) -> PathBuf {
        self.user.join("config.yaml")
    }

    pub fn project_config(&self) -> PathBuf {
        self.fwai().join("config.yaml")
    }

    pub fn project_file(&self) -> PathBuf {
        self.fwai().join("project.yaml")
    }

    pub fn policy_file(&self) -> PathBuf {
        self.fwai().join("policy.yaml")
    }

    pub fn sessions(&self) -> PathBuf {
        self.fwai().join("sessions")
    }

    /// `path` as people write it: relative to the project where it lies inside.
    pub fn display(&self, path: &Path) -> String {
        path.strip_prefix(&self.project).unwrap_or(path).display().to_string()
    }
}

/// The user's own directory of fwai.
pub fn user_directory() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FWAI_HOME")
        .or_else(|| set("XDG_CONFIG_HOME").map(|dir| dir.join("fwai")))
        .or_else(|| env::home_dir().map(|home| home.join(".config/fwai")))
        .unwrap_or_else(|| PathBuf::from(".fwai-user"))
}

fn project_root(start: &Path, user: &Path) -> PathBuf {
    let start = std::path::absolute(start).unwrap_or_else(|_| start.to_owned());
    // The user's own directory may itself be called `.fwai`; that makes its parent no project.
    let is_project = |dir: &&Path| dir.join(".fwai").is_dir() && dir.join(".fwai") != user;
    let marked = start.ancestors().find(is_project);
    let repository = || start.ancestors().find(|dir| dir.join(".git").exists());
    marked.or_else(repository).unwrap_or(&start).to_owned()
}
