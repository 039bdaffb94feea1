//! The interactive session: fed by a pipe, and on a real pseudo-terminal whose screen is read.

mod commands;
mod hostile;
mod keys;
mod newcomer;
mod pipe;
mod screen;
mod vanishing;
