//! The server itself: a thread of its own, one task a connection, everything recorded.

use super::{
    Fault, Scenario, Turn, check,
    http::{self, HttpRequest},
    wires::{self, Telling, WireName},
};
use serde_json::Value;
use std::{
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream, tcp::OwnedWriteHalf},
    sync::oneshot,
};

/// A scripted server; ends when dropped.
pub struct ModelServer {
    url: String,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A request to the model, as it arrived.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub wire: WireName,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Value,
    pub stream: bool,
    pub at: Instant,
}

impl Recorded {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

type Script = dyn Fn(&Recorded) -> Turn + Send + Sync;

struct State {
    play: Mutex<Play>,
    changed: Condvar,
    script: Option<Box<Script>>,
}

struct Play {
    scenario: Scenario,
    /// Index of each turn that has been given.
    given: Vec<usize>,
    requests: Vec<Recorded>,
    /// Everything else that was asked: `GET /v1/models`.
    side_questions: Vec<String>,
    answers: usize,
    /// Clients that hung up before their answer was out.
    hang_ups: usize,
}

impl ModelServer {
    /// Plays a scenario on a free port of this machine.
    pub fn start(scenario: impl Into<Scenario>) -> Self {
        Self::launch(scenario.into(), None, 0).expect("a free port on loopback")
    }

    /// Asks `script` for each answer.
    pub fn answering(script: impl Fn(&Recorded) -> Turn + Send + Sync + 'static) -> Self {
        Self::launch(Scenario::default(), Some(Box::new(script)), 0).expect("a free port on loopback")
    }

    /// Plays a scenario on `port`.
    pub fn start_on(scenario: impl Into<Scenario>, port: u16) -> io::Result<Self> {
        Self::launch(scenario.into(), None, port)
    }

    fn launch(scenario: Scenario, script: Option<Box<Script>>, port: u16) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port))?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}", listener.local_addr()?);
        let play = Play {
            scenario,
            given: Vec::new(),
            requests: Vec::new(),
            side_questions: Vec::new(),
            answers: 0,
            hang_ups: 0,
        };
        let state = Arc::new(State { play: Mutex::new(play), changed: Condvar::new(), script });
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let shared = state.clone();
        let thread = std::thread::Builder::new().name("model-server".into()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                tokio::select! {
                    () = accept(listener, shared) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { url, state, stop: Some(stop), thread: Some(thread) })
    }

    /// `http://127.0.0.1:PORT`, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Environment that points fwai at this server.
    pub fn env(&self, wire: WireName) -> Vec<(&'static str, String)> {
        let mut out = vec![
            ("FWAI_PROVIDER", wire.provider().to_owned()),
            ("FWAI_BASE_URL", self.url.clone()),
            ("FWAI_MODEL", "test-model".to_owned()),
        ];
        let key = match wire {
            WireName::Anthropic => "ANTHROPIC_API_KEY",
            WireName::OpenaiChat | WireName::OpenaiResponses => "OPENAI_API_KEY",
            WireName::Gemini => "GEMINI_API_KEY",
            WireName::Ollama => return out,
        };
        out.push((key, "test-key-0123456789".to_owned()));
        out
    }

    /// What the model was asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.play().requests.clone()
    }

    /// What else was asked so far, as `METHOD path`.
    pub fn side_questions(&self) -> Vec<String> {
        self.play().side_questions.clone()
    }

    /// Clients that hung up before their answer was out.
    pub fn hang_ups(&self) -> usize {
        self.play().hang_ups
    }

    /// Waits until `condition` holds of this server, or half a minute has passed.
    pub fn wait_until(&self, condition: impl Fn(&Self) -> bool) -> bool {
        let end = Instant::now() + Duration::from_secs(30);
        while !condition(self) {
            let Some(left) = end.checked_duration_since(Instant::now()) else { return false };
            let guard = self.play();
            let _ = self.state.changed.wait_timeout(guard, left.min(Duration::from_millis(50)));
        }
        true
    }

    fn play(&self) -> MutexGuard<'_, Play> {
        self.state.play()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn change(&self, change: impl FnOnce(&mut Play)) {
        change(&mut self.play());
        self.changed.notify_all();
    }

    /// The answer to a request, and what goes wrong with it.
    fn next_turn(&self, request: &Recorded) -> Option<(Turn, Option<Fault>)> {
        if let Some(script) = &self.script {
            let mut turn = script(request);
            let fault = (!turn.faults.is_empty()).then(|| turn.faults.remove(0));
            return Some((turn, fault));
        }
        let body = request.body.to_string();
        let mut play = self.play();
        let fits = |turn: &Turn| turn.when.as_ref().is_none_or(|text| body.contains(text.as_str()));
        let open = |at: &usize| !play.given.contains(at) && fits(&play.scenario.turns[*at]);
        // A turn that waits for these words goes before one that takes any.
        let choices: Vec<usize> = (0..play.scenario.turns.len()).filter(open).collect();
        let special = choices.iter().copied().find(|at| play.scenario.turns[*at].when.is_some());
        let at = match special.or(choices.first().copied()) {
            Some(at) => at,
            None if play.scenario.repeat_last => play.scenario.turns.len().checked_sub(1)?,
            None => return None,
        };
        let turn = &mut play.scenario.turns[at];
        let fault = (!turn.faults.is_empty()).then(|| turn.faults.remove(0));
        let turn = turn.clone();
        if fault.as_ref().is_none_or(|fault| matches!(fault, Fault::Delay { .. } | Fault::Stall { .. })) {
            play.given.push(at);
        }
        Some((turn, fault))
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    while let Ok((socket, _)) = listener.accept().await {
        let state = state.clone();
        tokio::spawn(async move {
            let _ = socket.set_nodelay(true);
            if serve(socket, &state).await.is_err() {
                state.change(|play| play.hang_ups += 1);
            }
        });
    }
}

