//! Schema changes beside writers: indexes are made, properties checked, and no writer waits.
//!
//! Step by step from a seed, writes and crashes between the steps; and with threads. The judge is
//! the naive reading of the graph that `conformance::content` makes, which asks every index for
//! every value and range there is.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use millrace_model::schema::{IndexDefinition, IndexKind, PropertyDefinition};
use millrace_model::{
    CatalogChange, Column, ErrorKind, KeyId, LabelId, Owner, PropertyType, Value, VertexId,
};
use millrace_store::conformance::content;
use millrace_store::{
    Backend, Changes, Elements, Isolation, KeyRanges, NameKind, SeekMatches, Snapshot, Store,
    Transaction, WriteBatch,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, SchemaChangeCommit, Step};
use millrace_testkit::{Rng, run_seeds};

const GRAPH: &str = "graph";

/// A graph of persons with ages.
struct World {
    disk: SimDisk,
    options: Options,
    backend: Option<Arc<EmbeddedBackend>>,
    store: Arc<dyn Store>,
    person: LabelId,
    age: KeyId,
    name: KeyId,
}

impl World {
    fn new(seed: u64) -> World {
        let disk = SimDisk::new(seed);
        let mut options =
            Options { conflict_bits: 16, range_shard_bytes: 256, ..Options::default() };
        options.log.first_file_bytes = 16 << 10;
        options.log.file_bytes = 32 << 10;
        let backend = open(&disk, options);
        let store = backend.create_graph(GRAPH).expect("a new graph");
        let names = [(NameKind::Label, "Person"), (NameKind::Key, "age"), (NameKind::Key, "name")];
        let numbers = store.intern(&names).expect("names");
        let (person, age, name) = (LabelId(numbers[0]), KeyId(numbers[1]), KeyId(numbers[2]));
        World { disk, options, backend: Some(backend), store, person, age, name }
    }

    /// The machine loses its power, and starts again.
    fn crash(&mut self) {
        self.disk.crash_after(0);
        self.backend = None;
        self.disk.power_loss();
        let backend = open(&self.disk, self.options);
        self.store = backend.graph(GRAPH).expect("the graph is there");
        self.backend = Some(backend);
    }

    fn backend(&self) -> &EmbeddedBackend {
        self.backend.as_ref().expect("it is open")
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        self.store.snapshot().expect("a snapshot")
    }

    fn begin(&self) -> Transaction {
        Transaction::begin(self.store.clone(), Isolation::Snapshot).expect("it begins")
    }

    fn add(&self, ages: &[i64]) -> Vec<VertexId> {
        self.try_add(ages).expect("they are made")
    }

    fn try_add(&self, ages: &[i64]) -> millrace_model::Result<Vec<VertexId>> {
        let transaction = self.begin();
        let column = Column::from_values(ages.iter().map(|age| Value::I64(*age)));
        let labels = Arc::from([self.person]);
        let made = transaction.create_vertices(&labels, ages.len(), &[(self.age, &column)]);
        let made = made?;
        transaction.commit()?.wait()?;
        Ok(made)
    }

    fn set(&self, vertex: VertexId, age: i64) -> Result<(), ErrorKind> {
        let transaction = self.begin();
        let column = Column::from_values([Value::I64(age)]);
        let set = transaction.set_vertex_properties(self.age, &[vertex], &column);
        set.and_then(|()| transaction.commit()).and_then(|t| t.wait()).map_err(|e| e.kind)?;
        Ok(())
    }

    fn index(&self, kind: IndexKind, keys: Vec<KeyId>) -> CatalogChange {
        let owner = Owner::Label(self.person);
        CatalogChange::CreateIndex(IndexDefinition::new(owner, keys, kind))
    }

    fn property(&self, key: KeyId, kind: PropertyType, required: bool) -> CatalogChange {
        let owner = Owner::Label(self.person);
        CatalogChange::CreateProperty(PropertyDefinition { owner, key, kind, required })
    }

    fn begin_schema_change(&self, change: CatalogChange) -> SchemaChangeCommit {
        self.begin_schema_change_of(vec![change])
    }

