//! Error bodies as real servers write them.

use super::*;

fn check(status: u16, headers: &[(&str, &str)], body: &str, expect: &str) {
    let headers: Vec<_> = headers.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let error = ApiError::from_response(status, &headers, body.as_bytes());
    assert_eq!(Fault::Api(error).into_error("p", "m", 0).to_string(), expect);
}

#[test]
fn the_message_is_shown_and_not_the_dump() {
    check(
        400,
        &[],
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}"#,
        "p: the request was refused (400): messages: at least one message is required",
    );
    check(
        401,
        &[],
        r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
        "p: the key was refused (401): Incorrect API key provided.",
    );
    check(
        404,
        &[],
        r#"{"error":"model 'x' not found"}"#,
        "p: model 'x' not found (404); `fwai provider models` lists what the server offers",
    );
    check(
        422,
        &[],
        r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
        "p: the request was refused (422): field required",
    );
    check(
        502,
        &[],
        "<html><head><title>502 Bad\nGateway</title></head></html>",
        "p: the server failed (502): a web page instead of an answer: 502 Bad Gateway",
    );
    check(500, &[], "", "p: the server failed (500): no explanation");
    check(
        400,
        &[],
        r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#,
        "p: the request was refused (400): API key not valid.",
    );
}

#[test]
fn a_conversation_that_is_too_long_is_known_as_such() {
    for body in [
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}"#,
        r#"{"error":{"message":"too many","code":"context_length_exceeded"}}"#,
        r#"{"error":{"code":400,"message":"The input token count (1100000) exceeds the maximum number of tokens allowed","status":"INVALID_ARGUMENT"}}"#,
    ] {
        let error = Fault::Api(ApiError::from_response(400, &[], body.as_bytes())).into_error("p", "m", 0);
        assert!(matches!(error, LlmError::ContextTooLong { .. }), "{error:?}");
    }
}

fn delay(headers: &[(&str, &str)], body: &str) -> Option<u64> {
    let headers: Vec<_> = headers.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    ApiError::from_response(429, &headers, body.as_bytes()).retry_after_ms
}

#[test]
fn every_hint_when_to_come_back_is_heard() {
    assert_eq!(delay(&[("retry-after", "2")], ""), Some(2000));
    assert_eq!(delay(&[("retry-after", "1.5")], ""), Some(1500));
    assert_eq!(delay(&[("Retry-After-Ms", "250"), ("retry-after", "9")], ""), Some(250));
    let date = [("date", "Wed, 21 Oct 2026 07:28:00 GMT"), ("retry-after", "Wed, 21 Oct 2026 07:28:05 GMT")];
    assert_eq!(delay(&date, ""), Some(5000));
    assert_eq!(delay(&[("retry-after", "soon")], ""), None);
    assert_eq!(delay(&[("retry-after", "-3")], ""), None);
    let google = r#"{"error":{"code":429,"message":"q","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37s"}]}}"#;
    assert_eq!(delay(&[], google), Some(37_000));
    let openai = r#"{"error":{"message":"Rate limit reached. Please try again in 1.2s. Visit…","type":"tokens","code":"rate_limit_exceeded"}}"#;
    assert_eq!(delay(&[], openai), Some(1200));
    assert_eq!(duration("6m0s"), Some(360_000));
    assert_eq!(duration("250ms"), Some(250));
}

#[test]
fn an_empty_purse_is_not_retried() {
    let body = r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let error = Fault::Api(ApiError::from_response(429, &[], body.as_bytes())).into_error("p", "m", 0);
    assert!(!error.is_retryable(), "{error:?}");
}

#[test]
fn error_events_have_the_status_that_their_kind_means() {
    let of = |text: &str| ApiError::from_body(&serde_json::from_str(text).unwrap()).unwrap().status;
    assert_eq!(of(r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#), 529);
    assert_eq!(of(r#"{"type":"error","code":"rate_limit_exceeded","message":"slow"}"#), 429);
    assert_eq!(of(r#"{"error":{"message":"boom","code":502}}"#), 502);
    assert_eq!(of(r#"{"error":"it broke"}"#), 500);
}
