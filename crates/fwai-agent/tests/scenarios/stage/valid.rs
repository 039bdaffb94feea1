//! What every wire demands of a conversation.

use fwai_schema::message::{ContentBlock, Message, Role, ToolResultContent};
use std::{collections::HashSet, sync::Arc};

/// Panics where a provider would refuse these messages.
pub fn assert_valid(messages: &[Arc<Message>]) {
    let mut ids = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let expected = if index % 2 == 0 { Role::User } else { Role::Assistant };
        assert_eq!(message.role, expected, "roles alternate, beginning with the user: {messages:#?}");
        assert!(!message.content.is_empty(), "message {index} is empty");
        let mut answered = Vec::new();
        for block in &message.content {
            match block {
                ContentBlock::Text { text } => {
                    assert!(!text.trim().is_empty(), "empty text in message {index}")
                }
                ContentBlock::ToolUse { id, .. } => {
                    assert_eq!(message.role, Role::Assistant);
                    assert!(ids.insert(id.as_str()), "id {id} stands twice");
                }
                ContentBlock::ToolResult { tool_use_id, content, .. } => {
                    assert_eq!(message.role, Role::User);
                    assert!(!content.is_empty());
                    for part in content {
                        if let ToolResultContent::Text { text } = part {
                            assert!(!text.trim().is_empty());
                        }
                    }
                    answered.push(tool_use_id.as_str());
                }
                ContentBlock::Thinking { .. } => assert_eq!(message.role, Role::Assistant),
                ContentBlock::Image { .. } => assert_eq!(message.role, Role::User),
            }
        }
        assert_eq!(answered, open, "every call is answered in the next message, in order");
        open = message.tool_uses().map(|call| call.id).collect();
    }
    assert!(open.is_empty(), "the last message leaves calls open: {messages:#?}");
}
