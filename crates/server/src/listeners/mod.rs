//! Listeners, a folder for each, and the list of them.

mod admin;
mod bolt;
pub(crate) mod gremlin;
mod neo4j_http;
mod open_transactions;
mod ragedb;

use crate::listener::Listener;

/// All listeners, by name.
pub(crate) static ALL: &[&dyn Listener] =
    &[&admin::ADMIN, &bolt::BOLT, &gremlin::GREMLIN, &ragedb::RAGEDB, &neo4j_http::NEO4J_HTTP];
