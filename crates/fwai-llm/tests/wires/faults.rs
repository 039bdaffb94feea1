//! Everything that can go wrong on the way, injected: one line that says what happened, no panic, no
//! hang, and never half an answer as a whole one.

use crate::setup::*;
use futures_util::StreamExt;
use fwai_llm::{Delta, LlmError, Provider};
use fwai_schema::config::TimeoutConfig;
use fwai_testkit::model_server::{Fault, ModelServer, Turn, WireName};

const TEXT: &str = "a sentence of some length that takes many events";

/// One fault, then the answer: the caller hears of it and gets the whole answer.
async fn recovers(fault: Fault, says: &str) {
    for wire in WireName::ALL {
        let server = ModelServer::start(vec![Turn::text(TEXT).fault(fault.clone())]);
        let (deltas, answer) = collect(&provider(&server, wire), ask("hi")).await;
        let context = format!("{wire:?} {fault:?}");
        let retry = deltas.iter().position(|delta| matches!(delta, Delta::Retrying { .. }));
        let Some(retry) = retry else { panic!("{context}: nobody said that it was tried again: {deltas:?}") };
        let Delta::Retrying { error, attempt: 1, .. } = &deltas[retry] else { panic!("{context}") };
        assert!(error.contains(says) && !error.contains('\n'), "{context}: {error}");
        let after: String = deltas[retry..]
            .iter()
            .filter_map(|delta| match delta {
                Delta::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(after, TEXT, "{context}");
        assert_eq!(
            fwai_schema::message::Message::assistant(answer.unwrap().content).text(),
            TEXT,
            "{context}"
        );
        assert_eq!(server.requests().len(), 2, "{context}");
    }
}

/// The same fault at every try: one error, after as many tries as it deserves.
async fn gives_up(fault: Fault, tries: usize, says: &str) {
    for wire in WireName::ALL {
        let server = ModelServer::start(vec![Turn::text(TEXT).faults(fault.clone(), 20)]);
        let (_, answer) = collect(&provider(&server, wire), ask("hi")).await;
        let context = format!("{wire:?} {fault:?}");
        let error = answer.expect_err(&context).to_string();
        assert!(error.contains(says) && !error.contains('\n'), "{context}: {error}");
        assert_eq!(error.contains("fwai tried"), tries > 1, "{context}: {error}");
        assert_eq!(server.requests().len(), tries, "{context}");
    }
}

#[tokio::test]
async fn overloaded_and_rate_limited_servers_are_asked_again() {
    recovers(Fault::overloaded(), "overloaded (529): Overloaded").await;
    recovers(Fault::rate_limit("0"), "too many requests (429): slow down").await;
    recovers(Fault::WebPage { status: 502 }, "a web page instead of an answer: Bad Gateway").await;
    for status in [408, 409, 500, 503] {
        let fault = Fault::Status { status, message: "not now".into(), retry_after: None };
        recovers(fault, "not now").await;
    }
}

#[tokio::test]
async fn after_enough_tries_it_says_so() {
    gives_up(Fault::overloaded(), 4, "fwai tried 4 times").await;
    let refused = Fault::Status { status: 400, message: "no".into(), retry_after: None };
    gives_up(refused, 1, "the request was refused (400): no").await;
    gives_up(Fault::WebPage { status: 200 }, 2, "a web page").await;
}

#[tokio::test]
async fn a_stream_that_is_cut_is_never_taken_as_whole() {
    for after in [0, 1, 40, 150, 300] {
        recovers(Fault::Cut { after }, "cut off").await;
        recovers(Fault::EndEarly { after }, "cut off").await;
    }
    recovers(Fault::HangUp, "cut off").await;
    gives_up(Fault::Cut { after: 200 }, 4, "cut off").await;
}

/// Wherever the bytes stop, an answer comes only if all of its text has arrived.
#[tokio::test]
async fn no_place_to_cut_makes_a_short_answer() {
    for wire in WireName::ALL {
        let whole = Turn::text("0123456789");
        for after in (0..1500).step_by(13) {
            let server = ModelServer::start(vec![whole.clone().faults(Fault::EndEarly { after }, 9)]);
            let mut provider = provider(&server, wire);
            provider.retry.max_retries = 0;
            if let (_, Ok(answer)) = collect(&provider, ask("hi")).await {
                let text = fwai_schema::message::Message::assistant(answer.content).text();
                assert_eq!(text, "0123456789", "{wire:?} cut after {after} bytes");
            }
        }
    }
}

#[tokio::test]
async fn garbage_is_not_skipped() {
    recovers(Fault::Garbage { after_events: 3 }, "the answer made no sense").await;
    recovers(Fault::HalfUtf8 { after_events: 3 }, "the answer made no sense").await;
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream() {
    let fault =
        Fault::ErrorEvent { after_events: 4, kind: "server_error".into(), message: "it broke".into() };
    recovers(fault, "the server failed (500): it broke").await;
    recovers(Fault::ErrorBody { message: "it broke".into() }, "the server failed (500): it broke").await;
}

#[tokio::test]
async fn a_silent_server_is_left_after_its_time() {
    let faults = [Fault::Delay { ms: 60_000 }, Fault::Stall { after: 120, ms: 60_000 }];
    let cases = WireName::ALL.into_iter().flat_map(|wire| faults.iter().map(move |fault| (wire, fault)));
    futures_util::future::join_all(cases.map(|(wire, fault)| leaves_silence(wire, fault))).await;
}

async fn leaves_silence(wire: WireName, fault: &Fault) {
    let server = ModelServer::start(vec![Turn::text(TEXT).fault(fault.clone()), Turn::text("later")]);
    let mut provider = provider(&server, wire);
    provider.timeouts = TimeoutConfig { connect_s: 1, first_byte_s: 1, idle_s: 1 };
    let (deltas, answer) = collect(&provider, ask("hi")).await;
    let said = deltas
        .iter()
        .any(|delta| matches!(delta, Delta::Retrying { error, .. } if error.contains("no answer for 1 s")));
    assert!(said, "{wire:?} {fault:?}: {deltas:?}");
    // On a busy machine the second try may be too slow as well; a hang or half an answer it is not.
    if let Err(error) = answer {
        assert!(matches!(error.root(), LlmError::Timeout { .. }), "{wire:?} {fault:?}: {error:?}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_refused() {
    let server = ModelServer::start(vec![Turn::text(TEXT).faults(Fault::Flood, 9)]);
    let (_, answer) = collect(&provider(&server, WireName::OpenaiChat), ask("hi")).await;
    assert!(matches!(answer, Err(LlmError::TooLarge { .. })), "{answer:?}");
}

#[tokio::test]
async fn no_server_is_said_at_once() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let provider = provider_at(&format!("http://{free}"), WireName::OpenaiChat);
    let error = provider.complete(ask("hi")).await.unwrap_err();
    assert!(matches!(error, LlmError::Connect { .. }), "{error:?}");
    assert!(error.to_string().contains("cannot reach http://127.0.0.1"), "{error}");
}

#[tokio::test]
async fn dropping_a_stream_hangs_up_at_once() {
    for wire in WireName::ALL {
        let turn = Turn::text(TEXT).fault(Fault::Stall { after: 700, ms: 60_000 });
        let server = ModelServer::start(vec![turn]);
        let provider = provider(&server, wire);
        let mut stream = provider.stream(ask("hi"));
        while let Some(item) = stream.next().await {
            if matches!(item, Ok(Delta::Text { .. })) {
                break;
            }
        }
        drop(stream);
        drop(provider);
        // The runtime that reads the socket must run for the hang-up to leave.
        let gone = tokio::task::spawn_blocking(move || server.wait_until(|server| server.hang_ups() > 0));
        assert!(gone.await.unwrap(), "{wire:?}");
    }
}

#[tokio::test]
async fn a_key_that_the_server_repeats_is_taken_out() {
    for wire in WireName::ALL {
        let fault = Fault::Status { status: 401, message: format!("bad key {KEY}"), retry_after: None };
        let server = ModelServer::start(vec![Turn::text(TEXT).fault(fault)]);
        let error = provider(&server, wire).complete(ask("hi")).await.unwrap_err();
        assert!(matches!(error, LlmError::Auth { .. }), "{error:?}");
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    }
}
