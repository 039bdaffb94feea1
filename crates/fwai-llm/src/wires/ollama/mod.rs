//! Ollama's own chat.

mod decode;
mod encode;

use crate::{
    answer::{EventDecoder, read},
    fault::Fault,
    http::HttpRequest,
    provider::{ModelInfo, Request},
    wire::{Wire, WireSettings},
};
use serde::Deserialize;
use serde_json::{Value, json};

pub struct Ollama;

pub(crate) const NAME: &str = "ollama";

impl Wire for Ollama {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest {
        post(settings, "chat", &encode::body(settings, request, stream))
    }

    fn decoder(&self) -> Box<dyn EventDecoder> {
        Box::new(decode::Decoder::default())
    }

    fn streams_lines_of_json(&self) -> bool {
        true
    }

    fn encode_models(&self, settings: &WireSettings) -> HttpRequest {
        settings.dress(HttpRequest::get(url(settings, "tags")), "authorization", true)
    }

    fn decode_models(&self, body: &[u8]) -> Result<Vec<ModelInfo>, Fault> {
        #[derive(Deserialize)]
        struct List {
            models: Option<Vec<Model>>,
        }
        #[derive(Deserialize)]
        struct Model {
            name: String,
        }
        let list: List = read(body)?;
        let info = |model: Model| ModelInfo { name: model.name, context_window: None };
        Ok(list.models.into_iter().flatten().map(info).collect())
    }

    fn encode_context_window(&self, settings: &WireSettings) -> Option<HttpRequest> {
        Some(post(settings, "show", &json!({"model": settings.model})))
    }

    /// The key is named after the architecture: `qwen3.context_length`.
    fn decode_context_window(&self, body: &[u8]) -> Option<u32> {
        let shown: Value = serde_json::from_slice(body).ok()?;
        let length = |(key, value): (&String, &Value)| {
            key.ends_with(".context_length").then(|| value.as_u64()).flatten()
        };
        let length = shown["model_info"].as_object()?.iter().find_map(length)?;
        u32::try_from(length).ok().filter(|length| *length > 0)
    }
}

fn url(settings: &WireSettings, path: &str) -> String {
    format!("{}/api/{path}", settings.root(&["/v1", "/api", "/api/chat"]))
}

fn post(settings: &WireSettings, path: &str, body: &Value) -> HttpRequest {
    settings.dress(HttpRequest::post_json(url(settings, path), body), "authorization", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stands_under_the_architectures_name() {
        let body = br#"{"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960,"qwen3.block_count":36}}"#;
        assert_eq!(Ollama.decode_context_window(body), Some(40_960));
        assert_eq!(Ollama.decode_context_window(b"{}"), None);
        assert_eq!(Ollama.decode_context_window(b"junk"), None);
    }
}