    fn begin_schema_change_of(&self, catalog: Vec<CatalogChange>) -> SchemaChangeCommit {
        let snapshot = self.snapshot();
        let changes = Changes { catalog, ..Changes::default() };
        let catalog_version = snapshot.catalog().version;
        let snapshot = snapshot.position();
        let batch = WriteBatch { snapshot, catalog_version, changes, ..WriteBatch::default() };
        self.backend().begin_schema_change(GRAPH, batch).expect("it begins")
    }

    /// Makes the ordered commits visible.
    fn drain(&self) {
        for step in [Step::Log, Step::Apply] {
            self.backend().step(step).expect("a step works");
        }
    }

    fn vertices(&self) -> Vec<VertexId> {
        let (mut cursor, mut vertices) = Default::default();
        self.snapshot().scan_vertices(None, &mut cursor, usize::MAX, &mut vertices).expect("scan");
        vertices
    }

    fn judge(&self) {
        content(&*self.snapshot(), &Default::default()).expect("it can be read");
    }
}

fn open(disk: &SimDisk, options: Options) -> Arc<EmbeddedBackend> {
    EmbeddedBackend::open_stepped(disk.machine(1), Path::new("/data"), options).expect("it opens")
}

/// Something else happens between two steps.
fn meanwhile(world: &World, rng: &mut Rng, values: i64) {
    let vertices = world.vertices();
    match rng.below(6) {
        0 | 1 => {
            let _ = world.try_add(&[rng.below(values as u64) as i64, rng.below(9) as i64 - 4]);
        }
        2 | 3 if !vertices.is_empty() => {
            let vertex = vertices[rng.index(vertices.len())];
            // Refused, if the value is there and may be so once only.
            let _ = world.set(vertex, rng.below(values as u64) as i64);
        }
        4 if !vertices.is_empty() => {
            let transaction = world.begin();
            let vertex = vertices[rng.index(vertices.len())];
            let labels: Arc<[LabelId]> =
                if rng.chance(0.5) { Arc::from([]) } else { Arc::from([world.person]) };
            let change = if rng.chance(0.5) {
                transaction.delete_vertices(&[vertex], false)
            } else {
                transaction.set_labels(&[(vertex, labels)])
            };
            let _ = change.and_then(|()| transaction.commit()).and_then(|ticket| ticket.wait());
        }
        _ => {
            let step = *rng.pick(&[Step::Checkpoint, Step::Forget, Step::Checkpoint]);
            world.backend().step(step).expect("a step works");
        }
    }
}

#[test]
fn an_index_that_is_built_between_writes_and_crashes_finds_what_is_there() {
    let (mut ready, mut crashed, mut clashed) = (0, 0, 0);
    run_seeds(60, |seed, _| {
        let mut rng = Rng::new(seed);
        let mut world = World::new(seed);
        for _ in 0..3 {
            let ages: Vec<i64> = (0..rng.below(90)).map(|_| rng.below(1 << 40) as i64).collect();
            let _ = world.try_add(&ages);
            let kind = *rng.pick(&[IndexKind::Range, IndexKind::Exact, IndexKind::Unique]);
            let keys = if rng.chance(0.7) { vec![world.age] } else { vec![world.age, world.name] };
            let known = world.snapshot().catalog().indexes.len();
            let mut change = world.begin_schema_change(world.index(kind, keys));
            let values = *rng.pick(&[1 << 40, 20]);
            let crash_after = if rng.chance(0.3) { rng.below(8) } else { u64::MAX };
            let mut steps = 0;
            let outcome = loop {
                for _ in 0..rng.below(3) {
                    meanwhile(&world, &mut rng, values);
                }
                if steps == crash_after {
                    world.crash();
                    break None;
                }
                steps += 1;
                match change.step() {
                    Ok(None) => assert_eq!(world.snapshot().catalog().indexes.len(), known),
                    outcome => break Some(outcome),
                }
            };
            drop(change);
            world.drain();
            let catalog = world.snapshot().catalog();
            assert!(catalog.building.is_empty(), "nothing is left half made: {catalog:?}");
            match outcome {
                None => crashed += 1,
                Some(Ok(_)) => ready += 1,
                Some(Err(ref error)) => {
                    assert_eq!((error.kind, kind), (ErrorKind::Constraint, IndexKind::Unique));
                    assert!(error.detail.contains("Person with age = "), "{error}");
                    clashed += 1;
                }
            }
            let is_ready = matches!(outcome, Some(Ok(_)));
            assert_eq!(catalog.indexes.len(), known + usize::from(is_ready), "seed {seed}");
            world.judge();
            for _ in 0..4 {
                meanwhile(&world, &mut rng, values);
            }
            world.judge();
            if rng.chance(0.6) {
                world.crash();
                world.judge();
            }
        }
    });
    assert!(0 < ready && 0 < crashed && 0 < clashed, "{ready} {crashed} {clashed}");
}

