//! Refused and unusual openings: a folder in use, of another durability, of a newer version,
//! damaged, nearly full; and closing, which loses nothing.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{CatalogChange, Column, ErrorKind, IndexId, KeyId, Owner, Value, VertexId};
use millrace_store::{
    Backend, Changes, CommitOrigin, Isolation, Labels, NameKind, Store, Ticket, Transaction,
    VertexBlock, WriteBatch,
};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::maintenance::inspect::inspect_file;
use millrace_store_embedded::{Durability, EmbeddedBackend, LogOwner, Options, Step};

fn options() -> Options {
    let mut options = Options { conflict_bits: 12, id_block_size: 1_000, ..Options::default() };
    options.log.first_file_bytes = 64 << 10;
    options.log.file_bytes = 128 << 10;
    options
}

fn open(disk: &SimDisk, options: Options) -> millrace_model::Result<Arc<EmbeddedBackend>> {
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options)
}

fn vertex(store: &dyn Store) -> millrace_model::Result<WriteBatch> {
    let id = store.lease_vertices(1)?[0].start;
    let labels = Labels::from([]);
    let block = VertexBlock { labels, ids: vec![VertexId(id)], properties: Vec::new() };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    Ok(WriteBatch { snapshot: store.snapshot()?.position(), changes, ..WriteBatch::default() })
}

#[test]
fn a_folder_in_use_is_named_and_free_again_after_closing() {
    let folder = tempfile::tempdir().unwrap();
    let first = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let Err(refused) = EmbeddedBackend::open(folder.path(), options()) else {
        panic!("it opened twice")
    };
    assert_eq!(refused.kind, ErrorKind::Unavailable);
    assert!(refused.detail.contains(&*folder.path().to_string_lossy()), "{refused}");
    let store = first.create_graph("graph").unwrap();
    drop(first);
    EmbeddedBackend::open(folder.path(), options()).unwrap();
    let late = store.commit(WriteBatch { claims: vec![1], ..WriteBatch::default() });
    assert_eq!(late.err().map(|error| error.kind), Some(ErrorKind::Unavailable));
}

#[test]
fn what_began_before_an_owner_is_sent_back_and_its_record_and_origins_outlive_a_restart() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let early = vertex(&*store).unwrap();
    let again = vertex(&*store).unwrap().changes;
    let owner = LogOwner { server: 7 << 100, address: "127.0.0.1:7000".to_owned() };
    let began = backend.begin_as_owner(owner).unwrap();
    let back = store.commit(early).err().unwrap();
    assert_eq!((back.kind, back.write_conflict.unwrap().winner), (ErrorKind::Conflict, began));
    let snapshot = store.snapshot().unwrap().position();
    assert!(began <= snapshot, "a retry begins behind it");
    let origin = Some(CommitOrigin { server: 9, number: 1 });
    let batch = WriteBatch { snapshot, changes: again, origin, ..WriteBatch::default() };
    store.commit(batch).unwrap().wait().unwrap();
    // Beside the log, where the one frame has it.
    let large = Options { out_of_line_bytes_min: 0, ..options() };
    drop((store, backend));
    disk.power_loss();
    let backend = open(&disk, large).unwrap();
    let store = backend.graph("graph").unwrap();
    let batch = WriteBatch { origin, ..vertex(&*store).unwrap() };
    store.commit(batch).unwrap().wait().unwrap();
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 2);
    drop((store, backend));
    disk.process_kill();
    let of_key = |value: &Value, key: &str| match value {
        Value::Map(pairs) => {
            pairs.iter().find(|(own, _)| own.as_str() == Some(key)).map(|(_, value)| value.clone())
        }
        _ => None,
    };
    let mut listed = Vec::new();
    for (path, _) in disk.files() {
        let name = path.file_name().unwrap().to_string_lossy();
        if name.ends_with(".mlog") {
            let file = inspect_file(&disk.machine(5), Path::new("/data"), &name).unwrap();
            let Some(Value::List(frames)) = of_key(&file, "frames") else { panic!("{file:?}") };
            listed.extend(frames.iter().map(|frame| {
                ["kind", "from"].map(|key| {
                    let value = of_key(frame, key);
                    value.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
                })
            }));
        }
    }
    for (kind, from) in [
        ("changes", "00000000000000000000000000000009/1"),
        ("out-of-line commit", "00000000000000000000000000000009/1"),
        ("owner began", "00000070000000000000000000000000 at 127.0.0.1:7000"),
    ] {
        assert!(listed.contains(&[kind, from].map(str::to_owned)), "{kind} {from}: {listed:?}");
    }
    let report = check_folder(&disk.machine(6), Path::new("/data"), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
}

