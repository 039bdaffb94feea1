//! From everything that was said to one answer a key.
//!
//! The order, from strong to weak: what a person stated for tools like this one (`EMBEDDER.md`), what a
//! generator wrote about the chip (`.ioc`), what the build itself reads (build files, presets, `sdkconfig`,
//! `platformio.ini`), what the last build did (`compile_commands.json`), what the debugger is told, names of
//! files, prose. Confidence carries that order; of two equal ones the detector that stands earlier in
//! [`super::detectors::DETECTORS`] wins. A chip's name may then be refined: `STM32F407xx` of a definition becomes
//! the `STM32F407VGTx` of a linker script, because both can be true and the second says more.

use fwai_schema::finding::Finding;
use fwai_schema::project::MemoryRegion;

use super::chips;
use super::findings::{Candidate, Findings, KEYS, MANY};
use crate::linker_script::number;

/// One answer a key, and what spoke against it.
pub struct Resolved {
    pub findings: Vec<Finding>,
    pub alternatives: Vec<Finding>,
}

pub fn resolve(found: &Findings) -> Resolved {
    let system = best(found.candidates.iter().filter(|candidate| candidate.key == "build_system"));
    let system_name = system.map(|candidate| candidate.value.clone());
    let counts =
        |candidate: &&Candidate| candidate.system.is_none_or(|system| system_name.as_deref() == Some(system));
    let mut findings = Vec::new();
    let mut alternatives = Vec::new();
    for key in KEYS {
        let candidates: Vec<&Candidate> =
            found.candidates.iter().filter(|candidate| candidate.key == *key).filter(counts).collect();
        if MANY.contains(key) {
            let mut seen = std::collections::BTreeSet::new();
            findings.extend(
                candidates
                    .iter()
                    .filter(|candidate| seen.insert(&candidate.value))
                    .take(32)
                    .map(|candidate| finding(candidate)),
            );
            continue;
        }
        let Some(mut winner) = best(candidates.iter().copied()) else { continue };
        if *key == "mcu" {
            winner = refine(winner, &candidates);
        }
        let mut others: Vec<&Candidate> = Vec::new();
        for candidate in &candidates {
            let differs = match *key {
                "mcu" => !chips::compatible(&candidate.value, &winner.value),
                _ => !candidate.value.eq_ignore_ascii_case(&winner.value),
            };
            if differs
                && candidate.confidence >= 0.5
                && others.iter().all(|other| other.value != candidate.value)
            {
                others.push(candidate);
            }
        }
        others.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
        alternatives.extend(others.into_iter().take(5).map(finding));
        findings.push(finding(winner));
        if *key == "mcu" {
            let known = found.candidates.iter().any(|candidate| candidate.key == "arch");
            if let Some(family) = chips::family(&winner.value).filter(|_| !known) {
                findings.push(Finding {
                    key: "arch".into(),
                    value: family.arch.clone(),
                    confidence: (winner.confidence * 95.0).round() / 100.0,
                    ..finding(winner)
                });
            }
        }
    }
    findings.sort_by_key(|finding| KEYS.iter().position(|key| *key == finding.key));
    Resolved { findings, alternatives }
}

/// Memory regions again as numbers.
pub fn regions(findings: &[Finding]) -> Vec<MemoryRegion> {
    findings
        .iter()
        .filter(|finding| finding.key == "memory_region")
        .filter_map(|finding| region(&finding.value))
        .collect()
}

/// Reads what [`super::linker_script::describe`] writes.
fn region(text: &str) -> Option<MemoryRegion> {
    let (head, rest) = text.split_once(" : ORIGIN = ")?;
    let (origin, length) = rest.split_once(", LENGTH = ")?;
    let (name, attributes) =
        head.split_once(" (").map_or((head, None), |(name, rest)| (name, Some(rest.trim_end_matches(')'))));
    Some(MemoryRegion {
        name: name.to_owned(),
        origin: number(origin.trim())?,
        length: number(length.trim())?,
        attributes: attributes.map(str::to_owned),
    })
}

fn best<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<&'a Candidate> {
    let mut best: Option<&Candidate> = None;
    for candidate in candidates {
        if best.is_none_or(|best| candidate.confidence > best.confidence) {
            best = Some(candidate);
        }
    }
    best
}

/// The most precise name that can still mean the same chip.
fn refine<'a>(winner: &'a Candidate, candidates: &[&'a Candidate]) -> &'a Candidate {
    // Only where the longer name is the same chip: `ESP32` and `ESP32-S3` are not.
    let family = winner.value.to_ascii_lowercase();
    if !["stm32", "gd32", "at32", "atsam", "mk", "lpc", "r7fa"]
        .iter()
        .any(|prefix| family.starts_with(prefix))
    {
        return winner;
    }
    let mut chosen = winner;
    for candidate in candidates {
        if candidate.confidence >= 0.38
            && chips::compatible(&winner.value, &candidate.value)
            && chips::compatible(&chosen.value, &candidate.value)
            && chips::precision(&candidate.value) > chips::precision(&chosen.value)
        {
            chosen = candidate;
        }
    }
    chosen
}

fn finding(candidate: &Candidate) -> Finding {
    Finding {
        key: candidate.key.to_owned(),
        value: candidate.value.clone(),
        file: Some(candidate.at.file.clone()),
        line: Some(candidate.at.line.max(1)),
        confidence: (candidate.confidence * 100.0).round() / 100.0,
    }
}
