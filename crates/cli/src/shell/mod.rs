//! `millrace shell`: statements of any language, one by one, on a terminal or from a file.
//!
//! ```text
//!   terminal ──prompt──┐                                        ┌─ a server's /query/{graph}
//!   stdin, -c ─script──┴─> Statement ─> Session ─> Target ──────┤
//!                              commands ──┘ │                   └─ a data folder, opened here
//!                          Ctrl-C ─> Interrupt ──cancels──────────────┘
//! ```
//!
//! On a terminal an error is shown and the shell goes on. Elsewhere the first error ends it, with its exit code.

mod caret;
mod commands;
mod complete;
mod history;
mod http;
mod interrupt;
mod output;
mod parameters;
mod prompt;
mod schema;
mod script;
mod session;
mod statement;
mod target;

use std::io::IsTerminal;

use millrace_db::languages::Entry;

use crate::arguments::{Format, Shell};
use crate::config;
use crate::exit::Failure;
use crate::log::{self, Usual};
use crate::say;
use interrupt::Interrupt;
use session::Session;
use target::Target;

/// Where a server is asked if nothing else is said.
const DEFAULT_URL: &str = "http://127.0.0.1:7280";

pub(crate) fn run(arguments: &Shell) -> Result<(), Failure> {
    if arguments.list_commands {
        say::text(&commands::reference_page());
        return Ok(());
    }
    let is_terminal = std::io::stdout().is_terminal();
    let usual = if is_terminal { Format::Table } else { Format::Json };
    let target = match &arguments.data {
        Some(folder) => {
            let resolved = config::read(&arguments.settings)?;
            log::start(&resolved, Usual::Warnings);
            Target::folder(folder, resolved.settings, arguments.read_only)?
        }
        None => Target::server(arguments.url.as_deref().unwrap_or(DEFAULT_URL))?,
    };
    let interrupt = Interrupt::listen()?;
    let mut session = Session::new(target, interrupt, arguments.format.unwrap_or(usual));
    session.language = Entry::of_name(&arguments.language)?;
    let done = start(arguments, &mut session);
    if session.abandon() {
        eprintln!("millrace: the open transaction is rolled back");
    }
    session.target.close();
    done
}

fn start(arguments: &Shell, session: &mut Session) -> Result<(), Failure> {
    // Asks whether a server is there, too.
    session.graph(&arguments.graph).map_err(Failure::Server)?;
    if let Some(text) = &arguments.command {
        return script::run(session, "-c", text.as_bytes());
    }
    if std::io::stdin().is_terminal() {
        return prompt::run(session);
    }
    script::run(session, "stdin", std::io::stdin().lock())
}
