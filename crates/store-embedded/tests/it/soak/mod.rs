//! Everything at once, on threads and a real folder: writers of every kind, readers, checkpoints,
//! index builds, vertices that others hang edges on deleted under them; then every invariant and
//! the store's own check, before and after a restart.
//!
//! ```text
//!   writers ── own vertices: create, set, relabel, delete; edges to own vertices and to shared hubs
//!           └─ ledger: acknowledged content ───────────────────────────┐
//!   vandal ─── deletes hubs and makes new ones                         │
//!   loader ─── bulk loads and large transactions                       ├─> compared at the end,
//!   indexer ── drops and defines an index                             │   and after a restart
//!   readers ── both directions, degrees, counts, at one snapshot       │
//!   checkpointer ─── without a pause                                  ─┘
//! ```
//!
//! A ledger holds only its own writer's changes, so no lock joins them; only the deletion of a hub
//! concerns all of them, and is looked up when the ledgers are read. `MILLRACE_SOAK_SECONDS` sets
//! the time; `cargo xtask soak` gives it minutes.

mod ledger;
mod names;
mod others;
mod shared;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use millrace_store::{Backend, Snapshot, Store};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_testkit::Rng;

use ledger::Ledger;
use names::Names;
use shared::Shared;

const GRAPH: &str = "soak";
const WRITERS: u64 = 3;
const READERS: u64 = 2;
const SECONDS_DEFAULT: u64 = 3;

/// Small bounds, so that minutes reach them as days would reach the defaults.
fn options() -> Options {
    let mut options = Options {
        id_block_size: 10_000,
        checkpoint_log_bytes: 4 << 20,
        checkpoint_delta_bytes: 16 << 20,
        out_of_line_bytes_min: 64 << 10,
        layer_rows_min: 1_000,
        conflict_bits: 16,
        ..Options::default()
    };
    options.log.file_bytes = 4 << 20;
    options
}

#[test]
fn everything_at_once_keeps_every_promise() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let seconds = millrace_testkit::number("MILLRACE_SOAK_SECONDS", SECONDS_DEFAULT);
    let (ledgers, shared) = live(folder.path(), Duration::from_secs(seconds));
    println!("{}", shared.message());
    assert!(shared.met_everything(), "something never happened: {}", shared.message());
    for _ in 0..2 {
        let backend = EmbeddedBackend::open(folder.path(), options()).expect("it opens again");
        let store = backend.graph(GRAPH).expect("the graph is there");
        judge(&*store, &ledgers, &shared);
        check(&backend);
    }
    let machine = Machine::real();
    let report = check_folder(&machine, folder.path(), true, &mut quiet);
    assert_eq!(report.expect("it can be looked at").findings, [], "closed");
}

/// The store finds nothing wrong with itself.
fn check(backend: &EmbeddedBackend) {
    let report = backend.check(true, &mut quiet).expect("it can be looked at");
    assert_eq!(report.findings, []);
}

/// Runs all threads for a while; their content is judged once before the folder is closed.
fn live(folder: &Path, time: Duration) -> (Vec<Ledger>, Shared) {
    let backend = EmbeddedBackend::open(folder, options()).expect("it opens");
    let store = backend.create_graph(GRAPH).expect("it is new");
    let names = Names::intern(&*store).expect("names are taken");
    let shared = Shared::new(&store, names, time).expect("the first hubs are made");
    let ledgers = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|seed| {
                let (store, shared) = (&store, &shared);
                scope.spawn(move || writer::write(store, names, shared, Rng::new(seed + 1)))
            })
            .collect();
        for seed in 0..READERS {
            let (store, shared) = (&store, &shared);
            scope.spawn(move || others::read(&**store, names, shared, Rng::new(seed + 100)));
        }
        scope.spawn(|| others::vandalize(&store, names, &shared, Rng::new(200)));
        scope.spawn(|| others::index(&store, names, &shared));
        scope.spawn(|| others::checkpoint(&*backend, &shared));
        let loader = scope.spawn(|| others::load(&store, names, &shared));
        let mut ledgers: Vec<Ledger> =
            writers.into_iter().map(|writer| writer.join().expect("a writer ends")).collect();
        ledgers.push(loader.join().expect("the loader ends"));
        ledgers
    });
    judge(&*store, &ledgers, &shared);
    check(&backend);
    (ledgers, shared)
}

/// All invariants of a snapshot, and all that was acknowledged.
fn judge(store: &dyn Store, ledgers: &[Ledger], shared: &Shared) {
    let snapshot: Arc<dyn Snapshot> = store.snapshot().expect("it can be read");
    ledger::check_directions(&*snapshot).expect("everything can be read");
    let hubs = shared.living_hubs();
    let hub = *hubs.first().expect("there is a hub");
    others::read_once(&*snapshot, shared.names, hub).expect("everything can be read");
    let mut vertices = hubs.len();
    for ledger in ledgers {
        ledger.compare(&*snapshot, shared.names, &hubs);
        vertices += ledger.vertices.len();
    }
    let count = snapshot.count_vertices(None).expect("it can be counted");
    assert_eq!(count, vertices as u64, "vertices that nobody acknowledged, or lost ones");
}
