//! Scenarios: a scripted model, real files, and a whole session between them. The snapshots show what the
//! model was sent and what a door heard.

mod agents;
mod context;
mod interrupt;
mod limits;
mod permission;
mod plan;
mod resume;
mod skills;
mod stage;
mod turn;
