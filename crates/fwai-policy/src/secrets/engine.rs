//! Rules and known secrets behind one filter: gives the spans of all secrets in a text.

use regex_automata::{Input, hybrid::dfa::Cache, util::pool::Pool};

use super::{
    encoding::{Dressed, Form, dress, undress},
    evaluate::{Outcome, evaluate},
    filter::{BROKEN, Entry, Filter},
    known::Known,
    rule::{CUSTOM, KNOWN, RuleSet},
};

/// A user's pattern holds for one line; a longer line is looked at in pieces of this size.
const LONGEST_LINE: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// Where the look that found it began; a stream that keeps the span back keeps this too.
    pub found_at: usize,
    /// Lower is more important; see [`Engine::rule_id`].
    pub rank: usize,
}

/// What a look at a text gave.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// In order, not overlapping.
    pub spans: Vec<Span>,
    /// From here on more text is needed.
    pub open: Option<usize>,
}

enum Target {
    Rule { rule: usize, form: Form },
    Known { secret: usize, dressed: Dressed },
}

type Caches = Vec<Option<Cache>>;

pub(super) struct Engine {
    pub rules: RuleSet,
    pub known: Vec<Known>,
    targets: Vec<Target>,
    filter: Filter,
    caches: Pool<Caches, Box<dyn Fn() -> Caches + Send + Sync>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("rules", &self.rules.rules.len())
            .field("known", &self.known.len())
            .finish()
    }
}

impl Engine {
    pub fn new(rules: RuleSet, known: Vec<Known>) -> Self {
        let mut targets = Vec::new();
        let mut entries = Vec::new();
        let mut add = |target: Target, text: Vec<u8>, fold: bool, broken: bool| {
            let id = targets.len() as u32 | if broken { BROKEN } else { 0 };
            entries.push(Entry::new(text, fold, id, broken));
            targets.push(target);
        };
        for (rule, data) in rules.rules.iter().enumerate() {
            for keyword in &data.keywords {
                let bytes = keyword.as_bytes();
                add(Target::Rule { rule, form: Form::Plain }, bytes.to_vec(), data.ignore_case, false);
                if data.encoded && bytes.len() >= 4 {
                    for dressed in dress(bytes) {
                        add(Target::Rule { rule, form: dressed.form }, dressed.text, dressed.fold, false);
                    }
                }
            }
        }
        for (secret, value) in known.iter().enumerate() {
            for dressed in value.forms() {
                let (text, fold, broken) = (dressed.text.clone(), dressed.fold, dressed.form != Form::Plain);
                add(Target::Known { secret, dressed }, text, fold, broken);
            }
        }
        let count = rules.rules.len();
        let make: Box<dyn Fn() -> Caches + Send + Sync> =
            Box::new(move || (0..count).map(|_| None).collect());
        Self { rules, known, targets, filter: Filter::new(entries), caches: Pool::new(make) }
    }

    pub fn rule_id(&self, rank: usize) -> &str {
        match rank {
            0 => KNOWN,
            1 => CUSTOM,
            rank => &self.rules.rules[rank - 2].id,
        }
    }

