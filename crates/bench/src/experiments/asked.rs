//! A graph that is served and asked over Bolt, one request behind the other.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::TransactionOptions;
use millrace_wire::bolt::packstream::Datum;

use crate::clients::bolt::{Connection, Query, driver};
use crate::data::Scratch;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;

/// The default graph of the server.
pub(super) const GRAPH: &str = "neo4j";

/// A graph of a folder.
pub(super) struct AskedGraph {
    served: Served,
    name: &'static str,
    connection: Connection,
    /// Its folder, where it is removed with it.
    _folder: Option<Scratch>,
}

impl AskedGraph {
    /// An empty one in a folder of its own.
    pub(super) fn new(conditions: &Conditions, row: &str) -> Result<AskedGraph> {
        let folder = Scratch::empty(&conditions.data, row)?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        AskedGraph::of(served, GRAPH, Some(folder))
    }

    /// The graph of this name.
    pub(super) fn of(
        served: Served,
        name: &'static str,
        folder: Option<Scratch>,
    ) -> Result<AskedGraph> {
        let connection = Connection::open(served.bolt())?;
        Ok(AskedGraph { served, name, connection, _folder: folder })
    }

    /// The records of a query that is not measured.
    pub(super) fn records(
        &self,
        text: &str,
        parameters: &[(Arc<str>, Value)],
    ) -> Result<Vec<Vec<Datum>>> {
        let failed = |error| Error::new(ErrorKind::Bug, format!("{text}: {error}"));
        let database = Some(Arc::from(self.name));
        let options = TransactionOptions { database, ..TransactionOptions::default() };
        let answer = driver(self.served.bolt())?.run_with(text, parameters, options);
        Ok(answer.map_err(failed)?.records)
    }

    /// The request of a query without parameters.
    pub(super) fn request(&self, text: &str) -> Result<Vec<u8>> {
        Query::new(self.name, text).request(Vec::new())
    }

    /// One request behind the other; each must give so many records.
    pub(super) fn ask(&mut self, requests: &[Vec<u8>], rows: u64) -> Result<()> {
        for request in requests {
            self.connection.send(request)?;
            let found = self.connection.receive_answer()?.count;
            if found != rows {
                let detail = format!("{found} records and not {rows}");
                return Err(Error::new(ErrorKind::Bug, detail));
            }
        }
        Ok(())
    }

    /// Its server.
    pub(super) fn served(&self) -> &Served {
        &self.served
    }
}

/// A request to the default graph that is sent as it is.
pub(super) fn request(text: &str, parameters: Vec<(Arc<str>, Value)>) -> Result<Vec<u8>> {
    Query::new(GRAPH, text).request(parameters)
}

/// The milliseconds of one of some requests.
pub(super) fn milliseconds(seconds: f64, requests: usize) -> f64 {
    seconds * 1e3 / requests as f64
}
