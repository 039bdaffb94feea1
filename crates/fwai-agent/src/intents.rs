//! Free words to a skill: exact, then by keywords, then (where one is set) by the model.
//!
//! At [`Thresholds::run`] and above the skill runs, at [`Thresholds::ask`] and above the user is asked, below the
//! words go to the agent. A text that says no ("don't flash", 不要燒錄) never runs anything, a question is talk,
//! and a skill that flashes is never run by words that do not say so.

pub mod concepts;
pub mod model;
pub mod normalise;
pub mod reading;

use fwai_schema::skill::{SkillDef, Step};
use normalise::{MOST, core, is_han, normalised};
use reading::{Reading, read, take};
use serde::Serialize;
use std::collections::BTreeSet;

/// Two scores that are closer than this are equal.
const EQUAL: f64 = 0.05;
/// What a guess by words can reach; only exact words are certain.
const BEST_GUESS: f64 = 0.95;
/// Sure enough to ask, never sure enough to run.
const ASK_FIRST: f64 = 0.79;
/// Not even worth a question.
const TALK: f64 = 0.55;

/// A skill as its words describe it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    pub description: String,
    pub triggers: Vec<String>,
    pub keywords: Vec<String>,
    /// It writes to a board.
    pub flashes: bool,
}

impl Candidate {
    pub fn of(skill: &SkillDef) -> Self {
        let flashes = |step: &Step| matches!(step.tool.as_deref(), Some("flash_board" | "flash"));
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            triggers: skill.triggers.clone(),
            keywords: skill.keywords.clone(),
            flashes: skill.steps.iter().any(flashes),
        }
    }
}

/// From where on a skill runs, or is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    pub run: f64,
    pub ask: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { run: 0.8, ask: 0.6 }
    }
}

/// What is to be done with the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    Run {
        skill: String,
    },
    /// The likeliest first.
    Ask {
        skills: Vec<String>,
    },
    Chat,
}

/// Which layer decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    Exact,
    Keyword,
    Model,
}

/// How well a skill fits, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    pub skill: String,
    pub confidence: f64,
    pub layer: Layer,
    pub why: String,
}

/// The words, understood.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resolution {
    #[serde(flatten)]
    pub verdict: Verdict,
    pub layer: Layer,
    /// The words without politeness, in one form.
    pub core: String,
    pub negated: bool,
    pub question: bool,
    /// The word that says no or asks, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// Best first.
    pub scores: Vec<Score>,
}

/// Understands words by themselves: exact, then by keywords. Costs no model call.
pub fn resolve(text: &str, candidates: &[Candidate], thresholds: Thresholds) -> Resolution {
    let normal = normalised(text);
    let polite = is_polite_request(&normal);
    let mut core = core(&normal);
    // 可以幫我燒錄嗎 asks for a deed, not for an answer.
    if polite {
        for ending in ["好吗", "可以吗", "行吗", "吗"] {
            if let Some(request) = core.strip_suffix(ending) {
                core = request.trim_end().to_owned();
                break;
            }
        }
    }
    let mut resolution = Resolution {
        verdict: Verdict::Chat,
        layer: Layer::Keyword,
        core: core.clone(),
        negated: false,
        question: false,
        doubt: None,
        scores: Vec::new(),
    };
    // Whoever writes much, or several lines, tells a task.
    if core.is_empty() || normal.chars().count() > MOST || text.trim().lines().count() > 1 {
        return resolution;
    }
    let asks = normal.ends_with('?') && !polite || normal.contains("请问") || normal.contains("请教");
    if let Some((found, phrase)) = candidates.iter().find_map(|one| Some((one, exact(&core, one)?))) {
        resolution.layer = Layer::Exact;
        // "Why does it not boot?" is a trigger that asks; "build and flash?" is no order.
        let unsure = asks && !read(&phrase, false, &[]).question;
        let (confidence, why) = match unsure {
            true => (ASK_FIRST, "these are its name or one of its triggers, but as a question"),
            false => (1.0, "these are its name or one of its triggers"),
        };
        resolution.question = unsure;
        let (skill, why) = (found.name.clone(), why.to_owned());
        resolution.scores = vec![Score { skill, confidence, layer: Layer::Exact, why }];
        resolution.verdict = match unsure {
            true => verdict(&resolution.scores, thresholds),
            false => Verdict::Run { skill: found.name.clone() },
        };
        return resolution;
    }
    let own_words = own_words(candidates);
    let whole = read(&core, asks, &own_words);
    (resolution.negated, resolution.question) = (whole.negated, whole.question);
    resolution.doubt.clone_from(&whole.doubt);
    if asks && resolution.doubt.is_none() {
        resolution.doubt = Some("?".to_owned());
    }
    let mut scores: Vec<Score> = candidates
        .iter()
        .map(|candidate| {
            let (confidence, why) = keyword_score(&core, asks, &whole, candidate, candidates, &own_words);
            Score { skill: candidate.name.clone(), confidence, layer: Layer::Keyword, why }
        })
        .filter(|score| score.confidence > 0.0)
        .collect();
    scores.sort_by(|one, other| {
        other.confidence.total_cmp(&one.confidence).then_with(|| one.skill.cmp(&other.skill))
    });
    resolution.verdict = verdict(&scores, thresholds);
    resolution.scores = scores;
    resolution
}

