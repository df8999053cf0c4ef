//! A checkpoint of few changes beside a large base writes them and not the base, and a reopened
//! folder has the same content.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    CatalogChange, Column, Direction, EdgeTypeId, KeyId, LabelId, Owner, Value, VertexId,
};
use millrace_store::{
    Backend, Changes, EdgeBlock, EdgeEnds, Isolation, KeyRanges, Labels, NameKind, Run,
    SeekMatches, Store, Transaction, VertexBlock, WriteBatch,
};
use millrace_store_embedded::io::sim::SimDisk;
use millrace_store_embedded::{EmbeddedBackend, Options, Step};
use millrace_testkit::Rng;

const VERTICES: usize = 3 << 16;
const EDGES: usize = 200_000;

fn open(disk: &SimDisk) -> Arc<EmbeddedBackend> {
    let options =
        Options { conflict_bits: 12, id_block_size: VERTICES as u64, ..Options::default() };
    EmbeddedBackend::open_stepped(disk.machine(3), Path::new("/data"), options)
        .expect("nothing fails here")
}

fn metric(backend: &dyn Backend, name: &str) -> u64 {
    let metrics = backend.metrics();
    metrics.iter().find(|(own, ..)| *own == name).expect("there is one of this name").2 as u64
}

fn commit(store: &dyn Store, changes: Changes) {
    let snapshot = store.snapshot().expect("nothing fails here").position();
    let batch = WriteBatch { snapshot, changes, ..WriteBatch::default() };
    store.commit(batch).expect("nothing fails here").wait().expect("nothing fails here");
}

fn load(store: &dyn Store, likes: EdgeTypeId) -> Vec<VertexId> {
    let ids: Vec<VertexId> = store
        .lease_vertices(VERTICES as u64)
        .expect("nothing fails here")
        .into_iter()
        .flatten()
        .map(VertexId)
        .collect();
    let mut rng = Rng::new(1);
    let mut ends = || (0..EDGES).map(|_| *rng.pick(&ids)).collect::<Vec<VertexId>>();
    let (sources, targets) = (ends(), ends());
    let edges =
        EdgeBlock { edge_type: likes, ids: Vec::new(), sources, targets, properties: Vec::new() };
    let block = VertexBlock { labels: Labels::from([]), ids: ids.clone(), properties: Vec::new() };
    let mut load = store.begin_bulk_load().expect("nothing fails here");
    load.push(Changes { vertices: vec![block], ..Changes::default() }).expect("nothing fails here");
    load.push(Changes { edges: vec![edges], ..Changes::default() }).expect("nothing fails here");
    load.finish().expect("nothing fails here");
    ids
}

/// Every edge, by the lists of a direction: sorted (edge, source, target).
fn edges(store: &dyn Store, ids: &[VertexId], direction: Direction) -> Vec<(u64, u64, u64)> {
    let mut found = Vec::new();
    let mut sink = |row: usize, run: Run<'_>| {
        for index in 0..run.len() {
            let (own, other) = (ids[row].0, run.neighbours.get(index).0);
            let (source, target) =
                if direction == Direction::Out { (own, other) } else { (other, own) };
            found.push((run.edge(index).0, source, target));
        }
        ControlFlow::Continue(())
    };
    store
        .snapshot()
        .expect("nothing fails here")
        .expand(ids, None, direction, &mut sink)
        .expect("nothing fails here");
    found.sort_unstable();
    found
}