#[test]
fn a_writer_that_began_before_a_schema_change_is_sent_back_and_none_after_it() {
    let world = World::new(1);
    let people = world.add(&[1, 2, 3]);
    let early = world.begin();
    let column = Column::from_values([Value::I64(7)]);
    early.set_vertex_properties(world.age, &people[..1], &column).expect("it is set");
    let mut change = world.begin_schema_change(world.index(IndexKind::Exact, vec![world.age]));
    change.step().expect("it begins");
    let refused =
        early.commit().map(drop).expect_err("its catalog is older than the schema change");
    assert_eq!(refused.kind, ErrorKind::Conflict);
    assert_eq!(world.snapshot().catalog().building.len(), 1, "the catalog shows it");
    assert_eq!(world.set(people[0], 8), Ok(()), "again, it goes through while the index is made");
    while change.step().expect("it goes on").is_none() {}
    world.drain();
    let catalog = world.snapshot().catalog();
    assert_eq!((catalog.indexes.len(), catalog.building.len()), (1, 0));
    world.judge();
}

#[test]
fn a_clash_ends_the_build_names_the_values_and_leaves_nothing() {
    let world = World::new(2);
    let people = world.add(&[1, 2, 3]);
    let mut change = world.begin_schema_change(world.index(IndexKind::Unique, vec![world.age]));
    change.step().expect("it begins");
    assert_eq!(world.set(people[0], 3), Ok(()), "a build that may fail refuses nobody");
    let error = loop {
        match change.step() {
            Ok(None) => {}
            Ok(Some(_)) => panic!("3 is there twice"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind, ErrorKind::Constraint);
    assert!(error.detail.contains("Person with age = 3 already exists"), "{error}");
    drop(change);
    let catalog = world.snapshot().catalog();
    assert!(catalog.indexes.is_empty() && catalog.building.is_empty());
    assert_eq!(world.set(people[1], 3), Ok(()));
}

#[test]
fn a_transaction_may_mend_what_it_then_forbids() {
    let world = World::new(3);
    let people = world.add(&[5, 5, 6]);
    let transaction = world.begin();
    let column = Column::from_values([Value::I64(7)]);
    transaction.set_vertex_properties(world.age, &people[..1], &column).expect("it is set");
    let names = Column::from_values(["a", "b", "c"].map(Value::from));
    transaction.set_vertex_properties(world.name, &people, &names).expect("they are set");
    let changes = [
        world.index(IndexKind::Unique, vec![world.age]),
        world.property(world.name, PropertyType::String, true),
    ];
    transaction.change_schema(&changes).expect("it is so in the transaction");
    transaction.commit().expect("it commits").wait().expect("it is visible");
    assert_eq!(world.set(people[2], 5), Err(ErrorKind::Constraint));
    world.judge();
}

#[test]
fn a_property_is_checked_beside_writers_that_keep_to_it_already() {
    let world = World::new(4);
    let people = world.add(&[1, 2]);
    let mut change = world.begin_schema_change(world.property(world.name, PropertyType::Any, true));
    change.step().expect("it begins");
    let transaction = world.begin();
    let column = Column::from_values([Value::I64(3)]);
    let labels = Arc::from([world.person]);
    let nameless = transaction.create_vertices(&labels, 1, &[(world.age, &column)]);
    let refused =
        nameless.and_then(|_| transaction.commit()).map(drop).expect_err("it has no name");
    assert_eq!(refused.kind, ErrorKind::Constraint);
    let error = loop {
        match change.step() {
            Ok(None) => {}
            Ok(Some(_)) => panic!("nobody has a name"),
            Err(error) => break error,
        }
    };
    let element = format!("vertex {}", people[0]);
    assert!(error.detail.contains("Person.name is required") && error.detail.contains(&element));
    drop(change);
    let catalog = world.snapshot().catalog();
    assert!(catalog.properties.is_empty() && catalog.checking.is_empty());
    world.add(&[3]);
}

#[test]
fn what_cannot_be_taken_back_on_a_full_disk_is_taken_back_when_there_is_room() {
    let world = World::new(6);
    let names: Vec<String> = (0..10_000).map(|number| format!("key {number}")).collect();
    let names: Vec<(NameKind, &str)> = names.iter().map(|name| (NameKind::Key, &**name)).collect();
    let keys = world.store.intern(&names).expect("names");
    // So many that their withdrawal does not fit into the room reserved for upkeep.
    let properties = keys.iter().map(|key| world.property(KeyId(*key), PropertyType::Any, false));
    let index = world.index(IndexKind::Unique, vec![world.age]);
    let mut change = world.begin_schema_change_of(properties.chain([index]).collect());
    change.step().expect("it begins");
    world.disk.full_after(0);
    let fill = || {
        let transaction = world.begin();
        transaction.create_vertices(&Arc::from([]), 1_000, &[])?;
        transaction.commit()?.wait()
    };
    let refused = (0..1_000).find_map(|_| fill().err()).expect("the log is full");
    assert_eq!(refused.kind, ErrorKind::ReadOnly);
    drop(change);
    world.backend().step(Step::Forget).expect("a step works");
    assert_eq!(world.snapshot().catalog().checking.len(), 10_000, "there is no room to say so");
    world.disk.free_room();
    world.backend().step(Step::Forget).expect("a step works");
    let catalog = world.snapshot().catalog();
    assert_eq!((catalog.checking.len(), catalog.building.len()), (0, 0));
    world.add(&[1, 1]);
}

#[test]
fn constraints_hold_for_edges_labels_loads_and_out_of_line_commits() {
    let world = World::new(5);
    let people = world.add(&[1, 2]);
    let likes = millrace_model::EdgeTypeId(
        world.store.intern(&[(NameKind::EdgeType, "LIKES")]).expect("a name")[0],
    );
    let owner = Owner::EdgeType(likes);
    let (key, kind) = (world.age, PropertyType::Integer);
    let defined = PropertyDefinition { owner, key, kind, required: true };
    let index = IndexDefinition::new(owner, vec![world.age], IndexKind::Unique);
    let transaction = world.begin();
    let changes = [CatalogChange::CreateProperty(defined), CatalogChange::CreateIndex(index)];
    transaction.change_schema(&changes).expect("there are no edges");
    transaction.commit().expect("it commits").wait().expect("it is visible");
    let edges = |ages: &[Option<Value>]| -> millrace_model::Result<()> {
        let transaction = world.begin();
        let mut column = Column::default();
        ages.iter().for_each(|age| column.push_entry(age.clone()));
        let (sources, targets) = (vec![people[0]; ages.len()], vec![people[1]; ages.len()]);
        transaction.create_edges(likes, &sources, &targets, &[(world.age, &column)])?;
        transaction.commit()?.wait().map(drop)
    };
    let load = |ages: &[Option<Value>]| -> millrace_model::Result<()> {
        let mut column = Column::default();
        ages.iter().for_each(|age| column.push_entry(age.clone()));
        let (sources, targets) = (vec![people[0]; ages.len()], vec![people[1]; ages.len()]);
        let (edge_type, properties) = (likes, vec![(world.age, column)]);
        let ids = Vec::new();
        let block = millrace_store::EdgeBlock { edge_type, ids, sources, targets, properties };
        let mut load = world.store.begin_bulk_load()?;
        load.push(Changes { edges: vec![block], ..Changes::default() })?;
        load.finish().map(drop)
    };
    let int = |int: i64| Some(Value::I64(int));
    edges(&[int(1), int(2)]).expect("they are as defined");
    load(&[int(3), int(4)]).expect("they are as defined");
    let broken = [vec![None], vec![Some(Value::from("x"))], vec![int(9), int(9)], vec![int(3)]];
    for ages in broken {
        for outcome in [edges(&ages), load(&ages)] {
            assert_eq!(outcome.expect_err("it breaks a rule").kind, ErrorKind::Constraint);
        }
    }
    let count = world.snapshot().count_edges(Some(likes)).expect("a count");
    assert_eq!(count, 4);
    world.judge();
}

/// Writers end when it is dropped, by a panic too.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn writers_in_threads_go_on_while_an_index_of_a_large_label_is_built() {
    const PEOPLE: usize = 40_000;
    let folder = tempfile::tempdir().expect("a folder");
    let backend = EmbeddedBackend::open(folder.path(), Options::default()).expect("it opens");
    let store = backend.create_graph(GRAPH).expect("a graph");
    let names = [(NameKind::Label, "Person"), (NameKind::Key, "age")];
    let numbers = store.intern(&names).expect("names");
    let (person, age) = (LabelId(numbers[0]), KeyId(numbers[1]));
    let labels: Arc<[LabelId]> = Arc::from([person]);
    let transaction = Transaction::begin(store.clone(), Isolation::Snapshot).expect("it begins");
    let ages = Column::from_values((0..PEOPLE as i64).map(|at| Value::I64(at * 7 % 1_000)));
    let people = transaction.create_vertices(&labels, PEOPLE, &[(age, &ages)]).expect("people");
    transaction.commit().expect("it commits").wait().expect("it is visible");
    let (done, commits) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let (store, people, done, commits) = (&store, &people, &done, &commits);
            scope.spawn(move || {
                let mut rng = Rng::new(writer);
                while !done.load(Ordering::Relaxed) {
                    let begun = Transaction::begin(store.clone(), Isolation::Snapshot);
                    let transaction = begun.expect("it begins");
                    let person = people[rng.index(people.len())];
                    let value = Column::from_values([Value::I64(rng.below(2_000) as i64)]);
                    let set = transaction.set_vertex_properties(age, &[person], &value);
                    let outcome = set.and_then(|()| transaction.commit()).and_then(|t| t.wait());
                    match outcome {
                        Ok(_) => drop(commits.fetch_add(1, Ordering::Relaxed)),
                        Err(error) => assert_eq!(error.kind, ErrorKind::Conflict, "{error}"),
                    }
                }
            });
        }
        let _ends = Ends(&done);
        let mut total = 0;
        for kind in [IndexKind::Range, IndexKind::Exact] {
            let before = commits.load(Ordering::Relaxed);
            let (owner, keys) = (Owner::Label(person), vec![age]);
            let index = IndexDefinition::new(owner, keys, kind);
            let changes =
                Changes { catalog: vec![CatalogChange::CreateIndex(index)], ..Changes::default() };
            let snapshot = store.snapshot().expect("a snapshot").position();
            let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
            store.commit(batch).expect("it commits").wait().expect("it is ready");
            let during = commits.load(Ordering::Relaxed) - before;
            println!("{during} commits while the {kind:?} index was built");
            total += during;
        }
        // A machine that is busy elsewhere may end one of them before a writer's sync.
        assert!(0 < total, "writers stood still");
    });
    let snapshot = store.snapshot().expect("a snapshot");
    let ranges = KeyRanges {
        rows: 1,
        prefix: &[],
        lower: None,
        upper: None,
        descending: false,
        limit: usize::MAX,
    };
    let indexes = snapshot.catalog().indexes.clone();
    let mut found = SeekMatches::default();
    snapshot.seek_ranges(indexes[0].id, &ranges, &mut found).expect("it finds");
    let column = snapshot.gather(Elements::Vertices(&people), &[age]).expect("values").remove(0);
    let mut expected: Vec<(i64, u64)> = (0..people.len())
        .map(|row| (column.get(row).and_then(|age| age.as_int()).expect("an age"), people[row].0))
        .collect();
    expected.sort_unstable();
    assert!(found.ids.iter().eq(expected.iter().map(|(_, id)| id)), "all are found, in order");
    let mut equal = SeekMatches::default();
    let seven = Column::from_values([Value::I64(7)]);
    snapshot.seek(indexes[1].id, &[&seven], &mut equal).expect("it finds");
    let seven = expected.iter().filter(|(age, _)| *age == 7).map(|(_, id)| *id);
    assert!(equal.ids.iter().copied().eq(seven));
}
