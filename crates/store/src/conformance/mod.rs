//! One suite that every backend passes unchanged.
//!
//! A case is a plain function: it fails by panicking with what it saw, or by an error it did not
//! expect. [`Harness::reopen`] is called only while a case holds nothing of the backend, so that a
//! data folder can be locked again.
//!
//! A backend that several servers share gives [`Harness::handle`]s that are different servers: what
//! cases write through one they read through another, so each case is about all of them.
//!
//! ```text
//!   run_all ──> cases() = reading + history + indexed + own_writes + isolation + ids + loading + graphs
//!   differential(a, b, seed)   random transactions on two backends, contents compared
//! ```
//!
//! Cases of the contract enter. What only one backend promises is tested in its crate, and no case asks which it has.

mod compared;
mod fixture;
mod graphs;
mod history;
mod ids;
mod indexed;
mod isolation;
mod loading;
mod own_writes;
mod reading;

use std::sync::Arc;

use millrace_model::Result;

use crate::backend::Backend;

pub use compared::{Content, content, differential};
pub use isolation::{ANOMALIES, Anomaly};

/// A backend that can be closed and opened again.
pub trait Harness {
    /// The backend as it is open now.
    fn backend(&self) -> Arc<dyn Backend>;

    /// One of `HANDLES` (3) handles on the same graphs, of which number 0 is [`Harness::backend`]: different
    /// servers if there are several, else the same backend.
    fn handle(&self, _number: usize) -> Arc<dyn Backend> {
        self.backend()
    }

    /// Closes all handles of the backend and opens it again on what it stored; a backend that stores nothing
    /// beyond the process stays as it is.
    fn reopen(&mut self);
}

/// How many handles a case uses.
pub const HANDLES: usize = 3;

/// What must hold, as a sentence, and the function that checks it on an empty backend.
pub type Case = (&'static str, fn(&mut dyn Harness) -> Result<()>);

/// Every case, in order.
pub fn cases() -> impl Iterator<Item = Case> {
    let groups = [
        reading::CASES,
        indexed::values::CASES,
        history::CASES,
        indexed::indexes::CASES,
        indexed::ranges::CASES,
        indexed::made_keys::CASES,
        indexed::vectors::CASES,
        indexed::rules::CASES,
        indexed::out_of_line_rules::CASES,
        own_writes::CASES,
        isolation::conflicts::CASES,
        isolation::write_conflicts::CASES,
        isolation::units::CASES,
        isolation::merged::CASES,
        isolation::anomalies::CASES,
        isolation::serializable::CASES,
        ids::chosen_ids::CASES,
        ids::external_ids::CASES,
        ids::loaded_ids::CASES,
        ids::chosen_edge_ids::CASES,
        ids::text_ids::CASES,
        ids::edge_ids::CASES,
        loading::CASES,
        graphs::CASES,
    ];
    groups.into_iter().flatten().copied()
}

/// Runs every case on a fresh backend each, and panics with the names of those that failed.
pub fn run_all(make: &dyn Fn() -> Box<dyn Harness>) {
    let mut failed = Vec::new();
    for (name, check) in cases() {
        let outcome =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&mut *make())));
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(error)) => failed.push(format!("{name}: {error}")),
            Err(_) => failed.push(format!("{name}: see the panic above")),
        }
    }
    assert!(failed.is_empty(), "{} cases failed:\n{}", failed.len(), failed.join("\n"));
}
