//! Checkpoints step by step: frees, moves and swaps between their steps, and the guarantees of
//! roots to readers.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{
    Column, Direction, EdgeId, EdgeTypeId, ErrorKind, KeyId, LogPosition, Value, VertexId,
};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Elements, PropertyBlock, Run, VertexBlock};

use crate::live::{Commit, EdgeRoom, Partition, Partitions, PinnedSnapshots, route};
use crate::persistent::image::{Half, Image};

const LIKES: EdgeTypeId = EdgeTypeId(0);
const NAME: KeyId = KeyId(3);

/// One partition and the position of its last commit.
struct Stage {
    partitions: Partitions,
    at: u64,
    edges: Vec<EdgeEnds>,
}

impl Stage {
    /// Vertices, a list of each kind (short, in chunks, deleted from) and changed records.
    fn new() -> Stage {
        let partitions = Partitions::default();
        partitions.get_or_create(0);
        let mut stage = Stage { partitions, at: 0, edges: Vec::new() };
        let ids = (0..2_000).map(VertexId).collect();
        let vertices = vec![VertexBlock { ids, ..VertexBlock::default() }];
        stage.commit(&Changes { vertices, ..Changes::default() });
        stage.insert((0..1_500).map(|index| (1, index)));
        stage.insert((0..900).map(|index| (2 + index % 300, index)));
        stage.delete(1_490..1_500);
        stage.change(7);
        stage
    }

    fn partition(&self) -> &Arc<Partition> {
        self.partitions.get(Some(0)).unwrap()
    }

    fn commit(&mut self, changes: &Changes) {
        self.at += 1;
        let commits = [Commit::new(LogPosition(self.at), changes)];
        for part in route(&commits) {
            self.partition().apply(&commits, &part).unwrap();
        }
    }

    fn insert(&mut self, ends: impl Iterator<Item = (u64, u64)>) {
        let mut block = EdgeBlock { edge_type: LIKES, ..EdgeBlock::default() };
        for (source, target) in ends {
            self.partitions.lease_edges(0, LIKES, 1, |edge| block.ids.push(edge)).unwrap();
            let (source, target) = (VertexId(source), VertexId(target));
            block.sources.push(source);
            block.targets.push(target);
            let edge = *block.ids.last().unwrap();
            self.edges.push(EdgeEnds { edge, edge_type: LIKES, source, target });
        }
        self.commit(&Changes { edges: vec![block], ..Changes::default() });
    }

    fn delete(&mut self, places: std::ops::Range<usize>) {
        let deleted_edges = self.edges.drain(places).collect();
        self.commit(&Changes { deleted_edges, ..Changes::default() });
    }

    /// Sets properties of vertices and edges to the number.
    fn change(&mut self, number: i64) {
        let values = Column::from_values([Value::I64(number), Value::I64(number)]);
        let owners = vec![VertexId(5), VertexId(1_999)];
        let vertex_properties = vec![PropertyBlock { key: NAME, owners, values }];
        let values = Column::from_values([Value::I64(number), Value::I64(number)]);
        let owners: Vec<EdgeId> = [3, 700].map(|place: usize| self.edges[place].edge).to_vec();
        let edge_properties = vec![PropertyBlock { key: NAME, owners, values }];
        self.commit(&Changes { vertex_properties, edge_properties, ..Changes::default() });
    }

    /// Commits that rewrite every kind of thing the image reads, and then forgetting.
    fn disturb(&mut self, pinned: &[u64]) {
        self.delete(0..5);
        self.change(self.at as i64);
        self.insert((0..70).map(|index| (1 + index % 3, 1_000 + index)));
        self.delete(600..640);
        self.change(-1);
        let pinned = pinned.iter().map(|at| LogPosition(*at)).collect();
        self.partition().forget(&Arc::new(PinnedSnapshots::new(pinned, LogPosition(self.at))));
    }
}

/// Everything of an image that can be compared.
fn content(image: &Image) -> Vec<String> {
    let lists = image.lists.iter().map(|(key, section)| {
        let section = section.get().unwrap();
        let lists = section.iter().map(|(local, list)| (local, list.iter().collect::<Vec<_>>()));
        format!("{key:?}: {:?}", lists.collect::<Vec<_>>())
    });
    let edges = image.edges.iter().map(|(key, section)| {
        let slots: Vec<u32> = section.get().unwrap().slots.iter().map(|(slot, _)| slot).collect();
        format!("{key:?}: {:?}", image.ends(*key, &slots).unwrap())
    });
    let columns = image.vertex_columns.iter().map(|(key, section)| {
        format!("{key:?}: {:?}", section.get().unwrap().iter().collect::<Vec<_>>())
    });
    let edge_columns = image.edge_columns.iter().map(|(key, section)| {
        format!("{key:?}: {:?}", section.get().unwrap().iter().collect::<Vec<_>>())
    });
    let counts = [format!("{:?}", image.counts)];
    lists.chain(edges).chain(columns).chain(edge_columns).chain(counts).collect()
}

