//! Every wire against a scripted server over real HTTP.

mod caching;
mod faults;
mod history;
mod same_answer;
mod setup;