#[test]
fn another_durability_is_refused_and_none_takes_what_there_is() {
    let disk = SimDisk::new(1);
    let asynchronous = Options { durability: Some(Durability::Async), ..options() };
    drop(open(&disk, asynchronous).unwrap());
    assert_eq!(open(&disk, options()).unwrap().durability(), Durability::Async);
    let synchronous = Options { durability: Some(Durability::Sync), ..options() };
    let refused = open(&disk, synchronous).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::BadInput);
    assert!(refused.detail.contains("durability async"), "{refused}");
}

#[test]
fn commits_before_a_close_survive_it_without_a_wait() {
    let folder = tempfile::tempdir().unwrap();
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    for _ in 0..500 {
        let batch = vertex(&*store).unwrap();
        store.commit(batch).unwrap();
    }
    drop((backend, store));
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let snapshot = backend.graph("graph").unwrap().snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), 500);
}

#[test]
fn a_nearly_full_disk_stops_writes_and_not_reads_and_writing_goes_on_by_itself() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let batch = vertex(&*store).unwrap();
    store.commit(batch).unwrap().wait().unwrap();
    disk.set_free_space(1 << 20);
    backend.step(Step::Checkpoint).unwrap();
    let again = vertex(&*store).unwrap();
    let refused = store.commit(again).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::ReadOnly);
    assert!(refused.detail.contains("disk is nearly full"), "{refused}");
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 1);
    disk.set_free_space(1 << 40);
    let batch = vertex(&*store).unwrap();
    store.commit(batch).unwrap().wait().unwrap();
}

#[test]
fn a_failed_sync_leaves_the_outcome_unknown_and_reads_going_on() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let batch = vertex(&*store).unwrap();
    store.commit(batch).unwrap().wait().unwrap();
    let batch = vertex(&*store).unwrap();
    disk.fail_sync_after(0);
    let ticket = store.commit(batch).unwrap();
    assert_eq!(ticket.wait().err().unwrap().kind, ErrorKind::OutcomeUnknown);
    assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 1);
    let late = store.commit(WriteBatch { claims: vec![1], ..WriteBatch::default() });
    assert_eq!(late.err().unwrap().kind, ErrorKind::ReadOnly);
}

#[test]
fn a_damaged_segment_is_told_with_its_place_and_nothing_is_guessed() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let batch = vertex(&*store).unwrap();
    store.commit(batch).unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    drop((backend, store));
    let (segment, bytes) = disk
        .files()
        .into_iter()
        .find(|(path, _)| path.extension().is_some_and(|end| end == "mseg"))
        .expect("a checkpoint writes a segment");
    disk.corrupt(&segment, 0, bytes);
    let refused = open(&disk, options()).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::Corrupt);
    assert!(refused.detail.contains(&*segment.to_string_lossy()), "{refused}");
}

#[test]
fn the_log_is_freed_by_the_second_checkpoint_after_it() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let log_files = || {
        let files = disk.files();
        files.iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "mlog")).count()
    };
    for _ in 0..100 {
        for _ in 0..50 {
            let batch = vertex(&*store).unwrap();
            store.commit(batch).unwrap();
        }
        backend.step(Step::Log).unwrap();
        backend.step(Step::Apply).unwrap();
    }
    assert!(3 < log_files());
    for _ in 0..3 {
        backend.step(Step::Checkpoint).unwrap();
    }
    assert!(log_files() <= 2, "{} files", log_files());
}

/// Defines an index of the names that [`named_vertex`] gives, and gives its number.
fn create_index(store: &dyn Store) -> millrace_model::Result<IndexId> {
    let definition = IndexDefinition::new(
        Owner::AllVertices,
        vec![KeyId(store.intern(&[(NameKind::Key, "name")])?[0])],
        IndexKind::Exact,
    );
    commit_catalog(store, CatalogChange::CreateIndex(definition))?.wait()?;
    Ok(store.snapshot()?.catalog().indexes[0].id)
}

