//! Out-of-line commits: one small frame names their files, one waits for the merge of the one
//! before, and no other commit does. And the times at which a checkpoint merges the changes of
//! small ones.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Column, KeyId, Value, VertexId};
use millrace_store::{Backend, Isolation, Labels, NameKind, Store, Transaction};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

const ROWS: usize = 20_000;

fn open(disk: &SimDisk, checkpoint_delta_bytes: u64) -> Arc<EmbeddedBackend> {
    let options = Options {
        conflict_bits: 12,
        out_of_line_bytes_min: 64 << 10,
        layer_rows_min: 1_000,
        checkpoint_delta_bytes,
        ..Options::default()
    };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options).unwrap()
}

fn metric(backend: &dyn Backend, name: &str) -> u64 {
    let metrics = backend.metrics();
    metrics.iter().find(|(own, ..)| *own == name).expect("there is one of this name").2 as u64
}

fn create(store: &Arc<dyn Store>, count: usize) -> Vec<VertexId> {
    let name = KeyId(store.intern(&[(NameKind::Key, "name")]).unwrap()[0]);
    let names = Column::from_values((0..count).map(|at| Value::from(format!("p{at}").as_str())));
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let made = transaction.create_vertices(&Labels::from([]), count, &[(name, &names)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    made
}

#[test]
fn one_small_frame_names_the_files_of_an_out_of_line_commit() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, 1 << 30);
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    create(&store, 1);
    let written = || metric(&*backend, "millrace_log_written_bytes_total");
    let before = written();
    create(&store, ROWS);
    let by_out_of_line = written() - before;
    assert!(by_out_of_line <= 3 * 4_096, "{by_out_of_line} bytes of log for {ROWS} rows");
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), ROWS as u64 + 1);
}

#[test]
fn only_an_out_of_line_commit_waits_for_the_merge_of_the_one_before() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, 1 << 30);
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    let segments = || metric(&*backend, "millrace_segment_written_bytes_total");
    create(&store, ROWS);
    let first = segments();
    for _ in 0..20 {
        create(&store, 3);
    }
    assert_eq!(segments(), first, "a small commit writes no segment");
    create(&store, ROWS);
    let second = segments() - first;
    assert!(first * 3 / 2 < second, "its own files, and the merge: {first}, then {second}");
    drop((store, backend));
    disk.power_loss();
    let backend = open(&disk, 1 << 30);
    let snapshot = backend.graph("graph").unwrap().snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), 2 * ROWS as u64 + 60);
}

#[test]
fn changes_go_beside_their_base_until_memory_asks_for_a_merge() {
    for (checkpoint_delta_bytes, images) in [(1 << 30, 1), (1, 0)] {
        let disk = SimDisk::new(1);
        let backend = open(&disk, checkpoint_delta_bytes);
        let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
        create(&store, ROWS);
        backend.step(Step::Checkpoint).unwrap();
        assert_eq!(metric(&*backend, "millrace_delta_layers_total"), 0, "a base is a quarter");
        create(&store, 10);
        backend.step(Step::Checkpoint).unwrap();
        assert_eq!(metric(&*backend, "millrace_delta_layers_total"), images);
    }
}
