//! `millrace serve`: a data folder behind a socket, until SIGTERM or SIGINT.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use millrace_db::Database;
use millrace_server::{Protocol, Server};

use crate::arguments::Serve;
use crate::config;
use crate::exit::Failure;
use crate::progress::summary_line;

pub(crate) fn run(arguments: &Serve) -> Result<(), Failure> {
    let resolved = config::read(&arguments.settings)?;
    let database = Arc::new(Database::open(&arguments.data, resolved.settings)?);
    // Whoever can connect finds the graphs filled.
    for (name, summary) in database.make_graphs()? {
        println!("{}", summary_line(&name, &summary));
    }
    let server = Server::start(Arc::clone(&database))?;
    let signals = server.obey_signals()?;
    announce(&arguments.data, &server);
    server.run(signals);
    Ok(())
}

/// What is served, and where: the line with the address is what programs wait for.
pub(crate) fn announce(data: &Path, server: &Server) {
    println!("millrace {}", env!("CARGO_PKG_VERSION"));
    println!("data in {}", data.display());
    for (protocol, address) in server.listening() {
        match protocol {
            Protocol::Lua => println!("listening on http://{address}"),
            Protocol::Gremlin => println!("listening for Gremlin on ws://{address}/gremlin"),
        }
    }
    // Somebody may wait for these lines behind a pipe; a closed one is no reason to stop.
    let _closed = std::io::stdout().flush();
}