/// What scores mean: run the best, ask between equals, or neither.
pub(crate) fn verdict(scores: &[Score], thresholds: Thresholds) -> Verdict {
    let Some(best) = scores.first().filter(|best| best.confidence >= thresholds.ask) else {
        return Verdict::Chat;
    };
    let near =
        |score: &&Score| best.confidence - score.confidence < EQUAL && score.confidence >= thresholds.ask;
    let equal: Vec<String> = scores.iter().filter(near).map(|score| score.skill.clone()).collect();
    match best.confidence >= thresholds.run && equal.len() == 1 {
        true => Verdict::Run { skill: best.skill.clone() },
        false => Verdict::Ask { skills: equal },
    }
}

/// The name or trigger that the words are, in its core form.
fn exact(core: &str, candidate: &Candidate) -> Option<String> {
    let wanted = without_run(core);
    std::iter::once(&candidate.name)
        .chain(&candidate.triggers)
        .map(|phrase| self::core(&normalised(phrase)))
        .find(|phrase| !phrase.is_empty() && (phrase == core || phrase == wanted))
}

/// "run build_and_test" is "build_and_test".
fn without_run(core: &str) -> &str {
    let mut rest = core;
    for word in
        ["run the skill ", "run skill ", "run ", "execute ", "start ", "use the skill ", "执行", "运行", "跑"]
    {
        if let Some(after) = rest.strip_prefix(word) {
            rest = after.trim_start();
            break;
        }
    }
    rest.strip_suffix(" skill").unwrap_or(rest)
}

/// "Could you build it?" asks for a deed.
fn is_polite_request(normal: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "could you",
        "can you",
        "would you",
        "will you",
        "please",
        "可以帮",
        "能不能",
        "可不可以",
        "能帮",
        "可否",
        "请",
        "麻烦",
        "帮我",
        "拜托",
    ];
    // 編譯並燒錄，好嗎？
    const ENDINGS: &[&str] = &[",好吗", ",可以吗", ",行吗", ", please"];
    let asks_to_be_told = normal.starts_with("请问") || normal.starts_with("请教");
    let said = normal.trim_end_matches(['?', '!', '.']);
    !asks_to_be_told
        && (BEGINNINGS.iter().any(|beginning| normal.starts_with(beginning))
            || ENDINGS.iter().any(|ending| said.ends_with(ending)))
}

/// Words of skills that the table of meanings does not have.
fn own_words(candidates: &[Candidate]) -> Vec<String> {
    let words =
        candidates.iter().flat_map(|candidate| &candidate.keywords).map(|word| core(&normalised(word)));
    let unknown: BTreeSet<String> =
        words.filter(|word| !word.is_empty() && concepts::concept_of(word) == word).collect();
    unknown.into_iter().collect()
}

fn concepts_of(candidate: &Candidate) -> BTreeSet<String> {
    let words = candidate.keywords.iter().map(|word| core(&normalised(word)));
    words.filter(|word| !word.is_empty()).map(|word| concepts::concept_of(&word).to_owned()).collect()
}

