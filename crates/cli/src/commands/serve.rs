//! `millrace serve`: a data folder behind a socket, until SIGTERM or SIGINT.

use std::path::Path;
use std::sync::Arc;

use millrace_db::Database;
use millrace_server::{Protocol, Server};

use crate::arguments::Serve;
use crate::config;
use crate::exit::Failure;
use crate::progress::summary_line;
use crate::say;

pub(crate) fn run(arguments: &Serve) -> Result<(), Failure> {
    let resolved = config::read(&arguments.settings)?;
    let database = Arc::new(Database::open(&arguments.data, resolved.settings)?);
    // Whoever can connect finds the graphs filled.
    for (name, summary) in database.make_graphs()? {
        say!("{}", summary_line(&name, &summary));
    }
    let server = Server::start(Arc::clone(&database))?;
    let signals = server.obey_signals()?;
    announce(&arguments.data, &server);
    server.run(signals);
    Ok(())
}

/// What is served, and where: the line with the address is what programs wait for.
pub(crate) fn announce(data: &Path, server: &Server) {
    say!("millrace {}", env!("CARGO_PKG_VERSION"));
    say!("data in {}", data.display());
    for (protocol, address) in server.listening() {
        match protocol {
            Protocol::Lua => say!("listening on http://{address}"),
            Protocol::Gremlin => say!("listening for Gremlin on ws://{address}/gremlin"),
        }
    }
}
