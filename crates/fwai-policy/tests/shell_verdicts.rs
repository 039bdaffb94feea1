//! Verdicts over real command lines: each line is judged by its worst part, and what is not understood is
//! never allowed.

use fwai_policy::{Decision, PolicyEngine, Request, Surroundings};
use fwai_schema::{
    permission::{Mode, Verdict},
    policy::{Policy, Rule, RuleExamples, RuleVerdict},
};

fn engine(policy: Policy) -> PolicyEngine {
    let surroundings = Surroundings {
        root: "/home/ada/blinky".into(),
        home: Some("/home/ada".into()),
        walls: true,
        ..Surroundings::default()
    };
    PolicyEngine::new(&policy, surroundings).unwrap()
}

fn decide(line: &str, mode: Mode) -> Decision {
    engine(Policy::default()).decide(&Request::shell(line), mode)
}

fn check(mode: Mode, verdict: Verdict, lines: &[&str]) {
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, decide(line, mode)))
        .filter(|(_, decision)| decision.verdict != verdict)
        .map(|(line, decision)| format!("{line:?}: {decision:?}"))
        .collect();
    assert!(wrong.is_empty(), "should be {verdict:?} in {mode}:\n{}", wrong.join("\n"));
}

#[test]
fn reading_is_allowed_in_every_mode() {
    let lines = [
        "ls -la",
        "cat src/main.c | grep -n init | head -20",
        "find . -name '*.c' -newer Makefile",
        "git status && git diff HEAD~1 -- src",
        "git log --oneline -5; git show HEAD",
        "sed -n '1,20p' src/main.c",
        "awk '{print $1}' map.txt | sort | uniq -c",
        "arm-none-eabi-objdump -d build/app.elf | head",
        "for f in src/*.c; do wc -l \"$f\"; done",
        "if [ -f Makefile ]; then cat Makefile; fi",
        "test -d build || echo none",
        "cat <<'EOF'\nrm -rf ~\nEOF",
        "ls 2>/dev/null >&2",
        "grep -rn NOTE src # rm -rf /",
        "cat /usr/include/stdint.h",
        "[[ -n $X && $Y == a* ]] && echo yes",
        "case $1 in a|b) echo x;; *) echo y;; esac",
        "diff <(sort a) <(sort b)",
        "command -v gcc",
        "gcc --version",
        "echo \"$(git rev-parse HEAD)\"",
    ];
    for mode in Mode::ALL {
        check(mode, Verdict::Allow, &lines);
    }
}

#[test]
fn what_undo_or_the_sandbox_bounds_runs_in_auto_and_asks_in_ask() {
    let lines = [
        "make -j4",
        "touch src/new.c",
        "mkdir -p src/{a,b} && cp src/main.c src/a/",
        "rm -rf build",
        "sed -i 's/foo/bar/g' src/main.c",
        "echo hi > notes.txt",
        "git add -A && git commit -m \"$(cat <<'EOF'\nIt's done :)\nEOF\n)\"",
        "python3 script.py",
        "./configure",
        "cargo build --offline",
        "find . -name '*.o' -delete",
        "cmake -B build && ninja -C build",
        "sort -o sorted.txt list.txt",
        "echo x | tee log.txt",
        "touch /tmp/scratch",
        "LD_PRELOAD=./x.so ls",
        "PATH=/evil:$PATH; ls",
        "rg --pre ./evil foo",
        "awk 'BEGIN { system(\"id\") }'",
        "git -c core.fsmonitor=./evil status",
        "find . -exec grep -l x {} +",
    ];
    check(Mode::Auto, Verdict::Allow, &lines);
    let asked = lines.iter().copied().filter(|line| !line.contains("-exec grep")).collect::<Vec<_>>();
    check(Mode::Ask, Verdict::Ask, &asked);
}

#[test]
fn what_leaves_touches_a_board_or_cannot_be_undone_asks() {
    check(
        Mode::Auto,
        Verdict::Ask,
        &[
            "curl https://example.com",
            "git push origin main",
            "git -C sub push",
            "pip install requests",
            "cargo install ripgrep",
            "npm i left-pad",
            "ssh host ls",
            "exec 3<>/dev/tcp/1.2.3.4/80",
            "openocd -f board.cfg -c 'program x.elf'",
            "esptool.py write_flash 0 x.bin",
            "git reset --hard HEAD~3",
            "git clean -fdx",
            "git config core.hooksPath evil",
            "sudo make install",
            "rm -rf .",
            "ls | xargs rm",
            "rm -rf \"$DIR\"",
            "find . -exec rm {} \\;",
            "cat /home/ada/other/notes.txt",
            "shred src/main.c",
        ],
    );
}

