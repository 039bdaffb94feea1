//! `fwai provider`: which models there are, which one answers, and whether it does.

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{say, understood},
    model::{Printer, Watched, open_named, open_provider, watch},
};
use clap::Subcommand;
use fwai_app::{
    config,
    provider::{self, OFFERS, Offer},
};
use fwai_llm::{Provider, Request, pricing};
use fwai_schema::{
    config::ProviderName,
    document::nearest,
    message::{Message, StopReason},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// List, check and choose model providers
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai provider list\n  fwai provider status\n  fwai provider use ollama --model qwen3:8b\n  fwai provider models anthropic\n  fwai provider test"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print every provider, its key and the one in use; asks no server
    List,
    /// Ask the server whether it can be used; spends no tokens
    Status {
        /// Another provider than the one in use
        name: Option<String>,
    },
    /// Choose the provider for this project
    Use {
        /// With --model, the model too
        name: String,
        /// For every project of yours
        #[arg(long)]
        user: bool,
    },
    /// Print the models that the server offers, with their prices
    Models {
        /// Another provider than the one in use
        name: Option<String>,
    },
    /// Ask the model for one word and measure; spends a few tokens
    Test {
        /// Another provider than the one in use
        name: Option<String>,
    },
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        Command::List => list(context),
        Command::Status { name } => status(context, name.as_deref()),
        Command::Use { name, user } => use_provider(context, &name, user),
        Command::Models { name } => models(context, name.as_deref()),
        Command::Test { name } => test(context, name.as_deref()),
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    let config = &context.config()?.config.provider;
    let choice = provider::choose(config);
    let in_use = choice.as_ref().ok().map(|choice| choice.name);
    let row = |offer: &Offer| {
        let selected = in_use == Some(offer.name);
        // Files and commands belong to the provider that is configured; asking them here could ask a person.
        let key =
            offer.key_variables.iter().find(|name| std::env::var(name).is_ok_and(|key| !key.is_empty()));
        let configured = selected && (config.api_key_file.is_some() || config.api_key_cmd.is_some());
        let base_url = match selected {
            true => provider::base_url(config, offer),
            false => offer.base_url.to_owned(),
        };
        let model = match &choice {
            Ok(choice) if selected => choice.model.clone(),
            _ => offer.default_model.to_owned(),
        };
        json!({
            "name": offer.name, "model": model, "base_url": base_url, "selected": selected,
            "key_variable": key.unwrap_or(&offer.key_variables[0]), "key_set": key.is_some() || configured,
            "key_needed": offer.needs_key_at(&base_url),
        })
    };
    let mut rows: Vec<Value> = OFFERS.iter().map(row).collect();
    if in_use == Some(ProviderName::Replay) {
        rows.push(json!({"name": "replay", "model": config.replay, "selected": true, "key_set": false, "key_needed": false}));
    }
    if context.json() {
        context.print_json(&json!({"providers": rows}));
        return Ok(());
    }
    for row in rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let mark = if row["selected"] == true { "*" } else { " " };
        let key = match (row["key_set"] == true, row["key_needed"] == true) {
            (true, _) => say!("provider-key"),
            (false, true) => say!("provider-no-key", variable = text("key_variable")),
            (false, false) => say!("provider-needs-no-key"),
        };
        context.print(format_args!(
            "{mark} {:10} {:28} {:46} {key}",
            text("name"),
            text("model"),
            text("base_url")
        ));
    }
    if let Err(error) = choice {
        context.note(understood(&error.to_string()));
    }
    Ok(())
}

fn status(context: &Context, name: Option<&str>) -> Result<(), Failure> {
    let provider = open(context, name)?;
    let status = context.block_on(provider.status());
    if context.json() {
        context.print_json(&status);
    } else {
        let word = if status.ready { say!("provider-ready") } else { say!("provider-not-ready") };
        context.print(format_args!("{} {}: {word}: {}", status.name, status.model, status.detail));
    }
    if status.ready { Ok(()) } else { Err(Failure::told(Kind::Failed)) }
}

