//! What fwai ships as data (skills, rules for secrets, the demo's recording) has its words in every language.

use super::{CHINESE, of_data, texts_of};
use fwai_app::{
    library::{self, Skill},
    paths::Paths,
};
use fwai_policy::secrets::RuleSet;
use std::{collections::BTreeSet, path::Path};

#[test]
fn what_is_shipped_as_data_is_told_in_every_language() {
    let nowhere = Paths::find(Path::new("/nonexistent"));
    let mut wanted = BTreeSet::new();
    for (name, skill) in library::skills(&nowhere) {
        let Skill::Workflow(workflow) = skill else { continue };
        if workflow.is_shipped() {
            wanted.extend(workflow.definition.inputs.keys().map(|input| format!("skill-{name}.{input}")));
            wanted.insert(format!("skill-{name}"));
        }
    }
    assert!(wanted.len() > 5, "{wanted:?}");
    let recording: serde_json::Value =
        serde_json::from_str(include_str!("../../commands/demo/recording.json")).unwrap();
    wanted.extend((1..=recording.as_array().unwrap().len()).map(|turn| format!("recorded-{turn}")));
    wanted.insert("recorded-task".to_owned());
    let rules = RuleSet::with_config(&[], &[]).unwrap();
    wanted.extend(rules.rules().iter().map(|rule| format!("secret-{}", rule.id)));
    for language in CHINESE {
        let texts = texts_of(language);
        let found = texts.into_keys().filter(|key| of_data(key));
        assert_eq!(found.collect::<BTreeSet<_>>(), wanted, "{language:?}");
    }
}
