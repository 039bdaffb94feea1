//! Runs one rule at one place: is there a secret, is there none, or must more text come?

use regex_automata::{Anchored, Input, hybrid::dfa::Cache};

use super::{
    judge,
    rule::{Anchor, Rule},
};

/// How far before a keyword its name may begin; streams keep at least this much of what they gave out.
pub(super) const LOOK_BACK: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Nothing,
    /// The text ends before the rule is decided.
    Undecided,
    Secret {
        start: usize,
        end: usize,
    },
}

/// `complete` says that no text will follow.
pub(super) fn evaluate(
    rule: &Rule,
    cache: &mut Option<Cache>,
    text: &[u8],
    keyword: usize,
    complete: bool,
) -> Outcome {
    let start = match rule.anchor {
        Anchor::Keyword => keyword,
        Anchor::Name => name_start(text, keyword),
    };
    let end = match match_end(rule, cache, text, start, complete) {
        Ok(Some(end)) => end,
        Ok(None) => return Outcome::Nothing,
        Err(Undecided) => return Outcome::Undecided,
    };
    let (from, to) = secret_group(rule, text, start, end);
    // Lines behind a secret are not part of it.
    let to = from + text[from..to.max(from)].trim_ascii_end().len();
    if from >= to || !judge::is_secret(rule, &text[start..from], &text[from..to]) {
        return Outcome::Nothing;
    }
    // Only what comes after the keyword's first byte can still be taken back from a stream.
    Outcome::Secret { start: from.max(keyword), end: to }
}

fn name_start(text: &[u8], keyword: usize) -> usize {
    let lowest = keyword.saturating_sub(LOOK_BACK);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    text[lowest..keyword].iter().rposition(|byte| !is_name(byte)).map_or(lowest, |at| lowest + at + 1)
}

struct Undecided;

/// Steps the automaton from `start` until it is dead, which decides the match whatever follows.
fn match_end(
    rule: &Rule,
    cache: &mut Option<Cache>,
    text: &[u8],
    start: usize,
    complete: bool,
) -> Result<Option<usize>, Undecided> {
    let dfa = &rule.compiled().dfa;
    let cache = cache.get_or_insert_with(|| dfa.create_cache());
    let capped = start.saturating_add(rule.max_len) <= text.len();
    let limit = text.len().min(start.saturating_add(rule.max_len));
    let input = Input::new(text).range(start..limit).anchored(Anchored::Yes);
    let Ok(mut state) = dfa.start_state_forward(cache, &input) else { return Ok(None) };
    let mut matched = None;
    for (at, byte) in text[start..limit].iter().enumerate() {
        let Ok(next) = dfa.next_state(cache, state, *byte) else { return Ok(matched) };
        state = next;
        if state.is_tagged() {
            if state.is_match() {
                matched = Some(start + at);
            } else if state.is_dead() || state.is_quit() {
                return Ok(matched);
            }
        }
    }
    if !complete && !capped {
        return Err(Undecided);
    }
    if let Ok(last) = dfa.next_eoi_state(cache, state)
        && last.is_match()
    {
        matched = Some(limit);
    }
    Ok(matched)
}

/// The first group that took part, or the whole match.
fn secret_group(rule: &Rule, text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let vm = &rule.compiled().captures;
    if vm.get_nfa().group_info().group_len(regex_automata::PatternID::ZERO) <= 1 {
        return (start, end);
    }
    let mut captures = vm.create_captures();
    let mut cache = vm.create_cache();
    // One byte more than the match, so that a look at what follows sees it.
    let input = Input::new(text).range(start..(end + 1).min(text.len())).anchored(Anchored::Yes);
    vm.search(&mut cache, &input, &mut captures);
    let group = (1..captures.group_len()).find_map(|index| captures.get_group(index));
    group.map_or((start, end), |span| (span.start, span.end.min(end)))
}
