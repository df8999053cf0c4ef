//! Writers that are faster than checkpoints: slowed by degrees, held at the bounds, never refused.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use millrace_model::{EdgeTypeId, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Labels, NameKind, Store, Ticket, VertexBlock, WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_testkit::Rng;

const VERTICES: u64 = 150_000;
const WRITERS: u64 = 3;
const COMMITS: usize = 1_000;
const EDGES: usize = 100;
const LOG_BYTES_MAX: u64 = 8 << 20;
const DELTA_BYTES_MAX: u64 = 12 << 20;

fn options() -> Options {
    let mut options = Options {
        conflict_bits: 16,
        id_block_size: VERTICES,
        checkpoint_log_bytes: 2 << 20,
        log_bytes_max: LOG_BYTES_MAX,
        checkpoint_delta_bytes: 6 << 20,
        delta_bytes_max: DELTA_BYTES_MAX,
        ..Options::default()
    };
    options.log.first_file_bytes = 256 << 10;
    options.log.file_bytes = 512 << 10;
    options
}

fn metric(backend: &dyn Backend, name: &str) -> u64 {
    let metrics = backend.metrics();
    metrics.iter().find(|(own, ..)| *own == name).expect("there is one of this name").2 as u64
}

fn commit(store: &dyn Store, changes: Changes) -> Ticket {
    let snapshot = store.snapshot().expect("nothing fails here").position();
    store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() }).expect("never refused")
}

fn create(store: &dyn Store) -> Vec<VertexId> {
    let ids: Vec<VertexId> = store
        .lease_vertices(VERTICES)
        .expect("nothing fails here")
        .into_iter()
        .flatten()
        .map(VertexId)
        .collect();
    let block = VertexBlock { labels: Labels::from([]), ids: ids.clone(), properties: Vec::new() };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    commit(store, changes).wait().expect("nothing fails here");
    ids
}

fn write(store: &dyn Store, likes: EdgeTypeId, ids: &[VertexId], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tickets: VecDeque<Ticket> = VecDeque::new();
    for _ in 0..COMMITS {
        let mut ends = || (0..EDGES).map(|_| *rng.pick(ids)).collect::<Vec<VertexId>>();
        let (sources, targets) = (ends(), ends());
        let edges = store.lease_edges(likes, &sources).expect("nothing fails here");
        let properties = Vec::new();
        let block = EdgeBlock { edge_type: likes, ids: edges, sources, targets, properties };
        tickets.push_back(commit(store, Changes { edges: vec![block], ..Changes::default() }));
        if 8 < tickets.len() {
            tickets.pop_front().expect("there are some").wait().expect("accepted is done");
        }
    }
    tickets.into_iter().for_each(|ticket| _ = ticket.wait().expect("accepted is done"));
}

/// The largest log and the largest delta seen until told to stop.
fn watch(backend: &dyn Backend, stop: &AtomicBool) -> (u64, u64) {
    let mut most = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        most.0 = most.0.max(metric(backend, "millrace_log_bytes"));
        most.1 = most.1.max(metric(backend, "millrace_delta_bytes"));
        std::thread::sleep(Duration::from_millis(1));
    }
    most
}

#[test]
fn writers_faster_than_checkpoints_are_slowed_and_never_refused_and_the_bounds_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let ids = create(&*store);
    backend.checkpoint().unwrap();
    let stop = AtomicBool::new(false);
    let (log, delta) = std::thread::scope(|threads| {
        let watcher = threads.spawn(|| watch(&*backend, &stop));
        let writers: Vec<_> = (0..WRITERS)
            .map(|seed| {
                let (store, ids) = (&*store, ids.as_slice());
                threads.spawn(move || write(store, likes, ids, seed))
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        stop.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    });
    let waits = metric(&*backend, "millrace_writers_slowed_total")
        + metric(&*backend, "millrace_writers_held_total");
    println!("log {log}, delta {delta}, {waits} waits");
    assert!(0 < waits, "nobody was faster than checkpoints");
    // Beyond the bounds: what each writer had on its way, the log's next file, a batch of records.
    assert!(log <= LOG_BYTES_MAX + (2 << 20), "{log} bytes of log");
    assert!(delta <= DELTA_BYTES_MAX + (2 << 20), "{delta} bytes of changes");
    assert_eq!(metric(&*backend, "millrace_checkpoint_failures_total"), 0);
    let edges = store.snapshot().unwrap().count_edges(None).unwrap();
    assert_eq!(edges, WRITERS * (COMMITS * EDGES) as u64);
}
