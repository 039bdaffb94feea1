//! Rules that "always" wrote: one file for each project in the user's own directory, to be read and
//! changed by hand or with `fwai policy rules`.

use crate::{
    atomic,
    config::{ConfigError, load_policy_file},
    paths::Paths,
};
use fwai_schema::{document::edit::render, policy::Rule};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// The file of this project's remembered rules.
pub fn file(paths: &Paths) -> PathBuf {
    let root = paths.project.canonicalize().unwrap_or_else(|_| paths.project.clone());
    let digest = hex::encode(Sha256::digest(root.as_os_str().as_encoded_bytes()));
    paths.user.join("rules").join(format!("{}.yaml", &digest[..16]))
}

/// The rules, in the order in which they were written.
pub fn load(paths: &Paths) -> Result<Vec<Rule>, ConfigError> {
    Ok(load_policy_file(&file(paths), paths)?.map(|policy| policy.rules).unwrap_or_default())
}

/// Adds a rule unless it is there already.
pub fn add(paths: &Paths, rule: Rule) -> Result<(), ConfigError> {
    let mut rules = load(paths)?;
    if !rules.contains(&rule) {
        rules.push(rule);
        save(paths, &rules)?;
    }
    Ok(())
}

/// Takes the rule with this number (from 0) away; `None` where there is none.
pub fn remove(paths: &Paths, number: usize) -> Result<Option<Rule>, ConfigError> {
    let mut rules = load(paths)?;
    if number >= rules.len() {
        return Ok(None);
    }
    let rule = rules.remove(number);
    save(paths, &rules)?;
    Ok(Some(rule))
}

fn save(paths: &Paths, rules: &[Rule]) -> Result<(), ConfigError> {
    let path = file(paths);
    let mut text = format!("# What you answered with \"always\" in {}.\nrules:", paths.project.display());
    if rules.is_empty() {
        text.push_str(" []");
    }
    text.push('\n');
    for rule in rules {
        let value = serde_json::to_value(rule).expect("plain data");
        text.push_str(&format!("  - {}\n", render(&value)));
    }
    atomic::write(&path, text.as_bytes())
        .map_err(|source| ConfigError::Write { path: path.display().to_string(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::policy::RuleVerdict;

    #[test]
    fn rules_are_kept_shown_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let paths = Paths { user: directory.path().join("u"), project: directory.path().to_owned() };
        let rule = Rule {
            tool: Some("bash".into()),
            command: Some("make: \"x\", y".into()),
            verdict: RuleVerdict::Allow,
            ..Rule::default()
        };
        add(&paths, rule.clone()).unwrap();
        add(&paths, rule.clone()).unwrap();
        assert_eq!(load(&paths).unwrap(), std::slice::from_ref(&rule));
        assert_eq!(remove(&paths, 0).unwrap(), Some(rule));
        assert_eq!(remove(&paths, 0).unwrap(), None);
        assert!(load(&paths).unwrap().is_empty());
    }
}
