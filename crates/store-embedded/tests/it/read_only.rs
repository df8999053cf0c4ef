//! A folder that is open to be read only: nothing of it changes, several read it, none writes.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::{Column, ErrorKind, KeyId, MemoryBudget, Value, VertexId};
use millrace_store::{
    Backend, Changes, Isolation, Labels, NameKind, Store, Transaction, VertexBlock, WriteBatch,
};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::backup::{FolderWriter, backup_folder};
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

use crate::backup::restore;
use crate::check::{FOLDER, create, options, people, relate};

fn open_to_read(path: &Path) -> millrace_model::Result<Arc<EmbeddedBackend>> {
    EmbeddedBackend::open_to_read(path, options(), &MemoryBudget::unbounded(), None)
}

fn counts(store: &dyn Store) -> (u64, u64) {
    let snapshot = store.snapshot().unwrap();
    (snapshot.count_vertices(None).unwrap(), snapshot.count_edges(None).unwrap())
}

/// The bytes of every file of a folder.
fn bytes_of(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// Thirty people, as a process that was killed leaves them: files of the log that were made ahead,
/// and a lock with its number.
fn left_by_a_kill(folder: &Path) -> PathBuf {
    let (live, data) = (folder.join("live"), folder.join("data"));
    let backend = EmbeddedBackend::open(&live, options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    relate(&store, &vertices);
    backend.checkpoint().unwrap();
    relate(&store, &vertices[..5]);
    fs::create_dir(&data).unwrap();
    for (path, bytes) in bytes_of(&live) {
        fs::write(data.join(path.file_name().unwrap()), bytes).unwrap();
    }
    assert!(!fs::read(data.join("LOCK")).unwrap().is_empty());
    data
}

/// Every kind of write.
fn refusals(backend: &EmbeddedBackend, store: &dyn Store) -> Vec<millrace_model::Error> {
    let snapshot = store.snapshot().unwrap().position();
    let block = VertexBlock {
        labels: Labels::from([]),
        ids: vec![VertexId(1_000_000)],
        properties: vec![(KeyId(0), Column::from_values([Value::I64(1)]))],
    };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
    let claim = WriteBatch { snapshot, claims: vec![1], ..WriteBatch::default() };
    [
        store.intern(&[(NameKind::Label, "Another")]).err(),
        store.lease_vertices(1).err(),
        store.commit(batch).err(),
        store.commit(claim).err(),
        backend.create_graph("another").err(),
        backend.drop_graph("people").err(),
        backend.checkpoint().err(),
    ]
    .into_iter()
    .map(|refused| refused.expect("a write was taken"))
    .collect()
}

#[test]
fn a_folder_that_a_kill_left_is_read_and_backed_up_and_no_byte_of_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let data = left_by_a_kill(folder.path());
    let before = bytes_of(&data);
    let first = open_to_read(&data).unwrap();
    let second = open_to_read(&data).unwrap();
    let store = first.graph("people").unwrap();
    assert_eq!(counts(&*store), (30, 35));
    assert_eq!(counts(&*second.graph("people").unwrap()), (30, 35));
    for refused in refusals(&first, &*store) {
        assert_eq!(refused.kind, ErrorKind::ReadOnly, "{refused}");
        assert_eq!(refused.name, Some("ForbiddenOnReadOnlyDatabase"), "{refused}");
        assert!(refused.detail.contains("open to be read only"), "{refused}");
    }
    assert!(first.read_only_reason().is_some_and(|why| why.contains("open to be read only")));
    let writer = EmbeddedBackend::open(&data, options()).err().unwrap();
    assert_eq!(writer.kind, ErrorKind::Unavailable);
    assert!(writer.detail.contains("a process that only reads it"), "{writer}");
    check_folder(&Machine::real(), &data, true, &mut quiet).unwrap();
    let (disk, _) = restore(&crate::backup::archive_of(&first));
    let report = check_folder(&disk.machine(4), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!((report.findings.len(), report.graphs[0].edges), (0, 35));
    assert_eq!(counts(&*store), (30, 35), "refused writes left nothing");
    drop((store, first, second));
    assert!(bytes_of(&data) == before, "a byte changed");
    let backend = EmbeddedBackend::open(&data, options()).unwrap();
    let refused = open_to_read(&data).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::Unavailable, "{refused}");
    assert_eq!(counts(&*backend.graph("people").unwrap()), (30, 35));
}

/// Attack: a reader sees a tail that only the system's memory has, and then the power goes.
#[test]
fn what_a_reader_saw_outlives_a_power_loss() {
    for seed in 0..40 {
        let disk = people();
        disk.reseed(seed);
        let backend =
            EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
        let store = backend.graph("people").unwrap();
        let vertices: Vec<_> = (1..5).map(VertexId).collect();
        relate(&store, &vertices);
        let number = store.intern(&[(NameKind::EdgeType, "KNOWS")]).unwrap()[0];
        let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
        let edge_type = millrace_model::EdgeTypeId(number);
        transaction.create_edges(edge_type, &vertices, &vertices, &[]).unwrap();
        let ticket = transaction.commit().unwrap();
        // Written, and cut off at the sync.
        disk.crash_after(1);
        let _cut_off = backend.step(Step::Log);
        drop((ticket, store, backend));
        disk.process_kill();
        let before = disk.files();
        let memory = MemoryBudget::unbounded();
        let (machine, path) = (disk.machine(4), Path::new(FOLDER));
        let reader =
            EmbeddedBackend::open_to_read_stepped(machine, path, options(), &memory).unwrap();
        let seen = counts(&*reader.graph("people").unwrap());
        assert_eq!(disk.files(), before);
        drop(reader);
        disk.power_loss();
        let backend =
            EmbeddedBackend::open_stepped(disk.machine(5), Path::new(FOLDER), options()).unwrap();
        let kept = counts(&*backend.graph("people").unwrap());
        assert!(seen.1 <= kept.1, "seed {seed}: {seen:?} was seen, {kept:?} was kept");
    }
}

#[test]
fn damage_is_refused_as_by_any_opening_and_a_folder_without_data_is_none() {
    let disk = people();
    disk.process_kill();
    let memory = MemoryBudget::unbounded();
    let open = |disk: &SimDisk| {
        let path = Path::new(FOLDER);
        EmbeddedBackend::open_to_read_stepped(disk.machine(4), path, options(), &memory)
    };
    assert_eq!(open(&SimDisk::new(2)).err().unwrap().kind, ErrorKind::NotFound);
    let (segment, bytes) = crate::check::file(&disk, ".mseg");
    disk.corrupt(&segment, 0, bytes);
    let refused = open(&disk).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::Corrupt);
    assert!(refused.detail.contains(&*segment.to_string_lossy()), "{refused}");
}