fn use_provider(context: &Context, name: &str, user: bool) -> Result<(), Failure> {
    let name = parse_name(name)?;
    let model = context.flags.model.clone();
    let file = if user { context.paths.user_config() } else { context.paths.project_config() };
    config::set(&context.paths, &file, "provider.name", name.as_str())?;
    if let Some(model) = &model {
        config::set(&context.paths, &file, "provider.model", model)?;
    }
    let shown = context.paths.display(&file);
    if context.json() {
        context.print_json(&json!({"name": name, "model": model, "file": shown}));
    } else {
        context.print(match model {
            Some(model) => say!("provider-used-with", name = name, model = model, file = shown),
            None => say!("provider-used", name = name, file = shown),
        });
    }
    // A model that was chosen for another provider would be asked of this one.
    let layered = context.config()?;
    if context.flags.model.is_none() && layered.config.provider.model.is_some() {
        let left = layered.config.provider.model.clone().unwrap_or_default();
        context.note(say!("provider-other-model", model = left, name = name));
    }
    Ok(())
}

fn models(context: &Context, name: Option<&str>) -> Result<(), Failure> {
    let provider = open(context, name)?;
    let models = context.block_on(provider.models()).map_err(Failure::failed)?;
    let users = &context.config()?.config.provider.models;
    let row = |model: &fwai_llm::ModelInfo| {
        let facts = pricing::facts_of(&model.name, users);
        json!({
            "name": model.name, "context_window": model.context_window.or(facts.context_window),
            "max_output": facts.max_output, "input": facts.input, "output": facts.output,
        })
    };
    let rows: Vec<Value> = models.iter().map(row).collect();
    if context.json() {
        context.print_json(&json!({"provider": provider.name(), "models": rows}));
        return Ok(());
    }
    for row in &rows {
        let number =
            |name: &str| row[name].as_f64().map_or_else(|| say!("unknown"), |value| value.to_string());
        let price = match row["input"].is_null() {
            true => say!("provider-price-unknown"),
            false => say!("provider-price", input = number("input"), output = number("output")),
        };
        context.print(format_args!(
            "{:40} {} {:10} {price}",
            row["name"].as_str().unwrap_or(""),
            say!("provider-context"),
            number("context_window")
        ));
    }
    if rows.is_empty() {
        context.note(say!("provider-no-models", name = provider.name()));
    }
    Ok(())
}

fn test(context: &Context, name: Option<&str>) -> Result<(), Failure> {
    let provider = open(context, name)?;
    let request = Request {
        messages: vec![Message::user_text("Reply with the single word: ready").into()],
        max_tokens: Some(1024),
        ..Request::default()
    };
    let mut silent = Printer::new(false);
    let watched = context.block_on(watch(&*provider, request, true, &mut silent, context))?;
    let Watched { completion, retries, first_ms, total_ms } = watched;
    let text = Message::assistant(completion.content).text();
    let cost = pricing::cost_usd(&provider.facts(), &completion.usage);
    let ok = !text.trim().is_empty() && completion.stop_reason != StopReason::Refusal;
    if context.json() {
        context.print_json(&json!({
            "ok": ok, "provider": provider.name(), "model": completion.model, "text": text,
            "first_delta_ms": first_ms, "total_ms": total_ms, "retries": retries,
            "usage": completion.usage, "cost_usd": cost,
        }));
    } else {
        let first = first_ms.map_or("–".to_owned(), |ms| format!("{ms} ms"));
        context.print(say!(
            "provider-tested",
            name = provider.name(),
            model = completion.model,
            answer = format!("{:?}", text.trim()),
            first = first,
            total = total_ms,
            input = completion.usage.total_input(),
            output = completion.usage.output_tokens,
            cost = pricing::show_cost(cost),
        ));
    }
    if ok { Ok(()) } else { Err(Failure::failed("the model answered, but not in words")) }
}

fn open(context: &Context, name: Option<&str>) -> Result<Arc<dyn Provider>, Failure> {
    match name {
        None => open_provider(context),
        Some(name) => open_named(context, parse_name(name)?),
    }
}

fn parse_name(name: &str) -> Result<ProviderName, Failure> {
    let all: BTreeMap<&str, ProviderName> =
        ProviderName::ALL.into_iter().map(|name| (name.as_str(), name)).collect();
    all.get(name).copied().ok_or_else(|| {
        let guess = nearest(name, all.keys().copied());
        let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
        Failure::usage(format_args!("no provider is called `{name}`{guess}"))
            .hint(format_args!("one of {}", all.keys().copied().collect::<Vec<_>>().join(", ")))
    })
}
