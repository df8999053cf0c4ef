//! A repair loses the damaged parts and no more: the manifests, the header of a log file, a part of
//! an out-of-line commit. Where nothing would be left it changes nothing.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::{Column, KeyId, Value, VertexId};
use millrace_store::{Backend, Isolation, Labels, NameKind, ScanCursor, Store, Transaction};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::maintenance::repair::{Diagnosis, repair_folder};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

use crate::check::{FOLDER, create, file, options, people, relate};
use crate::repair::repaired;

fn open(disk: &SimDisk, options: Options) -> Arc<EmbeddedBackend> {
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options).unwrap()
}

fn repair(disk: &SimDisk, yes: bool) -> Diagnosis {
    disk.process_kill();
    repair_folder(&disk.machine(11), Path::new(FOLDER), yes, &mut quiet).unwrap()
}

fn files_of(disk: &SimDisk, end: &str) -> Vec<(PathBuf, u64)> {
    let mut files = disk.files();
    files.retain(|(path, _)| path.to_string_lossy().contains(end));
    files
}

/// Forty people in rings; the log no longer reaches back to the first commit.
fn long_lived() -> SimDisk {
    let disk = SimDisk::new(6);
    let backend = open(&disk, options());
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 40);
    for _ in 0..30 {
        relate(&store, &vertices);
        backend.step(Step::NextFile).unwrap();
    }
    backend.step(Step::Checkpoint).unwrap();
    backend.step(Step::Checkpoint).unwrap();
    relate(&store, &vertices[..7]);
    drop((backend, store));
    disk.process_kill();
    disk
}

const LONG_LIVED: (u64, u64, u64) = (40, 30 * 40 + 7, 40);

#[test]
fn a_flipped_bit_in_each_manifest_costs_nothing() {
    for (at, bit) in
        [(3, 0), (17, 4), (25, 1), (33, 7), (41, 2), (45, 3), (48, 0), (60, 5), (90, 1)]
    {
        let disk = long_lived();
        let manifests = files_of(&disk, "MANIFEST");
        assert_eq!(manifests.len(), 2);
        for (path, bytes) in manifests {
            assert!(at < bytes);
            disk.flip_bit(&path, at, bit);
        }
        let (done, left) = repaired(&disk);
        assert_eq!((left, done.losses), (LONG_LIVED, vec![]), "bit {bit} of byte {at}");
    }
}

/// Symptom: a repair left nothing, said so, and ended well. Shape: no manifest can be read, and the
/// log does not reach back to the first commit.
#[test]
fn without_any_manifest_segments_and_log_are_enough_for_all_but_names() {
    for is_gone in [false, true] {
        let disk = long_lived();
        disk.remove(&Path::new(FOLDER).join("NAMES")).unwrap();
        for (path, bytes) in files_of(&disk, "MANIFEST") {
            match is_gone {
                true => disk.remove(&path).unwrap(),
                false => disk.corrupt(&path, 0, bytes),
            }
        }
        disk.sync_folder(Path::new(FOLDER)).unwrap();
        let said = repair(&disk, false);
        let untouched = disk.files();
        assert!(said.losses.join("\n").contains("the name of graph 1"), "{said:?}");
        assert_eq!(disk.files(), untouched);
        let done = repair(&disk, true);
        assert!(done.kept_in.is_some() && !done.saves_nothing, "{done:?}");
        disk.power_loss();
        let report = check_folder(&disk.machine(12), Path::new(FOLDER), true, &mut quiet).unwrap();
        assert_eq!(report.findings, []);
        let graph = &report.graphs[0];
        assert_eq!((graph.name.as_str(), graph.vertices, graph.edges), ("recovered-1", 40, 1_207));
        let backend = open(&disk, options());
        let store = backend.graph("recovered-1").unwrap();
        let snapshot = store.snapshot().unwrap();
        let catalog = snapshot.catalog();
        let names: Vec<&str> = catalog.keys.iter().map(|name| &**name).collect();
        assert_eq!(names, ["key-0"]);
        // It can be written to.
        let name = KeyId(store.intern(&[(NameKind::Key, "key-0")]).unwrap()[0]);
        assert_eq!(name, KeyId(0));
        drop(snapshot);
        relate(&store, &[VertexId(3), VertexId(4)]);
    }
}

#[test]
fn without_any_manifest_the_copy_of_names_is_enough_for_all() {
    for (is_gone, bit) in [(false, None), (true, None), (false, Some(13)), (true, Some(70))] {
        let disk = long_lived();
        for (path, bytes) in files_of(&disk, "MANIFEST") {
            match is_gone {
                true => disk.remove(&path).unwrap(),
                false => disk.corrupt(&path, 0, bytes),
            }
        }
        if let Some(at) = bit {
            disk.flip_bit(&Path::new(FOLDER).join("NAMES"), at, 5);
        }
        disk.sync_folder(Path::new(FOLDER)).unwrap();
        let (done, left) = repaired(&disk);
        assert_eq!((left, done.losses), (LONG_LIVED, vec![]), "{is_gone} {bit:?}");
    }
}

