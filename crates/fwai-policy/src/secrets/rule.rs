//! Secret rules: their data, the built-in list, and what configuration adds.

use std::sync::{Arc, OnceLock};

use regex_automata::{
    hybrid::dfa::DFA,
    meta,
    nfa::thompson::{self, NFA, pikevm::PikeVM},
    util::syntax,
};
use serde::Deserialize;

const BUILT_IN: &str = include_str!("rules.toml");

/// One kind of secret. The fields are explained at the head of `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub id: String,
    pub title: String,
    pub keywords: Vec<String>,
    pub pattern: String,
    #[serde(default)]
    pub ignore_case: bool,
    #[serde(default)]
    pub(super) anchor: Anchor,
    #[serde(default)]
    pub entropy: Option<f64>,
    #[serde(default)]
    pub(super) require: Vec<Requirement>,
    #[serde(default)]
    pub allow: Option<String>,
    #[serde(default)]
    pub allow_value: Option<String>,
    #[serde(default)]
    pub encoded: bool,
    #[serde(default = "default_max_len")]
    pub max_len: usize,
    /// Templates of text that holds such a secret, filled with random characters by the tests.
    #[serde(default)]
    pub samples: Vec<String>,
    /// Text that must not be taken for one.
    #[serde(default)]
    pub clean: Vec<String>,
    #[serde(skip)]
    compiled: OnceLock<Compiled>,
}

fn default_max_len() -> usize {
    1024
}

/// Where a rule's pattern starts, seen from its keyword.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Anchor {
    #[default]
    Keyword,
    /// At the start of the identifier that holds the keyword.
    Name,
}

/// What the text of a secret must be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Requirement {
    Digit,
    Mixed,
    Bytes,
}

/// A rule's automata; built when its first candidate is met, because most rules never meet one.
#[derive(Debug)]
pub(super) struct Compiled {
    pub dfa: DFA,
    pub captures: PikeVM,
    pub allow: Option<meta::Regex>,
    pub allow_value: Option<meta::Regex>,
}

impl Rule {
    pub(super) fn compiled(&self) -> &Compiled {
        self.compiled
            .get_or_init(|| compile(self).expect("rules are compiled once when they are loaded or tested"))
    }
}

fn byte_syntax() -> syntax::Config {
    syntax::Config::new().unicode(false).utf8(false)
}

fn compile(rule: &Rule) -> Result<Compiled, String> {
    let nfa = NFA::compiler()
        .syntax(byte_syntax())
        .configure(thompson::Config::new().utf8(false))
        .build(&rule.pattern)
        .map_err(|error| error.to_string())?;
    let dfa = DFA::builder()
        .configure(DFA::config().cache_capacity(1 << 22).skip_cache_capacity_check(true))
        .build_from_nfa(nfa.clone())
        .map_err(|error| error.to_string())?;
    let captures = PikeVM::new_from_nfa(nfa).map_err(|error| error.to_string())?;
    let allow = rule.allow.as_deref().map(byte_regex).transpose()?;
    let allow_value = rule.allow_value.as_deref().map(byte_regex).transpose()?;
    Ok(Compiled { dfa, captures, allow, allow_value })
}

fn byte_regex(pattern: &str) -> Result<meta::Regex, String> {
    meta::Regex::builder()
        .syntax(byte_syntax())
        .configure(meta::Config::new().utf8_empty(false))
        .build(pattern)
        .map_err(|error| error.to_string())
}

/// Why rules could not be used.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum RulesError {
    #[error(
        "security.patterns[{index}]: `{pattern}` is not a regular expression: {reason}; correct it in config.yaml"
    )]
    Pattern { index: usize, pattern: String, reason: String },
    #[error(
        "security.allow[{index}]: `{pattern}` is not a regular expression: {reason}; correct it in config.yaml"
    )]
    Allow { index: usize, pattern: String, reason: String },
    #[error(
        "security.patterns[{index}]: `{pattern}` also matches empty text, so it would redact everything; make it more exact"
    )]
    Empty { index: usize, pattern: String },
}

#[derive(Deserialize)]
struct RuleFile {
    rule: Vec<Rule>,
}

/// Every rule that applies: the built-in ones and what the configuration adds.
#[derive(Debug, Clone)]
pub struct RuleSet {
    pub(super) rules: Arc<Vec<Rule>>,
    /// `security.patterns`; matched within one line.
    pub(super) patterns: Vec<meta::Regex>,
    /// `security.allow`; matched against the text of the secret.
    pub(super) allow: Vec<meta::Regex>,
}

/// Name under which matches of `security.patterns` are reported.
pub(super) const CUSTOM: &str = "custom-pattern";
/// Name under which secrets that the program itself holds are reported.
pub(super) const KNOWN: &str = "known-secret";

impl RuleSet {
    /// The rules that come with fwai.
    pub fn builtin() -> Self {
        static RULES: OnceLock<Arc<Vec<Rule>>> = OnceLock::new();
        let rules = RULES.get_or_init(|| {
            let file: RuleFile = toml::from_str(BUILT_IN).expect("rules.toml is checked by the tests");
            Arc::new(file.rule)
        });
        Self { rules: rules.clone(), patterns: Vec::new(), allow: Vec::new() }
    }

    /// No rule at all: only secrets that the program holds are known.
    pub fn none() -> Self {
        Self { rules: Arc::default(), patterns: Vec::new(), allow: Vec::new() }
    }

    /// The built-in rules with `security.patterns` and `security.allow` of the configuration.
    pub fn with_config(patterns: &[String], allow: &[String]) -> Result<Self, RulesError> {
        let mut set = Self::builtin();
        for (index, pattern) in patterns.iter().enumerate() {
            let regex = byte_regex(pattern).map_err(|reason| RulesError::Pattern {
                index,
                pattern: pattern.clone(),
                reason,
            })?;
            if regex.is_match("") {
                return Err(RulesError::Empty { index, pattern: pattern.clone() });
            }
            set.patterns.push(regex);
        }
        for (index, pattern) in allow.iter().enumerate() {
            let regex = byte_regex(pattern).map_err(|reason| RulesError::Allow {
                index,
                pattern: pattern.clone(),
                reason,
            })?;
            set.allow.push(regex);
        }
        Ok(set)
    }

    /// The rules in order of priority.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Compiles every rule and says which one is wrong; for tests of the list.
    pub fn check(&self) -> Result<(), String> {
        self.rules
            .iter()
            .try_for_each(|rule| compile(rule).map(drop).map_err(|error| format!("{}: {error}", rule.id)))
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        Self::builtin()
    }
}
