//! The meet of policies: commutative, associative, idempotent, and never looser than either side, measured
//! with the verdicts themselves.

use fwai_policy::{
    PolicyEngine, Request, Surroundings,
    merge::{bounded_by, meet, normalized},
};
use fwai_schema::{
    permission::{DeviceVerb, Level, Mode},
    policy::{Compliance, FlashGuard, NetworkPolicy, Policy, Rule, RuleVerdict, SandboxRequirement},
};
use proptest::{collection::vec, option, prelude::*, sample};

fn globs() -> impl Strategy<Value = Vec<String>> {
    vec(
        sample::select(vec!["src/**", "*.c", "boards/**", "docs", "**", "src/a.c"]).prop_map(str::to_owned),
        0..3,
    )
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let verdict = sample::select(vec![RuleVerdict::Allow, RuleVerdict::Ask, RuleVerdict::Deny]);
    let command = option::of(sample::select(vec!["git push", "make", "curl", "rm"]).prop_map(str::to_owned));
    let path = option::of(sample::select(vec!["src/**", "docs"]).prop_map(str::to_owned));
    let tool = option::of(sample::select(vec!["bash", "write_*", "*"]).prop_map(str::to_owned));
    vec(
        (verdict, command, path, tool)
            .prop_filter("a rule says something", |(_, command, path, tool)| {
                command.is_some() || path.is_some() || tool.is_some()
            })
            .prop_map(|(verdict, command, path, tool)| Rule {
                tool,
                command,
                path,
                verdict,
                ..Rule::default()
            }),
        0..4,
    )
}

prop_compose! {
    fn policies()(
        protected_paths in globs(),
        allowed_paths in option::of(globs()),
        max_files_changed in option::of(0u64..5),
        max_lines_changed in option::of(0u64..5),
        blocked_tools in vec(sample::select(vec!["bash", "web_fetch"]).prop_map(str::to_owned), 0..2),
        allowed_tools in option::of(vec(sample::select(vec!["bash", "write_file", "*", "web_*"]).prop_map(str::to_owned), 0..3)),
        guard in (any::<bool>(), any::<bool>()),
        allowed_hosts in option::of(vec(sample::select(vec!["*.io", "crates.io", "*"]).prop_map(str::to_owned), 0..3)),
        blocked_hosts in vec(sample::select(vec!["crates.io", "evil.com"]).prop_map(str::to_owned), 0..2),
        allow_private in any::<bool>(),
        sandbox in option::of(sample::select(vec![SandboxRequirement::Off, SandboxRequirement::Required])),
        rules in rules(),
        trusted_keys in vec(sample::select(vec!["k1", "k2", "k3", "none"]).prop_map(str::to_owned), 0..3),
        compliance in vec(sample::select(vec![Compliance::Iso26262, Compliance::Do178c, Compliance::Iec62443]), 0..2),
    ) -> Policy {
        Policy {
            protected_paths, allowed_paths, max_files_changed, max_lines_changed, blocked_tools, allowed_tools,
            flash_guard: FlashGuard { require_confirmation: guard.0, require_build_success: guard.1 },
            network: NetworkPolicy { allowed_hosts, blocked_hosts, allow_private },
            sandbox, rules, trusted_keys, compliance,
        }
    }
}

fn requests() -> Vec<Request> {
    vec![
        Request::shell("git push"),
        Request::shell("make && rm src/a.c"),
        Request::shell("curl https://x.io"),
        Request::shell("cat src/a.c"),
        Request::shell("rm docs/x"),
        Request::new("write_file", Level::Write).writes("src/a.c"),
        Request::new("write_file", Level::Write).writes("docs/readme"),
        Request::new("read_file", Level::Read).reads("src/a.c"),
        Request::new("web_fetch", Level::Network).url("https://crates.io/x"),
        Request::new("web_fetch", Level::Network).url("http://127.0.0.1/x"),
        Request::new("flash", Level::Device(DeviceVerb::Flash)),
    ]
}

fn is_at_least_as_strict(strict: &Policy, loose: &Policy) -> Result<(), TestCaseError> {
    let surroundings = Surroundings { root: "/p".into(), walls: true, ..Surroundings::default() };
    let strict_engine = PolicyEngine::new(strict, surroundings.clone()).unwrap();
    let loose_engine = PolicyEngine::new(loose, surroundings).unwrap();
    for request in requests() {
        for mode in Mode::ALL {
            let (a, b) = (strict_engine.decide(&request, mode), loose_engine.decide(&request, mode));
            prop_assert!(a.verdict >= b.verdict, "{request:?} in {mode}: {a:?} is looser than {b:?}");
        }
    }
    let bound = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    prop_assert!(bound(strict.max_files_changed) <= bound(loose.max_files_changed));
    prop_assert!(bound(strict.max_lines_changed) <= bound(loose.max_lines_changed));
    prop_assert!(
        !(strict.sandbox == Some(SandboxRequirement::Off) && loose.sandbox != Some(SandboxRequirement::Off))
    );
    prop_assert!(strict.flash_guard.require_build_success >= loose.flash_guard.require_build_success);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn meet_is_commutative(a in policies(), b in policies()) {
        prop_assert_eq!(meet(&a, &b), meet(&b, &a));
    }

    #[test]
    fn meet_is_associative(a in policies(), b in policies(), c in policies()) {
        prop_assert_eq!(meet(&meet(&a, &b), &c), meet(&a, &meet(&b, &c)));
    }

    #[test]
    fn meet_is_idempotent(a in policies()) {
        let once = normalized(&a);
        prop_assert_eq!(meet(&once, &once), once.clone());
        prop_assert_eq!(meet(&once, &a), once);
    }

    #[test]
    fn meet_is_never_looser(a in policies(), b in policies()) {
        let both = meet(&a, &b);
        is_at_least_as_strict(&both, &a)?;
        is_at_least_as_strict(&both, &b)?;
    }

    #[test]
    fn a_bound_only_tightens_and_the_order_of_bounds_does_not_matter(own in policies(), org in policies(), team in policies()) {
        let bounded = bounded_by(&own, &org);
        is_at_least_as_strict(&bounded, &own)?;
        prop_assert_eq!(bounded_by(&bounded, &org), bounded.clone());
        prop_assert_eq!(bounded_by(&bounded, &team), bounded_by(&bounded_by(&own, &team), &org));
        // Nothing that the organisation denies is possible, whatever the user's rules say.
        let surroundings = Surroundings { root: "/p".into(), walls: true, ..Surroundings::default() };
        let org_engine = PolicyEngine::new(&org, surroundings.clone()).unwrap();
        let engine = PolicyEngine::new(&bounded, surroundings).unwrap();
        for request in requests() {
            if org_engine.decide(&request, Mode::Yolo).verdict == fwai_schema::permission::Verdict::Deny {
                prop_assert_eq!(engine.decide(&request, Mode::Yolo).verdict, fwai_schema::permission::Verdict::Deny);
            }
        }
    }
}
