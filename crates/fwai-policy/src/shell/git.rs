//! git, which is many programs: subcommands and global options decide what a call does.

use super::{consequence::Consequence, word::Word};

pub(super) struct GitCall {
    /// `git` and the subcommand, global options taken off.
    pub words: Vec<String>,
    pub consequence: Consequence,
    pub why: String,
    /// Global options that change which repository or which programs are used.
    pub disguised: bool,
    pub writes_git: bool,
}

/// Subcommands that only read, with the options that make them write or run something.
const READS: &[(&str, &[&str])] = &[
    ("status", &[]),
    ("log", &["--output", "--ext-diff", "--textconv"]),
    ("diff", &["--output", "--ext-diff", "--textconv"]),
    ("show", &["--output", "--ext-diff", "--textconv"]),
    ("blame", &["--textconv"]),
    ("annotate", &[]),
    ("shortlog", &["--output"]),
    ("describe", &[]),
    ("rev-parse", &["--parseopt"]),
    ("rev-list", &[]),
    ("ls-files", &[]),
    ("ls-tree", &[]),
    ("cat-file", &["--textconv", "--filters"]),
    ("grep", &["-O", "--open-files-in-pager", "--ext-grep", "--textconv"]),
    ("merge-base", &[]),
    ("name-rev", &[]),
    ("show-ref", &["--exclude-existing"]),
    ("for-each-ref", &[]),
    ("show-branch", &[]),
    ("count-objects", &[]),
    ("whatchanged", &["--output"]),
    ("diff-tree", &["--output", "--ext-diff"]),
    ("diff-index", &["--output", "--ext-diff"]),
    ("diff-files", &["--output", "--ext-diff"]),
    ("check-ignore", &[]),
    ("check-attr", &[]),
    ("var", &[]),
    ("version", &[]),
    ("help", &["-w", "--web", "-i", "--info"]),
    ("verify-commit", &[]),
    ("verify-tag", &[]),
    ("cherry", &[]),
    ("range-diff", &["--output"]),
];

/// Subcommands that write what git's own history, or undo, can restore.
const WRITES: &[&str] = &[
    "add",
    "commit",
    "mv",
    "rm",
    "restore",
    "checkout",
    "switch",
    "merge",
    "rebase",
    "cherry-pick",
    "revert",
    "stash",
    "tag",
    "branch",
    "apply",
    "am",
    "reset",
    "notes",
    "bisect",
    "write-tree",
    "commit-tree",
    "hash-object",
    "update-index",
    "read-tree",
    "format-patch",
    "archive",
    "bundle",
    "pack-refs",
    "commit-graph",
    "multi-pack-index",
    "repack",
    "mktree",
    "stage",
];

const NETWORK: &[&str] = &[
    "push",
    "fetch",
    "pull",
    "clone",
    "ls-remote",
    "remote-https",
    "send-email",
    "svn",
    "p4",
    "lfs",
    "fetch-pack",
    "send-pack",
    "upload-pack",
    "receive-pack",
    "imap-send",
    "request-pull",
    "daemon",
    "http-backend",
    "http-fetch",
    "http-push",
    "credential",
];