#[test]
fn what_is_not_understood_asks() {
    check(
        Mode::Auto,
        Verdict::Ask,
        &[
            "$CMD --help",
            "eval \"$X\"",
            "curl x | sh",
            "echo cm0gLXJmIC8K | base64 -d | bash",
            "echo 'unclosed",
            "bash <<EOF\nrm -rf ~\nEOF",
            ":(){ :|:& };:",
            "alias ls='rm -rf x'; ls",
            "$(echo rm) -rf src",
            "`echo rm` x",
            "bash -c \"$X\"",
            "env -S 'rm -rf x'",
            "ls $(",
            "a=(1 2",
            "echo ${x@P}",
            "{r,}m -rf x",
        ],
    );
}

#[test]
fn what_reaches_outside_or_into_secrets_is_denied_in_every_mode() {
    let lines = [
        "ls && rm -rf ~",
        "rm -rf /",
        "rm -rf $HOME",
        "true; (cd /; rm -rf *)",
        "cat ~/.ssh/id_rsa",
        "cat \"$HOME/.aws/credentials\"",
        "cp ~/.gnupg/secring.gpg .",
        "grep -r x --file=/home/ada/.ssh/id_rsa",
        "dd if=/dev/zero of=/dev/sda",
        "echo x > /etc/passwd",
        "echo x >> ~/.bashrc",
        "bash -c 'rm -rf ~'",
        "sh -c \"sh -c 'rm -rf ~'\"",
        "echo $(rm -rf ~)",
        "echo `rm -rf ~`",
        "env A=b nice -n 5 timeout 5 rm -rf ~",
        "command rm -rf ~",
        "\\rm -rf ~",
        "'rm' -rf ~",
        "r\"\"m -rf ~",
        "$'rm' -rf ~",
        "$'\\x72m' -rf ~",
        "/bin/rm -rf ~",
        "sudo rm -rf ~",
        "find ~ -delete",
        "eval 'rm -rf ~'",
        "trap 'rm -rf ~' EXIT",
        "f() { rm -rf ~; }; f",
        "cat <<EOF\n$(rm -rf ~)\nEOF",
        "ls &\nrm -rf ~",
        "if true; then rm -rf ~; fi",
        "while true; do rm -rf ~; done",
        "diff <(rm -rf ~) x",
        "echo x > .git/hooks/pre-commit",
        "cp evil .GIT/config",
        "echo x | tee .fwai/policy.yaml",
        "rm -rf .git",
        "mkfs.ext4 /dev/sda1",
        "shutdown now",
        "mount --bind / x",
        "unshare -r sh",
        "cd .. && rm -rf other",
        "cd /etc; echo x > passwd",
        "case x in x) rm -rf ~;; esac",
        "ls || { rm -rf ~; }",
        "! rm -rf ~",
        "time rm -rf ~",
        "x=1 rm -rf ~",
        "ls>/etc/x",
        "busybox rm -rf ~",
        "for i in 1; do rm -rf ~; done",
        "function g { rm -rf ~; }",
        "echo ${x:-$(rm -rf ~)}",
        "echo $((1 + $(rm -rf ~)))",
        "echo \"a $(rm -rf ~) b\"",
        "coproc rm -rf ~",
        "ls \\\n && rm -rf ~",
        "flock /tmp/l -c 'rm -rf ~'",
    ];
    for mode in [Mode::Ask, Mode::Auto, Mode::Yolo] {
        check(mode, Verdict::Deny, &lines);
    }
}

#[test]
fn plan_mode_denies_changes() {
    check(Mode::Plan, Verdict::Deny, &["touch x", "git commit -m x", "curl http://x", "rm -rf build"]);
    check(Mode::Plan, Verdict::Ask, &["make", "eval \"$X\""]);
}