/// The image at a checkpoint position, disturbed between two of its steps; how many steps there
/// are.
fn disturbed_image(disturbed_at: usize, registered: bool) -> (Vec<String>, usize) {
    let mut stage = Stage::new();
    let checkpoint = stage.at;
    let pinned = if registered { vec![checkpoint] } else { vec![] };
    let mut imaging = stage.partition().begin_image(LogPosition(checkpoint)).unwrap();
    let mut steps = 0;
    loop {
        if steps == disturbed_at {
            stage.disturb(&pinned);
            stage.disturb(&pinned);
        }
        if !imaging.step(stage.partition()).unwrap() {
            return (content(&imaging.finish()), steps);
        }
        steps += 1;
    }
}

#[test]
fn what_a_checkpoint_reads_is_not_freed_between_any_two_of_its_steps() {
    let (expected, steps) = disturbed_image(usize::MAX, true);
    let mut spoiled = 0;
    for at in 0..=steps {
        assert_eq!(disturbed_image(at, true).0, expected, "disturbed before step {at}");
        spoiled += usize::from(disturbed_image(at, false).0 != expected);
    }
    assert!(
        spoiled != 0,
        "a checkpoint that is no reader at its checkpoint position loses what it reads"
    );
}

/// The delta layer at a checkpoint position, disturbed between two of its pieces; how many there
/// are.
fn disturbed_delta(disturbed_at: usize, registered: bool) -> (String, usize) {
    let mut stage = Stage::new();
    let checkpoint = stage.at;
    let pinned = if registered { vec![checkpoint] } else { vec![] };
    let (partition, mut pieces) = (stage.partition().clone(), 0);
    let mut between = || {
        if pieces == disturbed_at {
            stage.disturb(&pinned);
            stage.disturb(&pinned);
        }
        pieces += 1;
    };
    let at = (LogPosition(checkpoint), usize::MAX);
    let delta = partition.delta_in_pieces(at, &mut EdgeRoom::default(), &mut between).unwrap();
    (format!("{:?}", delta.expect("there is no transaction layer").changes), pieces)
}

#[test]
fn what_a_delta_layer_reads_is_not_freed_between_any_two_of_its_pieces() {
    let (expected, pieces) = disturbed_delta(usize::MAX, true);
    let mut spoiled = 0;
    for at in 0..pieces {
        assert_eq!(disturbed_delta(at, true).0, expected, "disturbed before piece {at}");
        spoiled += usize::from(disturbed_delta(at, false).0 != expected);
    }
    assert!(
        spoiled != 0,
        "a delta layer that is no reader at its checkpoint position loses what it holds"
    );
}

#[test]
fn a_move_to_a_new_root_takes_all_that_was_changed_between_any_two_of_its_steps() {
    let pieces = {
        let stage = Stage::new();
        let mut moving = stage.partition().begin_move(LogPosition(3));
        let pieces = std::iter::from_fn(|| stage.partition().move_piece(&mut moving).then_some(()));
        pieces.count()
    };
    for at in 0..=pieces {
        let mut stage = Stage::new();
        let checkpoint = LogPosition(3);
        let partition = stage.partition().clone();
        let image = partition.image_at(checkpoint).unwrap();
        let mut moving = partition.begin_move(checkpoint);
        for piece in 0..=pieces {
            if piece == at {
                stage.disturb(&[2, checkpoint.0]);
            }
            partition.move_piece(&mut moving);
        }
        let before = content(&partition.image_at(LogPosition(stage.at)).unwrap());
        if at % 2 == 0 {
            partition.follow_move(&mut moving);
        }
        partition.swap_base(Arc::new(image), moving);
        assert_eq!(partition.state.read().roots.len(), 2);
        let after = partition.image_at(LogPosition(stage.at)).unwrap();
        assert_eq!(content(&after), before, "changed before piece {at}");
        let root = &partition.state.read().roots[0];
        assert_eq!(root.delta.byte_size(), root.delta.walked_byte_size());
    }
}

#[test]
fn the_third_checkpoint_ends_the_readers_of_the_oldest_root_and_says_so() {
    let mut stage = Stage::new();
    let readers: Vec<(u64, usize)> = (0..3)
        .map(|round| {
            let (at, edges) = (stage.at, stage.edges.len());
            stage.insert([(9, round)].into_iter());
            let partition = stage.partition().clone();
            let image = partition.image_at(LogPosition(stage.at)).unwrap();
            stage.insert([(9, round + 10)].into_iter());
            partition.install_base(Arc::new(image));
            (at, edges)
        })
        .collect();
    let pinned = readers.iter().map(|(at, _)| LogPosition(*at)).collect();
    stage.partition().forget(&Arc::new(PinnedSnapshots::new(pinned, LogPosition(stage.at))));
    assert_eq!(stage.partition().state.read().roots.len(), 2);
    let expand = |at: u64| {
        let mut edges = 0;
        let mut sink = |_: usize, run: Run<'_>| {
            edges += run.len();
            ControlFlow::Continue(())
        };
        let frontier: Vec<VertexId> = (0..2_000).map(VertexId).collect();
        let partitions = &stage.partitions;
        let done = partitions.expand(LogPosition(at), &frontier, None, Direction::Out, &mut sink);
        done.map(|()| edges)
    };
    for (at, _) in &readers[..2] {
        let error = expand(*at).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict);
        let named = format!("the snapshot at commit {} is too old", LogPosition(*at));
        assert!(error.detail.contains(&named), "{error}");
        assert!(stage.partitions.count_edges(LogPosition(*at), None).is_err());
    }
    let (at, edges) = readers[2];
    assert_eq!(expand(at).unwrap(), edges, "a reader of the older of two roots goes on");
    assert_eq!(expand(stage.at).unwrap(), stage.edges.len());
    stage.partition().forget(&Arc::new(PinnedSnapshots::since(LogPosition(stage.at))));
    assert_eq!(stage.partition().state.read().roots.len(), 1, "nobody reads it any more");
}

