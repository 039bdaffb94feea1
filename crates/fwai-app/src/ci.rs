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

    /// A line that the system shows beside the source, where it has such a notation. `severity` is `error`,
    /// `warning` or `notice`.
    pub fn annotation(self, severity: &str, place: Option<(&str, u32)>, message: &str) -> Option<String> {
        if self != Self::GitHub {
            return None;
        }
        let place = match place {
            Some((file, line)) => format!(" file={},line={line}", property(file)),
            None => " title=fwai".to_owned(),
        };
        Some(format!("::{severity}{place}::{}", escaped(message)))
    }

    /// Lines around the output of a step that the system folds; `now` is in seconds.
    pub fn section(self, name: &str, begins: bool, now: u64) -> Option<String> {
        let plain: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        match (self, begins) {
            (Self::GitHub, true) => Some(format!("::group::{}", escaped(name))),
            (Self::GitHub, false) => Some("::endgroup::".to_owned()),
            (Self::GitLab, true) => Some(format!("\x1b[0Ksection_start:{now}:fwai_{plain}\r\x1b[0K{plain}")),
            (Self::GitLab, false) => Some(format!("\x1b[0Ksection_end:{now}:fwai_{plain}\r\x1b[0K")),
            (Self::Jenkins | Self::Generic, _) => None,
        }
    }
}

/// A text for a page in Markdown that can neither open a tag nor fetch a picture.
pub fn inert(text: &str) -> String {
    text.replace('<', "&lt;").replace("![", "!\\[")
}

/// A text after `::`; a line end in it would begin a command of its own.
fn escaped(message: &str) -> String {
    message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between commas.
fn property(value: &str) -> String {
    escaped(value).replace(':', "%3A").replace(',', "%2C")
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

    #[test]
    fn no_message_and_no_file_name_breaks_out_of_an_annotation() {
        let told = |file, message| CiSystem::GitHub.annotation("error", Some((file, 3)), message).unwrap();
        assert_eq!(told("src/a.c", "bad\n::set-env x"), "::error file=src/a.c,line=3::bad%0A::set-env x");
        assert_eq!(told("a,line=9::x.c", "m"), "::error file=a%2Cline=9%3A%3Ax.c,line=3::m");
        assert_eq!(CiSystem::GitHub.annotation("error", None, "m").unwrap(), "::error title=fwai::m");
        assert_eq!(CiSystem::GitLab.annotation("error", None, "m"), None);
    }

    #[test]
    fn sections_fold_where_the_system_can() {
        assert_eq!(CiSystem::GitHub.section("build", true, 5).unwrap(), "::group::build");
        let section = CiSystem::GitLab.section("build it", true, 5).unwrap();
        assert_eq!(section, "\x1b[0Ksection_start:5:fwai_build_it\r\x1b[0Kbuild_it");
        assert_eq!(CiSystem::Generic.section("build", true, 5), None);
    }
}
