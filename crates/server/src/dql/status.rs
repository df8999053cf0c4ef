//! What clients may know of the server, and numbers in advance.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_db::languages::dql::schema::GraphSchema;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::dql::{Assign, Status};

use super::{Asker, Dql};
use crate::executor::guarded;
use crate::limits::{DQL_NUMBERS_LEASED, DQL_STATE_PREDICATES_MAX};

impl Dql {
    /// The health of the server at an address, without its data.
    pub(crate) fn health(&self, address: String) -> Status {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Status {
            address,
            uptime: self.state.started.elapsed().as_secs(),
            now,
            max_assigned: self.numbers.newest(),
            has_users: self.state.users.is_some(),
            indexing: self.building.predicates(),
            namespaces: self.namespaces(),
            ..Status::default()
        }
    }

    /// The same with the newest uid and the predicates.
    pub(crate) fn state(&self, address: String) -> Result<Status> {
        let mut status = self.health(address);
        let Some(graph) = self.state.database.find_graph(&self.graph)? else {
            return Ok(status);
        };
        let snapshot = graph.store().snapshot()?;
        status.max_uid = snapshot.id_space().bound.saturating_sub(1);
        let schema = GraphSchema::of(&snapshot.catalog());
        let names = schema.shown().map(|(name, _)| name).filter(|name| !name.is_empty());
        status.predicates =
            names.take(DQL_STATE_PREDICATES_MAX).map(|name| name.to_string()).collect();
        status.predicates.sort_unstable();
        Ok(status)
    }

    /// Takes uids or numbers of transactions that follow one another, the first and the last.
    pub(crate) async fn assign(
        &self,
        asker: &Asker,
        what: Assign,
        count: u64,
    ) -> Result<(u64, u64)> {
        if count == 0 {
            return Err(Error::new(ErrorKind::BadInput, "Nothing to be leased"));
        }
        match what {
            Assign::Timestamps if count <= DQL_NUMBERS_LEASED => {
                let first = self.numbers(asker, count).await?;
                Ok((first, first + count - 1))
            }
            Assign::Timestamps => {
                let detail =
                    format!("{DQL_NUMBERS_LEASED} numbers of transactions are taken at most");
                Err(Error::new(ErrorKind::LimitReached, detail))
            }
            Assign::Uids => {
                let state = Arc::clone(&self.state);
                let graph = self.graph_for(asker);
                let lease = move || state.database.ensure_graph(&graph)?.lease_uids(count);
                self.state.executor.answer(asker.peer.client, move || guarded(lease)).await?
            }
        }
    }
}