/// All requests of one connection. An error means that the client is gone, or shall think that we are.
async fn serve(socket: TcpStream, state: &State) -> io::Result<()> {
    let (reader, mut writer) = socket.into_split();
    let mut reader = BufReader::new(reader);
    while let Some(request) = http::read_request(&mut reader).await? {
        let work = answer(&mut writer, state, request);
        let watch = async {
            // Nothing is sent while an answer is awaited: something to read can only be the end.
            use tokio::io::AsyncBufReadExt;
            match reader.fill_buf().await {
                Ok([]) | Err(_) => {}
                Ok(_) => std::future::pending().await,
            }
        };
        let keep = tokio::select! {
            biased;
            done = work => done?,
            () = watch => return Err(io::ErrorKind::ConnectionReset.into()),
        };
        if !keep {
            return writer.shutdown().await;
        }
    }
    Ok(())
}

/// One answer; `false` when the connection shall end with it.
async fn answer(writer: &mut OwnedWriteHalf, state: &State, request: HttpRequest) -> io::Result<bool> {
    let scenario = {
        let play = state.play();
        Scenario { turns: Vec::new(), ..play.scenario.clone() }
    };
    let HttpRequest { method, path, headers, body } = request;
    let route = wires::route(&path).filter(|_| method == "POST");
    let wrong_key = scenario.key.as_deref().is_some_and(|key| check::key_of(&headers) != Some(key));
    let Some((wire, path_streams)) = route else {
        state.change(|play| play.side_questions.push(format!("{method} {path}")));
        let (status, body) = match wires::side_question(&scenario, &method, &path) {
            Some(_) if wrong_key => (401, error(WireName::OpenaiChat, 401, "invalid key")),
            Some(body) => (200, body),
            None => (404, error(WireName::OpenaiChat, 404, &format!("no such path: {path}"))),
        };
        http::write_whole(writer, status, "application/json", &[], body.to_string().as_bytes()).await?;
        return Ok(true);
    };
    let at = Instant::now();
    let parsed: Value = serde_json::from_slice(&body).unwrap_or_default();
    let default_stream = wire == WireName::Ollama;
    let stream = path_streams || parsed["stream"].as_bool().unwrap_or(default_stream);
    let model = parsed["model"].as_str().unwrap_or("test-model").to_owned();
    let recorded = Recorded { wire, path, headers, body: parsed, stream, at };
    let complaint = check::complaint(wire, &recorded.headers, &recorded.body);
    state.change(|play| play.requests.push(recorded.clone()));
    let refusal = match complaint {
        _ if wrong_key => Some((401, "invalid x-api-key".to_owned())),
        Some(complaint) => Some((400, complaint)),
        None => None,
    };
    if let Some((status, message)) = refusal {
        let body = error(wire, status, &message).to_string();
        http::write_whole(writer, status, "application/json", &[], body.as_bytes()).await?;
        return Ok(true);
    }
    let Some((turn, fault)) = state.next_turn(&recorded) else {
        let body = error(wire, 400, "the scenario is over").to_string();
        http::write_whole(writer, 400, "application/json", &[], body.as_bytes()).await?;
        return Ok(true);
    };
    let mut number = 0;
    state.change(|play| {
        play.answers += 1;
        number = play.answers;
    });
    let telling = Telling { turn: &turn, model: &model, number, piece_chars: scenario.piece_chars };
    let events = match stream {
        true => wires::events(wire, &telling),
        false => vec![wires::whole(wire, &telling).to_string()],
    };
    Delivery { writer, wire, stream, scenario: &scenario }.deliver(events, fault).await
}

fn error(wire: WireName, status: u16, message: &str) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    wires::error_body(wire, status, kind, message)
}

/// Brings an answer to the client, as well or as badly as it shall arrive.
struct Delivery<'a> {
    writer: &'a mut OwnedWriteHalf,
    wire: WireName,
    stream: bool,
    scenario: &'a Scenario,
}