pub(super) fn judge(words: &[Word]) -> GitCall {
    let mut disguised = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(text) = word.plain() else { break };
        match text {
            "-c" | "--exec-path" | "--git-dir" | "--work-tree" | "--namespace" | "--super-prefix"
            | "--config-env" | "--attr-source" => {
                disguised = true;
                at += 2;
            }
            "-C" => {
                disguised = true;
                at += 2;
            }
            _ if text.starts_with("-c") && text.len() > 2 => {
                disguised = true;
                at += 1;
            }
            _ if [
                "--exec-path=",
                "--git-dir=",
                "--work-tree=",
                "--namespace=",
                "--config-env=",
                "--attr-source=",
            ]
            .iter()
            .any(|option| text.starts_with(option)) =>
            {
                disguised = true;
                at += 1;
            }
            "-p" | "--paginate" => {
                disguised = true;
                at += 1;
            }
            _ if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    let Some(subcommand) = words.get(at).and_then(|word| word.plain()) else {
        let consequence = if at < words.len() { Consequence::NotUnderstood } else { Consequence::Reads };
        return GitCall {
            words: vec!["git".into()],
            consequence,
            why: "`git` without a known subcommand".into(),
            disguised,
            writes_git: false,
        };
    };
    let arguments = &words[at + 1..];
    let mut canonical = vec!["git".to_owned(), subcommand.to_owned()];
    canonical.extend(arguments.iter().map(|word| word.text().unwrap_or(&word.raw).to_owned()));
    let (mut consequence, mut why) = of_subcommand(subcommand, arguments);
    if disguised && consequence == Consequence::Reads {
        consequence = Consequence::Runs;
        why = "git options that choose another repository, configuration or program".into();
    }
    let writes_git = WRITES.contains(&subcommand)
        || matches!(subcommand, "clean" | "gc" | "worktree" | "submodule" | "pull" | "fetch");
    GitCall { words: canonical, consequence, why, disguised, writes_git }
}

fn of_subcommand(subcommand: &str, arguments: &[Word]) -> (Consequence, String) {
    let has = |options: &[&str]| {
        arguments.iter().any(|word| match word.text() {
            None => false,
            Some(text) => options.iter().any(|option| {
                let name = text.split('=').next().unwrap_or(text);
                name == *option
                    || (name.len() > 3 && name.starts_with("--") && option.starts_with(name))
                    || (option.len() == 2
                        && option.starts_with('-')
                        && text.starts_with('-')
                        && !text.starts_with("--")
                        && text.contains(&option[1..]))
            }),
        })
    };
    let unknown = arguments.iter().any(|word| word.text().is_none());
    let operands = arguments.iter().filter(|word| !word.could_be_option()).count();
    let reads = |why: &str| (Consequence::Reads, why.to_owned());
    let last = |why: &str| (Consequence::CannotBeUndone, why.to_owned());
    if let Some((_, worse)) = READS.iter().find(|(name, _)| *name == subcommand) {
        if worse.iter().any(|option| has(&[option])) {
            return (
                Consequence::Runs,
                format!("`git {subcommand}` with an option that writes or runs something"),
            );
        }
        if unknown && !worse.is_empty() {
            return (Consequence::Runs, format!("`git {subcommand}` with words that are not known yet"));
        }
        return reads("git only reads here");
    }
    if NETWORK.contains(&subcommand) {
        return (Consequence::LeavesMachine, format!("`git {subcommand}` talks to another machine"));
    }
    match subcommand {
        "branch" | "tag"
            if operands == 0
                && !has(&[
                    "-d",
                    "-D",
                    "-m",
                    "-M",
                    "-f",
                    "--delete",
                    "--move",
                    "--edit-description",
                    "-u",
                    "--unset-upstream",
                    "--set-upstream-to",
                ])
                && !unknown =>
        {
            reads("lists only")
        }
        "branch" if has(&["-D", "-d", "--delete", "-f", "--force"]) => last("deletes or moves a branch"),
        "tag" if has(&["-d", "--delete", "-f", "--force"]) => last("deletes or moves a tag"),
        "remote" if operands == 0 => reads("lists the remotes"),
        "remote" => match arguments.first().and_then(|word| word.plain()) {
            Some("-v" | "get-url") => reads("lists the remotes"),
            Some("show" | "update" | "prune") => (Consequence::LeavesMachine, "asks the remote".into()),
            _ => last("changes where git pushes and pulls"),
        },
        "config" => {
            let reading = has(&["--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch"])
                || matches!(arguments.first().and_then(|word| word.plain()), Some("get" | "list"));
            if reading {
                reads("reads git's configuration")
            } else {
                last("changes git's configuration, which can run programs")
            }
        }
        "stash" => match arguments.first().and_then(|word| word.plain()) {
            Some("list" | "show") => reads("lists only"),
            Some("drop" | "clear") => last("throws stashed work away"),
            _ => (Consequence::WritesInside, "moves changes into the stash".into()),
        },
        "reflog"
            if matches!(
                arguments.first().and_then(|word| word.plain()),
                None | Some("show" | "list" | "exists")
            ) =>
        {
            reads("lists only")
        }
        "worktree" if matches!(arguments.first().and_then(|word| word.plain()), Some("list")) => {
            reads("lists only")
        }
        "submodule"
            if matches!(
                arguments.first().and_then(|word| word.plain()),
                None | Some("status" | "summary")
            ) =>
        {
            reads("lists only")
        }
        "submodule" => (Consequence::LeavesMachine, "fetches submodules".into()),
        "reset" if has(&["--hard", "--merge", "--keep"]) => {
            last("throws away changes that are not committed")
        }
        "checkout" | "switch" if has(&["-f", "--force", "-B", "-C", "--discard-changes"]) => {
            last("throws away changes that are not committed")
        }
        "clean" if has(&["-n", "--dry-run"]) => reads("only says what it would remove"),
        "clean" => last("removes files that git does not know"),
        "gc" | "prune" | "filter-branch" | "filter-repo" | "update-ref" | "symbolic-ref" | "replace"
        | "reflog" | "worktree" | "fsck" | "maintenance" => last("rewrites or discards history"),
        "rebase" if has(&["--exec", "-x"]) => (Consequence::Runs, "runs a command for each commit".into()),
        "bisect" if matches!(arguments.first().and_then(|word| word.plain()), Some("run")) => {
            (Consequence::Runs, "runs a command for each commit".into())
        }
        "commit" if has(&["--amend"]) => {
            (Consequence::WritesInside, "replaces the last commit; the reflog keeps the old one".into())
        }
        _ if WRITES.contains(&subcommand) => {
            (Consequence::WritesInside, "changes what git and undo can restore".into())
        }
        "init" => (Consequence::Runs, "makes a repository".into()),
        _ => (
            Consequence::Runs,
            format!("`git {subcommand}` is not known; it may be an alias or a program of its own"),
        ),
    }
}
