//! The policy that holds: what the layers say and the user remembered, bounded by the project's own
//! policy file and by the organisation's. Each bound can only tighten.

use crate::{
    config::{ConfigError, load_policy_file},
    organisation,
    paths::Paths,
    remembered,
};
use fwai_policy::merge::bounded_by;
use fwai_schema::{config::Config, policy::Policy};
use std::path::PathBuf;
use thiserror::Error;

/// Why no policy could be made, which means that nothing may be done.
#[derive(Debug, Error, fwai_schema::Speak)]
pub enum PolicyError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(
        "the organisation's policy {org} cannot be read: {why}\n  next: fix `org_policy.source`, or ask whoever set it"
    )]
    Organisation { org: String, why: String },
}

/// The policy for this user in this project.
pub fn load(paths: &Paths, config: &Config) -> Result<Policy, PolicyError> {
    let mut policy = config.policy.clone();
    policy.rules.extend(remembered::load(paths)?);
    if let Some(project) = load_policy_file(&paths.policy_file(), paths)? {
        policy = bounded_by(&policy, &project);
    }
    if let Some(organisation) = organisation(paths, config)? {
        policy = bounded_by(&policy, &organisation);
    }
    Ok(policy)
}

fn organisation(paths: &Paths, config: &Config) -> Result<Option<Policy>, PolicyError> {
    let Some(source) = &config.org_policy.source else {
        return match config.org_policy.required {
            true => Err(PolicyError::Organisation {
                org: "(none)".into(),
                why: "`org_policy.required` is set, but no source is".into(),
            }),
            false => Ok(None),
        };
    };
    let unreadable = |why: String| PolicyError::Organisation { org: source.clone(), why };
    let found = if source.starts_with("https://") || source.starts_with("http://") {
        organisation::policy(paths, source).map(Some)
    } else {
        let file = match source.strip_prefix("~/").zip(std::env::home_dir()) {
            Some((below, home)) => home.join(below),
            None => paths.project.join(PathBuf::from(source)),
        };
        load_policy_file(&file, paths).map_err(|error| error.to_string())
    };
    match found {
        Ok(Some(policy)) => Ok(Some(policy)),
        Ok(None) => Err(unreadable("there is no such file".into())),
        // An optional policy that cannot be reached must not silently loosen anything either.
        Err(why) => Err(unreadable(why)),
    }
}
