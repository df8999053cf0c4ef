//! The commands, one file each.

pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod export;
mod foreign;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod load;
mod load_online;
pub(crate) mod manual;
mod questions;
mod rejects;
pub(crate) mod repair;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod users;
