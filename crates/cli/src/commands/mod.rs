//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod generate;
pub(crate) mod load;
mod questions;
pub(crate) mod serve;
