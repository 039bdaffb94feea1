//! Which hosts tools may contact, from names and address texts alone.

use fwai_schema::policy::NetworkPolicy;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why a host may not be contacted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, fwai_schema::Speak)]
pub enum HostRefusal {
    #[error("`{0}` is not an address with a host")]
    NoHost(String),
    #[error("{0} is among policy.network.blocked_hosts")]
    Blocked(String),
    #[error("{0} is not among policy.network.allowed_hosts")]
    NotAllowed(String),
    #[error("{0} is a private or local address; set policy.network.allow_private to reach it")]
    Private(String),
}

/// Whether policy lets a tool contact the host of this address.
pub fn check(policy: &NetworkPolicy, url: &str) -> Result<String, HostRefusal> {
    let host = host_of(url).ok_or_else(|| HostRefusal::NoHost(url.to_owned()))?;
    if policy.blocked_hosts.iter().any(|pattern| matches(pattern, &host)) {
        return Err(HostRefusal::Blocked(host));
    }
    if let Some(allowed) = &policy.allowed_hosts
        && !allowed.iter().any(|entry| crate::merge::parts_of(entry).all(|pattern| matches(pattern, &host)))
    {
        return Err(HostRefusal::NotAllowed(host));
    }
    if !policy.allow_private && is_local_name(&host) {
        return Err(HostRefusal::Private(host));
    }
    Ok(host)
}

/// Whether a resolved address is private, local or otherwise not of the public internet. Callers check every
/// address that a name resolves to, at the moment they connect.
pub fn is_private_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(v4: Ipv4Addr) -> bool {
    let [a, b, ..] = v4.octets();
    v4.is_private()
        || v4.is_loopback()
        || v4.is_link_local()
        || v4.is_unspecified()
        || v4.is_multicast()
        || v4.is_broadcast()
        || v4.is_documentation()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (18..20).contains(&b))
        || (a == 192 && b == 0)
        || a >= 240
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    if let Some(v4) = v6.to_ipv4() {
        return is_private_v4(v4);
    }
    let first = v6.segments()[0];
    v6.is_loopback()
        || v6.is_unspecified()
        || v6.is_multicast()
        || (first & 0xfe00) == 0xfc00
        || (first & 0xffc0) == 0xfe80
        || (first & 0xffc0) == 0xfec0
        // Translated and tunnelled forms carry a v4 address that would have to be judged instead.
        || first == 0x2002
        || v6.segments()[..2] == [0x64, 0xff9b]
        || v6.segments()[..2] == [0x2001, 0]
}

fn is_local_name(host: &str) -> bool {
    if let Some(address) = parse_address(host) {
        return is_private_address(address);
    }
    host == "localhost"
        || [".localhost", ".local", ".internal", ".lan", ".home.arpa"]
            .iter()
            .any(|suffix| host.ends_with(suffix))
        || !host.contains('.')
}

/// Also the forms that old resolvers take: `127.1`, `0x7f000001`, `2130706433`, `0177.0.0.1`.
fn parse_address(host: &str) -> Option<IpAddr> {
    if let Ok(address) = host.trim_matches(['[', ']']).parse() {
        return Some(address);
    }
    let parts: Vec<u64> = host
        .split('.')
        .map(|part| match part.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None if part.len() > 1 && part.starts_with('0') => u64::from_str_radix(part, 8).ok(),
            None => part.parse().ok(),
        })
        .collect::<Option<_>>()?;
    let (last, leading) = parts.split_last()?;
    if leading.len() > 3 || leading.iter().any(|part| *part > 255) {
        return None;
    }
    let mut value: u64 = 0;
    for part in leading {
        value = value << 8 | part;
    }
    let remaining = 8 * (4 - leading.len() as u32);
    if *last >= 1 << remaining {
        return None;
    }
    let value = value << remaining | last;
    Some(IpAddr::V4(Ipv4Addr::from(u32::try_from(value).ok()?)))
}

/// The host of an address, lower case, without port and user.
pub fn host_of(url: &str) -> Option<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => host.split(':').next()?,
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host.is_empty() || host.contains(char::is_whitespace) { None } else { Some(host) }
}

/// `example.com` is that host, `*.example.com` every host below it, `*` any host.
fn matches(pattern: &str, host: &str) -> bool {
    let pattern = pattern.trim().trim_end_matches('.').to_ascii_lowercase();
    match pattern.strip_prefix("*.") {
        Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
        None => pattern == "*" || pattern == host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_recognised_in_every_spelling() {
        let policy = NetworkPolicy::default();
        for url in [
            "http://127.0.0.1/",
            "http://localhost:8080",
            "http://[::1]/",
            "http://0x7f000001",
            "http://2130706433/",
            "http://127.1",
            "http://0177.0.0.1",
            "http://user@10.0.0.1:80/x",
            "http://[::ffff:127.0.0.1]/",
            "http://router/",
            "http://169.254.169.254/latest",
            "http://example.com@192.168.1.1/",
            "http://metadata.google.internal/",
            "http://0/",
        ] {
            assert!(
                matches!(check(&policy, url), Err(HostRefusal::Private(_))),
                "{url}: {:?}",
                check(&policy, url)
            );
        }
        assert_eq!(check(&policy, "https://Example.com./x").as_deref(), Ok("example.com"));
    }

    #[test]
    fn hosts_are_compared_whole() {
        let policy = NetworkPolicy {
            allowed_hosts: Some(vec!["*.example.com".into(), "crates.io".into()]),
            blocked_hosts: vec!["bad.example.com".into()],
            allow_private: false,
        };
        assert!(check(&policy, "https://docs.example.com/").is_ok());
        assert!(check(&policy, "https://crates.io/").is_ok());
        assert!(matches!(check(&policy, "https://bad.example.com/"), Err(HostRefusal::Blocked(_))));
        assert!(matches!(check(&policy, "https://evilexample.com/"), Err(HostRefusal::NotAllowed(_))));
        assert!(matches!(check(&policy, "https://crates.io.evil.net/"), Err(HostRefusal::NotAllowed(_))));
    }
}
