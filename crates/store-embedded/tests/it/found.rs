//! Bugs that the simulator found, each as the short story that shows it alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, EdgeId, EdgeTypeId, ErrorKind, KeyId, LogPosition, Owner, Value,
    VertexId,
};
use millrace_store::{
    Backend, Changes, EdgeBlock, EdgeEnds, Elements, NameKind, PropertyBlock, SeekMatches, Store,
    Ticket, VertexBlock, WriteBatch,
};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::log::each_batch;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};

const KIND: EdgeTypeId = EdgeTypeId(0);
const WEIGHT: KeyId = KeyId(0);

fn open(disk: &SimDisk) -> millrace_model::Result<Arc<EmbeddedBackend>> {
    let mut options = Options { conflict_bits: 12, ..Options::default() };
    options.log.first_file_bytes = 16 << 10;
    EmbeddedBackend::open_stepped(disk.machine(7), Path::new("/data"), options)
}

/// A graph with an edge from a vertex to itself, visible.
fn graph_with_edge(
    backend: &EmbeddedBackend,
) -> millrace_model::Result<(Arc<dyn Store>, EdgeEnds)> {
    let store = backend.create_graph("graph")?;
    let names = [(NameKind::EdgeType, "LIKES"), (NameKind::Key, "weight")];
    assert_eq!(store.intern(&names)?, [KIND.0, WEIGHT.0]);
    let vertex = VertexId(store.lease_vertices(1)?[0].start);
    let edge = store.lease_edges(KIND, &[vertex])?[0];
    let changes = Changes {
        vertices: vec![VertexBlock { ids: vec![vertex], ..VertexBlock::default() }],
        edges: vec![EdgeBlock {
            edge_type: KIND,
            ids: vec![edge],
            sources: vec![vertex],
            targets: vec![vertex],
            properties: vec![(WEIGHT, Column::from_values([Value::I64(1)]))],
        }],
        ..Changes::default()
    };
    commit(&*store, changes)?.wait()?;
    Ok((store, EdgeEnds { edge, edge_type: KIND, source: vertex, target: vertex }))
}

fn commit(store: &dyn Store, changes: Changes) -> millrace_model::Result<Ticket> {
    let snapshot = store.snapshot()?;
    commit_from(store, snapshot.position(), changes)
}

fn commit_from(
    store: &dyn Store,
    snapshot: LogPosition,
    changes: Changes,
) -> millrace_model::Result<Ticket> {
    store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() })
}

fn create_index() -> Changes {
    let (owner, keys) = (Owner::EdgeType(KIND), vec![WEIGHT]);
    let kind = IndexKind::Exact;
    let index = IndexDefinition::new(owner, keys, kind);
    Changes { catalog: vec![CatalogChange::CreateIndex(index)], ..Changes::default() }
}

fn set_weight(edge: EdgeId, weight: i64) -> Changes {
    let values = Column::from_values([Value::I64(weight)]);
    let block = PropertyBlock { key: WEIGHT, owners: vec![edge], values };
    Changes { edge_properties: vec![block], ..Changes::default() }
}

/// Symptom: an index did not find an edge by its newest value. Shape: the value was written while
/// the index's schema change had its place in the order and was not visible yet.
#[test]
fn an_edge_value_written_while_its_index_is_created_is_not_lost_to_it() {
    let disk = SimDisk::new(1);
    let backend = open(&disk).unwrap();
    let (store, edge) = graph_with_edge(&backend).unwrap();
    let before = store.snapshot().unwrap().position();
    let defined = commit(&*store, create_index()).unwrap();
    let refused = commit_from(&*store, before, set_weight(edge.edge, 2)).err();
    assert_eq!(refused.map(|error| error.kind), Some(ErrorKind::Conflict));
    defined.wait().unwrap();
    commit(&*store, set_weight(edge.edge, 2)).unwrap().wait().unwrap();
    let snapshot = store.snapshot().unwrap();
    let index = snapshot.catalog().indexes[0].id;
    let mut found = SeekMatches::default();
    snapshot.seek(index, &[&Column::from_values([Value::I64(2)])], &mut found).unwrap();
    assert_eq!(found.ids, [edge.edge.0]);
}

/// Symptom: "cannot remove seg-…: entity not found" at every open. Shape: an opening freed the
/// segment of an index that was dropped, and ended before it freed the log that names the segment.
#[test]
fn a_folder_opens_however_often_its_opening_crashes_while_it_frees_files() {
    let disk = SimDisk::new(1);
    let backend = open(&disk).unwrap();
    let (store, edge) = graph_with_edge(&backend).unwrap();
    commit(&*store, create_index()).unwrap().wait().unwrap();
    commit(&*store, set_weight(edge.edge, 2)).unwrap().wait().unwrap();
    backend.step(Step::Checkpoint).unwrap();
    let index = store.snapshot().unwrap().catalog().indexes[0].id;
    let drops = Changes { catalog: vec![CatalogChange::DropIndex(index)], ..Changes::default() };
    commit(&*store, drops).unwrap().wait().unwrap();
    drop((store, backend));
    disk.process_kill();
    let mut crashed = 0;
    for operations in 0..40 {
        let disk = disk.copy();
        for _ in 0..4 {
            disk.crash_after(operations);
            drop(open(&disk));
            crashed += u64::from(disk.is_crashed());
            disk.crash_now();
            disk.process_kill();
        }
        let opened = open(&disk);
        assert!(opened.is_ok(), "crash at operation {operations}: {:?}", opened.err());
    }
    assert!(40 < crashed, "{crashed}");
}