/// Deletes and inserts edges; deletes of in lists make copies of them, from their base.
fn change(store: &dyn Store, likes: EdgeTypeId, ids: &[VertexId], seed: u64) {
    let mut rng = Rng::new(seed);
    let all = edges(store, ids, Direction::Out);
    let deleted = (0..300).map(|_| *rng.pick(&all)).collect::<std::collections::BTreeSet<_>>();
    let ends = |(edge, source, target): (u64, u64, u64)| EdgeEnds {
        edge: millrace_model::EdgeId(edge),
        edge_type: likes,
        source: VertexId(source),
        target: VertexId(target),
    };
    let deleted_edges = deleted.into_iter().map(ends).collect();
    commit(store, Changes { deleted_edges, ..Changes::default() });
    for _ in 0..20 {
        let mut ends = || (0..50).map(|_| *rng.pick(ids)).collect::<Vec<VertexId>>();
        let (sources, targets) = (ends(), ends());
        let edges = store.lease_edges(likes, &sources).expect("nothing fails here");
        let properties = Vec::new();
        let block = EdgeBlock { edge_type: likes, ids: edges, sources, targets, properties };
        commit(store, Changes { edges: vec![block], ..Changes::default() });
    }
}

#[test]
fn changes_beside_a_base_are_written_alone_and_come_back_in_both_directions_until_merged() {
    let disk = SimDisk::new(1);
    let mut backend = open(&disk);
    let mut store = backend.create_graph("graph").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let ids = load(&*store, likes);
    backend.step(Step::Checkpoint).unwrap();
    let base_bytes = metric(&*backend, "millrace_segment_written_bytes_total") / 2;
    let mut images = 0;
    for round in 0..4 {
        change(&*store, likes, &ids, round);
        let before = metric(&*backend, "millrace_segment_written_bytes_total");
        let images_before = metric(&*backend, "millrace_delta_layers_total");
        backend.step(Step::Checkpoint).unwrap();
        let wrote = metric(&*backend, "millrace_segment_written_bytes_total") - before;
        let wrote_images = metric(&*backend, "millrace_delta_layers_total") - images_before;
        assert_eq!(wrote_images, 3, "one for each partition");
        assert!(wrote * 4 < base_bytes, "{wrote} bytes beside a base of {base_bytes}");
        images += wrote_images;
        let expected = edges(&*store, &ids, Direction::Out);
        assert_eq!(edges(&*store, &ids, Direction::In), expected);
        // Some rounds reopen the folder, some go on in memory.
        if round % 2 == 0 {
            drop((store, backend));
            disk.power_loss();
            backend = open(&disk);
            store = backend.graph("graph").unwrap();
            assert_eq!(edges(&*store, &ids, Direction::Out), expected, "round {round}");
            assert_eq!(edges(&*store, &ids, Direction::In), expected, "round {round}");
            let snapshot = store.snapshot().unwrap();
            assert_eq!(snapshot.count_edges(None).unwrap(), expected.len() as u64);
        }
    }
    assert_eq!(images, 12);
}

#[test]
fn a_partition_is_merged_when_its_delta_layers_cost_what_that_costs_and_each_at_its_time() {
    let disk = SimDisk::new(1);
    let backend = open(&disk);
    let store = backend.create_graph("graph").unwrap();
    let likes = EdgeTypeId(store.intern(&[(NameKind::EdgeType, "LIKES")]).unwrap()[0]);
    let ids = load(&*store, likes);
    backend.step(Step::Checkpoint).unwrap();
    let written = || metric(&*backend, "millrace_segment_written_bytes_total");
    let base_bytes = written() / 2;
    let (mut image_bytes, mut merges_of_rounds) = (0, Vec::new());
    while merges_of_rounds.iter().sum::<u64>() < 3 {
        change(&*store, likes, &ids, merges_of_rounds.len() as u64);
        let (bytes_before, images_before) =
            (written(), metric(&*backend, "millrace_delta_layers_total"));
        backend.step(Step::Checkpoint).unwrap();
        let images = metric(&*backend, "millrace_delta_layers_total") - images_before;
        merges_of_rounds.push(3 - images);
        if images == 3 {
            image_bytes += written() - bytes_before;
        }
    }
    let expected = edges(&*store, &ids, Direction::Out);
    assert_eq!(edges(&*store, &ids, Direction::In), expected);
    // Before the first merge: three quarters of its partition's part, and as much of the others'.
    assert!(image_bytes * 2 < base_bytes * 3, "{image_bytes} bytes above {base_bytes}");
    assert!(base_bytes < image_bytes * 2, "{image_bytes} bytes above {base_bytes}");
    assert!(merges_of_rounds.iter().all(|merges| *merges <= 1), "{merges_of_rounds:?}");
}

