//! Every wire against a server that nobody here wrote: npm's `@copilotkit/aimock`.

use crate::setup::*;
use fwai_llm::{Completion, Delta, LlmError, Provider};
use fwai_schema::message::{ContentBlock, Message, StopReason};
use fwai_testkit::model_server::WireName;
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// Starts the server, prints its address, and ends with its standard input.
const SCRIPT: &str = r#"
const { LLMock } = await import(process.argv[1]);
const mock = new LLMock({ port: 0, chunkSize: 3 });
mock.addFixture({ match: { userMessage: "say hello" },
    response: { content: "Hello, 固件 🦀🦀🦀 \"quoted\"\nend.", reasoning: "they greet me 🦀" } });
mock.addFixture({ match: { userMessage: "use tools", hasToolResult: true }, response: { content: "both done" } });
mock.addFixture({ match: { userMessage: "use tools" },
    response: { content: "I look.", toolCalls: [
        { name: "bash", arguments: JSON.stringify({ command: "ls 🦀" }) },
        { name: "read_file", arguments: "{}" } ] } });
mock.addFixture({ match: { userMessage: "be busy" }, response: { status: 429, retryAfter: 0,
    error: { message: "Too busy.", type: "rate_limit_error", code: "rate_limit_exceeded" } } });
mock.addFixture({ match: { userMessage: "be cut" }, response: { content: "never whole, never whole, never whole" },
    truncateAfterChunks: 4 });
await mock.start();
console.log(mock.url);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
"#;

struct Foreign {
    child: Child,
    url: String,
}

impl Foreign {
    fn start() -> Self {
        let module = cache().join("npm/node_modules/@copilotkit/aimock/dist/index.js");
        assert!(module.exists(), "{} is missing; run `cargo xtask setup`", module.display());
        let mut child = Command::new("node")
            .args(["--input-type=module", "-e", SCRIPT])
            .arg(&module)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node; run `cargo xtask setup`");
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Where `cargo xtask setup` puts what tests need.
fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FWAI_DEV_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("fwai-dev")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache/fwai-dev")))
        .expect("a home directory")
}

fn text_of(answer: &Completion) -> String {
    Message::assistant(answer.content.clone()).text()
}

#[tokio::test]
async fn every_wire_speaks_with_a_server_that_we_did_not_write() {
    let server = Foreign::start();
    for wire in WireName::ALL {
        let mut provider = provider_at(&server.url, wire);
        provider.settings.max_tokens = Some(1000);
        let whole = provider.complete(ask("say hello")).await.unwrap_or_else(|e| panic!("{wire:?}: {e}"));
        assert_eq!(text_of(&whole), "Hello, 固件 🦀🦀🦀 \"quoted\"\nend.", "{wire:?}");
        let (deltas, streamed) = collect(&provider, ask("say hello")).await;
        let streamed = streamed.unwrap_or_else(|e| panic!("{wire:?}: {e}"));
        assert_eq!(text_of(&streamed), text_of(&whole), "{wire:?}");
        assert_eq!(streamed.stop_reason, StopReason::EndTurn, "{wire:?}");
        assert!(deltas.iter().filter(|delta| matches!(delta, Delta::Text { .. })).count() > 5, "{wire:?}");
        tools(&provider, wire).await;
        trouble(&provider, wire).await;
    }
}

async fn tools(provider: &fwai_llm::HttpProvider, wire: WireName) {
    let whole = provider.complete(ask("use tools")).await.unwrap_or_else(|e| panic!("{wire:?}: {e}"));
    let (_, streamed) = collect(provider, ask("use tools")).await;
    for answer in [whole, streamed.unwrap_or_else(|e| panic!("{wire:?}: {e}"))] {
        assert_eq!(answer.stop_reason, StopReason::ToolUse, "{wire:?}");
        let message = Message::assistant(answer.content);
        let calls: Vec<(String, String)> =
            message.tool_uses().map(|call| (call.name.to_owned(), call.input.to_string())).collect();
        let expect =
            [("bash".to_owned(), r#"{"command":"ls 🦀"}"#.to_owned()), ("read_file".into(), "{}".into())];
        assert_eq!(calls, expect, "{wire:?}");
        let results =
            message.tool_uses().map(|call| ContentBlock::tool_result(call.id, "ok", false)).collect();
        let mut request = ask("use tools");
        request.messages.extend([message.clone().into(), Message::user(results).into()]);
        let after = provider.complete(request).await.unwrap_or_else(|e| panic!("{wire:?}: {e}"));
        assert_eq!(text_of(&after), "both done", "{wire:?}");
    }
}

async fn trouble(provider: &fwai_llm::HttpProvider, wire: WireName) {
    let (deltas, answer) = collect(provider, ask("be busy")).await;
    let error = answer.unwrap_err();
    assert!(matches!(error.root(), LlmError::RateLimited { .. }), "{wire:?}: {error:?}");
    assert!(error.to_string().contains("Too busy."), "{wire:?}: {error}");
    assert_eq!(deltas.len(), 3, "{wire:?}: three retries");
    let (_, answer) = collect(provider, ask("be cut")).await;
    let error = answer.expect_err("half an answer is none");
    assert!(matches!(error.root(), LlmError::Cut { .. }), "{wire:?}: {error:?}");
}
