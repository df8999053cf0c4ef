//! Ids of edges that clients chose, and ids that are texts (decision 0056): they outlast a kill, a
//! check finds damage to them, and a repair gives them back or names them.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{EXTERNAL_ID_KEY, EdgeId, EdgeTypeId, ExternalId, Owner, Value, VertexId};
use millrace_store::{
    Backend, EdgeRows, Elements, Isolation, Labels, NameKind, ScanCursor, Store, Transaction,
};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::persistent::segment::{SectionKey, SegmentFile};
use millrace_store_embedded::{EmbeddedBackend, Step};

use crate::check::{FOLDER, assert_finds, check, options, tamper_with};
use crate::repair::repaired;

const KNOWS: EdgeTypeId = EdgeTypeId(0);
const LIKES: EdgeTypeId = EdgeTypeId(1);
const FAR: u64 = 1 << 40;

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap()
}

fn write<T>(store: &Arc<dyn Store>, body: impl FnOnce(&Transaction) -> T) -> T {
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let made = body(&transaction);
    transaction.commit().unwrap().wait().unwrap();
    made
}

fn join(store: &Arc<dyn Store>, kind: EdgeTypeId, ends: &[VertexId], id: ExternalId) -> EdgeId {
    let ends = (&ends[..1], &ends[1..2]);
    write(store, |own| own.create_edges_with_ids(kind, ends, &[id], &[]).unwrap()[0])
}

/// Two people with texts; edges under a far number, a text, and the place of the first; one under
/// its own. With `written`, all but the last two are in segments.
fn graph(written: bool) -> (SimDisk, EdgeId) {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("people").unwrap();
    store.intern(&[(NameKind::EdgeType, "KNOWS"), (NameKind::EdgeType, "LIKES")]).unwrap();
    let texts: [Arc<str>; 2] = ["ada".into(), "bob".into()];
    let people = write(&store, |own| {
        own.create_vertices_with_texts(&Labels::from([]), &texts, &[]).unwrap()
    });
    let first = join(&store, KNOWS, &people, ExternalId::Number(FAR));
    join(&store, LIKES, &people, ExternalId::Number(first.0));
    if written {
        backend.step(Step::Checkpoint).unwrap();
    }
    join(&store, KNOWS, &people, ExternalId::Text("e".into()));
    write(&store, |own| own.create_edges(LIKES, &people[..1], &people[1..], &[]).unwrap());
    drop((store, backend));
    (disk, first)
}

/// The external ids of edges after a kill, by internal id. Each edge is found by its own.
fn by_external_id(disk: &SimDisk) -> BTreeMap<u64, Value> {
    disk.process_kill();
    let backend = open(disk);
    let snapshot = backend.graph("people").unwrap().snapshot().unwrap();
    let (mut cursor, mut rows) = (ScanCursor::default(), EdgeRows::default());
    while !cursor.finished {
        snapshot.scan_edges(None, &mut cursor, 1_000, &mut rows).unwrap();
    }
    let ids = snapshot
        .external_id_values(Elements::Edges(&rows.edges))
        .unwrap()
        .expect("some were chosen");
    let numbers = snapshot.external_edge_ids(&rows.edges).unwrap().unwrap();
    assert_eq!(snapshot.find_external_edges(&numbers).unwrap().unwrap(), rows.edges);
    let people = snapshot.find_texts(Owner::AllVertices, &["ada".into(), "bob".into()]).unwrap();
    assert!(people.iter().all(Option::is_some), "{people:?}");
    let places = rows.edges.iter().map(|edge| edge.0).enumerate();
    places.map(|(row, place)| (place, ids.get(row).unwrap())).collect()
}

fn flip(disk: &SimDisk, wanted: impl Fn(SectionKey) -> bool) -> usize {
    disk.process_kill();
    let folder = Folder::open(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    let mut flipped = 0;
    for name in folder.names(FileKind::Segment).unwrap() {
        let file = SegmentFile::open(&folder, name).unwrap();
        for key in file.keys().filter(|key| wanted(*key)) {
            disk.flip_bit(&folder.path_of(name), file.extent(key).unwrap().offset + 1, 2);
            flipped += 1;
        }
    }
    flipped
}

#[test]
fn what_was_chosen_outlasts_a_kill_wherever_it_is_kept() {
    for written in [false, true] {
        let (disk, first) = graph(written);
        let whole = by_external_id(&disk);
        assert_eq!(whole.len(), 4, "{whole:?}");
        assert_eq!(whole[&first.0], Value::I64(FAR as i64));
        let count = |id: &Value| whole.values().filter(|own| *own == id).count();
        assert_eq!((count(&Value::I64(first.0 as i64)), count(&Value::from("e"))), (1, 1));
        assert_eq!(check(&disk).findings, []);
        assert_eq!(by_external_id(&disk), whole, "a second kill changes nothing");
        let backend = open(&disk);
        let store = backend.graph("people").unwrap();
        for taken in [ExternalId::Number(FAR), ExternalId::Text("e".into())] {
            let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
            let ends = ([VertexId(1)], [VertexId(1)]);
            let ends = (&ends.0[..], &ends.1[..]);
            transaction.create_edges_with_ids(KNOWS, ends, &[taken], &[]).unwrap_err();
        }
    }
}

#[test]
fn damage_to_the_indexes_costs_nothing() {
    let (disk, _) = graph(true);
    let whole = by_external_id(&disk);
    assert!(0 < flip(&disk, |key| key == SectionKey::IndexBase));
    assert_finds(&disk, &["seg-"]);
    let (done, left) = repaired(&disk);
    // Two vertices and three edges have an entry.
    assert_eq!(left, (2, 4, 5), "{done:?}");
    assert_eq!(by_external_id(&disk), whole);
}

#[test]
fn lost_external_ids_are_named_and_no_edge_gets_the_id_of_another() {
    let (disk, first) = graph(true);
    let whole = by_external_id(&disk);
    assert_eq!(flip(&disk, |key| key == SectionKey::EdgeColumn(KNOWS, EXTERNAL_ID_KEY)), 1);
    let (done, _) = repaired(&disk);
    let losses = done.losses.join("\n");
    assert!(losses.contains("the ids that clients chose for its relationships"), "{losses}");
    let named = format!("relationship {first}: the id it is shown under, which another one has");
    assert!(losses.contains(&named), "{losses}");
    let after = by_external_id(&disk);
    assert_eq!(after.len(), 4);
    assert_ne!(after[&first.0], whole[&first.0]);
    let kept = whole.iter().find(|(_, id)| **id == Value::I64(first.0 as i64)).unwrap();
    assert_eq!(after[kept.0], *kept.1, "whoever is shown under it goes on so");
}

#[test]
fn an_edge_with_the_external_id_of_another_is_found() {
    let (disk, _) = graph(true);
    tamper_with(&disk, 0, |image| {
        image.edge_columns.remove(&(KNOWS, EXTERNAL_ID_KEY)).unwrap();
    });
    assert_finds(&disk, &["are shown under an id that another one has"]);
    repaired(&disk);
    assert_eq!(check(&disk).findings, []);
    assert_eq!(by_external_id(&disk).len(), 4);
}
