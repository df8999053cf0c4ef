//! Edges of overflow partitions (decision 0017): loads and out-of-line commits write them, a check
//! reads them and finds injected damage there, and a repair gives them back under their ids.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Column, Direction, EdgeTypeId, ErrorKind, KeyId, Value, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, EdgeRows, Elements, Isolation, NameKind, Run, ScanCursor,
    Transaction,
};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::persistent::image::{Half, RecordsBuilder, Section};
use millrace_store_embedded::persistent::segment::{SectionKey, SegmentFile, Subject};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

use crate::check::{FOLDER, assert_finds, check, create, options, relate_by, tamper_with};
use crate::repair::repaired;

/// The ordinals that follow that of the first vertices.
const SECOND: u32 = 1 << 16;
const THIRD: u32 = 2 << 16;

/// A run of ids is all that an ordinal has, so that each type lies in another one.
fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    let options = Options { edge_runs_max: 1, ..options() };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options).unwrap()
}

/// Thirty people in three rings, one of each type, and a little in the log.
fn rings() -> SimDisk {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("people").unwrap();
    let vertices = create(&store, 30);
    for edge_type in ["KNOWS", "LIKES", "MEETS"] {
        relate_by(&store, edge_type, &vertices);
    }
    backend.step(Step::Checkpoint).unwrap();
    relate_by(&store, "LIKES", &vertices[..5]);
    drop(backend);
    disk
}

/// Every edge: id, source, target.
fn edges(disk: &SimDisk) -> Vec<(u64, u64, u64)> {
    disk.process_kill();
    let backend = open(disk);
    let snapshot = backend.graph("people").unwrap().snapshot().unwrap();
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, 1_000, &mut rows).unwrap();
    }
    let rows = (0..rows.edges.len())
        .map(|row| (rows.edges[row].0, rows.sources[row].0, rows.targets[row].0));
    let mut edges: Vec<_> = rows.collect();
    edges.sort_unstable();
    edges
}

#[test]
fn edges_of_overflow_partitions_are_checked_and_sound() {
    let disk = rings();
    let ordinals: Vec<u64> = edges(&disk).into_iter().map(|edge| edge.0 >> 32).collect();
    assert!(ordinals.contains(&u64::from(SECOND)) && ordinals.contains(&u64::from(THIRD)));
    let report = check(&disk);
    assert_eq!(report.findings, []);
    assert_eq!((report.graphs[0].vertices, report.graphs[0].edges), (30, 95));
}

#[test]
fn damage_to_edges_of_an_overflow_partition_is_named() {
    for ordinal in [SECOND, THIRD] {
        let disk = rings();
        tamper_with(&disk, ordinal, |image| image.lists.retain(|(_, half), _| *half == Half::Out));
        assert_finds(&disk, &["are in the list of their source and not of their target"]);
        let disk = rings();
        tamper_with(&disk, ordinal, |image| image.lists.retain(|(_, half), _| *half == Half::In));
        assert_finds(&disk, &["are not in the list of their source"]);
    }
    let disk = rings();
    tamper_with(&disk, 0, |image| {
        let records = image.records.get().unwrap();
        let first = records.iter().next().unwrap().0;
        let mut builder = RecordsBuilder::from_records(&records);
        builder.remove([first]);
        image.records = Section::of(builder.finish());
    });
    // An edge in each of the rings.
    assert_finds(&disk, &["of type KNOWS have no source", "of type MEETS have no source"]);
}

#[test]
fn a_repair_gives_edges_of_overflow_partitions_back_under_their_ids() {
    let lists = |key| matches!(key, SectionKey::List(..));
    let of_edges = |key| matches!(key, SectionKey::Edges(_));
    let summary = |key| key == SectionKey::Summary;
    let records = |key| key == SectionKey::Records;
    let kinds: [fn(SectionKey) -> bool; 4] = [lists, of_edges, summary, records];
    for kind in kinds {
        let disk = rings();
        let before = edges(&disk);
        flip_a_bit(&disk, SECOND, kind);
        let (done, left) = repaired(&disk);
        assert_eq!(left, (30, 95, 30), "{done:?}");
        assert_eq!(edges(&disk), before, "{done:?}");
    }
}

