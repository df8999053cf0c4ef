//! The memory store against the conformance suite and against itself, differently driven.

mod calls_out;
mod lost_spill;
mod proxy;

use std::sync::Arc;

use millrace_store::Backend;
use millrace_store::conformance::{self, Harness};
use millrace_store::memory::MemoryBackend;

/// Reopening keeps what is there: memory stores nothing beyond the process.
struct MemoryHarness {
    backend: Arc<MemoryBackend>,
}

impl MemoryHarness {
    fn new() -> MemoryHarness {
        MemoryHarness { backend: Arc::new(MemoryBackend::new()) }
    }
}

impl Harness for MemoryHarness {
    fn backend(&self) -> Arc<dyn Backend> {
        self.backend.clone()
    }

    fn reopen(&mut self) {}
}

#[test]
fn the_memory_store_conforms() {
    conformance::run_all(&|| Box::new(MemoryHarness::new()));
}

#[test]
fn whole_calls_and_single_rows_with_spills_give_the_same_graph() {
    for seed in 0..60 {
        let backends = [MemoryHarness::new(), MemoryHarness::new()];
        conformance::differential(&*backends[0].backend(), &*backends[1].backend(), seed);
    }
}

#[test]
fn case_names_are_unique() {
    let names: Vec<_> = conformance::cases().map(|(name, _)| name).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
}
