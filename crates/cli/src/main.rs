//! The program `millrace`: arguments in, one command, an exit code out.
//!
//! Errors go to standard error as one line with the problem, its place and the remedy; a command's
//! output goes to standard output, so that it can be piped.
//!
//! ```text
//!   commands, shell          what the program does
//!   log, progress            what it says meanwhile
//!   config, arguments        settings, the command line
//!   client, answer           a running server
//!   say, exit, memory
//! ```
//!
//! A module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and `cargo xtask tidy`
//! checks it.

mod answer;
mod arguments;
mod client;
mod commands;
mod config;
mod exit;
mod folder;
mod log;
mod memory;
mod progress;
mod say;
mod shell;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use exit::{Failure, codes_page};
use say::say;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(refused) => return exit::usage(&refused),
    };
    let done = run(arguments);
    log::flush();
    match done {
        Ok(()) if say::is_lost() => ExitCode::from(exit::OUTPUT_LOST),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            log::failed(&failure);
            ExitCode::from(failure.code())
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Load(arguments) => commands::load::run(&arguments),
        Command::Export(arguments) => commands::export::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Inspect(arguments) => commands::inspect::run(&arguments),
        Command::Repair(arguments) => commands::repair::run(&arguments),
        Command::Backup(arguments) => commands::backup::run(&arguments),
        Command::Restore(arguments) => commands::restore::run(&arguments),
        Command::Generate(arguments) => commands::generate::run(&arguments),
        Command::Shell(arguments) => shell::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Config(arguments) => commands::config::run(&arguments),
        Command::Users(arguments) => commands::users::run(&arguments),
        Command::Completions { shell } => {
            commands::manual::completions(shell);
            Ok(())
        }
        Command::Man { out } => commands::manual::pages(&out),
        Command::Version => {
            say!("millrace {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        Command::ExitCodes => {
            say::text(&codes_page());
            Ok(())
        }
    }
}
