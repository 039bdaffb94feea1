//! Firmware for the agent: build, flash, console, debugger, memory.
//!
//! Each tool is a thin file over the command of the same work ([`program`]), so that a person, a script
//! and a model get the same behaviour and leave the same evidence.

mod build_firmware;
mod decode_fault;
mod flash_board;
mod gdb;
mod init_project;
mod memory_analysis;
mod program;
mod read_console;
mod read_registers;
mod reset_board;
mod run_tests;
mod send_console;

pub use build_firmware::BuildFirmware;
pub use decode_fault::DecodeFault;
pub use flash_board::FlashBoard;
pub use gdb::Gdb;
pub use init_project::InitProject;
pub use memory_analysis::MemoryAnalysis;
pub use read_console::ReadConsole;
pub use read_registers::ReadRegisters;
pub use reset_board::ResetBoard;
pub use run_tests::RunTests;
pub use send_console::SendConsole;
