//! Listeners, a folder for each, their trait, and the list of them.
//!
//! A listener reads requests by `wire`, asks `db` and writes answers by `wire`. What two listeners share is below, in
//! `http`, `neo4j` or `query`; only RageDB's has a part of another, the routes of administration. Addresses are above.

mod admin;
mod bolt;
mod dql;
mod dql_grpc;
mod gremlin;
mod listener;
mod neo4j_http;
mod open_transactions;
mod ragedb;

pub(crate) use listener::{Listener, Serving};

/// All listeners, by name.
pub(crate) static ALL: &[&dyn Listener] = &[
    &admin::ADMIN,
    &bolt::BOLT,
    &dql::DQL,
    &dql_grpc::DQL_GRPC,
    &gremlin::GREMLIN,
    &ragedb::RAGEDB,
    &neo4j_http::NEO4J_HTTP,
];
