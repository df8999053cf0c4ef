//! Backups of an open folder at any moment between two steps: a prefix of the commits, with all
//! that was acknowledged before, which passes the deep check and goes on being written to.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Column, ErrorKind, KeyId, Value, VertexId};
use millrace_store::{Backend, Changes, Labels, NameKind, Store, Ticket, VertexBlock, WriteBatch};
use millrace_store_embedded::io::Disk;
use millrace_store_embedded::io::sim::{SimDisk, SimNumbers};
use millrace_store_embedded::maintenance::backup::{
    ArchiveReader, ArchiveWriter, FolderWriter, Summary, backup_folder, unpack,
};
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::{Durability, EmbeddedBackend, Options, Step};

use crate::check::options;

const FOLDER: &str = "/data";

fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn open(disk: &SimDisk, options: Options) -> Arc<EmbeddedBackend> {
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options).unwrap()
}

/// Commits a vertex that holds `number`.
fn commit(store: &dyn Store, number: i64, large: usize) -> Ticket {
    let key = KeyId(store.intern(&[(NameKind::Key, "number")]).unwrap()[0]);
    let id = VertexId(store.lease_vertices(1).unwrap()[0].start);
    let pad = KeyId(store.intern(&[(NameKind::Key, "pad")]).unwrap()[0]);
    let text = "x".repeat(large);
    let properties = vec![
        (key, Column::from_values([Value::I64(number)])),
        (pad, Column::from_values([Value::from(text.as_str())])),
    ];
    let block = VertexBlock { labels: Labels::from([]), ids: vec![id], properties };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    let snapshot = store.snapshot().unwrap().position();
    store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() }).unwrap()
}

/// The numbers in a folder, ascending.
fn numbers(backend: &EmbeddedBackend) -> Vec<i64> {
    use millrace_store::{Elements, ScanCursor};
    let snapshot = backend.graph("g").unwrap().snapshot().unwrap();
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices).unwrap();
    }
    let Some(key) = snapshot.catalog().key("number") else { return Vec::new() };
    let column = snapshot.gather(Elements::Vertices(&vertices), &[key]).unwrap().remove(0);
    let mut numbers: Vec<i64> =
        (0..vertices.len()).map(|row| column.get(row).unwrap().as_int().unwrap()).collect();
    numbers.sort_unstable();
    numbers
}

/// A backup of an open folder, in memory.
pub(crate) fn archive_of(backend: &EmbeddedBackend) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut out = ArchiveWriter::new(&mut archive, Path::new("b.tar"));
    backend.backup(&mut out, &mut go_on).unwrap();
    archive
}

pub(crate) fn restore(archive: &[u8]) -> (SimDisk, Summary) {
    let disk = SimDisk::new(77);
    let mut input = archive;
    let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
    let mut folder = FolderWriter::create(&disk.machine(1), Path::new(FOLDER)).unwrap();
    let summary = unpack(&mut reader, &mut folder, &mut go_on).unwrap();
    drop(folder);
    // The restored folder is on disk, whatever happens next.
    disk.power_loss();
    (disk, summary)
}

fn run(seed: u64, options: Options) {
    let mut random = SimNumbers::new(seed);
    let disk = SimDisk::new(seed);
    let backend = open(&disk, options);
    let store = backend.create_graph("g").unwrap();
    let (mut given, mut backups) = (0, 0);
    for _ in 0..120 {
        match random.next_u64() % 12 {
            0..6 => {
                let large = if random.next_u64().is_multiple_of(8) { 2_000 } else { 10 };
                commit(&*store, given, large);
                given += 1;
            }
            6 => drop(backend.step(Step::Log)),
            7 => drop(backend.step(Step::Apply)),
            8 => drop(backend.step(Step::NextFile)),
            9 => backend.step(Step::Checkpoint).map(drop).unwrap(),
            _ => {
                backups += 1;
                back_up_and_compare(&backend, given);
            }
        }
    }
    assert!(0 < backups, "seed {seed} made no backup");
    back_up_and_compare(&backend, given);
    while backend.step(Step::Log).unwrap() | backend.step(Step::Apply).unwrap() {}
    drop((backend, store));
    assert_eq!(numbers(&open(&disk, options)).len() as i64, given, "seed {seed}");
}

