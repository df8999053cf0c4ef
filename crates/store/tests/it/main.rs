//! The memory store against the conformance suite and against itself, differently driven.

mod calls_out;
mod lost_spill;
mod proxy;

use std::cell::Cell;
use std::sync::Arc;

use millrace_store::Backend;
use millrace_store::conformance::{self, HANDLES, Harness};
use millrace_store::memory::MemoryBackend;

use crate::proxy::ProxyBackend;

/// Reopening keeps the content: memory stores nothing beyond the process.
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

/// Three servers of the same graphs, as a cluster has: each case writes through one and reads
/// through another.
struct Servers {
    memory: Arc<MemoryBackend>,
    handles: [Arc<ProxyBackend>; HANDLES],
    used: Cell<[bool; HANDLES]>,
}

impl Servers {
    fn new() -> Servers {
        let memory = Arc::new(MemoryBackend::new());
        let handles = [(); HANDLES].map(|()| Arc::new(ProxyBackend(memory.clone())));
        Servers { memory, handles, used: Cell::default() }
    }
}

impl Harness for Servers {
    fn backend(&self) -> Arc<dyn Backend> {
        self.handle(0)
    }

    fn handle(&self, number: usize) -> Arc<dyn Backend> {
        let mut used = self.used.get();
        used[number] = true;
        self.used.set(used);
        self.handles[number].clone()
    }

    fn reopen(&mut self) {
        let held = self.handles.iter().map(Arc::strong_count).max();
        assert_eq!(held, Some(1), "a case holds nothing of a handle when it is reopened");
        self.handles = [(); HANDLES].map(|()| Arc::new(ProxyBackend(self.memory.clone())));
    }
}

#[test]
fn the_memory_store_conforms_through_several_servers() {
    conformance::run_all(&|| Box::new(Servers::new()));
    let mut servers = Servers::new();
    let (_, case) = conformance::cases().next().expect("there are cases");
    case(&mut servers).expect("it conforms");
    assert_eq!(servers.used.get(), [true; HANDLES], "a case that uses one proves little");
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
