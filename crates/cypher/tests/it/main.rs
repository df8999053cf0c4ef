//! Tests of the crate, one file for each topic.

mod bounds;
mod goldens;
mod mutations;
mod recovery;
mod reference;
mod suite;
