//! Which paths of the project may be written: the protected ones never, and outside the allowed ones nothing.
//!
//! Some paths are protected whatever a policy says: git's own files, because they run programs, and what
//! fwai itself relies on (configuration, keys, evidence, sessions). They are recognised under every name
//! that some file system would take for theirs.

use fwai_schema::policy::Policy;
use globset::{GlobBuilder, GlobMatcher};

/// A glob of a policy that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
#[error("the glob `{pattern}` in `{place}` is wrong: {why}; see `fwai help policy` for the syntax")]
pub struct GlobProblem {
    pub pattern: String,
    pub place: String,
    pub why: String,
}

/// Entries of `.fwai` that commands and file tools may not touch. Everything else in it (plans, boards,
/// scratch) is fwai's own business too; the sandbox keeps the whole directory read-only.
pub const FWAI_PROTECTED: &[&str] = &[
    "config.yaml",
    "project.yaml",
    "policy.yaml",
    "keys",
    "log",
    "runs",
    "sessions",
    "tools",
    "skills",
    "agents",
    "prompts",
    "plugins",
    "kb",
    "hooks",
    "trust",
    "undo",
    "shadow",
];

/// Path rules of a policy, ready to be asked.
#[derive(Debug, Clone, Default)]
pub struct Protection {
    protected: Vec<(String, GlobMatcher)>,
    /// Each entry is a conjunction: all of its globs must match.
    allowed: Option<Vec<Vec<GlobMatcher>>>,
}

impl Protection {
    pub fn of(policy: &Policy) -> Result<Self, GlobProblem> {
        let mut protected = Vec::new();
        for pattern in &policy.protected_paths {
            for form in forms(pattern) {
                protected.push((pattern.clone(), glob(&form, "policy.protected_paths", true)?));
            }
        }
        let allowed = match &policy.allowed_paths {
            None => None,
            Some(patterns) => {
                let mut conjunctions = Vec::new();
                for pattern in patterns {
                    let mut alternatives: Vec<Vec<GlobMatcher>> = vec![Vec::new()];
                    for part in crate::merge::parts_of(pattern) {
                        let mut next = Vec::new();
                        for form in forms(part) {
                            let matcher = glob(&form, "policy.allowed_paths", false)?;
                            for alternative in &alternatives {
                                let mut longer = alternative.clone();
                                longer.push(matcher.clone());
                                next.push(longer);
                            }
                        }
                        alternatives = next;
                    }
                    conjunctions.extend(alternatives);
                }
                Some(conjunctions)
            }
        };
        Ok(Self { protected, allowed })
    }

    /// Why nothing may write `path` (project-relative), if so: the name of the rule and the reason.
    pub fn refusal(&self, path: &str) -> Option<(&'static str, String)> {
        if let Some(what) = always_protected(path) {
            return Some(("policy:protected_paths", format!("{path} is protected: {what}")));
        }
        if let Some((pattern, _)) = self.protected.iter().find(|(_, matcher)| matcher.is_match(path)) {
            return Some(("policy:protected_paths", format!("{path} is protected by `{pattern}`")));
        }
        let allowed = self.allowed.as_ref().is_none_or(|conjunctions| {
            conjunctions.iter().any(|globs| globs.iter().all(|matcher| matcher.is_match(path)))
        });
        if allowed {
            None
        } else {
            Some(("policy:allowed_paths", format!("{path} is not among the allowed paths")))
        }
    }

    pub fn may_write(&self, path: &str) -> bool {
        self.refusal(path).is_none()
    }

    /// Whether a user's glob (not a built-in) protects the path.
    pub fn is_protected_by_glob(&self, path: &str) -> bool {
        self.protected.iter().any(|(_, matcher)| matcher.is_match(path))
    }
}

/// A pattern protects what it names, everything below it, and without a slash the name in any directory.
fn forms(pattern: &str) -> Vec<String> {
    let pattern = pattern.trim().trim_start_matches("./");
    let anchored = pattern.trim_start_matches('/').trim_end_matches('/');
    if anchored.is_empty() || anchored == "." {
        return vec!["**".into()];
    }
    let mut forms = vec![anchored.to_owned(), format!("{anchored}/**")];
    if let Some(directory) = anchored.strip_suffix("/**") {
        forms.push(directory.to_owned());
    }
    if !pattern.contains('/') {
        forms.push(format!("**/{anchored}"));
        forms.push(format!("**/{anchored}/**"));
    }
    forms
}

pub(crate) fn glob(pattern: &str, place: &str, ignore_case: bool) -> Result<GlobMatcher, GlobProblem> {
    let built = GlobBuilder::new(pattern)
        .literal_separator(true)
        .case_insensitive(ignore_case)
        .backslash_escape(true)
        .build();
    match built {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(GlobProblem {
            pattern: pattern.to_owned(),
            place: place.to_owned(),
            why: error.kind().to_string(),
        }),
    }
}

/// What a path is when it is always protected.
pub fn always_protected(path: &str) -> Option<&'static str> {
    let names: Vec<String> = path.split('/').filter(|name| !name.is_empty()).map(folded_name).collect();
    for (index, name) in names.iter().enumerate() {
        if name == ".git" {
            return Some("git's own files can run programs");
        }
        if name == ".fwai" {
            return match names.get(index + 1) {
                None => Some("fwai's own directory"),
                Some(entry) if FWAI_PROTECTED.contains(&entry.as_str()) => {
                    Some("fwai's policy, keys and records")
                }
                Some(_) => None,
            };
        }
    }
    None
}

/// A name as the laxest file system would compare it: without case, without characters that some systems
/// ignore, without trailing dots and spaces, without stream suffixes, short names resolved.
fn folded_name(name: &str) -> String {
    let ignored = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{00ad}');
    let visible: String = name.chars().filter(|c| !ignored(*c)).flat_map(char::to_lowercase).collect();
    let without_stream = visible.split(':').next().unwrap_or_default();
    let trimmed = without_stream.trim_end_matches(['.', ' ']);
    match trimmed {
        "git~1" => ".git".into(),
        "fwai~1" => ".fwai".into(),
        // `.` and `..` never reach this point; a name of only dots stays what it is.
        "" => visible,
        name => name.to_owned(),
    }
}