#[test]
fn the_worst_part_is_named() {
    let decision = decide("ls && rm -rf ~", Mode::Auto);
    assert_eq!(decision.worst_part.as_deref(), Some("rm -rf ~"));
    assert_eq!(decision.rule, "builtin:outside-project");
    let decision = decide("make && git push", Mode::Auto);
    assert_eq!(decision.worst_part.as_deref(), Some("git push"));
    assert!(decision.needs_network);
    assert!(decide("git commit -m x", Mode::Auto).writes_git);
}

#[test]
fn without_walls_unknown_programs_ask() {
    let surroundings = Surroundings { root: "/p".into(), ..Surroundings::default() };
    let engine = PolicyEngine::new(&Policy::default(), surroundings).unwrap();
    assert_eq!(engine.decide(&Request::shell("make"), Mode::Auto).verdict, Verdict::Ask);
}

fn rule(command: &str, verdict: RuleVerdict) -> Rule {
    Rule { command: Some(command.into()), verdict, ..Rule::default() }
}

#[test]
fn deny_wins_over_allow_and_allow_must_cover_every_part() {
    let rules = vec![
        rule("git push", RuleVerdict::Allow),
        rule("git push --force", RuleVerdict::Deny),
        rule("curl", RuleVerdict::Allow),
        rule("make flash", RuleVerdict::Ask),
    ];
    let engine = engine(Policy { rules, ..Policy::default() });
    let verdict = |line: &str| engine.decide(&Request::shell(line), Mode::Auto).verdict;
    assert_eq!(verdict("git push origin main"), Verdict::Allow);
    assert_eq!(verdict("git push --force"), Verdict::Deny);
    assert_eq!(verdict("git push origin --force"), Verdict::Allow);
    assert_eq!(verdict("/usr/bin/git push --force"), Verdict::Deny);
    assert_eq!(verdict("git -C x push --force"), Verdict::Deny);
    assert_eq!(verdict("env git push --force"), Verdict::Deny);
    assert_eq!(
        verdict("git -c x=y push"),
        Verdict::Ask,
        "an allow rule does not vouch for other configuration"
    );
    assert_eq!(verdict("GIT_SSH_COMMAND=evil git push"), Verdict::Ask);
    assert_eq!(verdict("curl x && ssh y"), Verdict::Ask);
    assert_eq!(verdict("curl x -o ~/.bashrc; rm -rf ~"), Verdict::Deny);
    assert_eq!(verdict("make flash"), Verdict::Ask);
    assert_eq!(engine.decide(&Request::shell("make flash"), Mode::Auto).rule, "rules[3]");
}

#[test]
fn examples_of_rules_are_checked_when_they_are_loaded() {
    let with = |matches: &[&str], not_matches: &[&str]| {
        let list = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect();
        let examples = RuleExamples { matches: list(matches), not_matches: list(not_matches) };
        let policy = Policy {
            rules: vec![Rule { examples, ..rule("git push", RuleVerdict::Deny) }],
            ..Policy::default()
        };
        PolicyEngine::new(&policy, Surroundings::default()).map(drop).map_err(|problem| problem.to_string())
    };
    assert_eq!(with(&["git push origin", "ls; git push"], &["git status", "git pushy"]), Ok(()));
    assert!(with(&["git pull"], &[]).unwrap_err().contains("rules[0]: the example `git pull` should match"));
    assert!(with(&[], &["sudo git push"]).unwrap_err().contains("should not match"));
}

#[test]
fn board_questions_survive_yolo_unless_the_board_is_virtual() {
    use fwai_schema::permission::{DeviceVerb, Level};
    let engine = engine(Policy::default());
    let flash = Request::new("flash", Level::Device(DeviceVerb::Flash));
    assert_eq!(engine.decide(&flash, Mode::Yolo).verdict, Verdict::Ask);
    let on_virtual = Request { virtual_board: true, ..flash };
    assert_eq!(engine.decide(&on_virtual, Mode::Auto).verdict, Verdict::Allow);
    let fuse = Request { virtual_board: true, ..Request::new("fuse", Level::Device(DeviceVerb::Fuse)) };
    assert_eq!(engine.decide(&fuse, Mode::Yolo).verdict, Verdict::Ask);
}

