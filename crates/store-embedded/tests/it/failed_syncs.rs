//! A failed sync of the log ends writing for good and reading not at all; a failed sync of a
//! segment costs that file and nothing else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::{ErrorKind, VertexId};
use millrace_store::{Backend, Changes, Labels, Store, Ticket, VertexBlock, WriteBatch};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    let mut options = Options { conflict_bits: 12, id_block_size: 1_000, ..Options::default() };
    options.log.first_file_bytes = 64 << 10;
    options.log.file_bytes = 128 << 10;
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options)
        .expect("nothing fails here")
}

fn commit(store: &dyn Store) -> millrace_model::Result<Ticket> {
    let id = store.lease_vertices(1)?[0].start;
    let block =
        VertexBlock { labels: Labels::from([]), ids: vec![VertexId(id)], properties: Vec::new() };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    let snapshot = store.snapshot()?.position();
    store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() })
}

fn count(backend: &EmbeddedBackend) -> u64 {
    let snapshot =
        backend.graph("graph").expect("nothing fails here").snapshot().expect("nothing fails here");
    snapshot.count_vertices(None).expect("nothing fails here")
}

fn segments(disk: &SimDisk) -> Vec<PathBuf> {
    let files = disk.files().into_iter().map(|(path, _)| path);
    files.filter(|path| path.extension().is_some_and(|end| end == "mseg" || end == "tmp")).collect()
}

#[test]
fn a_failed_sync_of_the_log_is_never_retried_and_reads_go_on() {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("graph").unwrap();
    commit(&*store).unwrap().wait().unwrap();
    disk.fail_sync_after(0);
    let unknown = commit(&*store).unwrap();
    assert_eq!(unknown.wait().unwrap_err().kind, ErrorKind::OutcomeUnknown);
    let operations = disk.operation_count();
    for step in [Step::Log, Step::Apply, Step::Idle, Step::NextFile, Step::Forget, Step::Checkpoint]
    {
        // Some say that writing has stopped; none may try.
        let _told = backend.step(step);
        assert_eq!(disk.operation_count(), operations, "{step:?} touched the disk");
    }
    let refused = commit(&*store).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::ReadOnly);
    assert!(refused.to_string().contains("writing has stopped"), "{refused}");
    assert_eq!(count(&backend), 1, "visible is frozen, and read");
    drop((store, backend));
    disk.power_loss();
    let backend = open(&disk);
    assert!((1..=2).contains(&count(&backend)), "what was acknowledged, perhaps the unknown one");
    commit(&*backend.graph("graph").unwrap()).unwrap().wait().unwrap();
}

#[test]
fn a_failed_sync_of_a_segment_keeps_the_old_root_and_the_next_checkpoint_writes_another_file() {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("graph").unwrap();
    commit(&*store).unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    let before = segments(&disk);
    assert_eq!(before.len(), 1);
    commit(&*store).unwrap().wait().unwrap();
    disk.fail_sync_after(0);
    let failed = backend.step(Step::Checkpoint).unwrap_err();
    assert_eq!(failed.kind, ErrorKind::Io);
    assert_eq!(segments(&disk), before, "the old root is there, and nothing half written");
    assert_eq!(count(&backend), 2);
    commit(&*store).unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    let after = segments(&disk);
    assert!(after.iter().any(|path| !before.contains(path)), "names are never used again");
    drop((store, backend));
    disk.power_loss();
    assert_eq!(count(&open(&disk)), 3);
}
