//! What each standard adds to a policy. A preset is an ordinary policy that the merge applies as a bound, so
//! it can only tighten.

use crate::merge::meet;
use fwai_schema::policy::{Compliance, FlashGuard, Policy, Rule, RuleVerdict, SandboxRequirement};

/// The policy that a standard asks for.
pub fn preset(standard: Compliance) -> Policy {
    let guarded = Policy {
        flash_guard: FlashGuard { require_confirmation: true, require_build_success: true },
        sandbox: Some(SandboxRequirement::Required),
        compliance: vec![standard],
        ..loosest()
    };
    let ask = |command: &str, reason: &str| Rule {
        command: Some(command.into()),
        verdict: RuleVerdict::Ask,
        reason: Some(reason.into()),
        ..Rule::default()
    };
    match standard {
        // Changes stay small enough to be reviewed, and history is never rewritten unseen.
        Compliance::Iso26262 => Policy {
            max_files_changed: Some(20),
            max_lines_changed: Some(1000),
            rules: vec![ask(
                "git commit --amend",
                "ISO 26262-8 §7: a change under configuration management is not rewritten unseen",
            )],
            ..guarded
        },
        Compliance::Do178c => Policy {
            max_files_changed: Some(10),
            max_lines_changed: Some(500),
            rules: vec![
                ask("git commit", "DO-178C §7.2: a person releases each change into the baseline"),
                ask("git rebase", "DO-178C §7.2: a baseline is not rewritten unseen"),
            ],
            ..guarded
        },
        // Nothing private on the network, and no tool that fetches and runs code.
        Compliance::Iec62443 => Policy {
            network: fwai_schema::policy::NetworkPolicy { allow_private: false, ..loosest().network },
            rules: vec![
                ask("pip install", "IEC 62443-4-1 SM-9: third-party components are approved first"),
                ask("npm install", "IEC 62443-4-1 SM-9: third-party components are approved first"),
                ask("cargo install", "IEC 62443-4-1 SM-9: third-party components are approved first"),
            ],
            ..guarded
        },
    }
}

/// The policy with the presets of all standards that it names.
pub fn with_presets(policy: &Policy) -> Policy {
    let mut result = policy.clone();
    for standard in &policy.compliance {
        result = crate::merge::bounded_by(&result, &preset(*standard));
    }
    result
}

fn loosest() -> Policy {
    Policy {
        flash_guard: FlashGuard { require_confirmation: false, require_build_success: false },
        network: fwai_schema::policy::NetworkPolicy { allow_private: true, ..Default::default() },
        sandbox: Some(SandboxRequirement::Off),
        ..Policy::default()
    }
}

/// All presets at once, for `fwai policy show`.
pub fn strictest() -> Policy {
    [Compliance::Iso26262, Compliance::Do178c, Compliance::Iec62443]
        .into_iter()
        .map(preset)
        .reduce(|a, b| meet(&a, &b))
        .unwrap_or_default()
}