fn back_up_and_compare(backend: &EmbeddedBackend, given: i64) {
    let visible = numbers(backend).len() as i64;
    let mut archive = Vec::new();
    let mut checkpoints = 0;
    let mut out = ArchiveWriter::new(&mut archive, Path::new("b.tar"));
    // Checkpoints that come in the middle remove files that are still to be copied.
    let made = backend.backup(&mut out, &mut |_, _| {
        if checkpoints < 3 {
            checkpoints += 1;
            backend.step(Step::Checkpoint).unwrap();
        }
        ControlFlow::Continue(())
    });
    let made = made.unwrap();
    let (disk, restored) = restore(&archive);
    assert_eq!(restored, made);
    let report = check_folder(&disk.machine(4), Path::new(FOLDER), true, &mut quiet).unwrap();
    assert_eq!(report.findings, []);
    let backend = open(&disk, options());
    let found = numbers(&backend);
    assert_eq!(found, (0..found.len() as i64).collect::<Vec<_>>(), "not a prefix");
    let count = found.len() as i64;
    assert!(visible <= count && count <= given, "{visible} acknowledged, {count} restored");
    let store = backend.graph("g").unwrap();
    commit(&*store, count, 10).wait().unwrap();
    assert_eq!(numbers(&backend).len() as i64, count + 1);
}

#[test]
fn a_backup_at_any_moment_is_a_prefix_with_all_that_was_acknowledged() {
    for seed in 0..12 {
        run(seed, options());
    }
}

#[test]
fn a_backup_of_out_of_line_commits_and_of_an_async_folder_is_one_too() {
    for seed in 100..106 {
        run(seed, Options { out_of_line_bytes_min: 1_000, ..options() });
        run(seed, Options { durability: Some(Durability::Async), ..options() });
    }
}

#[test]
fn a_closed_folder_is_copied_and_a_full_or_damaged_one_refused() {
    let disk = SimDisk::new(5);
    let backend = open(&disk, options());
    let store = backend.create_graph("g").unwrap();
    for number in 0..20 {
        commit(&*store, number, 10).wait().unwrap();
    }
    drop((backend, store));
    disk.process_kill();
    let machine = disk.machine(4);
    let to = Path::new("/copy");
    let mut folder = FolderWriter::create(&machine, to).unwrap();
    backup_folder(&machine, Path::new(FOLDER), &mut folder, &mut go_on).unwrap();
    drop(folder);
    let copy = EmbeddedBackend::open_stepped(disk.machine(4), to, options()).unwrap();
    assert_eq!(numbers(&copy).len(), 20);
    drop(copy);
    let refused = FolderWriter::create(&machine, to).err().unwrap();
    assert!(refused.to_string().contains("is not empty"), "{refused}");
    let (path, _) = disk
        .files()
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().contains("/data/log-"))
        .unwrap();
    disk.corrupt(&path, 4096, 4096);
    let mut folder = FolderWriter::create(&machine, Path::new("/second")).unwrap();
    let refused =
        backup_folder(&machine, Path::new(FOLDER), &mut folder, &mut go_on).err().unwrap();
    assert_eq!(refused.kind, ErrorKind::Corrupt, "{refused}");
}

/// Earlier versions copied the files of the log with the room that no batch took.
#[test]
fn a_backup_with_whole_files_of_the_log_is_opened_like_one_with_the_used_part() {
    let disk = SimDisk::new(5);
    let backend = open(&disk, options());
    let store = backend.create_graph("g").unwrap();
    for number in 0..40 {
        commit(&*store, number, 2_000).wait().unwrap();
    }
    let archive = archive_of(&backend);
    assert!(archive.len() < 40 * 4 * 4_096, "only what is used: {} bytes", archive.len());
    for adds in [false, true] {
        let (disk, _) = restore(&archive);
        for (path, bytes) in disk.files() {
            if adds && path.extension().is_some_and(|end| end == "mlog") {
                let file = disk.open(&path).unwrap();
                file.allocate(bytes + (64 << 10)).unwrap();
                file.sync_data().unwrap();
            }
        }
        let report = check_folder(&disk.machine(4), Path::new(FOLDER), true, &mut quiet).unwrap();
        assert_eq!(report.findings, []);
        assert_eq!(numbers(&open(&disk, options())).len(), 40);
    }
}

