//! OpenAI's Chat Completions, and every server that speaks them.

mod decode;
pub(crate) mod encode;

use crate::{
    answer::{EventDecoder, read},
    fault::Fault,
    http::HttpRequest,
    provider::{ModelInfo, Request},
    wire::{Wire, WireSettings},
};
use serde::Deserialize;

pub struct OpenAiChat;

pub(crate) const NAME: &str = "openai_chat";

impl Wire for OpenAiChat {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest {
        let body = encode::body(settings, request, stream);
        settings.dress(
            HttpRequest::post_json(url(settings, "chat/completions"), &body),
            "authorization",
            true,
        )
    }

    fn decoder(&self) -> Box<dyn EventDecoder> {
        Box::new(decode::Decoder::default())
    }

    fn encode_models(&self, settings: &WireSettings) -> HttpRequest {
        models_request(settings)
    }

    fn decode_models(&self, body: &[u8]) -> Result<Vec<ModelInfo>, Fault> {
        models(body)
    }
}

pub(crate) fn models_request(settings: &WireSettings) -> HttpRequest {
    settings.dress(HttpRequest::get(url(settings, "models")), "authorization", true)
}

pub(crate) fn models(body: &[u8]) -> Result<Vec<ModelInfo>, Fault> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Model>,
    }
    #[derive(Deserialize)]
    struct Model {
        id: String,
        /// OpenRouter.
        context_length: Option<u32>,
        /// vLLM.
        max_model_len: Option<u32>,
    }
    let list: List = read(body)?;
    let info = |model: Model| ModelInfo {
        name: model.id,
        context_window: model.context_length.or(model.max_model_len),
    };
    Ok(list.data.into_iter().map(info).collect())
}

/// An address with a path of its own is taken as it is, as OpenAI's own libraries do; a bare host gets
/// the version that nearly all servers use.
pub(crate) fn url(settings: &WireSettings, path: &str) -> String {
    let root = settings.root(&["/chat/completions", "/responses"]);
    let has_path = root.split_once("://").map_or(root, |(_, rest)| rest).contains('/');
    let version = if has_path { "" } else { "/v1" };
    format!("{root}{version}/{path}")
}

/// OpenAI itself has renamed a field that compatible servers still know by its old name.
pub(crate) fn is_openai_itself(settings: &WireSettings) -> bool {
    let host = settings.base_url.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    host == "api.openai.com" || host.ends_with(".openai.azure.com")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_and_without_a_version() {
        for (base, expect) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/models"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/models"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/models"),
            ("http://127.0.0.1:8080/v1//", "http://127.0.0.1:8080/v1/models"),
            ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/models"),
            ("https://host/v1/chat/completions", "https://host/v1/models"),
        ] {
            let settings = WireSettings { base_url: base.into(), ..Default::default() };
            assert_eq!(url(&settings, "models"), expect);
        }
    }
}
