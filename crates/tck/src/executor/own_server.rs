//! A server in this process, for one thread of the runner.
//!
//! Each scenario has a graph of its own, which is faster than to delete what the last one left, and nothing of a
//! former catalog can be seen in it. A procedure cannot be removed from a database: after a scenario that defined some
//! there is another server.

use std::sync::Arc;

use millrace_db::procedures::Procedure as Registered;
use millrace_db::{Database, Settings};
use millrace_server::{Server, listener_rows};

use super::bolt::Bolt;
use super::tabled::Tabled;
use super::{Executor, RunError};
use crate::procedure::Procedure;
use crate::values::{Answer, Value};

const PROTOCOL: &str = "bolt";
const ANY_PORT: &str = "127.0.0.1:0";

/// A server over a database in memory.
pub(crate) struct OwnServer {
    database: Arc<Database>,
    /// Until it is stopped.
    server: Option<Server>,
    bolt: Bolt,
    /// The number of the graph in use.
    graph: usize,
    has_procedures: bool,
}

impl OwnServer {
    /// Starts one on a free port.
    pub(crate) fn start() -> Result<OwnServer, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("the own server: {error}");
        let mut settings = Settings::default();
        for row in listener_rows() {
            settings.listen.set(row.name, if row.name == PROTOCOL { ANY_PORT } else { "off" });
        }
        let database = Database::in_memory(settings).map_err(|error| wrong(&error))?;
        let database = Arc::new(database);
        let server = Server::start(Arc::clone(&database)).map_err(|error| wrong(&error))?;
        let address = server.address(PROTOCOL);
        let address = address.ok_or_else(|| wrong(&"this build has no listener for Bolt"))?;
        let bolt = Bolt::connect(&format!("{PROTOCOL}://{address}"), None)?;
        Ok(OwnServer { database, server: Some(server), bolt, graph: 0, has_procedures: false })
    }
}

fn graph_name(number: usize) -> String {
    format!("scenario{number}")
}

impl Executor for OwnServer {
    fn clear(&mut self) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| format!("a graph of its own: {error}");
        if self.has_procedures {
            *self = OwnServer::start()?;
        }
        if self.graph != 0 {
            let former = graph_name(self.graph);
            self.database.drop_graph(&former).map_err(|error| wrong(&error))?;
        }
        self.graph += 1;
        let name = graph_name(self.graph);
        self.database.create_graph(&name).map_err(|error| wrong(&error))?;
        self.bolt.use_graph(&name);
        Ok(())
    }

    fn run(&mut self, query: &str, parameters: &[(String, Value)]) -> Result<Answer, RunError> {
        self.bolt.run(query, parameters)
    }

    fn define(&mut self, procedures: &[Procedure]) -> Result<bool, String> {
        let tabled =
            |procedure: &Procedure| -> Arc<dyn Registered> { Arc::new(Tabled(procedure.clone())) };
        self.has_procedures = !procedures.is_empty();
        self.database.register_procedures(procedures.iter().map(tabled).collect());
        Ok(true)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // A server that stops waits for connections.
        self.bolt.close();
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}
