//! The rules against a corpus that was made without them: what providers publish and what firmware holds, each
//! secret on its own line, and look-alikes on which every finding is a false alarm.

#[path = "../corpus/corpus.rs"]
mod corpus;

use fwai_policy::secrets::{RuleSet, Scanner};

#[test]
fn secrets_of_the_corpus_are_found_on_their_lines_and_look_alikes_are_left_alone() {
    let scanner = Scanner::new(RuleSet::builtin());
    let (mut seeded, mut missed, mut alarms) = (0, Vec::new(), Vec::new());
    for file in corpus::corpus() {
        let findings = scanner.scan(file.text.as_bytes());
        for (first, last) in &file.secrets {
            seeded += 1;
            if !findings.iter().any(|finding| finding.line <= *last && finding.end_line >= *first) {
                missed.push(format!("{}:{first}", file.name));
            }
        }
        for finding in findings {
            let is_seed =
                file.secrets.iter().any(|(first, last)| finding.line <= *last && finding.end_line >= *first);
            if !is_seed {
                alarms.push(format!("{}:{} {}", file.name, finding.line, finding.rule));
            }
        }
    }
    println!("{seeded} seeded");
    assert!(seeded > 130, "only {seeded} secrets in the corpus");
    assert!(
        missed.is_empty() && alarms.is_empty(),
        "of {seeded}: missed {missed:#?}\nfalse alarms {alarms:#?}"
    );
}
