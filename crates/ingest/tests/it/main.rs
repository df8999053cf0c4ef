//! Files in, graphs out: goldens for each format, and the guarantees of a load beyond them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod declared;
mod dump;
mod elements;
mod export;
mod films_real;
mod generated;
mod generated_published;
mod generated_social;
mod goldens;
mod graphson;
mod lists;
mod loads;
#[cfg(feature = "parquet")]
mod parquet_tables;
mod plain;
mod recognised;
mod unique_values;
