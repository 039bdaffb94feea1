//! Which CI system, if any, this process runs in, and where that system wants its summary.

use std::{env, fs::OpenOptions, io::Write, path::PathBuf};

/// A CI system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiSystem {
    GitHub,
    GitLab,
    Jenkins,
    /// Some other one that sets `CI`.
    Generic,
}

impl CiSystem {
    /// The system of this process, from the variables it sets.
    pub fn detect() -> Option<Self> {
        Self::from_variables(&|name| env::var(name).ok())
    }

    fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let on =
            |name: &str| variable(name).is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
        if on("GITHUB_ACTIONS") {
            Some(Self::GitHub)
        } else if on("GITLAB_CI") {
            Some(Self::GitLab)
        } else if on("JENKINS_URL") {
            Some(Self::Jenkins)
        } else if on("CI") {
            Some(Self::Generic)
        } else {
            None
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Jenkins => "jenkins",
            Self::Generic => "generic",
        }
    }

    /// Hands a Markdown summary to the system. True when it has a place for one.
    pub fn write_summary(self, markdown: &str) -> std::io::Result<bool> {
        let Some(file) = (self == Self::GitHub).then(|| env::var_os("GITHUB_STEP_SUMMARY")).flatten() else {
            return Ok(false);
        };
        let mut file = OpenOptions::new().append(true).create(true).open(PathBuf::from(file))?;
        writeln!(file, "{markdown}")?;
        Ok(true)
    }

    /// A line that the system shows beside the source, where it has such a notation.
    pub fn annotation(self, severity: &str, file: &str, line: u32, message: &str) -> Option<String> {
        let escaped = message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        (self == Self::GitHub).then(|| format!("::{severity} file={file},line={line}::{escaped}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_is_known_by_its_variable() {
        let with = |set: &'static [(&'static str, &'static str)]| {
            CiSystem::from_variables(&|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(with(&[("CI", "true"), ("GITHUB_ACTIONS", "true")]), Some(CiSystem::GitHub));
        assert_eq!(with(&[("CI", "true"), ("GITLAB_CI", "true")]), Some(CiSystem::GitLab));
        assert_eq!(with(&[("JENKINS_URL", "http://j")]), Some(CiSystem::Jenkins));
        assert_eq!(with(&[("CI", "1")]), Some(CiSystem::Generic));
        assert_eq!(with(&[("CI", "false")]), None);
        assert_eq!(with(&[]), None);
    }
}
