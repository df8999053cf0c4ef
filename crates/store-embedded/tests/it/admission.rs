//! Writers that are faster than checkpoints: slowed by degrees, stalled at the bounds, never
//! refused.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, EdgeTypeId, ErrorKind, KeyId, LabelId, Owner, Value, VertexId,
};
use millrace_store::{
    Backend, Changes, EdgeBlock, Elements, Isolation, Labels, NameKind, SeekMatches, Snapshot,
    Store, Ticket, Transaction, VertexBlock, WriteBatch,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};
use millrace_testkit::Rng;

const VERTICES: u64 = 150_000;
const WRITERS: u64 = 3;
const COMMITS: usize = 1_000;
const EDGES: usize = 100;
const LOG_BYTES_MAX: u64 = 8 << 20;
const DELTA_BYTES_MAX: u64 = 12 << 20;

fn options() -> Options {
    let mut options = Options {
        conflict_bits: 16,
        id_block_size: VERTICES,
        checkpoint_log_bytes: 2 << 20,
        log_bytes_max: LOG_BYTES_MAX,
        checkpoint_delta_bytes: 6 << 20,
        delta_bytes_max: DELTA_BYTES_MAX,
        ..Options::default()
    };
    options.log.first_file_bytes = 256 << 10;
    options.log.file_bytes = 512 << 10;
    options
}

fn metric(backend: &dyn Backend, name: &str) -> u64 {
    let metrics = backend.metrics();
    metrics.iter().find(|(own, ..)| *own == name).expect("there is one of this name").2 as u64
}

fn commit(store: &dyn Store, changes: Changes) -> Ticket {
    let snapshot = store.snapshot().expect("nothing fails here").position();
    store.commit(WriteBatch { snapshot, changes, ..WriteBatch::default() }).expect("never refused")
}

fn create(store: &dyn Store) -> Vec<VertexId> {
    let ids: Vec<VertexId> = store
        .lease_vertices(VERTICES)
        .expect("nothing fails here")
        .into_iter()
        .flatten()
        .map(VertexId)
        .collect();
    let block = VertexBlock { labels: Labels::from([]), ids: ids.clone(), properties: Vec::new() };
    let changes = Changes { vertices: vec![block], ..Changes::default() };
    commit(store, changes).wait().expect("nothing fails here");
    ids
}

fn write(store: &dyn Store, likes: EdgeTypeId, ids: &[VertexId], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tickets: VecDeque<Ticket> = VecDeque::new();
    for _ in 0..COMMITS {
        let mut ends = || (0..EDGES).map(|_| *rng.pick(ids)).collect::<Vec<VertexId>>();
        let (sources, targets) = (ends(), ends());
        let edges = store.lease_edges(likes, &sources).expect("nothing fails here");
        let properties = Vec::new();
        let block = EdgeBlock { edge_type: likes, ids: edges, sources, targets, properties };
        tickets.push_back(commit(store, Changes { edges: vec![block], ..Changes::default() }));
        if 8 < tickets.len() {
            tickets.pop_front().expect("there are some").wait().expect("accepted is done");
        }
    }
    tickets.into_iter().for_each(|ticket| _ = ticket.wait().expect("accepted is done"));
}

/// The largest log and the largest delta seen until told to stop.
fn watch(backend: &dyn Backend, stop: &AtomicBool) -> (u64, u64) {
    let mut most = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        most.0 = most.0.max(metric(backend, "millrace_log_bytes"));
        most.1 = most.1.max(metric(backend, "millrace_delta_bytes"));
        std::thread::sleep(Duration::from_millis(1));
    }
    most
}

