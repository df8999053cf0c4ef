//! Where nothing can be written, reads work, and the store says why it takes no writes.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::{ErrorKind, MemoryBudget, UNWRITABLE_FOLDER};
use millrace_store::{Backend, Store};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::io::sim::{Refused, SimDisk};
use millrace_store_embedded::maintenance::backup::{ArchiveWriter, backup_folder};
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::maintenance::inspect::{inspect_file, inspect_folder};
use millrace_store_embedded::maintenance::repair::repair_folder;
use millrace_store_embedded::{EmbeddedBackend, Step};
use millrace_testkit::ReadOnlyMount;

use crate::check::{FOLDER, create, options, people, relate};

/// How long the store may take to notice.
const NOTICE_MAX: Duration = Duration::from_secs(60);

fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// All that only reads, on a folder that nothing can be written to.
fn read_all(machine: &Machine, path: &Path) {
    let report = check_folder(machine, path, true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.graphs[0].vertices, report.graphs[0].edges), (30, 35));
    assert!(repair_folder(machine, path, false, &mut quiet).unwrap().is_sound());
    let report = format!("{:?}", inspect_folder(machine, path).unwrap());
    assert!(report.contains("people"), "{report}");
    for name in machine.disk.list(path).unwrap().iter().filter(|name| *name != "LOCK") {
        inspect_file(machine, path, name).unwrap();
    }
    let mut archive = Vec::new();
    let mut out = ArchiveWriter::new(&mut archive, Path::new("b.tar"));
    let summary = backup_folder(machine, path, &mut out, &mut go_on).unwrap();
    assert!(0 < summary.bytes);
}

#[test]
fn what_only_reads_works_on_a_disk_that_is_mounted_read_only() {
    let disk = people();
    disk.process_kill();
    let before = disk.files();
    disk.refuse(Refused::Changes);
    read_all(&disk.machine(9), Path::new(FOLDER));
    assert_eq!(disk.files(), before);
    let refused = repair_folder(&disk.machine(9), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert!(refused.is_sound(), "there is nothing to do");
    let opened = EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options());
    assert!(opened.err().unwrap().detail.contains("read-only"));
}

/// Opens the folder to read only, and asks it.
fn query(path: &Path) {
    let memory = MemoryBudget::unbounded();
    let backend = EmbeddedBackend::open_to_read(path, options(), &memory, None).unwrap();
    let snapshot = backend.graph("people").unwrap().snapshot().unwrap();
    assert_eq!(snapshot.count_edges(None).unwrap(), 35);
}

#[test]
fn what_only_reads_works_on_a_real_read_only_mount_with_and_without_a_lock_file() {
    let folder = tempfile::tempdir().unwrap();
    let (data, at) = (folder.path().join("data"), folder.path().join("mounted"));
    let backend = EmbeddedBackend::open(&data, options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    relate(&store, &vertices);
    backend.checkpoint().unwrap();
    relate(&store, &vertices[..5]);
    let Some(mounted) = ReadOnlyMount::for_test(&data, &at) else { return };
    let machine = Machine::real();
    let busy = check_folder(&machine, &at, false, &mut quiet).unwrap_err();
    assert_eq!(busy.kind, ErrorKind::Unavailable, "a server has it: {busy}");
    drop((store, backend));
    read_all(&machine, &at);
    let writer = EmbeddedBackend::open(&at, options()).err().unwrap();
    assert_eq!(writer.name, Some(UNWRITABLE_FOLDER), "{writer}");
    assert!(writer.help.is_some_and(|help| help.contains("--read-only")), "it says what reads it");
    query(&at);
    std::fs::remove_file(data.join("LOCK")).unwrap();
    read_all(&machine, &at);
    query(&at);
    drop(mounted);
    EmbeddedBackend::open(&data, options()).unwrap();
}

fn opened(disk: &SimDisk) -> (Arc<EmbeddedBackend>, Arc<dyn Store>) {
    let backend =
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap();
    let store = backend.graph("people").unwrap();
    (backend, store)
}

/// Commits until one is refused; a commit that is accepted must hold.
fn write_until_refused(store: &Arc<dyn Store>) -> millrace_model::Error {
    use millrace_store::{Changes, Labels, VertexBlock, WriteBatch};
    for _ in 0..10_000 {
        let leased = match store.lease_vertices(1) {
            Ok(leased) => leased[0].start,
            Err(refused) => return refused,
        };
        let ids = vec![millrace_model::VertexId(leased)];
        let block = VertexBlock { labels: Labels::from([]), ids, properties: Vec::new() };
        let changes = Changes { vertices: vec![block], ..Changes::default() };
        let snapshot = store.snapshot().unwrap().position();
        match store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() }) {
            Ok(ticket) => drop(ticket.wait().unwrap()),
            Err(refused) => return refused,
        }
    }
    panic!("it is never refused");
}