/// Damages the first section of a kind that a partition has.
fn flip_a_bit(disk: &SimDisk, wanted: u32, kind: fn(SectionKey) -> bool) {
    disk.process_kill();
    let folder = Folder::open(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    for name in folder.names(FileKind::Segment).unwrap() {
        let file = SegmentFile::open(&folder, name).unwrap();
        let is_wanted =
            matches!(file.subject, Subject::Partition { ordinal, .. } if ordinal == wanted);
        if let Some(key) = file.keys().find(|key| is_wanted && kind(*key)) {
            return disk.flip_bit(&folder.path_of(name), file.extent(key).unwrap().offset, 2);
        }
    }
    panic!("no such section");
}

/// More edges than four ordinals hold, from one person to each other, numbered.
const MANY: usize = 4_500;

/// Loads or, as an out-of-line commit, writes edges of a type with a number each, from `vertices`
/// around.
fn write_many(backend: &Arc<EmbeddedBackend>, vertices: &[VertexId], loaded: bool) {
    let store = backend.graph("people").unwrap();
    let names = [(NameKind::EdgeType, "LIKES"), (NameKind::Key, "number")];
    let numbers = store.intern(&names).unwrap();
    let (likes, number) = (EdgeTypeId(numbers[0]), KeyId(numbers[1]));
    let around = |step: usize| vertices.iter().copied().cycle().skip(step).take(MANY).collect();
    let (sources, targets): (Vec<VertexId>, Vec<VertexId>) = (around(0), around(7));
    let values = Column::from_values((0..MANY as i64).map(Value::I64));
    if loaded {
        let mut load = store.begin_bulk_load().unwrap();
        let properties = vec![(number, values)];
        let block = EdgeBlock { edge_type: likes, ids: Vec::new(), sources, targets, properties };
        load.push(Changes { edges: vec![block], ..Changes::default() }).unwrap();
        load.finish().unwrap();
        return;
    }
    let transaction = Transaction::begin(store, Isolation::Snapshot).unwrap();
    transaction.create_edges(likes, &sources, &targets, &[(number, &values)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
}

/// Every numbered edge by its number: id, source, target. Each is asked for by its id, and counted
/// from both ends.
fn numbered(backend: &EmbeddedBackend) -> Vec<(i64, (u64, u64, u64))> {
    let snapshot = backend.graph("people").unwrap().snapshot().unwrap();
    let number = snapshot.catalog().key("number").unwrap();
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, 1_000, &mut rows).unwrap();
    }
    let values = snapshot.gather(Elements::Edges(&rows.edges), &[number]).unwrap().remove(0);
    let ends = snapshot.ends(&rows.edges).unwrap();
    assert_eq!((&ends.sources, &ends.targets), (&rows.sources, &rows.targets));
    for direction in [Direction::Out, Direction::In] {
        let mut vertices =
            if direction == Direction::Out { ends.sources.clone() } else { ends.targets.clone() };
        vertices.sort_unstable();
        vertices.dedup();
        let mut edges = Vec::new();
        let sink = &mut |_: usize, run: Run<'_>| {
            edges.extend((0..run.len()).map(|at| run.edge(at)));
            ControlFlow::Continue(())
        };
        snapshot.expand(&vertices, None, direction, sink).unwrap();
        edges.sort_unstable();
        let mut expected = rows.edges.clone();
        expected.sort_unstable();
        assert_eq!(edges, expected);
    }
    let row = |at: usize| {
        let value = values.get(at)?.as_int()?;
        Some((value, (rows.edges[at].0, rows.sources[at].0, rows.targets[at].0)))
    };
    let mut numbered: Vec<_> = (0..rows.edges.len()).filter_map(row).collect();
    numbered.sort_unstable();
    numbered
}

/// Loads, a load above them, merges, crashes and a backup: all edges stay as they were told.
fn a_full_ordinal_takes_no_more_but_the_next_does(loaded: bool) {
    let disk = SimDisk::new(1);
    let options =
        Options { edge_runs_max: 1, out_of_line_bytes_min: 1, layer_rows_min: 10, ..options() };
    let open = |disk: &SimDisk| {
        EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options).unwrap()
    };
    let backend = open(&disk);
    let vertices = create(&backend.create_graph("people").unwrap(), 30);
    write_many(&backend, &vertices, loaded);
    let before = numbered(&backend);
    let expected = |at: usize| (vertices[at % 30].0, vertices[(at + 7) % 30].0);
    assert_eq!(before.len(), MANY);
    for (at, (number, (_, source, target))) in before.iter().enumerate() {
        assert_eq!((*number, (*source, *target)), (at as i64, expected(at)));
    }
    let ordinals: BTreeSet<u64> = before.iter().map(|(_, edge)| edge.0 >> 32).collect();
    assert!(4 <= ordinals.len(), "{ordinals:?}");
    drop(backend);
    disk.power_loss();
    let backend = open(&disk);
    assert_eq!(numbered(&backend), before, "replayed");
    backend.step(Step::Checkpoint).unwrap();
    assert_eq!(numbered(&backend), before, "merged");
    write_many(&backend, &vertices, loaded);
    backend.step(Step::Checkpoint).unwrap();
    let both = numbered(&backend);
    let ids: BTreeSet<u64> = both.iter().map(|(_, edge)| edge.0).collect();
    assert_eq!((both.len(), ids.len()), (2 * MANY, 2 * MANY), "no id was given twice");
    assert!(before.iter().all(|edge| both.binary_search(edge).is_ok()));
    let archive = crate::backup::archive_of(&backend);
    drop(backend);
    disk.process_kill();
    assert_eq!(check(&disk).findings, []);
    assert_eq!(numbered(&open(&disk)), both);
    let (restored, _) = crate::backup::restore(&archive);
    assert_eq!(check(&restored).findings, []);
    assert_eq!(numbered(&open(&restored)), both, "restored");
}

#[test]
fn a_bulk_load_takes_overflow_partitions_when_one_is_full() {
    a_full_ordinal_takes_no_more_but_the_next_does(true);
}

#[test]
fn an_out_of_line_commit_makes_layers_of_overflow_partitions() {
    a_full_ordinal_takes_no_more_but_the_next_does(false);
}

#[test]
fn a_load_for_which_no_ordinal_is_left_is_refused_by_name_and_leaves_nothing() {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let vertices = create(&backend.create_graph("people").unwrap(), 30);
    let store = backend.graph("people").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let (sources, targets) = (vec![vertices[0]; 64 << 10], vec![vertices[1]; 64 << 10]);
    let mut load = store.begin_bulk_load().unwrap();
    let block = EdgeBlock { edge_type: likes, sources, targets, ..EdgeBlock::default() };
    load.push(Changes { edges: vec![block], ..Changes::default() }).unwrap();
    let refused = load.finish().map(drop).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::LimitReached);
    assert!(refused.detail.contains("no overflow partition is left"), "{refused}");
    assert_eq!(store.snapshot().unwrap().count_edges(None).unwrap(), 0);
    drop((store, backend));
    assert_eq!(check(&disk).findings, []);
}