#[test]
fn writers_faster_than_checkpoints_are_slowed_and_never_refused_and_the_bounds_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let backend = EmbeddedBackend::open(folder.path(), options()).unwrap();
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let ids = create(&*store);
    backend.checkpoint().unwrap();
    let stop = AtomicBool::new(false);
    let (log, delta) = std::thread::scope(|threads| {
        let watcher = threads.spawn(|| watch(&*backend, &stop));
        let writers: Vec<_> = (0..WRITERS)
            .map(|seed| {
                let (store, ids) = (&*store, ids.as_slice());
                threads.spawn(move || write(store, likes, ids, seed))
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        stop.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    });
    let waits = metric(&*backend, "millrace_writers_slowed_total")
        + metric(&*backend, "millrace_writers_stalled_total");
    println!("log {log}, delta {delta}, {waits} waits");
    assert!(0 < waits, "nobody was faster than checkpoints");
    // Beyond the bounds: the pending writes of each writer, the log's next file, a batch of
    // records.
    assert!(log <= LOG_BYTES_MAX + (2 << 20), "{log} bytes of log");
    assert!(delta <= DELTA_BYTES_MAX + (2 << 20), "{delta} bytes of changes");
    assert_eq!(metric(&*backend, "millrace_checkpoint_failures_total"), 0);
    let edges = store.snapshot().unwrap().count_edges(None).unwrap();
    assert_eq!(edges, WRITERS * (COMMITS * EDGES) as u64);
}

const PEOPLE: usize = 10_000;

fn open_stepped(disk: &SimDisk, delta_bytes_max: u64) -> Arc<EmbeddedBackend> {
    let options = Options {
        conflict_bits: 16,
        checkpoint_delta_bytes: delta_bytes_max / 4 * 3,
        delta_bytes_max,
        merge_percent: 0,
        ..Options::default()
    };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options).unwrap()
}

/// The label and the key, and an index of each of these kinds on them.
fn define(store: &Arc<dyn Store>, kinds: &[IndexKind]) -> (LabelId, KeyId) {
    let numbers = store.intern(&[(NameKind::Label, "Person"), (NameKind::Key, "name")]).unwrap();
    let (person, name) = (LabelId(numbers[0]), KeyId(numbers[1]));
    for kind in kinds {
        let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
        let (owner, keys) = (Owner::Label(person), vec![name]);
        let index = IndexDefinition::new(owner, keys, *kind);
        transaction.change_schema(&[CatalogChange::CreateIndex(index)]).unwrap();
        transaction.commit().unwrap().wait().unwrap();
    }
    (person, name)
}

fn names(count: usize, round: usize) -> Column {
    Column::from_values((0..count).map(|at| Value::from(format!("person {at} {round}").as_str())))
}

