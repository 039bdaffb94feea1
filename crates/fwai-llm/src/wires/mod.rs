//! One folder a wire: `encode` turns our request into its bytes, `decode` its bytes into our pieces.

pub mod anthropic;
pub mod gemini;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
