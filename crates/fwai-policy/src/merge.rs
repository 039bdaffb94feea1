//! Policies as a lattice: [`meet`] of two policies is a policy that is at least as strict as each, so the
//! order in which bounds arrive does not matter and no bound can be argued away by a later one.
//!
//! A list of allowed things meets another one as a disjunction of conjunctions: `src/** && *.c` in the
//! result means that both patterns must match. Absorption keeps the form canonical.

use fwai_schema::policy::{FlashGuard, NetworkPolicy, Policy, Rule, RuleVerdict, SandboxRequirement};
use std::collections::BTreeSet;

const AND: &str = " && ";
/// In a list of trusted keys that excludes every key.
const NO_KEY: &str = "none";

/// The policy that satisfies both. Commutative, associative, idempotent (on [`normalized`] policies), and
/// never looser than either: allow rules survive only where both have them.
pub fn meet(a: &Policy, b: &Policy) -> Policy {
    let allow_a: BTreeSet<RuleKey> = keys(a, true);
    let allow_b: BTreeSet<RuleKey> = keys(b, true);
    let mut rules: BTreeSet<RuleKey> = keys(a, false).union(&keys(b, false)).cloned().collect();
    rules.extend(allow_a.intersection(&allow_b).cloned());
    Policy {
        protected_paths: union(&a.protected_paths, &b.protected_paths),
        allowed_paths: meet_allowed(&a.allowed_paths, &b.allowed_paths),
        max_files_changed: least(a.max_files_changed, b.max_files_changed),
        max_lines_changed: least(a.max_lines_changed, b.max_lines_changed),
        blocked_tools: union(&a.blocked_tools, &b.blocked_tools),
        allowed_tools: meet_allowed(&a.allowed_tools, &b.allowed_tools),
        flash_guard: FlashGuard {
            require_confirmation: a.flash_guard.require_confirmation || b.flash_guard.require_confirmation,
            require_build_success: a.flash_guard.require_build_success || b.flash_guard.require_build_success,
        },
        network: NetworkPolicy {
            allowed_hosts: meet_allowed(&a.network.allowed_hosts, &b.network.allowed_hosts),
            blocked_hosts: union(&a.network.blocked_hosts, &b.network.blocked_hosts),
            allow_private: a.network.allow_private && b.network.allow_private,
        },
        sandbox: strictest_sandbox(a.sandbox, b.sandbox),
        rules: rules.into_iter().map(|key| key.0).collect(),
        trusted_keys: meet_keys(&a.trusted_keys, &b.trusted_keys),
        compliance: {
            let all: BTreeSet<_> = a.compliance.iter().chain(&b.compliance).copied().collect();
            all.into_iter().collect()
        },
    }
}

/// `policy`, held within `bound` (an organisation's policy, a standard's preset). The user's own allow rules
/// stay, since they only skip questions; those of the bound have no effect, since a bound can only tighten.
pub fn bounded_by(policy: &Policy, bound: &Policy) -> Policy {
    let mut silent = bound.clone();
    silent.rules.retain(|rule| rule.verdict != RuleVerdict::Allow);
    silent.rules.extend(policy.rules.iter().filter(|rule| rule.verdict == RuleVerdict::Allow).cloned());
    meet(policy, &silent)
}

/// The same policy in its canonical form.
pub fn normalized(policy: &Policy) -> Policy {
    meet(policy, policy)
}

/// The patterns that must all match for one entry of a list of allowed things.
pub fn parts_of(entry: &str) -> impl Iterator<Item = &str> {
    entry.split(AND).map(str::trim)
}

fn meet_allowed(a: &Option<Vec<String>>, b: &Option<Vec<String>>) -> Option<Vec<String>> {
    let (a, b) = match (a, b) {
        (None, None) => return None,
        (Some(one), None) | (None, Some(one)) => return Some(rendered(&absorbed(conjunctions(one)))),
        (Some(a), Some(b)) => (conjunctions(a), conjunctions(b)),
    };
    let product = a.iter().flat_map(|x| b.iter().map(move |y| x.union(y).cloned().collect())).collect();
    Some(rendered(&absorbed(product)))
}

type Conjunction = BTreeSet<String>;

fn conjunctions(entries: &[String]) -> BTreeSet<Conjunction> {
    entries.iter().map(|entry| parts_of(entry).map(str::to_owned).collect()).collect()
}

/// Without the conjunctions that another one already implies.
fn absorbed(all: BTreeSet<Conjunction>) -> BTreeSet<Conjunction> {
    all.iter().filter(|one| !all.iter().any(|other| other != *one && other.is_subset(one))).cloned().collect()
}

fn rendered(all: &BTreeSet<Conjunction>) -> Vec<String> {
    all.iter().map(|parts| parts.iter().cloned().collect::<Vec<_>>().join(AND)).collect()
}

fn union(a: &[String], b: &[String]) -> Vec<String> {
    a.iter().chain(b).cloned().collect::<BTreeSet<_>>().into_iter().collect()
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// `off` is a statement that loosens, so it is the one that gives way; saying nothing means the default.
fn strictest_sandbox(
    a: Option<SandboxRequirement>,
    b: Option<SandboxRequirement>,
) -> Option<SandboxRequirement> {
    use SandboxRequirement::{Off, Required};
    match (a, b) {
        (Some(Required), _) | (_, Some(Required)) => Some(Required),
        (None, _) | (_, None) => None,
        (Some(Off), Some(Off)) => Some(Off),
    }
}

/// No list means that every key counts, so an empty intersection needs a name of its own.
fn meet_keys(a: &[String], b: &[String]) -> Vec<String> {
    let set = |keys: &[String]| -> BTreeSet<String> {
        let real: BTreeSet<String> = keys.iter().filter(|key| *key != NO_KEY).cloned().collect();
        if real.is_empty() && !keys.is_empty() { BTreeSet::from([NO_KEY.to_owned()]) } else { real }
    };
    let (a, b) = (set(a), set(b));
    let both: BTreeSet<String> = match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => {
            let common: BTreeSet<String> = a.intersection(&b).cloned().collect();
            if common.is_empty() { BTreeSet::from([NO_KEY.to_owned()]) } else { common }
        }
    };
    both.into_iter().collect()
}

/// A rule with an order, so that sets of rules have one canonical form.
#[derive(Clone, PartialEq, Eq)]
struct RuleKey(Rule);

impl RuleKey {
    fn order(&self) -> RuleOrder<'_> {
        let Rule { tool, command, path, verdict, reason, examples } = &self.0;
        let words = [tool, command, path, reason].map(Option::as_deref);
        (*verdict, words, [&examples.matches, &examples.not_matches])
    }
}

type RuleOrder<'r> = (RuleVerdict, [Option<&'r str>; 4], [&'r Vec<String>; 2]);

impl PartialOrd for RuleKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RuleKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

fn keys(policy: &Policy, allowing: bool) -> BTreeSet<RuleKey> {
    let wanted = |rule: &&Rule| (rule.verdict == RuleVerdict::Allow) == allowing;
    policy.rules.iter().filter(wanted).cloned().map(RuleKey).collect()
}