/// Graphs, names and schema changes that came after the copy of names are in the log.
#[test]
fn what_came_after_the_copy_of_names_is_known_from_the_log() {
    let disk = long_lived();
    let backend = open(&disk, options());
    crate::check::relate_by(
        &backend.graph("people").unwrap(),
        "LIKES",
        &[VertexId(3), VertexId(4)],
    );
    let films = backend.create_graph("films").unwrap();
    create(&films, 5);
    backend.drop_graph("people").unwrap();
    backend.create_graph("people").unwrap();
    create(&backend.graph("people").unwrap(), 7);
    drop((backend, films));
    disk.process_kill();
    for (path, bytes) in files_of(&disk, "MANIFEST") {
        disk.corrupt(&path, 0, bytes);
    }
    repair(&disk, true);
    let report = check_folder(&disk.machine(12), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    let mut graphs: Vec<_> =
        report.graphs.iter().map(|g| (&*g.name, g.vertices, g.entries)).collect();
    graphs.sort_unstable();
    assert_eq!(graphs, [("films", 5, 5), ("people", 7, 7)]);
}

#[test]
fn names_that_the_log_still_has_are_kept_without_any_manifest() {
    let disk = long_lived();
    let backend = open(&disk, options());
    let store = backend.graph("people").unwrap();
    crate::check::relate_by(&store, "LIKES", &[VertexId(3), VertexId(4)]);
    drop((backend, store));
    disk.process_kill();
    for (path, bytes) in ["MANIFEST", "NAMES"].map(|end| files_of(&disk, end)).concat() {
        disk.corrupt(&path, 0, bytes);
    }
    repair(&disk, true);
    let backend = open(&disk, options());
    let snapshot = backend.graph("recovered-1").unwrap().snapshot().unwrap();
    let catalog = snapshot.catalog();
    let names: Vec<&str> = catalog.edge_types.iter().map(|name| &**name).collect();
    assert_eq!(names, ["type-0", "LIKES"]);
}

/// Symptom: all of a log file's commits were lost. Shape: one bit in its header.
#[test]
fn a_damaged_header_of_a_log_file_costs_no_commit() {
    for (at, bytes) in [(1, 0), (9, 0), (17, 0), (25, 0), (33, 0), (41, 0), (0, 44), (0, 4_096)] {
        let disk = SimDisk::new(4);
        let backend = open(&disk, options());
        let store = backend.create_graph("people").unwrap();
        let vertices = create(&store, 30);
        for _ in 0..20 {
            relate(&store, &vertices[..4]);
        }
        drop((backend, store));
        disk.process_kill();
        let (path, _) = file(&disk, "log-");
        match bytes {
            0 => disk.flip_bit(&path, at, 2),
            _ => disk.corrupt(&path, at, bytes),
        }
        let opened = EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options());
        assert!(opened.is_err(), "it refuses to open");
        drop(opened);
        let (done, left) = repaired(&disk);
        assert_eq!((left, done.losses), ((30, 80, 30), vec![]), "byte {at}, {bytes}");
    }
}

fn out_of_line_options() -> Options {
    Options { out_of_line_bytes_min: 64 << 10, layer_rows_min: 1_000, ..options() }
}

fn vertices(store: &Arc<dyn Store>) -> Vec<VertexId> {
    let snapshot = store.snapshot().unwrap();
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices).unwrap();
    }
    vertices
}

