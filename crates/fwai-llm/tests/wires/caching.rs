//! Where Anthropic is told to cache, and what it says it cached.

use crate::setup::*;
use fwai_llm::Provider;
use fwai_schema::message::{Message, Usage};
use fwai_testkit::model_server::{ModelServer, Turn, WireName};

#[tokio::test]
async fn marks_stand_at_tools_system_and_the_last_message() {
    let usage = Usage {
        input_tokens: 3,
        output_tokens: 5,
        cache_read_tokens: 1000,
        cache_write_tokens: 200,
        reasoning_tokens: 0,
    };
    let server = ModelServer::start(vec![Turn::text("one").usage(usage)]);
    let provider = provider(&server, WireName::Anthropic);
    let mut request = ask("first");
    request.system = vec!["stable".into(), "project".into(), "today".into()];
    request.messages.push(Message::assistant(vec![fwai_schema::message::ContentBlock::text("yes")]).into());
    request.messages.push(Message::user_text("last").into());
    let answer = provider.complete(request).await.unwrap();
    assert_eq!(answer.usage, usage);
    let recorded = &server.requests()[0];
    assert_eq!(recorded.header("x-api-key"), Some(KEY));
    assert_eq!(recorded.header("anthropic-version"), Some("2023-06-01"));
    let body = &recorded.body;
    let marked = |value: &serde_json::Value| value["cache_control"]["type"] == "ephemeral";
    assert!(marked(&body["tools"][0]));
    let system: Vec<bool> = body["system"].as_array().unwrap().iter().map(marked).collect();
    assert_eq!(system, [false, true, true]);
    assert!(!marked(&body["messages"][0]["content"][0]));
    assert!(marked(&body["messages"][2]["content"][0]));
}
