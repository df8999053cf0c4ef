//! The bound on segments in memory: a graph several times as large is read right, within it, by
//! one reader and by many at once, while checkpoints replace the segments that they read.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_model::{Direction, EdgeTypeId, VertexId};
use millrace_store::{
    Backend, Changes, EdgeBlock, Labels, NameKind, Run, Snapshot, Store, VertexBlock, WriteBatch,
};
use millrace_store_embedded::{EmbeddedBackend, Options};
use millrace_testkit::Rng;

const PARTITION: usize = 1 << 16;
const VERTICES: usize = 5 * PARTITION;
const EDGES: usize = 400_000;
const READERS: usize = 3;

/// How many neighbours, and the sum of their ids.
type Answer = (u64, u64);

/// A graph, and the expected answers for its vertices, out and in.
struct Loaded {
    store: Arc<dyn Store>,
    likes: EdgeTypeId,
    vertices: Vec<VertexId>,
    answers: [Vec<Answer>; 2],
}

fn options(segment_bytes_max: u64) -> Options {
    Options {
        conflict_bits: 16,
        id_block_size: VERTICES as u64,
        segment_bytes_max,
        ..Options::default()
    }
}

fn metric(backend: &dyn Backend, name: &str) -> u64 {
    let metrics = backend.metrics();
    metrics.iter().find(|(own, ..)| *own == name).expect("there is one of this name").2 as u64
}

fn loaded_bytes(backend: &dyn Backend) -> u64 {
    metric(backend, "millrace_segment_memory_bytes")
}

fn load(backend: &EmbeddedBackend) -> Loaded {
    let store = backend.create_graph("graph").expect("nothing fails here");
    let likes =
        EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).expect("nothing fails here")[0]);
    let vertices: Vec<VertexId> = store
        .lease_vertices(VERTICES as u64)
        .expect("nothing fails here")
        .into_iter()
        .flatten()
        .map(VertexId)
        .collect();
    let block =
        VertexBlock { labels: Labels::from([]), ids: vertices.clone(), properties: Vec::new() };
    let answers = [vec![(0, 0); VERTICES], vec![(0, 0); VERTICES]];
    let mut loaded = Loaded { store, likes, vertices, answers };
    let edges = loaded.edges(EDGES, 11);
    let mut load = loaded.store.begin_bulk_load().expect("nothing fails here");
    load.push(Changes { vertices: vec![block], ..Changes::default() }).expect("nothing fails here");
    load.push(Changes { edges: vec![edges], ..Changes::default() }).expect("nothing fails here");
    load.finish().expect("nothing fails here");
    loaded
}

impl Loaded {
    /// Random edges without ids, noted in the answers.
    fn edges(&mut self, count: usize, seed: u64) -> EdgeBlock {
        let mut rng = Rng::new(seed);
        let mut ends = || (0..count).map(|_| rng.index(VERTICES)).collect::<Vec<usize>>();
        let (sources, targets) = (ends(), ends());
        for (source, target) in sources.iter().zip(&targets) {
            for (answers, own, other) in [(0, *source, *target), (1, *target, *source)] {
                let answer = &mut self.answers[answers][own];
                *answer = (answer.0 + 1, answer.1 + self.vertices[other].0);
            }
        }
        let ids = |ends: Vec<usize>| ends.into_iter().map(|end| self.vertices[end]).collect();
        let (sources, targets) = (ids(sources), ids(targets));
        EdgeBlock {
            edge_type: self.likes,
            ids: Vec::new(),
            sources,
            targets,
            properties: Vec::new(),
        }
    }

    fn check(&self, snapshot: &dyn Snapshot, direction: Direction, from: usize, count: usize) {
        let to = VERTICES.min(from + count);
        let mut found = vec![(0, 0); to - from];
        let mut sink = |row: usize, run: Run<'_>| {
            for index in 0..run.neighbours.len() {
                let answer: &mut Answer = &mut found[row];
                *answer = (answer.0 + 1, answer.1 + run.neighbours.get(index).0);
            }
            ControlFlow::Continue(())
        };
        snapshot
            .expand(&self.vertices[from..to], None, direction, &mut sink)
            .expect("nothing fails here");
        let answers = &self.answers[usize::from(direction == Direction::In)];
        assert!(found == answers[from..to], "{direction:?} from {from}");
    }
}