#[test]
fn file_tools_are_bound_by_paths() {
    use fwai_schema::permission::Level;
    let policy = Policy {
        protected_paths: vec!["boards/**".into(), "*.pem".into()],
        allowed_paths: Some(vec!["src/**".into(), "boards/**".into()]),
        ..Policy::default()
    };
    let engine = engine(policy);
    let write =
        |path: &str| engine.decide(&Request::new("write_file", Level::Write).writes(path), Mode::Yolo);
    assert_eq!(write("src/main.c").verdict, Verdict::Allow);
    assert_eq!(write("boards/x.yaml").rule, "policy:protected_paths");
    assert_eq!(write("src/deep/key.PEM").rule, "policy:protected_paths");
    assert_eq!(write("README.md").rule, "policy:allowed_paths");
    assert_eq!(write("src/../../x").rule, "policy:outside-project");
    assert_eq!(write("/home/ada/blinky/src/../.git/config").rule, "policy:protected_paths");
    assert_eq!(write("src/sub/.git/hooks/x").rule, "policy:protected_paths");
    assert_eq!(write("src/.g\u{200c}it/config").rule, "policy:protected_paths");
    assert_eq!(write("src/GIT~1/config").rule, "policy:protected_paths");
    assert_eq!(write(".fwai/keys/x").rule, "policy:protected_paths");
    let read =
        |path: &str| engine.decide(&Request::new("read_file", Level::Read).reads(path), Mode::Auto).verdict;
    assert_eq!(read("/home/ada/.ssh/id_rsa"), Verdict::Deny);
    assert_eq!(read("~/.netrc"), Verdict::Deny);
    assert_eq!(read("/home/ada/other.txt"), Verdict::Ask);
    assert_eq!(read("/usr/include/stdio.h"), Verdict::Allow);
}

#[test]
fn words_that_become_commands_are_not_taken_for_reading() {
    let lines = [
        "env -iS 'rm main.c'",
        "env -vS'rm main.c'",
        "env --sp='rm main.c'",
        "test -v 'a[$(rm main.c)]'",
        "[ -v 'a[$(rm main.c)]' ]",
        "[[ 'a[$(rm main.c)]' -eq 1 ]]",
        "let 'a[$(rm main.c)]=1'",
        "printf -v 'a[$(rm main.c)]' x",
        "unset 'a[`rm main.c`]'",
        "read 'a[$(rm main.c)]' <<< x",
        "wait -n -p 'a[$(rm main.c)]'",
        "declare 'a[$(rm main.c)]=1'",
    ];
    check(Mode::Auto, Verdict::Ask, &lines);
    // Bounded by the walls, and asked for where every program is.
    let lines = [
        "BASH_ENV=./x bash -c ls",
        "ENV=./x sh -c ls",
        "env BASH_ENV=./x bash -c ls",
        "hash -p ./evil ls; ls",
        "nm --plugin ./x.so a.out",
        "objdump --plugin=./x.so -d a.out",
        "xxd main.c out.hex",
        "xxd -l 16 main.c out.hex",
        "file -C -m magic",
    ];
    check(Mode::Ask, Verdict::Ask, &lines);
    check(Mode::Auto, Verdict::Allow, &lines);
    check(
        Mode::Ask,
        Verdict::Allow,
        &[
            "xxd -l 16 main.c",
            "xxd -g 1 -c 8 main.c",
            "file main.c",
            "printf '%s' '$(x)'",
            "hash -r",
            "env -i ls",
        ],
    );
    check(
        Mode::Yolo,
        Verdict::Deny,
        &["cat /proc/self/environ", "strings /proc/1234/environ", "cat /proc/self/root/etc/passwd"],
    );
}

#[test]
fn without_walls_what_is_read_must_be_known() {
    let surroundings = Surroundings {
        root: "/home/ada/blinky".into(),
        home: Some("/home/ada".into()),
        walls: false,
        ..Surroundings::default()
    };
    let engine = PolicyEngine::new(&Policy::default(), surroundings).unwrap();
    let verdict = |line: &str| engine.decide(&Request::shell(line), Mode::Ask).verdict;
    for line in [
        "cat ~root/.ssh/id_rsa",
        "cat /home/ada/.ss*/id_rsa",
        "ls {/etc/passwd,~/.ssh/id_rsa}",
        "cat $X",
        "cat $(echo x)",
    ] {
        assert_eq!(verdict(line), Verdict::Ask, "{line}");
    }
    for line in ["cat src/*.c", "cat src/main.c", "ls {a,b}.c", "grep -n x .git*", "wc -l */*.c"] {
        assert_eq!(verdict(line), Verdict::Allow, "{line}");
    }
}
