//! Measures what the design promises of model traffic, one JSON object a line:
//! decoding speed of each wire, and the time from the first bytes of an answer to its first delta.
//!
//! `cargo run --profile quick -p fwai-llm --example bench_decode`

use eventsource_stream::Eventsource;
use futures_util::{StreamExt, stream};
use fwai_llm::{
    Delta, HttpProvider, Provider, Request,
    answer::AnswerDecoder,
    fold::Fold,
    native::{ReqwestTransport, TokioClock},
    wire::{Wire, WireSettings},
    wires::{
        anthropic::Anthropic, gemini::Gemini, ollama::Ollama, openai_chat::OpenAiChat,
        openai_responses::OpenAiResponses,
    },
};
use fwai_schema::message::Message;
use fwai_testkit::model_server::{Turn, WireName, stream_bytes};
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::{Arc, OnceLock, mpsc},
    time::{Duration, Instant},
};

const SIZE: usize = 10 << 20;
/// What a socket gives at once.
const PIECE: usize = 16 << 10;
const RUNS: usize = 9;

fn main() {
    for name in WireName::ALL {
        let wire: Box<dyn Wire> = match name {
            WireName::Anthropic => Box::new(Anthropic),
            WireName::OpenaiChat => Box::new(OpenAiChat),
            WireName::OpenaiResponses => Box::new(OpenAiResponses),
            WireName::Gemini => Box::new(Gemini),
            WireName::Ollama => Box::new(Ollama),
        };
        let bytes = stream(name);
        let speed = speed(&bytes, || decode(&*wire, &bytes));
        println!(
            "{}",
            json!({"what": "decode", "wire": name, "mb": bytes.len() / 1_000_000, "mb_per_s": speed, "goal": ">= 100"})
        );
    }
    let bytes = stream(WireName::Anthropic);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let speed = speed(&bytes, || runtime.block_on(usual_way(&bytes)));
    println!(
        "{}",
        json!({"what": "decode with eventsource-stream and serde_json::Value", "mb_per_s": speed})
    );
    let latencies = runtime.block_on(first_delta());
    println!(
        "{}",
        json!({"what": "first delta after its bytes", "median_us": latencies[latencies.len() / 2].as_micros() as u64,
            "p95_us": latencies[latencies.len() * 95 / 100].as_micros() as u64, "runs": latencies.len(), "goal": "<= 1000"})
    );
}

/// About ten megabytes of answer: text of usual deltas, and a long file as a tool's argument.
fn stream(name: WireName) -> Vec<u8> {
    let line = "The quick brown fox reads register 0x4002_1000, \"RCC_CR\"; 固件.\n";
    let turn = |repeat: usize| {
        Turn::text(line.repeat(repeat))
            .and_tool("write_file", json!({"path": "a.c", "text": line.repeat(repeat)}))
    };
    let one = stream_bytes(name, &turn(10), 20).len();
    stream_bytes(name, &turn(10 * SIZE / one), 20)
}

/// Time on a processor of the middle run, and megabytes a second by it. Other programs on the machine do not
/// count against us, since the promise is one for each core.
fn speed(bytes: &[u8], mut run: impl FnMut() -> usize) -> f64 {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let begin = on_processor();
            assert!(run() > 0);
            on_processor() - begin
        })
        .collect();
    times.sort();
    (bytes.len() as f64 / 1e6 / times[RUNS / 2].as_secs_f64()).round()
}

/// How long this thread has run; wall time where the system does not tell.
fn on_processor() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let begin = BEGIN.get_or_init(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// Everything from bytes to the whole message, every delta taken.
fn decode(wire: &dyn Wire, bytes: &[u8]) -> usize {
    let fold = Fold::new("m", 0);
    let mut decoder = AnswerDecoder::new(wire.decoder(), wire.streams_lines_of_json(), fold, u64::MAX);
    let mut deltas = 0;
    for piece in bytes.chunks(PIECE) {
        decoder.feed(piece).expect("a whole stream");
        deltas += std::iter::from_fn(|| decoder.next_delta()).count();
    }
    decoder.end_of_input().expect("a whole stream");
    deltas + decoder.finish().content.len()
}

/// What one would write with the usual parts.
async fn usual_way(bytes: &[u8]) -> usize {
    let pieces = stream::iter(
        bytes.chunks(PIECE).map(|piece| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(piece))),
    );
    let mut events = pieces.eventsource();
    let mut text = String::new();
    while let Some(event) = events.next().await {
        let event: Value = serde_json::from_str(&event.expect("a whole stream").data).expect("JSON");
        text.push_str(event["delta"]["text"].as_str().unwrap_or_default());
        text.push_str(event["delta"]["partial_json"].as_str().unwrap_or_default());
    }
    text.len()
}

/// Times between the write of the first delta at the server and its arrival at the caller.
async fn first_delta() -> Vec<Duration> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("a bound socket");
    let (tell, told) = mpsc::channel::<Instant>();
    let runs = 200;
    std::thread::spawn(move || {
        for _ in 0..runs {
            let (mut socket, _) = listener.accept().expect("a client");
            socket.set_nodelay(true).expect("TCP");
            let mut request = [0; 4096];
            let _ = socket.read(&mut request);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            socket.write_all(head.as_bytes()).expect("a client");
            // The client waits for the body by then.
            std::thread::sleep(Duration::from_millis(2));
            let _ = tell.send(Instant::now());
            let delta = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
            socket.write_all(delta.as_bytes()).expect("a client");
        }
    });
    let provider = HttpProvider {
        name: "openai".into(),
        wire: Box::new(OpenAiChat),
        settings: WireSettings {
            base_url: format!("http://{address}"),
            model: "m".into(),
            ..Default::default()
        },
        facts: Default::default(),
        timeouts: Default::default(),
        retry: Default::default(),
        transport: Arc::new(ReqwestTransport::new(Duration::from_secs(5))),
        clock: Arc::new(TokioClock),
        served_window: Default::default(),
    };
    let mut times = Vec::new();
    for _ in 0..runs {
        let request = Request { messages: vec![Message::user_text("hi").into()], ..Request::default() };
        let mut deltas = provider.stream(request);
        while let Some(delta) = deltas.next().await {
            if matches!(delta, Ok(Delta::Text { .. })) {
                let now = Instant::now();
                times.push(now - told.recv().expect("the server's time"));
            }
        }
    }
    times.sort();
    times
}
