//! The graph of a vector index is in a file: it is there at once after a restart, and made anew where the file is gone,
//! damaged or older than what it is of.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use millrace_model::random::SplitMix64;
use millrace_model::schema::{IndexDefinition, KeyMethod};
use millrace_model::{CatalogChange, Column, KeyId, LabelId, MemoryBudget, Owner, Value, VertexId};
use millrace_store::nearest::{NearestMatches, NearestQuery};
use millrace_store::{Backend, Isolation, NameKind, Store, Transaction};
use millrace_store_embedded::folder::{Event, Watcher};
use millrace_store_embedded::io::Machine;
use millrace_store_embedded::maintenance::backup::FolderWriter;
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_terms::vectors::{Similarity, VectorQuery, VectorSpace};

/// Few long vectors make the 16 MB from which on there is a graph.
const DIMENSIONS: usize = 4_096;
const VECTORS: usize = 1_100;
const WANTED: usize = 5;
const METHOD: &str = "vector(4096, euclidean, 8, 40)";

#[derive(Default)]
struct Events(Mutex<Vec<Event>>);

impl Watcher for Events {
    fn note(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

impl Events {
    /// What is said of tasks that failed.
    fn failures(&self) -> Vec<String> {
        let of = |event: &Event| match event {
            Event::BackgroundFailed { task, error } => Some(format!("{task}: {error}")),
            _ => None,
        };
        self.0.lock().unwrap().iter().filter_map(of).collect()
    }
}

fn vectors(seed: u64, count: usize) -> Vec<Value> {
    let mut random = SplitMix64::new(seed);
    let mut vector = |_| {
        // Around one of ten points.
        let point = random.index(10) as f32;
        let numbers: Vec<f32> = (0..DIMENSIONS)
            .map(|at| ((point + 1.0) * at as f32).sin() + random.unit() as f32)
            .collect();
        Value::vector(&numbers)
    };
    (0..count).map(&mut vector).collect()
}

fn queries() -> Vec<VectorQuery> {
    let space = VectorSpace::new(Some(DIMENSIONS as u64), Similarity::Euclidean).unwrap();
    vectors(99, 6).iter().map(|value| space.query(&value.as_vector().unwrap()).unwrap()).collect()
}

struct World {
    backend: Arc<EmbeddedBackend>,
    store: Arc<dyn Store>,
    events: Arc<Events>,
}

impl World {
    fn open(path: &Path) -> World {
        World::open_with(path, Options::default())
    }

    fn open_with(path: &Path, options: Options) -> World {
        let events = Arc::new(Events::default());
        let watcher = Arc::clone(&events) as Arc<dyn Watcher>;
        let backend = EmbeddedBackend::open_watched(path, options, watcher).unwrap();
        let store = match backend.graph("texts") {
            Ok(store) => store,
            Err(_) => backend.create_graph("texts").unwrap(),
        };
        World { backend, store, events }
    }

    /// A folder with vectors, an index and its graph.
    fn make(path: &Path) -> World {
        World::make_with(path, Options::default())
    }

    fn make_with(path: &Path, options: Options) -> World {
        let world = World::open_with(path, options);
        world.add(vectors(1, VECTORS));
        let (label, key) = world.names();
        let method = KeyMethod(METHOD.into());
        let index = IndexDefinition::made(Owner::Label(label), vec![key], method);
        let transaction =
            Transaction::begin(Arc::clone(&world.store), Isolation::Snapshot).unwrap();
        transaction.change_schema(&[CatalogChange::CreateIndex(index)]).unwrap();
        transaction.commit().unwrap().wait().unwrap();
        world.backend.checkpoint().unwrap();
        world
    }

    fn names(&self) -> (LabelId, KeyId) {
        let names = [(NameKind::Label, "Text"), (NameKind::Key, "e")];
        let numbers = self.store.intern(&names).unwrap();
        (LabelId(numbers[0]), KeyId(numbers[1]))
    }

    fn add(&self, vectors: Vec<Value>) -> Vec<VertexId> {
        let (label, key) = self.names();
        let transaction = Transaction::begin(Arc::clone(&self.store), Isolation::Snapshot).unwrap();
        let (count, column) = (vectors.len(), Column::from_values(vectors));
        let made = transaction.create_vertices(&[label].into(), count, &[(key, &column)]).unwrap();
        transaction.commit().unwrap().wait().unwrap();
        made
    }

    fn find(&self, is_exact: bool) -> Vec<u64> {
        let (snapshot, queries) = (self.store.snapshot().unwrap(), queries());
        let index = snapshot.catalog().indexes.iter().next().unwrap().id;
        let query = NearestQuery {
            vectors: &queries,
            limit: WANTED,
            within: None,
            without: None,
            breadth: 0,
            is_exact,
        };
        let mut matches = NearestMatches::default();
        snapshot.nearest(index, &query, &mut matches).unwrap();
        assert_eq!(matches.ids.len(), queries.len() * WANTED);
        matches.ids
    }

    /// How many of the nearest the graph finds.
    fn hits(&self) -> usize {
        let (near, exact) = (self.find(false), self.find(true));
        exact.iter().filter(|id| near.contains(id)).count()
    }

    fn metric(&self, name: &str) -> u64 {
        let metrics = self.backend.metrics();
        metrics.iter().find(|(own, ..)| *own == name).unwrap().2 as u64
    }

    /// Graphs in memory, and vectors that were linked for them.
    fn graphs(&self) -> (u64, u64) {
        (self.metric("millrace_vector_graphs"), self.metric("millrace_vector_graph_linked"))
    }

    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < Duration::from_secs(120), "{what}: {:?}", self.graphs());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Searches until the graph is there.
    fn await_graph(&self) {
        self.find(false);
        self.until("a graph is made", || self.graphs().0 == 1);
    }
}

fn graph_files(path: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "mnear")).collect()
}

