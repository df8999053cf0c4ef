//! `millrace completions` and `millrace man`: what shells and `man` know of the program, from its own arguments.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use millrace_model::{Error, ErrorKind};

use crate::arguments::Arguments;
use crate::exit::Failure;
use crate::say;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "millrace", &mut text);
    say::text(&String::from_utf8_lossy(&text));
}

/// Writes a manual page for the program and each of its commands, as `millrace-serve.1`.
pub(crate) fn pages(folder: &Path) -> Result<(), Failure> {
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
    written
        .map_err(|error| Error::new(ErrorKind::Io, format!("{}: {error}", folder.display())).into())
}
