//! What models cost and how much they can read: data in `models.json`, which a user extends with
//! `provider.models` in `config.yaml`. A model that nobody knows costs "unknown", never nothing.

use crate::provider::Request;
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, ToolResultContent, Usage},
};
use std::{collections::BTreeMap, sync::OnceLock};

type Table = BTreeMap<String, ModelFacts>;

fn built_in() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| serde_json::from_str(include_str!("models.json")).expect("a test reads this file"))
}

/// Every model that fwai knows by itself.
pub fn known_models() -> impl Iterator<Item = (&'static str, &'static ModelFacts)> {
    built_in().iter().map(|(name, facts)| (name.as_str(), facts))
}

/// What is known of `model`; each fact that the user gives goes before ours.
pub fn facts_of(model: &str, users: &BTreeMap<String, ModelFacts>) -> ModelFacts {
    let ours = find(built_in(), model).cloned().unwrap_or_default();
    let Some(theirs) = find(users, model) else { return ours };
    ModelFacts {
        context_window: theirs.context_window.or(ours.context_window),
        max_output: theirs.max_output.or(ours.max_output),
        input: theirs.input.or(ours.input),
        output: theirs.output.or(ours.output),
        cache_read: theirs.cache_read.or(ours.cache_read),
        cache_write: theirs.cache_write.or(ours.cache_write),
        // A user who gives prices means them for every length.
        long_context: theirs.long_context.clone().or(ours.long_context.filter(|_| theirs.input.is_none())),
    }
}

/// The entry of a model by its name, without the maker's prefix (`anthropic/…`) and without what marks a
/// version of it (`…-20250929`, `…-latest`). A longer word after the name is another model: `gpt-5-mini` is
/// not `gpt-5`.
fn find<'a>(table: &'a Table, model: &str) -> Option<&'a ModelFacts> {
    if let Some(facts) = table.get(model) {
        return Some(facts);
    }
    let short = model.rsplit('/').next().unwrap_or(model);
    let fits = |name: &str| {
        short.strip_prefix(name).is_some_and(|rest| {
            let Some(tail) = rest.strip_prefix(['-', '@', ':']) else { return rest.is_empty() };
            // `v1` and numbers of a date; a single digit would be a version of its own (`opus-4-5`).
            tail == "latest"
                || (tail.len() >= 3 && tail.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.')))
        })
    };
    table.iter().filter(|(name, _)| fits(name)).max_by_key(|(name, _)| name.len()).map(|(_, facts)| facts)
}

/// US dollars of one call; `None` where a price that it needs, or the number of tokens, is not known.
pub fn cost_usd(facts: &ModelFacts, usage: &Usage) -> Option<f64> {
    let part = |tokens: u64, price: Option<f64>| match tokens {
        0 => Some(0.0),
        tokens => Some(tokens as f64 * price? / 1e6),
    };
    // Even a call without tokens has no price where none is known; and no call has none, so that the server
    // has not counted.
    facts.input?;
    if usage.total_input() + usage.output_tokens == 0 {
        return None;
    }
    let [input, output, read, write] = match &facts.long_context {
        Some(long) if usage.total_input() > long.above => {
            [long.input, long.output, long.cache_read, long.cache_write]
        }
        _ => [facts.input, facts.output, facts.cache_read, facts.cache_write],
    };
    // Cached tokens whose price nobody gives cost at most about what others do; rather too much than nothing.
    let prices = [input, output, read.or(input), write.or(input)];
    let tokens = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
    tokens.into_iter().zip(prices).map(|(tokens, price)| part(tokens, price)).sum()
}

/// A cost for people: `unknown` where it is.
pub fn show_cost(cost: Option<f64>) -> String {
    match cost {
        None => "unknown".into(),
        Some(cost) if cost != 0.0 && cost < 0.01 => format!("${cost:.5}"),
        Some(cost) => format!("${cost:.2}"),
    }
}

/// Tokens of an image, about what the large providers charge for one of usual size.
const IMAGE_TOKENS: u64 = 1600;
/// Tokens around a message or a tool that no text shows.
const FRAME_TOKENS: u64 = 6;

/// Tokens that a request will have, before it is sent. Rather too many than too few.
pub fn estimate_tokens(request: &Request) -> u64 {
    let system: u64 = request.system.iter().map(|part| estimate_text(part)).sum();
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| {
            let schema = tool.input_schema.to_string();
            estimate_text(&tool.name)
                + estimate_text(&tool.description)
                + estimate_text(&schema)
                + FRAME_TOKENS
        })
        .sum();
    let messages: u64 = request
        .messages
        .iter()
        .map(|message| FRAME_TOKENS + message.content.iter().map(estimate_block).sum::<u64>())
        .sum();
    system + tools + messages
}

