//! `millrace serve`: a data folder behind a socket, until SIGTERM or SIGINT.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use millrace_db::Database;
use millrace_db::settings::{Origin, Resolved};
use millrace_queue::Queues;
use millrace_server::Server;

use crate::arguments::Serve;
use crate::config;
use crate::exit::Failure;
use crate::log::{self, Usual};
use crate::memory;
use crate::progress::summary_line;
use crate::say;

pub(crate) fn run(arguments: &Serve) -> Result<(), Failure> {
    let resolved = config::read_for_server(&arguments.settings, is_new(&arguments.data))?;
    log::start(&resolved, Usual::Setting);
    log_start(&arguments.data, &resolved);
    let database = Arc::new(match arguments.read_only {
        true => Database::open_to_read(&arguments.data, resolved.settings)?,
        false => Database::open(&arguments.data, resolved.settings)?,
    });
    let unreadable = database.check_files_of_empty_graphs();
    if !unreadable.is_empty() {
        return Err(Failure::Settings(unreadable));
    }
    // A client that can connect finds the graphs filled.
    for (name, summary) in database.make_graphs()? {
        say!("{}", summary_line(&name, &summary));
    }
    let (server, signals) = Server::start_obeying_signals(Arc::clone(&database))?;
    memory::give_back();
    let queues = match Queues::start(&database) {
        Ok(queues) => queues,
        Err(error) => {
            server.stop();
            return Err(error.into());
        }
    };
    announce(&arguments.data, &server);
    server.wait(signals);
    // First: what a queue commits needs the database, and clients may still read it.
    queues.stop(Duration::from_millis(database.settings().http.drain_ms));
    server.stop();
    Ok(())
}

/// Whether a data folder is made by this start.
fn is_new(data: &Path) -> bool {
    std::fs::read_dir(data).map_or(true, |mut entries| entries.next().is_none())
}

/// The version and the data folder, and each setting that is not its default.
fn log_start(data: &Path, resolved: &Resolved) {
    let (version, process) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(name: "started", version, data = %data.display(), process);
    for (name, value, origin) in &resolved.values {
        if *origin != Origin::Default {
            tracing::info!(name: "setting", name, value, %origin);
        }
    }
}

/// Prints the folder and the addresses: programs wait for the line with the address.
pub(crate) fn announce(data: &Path, server: &Server) {
    say!("millrace {}", env!("CARGO_PKG_VERSION"));
    say!("data in {}", data.display());
    for listening in server.listening() {
        say!("{}", listening.announcement);
    }
}
