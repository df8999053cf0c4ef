//! The codecs of each protocol, by transcripts and random bytes.

mod gremlin;
mod ragedb;
