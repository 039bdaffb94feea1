//! Tools that touch only the session itself: todos, questions, plans, agents, skills. One file each, one
//! list here.

mod ask_user_question;
mod list_available_skills;
mod plan_mode;
mod read_skill_documentation;
mod skill;
mod submit_plan;
mod task;
mod todo_write;
mod world;

use crate::{core::Core, registry::Registry};
use std::sync::{Arc, Weak};

pub use world::SessionWorld;

/// The tool that starts agents.
pub const TASK: &str = "task";

/// `registry` with all tools of this room.
fn with_all(registry: Registry, world: &Arc<SessionWorld>) -> Registry {
    registry
        .with::<SessionWorld, todo_write::TodoWrite>(world)
        .with::<SessionWorld, ask_user_question::AskUserQuestion>(world)
        .with::<SessionWorld, task::Task>(world)
        .with::<SessionWorld, plan_mode::PlanMode>(world)
        .with::<SessionWorld, submit_plan::SubmitPlan>(world)
        .with::<SessionWorld, list_available_skills::ListAvailableSkills>(world)
        .with::<SessionWorld, read_skill_documentation::ReadSkillDocumentation>(world)
        .with::<SessionWorld, skill::Skill>(world)
}

/// The tools of a session. Without skills to be found, the three tools for them are left out.
pub(crate) fn bind(registry: Registry, core: Weak<Core>, has_skills: bool) -> Registry {
    let all = with_all(registry, &Arc::new(SessionWorld::new(core)));
    if has_skills { all } else { all.retain(|tool| !is_about_skills(tool.name())) }
}

/// All tools of this room without a session, for help pages and tests of the list.
pub fn unbound() -> Registry {
    with_all(Registry::new(), &Arc::new(SessionWorld::new(Weak::new())))
}

pub(crate) fn is_session_tool(name: &str) -> bool {
    is_about_skills(name)
        || matches!(name, TASK | "todo_write" | "ask_user_question" | "plan_mode" | "submit_plan")
}

fn is_about_skills(name: &str) -> bool {
    matches!(name, "skill" | "list_available_skills" | "read_skill_documentation")
}

/// Whether a tool's answer is fwai's or the user's own words, which need no container for data. A report
/// of an agent is data: it may repeat what a hostile file says.
pub(crate) fn speaks_for_fwai(name: &str) -> bool {
    is_session_tool(name) && name != TASK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_complete_documented_and_small() {
        let registry = unbound();
        let mut bytes = 0;
        for tool in registry.iter() {
            assert!(is_session_tool(tool.name()), "{} is not known to is_session_tool", tool.name());
            assert!(tool.description().len() > 20, "{} has no description", tool.name());
            assert!((3..=4).contains(&tool.generation()), "{}", tool.name());
            bytes += serde_json::to_string(&tool.definition()).unwrap().len();
        }
        assert!(bytes < 4_500, "every request carries these {bytes} bytes");
    }
}