fn commit_catalog(store: &dyn Store, change: CatalogChange) -> millrace_model::Result<Ticket> {
    let snapshot = store.snapshot()?;
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: snapshot.catalog().version,
        changes: Changes { catalog: vec![change], ..Changes::default() },
        ..WriteBatch::default()
    };
    store.commit(batch)
}

/// A vertex with a name, so that it has an entry in the index.
fn named_vertex(store: &dyn Store) -> millrace_model::Result<Ticket> {
    let mut batch = vertex(store)?;
    let name = KeyId(store.intern(&[(NameKind::Key, "name")])?[0]);
    let values = Column::from_values([Value::from("n")]);
    batch.changes.vertices[0].properties.push((name, values));
    batch.catalog_version = store.snapshot()?.catalog().version;
    store.commit(batch)
}

/// Symptom: a file that was made and replaced between two manifests was freed by the second, though
/// the log after the first installs it. Shape: the newest manifest damaged at rest.
#[test]
fn a_folder_falls_back_on_the_manifest_before_a_damaged_one() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let index = create_index(&*store).unwrap();
    backend.step(Step::Checkpoint).unwrap();
    named_vertex(&*store).unwrap().wait().unwrap();
    let queued = commit_catalog(&*store, CatalogChange::DropIndex(index)).unwrap();
    backend.step(Step::Checkpoint).unwrap();
    queued.wait().unwrap();
    drop((backend, store));
    let (newest, bytes) = disk
        .files()
        .into_iter()
        .rfind(|(path, _)| path.to_string_lossy().contains("MANIFEST"))
        .expect("there is a manifest");
    disk.corrupt(&newest, 0, bytes);
    let backend = open(&disk, options()).unwrap();
    let snapshot = backend.graph("graph").unwrap().snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), 1);
    assert!(snapshot.catalog().indexes.is_empty());
}

#[test]
fn a_log_that_was_at_its_bound_when_the_process_died_does_not_hold_the_first_writer_forever() {
    let folder = tempfile::tempdir().unwrap();
    let roomy = Options { checkpoint_log_bytes: 1 << 30, log_bytes_max: 1 << 40, ..options() };
    let backend = EmbeddedBackend::open(folder.path(), roomy).unwrap();
    let store = backend.create_graph("graph").unwrap();
    for _ in 0..300 {
        // Each waits, so each is a block of the log.
        store.commit(vertex(&*store).unwrap()).unwrap().wait().unwrap();
    }
    drop((store, backend));
    let tight = Options { checkpoint_log_bytes: 256 << 10, log_bytes_max: 512 << 10, ..options() };
    let backend = EmbeddedBackend::open(folder.path(), tight).unwrap();
    let (sender, receiver) = channel();
    let writer = thread::spawn(move || {
        let store = backend.graph("graph").unwrap();
        let written = store.commit(vertex(&*store).unwrap()).and_then(|ticket| ticket.wait());
        sender.send(written.is_ok()).unwrap();
        store.snapshot().unwrap().count_vertices(None).unwrap()
    });
    let written = receiver.recv_timeout(Duration::from_secs(60));
    assert_eq!(written, Ok(true), "the writer is stalled");
    assert_eq!(writer.join().unwrap(), 301);
}

fn next_id(store: &dyn Store) -> u64 {
    store.lease_vertices(1).unwrap()[0].start
}

/// Rounds of a folder that is closed, or killed, after some ids: no id is given twice, and the rest
/// of a block is lost at a crash and not at a close.
#[test]
fn the_rest_of_an_id_block_is_kept_by_a_close_and_lost_by_a_crash() {
    for closes in 0..16u32 {
        let disk = SimDisk::new(u64::from(closes));
        open(&disk, options()).unwrap().create_graph("graph").unwrap();
        let mut last = 0;
        let mut closed = false;
        for round in 0..4 {
            let backend = open(&disk, options()).unwrap();
            let store = backend.graph("graph").unwrap();
            let first = next_id(&*store);
            assert!(last < first, "{first} was given before a crash");
            if closed {
                assert_eq!(first, last + 1, "closed in an orderly way, and ids were lost");
            }
            for _ in 0..3 {
                let batch = vertex(&*store).unwrap();
                last = batch.changes.vertices[0].ids[0].0;
                store.commit(batch).unwrap().wait().unwrap();
            }
            closed = closes >> round & 1 == 1;
            if closed {
                assert!(backend.step(Step::Close).unwrap());
            }
            drop((backend, store));
            disk.power_loss();
        }
        let backend = open(&disk, options()).unwrap();
        let snapshot = backend.graph("graph").unwrap().snapshot().unwrap();
        assert_eq!(snapshot.count_vertices(None).unwrap(), 12);
    }
}

