//! The codecs of each protocol, by transcripts and random bytes.

mod admin;
mod gremlin;
mod ragedb;
