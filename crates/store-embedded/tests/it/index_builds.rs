//! Builds of indexes: how far they are, how they end early; and what an index takes.

use std::path::Path;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, KeyMethod};
use millrace_model::{
    CatalogChange, Column, Error, ErrorKind, IndexId, KeyId, LabelId, Owner, Value,
};
use millrace_store::key_range::ByteRange;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::{
    Backend, Changes, IndexUsage, Isolation, NameKind, SeekMatches, Snapshot, Store, Transaction,
    WriteBatch,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::maintenance::check::{check_folder, quiet};
use millrace_store_embedded::{EmbeddedBackend, Options, Step};
use millrace_terms::KeyQuestion;

const GRAPH: &str = "graph";
const PEOPLE: usize = 40_000;

struct World {
    _folder: tempfile::TempDir,
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    person: LabelId,
    name: KeyId,
}

fn name(number: usize) -> String {
    format!("Number {number} of the town, called {}", number % 97)
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let backend = EmbeddedBackend::open(folder.path(), Options::default()).expect("it opens");
        let store = backend.create_graph(GRAPH).expect("a graph");
        let names = [(NameKind::Label, "Person"), (NameKind::Key, "name")];
        let numbers = store.intern(&names).expect("names");
        let (person, name) = (LabelId(numbers[0]), KeyId(numbers[1]));
        World { _folder: folder, backend, store, person, name }
    }

    /// Makes people with names, in one commit.
    fn add(&self) -> Vec<u64> {
        let transaction = Transaction::begin(self.store.clone(), Isolation::Snapshot);
        let transaction = transaction.expect("it begins");
        let names = Column::from_values((0..PEOPLE).map(|number| Value::from(&*name(number))));
        let made =
            transaction.create_vertices(&[self.person].into(), PEOPLE, &[(self.name, &names)]);
        let made = made.expect("people");
        transaction.commit().expect("it commits").wait().expect("it is visible");
        made.into_iter().map(|vertex| vertex.0).collect()
    }

    fn batch(&self, change: CatalogChange) -> WriteBatch {
        let snapshot = self.store.snapshot().expect("a snapshot");
        let changes = Changes { catalog: vec![change], ..Changes::default() };
        let catalog_version = snapshot.catalog().version;
        let snapshot = snapshot.position();
        WriteBatch { snapshot, catalog_version, changes, ..WriteBatch::default() }
    }

    fn trigrams(&self) -> IndexDefinition {
        let (owner, method) = (Owner::Label(self.person), KeyMethod("trigrams".into()));
        IndexDefinition::made(owner, vec![self.name], method)
    }

    fn create(&self) -> IndexId {
        let create = self.batch(CatalogChange::CreateIndex(self.trigrams()));
        self.store.commit(create).expect("it commits").wait().expect("it is ready");
        let catalog = self.store.snapshot().expect("a snapshot").catalog();
        catalog.indexes.iter().next().expect("it is there").id
    }

    fn usage(&self, index: IndexId) -> IndexUsage {
        let snapshot = self.store.snapshot().expect("a snapshot");
        snapshot.index_usage(&[index]).expect("its usage").remove(0)
    }

    fn metric(&self, name: &str) -> f64 {
        let metrics = self.backend.metrics();
        metrics.iter().find(|(own, ..)| *own == name).expect("it is there").2
    }

    /// How many entries all people have.
    fn entries(&self) -> u64 {
        let index = self.trigrams();
        let (maker, mut count) = (KeyMaker::of(&index).expect("a known method"), 0);
        for number in 0..PEOPLE {
            let values = vec![Some(Value::from(&*name(number)))];
            maker.each_of_values(values, |_| count += 1).expect("keys");
        }
        count
    }
}