fn keyword_score(
    core: &str,
    asks: bool,
    whole: &Reading,
    candidate: &Candidate,
    all: &[Candidate],
    own_words: &[String],
) -> (f64, String) {
    let by_trigger = candidate
        .triggers
        .iter()
        .filter_map(|trigger| by_trigger(core, asks, trigger, own_words))
        .fold(None, |best: Option<(f64, String)>, one| match best {
            Some(best) if best.0 >= one.0 => Some(best),
            _ => Some(one),
        });
    let by_words = by_words(whole, candidate, all);
    let (mut confidence, mut why) = match by_trigger {
        Some(found) if found.0 >= by_words.0 => found,
        _ => by_words,
    };
    if confidence > ASK_FIRST && candidate.flashes && !whole.concepts.contains("flash") {
        confidence = ASK_FIRST;
        why.push_str("; it writes to a board, and nobody spoke of that");
    }
    if let Some((said, meant)) = whole.slip.as_ref().filter(|_| confidence > 0.0) {
        confidence = confidence.min(ASK_FIRST);
        why.push_str(&format!("; \u{201c}{said}\u{201d} may mean {meant}"));
    }
    ((confidence * 100.0).round() / 100.0, why)
}

/// A trigger inside more words.
fn by_trigger(core: &str, asks: bool, trigger: &str, own_words: &[String]) -> Option<(f64, String)> {
    let phrase = self::core(&normalised(trigger));
    let mut rest = format!(" {core} ");
    if phrase.chars().count() < 3 || !take(&mut rest, &phrase) {
        return None;
    }
    let left = read(rest.trim(), asks, own_words);
    if left.negated || left.question {
        return Some((0.0, format!("has the trigger \u{201c}{trigger}\u{201d}, but {}", doubt(&left))));
    }
    let han = phrase.chars().filter(|c| is_han(*c)).count();
    let words = phrase.split_whitespace().filter(|word| !concepts::STOP_WORDS.contains(word)).count();
    let matched = if han > 0 { han.div_ceil(2) } else { words.max(1) };
    let unknown = left.unknown + left.concepts.len();
    let why = match unknown {
        0 => format!("has the trigger \u{201c}{trigger}\u{201d}"),
        _ => format!("has the trigger \u{201c}{trigger}\u{201d} beside {unknown} other words"),
    };
    Some((BEST_GUESS * share(matched, unknown), why))
}

fn by_words(whole: &Reading, candidate: &Candidate, all: &[Candidate]) -> (f64, String) {
    let own = concepts_of(candidate);
    let matched: Vec<&String> = own.intersection(&whole.concepts).collect();
    if matched.is_empty() {
        return (0.0, String::new());
    }
    let words = matched.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ");
    if whole.negated || whole.question {
        return (0.0, format!("speaks of {words}, but {}", doubt(whole)));
    }
    let others = |concept: &str| all.iter().filter(|one| concepts_of(one).contains(concept)).count().max(1);
    let special = matched.iter().map(|word| 1.0 / others(word) as f64).fold(0.0, f64::max);
    let recall = matched.len() as f64 / own.len() as f64;
    // An error beside one deed is a complaint about it: "compile error".
    let deeds = matched.iter().filter(|word| word.as_str() != "error").count();
    let several = if deeds > 1 { 0.25 } else { 0.0 };
    let unknown = whole.unknown + whole.concepts.len() - matched.len();
    let mut confidence =
        (0.4 + 0.25 * special + 0.1 * recall + several).min(BEST_GUESS) * share(matched.len(), unknown);
    if recall < 1.0 && matched.iter().all(|word| concepts::VAGUE.contains(&word.as_str())) {
        confidence = confidence.min(TALK);
    }
    let why = match unknown {
        0 => format!("speaks of {words}"),
        _ => format!("speaks of {words} beside {unknown} other words"),
    };
    (confidence, why)
}

/// How much of what was said fits.
fn share(matched: usize, unknown: usize) -> f64 {
    (matched as f64 + 0.3) / ((matched + unknown) as f64 + 0.3)
}

fn doubt(reading: &Reading) -> &'static str {
    if reading.negated { "it says no" } else { "it is a question or a story" }
}

#[cfg(test)]
mod tests;
