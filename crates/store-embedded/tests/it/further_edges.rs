//! Edges of further ordinals (decision 0017): a check reads them and finds what is planted there, and
//! a repair gives them back under their ids.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::path::Path;
use std::sync::Arc;

use millrace_store::{Backend, EdgeRows, ScanCursor};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::image::{Half, RecordsBuilder, Section};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::segment::{SectionKey, SegmentFile, Subject};
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
fn edges_of_further_ordinals_are_checked_and_sound() {
    let disk = rings();
    let ordinals: Vec<u64> = edges(&disk).into_iter().map(|edge| edge.0 >> 32).collect();
    assert!(ordinals.contains(&u64::from(SECOND)) && ordinals.contains(&u64::from(THIRD)));
    let report = check(&disk);
    assert_eq!(report.findings, []);
    assert_eq!((report.graphs[0].vertices, report.graphs[0].edges), (30, 95));
}

#[test]
fn damage_to_edges_of_a_further_ordinal_is_named() {
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
fn a_repair_gives_edges_of_further_ordinals_back_under_their_ids() {
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
