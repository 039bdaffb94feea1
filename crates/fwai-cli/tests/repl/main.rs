//! The interactive session: fed by a pipe, and on a real pseudo-terminal whose screen is read.

mod colours;
mod commands;
mod going_on;
mod hostile;
mod init;
mod keys;
mod mistakes;
mod newcomer;
mod pipe;
mod prompt;
mod screen;
mod vanishing;
