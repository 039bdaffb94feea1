//! Configuration, project file and policy: can they be read, and do they say what they may?

use super::{Check, Patient};
use crate::config;

pub fn examine(patient: &Patient<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    checks.push(match &patient.config {
        Ok(layered) if layered.warnings.is_empty() => Check::ok("configuration", "valid"),
        Ok(layered) => {
            let words: Vec<String> = layered.warnings.iter().map(ToString::to_string).collect();
            Check::warning("configuration", one_line(&words.join("; ")), "fwai config validate")
        }
        Err(words) => Check::problem("configuration", one_line(words), "fwai config validate"),
    });
    checks.push(match config::load_project(patient.paths) {
        Ok(Some((project, warnings))) if warnings.is_empty() => {
            let chip = project.target.mcu.as_deref().unwrap_or("no chip named");
            Check::ok("project", format!("{} ({chip})", project.name))
        }
        Ok(Some((_, warnings))) => {
            let words: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            Check::warning("project", one_line(&words.join("; ")), "fwai config validate .fwai/project.yaml")
        }
        Ok(None) => Check::warning("project", "no .fwai/project.yaml here", "fwai init"),
        Err(error) => {
            Check::problem("project", one_line(&error.to_string()), "fwai config validate .fwai/project.yaml")
        }
    });
    match config::load_policy_file(&patient.paths.policy_file(), patient.paths) {
        Ok(None) => {}
        Ok(Some(_)) => checks.push(Check::ok("policy", "valid")),
        Err(error) => checks.push(Check::problem(
            "policy",
            one_line(&error.to_string()),
            "fwai config validate .fwai/policy.yaml",
        )),
    }
    checks
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
