//! Anthropic's Messages.

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

pub struct Anthropic;

pub(crate) const NAME: &str = "anthropic";
const VERSION: &str = "2023-06-01";

impl Wire for Anthropic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest {
        let body = encode::body(settings, request, stream);
        dress(settings, HttpRequest::post_json(url(settings, "messages"), &body))
    }

    fn decoder(&self) -> Box<dyn EventDecoder> {
        Box::new(decode::Decoder::default())
    }

    fn encode_models(&self, settings: &WireSettings) -> HttpRequest {
        dress(settings, HttpRequest::get(url(settings, "models?limit=1000")))
    }

    fn decode_models(&self, body: &[u8]) -> Result<Vec<ModelInfo>, Fault> {
        #[derive(Deserialize)]
        struct List {
            data: Vec<Model>,
        }
        #[derive(Deserialize)]
        struct Model {
            id: String,
            max_input_tokens: Option<u32>,
        }
        let list: List = read(body)?;
        let info = |model: Model| ModelInfo { name: model.id, context_window: model.max_input_tokens };
        Ok(list.data.into_iter().map(info).collect())
    }
}

fn url(settings: &WireSettings, path: &str) -> String {
    format!("{}/v1/{path}", settings.root(&["/v1", "/messages"]))
}

fn dress(settings: &WireSettings, request: HttpRequest) -> HttpRequest {
    settings.dress(request.header("anthropic-version", VERSION), "x-api-key", false)
}