#[test]
fn a_build_says_how_far_it_is_and_ends_when_its_index_is_dropped() {
    let world = World::new();
    let people = world.add();
    let mut create = world.batch(CatalogChange::CreateIndex(world.trigrams()));
    let named = |text: Option<&str>| CatalogChange::SetNote("index".into(), text.map(Arc::from));
    create.changes.catalog.push(named(Some("names")));
    let mut change = world.backend.begin_schema_change(GRAPH, create).expect("it begins");
    for _ in 0..4 {
        assert_eq!(change.step().expect("a step"), None);
    }
    let catalog = world.store.snapshot().expect("a snapshot").catalog();
    let index = catalog.building.iter().next().expect("it is being built").index.id;
    assert_eq!(catalog.notes.get("index").map(|text| &**text), Some("names"));
    let usage = world.usage(index);
    assert!(0.0 < usage.percent() && usage.percent() < 99.0 && usage.entries != 0, "{usage:?}");
    assert_eq!(usage.elements_total, PEOPLE as u64);
    assert_eq!(world.metric("millrace_index_builds"), 1.0);
    let progress = world.metric("millrace_index_build_progress");
    assert_eq!(progress, usage.elements_done as f64 / PEOPLE as f64);
    std::thread::scope(|scope| {
        let mut drop_it = world.batch(CatalogChange::DropIndex(index));
        drop_it.changes.catalog.push(named(None));
        let dropping = scope.spawn(|| world.store.commit(drop_it)?.wait());
        while !world.usage(index).is_stopped {
            std::thread::yield_now();
        }
        let error = change.step().expect_err("it is dropped");
        assert_eq!(error.kind, ErrorKind::NotFound);
        assert!(error.to_string().contains("of 40000 elements"), "{error}");
        drop(change);
        dropping.join().expect("it ends").expect("the index is dropped");
    });
    let catalog = world.store.snapshot().expect("a snapshot").catalog();
    assert!(catalog.indexes.iter().next().is_none() && catalog.building.iter().next().is_none());
    assert_eq!(catalog.notes.get("index"), None);
    assert_eq!(world.metric("millrace_index_entries"), 0.0);
    assert_eq!(world.metric("millrace_index_build_progress"), 1.0);

    let index = world.create();
    let usage = world.usage(index);
    assert_eq!((usage.percent(), usage.entries), (100.0, world.entries()));
    let mut matches = SeekMatches::default();
    let snapshot = world.store.snapshot().expect("a snapshot");
    let question = KeyQuestion::all(["led", "d 9", " 96"].map(|key| KeyQuestion::Key(key.into())));
    snapshot.candidates(index, &[question], usize::MAX, &mut matches).expect("it is answered");
    let found = people.iter().enumerate().filter(|(number, _)| number % 97 == 96);
    assert!(found.map(|(_, id)| *id).all(|id| matches.ids.contains(&id)), "none is missed");
    assert!(matches.ids.len() < PEOPLE / 20, "{} of {PEOPLE}", matches.ids.len());
}

#[test]
fn an_entry_takes_few_bytes_in_memory_and_fewer_in_files() {
    let world = World::new();
    let index = world.create();
    world.add();
    let usage = world.usage(index);
    assert_eq!(usage.entries, world.entries());
    let in_memory = usage.bytes as f64 / usage.entries as f64;
    world.backend.checkpoint().expect("a checkpoint");
    let usage = world.usage(index);
    assert_eq!(usage.entries, world.entries());
    let in_files = usage.bytes as f64 / usage.entries as f64;
    println!("{in_memory:.1} bytes an entry in memory, {in_files:.1} in files");
    assert!(in_memory < 40.0 && in_files < 4.0, "{in_memory} {in_files}");
    let snapshot = world.store.snapshot().expect("a snapshot");
    let ranges = [ByteRange::of_key(b"tow"), ByteRange { start: Vec::new(), end: None }];
    let counts = snapshot.count_entries(index, &ranges).expect("counts");
    assert_eq!(counts, [PEOPLE as u64, world.entries()]);
    drop(snapshot);

    let World { _folder: folder, backend, store, .. } = world;
    drop((backend, store));
    let again = EmbeddedBackend::open(folder.path(), Options::default()).expect("it opens");
    let snapshot = again.graph(GRAPH).expect("the graph").snapshot().expect("a snapshot");
    assert_eq!(snapshot.index_usage(&[index]).expect("its usage")[0], usage);
}

/// Names on a simulated disk, of which the build of an index runs out.
struct Stepped {
    disk: SimDisk,
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    name: KeyId,
    person: LabelId,
}

