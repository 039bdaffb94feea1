//! A model server that plays a scenario over real HTTP, in any of the five wire formats.
//!
//! ```no_run
//! use fwai_testkit::model_server::{ModelServer, Turn};
//! let server = ModelServer::start(vec![
//!     Turn::tool("bash", serde_json::json!({"command": "echo hi"})),
//!     Turn::text("done"),
//! ]);
//! // point fwai at `server.url()`, then look at `server.requests()`
//! ```

mod check;
mod http;
pub mod scenario;
mod server;
mod wires;

pub use scenario::{Fault, Piece, Scenario, Stop, Turn};
pub use server::{ModelServer, Recorded};
pub use wires::{WireName, stream_bytes};
