//! OpenAI's Responses.

mod decode;
pub(crate) mod encode;

use super::openai_chat::{models, models_request, url};
use crate::{
    answer::EventDecoder,
    fault::Fault,
    http::HttpRequest,
    provider::{ModelInfo, Request},
    wire::{Wire, WireSettings},
};

pub struct OpenAiResponses;

pub(crate) const NAME: &str = "openai_responses";

impl Wire for OpenAiResponses {
    fn name(&self) -> &'static str {
        NAME
    }

    fn encode(&self, settings: &WireSettings, request: &Request, stream: bool) -> HttpRequest {
        let body = encode::body(settings, request, stream);
        settings.dress(HttpRequest::post_json(url(settings, "responses"), &body), "authorization", true)
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
