//! Namespaces: graphs among which clients choose by a login. The graph of the setting `dql.graph` is namespace 0; that of
//! another one has the same name with its number behind it, as in `graph-17`.
//!
//! A number is one of those of transactions, so it is never that of a namespace that was there before: a token of one that was
//! dropped opens no other.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::{Asker, Dql};
use crate::executor::guarded;

/// A client, and the namespace that it chose as it logged in. Where there are no users the name is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) namespace: u64,
}

impl Dql {
    /// The name of the graph of a namespace.
    pub(super) fn graph_of(&self, namespace: u64) -> Arc<str> {
        match namespace {
            0 => Arc::clone(&self.graph),
            number => format!("{}-{number}", self.graph).into(),
        }
    }

    /// The graph that a client asks.
    pub(super) fn graph_for(&self, asker: &Asker) -> Arc<str> {
        self.graph_of(asker.user.namespace)
    }

    /// The namespaces that there are, ascending. The first one is always there.
    pub(crate) fn namespaces(&self) -> Vec<u64> {
        let graphs = self.state.database.graphs();
        let number = |graph: &String| {
            let number = graph.strip_prefix(&*self.graph)?.strip_prefix('-')?.parse().ok()?;
            // Not a name that only looks like it, as with a zero in front.
            (number != 0 && *self.graph_of(number) == **graph).then_some(number)
        };
        let mut numbers: Vec<u64> = graphs.iter().filter_map(number).collect();
        numbers.push(0);
        numbers.sort_unstable();
        numbers
    }

    /// Whether there is a namespace.
    pub(super) fn has_namespace(&self, number: u64) -> Result<bool> {
        Ok(number == 0 || self.state.database.find_graph(&self.graph_of(number))?.is_some())
    }

    /// Makes a namespace; its number.
    pub(crate) async fn create_namespace(&self, asker: &Asker) -> Result<u64> {
        self.check_may_change_namespaces(asker)?;
        let number = self.number(asker).await?;
        let (state, graph) = (Arc::clone(&self.state), self.graph_of(number));
        let work = move || guarded(|| state.database.create_graph(&graph).map(drop));
        self.state.executor.answer(asker.peer.client, work).await??;
        Ok(number)
    }

    /// Drops a namespace with all that it has.
    pub(crate) async fn drop_namespace(&self, asker: &Asker, number: u64) -> Result<()> {
        self.check_may_change_namespaces(asker)?;
        if number == 0 {
            return Err(Error::new(
                ErrorKind::BadInput,
                "The default namespace cannot be deleted.",
            ));
        }
        let (state, graph) = (Arc::clone(&self.state), self.graph_of(number));
        let work = move || guarded(|| state.database.drop_graph(&graph));
        self.state.executor.answer(asker.peer.client, work).await?.map_err(|error| {
            match error.kind {
                ErrorKind::NotFound => no_namespace(number),
                _ => error,
            }
        })
    }

    fn check_may_change_namespaces(&self, asker: &Asker) -> Result<()> {
        if self.state.users.is_none() {
            let detail = "a namespace is chosen by a login, and this server has no users";
            let help = "name a file of users in users.file; graphs without a login are made by the listener of administration";
            return Err(Error::new(ErrorKind::Unsupported, detail).with_help(help));
        }
        if asker.user.namespace != 0 {
            let detail =
                "namespaces are made and dropped by users that are logged in to namespace 0";
            return Err(Error::new(ErrorKind::Forbidden, detail));
        }
        Ok(())
    }
}

/// A namespace that is not there.
pub(super) fn no_namespace(number: u64) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no namespace {number}"))
}