fn estimate_block(block: &ContentBlock) -> u64 {
    match block {
        ContentBlock::Text { text } => estimate_text(text),
        ContentBlock::ToolUse { name, input, .. } => {
            estimate_text(name) + estimate_text(&input.to_string()) + FRAME_TOKENS
        }
        ContentBlock::ToolResult { content, .. } => {
            let part = |part: &ToolResultContent| match part {
                ToolResultContent::Text { text } => estimate_text(text),
                ToolResultContent::Image { .. } => IMAGE_TOKENS,
            };
            FRAME_TOKENS + content.iter().map(part).sum::<u64>()
        }
        ContentBlock::Thinking { data, .. } => estimate_text(&data.to_string()),
        ContentBlock::Image { .. } => IMAGE_TOKENS,
    }
}

/// Tokens of a text: about four characters each in Latin writing and code, about one in most others.
pub fn estimate_text(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    // Every byte that begins a character, and is not ASCII.
    let others = text.bytes().filter(|byte| *byte >= 0xc0).count() as u64;
    ascii.div_ceil(4) + others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_file_is_whole() {
        for (name, facts) in known_models() {
            assert!(facts.input.is_some() && facts.output.is_some(), "{name}");
            assert!(facts.context_window.is_some() && facts.max_output.is_some(), "{name}");
        }
    }

    #[test]
    fn versions_are_found_and_other_models_are_not() {
        let price = |model: &str| facts_of(model, &BTreeMap::new()).input;
        assert_eq!(price("claude-sonnet-4-5-20250929"), Some(3.0));
        assert_eq!(price("anthropic/claude-opus-4-5"), Some(5.0));
        assert_eq!(price("claude-opus-4-20250514"), Some(15.0));
        assert_eq!(price("gpt-5-mini-2025-08-07"), Some(0.25));
        assert_eq!(price("gpt-5-ultra"), None);
        assert_eq!(price("claude-opus-4-9"), None);
        assert_eq!(price("qwen3:8b"), None);
    }

    #[test]
    fn an_unknown_model_costs_unknown_and_never_nothing() {
        let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
        let facts = facts_of("my-own", &BTreeMap::new());
        assert_eq!(cost_usd(&facts, &usage), None);
        assert_eq!(cost_usd(&facts, &Usage::default()), None);
        assert_eq!(show_cost(None), "unknown");
    }

    #[test]
    fn a_user_extends_and_overrides() {
        let users = BTreeMap::from([
            ("my-own".to_owned(), ModelFacts { input: Some(0.0), output: Some(0.0), ..Default::default() }),
            ("gpt-5".to_owned(), ModelFacts { input: Some(1.0), ..Default::default() }),
        ]);
        let usage = Usage { input_tokens: 1_000_000, output_tokens: 1_000_000, ..Usage::default() };
        assert_eq!(cost_usd(&facts_of("my-own", &users), &usage), Some(0.0));
        assert_eq!(cost_usd(&facts_of("gpt-5", &users), &usage), Some(11.0));
    }

    #[test]
    fn cached_tokens_have_their_own_prices() {
        let facts = facts_of("claude-sonnet-4-5", &BTreeMap::new());
        let usage = Usage {
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 1_000_000,
            cache_write_tokens: 1_000_000,
            reasoning_tokens: 0,
        };
        assert!((cost_usd(&facts, &usage).unwrap() - 4.05).abs() < 1e-9);
    }

    #[test]
    fn long_requests_have_prices_of_their_own() {
        let facts = facts_of("gpt-6.1-sol", &BTreeMap::new());
        let cost = |input_tokens| {
            cost_usd(&facts, &Usage { input_tokens, output_tokens: 1_000_000, ..Usage::default() }).unwrap()
        };
        assert!((cost(272_000) - (0.544 + 10.0)).abs() < 1e-9);
        assert!((cost(272_001) - (1.088_004 + 15.0)).abs() < 1e-9);
    }

    #[test]
    fn estimates_count_characters_of_every_writing() {
        assert_eq!(estimate_text("abcdefgh"), 2);
        assert_eq!(estimate_text("固件"), 2);
    }
}
