//! What goes back to the server after a tool call: ids, names, order, reasoning, images.

use crate::setup::*;
use fwai_llm::{Provider, Request};
use fwai_schema::message::{ContentBlock, Message, ToolResultContent};
use fwai_testkit::model_server::{ModelServer, Turn, WireName};
use serde_json::{Value, json};

/// A conversation of two calls made with thinking, whose results come in the wrong order and with an image.
async fn second_request(wire: WireName) -> Value {
    let first = Turn::default()
        .and_thinking("hmm")
        .and_tool("bash", json!({"command": "a"}))
        .and_tool("read_file", json!({"path": "b"}));
    let server = ModelServer::start(vec![first, Turn::text("ok")]);
    let provider = provider(&server, wire);
    let (_, answer) = collect(&provider, ask("go")).await;
    let answer = answer.unwrap();
    let ids: Vec<String> =
        Message::assistant(answer.content.clone()).tool_uses().map(|call| call.id.to_owned()).collect();
    let image = ToolResultContent::Image { media_type: "image/png".into(), data: "aWNvbg==".into() };
    let mut request = ask("go");
    request.messages.push(Message::assistant(answer.content).into());
    request.messages.push(
        Message::user(vec![
            ContentBlock::ToolResult {
                tool_use_id: ids[1].clone(),
                content: vec![ToolResultContent::Text { text: "no file".into() }],
                is_error: true,
            },
            ContentBlock::ToolResult {
                tool_use_id: ids[0].clone(),
                content: vec![ToolResultContent::Text { text: "out".into() }, image],
                is_error: false,
            },
            ContentBlock::text("and now?"),
        ])
        .into(),
    );
    provider.complete(request).await.unwrap_or_else(|error| panic!("{wire:?}: {error}"));
    server.requests()[1].body.clone()
}

#[tokio::test]
async fn anthropic_gets_its_thinking_back_untouched() {
    let body = second_request(WireName::Anthropic).await;
    let assistant = &body["messages"][1]["content"];
    assert_eq!(assistant[0], json!({"type": "thinking", "thinking": "hmm", "signature": "sig-3"}));
    assert_eq!(assistant[1]["type"], "tool_use");
    let results = &body["messages"][2]["content"];
    assert_eq!(results[0]["is_error"], true);
    assert_eq!(results[1]["content"][1]["source"]["data"], "aWNvbg==");
    assert_eq!(results[2]["text"], "and now?");
}

#[tokio::test]
async fn openai_chat_gets_results_by_id_and_images_apart() {
    let body = second_request(WireName::OpenaiChat).await;
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "user"]);
    assert_eq!(messages[3]["tool_call_id"], messages[2]["tool_calls"][1]["id"]);
    assert_eq!(messages[3]["content"], "Error: no file");
    assert_eq!(messages[5]["content"][1]["image_url"]["url"], "data:image/png;base64,aWNvbg==");
}

#[tokio::test]
async fn openai_responses_gets_its_reasoning_back_untouched() {
    let body = second_request(WireName::OpenaiResponses).await;
    assert_eq!(body["store"], false);
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    let input = body["input"].as_array().unwrap();
    assert_eq!(
        input[1],
        json!({"type": "reasoning", "id": "rs_1_0", "summary": [], "encrypted_content": "enc-3"})
    );
    let kinds: Vec<_> = input.iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "message",
            "reasoning",
            "function_call",
            "function_call",
            "function_call_output",
            "function_call_output",
            "message"
        ]
    );
}

#[tokio::test]
async fn gemini_gets_responses_in_the_order_of_its_calls_and_its_signature() {
    let body = second_request(WireName::Gemini).await;
    let model = &body["contents"][1];
    assert_eq!(model["role"], "model");
    assert_eq!(model["parts"][0]["thoughtSignature"], "sig-3");
    let parts = &body["contents"][2]["parts"];
    assert_eq!(parts[0]["functionResponse"], json!({"name": "bash", "response": {"output": "out"}}));
    assert_eq!(parts[1]["functionResponse"], json!({"name": "read_file", "response": {"error": "no file"}}));
    assert_eq!(parts[2]["inlineData"]["mimeType"], "image/png");
    assert!(body["tools"][0]["functionDeclarations"][0]["parameters"].get("additionalProperties").is_none());
}

#[tokio::test]
async fn ollama_gets_objects_names_and_its_context_window() {
    let body = second_request(WireName::Ollama).await;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["thinking"], "hmm");
    assert_eq!(messages[2]["tool_calls"][0]["function"]["arguments"], json!({"command": "a"}));
    assert_eq!(messages[3]["tool_name"], "read_file");
    assert_eq!(messages[5]["images"], json!(["aWNvbg=="]));
    assert_eq!(body["options"]["num_ctx"], 16_384);
}

#[tokio::test]
async fn a_conversation_moves_from_one_provider_to_any_other() {
    for from in WireName::ALL {
        let first = Turn::default()
            .and_thinking("hmm")
            .and_text("I try.")
            .and_bad_tool("bash", "{oops")
            .and_tool("bash", json!({}));
        let server = ModelServer::start(vec![first]);
        let answer = provider(&server, from).complete(ask("go")).await.unwrap();
        let message = Message::assistant(answer.content);
        let results =
            message.tool_uses().map(|call| ContentBlock::tool_result(call.id, "", true)).collect::<Vec<_>>();
        let request = Request {
            messages: vec![
                Message::user_text("go").into(),
                message.clone().into(),
                Message::user(results).into(),
            ],
            ..ask("")
        };
        for to in WireName::ALL {
            let server = ModelServer::start(vec![Turn::text("ok")]);
            let answer = provider(&server, to).complete(request.clone()).await;
            assert!(answer.is_ok(), "{from:?} to {to:?}: {answer:?}");
        }
    }
}
