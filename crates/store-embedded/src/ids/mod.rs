//! Which ids are given next, and which ones clients chose.
//!
//! This module leases numbers and remembers choices. Whether an id is free is judged by commits, from
//! the data; no graph, log or file is known here.

mod chosen;
mod chosen_edges;
mod leases;

use chosen::ChosenIds;
pub(crate) use chosen_edges::ChosenEdges;
pub(crate) use leases::{BlockSize, Lease, Leases};