#[test]
fn a_graph_outlives_a_restart_a_backup_and_damage_to_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let world = World::make(&path);
    world.await_graph();
    assert_eq!(world.graphs(), (1, VECTORS as u64));
    // The thread of checkpoints stores it, so that a kill does not lose it.
    world.until("it is stored", || graph_files(&path).len() == 1);
    let (near, hits) = (world.find(false), world.hits());
    assert!(27 <= hits, "{hits} of 30");
    let copy = folder.path().join("copy");
    let mut writer = FolderWriter::create(&Machine::real(), &copy).unwrap();
    world.backend.backup(&mut writer, &mut |_, _| ControlFlow::Continue(())).unwrap();
    drop(writer);
    drop(world);

    for path in [&path, &copy] {
        let world = World::open(path);
        assert_eq!(world.find(false), near);
        assert_eq!(world.graphs(), (1, 0), "it is read at once and nothing is linked");
        assert_eq!(world.events.failures(), [""; 0]);
    }
    let budget = MemoryBudget::unbounded();
    let reading = EmbeddedBackend::open_to_read(&copy, Options::default(), &budget, None).unwrap();
    let store = reading.graph("texts").unwrap();
    let world = World { backend: reading, store, events: Arc::default() };
    assert_eq!((world.find(false), world.graphs()), (near, (1, 0)));
    drop(world);

    let [file] = <[PathBuf; 1]>::try_from(graph_files(&path)).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let world = World::open(&path);
    assert_eq!(world.find(false), world.find(true), "all are compared");
    let failures = world.events.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0].starts_with("reading the graph of a vector index, which is made anew"));
    assert!(failures[0].contains(".mnear") && failures[0].contains("checksum"), "{failures:?}");
    world.await_graph();
    assert_eq!(world.graphs(), (1, VECTORS as u64));
    drop(world);
    let [other] = <[PathBuf; 1]>::try_from(graph_files(&path)).unwrap();
    assert_ne!(other, file, "the damaged one is gone");
    fs::remove_file(other).unwrap();
    let world = World::open(&path);
    world.await_graph();
    assert_eq!(world.graphs(), (1, VECTORS as u64), "without a file it is made");
}

#[test]
fn a_graph_that_a_crash_left_behind_its_bases_follows_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    // Each checkpoint writes bases, and no delta layer.
    let merges = Options { merge_percent: 0, ..Options::default() };
    let world = World::make_with(&path, merges);
    world.await_graph();
    world.until("it is stored", || graph_files(&path).len() == 1);
    let [file] = <[PathBuf; 1]>::try_from(graph_files(&path)).unwrap();
    let before = fs::read(&file).unwrap();
    let new = world.add(vectors(2, 30));
    world.backend.checkpoint().unwrap();
    drop(world);
    // As if the process had ended between the bases and the graph; and a torn one was being written.
    graph_files(&path).iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::write(&file, &before).unwrap();
    fs::write(path.join("near-00000000000fffff.mnear.tmp"), &before[..before.len() / 2]).unwrap();
    let torn = path.join("near-00000000000ffffe.mnear");
    fs::write(&torn, &before[..before.len() / 2]).unwrap();

    let world = World::open(&path);
    let hits = world.hits();
    assert!(27 <= hits, "{hits} of 30");
    let (graphs, linked) = world.graphs();
    assert_eq!(graphs, 1);
    assert!(
        0 < linked && linked <= 60,
        "those that came are linked at once, and no others: {linked}"
    );
    let snapshot = world.store.snapshot().unwrap();
    assert_eq!(snapshot.count_vertices(None).unwrap(), (VECTORS + new.len()) as u64);
    let failures = world.events.failures();
    assert!(failures.len() == 1 && failures[0].contains("ffffe.mnear"), "{failures:?}");
    world.backend.checkpoint().unwrap();
    assert!(!torn.exists() && graph_files(&path).len() == 1, "{:?}", graph_files(&path));
}

#[test]
fn few_new_vectors_leave_the_bases_and_their_graph_until_searches_have_compared_them_often() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let world = World::make(&path);
    world.await_graph();
    world.until("it is stored", || graph_files(&path).len() == 1);
    let stored = graph_files(&path);
    let segments = "millrace_segment_written_bytes_total";
    let before = world.metric(segments);
    world.add(vectors(2, 30));
    world.backend.checkpoint().unwrap();
    let wrote = world.metric(segments) - before;
    // The records have the new vectors, too.
    let vector_bytes = (DIMENSIONS * size_of::<f32>()) as u64;
    assert!(wrote < 3 * 30 * vector_bytes, "{wrote} bytes for 30 vectors");
    drop(world);

    let world = World::open(&path);
    assert!(27 <= world.hits());
    assert_eq!((world.graphs(), graph_files(&path)), ((1, 0), stored));
    // Each search compares thirty of some thousand vectors.
    world.until("the changes are merged and linked", || {
        world.find(false);
        world.graphs().1 != 0
    });
    assert!(27 <= world.hits());
    assert_eq!(world.events.failures(), [""; 0]);
}