const SCORED: usize = 20_000;

/// Vertices with a number each, at random in the order of the index.
fn add_scored(store: &dyn Store, rng: &mut Rng, (key, count): (KeyId, usize)) {
    let leased = store.lease_vertices(count as u64).expect("nothing fails here");
    let ids: Vec<VertexId> = leased.into_iter().flatten().map(VertexId).collect();
    let scores = Column::from_values((0..count).map(|_| Value::I64(rng.next_u64() as i64)));
    let labels = Labels::from([LabelId(0)]);
    let block = VertexBlock { labels, ids, properties: vec![(key, scores)] };
    commit(store, Changes { vertices: vec![block], ..Changes::default() });
}

/// All ids in the order of their scores.
fn by_score(store: &dyn Store) -> Vec<u64> {
    let snapshot = store.snapshot().expect("nothing fails here");
    let catalog = snapshot.catalog();
    let index = catalog.indexes.first().expect("there is an index");
    let (prefix, lower, upper) = (&[][..], None, None);
    let ranges = KeyRanges { rows: 1, prefix, lower, upper, descending: false, limit: usize::MAX };
    let mut matches = SeekMatches::default();
    snapshot.seek_ranges(index.id, &ranges, &mut matches).expect("nothing fails here");
    matches.ids
}

#[test]
fn few_changes_of_an_ordered_index_are_written_alone_and_come_back_until_merged() {
    let disk = SimDisk::new(1);
    let mut backend = open(&disk);
    let mut store = backend.create_graph("graph").unwrap();
    let names = [(NameKind::Label, "Film"), (NameKind::Key, "score")];
    let key = KeyId(store.intern(&names).unwrap()[1]);
    let owner = Owner::Label(LabelId(0));
    let index = IndexDefinition::new(owner, vec![key], IndexKind::Range);
    let transaction = Transaction::begin(Arc::clone(&store), Isolation::Snapshot).unwrap();
    transaction.change_schema(&[CatalogChange::CreateIndex(index)]).unwrap();
    transaction.commit().unwrap().wait().unwrap();
    let mut rng = Rng::new(7);
    add_scored(&*store, &mut rng, (key, SCORED));
    backend.step(Step::Checkpoint).unwrap();
    let written = |backend: &EmbeddedBackend| {
        ["millrace_segment_written_bytes_total", "millrace_delta_layers_total"]
            .map(|name| metric(backend, name))
    };
    let base_bytes = written(&backend)[0];
    let (mut layers, mut merged) = (0, false);
    for round in 0..60 {
        add_scored(&*store, &mut rng, (key, SCORED / 50));
        let [bytes, before] = written(&backend);
        backend.step(Step::Checkpoint).unwrap();
        let [wrote, now] = [written(&backend)[0] - bytes, written(&backend)[1] - before];
        if round == 0 {
            assert!(wrote * 8 < base_bytes, "{wrote} bytes beside a base of {base_bytes}");
            assert_eq!(now, 2, "the partition's, and that of the index");
        }
        layers += now;
        merged |= now < 2;
        let expected = by_score(&*store);
        assert_eq!(expected.len(), SCORED + (round + 1) * (SCORED / 50));
        if round % 7 == 0 {
            drop((store, backend));
            disk.power_loss();
            backend = open(&disk);
            store = backend.graph("graph").unwrap();
            assert_eq!(by_score(&*store), expected, "round {round}");
        }
    }
    assert!(merged && 4 < layers, "{layers} layers");
}
