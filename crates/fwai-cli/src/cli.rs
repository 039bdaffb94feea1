//! The command line: flags that every command understands, and the command itself.

use crate::{
    commands::Command,
    language::{self, Language},
};
use clap::{Args, Parser, ValueEnum};
use std::path::PathBuf;

/// fwai, an AI engineer for firmware.
///
/// Reads, plans, edits, builds, flashes, watches the console and debugs, and leaves evidence that
/// anyone can verify. Without a command it starts the interactive session.
#[derive(Debug, Parser)]
#[command(name = "fwai", version, propagate_version = false, max_term_width = 100)]
#[command(
    after_help = "Examples:\n  fwai init                      set up this project\n  fwai build                     build it\n  fwai exec \"why does it fault?\"  let the agent work once\n  fwai doctor                    what is missing on this machine\n\nExit codes: 0 success, 1 the work failed, 2 usage or configuration, 3 denied by policy,\n4 needs a person, 124 watchdog, 130 interrupted."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalFlags,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags that every command understands.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalFlags {
    /// Print one JSON object to standard output; everything for people goes to standard error
    #[arg(long, global = true)]
    pub json: bool,
    /// End when this process does, which started the command for its session
    #[arg(long, global = true, hide = true, value_name = "PID")]
    pub lifeline: Option<i32>,
    /// Say only what is necessary
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Answer yes to every question that has a safe answer
    #[arg(short, long, global = true)]
    pub yes: bool,
    /// Never ask; a question ends with exit code 4
    #[arg(long, global = true)]
    pub ci: bool,
    /// Log more; twice for debugging, three times for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Language of what people read: en, zh-TW or zh-CN
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = language)]
    pub lang: Option<Language>,
    /// Work as if started in this directory
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Set a configuration key for this run
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Provider for this run: anthropic, openai, gemini, ollama, local, replay
    #[arg(long, global = true, value_name = "NAME")]
    pub provider: Option<String>,
    /// Model for this run
    #[arg(long, global = true, value_name = "NAME")]
    pub model: Option<String>,
    /// Address of a compatible model server
    #[arg(long, global = true, value_name = "URL")]
    pub base_url: Option<String>,
}

fn language(text: &str) -> Result<Language, String> {
    language::parse(text).ok_or_else(|| "say en, zh-TW or zh-CN".to_owned())
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}
