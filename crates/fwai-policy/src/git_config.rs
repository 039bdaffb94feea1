//! Whether a git configuration can make git run a program. A repository that a command left somewhere in the
//! project would otherwise wait there until somebody's editor or prompt asks git about it.
//!
//! Settings are known to be harmless or they are not: git gains new ones that name programs.

/// `section.key`, lower case; a subsection in between does not count.
const HARMLESS: &[&str] = &[
    "core.repositoryformatversion",
    "core.filemode",
    "core.bare",
    "core.logallrefupdates",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.symlinks",
    "core.autocrlf",
    "core.safecrlf",
    "core.eol",
    "core.worktree",
    "core.sharedrepository",
    "core.abbrev",
    "core.quotepath",
    "core.longpaths",
    "core.compression",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "remote.url",
    "remote.pushurl",
    "remote.fetch",
    "remote.push",
    "remote.mirror",
    "remote.tagopt",
    "remote.prune",
    "remote.promisor",
    "remote.partialclonefilter",
    "branch.remote",
    "branch.merge",
    "branch.rebase",
    "branch.autosetuprebase",
    "branch.description",
    "submodule.url",
    "submodule.active",
    "submodule.branch",
    "submodule.recurse",
    "submodule.shallow",
    "user.name",
    "user.email",
    "extensions.objectformat",
    "extensions.partialclone",
    "extensions.refstorage",
    "init.defaultbranch",
    "gc.auto",
    "lfs.repositoryformatversion",
    "pull.rebase",
    "pull.ff",
    "push.default",
    "fetch.prune",
    "index.version",
    "advice.detachedhead",
];

/// The first setting that may make git run something; a place that cannot be read counts as one.
pub fn may_run(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut section: Option<String> = None;
    for line in text.lines() {
        let mut rest = line.trim();
        // A value that goes on in the next line, or a comment that only looks like it: git never writes either.
        if rest.ends_with('\\') {
            return Some(rest.to_owned());
        }
        while let Some(header) = rest.strip_prefix('[') {
            let Some((name, after)) = header_of(header) else { return Some(line.trim().to_owned()) };
            section = Some(name);
            rest = after.trim_start();
        }
        if rest.is_empty() || rest.starts_with(['#', ';']) {
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
        let key = match &section {
            Some(section) if end > 0 => format!("{section}.{}", rest[..end].to_ascii_lowercase()),
            _ => return Some(rest.to_owned()),
        };
        if !HARMLESS.contains(&key.as_str()) {
            return Some(key);
        }
    }
    None
}

/// The section in `core]`, `remote "origin"]` or `remote.origin]`, and what follows.
fn header_of(header: &str) -> Option<(String, &str)> {
    let length = header.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(header.len());
    let name = header[..length].to_ascii_lowercase();
    let mut rest = &header[length..];
    if name.is_empty() {
        return None;
    }
    if rest.starts_with('.') {
        rest = &rest[rest.find(']')?..];
    } else if let Some(quoted) = rest.trim_start().strip_prefix('"') {
        let mut escaped = false;
        let end = quoted.find(|c: char| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        })?;
        rest = &quoted[end + 1..];
    }
    rest.strip_prefix(']').map(|rest| (name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_writes_itself_is_harmless() {
        let cloned = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            \tlogallrefupdates = true\n[remote \"origin\"]\n\turl = https://example.com/x.git\n\
            \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\
            \tmerge = refs/heads/main\n[submodule \"a b\"]\n\tactive = true\n\turl = ../b\n# [core] fsmonitor\n";
        assert_eq!(may_run(cloned), None);
        assert_eq!(may_run(""), None);
    }

    #[test]
    fn every_spelling_of_a_program_is_found() {
        for (text, found) in [
            ("[core]\nfsmonitor = touch x", "core.fsmonitor"),
            ("[core] fsmonitor = touch x", "core.fsmonitor"),
            ("[CORE]FSMonitor=touch x", "core.fsmonitor"),
            ("\u{feff}[core]\nhooksPath = h", "core.hookspath"),
            ("[core]\nbare = false\n[core]\nsshCommand = x", "core.sshcommand"),
            ("[diff \"x\\\"]\"]\ncommand = x", "diff.command"),
            ("[filter.x]\nclean = x", "filter.clean"),
            ("[include]\npath = ../x", "include.path"),
            ("[includeIf \"gitdir:/\"] path = x", "includeif.path"),
            ("[alias]\nname = \\\n[user]\nname = !x", "name = \\"),
            ("[user]\nname = a # \\\n[alias]\nst = !x", "name = a # \\"),
            ("[core]\nbare = false # x\nfsmonitor", "core.fsmonitor"),
            ("[core\nfsmonitor = x", "[core"),
            ("fsmonitor = x", "fsmonitor = x"),
        ] {
            assert_eq!(may_run(text).as_deref(), Some(found), "{text:?}");
        }
    }
}
