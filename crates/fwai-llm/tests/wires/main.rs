//! Every wire against a scripted server over real HTTP.

mod caching;
mod chunking;
mod faults;
mod foreign_server;
mod history;
mod recorded;
mod same_answer;
mod setup;
