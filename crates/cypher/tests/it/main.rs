//! Tests of the crate, one file for each topic.

mod suite;
