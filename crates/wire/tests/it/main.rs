//! The codecs of each protocol, by transcripts and random bytes.

mod admin;
mod bolt;
mod dql;
mod gremlin;
mod neo4j_rest;
mod ragedb;
