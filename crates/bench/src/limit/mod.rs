//! The limit: the speed of plain array code, written for one question only, on this machine.
//!
//! Ids are 4 bytes, lists are slices of one array, nothing is durable, nothing changes. A database is
//! measured against these functions in the same run; it can't be faster for the same work, and the
//! ratio is the price of its generality. Every function takes the number of threads. No part of a database
//! ever enters here.

mod adjacency;
mod group_log;
mod likes;
mod lone_writer;
mod paths;
mod rmat;
pub mod scans;
mod tables;
mod two_hop;
mod vectors;
mod words;

pub use adjacency::{Adjacency, Lists};
pub use group_log::{GroupLog, group_log};
pub use likes::{
    Counted, Likers, TOP, count_paths, count_trails, recommend_bulked, recommend_path_by_path,
    visit_targets,
};
pub use lone_writer::{lone_writer, lone_writer_beside};
pub use paths::{BreadthFirst, Relationships, chain_length, first_paths};
pub use rmat::Rmat;
pub use tables::load_tables;
pub use two_hop::two_hop_distinct;
pub use vectors::VectorArray;
pub use words::WordLists;

use std::ops::Range;
use std::thread;

use crate::machine::joined;

/// Splits `0..len` over threads and returns the result of each, in order. One thread is this one.
fn split<R: Send>(len: usize, threads: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let threads = threads.clamp(1, len.max(1));
    if threads == 1 {
        return vec![work(0..len)];
    }
    let part = |at: usize| len * at / threads..len * (at + 1) / threads;
    let work = &work;
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|at| scope.spawn(move || work(part(at)))).collect();
        handles.into_iter().map(joined).collect()
    })
}