fn create_many(store: &Arc<dyn Store>, count: usize) -> Vec<VertexId> {
    let name = KeyId(store.intern(&[(NameKind::Key, "name")]).unwrap()[0]);
    let names = (0..count).map(|at| Value::from(format!("a long enough name, {at}").as_str()));
    let names = Column::from_values(names);
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let made = transaction.create_vertices(&Labels::from([]), count, &[(name, &names)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    made
}

fn rename_all(store: &Arc<dyn Store>, vertices: &[VertexId]) {
    let key = KeyId(store.intern(&[(NameKind::Key, "nickname")]).unwrap()[0]);
    let names = (0..vertices.len()).map(|at| Value::from(format!("another name, {at}").as_str()));
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    transaction.set_vertex_properties(key, vertices, &Column::from_values(names)).unwrap();
    transaction.commit().unwrap().wait().unwrap();
}

/// Symptom: the commit and all after it were lost. Shape: one bit in a spill file.
#[test]
fn a_damaged_part_of_an_out_of_line_commit_costs_that_commit_and_not_those_after_it() {
    let disk = SimDisk::new(4);
    let backend = open(&disk, out_of_line_options());
    let store: Arc<dyn Store> = backend.create_graph("people").unwrap();
    let before = create(&store, 30);
    relate(&store, &before);
    let many = create_many(&store, 5_000);
    assert_eq!(files_of(&disk, "spill-").len(), 0, "what is created is in layers");
    rename_all(&store, &many);
    let parts = files_of(&disk, "spill-");
    assert!(!parts.is_empty(), "{:?}", disk.files());
    for _ in 0..5 {
        relate(&store, &before);
    }
    relate(&store, &many[..10]);
    let deleting = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
    deleting.delete_vertices(&many[20..30], true).unwrap();
    deleting.commit().unwrap().wait().unwrap();
    drop((backend, store));
    disk.process_kill();
    let (path, bytes) = &parts[0];
    disk.flip_bit(path, bytes / 2, 1);
    let said = repair(&disk, false);
    assert!(said.losses.join("\n").contains("an out-of-line commit whose part spill-"), "{said:?}");
    assert_eq!(said.losses.len(), 1, "{said:?}");
    repair(&disk, true);
    let report = check_folder(&disk.machine(12), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!((report.graphs[0].vertices, report.graphs[0].edges), (5_020, 190));
    let backend = open(&disk, options());
    let store = backend.graph("people").unwrap();
    let nickname = KeyId(store.intern(&[(NameKind::Key, "nickname")]).unwrap()[0]);
    let snapshot = store.snapshot().unwrap();
    let vertices = vertices(&store);
    let names =
        snapshot.gather(millrace_store::Elements::Vertices(&vertices), &[nickname]).unwrap();
    assert!((0..vertices.len()).all(|row| names[0].get(row).is_none()), "whole or not at all");
}

/// Later commits that change and delete elements of the lost one must not cost the folder.
#[test]
fn commits_that_build_on_a_lost_one_are_left_out_one_by_one() {
    let disk = SimDisk::new(4);
    let backend = open(&disk, Options { layer_rows_min: 1 << 40, ..out_of_line_options() });
    let store: Arc<dyn Store> = backend.create_graph("people").unwrap();
    let before = create(&store, 30);
    let many = create_many(&store, 5_000);
    let parts = files_of(&disk, "spill-");
    assert!(!parts.is_empty(), "what is created is in spill files");
    relate(&store, &[many[0], before[0], many[1]]);
    for some in [&many[..5], &many[5..6]] {
        let deleting = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
        deleting.delete_vertices(some, true).unwrap();
        deleting.commit().unwrap().wait().unwrap();
    }
    rename_all(&store, &many[10..20]);
    relate(&store, &before);
    rename_all(&store, &before);
    drop((backend, store));
    disk.process_kill();
    disk.flip_bit(&parts[0].0, 100, 1);
    let done = repair(&disk, true);
    assert!(!done.saves_nothing, "{done:?}");
    let report = check_folder(&disk.machine(12), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.graphs[0].edges, 30, "{done:?}");
    assert!(30 <= report.graphs[0].vertices, "{done:?}");
    let backend = open(&disk, options());
    let store = backend.graph("people").unwrap();
    let nickname = KeyId(store.intern(&[(NameKind::Key, "nickname")]).unwrap()[0]);
    let snapshot = store.snapshot().unwrap();
    let names = snapshot.gather(millrace_store::Elements::Vertices(&before), &[nickname]).unwrap();
    assert!((0..before.len()).all(|row| names[0].get(row).is_some()), "{done:?}");
}

#[test]
fn a_repair_that_would_leave_nothing_changes_nothing_and_says_so() {
    let in_the_log_only = SimDisk::new(4);
    let backend = open(&in_the_log_only, options());
    let store = backend.create_graph("people").unwrap();
    create(&store, 30);
    drop((backend, store));
    for disk in [people(), in_the_log_only] {
        leaves_nothing(&disk);
    }
}

fn leaves_nothing(disk: &SimDisk) {
    for (path, bytes) in
        ["seg-", "log-", "MANIFEST", "NAMES"].map(|end| files_of(disk, end)).concat()
    {
        disk.corrupt(&path, 0, bytes);
    }
    for yes in [false, true] {
        disk.process_kill();
        let before = disk.files();
        let diagnosis = repair(disk, yes);
        assert!(diagnosis.saves_nothing && diagnosis.kept_in.is_none(), "{diagnosis:?}");
        assert!(!diagnosis.losses.is_empty());
        assert_eq!(disk.files(), before);
    }
}
