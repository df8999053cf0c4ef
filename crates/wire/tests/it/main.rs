//! The codecs of each protocol, by transcripts and random bytes.

mod admin;
mod bolt;
mod gremlin;
mod ragedb;
