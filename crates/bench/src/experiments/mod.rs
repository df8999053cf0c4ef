//! The experiments: lists of rows, each at one or several sizes.
//!
//! ```text
//!   run ──> table ──> commit, cypher, dql, growth, hostile, indexes, likes, loads, queue, rest, scan   a row each, or several
//!                        └──> asked, graph, served, rounds, measurement                          what rows share
//! ```
//!
//! A row checks its answers before it times them. Arguments of a command, and the text of a report, never enter.

mod asked;
mod commit;
mod cypher;
mod dql;
mod graph;
mod growth;
mod hostile;
mod indexes;
mod likes;
mod loads;
mod measurement;
mod queue;
mod rest;
mod rounds;
mod run;
mod scan;
mod served;
mod table;

pub(crate) use commit::FillLog;
pub(crate) use dql::{Folders, Indexes, LoadFilms, Published};
pub(crate) use graph::PrepareGraph;
pub(crate) use measurement::{Conditions, settings};
pub(crate) use run::{Asked, MeasureRow, run};
pub(crate) use served::{Serve, Served};
