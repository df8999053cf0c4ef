//! Tests of the crate, one file for each topic.

mod bounds;
mod goldens;
mod recovery;
mod suite;
