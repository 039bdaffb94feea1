//! Every example of `docs/writing-skills.md` is a skill that fwai accepts, with the tools that it has.

use fwai_agent::skills::check::{Known, check};
use fwai_app::{paths::Paths, session::tool_list};
use fwai_schema::{config::Config, document, families, project::Project, skill::SkillDef};

const GUIDE: &str = include_str!("../../../docs/writing-skills.md");

fn examples() -> Vec<&'static str> {
    GUIDE.split("```yaml\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

#[test]
fn each_example_loads_and_names_only_what_exists() {
    let folder = tempfile::tempdir().unwrap();
    let paths = Paths::find(folder.path());
    let tools = tool_list(&paths, &Config::default(), &Project::default()).unwrap();
    let agents = ["general".to_owned(), "explorer".to_owned()];
    let examples = examples();
    assert!(examples.len() >= 6, "{}", examples.len());
    for text in examples {
        let family = families::by_name("skill").unwrap();
        let (skill, warnings): (SkillDef, _) =
            document::read_str("guide", text, family).unwrap_or_else(|problems| {
                panic!("{}", problems.iter().map(ToString::to_string).collect::<String>())
            });
        assert!(warnings.is_empty(), "{}: {}", skill.name, warnings[0]);
        let problems = check(&skill, &Known { tools: Some(&tools), agents: Some(&agents) });
        assert!(problems.is_empty(), "{}: {problems:?}", skill.name);
    }
}