#[test]
fn a_tail_is_merged_by_a_checkpoint_and_a_reader_sees_it_up_to_its_snapshot() {
    let mut stage = Stage::new();
    let runs = |stage: &Stage, at: u64| {
        let mut runs: Vec<(bool, Vec<u64>)> = Vec::new();
        let mut sink = |_: usize, run: Run<'_>| {
            let ids = (0..run.len()).map(|index| run.neighbours.get(index).0);
            runs.push((run.sorted, ids.collect()));
            ControlFlow::Continue(())
        };
        let (frontier, types) = ([VertexId(400)], Some(&[LIKES][..]));
        let partitions = &stage.partitions;
        partitions.expand(LogPosition(at), &frontier, types, Direction::Out, &mut sink).unwrap();
        runs
    };
    let first = stage.at;
    [9, 4, 7].into_iter().for_each(|target| stage.insert([(400, target)].into_iter()));
    assert_eq!(runs(&stage, first), []);
    assert_eq!(runs(&stage, first + 2), [(false, vec![9, 4])]);
    let partition = stage.partition().clone();
    let image = partition.image_at(LogPosition(stage.at)).unwrap();
    partition.install_base(Arc::new(image));
    stage.insert([(400, 1)].into_iter());
    assert_eq!(runs(&stage, stage.at), [(true, vec![4, 7, 9]), (true, vec![1])]);
    assert_eq!(runs(&stage, stage.at - 1), [(true, vec![4, 7, 9])]);
    assert_eq!(runs(&stage, first + 2), [(false, vec![9, 4])], "the older root as it was");
    let image = partition.image_at(LogPosition(stage.at)).unwrap();
    let lists = image.lists[&(LIKES, Half::Out)].get().unwrap();
    assert_eq!(lists.list(400).neighbours, [1, 4, 7, 9]);
}

#[test]
fn an_id_chosen_again_during_a_checkpoint_has_nothing_of_the_vertex_before() {
    let mut stage = Stage::new();
    let chosen = VertexId(1_999);
    let name = |stage: &Stage, at: u64| {
        let vertices = Elements::Vertices(std::slice::from_ref(&chosen));
        stage.partitions.gather(LogPosition(at), vertices, &[NAME]).unwrap()[0].get(0)
    };
    assert_eq!(name(&stage, stage.at), Some(Value::I64(7)));
    let image = Arc::new(stage.partition().image_at(LogPosition(stage.at)).unwrap());
    stage.commit(&Changes { deleted_vertices: vec![chosen], ..Changes::default() });
    let vertices = vec![VertexBlock { ids: vec![chosen], ..VertexBlock::default() }];
    stage.commit(&Changes { vertices, ..Changes::default() });
    assert_eq!(name(&stage, stage.at), None);
    stage.partition().install_base(image);
    assert_eq!(name(&stage, stage.at), None, "the base has the name of the vertex before");
}

/// As in a recovery, where no pin holds the versions that its checkpoint reads, and its base comes
/// with the record of its install.
#[test]
fn an_id_chosen_again_has_nothing_of_a_vertex_whose_versions_are_freed_before_a_base_brings_it() {
    let mut stage = Stage::new();
    let chosen = VertexId(3_000);
    let create = |stage: &mut Stage, properties: Vec<(KeyId, Column)>| {
        let vertices =
            vec![VertexBlock { ids: vec![chosen], properties, ..VertexBlock::default() }];
        stage.commit(&Changes { vertices, ..Changes::default() });
    };
    create(&mut stage, vec![(NAME, Column::from_values([Value::I64(7)]))]);
    let image = Arc::new(stage.partition().image_at(LogPosition(stage.at)).unwrap());
    stage.commit(&Changes { deleted_vertices: vec![chosen], ..Changes::default() });
    stage.partition().forget(&Arc::new(PinnedSnapshots::new(vec![], LogPosition(stage.at))));
    create(&mut stage, vec![]);
    stage.partition().forget(&Arc::new(PinnedSnapshots::new(vec![], LogPosition(stage.at))));
    stage.partition().install_base(image);
    let vertices = Elements::Vertices(std::slice::from_ref(&chosen));
    let found = stage.partitions.gather(LogPosition(stage.at), vertices, &[NAME]).unwrap();
    assert_eq!(found[0].get(0), None, "the base has the name of the vertex before");
}
