//! The one list of schema families: what fwai reads and writes, and the JSON Schema of each.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

/// A kind of document that fwai reads or writes.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Name of the schema file in `schemas/` and of `fwai config schema NAME`.
    pub name: &'static str,
    /// Where such documents lie, for people.
    pub where_found: &'static str,
    /// Unknown keys refuse instead of warn.
    pub strict: bool,
    generate: fn() -> Schema,
}

impl Family {
    pub fn schema(&self) -> Schema {
        (self.generate)()
    }
}

/// Every family, in the order in which people meet them.
pub const FAMILIES: &[Family] = &[
    family::<crate::config::Config>("config", ".fwai/config.yaml", false),
    family::<crate::project::Project>("project", ".fwai/project.yaml", false),
    family::<crate::policy::Policy>("policy", ".fwai/policy.yaml", true),
    family::<crate::tool::ToolDef>("tool", ".fwai/tools/*.yaml", false),
    family::<crate::skill::SkillDef>("skill", ".fwai/skills/*.yaml", false),
    family::<crate::agent::AgentDef>("agent", ".fwai/agents/*.yaml", false),
    family::<crate::board::BoardDef>("board", "boards/*.yaml", false),
    family::<crate::evidence::Evidence>("evidence", ".fwai/runs/*/evidence.json", false),
    family::<crate::event::Event>("event", ".fwai/sessions/*/events.jsonl", false),
    family::<crate::op::Op>("op", "operations sent to a session", false),
    family::<crate::future_services::McpConfig>("mcp", "`mcp` in config.yaml", false),
    family::<crate::future_services::KbConfig>("kb", "`kb` in config.yaml", false),
    family::<crate::future_services::BoardFarmConfig>("board-farm", "`board_farm` in config.yaml", false),
    family::<crate::future_services::OtaConfig>("ota", ".fwai/ota.yaml", false),
    family::<crate::future_services::LicenseConfig>("license", "`license` in config.yaml", false),
    family::<crate::future_services::MarketplaceConfig>("marketplace", "`marketplace` in config.yaml", false),
    family::<crate::future_services::PluginManifest>("plugin", ".fwai/plugins/*/manifest.json", false),
];

/// The family of this name.
pub fn by_name(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

const fn family<T: JsonSchema>(name: &'static str, where_found: &'static str, strict: bool) -> Family {
    Family { name, where_found, strict, generate: schema_of::<T> }
}

/// The JSON Schema (draft 2020-12) of a type, as written to `schemas/`.
pub fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_schema_describes_itself() {
        let mut seen = std::collections::BTreeSet::new();
        for family in FAMILIES {
            assert!(seen.insert(family.name), "{} stands twice", family.name);
            let schema = family.schema();
            assert!(schema.get("description").is_some(), "{} has no description", family.name);
        }
    }
}