#[test]
fn a_store_without_descriptors_says_why_it_takes_no_writes_and_recovers_by_itself() {
    let disk = people();
    let (backend, store) = opened(&disk);
    assert_eq!(backend.read_only_reason(), None);
    disk.refuse(Refused::NewFiles);
    assert_eq!(backend.read_only_reason(), None, "there is room in the log");
    let refused = write_until_refused(&store);
    assert!(refused.detail.contains("Too many open files"), "{refused}");
    let why = backend.read_only_reason().unwrap();
    assert!(why.contains("Too many open files"), "{why}");
    backend.step(Step::Forget).unwrap();
    assert!(backend.read_only_reason().is_some(), "it is so still");
    disk.heal();
    backend.step(Step::Forget).unwrap();
    assert_eq!(backend.read_only_reason(), None);
    relate(&store, &[millrace_model::VertexId(1), millrace_model::VertexId(2)]);
}

#[test]
fn a_full_disk_and_a_failed_log_are_told_by_name() {
    let disk = people();
    let (backend, store) = opened(&disk);
    disk.set_free_space(1);
    backend.step(Step::Forget).unwrap();
    let why = backend.read_only_reason().unwrap();
    assert!(why.contains("nearly full"), "{why}");
    disk.set_free_space(1 << 40);
    backend.step(Step::Forget).unwrap();
    assert_eq!(backend.read_only_reason(), None);
    relate(&store, &[millrace_model::VertexId(1), millrace_model::VertexId(2)]);
    disk.fail_sync_after(0);
    store.intern(&[(millrace_store::NameKind::Label, "Another")]).unwrap_err();
    let why = backend.read_only_reason().unwrap();
    assert!(why.contains("writing has stopped"), "{why}");
}

#[track_caller]
fn wait_for(backend: &EmbeddedBackend, is: impl Fn(Option<&str>) -> bool) {
    let began = Instant::now();
    loop {
        let why = backend.read_only_reason();
        if is(why.as_deref()) {
            return;
        }
        assert!(began.elapsed() < NOTICE_MAX, "{why:?}");
        std::thread::yield_now();
    }
}

/// Symptom: every large write was refused, and the server said that it was ready.
#[test]
fn a_folder_that_is_moved_away_is_told_and_written_to_again_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (data, away) = (folder.path().join("data"), folder.path().join("away"));
    let backend = EmbeddedBackend::open(&data, options()).unwrap();
    let store = backend.create_graph("people").unwrap();
    std::fs::rename(&data, &away).unwrap();
    wait_for(&backend, |why| why.is_some_and(|why| why.contains("cannot ask for free space")));
    let refused = write_until_refused(&store);
    assert_eq!(refused.kind, ErrorKind::ReadOnly, "{refused}");
    std::fs::rename(&away, &data).unwrap();
    wait_for(&backend, |why| why.is_none());
    create(&store, 3);
}

/// Symptom: a folder on a full disk could not be opened, so nothing could be read either.
#[test]
fn a_folder_opens_for_reading_on_a_full_disk_and_is_written_to_when_there_is_room() {
    for (writes, is_cut) in (0..6).flat_map(|writes| [(writes, false), (writes, true)]) {
        let disk = people();
        let mut edges = 35;
        for life in 0..3 {
            if is_cut {
                disk.power_loss();
            } else {
                disk.process_kill();
            }
            disk.full_after(writes);
            let (backend, store) = opened(&disk);
            let count =
                |store: &Arc<dyn Store>| store.snapshot().unwrap().count_edges(None).unwrap();
            assert_eq!(count(&store), edges, "{writes}, life {life}");
            if disk.is_full() {
                let why = backend.read_only_reason().unwrap();
                assert!(why.contains("nearly full"), "{why}");
                assert_eq!(write_until_refused(&store).kind, ErrorKind::ReadOnly);
                // Nor does another crash lose anything.
                if life == 1 {
                    continue;
                }
            }
            disk.free_room();
            backend.step(Step::Forget).unwrap();
            assert_eq!(backend.read_only_reason(), None);
            let vertices: Vec<_> = (0..4).map(|at| millrace_model::VertexId(at + 1)).collect();
            relate(&store, &vertices);
            edges += 4;
            assert_eq!(count(&store), edges);
            if life == 0 {
                backend.step(Step::Checkpoint).unwrap();
            }
        }
        disk.power_loss();
        let report = check_folder(&disk.machine(9), Path::new(FOLDER), true, &mut quiet).unwrap();
        assert_eq!((report.findings.as_slice(), report.graphs[0].edges), (&[][..], edges));
    }
}
