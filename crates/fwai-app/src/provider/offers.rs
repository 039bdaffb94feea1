//! The one list of providers: where each lives, what holds its key, which model it is asked for.

use fwai_schema::config::ProviderName;

/// What fwai knows of a provider without being told.
#[derive(Debug)]
pub struct Offer {
    pub name: ProviderName,
    pub base_url: &'static str,
    /// Variables that hold the key, the usual one first.
    pub key_variables: &'static [&'static str],
    /// Variable that people set to use another server.
    base_url_variable: &'static str,
    pub default_model: &'static str,
}

/// In the order in which they are tried.
pub const OFFERS: [Offer; 4] = [
    Offer {
        name: ProviderName::Anthropic,
        base_url: "https://api.anthropic.com",
        key_variables: &["ANTHROPIC_API_KEY"],
        base_url_variable: "ANTHROPIC_BASE_URL",
        default_model: "claude-sonnet-5-5",
    },
    Offer {
        name: ProviderName::OpenAi,
        base_url: "https://api.openai.com/v1",
        key_variables: &["OPENAI_API_KEY"],
        base_url_variable: "OPENAI_BASE_URL",
        default_model: "gpt-6.1-sol",
    },
    Offer {
        name: ProviderName::Gemini,
        base_url: "https://generativelanguage.googleapis.com",
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        base_url_variable: "GOOGLE_GEMINI_BASE_URL",
        default_model: "gemini-3.5-flash",
    },
    Offer {
        name: ProviderName::Ollama,
        base_url: "http://127.0.0.1:11434",
        key_variables: &["OLLAMA_API_KEY"],
        base_url_variable: "OLLAMA_HOST",
        default_model: "qwen3",
    },
];

/// The offer of a provider; `local` is Ollama's other name.
pub fn offer(name: ProviderName) -> &'static Offer {
    OFFERS.iter().find(|offer| offer.name == name).unwrap_or(&OFFERS[3])
}

impl Offer {
    /// The provider's own server turns away who has no key; another may not ask for one.
    pub fn needs_key_at(&self, base_url: &str) -> bool {
        self.name != ProviderName::Ollama && base_url.trim_end_matches('/') == self.base_url
    }

    pub(super) fn base_url_from_environment(&self) -> Option<String> {
        let value = std::env::var(self.base_url_variable).ok().filter(|value| !value.trim().is_empty())?;
        if self.name != ProviderName::Ollama {
            return Some(value);
        }
        // Ollama's variable says where the server listens: without scheme, perhaps without port, and
        // `0.0.0.0` is no place to call.
        let value = value.replace("0.0.0.0", "127.0.0.1");
        let (scheme, host) = value.split_once("://").unwrap_or(("http", &value));
        let host = host.trim_end_matches('/');
        let port = if host.rsplit(']').next().unwrap_or(host).contains(':') { "" } else { ":11434" };
        Some(format!("{scheme}://{host}{port}"))
    }
}

/// Whether an address stays on this machine.
pub(super) fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    // `http://localhost@evil` goes to evil.
    if authority.contains('@') {
        return false;
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loopback() {
        for url in ["http://127.0.0.1:8080/v1", "localhost:1234", "http://[::1]:9", "http://127.1.2.3"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "https://evil.example",
            "http://127.0.0.1.evil.example",
            "http://localhost@evil.example/",
            "http://localhost.evil.example",
            "http://evil.example\\@127.0.0.1",
            "",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
