//! `fwai security`: secrets that must not be where they are.

use std::path::PathBuf;

use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{self, say},
    render::clean::clean_line,
};
use clap::Subcommand;
use fwai_app::secret_scan::{ScanReport, TreeOptions, scan_history, scan_staged, scan_tree};
use fwai_evidence::export::sarif::{SarifLevel, SarifRegion, SarifResult, SarifRule, sarif};
use fwai_policy::secrets::{RuleSet, Scanner};
use serde_json::json;

/// Find secrets in files, in what is staged, and in history
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  fwai security scan\n  fwai security scan src --json\n  fwai security scan --staged        in a pre-commit hook\n  fwai security scan --history --sarif -o secrets.sarif\n\nA line with `fwai:allow-secret` in a comment is left alone; `security.allow` in config.yaml holds regular expressions of what only looks like a secret."
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scan(ScanArgs),
    /// List the rules
    Rules,
}

/// Look for secrets; exit code 1 when there are any
#[derive(Debug, clap::Args)]
struct ScanArgs {
    /// File or directory; without one, the current directory
    path: Option<PathBuf>,
    /// Look at what the next commit would hold
    #[arg(long, conflicts_with = "history")]
    staged: bool,
    /// Look at every version of every file that git has
    #[arg(long)]
    history: bool,
    /// Leave out what .gitignore names
    #[arg(long)]
    gitignore: bool,
    /// Also look into build output and installed packages
    #[arg(long)]
    everything: bool,
    /// Print SARIF 2.1.0
    #[arg(long)]
    sarif: bool,
    /// Write the JSON or SARIF to a file
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let security = &context.config()?.config.security;
    let rules = RuleSet::with_config(&security.patterns, &security.allow).map_err(Failure::usage)?;
    match args.command {
        Command::Scan(args) => scan(args, context, rules),
        Command::Rules => {
            list_rules(context, &rules);
            Ok(())
        }
    }
}

fn scan(args: ScanArgs, context: &Context, rules: RuleSet) -> Result<(), Failure> {
    let scanner = Scanner::new(rules);
    let start = context.flags.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let path = args.path.as_ref().map_or_else(|| start.clone(), |path| start.join(path));
    let options = TreeOptions { respect_gitignore: args.gitignore, everything: args.everything };
    let report = match (args.staged, args.history) {
        (true, _) => scan_staged(&scanner, &path),
        (_, true) => scan_history(&scanner, &path),
        _ => scan_tree(&scanner, &path, &options),
    };
    let report = report.map_err(Failure::usage)?;
    for unread in &report.unread {
        context.warn(unread);
    }
    let found = report.findings.len();
    if args.sarif {
        emit(&args, &as_sarif(&scanner, &report))?;
    } else if context.json() || args.output.is_some() {
        emit(&args, &serde_json::to_value(&report).expect("plain data"))?;
    } else {
        for finding in &report.findings {
            let bold = anstyle::Style::new().bold();
            let red = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Red.into()));
            let commit = finding
                .commit
                .as_deref()
                .map(|id| format!(" {}", say!("security-in-commit", commit = &id[..id.len().min(12)])));
            context.print(format_args!(
                "{bold}{}:{}:{}{bold:#} {red}{}{red:#} {}{}  {}",
                clean_line(&finding.file),
                finding.line,
                finding.column,
                finding.rule,
                language::of_secret(&finding.rule, &finding.title),
                commit.unwrap_or_default(),
                clean_line(&finding.redacted)
            ));
        }
    }
    let files = report.files;
    if found == 0 {
        context.note(say!("security-none", files = files));
        return Ok(());
    }
    context.note(say!("security-found", count = found, files = files));
    Err(Failure::told(Kind::Failed))
}

fn emit(args: &ScanArgs, value: &serde_json::Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).expect("plain data");
    match &args.output {
        Some(path) => super::export::write(path, &(text + "\n")).map(drop),
        None => {
            crate::output::line(&text);
            Ok(())
        }
    }
}

fn as_sarif(scanner: &Scanner, report: &ScanReport) -> serde_json::Value {
    let known = scanner.rules().rules().iter().map(|rule| (&rule.id, &rule.title));
    let mut rules: Vec<SarifRule> =
        known.map(|(id, title)| SarifRule { id: id.clone(), title: title.clone() }).collect();
    for finding in &report.findings {
        if !rules.iter().any(|rule| rule.id == finding.rule) {
            rules.push(SarifRule { id: finding.rule.clone(), title: finding.title.clone() });
        }
    }
    let results: Vec<SarifResult> = report
        .findings
        .iter()
        .map(|finding| {
            let commit =
                finding.commit.as_ref().map(|commit| format!(" (commit {commit})")).unwrap_or_default();
            SarifResult {
                rule: finding.rule.clone(),
                level: SarifLevel::Error,
                message: format!("{}: {}{commit}", finding.title, finding.redacted),
                file: Some(finding.file.clone()),
                region: Some(SarifRegion {
                    line: finding.line,
                    column: finding.column,
                    end_line: finding.end_line,
                    end_column: finding.end_column,
                }),
            }
        })
        .collect();
    sarif(env!("CARGO_PKG_VERSION"), &rules, &results)
}

fn list_rules(context: &Context, rules: &RuleSet) {
    if context.json() {
        let list: Vec<_> =
            rules.rules().iter().map(|rule| json!({"id": rule.id, "title": rule.title})).collect();
        context.print_json(&json!({"rules": list}));
    } else {
        for rule in rules.rules() {
            context.print(format_args!("{:26} {}", rule.id, language::of_secret(&rule.id, &rule.title)));
        }
    }
}
