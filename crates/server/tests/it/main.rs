//! The server over a real socket: every route with a right and a wrong request, limits, stopping.

mod admin;
mod bolt;
mod browsers;
mod client;
mod commands;
mod connections;
mod dql;
mod elements;
mod full_disk;
mod graph_names;
mod graphs;
mod gremlin;
mod limits;
mod loads;
mod metrics;
mod neo4j_http;
mod page;
mod queries;
mod scripts;
mod transactions;