impl Delivery<'_> {
    async fn deliver(mut self, events: Vec<String>, fault: Option<Fault>) -> io::Result<bool> {
        let mut body: Vec<Vec<u8>> = events.into_iter().map(String::into_bytes).collect();
        match fault {
            None => {}
            Some(Fault::Delay { ms }) => tokio::time::sleep(Duration::from_millis(ms)).await,
            Some(Fault::HangUp) => return Err(io::ErrorKind::ConnectionReset.into()),
            Some(Fault::Status { status, message, retry_after }) => {
                let extra: Vec<(&str, &str)> =
                    retry_after.iter().map(|after| ("retry-after", after.as_str())).collect();
                let body = error(self.wire, status, &message).to_string();
                http::write_whole(self.writer, status, "application/json", &extra, body.as_bytes()).await?;
                return Ok(true);
            }
            Some(Fault::WebPage { status }) => {
                let page =
                    b"<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>no</body></html>";
                http::write_whole(self.writer, status, "text/html", &[], page).await?;
                return Ok(true);
            }
            Some(Fault::ErrorBody { message }) => {
                let body = error(self.wire, 500, &message).to_string();
                http::write_whole(self.writer, 200, "application/json", &[], body.as_bytes()).await?;
                return Ok(true);
            }
            Some(Fault::Flood) => return self.flood().await,
            Some(Fault::Garbage { after_events }) => {
                body.insert(after_events.min(body.len() - 1), b"\x00\x01\xfe<garbage>{\n\n".to_vec());
            }
            Some(Fault::HalfUtf8 { after_events }) => {
                let place = after_events.min(body.len() - 1);
                body.insert(place, self.half_character());
            }
            Some(Fault::ErrorEvent { after_events, kind, message }) => {
                body.truncate(after_events);
                body.push(wires::error_event(self.wire, &kind, &message).into_bytes());
            }
            Some(Fault::Cut { after }) => {
                self.begin(&body).await?;
                self.write(&first_bytes(&body, after)).await?;
                // Without the last chunk, or with fewer bytes than promised.
                return Ok(false);
            }
            Some(Fault::EndEarly { after }) => body = first_bytes(&body, after),
            Some(Fault::Stall { after, ms }) => {
                self.begin(&body).await?;
                let first = first_bytes(&body, after);
                self.write(&first).await?;
                tokio::time::sleep(Duration::from_millis(ms)).await;
                let rest = body.concat().split_off(first.concat().len());
                self.write(&[rest]).await?;
                return self.end().await;
            }
        }
        self.begin(&body).await?;
        self.write(&body).await?;
        self.end().await
    }

    async fn begin(&mut self, body: &[Vec<u8>]) -> io::Result<()> {
        let content_type = wires::content_type(self.wire, self.stream);
        if self.stream {
            return http::begin_chunks(self.writer, content_type).await;
        }
        let length: usize = body.iter().map(Vec::len).sum();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n");
        self.writer.write_all(head.as_bytes()).await
    }

    async fn write(&mut self, body: &[Vec<u8>]) -> io::Result<()> {
        if !self.stream {
            self.writer.write_all(&body.concat()).await?;
            return self.writer.flush().await;
        }
        if let Some(size) = self.scenario.write_bytes {
            for piece in body.concat().chunks(size.max(1)) {
                http::write_chunk(self.writer, piece).await?;
                tokio::task::yield_now().await;
            }
            return Ok(());
        }
        for event in body {
            http::write_chunk(self.writer, event).await?;
            if self.scenario.pace_ms > 0 {
                tokio::time::sleep(Duration::from_millis(self.scenario.pace_ms)).await;
            }
        }
        Ok(())
    }

    async fn end(&mut self) -> io::Result<bool> {
        if self.stream {
            http::end_chunks(self.writer).await?;
        }
        Ok(true)
    }

    /// An event that says `caf` and the first byte of `é`.
    fn half_character(&self) -> Vec<u8> {
        let (before, after) = match self.wire {
            WireName::Anthropic => (
                r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"caf"#,
                "\"}}\n\n",
            ),
            WireName::OpenaiChat => (r#"data: {"choices":[{"index":0,"delta":{"content":"caf"#, "\"}}]}\n\n"),
            WireName::OpenaiResponses => {
                (r#"data: {"type":"response.output_text.delta","output_index":0,"delta":"caf"#, "\"}\n\n")
            }
            WireName::Gemini => (r#"data: {"candidates":[{"content":{"parts":[{"text":"caf"#, "\"}]}}]}\n\n"),
            WireName::Ollama => (r#"{"message":{"content":"caf"#, "\"},\"done\":false}\n"),
        };
        [before.as_bytes(), b"\xc3", after.as_bytes()].concat()
    }

    async fn flood(mut self) -> io::Result<bool> {
        self.stream = true;
        self.begin(&[]).await?;
        let line = vec![b'x'; 1 << 20];
        self.write(&[b"data: ".to_vec()]).await?;
        // Far more than any client should take; one that takes it all gets its end.
        for _ in 0..512 {
            http::write_chunk(self.writer, &line).await?;
        }
        self.end().await
    }
}

fn first_bytes(body: &[Vec<u8>], count: usize) -> Vec<Vec<u8>> {
    let mut bytes = body.concat();
    bytes.truncate(count);
    vec![bytes]
}
