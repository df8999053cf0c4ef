//! Vertices under ids that clients chose (decision 0035): a check finds damage to them and to their
//! index, and a repair gives them back under their ids. Unreadable parts are named, and no vertex
//! is shown under the id of another.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Column, EXTERNAL_ID_KEY, KeyId, LabelId, Value, VertexId};
use millrace_store::{
    Backend, Elements, Isolation, Labels, NameKind, ScanCursor, Snapshot, Store, Transaction,
};
use millrace_store_embedded::folder::{FileKind, Folder};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::persistent::image::{PropertyColumn, Section};
use millrace_store_embedded::persistent::segment::{SectionKey, SegmentFile, Subject};
use millrace_store_embedded::{EmbeddedBackend, Step};

use crate::check::{FOLDER, assert_finds, check, options, relate, tamper_with};
use crate::repair::repaired;

/// The first of the ids that are no internal ids.
const FAR: u64 = 1_000_000_000_000;
/// The number of an internal id with a vertex that is shown under another id.
const INTERNAL_OF_OTHER: u64 = 3;
/// Where the first of them lie, and where the vertex shown as [`INTERNAL_OF_OTHER`] lies.
const FIRST: u32 = 0;
const OTHER: u32 = 1;

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new(FOLDER), options()).unwrap()
}