/// Symptom: "there is no manifest, but there is log-…" after power loss (seed 2009302). Shape: a
/// process was killed between naming a manifest and syncing the folder; the next one found the
/// manifest, made files beside it and removed those that it does not name, and the power loss took
/// its name alone.
#[test]
fn what_a_killed_process_left_unsynced_is_synced_before_an_opening_builds_on_it() {
    let checkpoint = |disk: &SimDisk| {
        let opened = open(disk).map(|backend| backend.step(Step::Checkpoint));
        drop(opened);
    };
    let old = SimDisk::new(1);
    let backend = open(&old).unwrap();
    let (store, edge) = graph_with_edge(&backend).unwrap();
    backend.step(Step::Checkpoint).unwrap();
    commit(&*store, set_weight(edge.edge, 2)).unwrap().wait().unwrap();
    drop((store, backend));
    old.process_kill();
    for (disk, is_old) in [(SimDisk::new(1), false), (old, true)] {
        for (first, second, seed) in each_of([60, 24, 6]) {
            let disk = disk.copy();
            disk.reseed(seed);
            for operations in [first, second] {
                disk.crash_after(operations);
                checkpoint(&disk);
                disk.crash_now();
                disk.process_kill();
            }
            disk.power_loss();
            let story = format!("killed after {first} and {second} operations, {seed}");
            let backend = open(&disk).unwrap_or_else(|error| panic!("{story}: {error}"));
            if is_old {
                let snapshot = backend.graph("graph").unwrap().snapshot().unwrap();
                let elements = Elements::Edges(&[edge.edge]);
                let weights = snapshot.gather(elements, &[WEIGHT]).unwrap();
                assert_eq!(weights[0].get(0), Some(Value::I64(2)), "{story}");
            }
        }
    }
}

/// All triples below three bounds.
fn each_of([first, second, third]: [u64; 3]) -> impl Iterator<Item = (u64, u64, u64)> {
    let pairs = (0..first).flat_map(move |first| (0..second).map(move |second| (first, second)));
    pairs.flat_map(move |(first, second)| (0..third).map(move |third| (first, second, third)))
}

/// Symptom: recovery panicked. Shape: the first batch of the log's first file was damaged, so the
/// chain began in the next file. It deletes an edge that the store did not have.
#[test]
fn damage_to_the_first_batch_of_the_log_is_refused_before_anything_is_applied() {
    let disk = SimDisk::new(1);
    let backend = open(&disk).unwrap();
    let (store, edge) = graph_with_edge(&backend).unwrap();
    // Vouched for, so the next opening does not copy it.
    backend.step(Step::Idle).unwrap();
    drop((store, backend));
    let backend = open(&disk).unwrap();
    let store = backend.graph("graph").unwrap();
    let deletes = Changes { deleted_edges: vec![edge], ..Changes::default() };
    commit(&*store, deletes).unwrap().wait().unwrap();
    drop((store, backend));
    let logs = disk.files().into_iter().map(|(path, _)| path);
    let first = logs.into_iter().find(|path| path.to_string_lossy().contains("log-"));
    let first = first.expect("there is a log");
    disk.corrupt(&first, 4096, 512);
    let refused = open(&disk).err().expect("damage is refused");
    assert_eq!(refused.kind, ErrorKind::Corrupt);
    assert!(refused.detail.contains("log-"), "{refused}");
}

/// Symptom: after damage to the log a graph came back without commits that were on disk, and with
/// schema changes that were newer than its data. Shape: the last batch of the log was damaged,
/// which no later batch vouches for; but a manifest was written after it, from its content.
#[test]
fn damage_to_the_end_of_the_log_is_refused_where_a_manifest_vouches_for_it() {
    let disk = SimDisk::new(1);
    let backend = open(&disk).unwrap();
    let store = backend.create_graph("graph").unwrap();
    let vertex = VertexId(store.lease_vertices(1).unwrap()[0].start);
    let vertices = vec![VertexBlock { ids: vec![vertex], ..VertexBlock::default() }];
    commit(&*store, Changes { vertices, ..Changes::default() }).unwrap();
    // Applied and not visible: too late for the checkpoint's position, and in its manifest's
    // position.
    backend.step(Step::Apply).unwrap();
    backend.step(Step::Checkpoint).unwrap();
    drop((store, backend));
    let (path, place) = last_batch(&disk);
    disk.corrupt(&path, place, 512);
    let refused = open(&disk).err().expect("damage is refused");
    assert_eq!(refused.kind, ErrorKind::Corrupt);
    let message = format!("{} is damaged at byte {place}", path.display());
    assert!(refused.detail.contains(&message), "{refused}");
}

/// Where the last batch of the log is.
fn last_batch(disk: &SimDisk) -> (PathBuf, u64) {
    let disk = disk.copy();
    disk.process_kill();
    let folder = Folder::open(Arc::new(disk), Path::new("/data")).expect("a folder");
    let mut last = None;
    for name in folder.names(FileKind::Log).expect("a log") {
        let mut note = |offset| last = Some((folder.path_of(name), offset));
        each_batch(&folder, name, &mut |batch| note(batch.offset)).expect("batches");
    }
    last.expect("there is a batch")
}
