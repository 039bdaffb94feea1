//! Paths that hold secrets: the sandbox hides them, the file tools refuse them, shell commands that name
//! them are forbidden.

use crate::paths::beneath;

/// Files and directories of a home directory that commands must not read.
pub const IN_HOME: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/op",
    ".config/rclone",
    ".config/git/credentials",
    ".config/fwai",
    ".config/sops",
    ".config/age",
    ".config/Bitwarden CLI",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/Signal",
    ".config/Code/User/globalStorage",
    ".mozilla",
    ".thunderbird",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/share/fwai",
    ".password-store",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".pgpass",
    ".my.cnf",
    ".s3cfg",
    ".boto",
    ".fwai",
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".anthropic",
    ".openai",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".lesshst",
    ".viminfo",
    ".Xauthority",
    ".ICEauthority",
    ".bitcoin",
    ".electrum",
];

/// Secrets of the machine. Only root could read most of them; fwai may run as root.
pub const OF_THE_MACHINE: &[&str] = &[
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/krb5.keytab",
    "/etc/ssl/private",
    "/etc/wireguard",
    "/etc/NetworkManager/system-connections",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
    "/run/secrets",
    "/var/run/secrets",
    "/var/lib/docker",
    "/var/lib/containerd",
    "/var/lib/kubelet",
    "/proc/kcore",
];

/// What a process has in it, or another way to every path: `/proc/self/environ`, `/proc/1/root/…`.
fn is_of_a_process(path: &str) -> bool {
    let mut names = path.strip_prefix("/proc/").unwrap_or_default().split('/');
    let (process, what) = (names.next().unwrap_or_default(), names.next());
    let is_process = matches!(process, "self" | "thread-self")
        || !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit());
    is_process && matches!(what, Some("environ" | "mem" | "root" | "cwd" | "map_files" | "task"))
}

/// Whether a folded absolute path is one of them, or lies below one; `further` are absolute paths too.
pub fn is_private(path: &str, home: Option<&str>, further: &[String]) -> bool {
    if OF_THE_MACHINE.iter().any(|secret| beneath(secret, path).is_some()) {
        return true;
    }
    if is_of_a_process(path) {
        return true;
    }
    if further.iter().any(|secret| beneath(secret, path).is_some()) {
        return true;
    }
    let Some(below) = home.and_then(|home| beneath(home, path)) else { return false };
    IN_HOME.iter().any(|secret| beneath(secret, below).is_some())
}
