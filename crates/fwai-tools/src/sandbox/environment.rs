//! What of fwai's environment a command gets: everything but secrets and the addresses of services.

use std::ffi::{OsStr, OsString};

/// Sockets of services that act with the user's rights.
const SERVICES: [&str; 12] = [
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DOCKER_HOST",
    "TMUX",
    "GNOME_KEYRING_CONTROL",
];

/// Words in the names of variables that hold secrets.
const SECRET_WORDS: [&str; 12] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "APIKEY",
    "AUTH",
    "COOKIE",
];

/// The command's environment, as `NAME=value` pairs.
pub fn for_command(
    outside: impl Iterator<Item = (OsString, OsString)>,
    passed: &[String],
    changes: &[(OsString, Option<OsString>)],
) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = outside
        .filter(|(name, _)| {
            passed.iter().any(|passed| OsStr::new(passed) == name) || !is_withheld(&name.to_string_lossy())
        })
        .collect();
    let mut set = |name: &str, value: &str| {
        variables.retain(|(known, _)| known != name);
        variables.push((name.into(), value.into()));
    };
    set("TMPDIR", "/tmp");
    set("XDG_CACHE_HOME", "/tmp/.cache");
    set("FWAI_SANDBOX", "1");
    // `git status` would like to write the index; it does not need to.
    set("GIT_OPTIONAL_LOCKS", "0");
    set("NPM_CONFIG_USERCONFIG", "/dev/null");
    for (name, value) in changes {
        variables.retain(|(known, _)| known != name);
        if let Some(value) = value {
            variables.push((name.clone(), value.clone()));
        }
    }
    variables
}

fn is_withheld(name: &str) -> bool {
    if SERVICES.contains(&name) || name.starts_with("BASH_FUNC_") || matches!(name, "LD_PRELOAD" | "LD_AUDIT")
    {
        return true;
    }
    name.to_ascii_uppercase().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        SECRET_WORDS.contains(&word)
            || word.ends_with("TOKEN")
            || word.ends_with("PASSWORD")
            || word.ends_with("SECRET")
            || word.ends_with("APIKEY")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_services_stay_outside() {
        let given = [
            ("ANTHROPIC_API_KEY", "a"),
            ("GH_TOKEN", "b"),
            ("GITHUB_PAT", "c"),
            ("DB_PASSWORD", "d"),
            ("SSH_AUTH_SOCK", "/x"),
            ("PATH", "/bin"),
            ("KEYBOARD", "us"),
            ("LD_PRELOAD", "x.so"),
            ("AWS_SECRET_ACCESS_KEY", "e"),
            ("CARGO_REGISTRY_TOKEN", "f"),
            ("HTTP_AUTHORITY", "g"),
        ];
        let outside = given.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let changes = [("MINE".into(), Some("1".into()))];
        let inside = for_command(outside, &["GH_TOKEN".into()], &changes);
        let mut names: Vec<_> = inside.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "FWAI_SANDBOX",
                "GH_TOKEN",
                "GIT_OPTIONAL_LOCKS",
                "HTTP_AUTHORITY",
                "KEYBOARD",
                "MINE",
                "NPM_CONFIG_USERCONFIG",
                "PATH",
                "TMPDIR",
                "XDG_CACHE_HOME"
            ]
        );
    }
}