fn create_people(store: &Arc<dyn Store>, count: usize, round: usize) -> Vec<VertexId> {
    let (person, name) = define(store, &[]);
    let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot).unwrap();
    let names = names(count, round);
    let labels = Labels::from([person]);
    let people = transaction.create_vertices(&labels, count, &[(name, &names)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    people
}

/// The bytes counted after a restart, where everything is measured.
fn bytes_with(kinds: &[IndexKind]) -> u64 {
    let disk = SimDisk::new(1);
    let backend = open_stepped(&disk, 16 << 20);
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    define(&store, kinds);
    create_people(&store, PEOPLE, 0);
    drop((store, backend));
    disk.process_kill();
    metric(&*open_stepped(&disk, 16 << 20), "millrace_delta_bytes")
}

#[test]
fn what_indexes_hold_in_memory_is_counted() {
    let plain = bytes_with(&[]);
    for kind in [IndexKind::Exact, IndexKind::Unique, IndexKind::Range] {
        let indexed = bytes_with(&[kind]);
        assert!(plain + 50 * PEOPLE as u64 <= indexed, "{kind:?}: {plain}, {indexed}");
    }
}

/// People, a reader of them, and then other names for all of them: the reader pins a root of their
/// partition and entries of their indexes.
struct World {
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    name: KeyId,
    people: Vec<VertexId>,
    reader: Arc<dyn Snapshot>,
}

impl World {
    fn new(delta_bytes_max: u64) -> World {
        let backend = open_stepped(&SimDisk::new(1), delta_bytes_max);
        let store: Arc<dyn Store> = backend.create_graph("read").unwrap();
        let (_, name) = define(&store, &[IndexKind::Unique, IndexKind::Range]);
        let people = create_people(&store, PEOPLE, 0);
        backend.step(Step::Checkpoint).unwrap();
        backend.step(Step::Forget).unwrap();
        let reader = store.snapshot().unwrap();
        let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
        transaction.set_vertex_properties(name, &people, &names(PEOPLE, 1)).unwrap();
        transaction.commit().unwrap().wait().unwrap();
        World { backend, store, name, people, reader }
    }

    fn delta_bytes(&self) -> u64 {
        metric(&*self.backend, "millrace_delta_bytes")
    }

    /// Others write elsewhere, where no checkpoint replaces anything that the reader pins, until
    /// one is stalled.
    fn write_elsewhere(&self) {
        let other: Arc<dyn Store> = self.backend.create_graph("written").unwrap();
        let stalled = || metric(&*self.backend, "millrace_writers_stalled_total");
        let before = stalled();
        for round in 0..100 {
            create_people(&other, 1_000, round);
            if before < stalled() {
                return;
            }
        }
        panic!("the bound is never reached");
    }

    /// The name of one of them, as a reader has it.
    fn name_in(&self, snapshot: &dyn Snapshot) -> millrace_model::Result<Option<Value>> {
        let vertices = Elements::Vertices(&self.people[7..=7]);
        Ok(snapshot.gather(vertices, &[self.name])?.remove(0).get(0))
    }

    /// How many an index finds of the reader's name of that one.
    fn sought(&self, kind: IndexKind) -> millrace_model::Result<usize> {
        let catalog = self.reader.catalog();
        let index = catalog.indexes.iter().find(|index| index.kind == kind).unwrap();
        let mut found = SeekMatches::default();
        let key = Column::from_values([Value::from("person 7 0")]);
        self.reader.seek(index.id, &[&key], &mut found).map(|()| found.rows.len())
    }
}

#[test]
fn versions_of_a_pinned_snapshot_are_counted_and_kept_while_there_is_room() {
    let world = World::new(16 << 20);
    world.backend.step(Step::Checkpoint).unwrap();
    let kept = world.delta_bytes();
    assert!(250 * PEOPLE as u64 <= kept, "only {kept} bytes of what the reader pins are counted");
    world.write_elsewhere();
    assert_eq!(world.name_in(&*world.reader).unwrap(), Some(Value::from("person 7 0")));
    for kind in [IndexKind::Unique, IndexKind::Range] {
        assert_eq!(world.sought(kind).unwrap(), 1);
    }
    drop(world.reader);
    world.backend.step(Step::Forget).unwrap();
    world.backend.step(Step::Checkpoint).unwrap();
    assert!(metric(&*world.backend, "millrace_delta_bytes") < kept / 2, "it goes with the reader");
}

/// The reader alone pins more than the bound: no checkpoint would ever let the writer on.
#[test]
fn a_snapshot_is_unpinned_at_the_bound_and_the_writer_goes_on() {
    let world = World::new(2 << 20);
    world.write_elsewhere();
    assert!(world.delta_bytes() < 2 << 20, "{} bytes are left", world.delta_bytes());
    assert_eq!(world.name_in(&*world.reader).unwrap_err().kind, ErrorKind::Conflict);
    for kind in [IndexKind::Unique, IndexKind::Range] {
        let refused = world.sought(kind).unwrap_err();
        assert!(refused.detail.contains("is too old"), "{refused}");
    }
    let now = world.store.snapshot().unwrap();
    assert_eq!(world.name_in(&*now).unwrap(), Some(Value::from("person 7 1")));
}

/// Attack: commits of fifty bytes, one at a time, each of which uses a block of four thousand.
#[test]
fn a_checkpoint_begins_by_what_the_log_uses_not_by_what_commits_say() {
    let folder = tempfile::tempdir().unwrap();
    let roomy = Options { log_bytes_max: 256 << 20, ..options() };
    let backend = EmbeddedBackend::open(folder.path(), roomy).unwrap();
    let store: Arc<dyn Store> = backend.create_graph("graph").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let ids = create(&*store);
    backend.checkpoint().unwrap();
    let before = metric(&*backend, "millrace_checkpoints_total");
    let written = metric(&*backend, "millrace_log_written_bytes_total");
    let began = (0..10_000).any(|at| {
        let ends = (vec![ids[at]], vec![ids[at + 1]]);
        let edges = store.lease_edges(likes, &ends.0).unwrap();
        let (sources, targets) = ends;
        let block =
            EdgeBlock { edge_type: likes, ids: edges, sources, targets, properties: Vec::new() };
        let changes = Changes { edges: vec![block], ..Changes::default() };
        commit(&*store, changes).wait().unwrap();
        before < metric(&*backend, "millrace_checkpoints_total")
    });
    assert!(began, "40 MiB of the log are used, and 2 begin a checkpoint");
    let said = metric(&*backend, "millrace_log_written_bytes_total") - written;
    assert!(said < 1 << 20, "commits said {said} bytes, which would have begun none");
}