fn choose(store: &Arc<dyn Store>, ids: &[u64]) -> Vec<VertexId> {
    let numbers = store.intern(&[(NameKind::Label, "Person"), (NameKind::Key, "name")]).unwrap();
    let (labels, name) = (Labels::from([LabelId(numbers[0])]), KeyId(numbers[1]));
    let names = Column::from_values(ids.iter().map(|id| Value::from(named(*id).as_str())));
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let made = transaction.create_vertices_with_ids(&labels, ids, &[(name, &names)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    made
}

fn named(id: u64) -> String {
    format!("chosen as {id}")
}

/// Twenty in the first partition, one in the second that is shown as the number of an internal id
/// of the first, all in segments; five more in the log.
fn people() -> SimDisk {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("people").unwrap();
    let mut people = choose(&store, &(FAR..FAR + 20).collect::<Vec<_>>());
    assert!(people.contains(&VertexId(INTERNAL_OF_OTHER)));
    store.lease_vertices(70_000).unwrap();
    people.extend(choose(&store, &[INTERNAL_OF_OTHER]));
    assert_eq!(people[20].0 >> 16, u64::from(OTHER));
    relate(&store, &people);
    backend.step(Step::Checkpoint).unwrap();
    choose(&store, &(FAR + 20..FAR + 25).collect::<Vec<_>>());
    drop((store, backend));
    disk
}

fn scan(snapshot: &dyn Snapshot) -> Vec<VertexId> {
    let (mut cursor, mut vertices) = (ScanCursor::default(), Vec::new());
    while !cursor.finished {
        snapshot.scan_vertices(None, &mut cursor, 1_000, &mut vertices).unwrap();
    }
    vertices
}

/// Every vertex by the id it is shown under: its internal id and name. Each is found by that id.
fn by_external_id(disk: &SimDisk) -> BTreeMap<u64, (u64, Option<Value>)> {
    disk.process_kill();
    let backend = open(disk);
    let snapshot = backend.graph("people").unwrap().snapshot().unwrap();
    let vertices = scan(&*snapshot);
    let ids = snapshot.external_ids(&vertices).unwrap().expect("some were chosen");
    assert_eq!(snapshot.find_external(&ids).unwrap().unwrap(), vertices);
    let names = snapshot.catalog().key("name").unwrap();
    let names = snapshot.gather(Elements::Vertices(&vertices), &[names]).unwrap().remove(0);
    let rows = (0..ids.len()).map(|row| (ids[row], (vertices[row].0, names.get(row))));
    let by_external_id: BTreeMap<_, _> = rows.collect();
    assert_eq!(by_external_id.len(), vertices.len(), "two are shown under one id");
    by_external_id
}

/// Damages every section of these kinds in files about a subject; says how many.
fn flip(disk: &SimDisk, wanted: impl Fn(&Subject, SectionKey) -> bool) -> usize {
    disk.process_kill();
    let folder = Folder::open(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
    let mut flipped = 0;
    for name in folder.names(FileKind::Segment).unwrap() {
        let file = SegmentFile::open(&folder, name).unwrap();
        for key in file.keys().filter(|key| wanted(&file.subject, *key)) {
            disk.flip_bit(&folder.path_of(name), file.extent(key).unwrap().offset + 1, 2);
            flipped += 1;
        }
    }
    flipped
}

fn is_of(subject: &Subject, partition: u32) -> bool {
    matches!(subject, Subject::Partition { ordinal, .. } if *ordinal == partition)
}

#[test]
fn damage_to_the_index_of_external_ids_is_found_and_costs_nothing() {
    let whole = by_external_id(&people());
    assert_eq!(whole.len(), 26);
    assert_eq!(whole[&(FAR + 7)].1, Some(Value::from(named(FAR + 7).as_str())));
    let disk = people();
    assert!(10 < flip(&disk, |_, key| key == SectionKey::IndexBase));
    assert_finds(&disk, &["seg-"]);
    let (done, left) = repaired(&disk);
    assert_eq!(left, (26, 21, 26), "{done:?}");
    assert_eq!(by_external_id(&disk), whole);
}

#[test]
fn damage_to_a_partition_is_found_and_its_vertices_keep_the_ids_that_were_chosen() {
    let whole = by_external_id(&people());
    let kinds: [fn(SectionKey) -> bool; 4] = [
        |key| key == SectionKey::Records,
        |key| key == SectionKey::Summary,
        |key| matches!(key, SectionKey::List(..)),
        |key| matches!(key, SectionKey::Edges(_)),
    ];
    for (kind, ordinal) in kinds.into_iter().flat_map(|kind| [(kind, FIRST), (kind, OTHER)]) {
        let disk = people();
        assert!(0 < flip(&disk, |subject, key| is_of(subject, ordinal) && kind(key)));
        assert_finds(&disk, &["seg-"]);
        let (done, left) = repaired(&disk);
        assert_eq!(left.0, 26, "{done:?}");
        assert_eq!(by_external_id(&disk), whole, "{done:?}");
    }
    let disk = people();
    let is_name = |key| matches!(key, SectionKey::VertexColumn(own) if own != EXTERNAL_ID_KEY);
    assert!(0 < flip(&disk, |subject, key| is_of(subject, FIRST) && is_name(key)));
    let (done, _) = repaired(&disk);
    assert!(done.losses.join("\n").contains("the values of key"), "{done:?}");
    assert!(by_external_id(&disk).keys().eq(whole.keys()));
}

#[test]
fn lost_external_ids_are_named_and_no_vertex_gets_the_id_of_another() {
    let whole = by_external_id(&people());
    let disk = people();
    let is_external = |key| key == SectionKey::VertexColumn(EXTERNAL_ID_KEY);
    assert_eq!(flip(&disk, |subject, key| is_of(subject, FIRST) && is_external(key)), 1);
    assert_finds(&disk, &["seg-"]);
    let (done, left) = repaired(&disk);
    let losses = done.losses.join("\n");
    assert!(losses.contains("the ids that clients chose for its nodes"), "{losses}");
    assert!(losses.contains("node 3: the id it is shown under, which another one has"), "{losses}");
    assert_eq!(left.0, 26);
    let after = by_external_id(&disk);
    assert_eq!(
        after[&INTERNAL_OF_OTHER], whole[&INTERNAL_OF_OTHER],
        "whoever is shown under it goes on so"
    );
    for (id, (internal_id, name)) in &whole {
        let now = after.iter().find(|(_, other)| other.0 == *internal_id).unwrap();
        let is_first = *internal_id < 1 << 16;
        assert_eq!(&now.1.1, name);
        let other = *now.0;
        assert!(if !is_first {
            other == *id
        } else {
            other == *internal_id || *internal_id == INTERNAL_OF_OTHER
        });
    }
}

#[test]
fn ids_that_contradict_the_index_or_one_another_are_found() {
    let disk = people();
    let take_out = |disk: &SimDisk, local: u32| {
        tamper_with(disk, FIRST, |image| {
            let column = image.vertex_columns.remove(&EXTERNAL_ID_KEY).unwrap();
            let kept = column.get().unwrap();
            let kept = kept.iter().filter(|(row, _)| *row != local);
            let column = PropertyColumn::of_ascending(kept.collect::<Vec<_>>());
            image.vertex_columns.insert(EXTERNAL_ID_KEY, Section::of(column));
        });
    };
    take_out(&disk, 5);
    assert_finds(&disk, &["have an entry, and not the values"]);
    let (_, left) = repaired(&disk);
    assert_eq!(left, (26, 21, 25));
    let disk = people();
    take_out(&disk, INTERNAL_OF_OTHER as u32);
    assert_finds(&disk, &["are shown under an id that another one has"]);
    repaired(&disk);
    assert_eq!(check(&disk).findings, []);
    assert_eq!(by_external_id(&disk).len(), 26);
}