/// A commit of one vertex with a long text.
fn commit_text(store: &dyn Store, bytes: usize) {
    let key = KeyId(store.intern(&[(NameKind::Key, "text")]).unwrap()[0]);
    let id = VertexId(store.lease_vertices(1).unwrap()[0].start);
    let values = Column::from_values([Value::from("x".repeat(bytes).as_str())]);
    let properties = vec![(key, values)];
    let block = VertexBlock { labels: Labels::from([]), ids: vec![id], properties };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    let snapshot = store.snapshot().unwrap().position();
    let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
    store.commit(batch).unwrap().wait().unwrap();
}

#[test]
fn what_the_log_holds_is_taken_from_the_memory_budget_or_refused_with_a_remedy() {
    let disk = SimDisk::new(1);
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.create_graph("g").unwrap();
    for _ in 0..8 {
        commit_text(&*store, 1 << 20);
    }
    drop((store, backend));
    let open = |memory: &MemoryBudget| {
        let path = Path::new(FOLDER);
        EmbeddedBackend::open_to_read_stepped(disk.machine(4), path, options(), memory)
    };
    let refused = open(&MemoryBudget::new(2 << 20)).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::LimitReached);
    let help = refused.help.as_deref().unwrap_or_default();
    assert!(refused.detail.contains("memory.max") && help.contains("checkpoint"), "{refused}");
    let memory = MemoryBudget::new(64 << 20);
    let reader = open(&memory).unwrap();
    assert!((8 << 20..64 << 20).contains(&memory.used()), "{}", memory.used());
    drop(reader);
    assert_eq!(memory.used(), 0);
}

fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn size_of(path: &Path) -> (usize, u64) {
    let files = bytes_of(path);
    let logs = files.keys().filter(|path| path.to_string_lossy().ends_with(".mlog")).count();
    (logs, files.values().map(|bytes| bytes.len() as u64).sum())
}

/// Symptom: each command left a file of the log of 4 MiB, and a backup of three nodes had 21 MB.
#[test]
fn a_folder_that_is_opened_often_and_its_backup_are_as_small_as_their_data() {
    let folder = tempfile::tempdir().unwrap();
    let (data, copy) = (folder.path().join("data"), folder.path().join("copy"));
    let open = || EmbeddedBackend::open(&data, Options::default()).unwrap();
    drop(open().create_graph("g").unwrap());
    for round in 0..6 {
        commit_text(&*open().graph("g").unwrap(), 100);
        let (logs, bytes) = size_of(&data);
        assert_eq!(logs, 1, "round {round}");
        assert!(bytes < 200_000, "round {round}: {bytes} bytes");
    }
    let machine = Machine::real();
    let mut out = FolderWriter::create(&machine, &copy).unwrap();
    let summary = backup_folder(&machine, &data, &mut out, &mut go_on).unwrap();
    drop(out);
    assert!(summary.bytes < 200_000, "{summary:?}");
    let backend = EmbeddedBackend::open(&copy, Options::default()).unwrap();
    assert_eq!(counts(&*backend.graph("g").unwrap()).0, 6);
    // While it is open, its backup is as small.
    let archive = crate::backup::archive_of(&backend);
    assert!(archive.len() < 200_000, "{} bytes", archive.len());
}

/// Symptom: 4,000 commits of a block each left 86 MB of log.
#[test]
fn a_close_after_many_small_commits_leaves_segments_and_one_small_file_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for round in 1..=2 {
        let backend = EmbeddedBackend::open(&data, options()).unwrap();
        let store = backend.graph("g").or_else(|_| backend.create_graph("g")).unwrap();
        (0..300).for_each(|_| commit_text(&*store, 10));
        drop((store, backend));
        let (logs, bytes) = size_of(&data);
        assert!(
            logs == 1 && bytes < 200_000,
            "round {round}: {logs} files of the log, {bytes} bytes"
        );
        let report = check_folder(&Machine::real(), &data, true, &mut quiet).unwrap();
        assert_eq!((report.findings.len(), report.graphs[0].vertices), (0, 300 * round));
    }
}
