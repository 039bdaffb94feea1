//! `web_search`: a search service of the user's choice.

use super::client::{Bounds, get};
use crate::prelude::*;
use serde_json::Value;
use std::time::Duration;

const SHOWN: usize = 10;

/// Search the web. Answers titles, addresses and summaries.
#[derive(Deserialize, JsonSchema)]
pub struct WebSearch {
    query: String,
}

impl Tool<World> for WebSearch {
    const NAME: &str = "web_search";
    const LEVEL: Level = Level::Network;
    const GENERATION: u8 = 4;
    const PARALLEL: bool = true;

    fn examples() -> Vec<Example> {
        examples![("without a service", {"query": "STM32F100 errata"}, fails_with "web.search_url")]
    }

    fn effects(&self) -> Effects {
        Effects::url("web search")
    }

    async fn run(self, ctx: &ToolContext<World>) -> Result<ToolOutcome, HostError> {
        let web = &ctx.config.web;
        let Some(service) = &web.search_url else {
            return Ok(ToolOutcome::failed(
                "no search service is set; the user can set one: fwai config set --user web.search_url \"https://HOST/search?format=json&q={query}\" (SearXNG), or a Brave-style address with web.search_key_env",
            ));
        };
        let query: String = url::form_urlencoded::byte_serialize(self.query.as_bytes()).collect();
        let address = match service.contains("{query}") {
            true => service.replace("{query}", &query),
            false => {
                format!("{service}{}q={query}&format=json", if service.contains('?') { '&' } else { '?' })
            }
        };
        let key = web.search_key_env.as_ref().and_then(|name| std::env::var(name).ok());
        let mut headers = vec![("accept", "application/json".to_owned())];
        headers.extend(key.map(|key| ("x-subscription-token", key)));
        // The service is the user's own choice, so that it may stand in the local network.
        let network =
            fwai_schema::policy::NetworkPolicy { allow_private: true, ..ctx.config.policy.network.clone() };
        let bounds = Bounds {
            network: &network,
            max_bytes: web.max_bytes,
            timeout: Duration::from_secs(web.timeout_s.max(1)),
            tls_only: false,
        };
        let page = match get(&address, &headers, &bounds).await {
            Ok(page) => page,
            Err(why) => return Ok(ToolOutcome::failed(why)),
        };
        let Ok(answer) = serde_json::from_slice::<Value>(&page.body) else {
            return Ok(ToolOutcome::failed(format!(
                "the search service answered {} and no JSON",
                page.status
            )));
        };
        // SearXNG gives `results`, Brave `web.results`.
        let results = answer["results"].as_array().or_else(|| answer["web"]["results"].as_array());
        let found: Vec<String> = results.into_iter().flatten().take(SHOWN).map(result).collect();
        Ok(if found.is_empty() {
            ToolOutcome::ok("nothing found")
        } else {
            ToolOutcome::ok(found.join("\n\n"))
        })
    }
}

fn result(one: &Value) -> String {
    let text =
        |keys: [&str; 2]| keys.iter().find_map(|key| one[*key].as_str()).unwrap_or_default().to_owned();
    format!("{}\n{}\n{}", text(["title", "name"]), text(["url", "link"]), text(["content", "description"]))
}