#[test]
fn a_graph_four_times_the_bound_is_scanned_both_ways_within_it() {
    let folder = tempfile::tempdir().unwrap();
    let backend = EmbeddedBackend::open(folder.path(), options(u64::MAX)).unwrap();
    let mut loaded = load(&backend);
    backend.checkpoint().unwrap();
    let check_all = |loaded: &Loaded, after_each: &dyn Fn()| {
        let snapshot = loaded.store.snapshot().unwrap();
        for direction in [Direction::Out, Direction::In] {
            for from in (0..VERTICES).step_by(5_000) {
                loaded.check(&*snapshot, direction, from, 5_000);
                after_each();
            }
        }
    };
    check_all(&loaded, &|| {});
    let all = loaded_bytes(&*backend);
    let largest = all / 5;
    drop(backend);
    let bound = all / 4;
    let backend = EmbeddedBackend::open(folder.path(), options(bound)).unwrap();
    loaded.store = backend.graph("graph").unwrap();
    assert!(loaded_bytes(&*backend) <= bound);
    // Of at most two partitions a chunk holds one section at a time.
    let within = || assert!(loaded_bytes(&*backend) <= bound.max(2 * largest));
    for _ in 0..2 {
        check_all(&loaded, &within);
    }
    assert!(metric(&*backend, "millrace_segment_evictions_total") > 10);
    assert!(metric(&*backend, "millrace_segment_read_bytes_total") > all);
}

#[test]
fn readers_eviction_and_checkpoints_at_once_keep_every_answer_and_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let bound = 2 << 20;
    let backend = EmbeddedBackend::open(folder.path(), options(bound)).unwrap();
    let mut loaded = load(&backend);
    backend.checkpoint().unwrap();
    let stop = AtomicBool::new(false);
    let held_max = std::thread::scope(|threads| {
        let readers: Vec<_> = (0..READERS as u64)
            .map(|reader| {
                let (loaded, stop) = (&loaded, &stop);
                threads.spawn(move || read(loaded, reader, stop))
            })
            .collect();
        let mut most = 0;
        for step in 0..12 {
            modify_every_partition(&loaded, step);
            backend.checkpoint().unwrap();
            most = most.max(loaded_bytes(&*backend));
        }
        stop.store(true, Ordering::Relaxed);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        most
    });
    // Each reader holds a chunk of two partitions, and the bytes of the section it loads; the
    // checkpoint holds a partition.
    let partition = 3 << 20;
    assert!(held_max <= bound + (2 * READERS as u64 + 2) * partition, "{held_max}");
    assert!(metric(&*backend, "millrace_segment_evictions_total") > 10);
    drop(backend);
    let backend = EmbeddedBackend::open(folder.path(), options(bound)).unwrap();
    loaded.store = backend.graph("graph").unwrap();
    let snapshot = loaded.store.snapshot().unwrap();
    loaded.check(&*snapshot, Direction::Out, 0, VERTICES);
    loaded.check(&*snapshot, Direction::In, 0, VERTICES);
    assert_eq!(snapshot.count_vertices(None).unwrap(), (VERTICES + 12 * 5) as u64);
}

fn read(loaded: &Loaded, reader: u64, stop: &AtomicBool) {
    let mut rng = Rng::new(reader);
    while !stop.load(Ordering::Relaxed) {
        let snapshot = loaded.store.snapshot().expect("nothing fails here");
        let direction = *rng.pick(&[Direction::Out, Direction::In]);
        loaded.check(&*snapshot, direction, rng.index(VERTICES), 3_000);
    }
}

/// Makes every partition dirty without changing an answer: fresh vertices, and labels set anew.
fn modify_every_partition(loaded: &Loaded, step: usize) {
    let store = &loaded.store;
    let fresh: Vec<VertexId> = store
        .lease_vertices(5)
        .expect("nothing fails here")
        .into_iter()
        .flatten()
        .map(VertexId)
        .collect();
    let block = VertexBlock { labels: Labels::from([]), ids: fresh, properties: Vec::new() };
    let modified = (0..VERTICES).skip(step).step_by(PARTITION);
    let labels = modified.map(|at| (loaded.vertices[at], Labels::from([]))).collect();
    let changes = Changes { vertices: vec![block], labels, ..Changes::default() };
    let snapshot = store.snapshot().expect("nothing fails here").position();
    let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
    store.commit(batch).expect("nothing fails here").wait().expect("nothing fails here");
}