#[test]
fn a_close_goes_on_behind_the_ids_that_clients_chose() {
    let disk = SimDisk::new(1);
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let first = next_id(&*store);
    let chosen = first + 300;
    let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
    transaction.create_vertices_with_ids(&Labels::from([]), &[chosen], &[]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    backend.step(Step::Close).unwrap();
    drop((backend, store));
    disk.power_loss();
    let backend = open(&disk, options()).unwrap();
    assert_eq!(next_id(&*backend.graph("graph").unwrap()), chosen + 1);
}

#[test]
fn a_folder_that_is_closed_and_opened_gives_the_next_id() {
    let folder = tempfile::tempdir().unwrap();
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let last = (0..5).map(|_| next_id(&*store)).max().unwrap();
    drop((backend, store));
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    assert_eq!(next_id(&*backend.graph("graph").unwrap()), last + 1);
}

/// Symptom: acknowledged commits were gone after a reopen. Shape: a stray file name in the folder
/// drove the counter of file numbers over its end, so newer files sorted before older ones.
#[test]
fn a_stray_file_that_would_use_up_the_file_numbers_is_refused_by_name_and_costs_nothing() {
    let disk = SimDisk::new(1);
    let folder = Path::new("/data");
    let backend = open(&disk, options()).unwrap();
    let store = backend.create_graph("graph").unwrap();
    store.commit(vertex(&*store).unwrap()).unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    drop((backend, store));
    for (prefix, suffix) in [("seg-", ".mseg"), ("log-", ".mlog"), ("spill-", ".mspill")]
        .into_iter()
        .chain([("MANIFEST-", ""), ("seg-", ".mseg.tmp")])
    {
        for digits in
            ["ffffffffffffffff", "fffffffffffffff0", "7fffffffffffffff", "0000010000000000"]
        {
            disk.process_kill();
            let stray = folder.join(format!("{prefix}{digits}{suffix}"));
            disk.create(&stray).unwrap();
            let before = disk.files();
            let refused = open(&disk, options()).err().unwrap();
            assert_eq!(refused.kind, ErrorKind::BadInput, "{refused}");
            assert!(refused.detail.contains(digits), "{refused}");
            disk.process_kill();
            let checked = check_folder(&disk.machine(4), folder, false, &mut quiet).unwrap_err();
            assert!(checked.detail.contains(digits), "{checked}");
            assert_eq!(disk.files(), before, "nothing was changed");
            disk.process_kill();
            disk.remove(&stray).unwrap();
            let backend = open(&disk, options()).unwrap();
            let store = backend.graph("graph").unwrap();
            assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), 1);
        }
    }
}

#[test]
fn a_stray_file_a_little_above_the_next_number_costs_numbers_only() {
    let disk = SimDisk::new(1);
    let mut count = 0;
    for stray in [None, Some("seg-0000000000ffffff.mseg"), Some("log-00000000fffffff0.mlog"), None]
    {
        disk.process_kill();
        if let Some(stray) = stray {
            disk.create(&Path::new("/data").join(stray)).unwrap();
        }
        let backend = open(&disk, options()).unwrap();
        let store = backend.graph("graph").or_else(|_| backend.create_graph("graph")).unwrap();
        store.commit(vertex(&*store).unwrap()).unwrap().wait().unwrap();
        backend.step(Step::Checkpoint).unwrap();
        store.commit(vertex(&*store).unwrap()).unwrap().wait().unwrap();
        count += 2;
        assert_eq!(store.snapshot().unwrap().count_vertices(None).unwrap(), count);
        drop((store, backend));
    }
}
