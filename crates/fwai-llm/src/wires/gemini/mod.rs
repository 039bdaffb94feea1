//! Google's Gemini.

mod decode;
mod encode;
pub mod schema;

use crate::{
    answer::{EventDecoder, read},
    fault::Fault,
    http::HttpRequest,
    provider::{ModelInfo, Request},
    wire::{Wire, WireSettings},
};
use serde::Deserialize;

pub struct Gemini;

pub(crate) const NAME: &str = "gemini";
const SIGNATURE: &str = "thoughtSignature";

impl Wire for Gemini {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest {
        let model = settings.model.trim_start_matches("models/");
        let call = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
        let url = url(settings, &format!("models/{model}:{call}"));
        dress(settings, HttpRequest::post_json(url, &encode::body(settings, request)))
    }

    fn decoder(&self) -> Box<dyn EventDecoder> {
        Box::new(decode::Decoder::default())
    }

    fn encode_models(&self, settings: &WireSettings) -> HttpRequest {
        dress(settings, HttpRequest::get(url(settings, "models?pageSize=1000")))
    }

    fn decode_models(&self, body: &[u8]) -> Result<Vec<ModelInfo>, Fault> {
        #[derive(Deserialize)]
        struct List {
            models: Option<Vec<Model>>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Model {
            name: String,
            input_token_limit: Option<u32>,
            supported_generation_methods: Option<Vec<String>>,
        }
        let list: List = read(body)?;
        let talks = |model: &Model| match &model.supported_generation_methods {
            Some(methods) => methods.iter().any(|method| method == "generateContent"),
            None => true,
        };
        let info = |model: Model| ModelInfo {
            name: model.name.trim_start_matches("models/").to_owned(),
            context_window: model.input_token_limit,
        };
        Ok(list.models.into_iter().flatten().filter(talks).map(info).collect())
    }
}

fn url(settings: &WireSettings, path: &str) -> String {
    format!("{}/v1beta/{path}", settings.root(&["/v1beta", "/v1", "/models"]))
}

fn dress(settings: &WireSettings, request: HttpRequest) -> HttpRequest {
    settings.dress(request, "x-goog-api-key", false)
}