    /// Looks at `text` from `from` on; what stands before is context that was looked at earlier.
    /// `complete` says that no text will follow.
    pub fn look(&self, text: &[u8], from: usize, complete: bool) -> Looked {
        let mut looked = Looked::default();
        let mut caches = None;
        self.filter.candidates(text, from, |entry, start| {
            if start < from {
                return;
            }
            let (rank, outcome) = match &self.targets[(entry.id & !BROKEN) as usize] {
                Target::Known { secret, dressed } => {
                    (0, self.known[*secret].check(dressed, text, start, complete))
                }
                Target::Rule { rule, form } => {
                    let caches: &mut Caches = caches.get_or_insert_with(|| self.caches.get());
                    (rule + 2, self.try_rule(*rule, *form, &mut caches[*rule], text, start, complete))
                }
            };
            match outcome {
                Outcome::Nothing => {}
                Outcome::Undecided => looked.open = Some(looked.open.map_or(start, |open| open.min(start))),
                Outcome::Secret { start: from, end } => {
                    looked.spans.push(Span { start: from, end, found_at: start, rank });
                }
            }
        });
        if !complete && let Some(start) = self.filter.open_end(&text[from.min(text.len())..]) {
            let start = start + from;
            looked.open = Some(looked.open.map_or(start, |open| open.min(start)));
        }
        if !self.rules.patterns.is_empty() {
            self.match_lines(text, from, complete, &mut looked);
        }
        if !self.rules.allow.is_empty() {
            looked.spans.retain(|span| {
                let secret = &text[span.start..span.end];
                span.rank == 0 || !self.rules.allow.iter().any(|allow| allow.is_match(secret))
            });
        }
        merge(&mut looked.spans, text);
        looked
    }

    fn try_rule(
        &self,
        rule: usize,
        form: Form,
        cache: &mut Option<Cache>,
        text: &[u8],
        start: usize,
        complete: bool,
    ) -> Outcome {
        let rule = &self.rules.rules[rule];
        if form == Form::Plain {
            return evaluate(rule, cache, text, start, complete);
        }
        // A short look first: most places that look like the dressed keyword are something else.
        let longest = rule.keywords.iter().map(String::len).max().unwrap_or(0);
        let Some(beginning) = undress(form, text, start, longest) else { return Outcome::Nothing };
        let may_be = rule.keywords.iter().any(|keyword| {
            let shared = keyword.len().min(beginning.bytes.len());
            keyword.as_bytes()[..shared] == beginning.bytes[..shared]
        });
        if !may_be {
            return Outcome::Nothing;
        }
        let Some(undressed) = undress(form, text, start, rule.max_len) else { return Outcome::Nothing };
        let all_there = complete || !undressed.open;
        match evaluate(rule, cache, &undressed.bytes, 0, all_there) {
            Outcome::Secret { end, .. } => Outcome::Secret { start, end: undressed.ends[end - 1] },
            other => other,
        }
    }

    fn match_lines(&self, text: &[u8], from: usize, complete: bool, looked: &mut Looked) {
        let mut start = from;
        while start < text.len() {
            let rest = &text[start..];
            let length = rest.iter().take(LONGEST_LINE).position(|byte| *byte == b'\n').map(|at| at + 1);
            let length = match length {
                Some(length) => length,
                None if rest.len() >= LONGEST_LINE => LONGEST_LINE,
                None if complete => rest.len(),
                None => {
                    looked.open = Some(looked.open.map_or(start, |open| open.min(start)));
                    return;
                }
            };
            let line = &text[start..start + length];
            for pattern in &self.rules.patterns {
                for found in pattern.find_iter(Input::new(line)).filter(|found| !found.is_empty()) {
                    looked.spans.push(Span {
                        start: start + found.start(),
                        end: start + found.end(),
                        found_at: start,
                        rank: 1,
                    });
                }
            }
            start += length;
        }
    }
}

/// Sorts, joins overlapping spans under the most important rule, and keeps whole characters.
fn merge(spans: &mut Vec<Span>, text: &[u8]) {
    let is_inside_char = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    for span in spans.iter_mut() {
        while span.start > 0 && is_inside_char(span.start) {
            span.start -= 1;
        }
        while is_inside_char(span.end) {
            span.end += 1;
        }
    }
    spans.sort_unstable_by_key(|span| (span.start, span.rank));
    spans.dedup_by(|next, kept| {
        let overlaps = next.start < kept.end;
        if overlaps {
            kept.end = kept.end.max(next.end);
            kept.rank = kept.rank.min(next.rank);
            kept.found_at = kept.found_at.min(next.found_at);
        }
        overlaps
    });
}