impl Stepped {
    fn new() -> Stepped {
        let disk = SimDisk::new(1);
        let mut options = Options { conflict_bits: 12, ..Options::default() };
        options.log.first_file_bytes = 16 << 10;
        options.log.file_bytes = 32 << 10;
        let backend = EmbeddedBackend::open_stepped(disk.machine(1), Path::new("/data"), options);
        let backend = backend.expect("it opens");
        let store = backend.create_graph(GRAPH).expect("a graph");
        let names = [(NameKind::Label, "Person"), (NameKind::Key, "name")];
        let numbers = store.intern(&names).expect("names");
        let (person, name) = (LabelId(numbers[0]), KeyId(numbers[1]));
        Stepped { disk, backend, store, name, person }
    }

    fn add(&self, count: usize) -> Result<(), Error> {
        let transaction = Transaction::begin(self.store.clone(), Isolation::Snapshot)?;
        let names = Column::from_values((0..count).map(|number| Value::from(&*name(number))));
        transaction.create_vertices(&[self.person].into(), count, &[(self.name, &names)])?;
        transaction.commit()?.wait().map(drop)
    }

    fn snapshot(&self) -> Arc<dyn Snapshot> {
        self.store.snapshot().expect("reads go on")
    }

    /// Builds an index of trigrams in steps.
    fn build(&self) -> Result<(), Error> {
        let (owner, method) = (Owner::Label(self.person), KeyMethod("trigrams".into()));
        let index = IndexDefinition::made(owner, vec![self.name], method);
        let (snapshot, catalog) = (self.snapshot(), vec![CatalogChange::CreateIndex(index)]);
        let batch = WriteBatch {
            snapshot: snapshot.position(),
            catalog_version: snapshot.catalog().version,
            changes: Changes { catalog, ..Changes::default() },
            ..WriteBatch::default()
        };
        drop(snapshot);
        let mut change = self.backend.begin_schema_change(GRAPH, batch)?;
        while change.step()?.is_none() {}
        Ok(())
    }

    /// The log writes, and what it took is visible.
    fn drain(&self) -> Result<(), Error> {
        for step in [Step::NextFile, Step::Log, Step::Apply] {
            self.backend.step(step)?;
        }
        Ok(())
    }

    /// How many people the index finds.
    fn found(&self) -> usize {
        let snapshot = self.snapshot();
        let catalog = snapshot.catalog();
        let index = catalog.indexes.iter().next().expect("it is ready");
        let mut matches = SeekMatches::default();
        let town = KeyQuestion::Key(b"tow".to_vec());
        snapshot.candidates(index.id, &[town], usize::MAX, &mut matches).expect("it is answered");
        matches.ids.len()
    }
}

#[test]
fn a_build_on_a_full_disk_fails_by_name_and_the_database_goes_on() {
    const COUNT: usize = 300;
    let mut failed = 0;
    for writes in 0..64 {
        let world = Stepped::new();
        world.add(COUNT).expect("there is room");
        world.backend.step(Step::Checkpoint).expect("there is room");
        world.disk.full_after(writes);
        let built = world.build();
        let is_full = world.disk.is_full();
        if let Err(error) = &built {
            failed += 1;
            assert_eq!(error.kind, ErrorKind::ReadOnly, "after {writes} writes: {error}");
            assert!(error.to_string().contains("full"), "after {writes} writes: {error}");
            let count = world.snapshot().count_vertices(Some(world.person)).expect("reads go on");
            assert_eq!(count, COUNT as u64);
        }
        world.disk.free_room();
        world.drain().expect("there is room again");
        world.add(1).expect("there is room again");
        if built.is_err() {
            let catalog = world.snapshot().catalog();
            assert!(catalog.indexes.iter().next().is_none(), "after {writes} writes");
            assert!(catalog.building.iter().next().is_none(), "after {writes} writes");
            world.build().expect("there is room again");
        }
        world.drain().expect("there is room again");
        assert_eq!(world.found(), COUNT + 1, "after {writes} writes");
        let Stepped { disk, backend, store, .. } = world;
        drop((backend, store));
        let report = check_folder(&disk.machine(9), Path::new("/data"), true, &mut quiet);
        assert_eq!(report.expect("it is read").findings, [], "after {writes} writes");
        if !is_full {
            assert!(0 < failed, "each build had room");
            return;
        }
    }
    panic!("a build that writes more often than 64 times");
}
