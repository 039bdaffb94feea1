//! Tools that leave the machine. Both pass the host rules of policy, also after every redirect.

pub mod client;
mod page_text;
mod web_fetch;
mod web_search;

pub use web_fetch::WebFetch;
pub use web_search::WebSearch;
