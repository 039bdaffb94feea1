//! A recording plays back what was said, without what must not be kept.

use super::*;
use crate::{BoxFuture, BoxStream, Delta, ModelInfo, Provider, ProviderStatus};
use futures_util::{StreamExt, stream};
use fwai_schema::{
    config::ModelFacts,
    message::{ContentBlock, Message, StopReason, Usage},
};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Answers with the question in capitals.
struct Parrot;

impl Parrot {
    fn say(request: &Request) -> Result<Completion, LlmError> {
        let text = request.messages.last().map(|message| message.text()).unwrap_or_default();
        if text == "fail" {
            return Err(LlmError::Protocol { provider: "parrot".into(), message: "no".into() });
        }
        let content = vec![
            ContentBlock::text(text.to_uppercase()),
            ContentBlock::tool_use("c1", "read_file", json!({"path": "/home/me/p/main.c"})),
        ];
        let usage = Usage { input_tokens: 1, output_tokens: 2, ..Usage::default() };
        Ok(Completion { content, stop_reason: StopReason::ToolUse, usage, model: "parrot-1".into() })
    }
}

impl Provider for Parrot {
    fn name(&self) -> &str {
        "parrot"
    }
    fn model(&self) -> &str {
        "parrot-1"
    }
    fn facts(&self) -> ModelFacts {
        ModelFacts::default()
    }
    fn complete(&self, request: Request) -> BoxFuture<'_, Result<Completion, LlmError>> {
        Box::pin(std::future::ready(Self::say(&request)))
    }
    fn stream(&self, request: Request) -> BoxStream<'_, Result<Delta, LlmError>> {
        let end = Self::say(&request).map(|completion| Delta::Done { completion });
        Box::pin(stream::iter([Ok(Delta::Thinking), end]))
    }
    fn status(&self) -> BoxFuture<'_, ProviderStatus> {
        unreachable!()
    }
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, LlmError>> {
        unreachable!()
    }
}

/// A tape whose secret is `hunter2` and whose project is `/home/me/p`, or elsewhere.
struct TestTape(&'static str);

impl Tape for TestTape {
    fn tape_text(&self, text: &str) -> String {
        text.replace("hunter2", "[secret]").replace(self.0, "{project}")
    }
    fn play_text(&self, text: &str) -> String {
        text.replace("{project}", self.0)
    }
}

#[derive(Default)]
struct Memory(Mutex<String>);

impl CassetteSink for Memory {
    fn write_line(&self, line: &str) -> Result<(), String> {
        let mut text = self.0.lock().unwrap();
        text.push_str(line);
        text.push('\n');
        Ok(())
    }
}

fn asks(texts: &[&str]) -> Request {
    Request {
        messages: texts.iter().map(|text| Message::user_text(*text).into()).collect(),
        ..Request::default()
    }
}

fn recording(requests: &[Request]) -> String {
    let memory = Arc::new(Memory::default());
    let recorder = Recorder::new(Arc::new(Parrot), Arc::new(TestTape("/home/me/p")), memory.clone());
    for (at, request) in requests.iter().enumerate() {
        if at % 2 == 0 {
            let _ = block_on(recorder.complete(request.clone()));
        } else {
            block_on(recorder.stream(request.clone()).collect::<Vec<_>>());
        }
    }
    memory.0.lock().unwrap().clone()
}

fn replay(text: &str) -> Replay {
    Replay::new("t.jsonl", text, ModelFacts::default(), Arc::new(TestTape("/other/place"))).unwrap()
}

#[test]
fn what_was_said_is_said_again_whole_and_streamed() {
    let tape = recording(&[asks(&["one"]), asks(&["one", "two"]), asks(&["fail"])]);
    assert_eq!(tape.lines().count(), 3);
    let replay = replay(&tape);
    let first = block_on(replay.complete(asks(&["one"]))).unwrap();
    assert_eq!(first.content[0], ContentBlock::text("ONE"));
    let pieces: Vec<_> = block_on(replay.stream(asks(&["one", "two"])).collect());
    let Some(Ok(Delta::Done { completion })) = pieces.last() else { panic!("{pieces:?}") };
    assert_eq!(completion.content[0], ContentBlock::text("TWO"));
    assert!(matches!(&pieces[0], Ok(Delta::Text { text }) if text == "TWO"));
    assert!(matches!(block_on(replay.complete(asks(&["fail"]))), Err(LlmError::Protocol { .. })));
}

#[test]
fn secrets_stay_away_and_paths_move() {
    let tape = recording(&[asks(&["my password is hunter2 in /home/me/p/x"])]);
    assert!(!tape.contains("hunter2") && !tape.contains("/home/me"), "{tape}");
    let answer =
        block_on(replay(&tape).complete(asks(&["my password is hunter2 in /other/place/x"]))).unwrap();
    let ContentBlock::ToolUse { input, .. } = &answer.content[1] else { panic!() };
    assert_eq!(input["path"], "/other/place/main.c");
}

#[test]
fn a_departure_is_located() {
    let tape = recording(&[asks(&["one"]), asks(&["one", "two of them"])]);
    let replay = replay(&tape);
    block_on(replay.complete(asks(&["one"]))).unwrap();
    let error = block_on(replay.complete(asks(&["one", "two of those"]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "replay: t.jsonl: exchange 2 of 2: the request departs from the recording at messages[1].content[0].text: recorded `two of them`, now `two of those`"
    );
    block_on(replay.complete(asks(&["one", "two of them"]))).unwrap();
    let error = block_on(replay.complete(asks(&["three"]))).unwrap_err();
    assert!(error.to_string().contains("all 2 exchanges are played"), "{error}");
}

#[test]
fn times_in_results_may_differ_and_words_may_not() {
    let with = |text: &str| {
        let mut request = asks(&["go"]);
        request.messages.push(Message::user(vec![ContentBlock::tool_result("c1", text, false)]).into());
        request
    };
    let tape = recording(&[with("3 tests passed in 1.25 s")]);
    assert!(block_on(replay(&tape).complete(with("3 tests passed in 0.9 s"))).is_ok());
    let error = block_on(replay(&tape).complete(with("3 tests failed in 0.9 s"))).unwrap_err().to_string();
    assert!(error.contains("messages[1].content[0].content[0].text"), "{error}");
}

#[test]
fn agents_side_by_side_may_ask_in_another_order() {
    let tape = recording(&[asks(&["left"]), asks(&["right"])]);
    let replay = replay(&tape);
    assert!(block_on(replay.complete(asks(&["right"]))).is_ok());
    assert!(block_on(replay.complete(asks(&["left"]))).is_ok());
}

#[test]
fn a_bad_cassette_is_named_with_its_line() {
    let open = |text: &str| {
        let tape = Arc::new(TestTape("/"));
        Replay::new("t.jsonl", text, ModelFacts::default(), tape).err().unwrap().to_string()
    };
    assert_eq!(open(""), "replay: t.jsonl: the cassette is empty");
    assert!(open("\n{\"v\":1}\n").starts_with("replay: t.jsonl:2: not an exchange"));
    let newer = recording(&[asks(&["x"])]).replace("\"v\":1", "\"v\":9");
    assert!(open(&newer).contains("version 9"));
}