#[test]
fn a_truncated_backup_leaves_no_data_folder() {
    let disk = SimDisk::new(5);
    let backend = open(&disk, options());
    let store = backend.create_graph("g").unwrap();
    commit(&*store, 0, 10).wait().unwrap();
    let mut archive = Vec::new();
    let mut out = ArchiveWriter::new(&mut archive, Path::new("b.tar"));
    backend.backup(&mut out, &mut go_on).unwrap();
    for length in [0, 100, 5_000, archive.len() - 2_000] {
        let target = SimDisk::new(77);
        let mut input = &archive[..length];
        let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
        let machine = target.machine(1);
        let mut folder = FolderWriter::create(&machine, Path::new(FOLDER)).unwrap();
        let refused = unpack(&mut reader, &mut folder, &mut go_on).err().unwrap();
        assert!(refused.to_string().contains("truncated"), "{length}: {refused}");
        drop(folder);
        assert_eq!(target.files(), [], "a failed restore leaves nothing behind");
        target.process_kill();
        let opened = EmbeddedBackend::open_stepped(target.machine(2), Path::new(FOLDER), options());
        let opened = opened.unwrap();
        assert_eq!(opened.graphs(), Vec::<String>::new(), "{length}: half a backup was opened");
    }
}

/// Symptom: a backup of a damaged folder ended well, and only its restore said that it is damaged.
#[test]
fn a_backup_of_an_open_folder_names_the_place_of_every_kind_of_damage() {
    for kind in ["seg-", "spill-", "log-", "MANIFEST-"] {
        let disk = SimDisk::new(5);
        let backend = open(&disk, Options { out_of_line_bytes_min: 1_000, ..options() });
        let store = backend.create_graph("g").unwrap();
        for number in 0..20 {
            commit(&*store, number, 10).wait().unwrap();
        }
        backend.step(Step::Checkpoint).unwrap();
        commit(&*store, 20, 10_000).wait().unwrap();
        archive_of(&backend);
        let damaged: Vec<_> = disk
            .files()
            .into_iter()
            .filter(|(path, _)| path.to_string_lossy().contains(kind))
            .collect();
        assert!(!damaged.is_empty(), "{kind}: {:?}", disk.files());
        for (path, bytes) in &damaged {
            // Past the header of a log file, where its batches are.
            disk.flip_bit(path, if kind == "log-" { 4_096 + 90 } else { bytes / 2 }, 1);
        }
        let mut archive = Vec::new();
        let mut out = ArchiveWriter::new(&mut archive, Path::new("b.tar"));
        let error = backend.backup(&mut out, &mut go_on).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Corrupt, "{error}");
        assert!(error.detail.contains(kind) && error.detail.contains("byte"), "{error}");
        out.fail(&error.detail).unwrap();
        // A reader of its first part learns why.
        let target = SimDisk::new(77);
        let mut input = archive.as_slice();
        let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
        let mut folder = FolderWriter::create(&target.machine(1), Path::new(FOLDER)).unwrap();
        let message = unpack(&mut reader, &mut folder, &mut go_on).unwrap_err();
        assert!(message.to_string().contains(&error.detail), "{message}");
        drop(folder);
        assert_eq!(target.files(), []);
    }
}

#[test]
fn a_failed_restore_to_a_real_folder_leaves_nothing_behind() {
    let disk = SimDisk::new(5);
    let backend = open(&disk, options());
    let store = backend.create_graph("g").unwrap();
    commit(&*store, 0, 10).wait().unwrap();
    let archive = archive_of(&backend);
    let machine = millrace_store_embedded::io::Machine::real();
    let parent = tempfile::tempdir().unwrap();
    let empty = parent.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for path in [parent.path().join("a/b/data"), empty.clone()] {
        let mut input = &archive[..archive.len() - 2_000];
        let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
        let mut folder = FolderWriter::create(&machine, &path).unwrap();
        unpack(&mut reader, &mut folder, &mut go_on).unwrap_err();
        drop(folder);
    }
    let left: Vec<_> =
        std::fs::read_dir(parent.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(left, [empty.as_path()]);
    assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0);
    let mut input = archive.as_slice();
    let mut reader = ArchiveReader::new(&mut input, Path::new("b.tar"));
    let mut folder = FolderWriter::create(&machine, &empty).unwrap();
    unpack(&mut reader, &mut folder, &mut go_on).unwrap();
    drop(folder);
    EmbeddedBackend::open(&empty, options()).unwrap();
}
