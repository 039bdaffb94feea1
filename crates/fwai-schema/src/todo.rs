//! Todos of a session: a flat list whose entries may name a parent.

use crate::prelude::*;

/// Where a todo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    Pending,
    InProgress,
    Completed,
    Cancelled,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Todo {
    /// Unique in the list.
    pub id: String,
    /// What to do; never empty.
    pub content: String,
    pub status: TodoStatus,
    /// Id of the todo that this one is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}
