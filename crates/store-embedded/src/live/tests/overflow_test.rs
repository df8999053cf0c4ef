//! Edges of a partition that ran out of ids: they take the next ordinal, and are found by id and
//! from both ends like any other, through a checkpoint and after a restart.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Direction, EdgeId, EdgeTypeId, ErrorKind, LogPosition, VertexId};
use millrace_store::{Changes, EdgeBlock, Run, VertexBlock};

use crate::base::limits::EDGE_ORDINALS_MAX;
use crate::live::{Commit, Partitions, route};
use crate::persistent::edge_partition;

const LIKES: EdgeTypeId = EdgeTypeId(0);
const SOURCE: VertexId = VertexId((3 << 16) | 5);
const TARGET: VertexId = VertexId((1 << 16) | 9);

fn apply(partitions: &Partitions, at: u64, changes: &Changes) {
    let commits = [Commit::new(LogPosition(at), changes)];
    for part in route(&commits) {
        partitions.get_or_create(part.ordinal).apply(&commits, &part).unwrap();
    }
}

fn edges_of(partitions: &Partitions, vertex: VertexId, direction: Direction) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut sink = |_: usize, run: Run<'_>| {
        edges.extend((0..run.len()).map(|index| run.edge(index)));
        ControlFlow::Continue(())
    };
    partitions.expand(LogPosition(9), &[vertex], None, direction, &mut sink).unwrap();
    edges.sort_unstable();
    edges
}

fn check(partitions: &Partitions, edges: &[EdgeId]) {
    assert_eq!(edges_of(partitions, SOURCE, Direction::Out), edges);
    assert_eq!(edges_of(partitions, TARGET, Direction::In), edges);
    let ends = partitions.ends(LogPosition(9), edges).unwrap();
    assert_eq!(ends.exist.count(), edges.len());
    assert!(ends.sources.iter().all(|source| *source == SOURCE));
    assert!(ends.targets.iter().all(|target| *target == TARGET));
    assert_eq!(partitions.count_edges(LogPosition(9), None).unwrap(), edges.len() as u64);
}

#[test]
fn an_edge_of_an_overflow_partition_is_found_by_its_id_and_from_both_ends() {
    let partitions = Partitions::with_edge_runs(1);
    let mut block = EdgeBlock { edge_type: LIKES, ..EdgeBlock::default() };
    partitions.lease_edges(3, LIKES, 2_500, |edge| block.ids.push(edge)).unwrap();
    let ordinals: Vec<u64> = block.ids.iter().map(|edge| edge.0 >> 32).collect();
    let expected = [3, 3 + (1 << 16), 3 + (2 << 16)];
    assert!((0..2_500).all(|row| ordinals[row] == expected[row / 1_024]));
    assert!(block.ids.iter().all(|edge| edge_partition(*edge) == Some(3)));
    block.sources = vec![SOURCE; 2_500];
    block.targets = vec![TARGET; 2_500];
    let edges = block.ids.clone();
    let vertices = VertexBlock { ids: vec![TARGET, SOURCE], ..VertexBlock::default() };
    let (vertices, blocks) = (vec![vertices], vec![block]);
    apply(&partitions, 2, &Changes { vertices, edges: blocks, ..Changes::default() });
    check(&partitions, &edges);

    // As a restart has it: every partition from its image.
    let reopened = Partitions::with_edge_runs(1);
    for partition in partitions.iter() {
        let image = Arc::new(partition.image_at(LogPosition(9)).unwrap());
        partition.install_base(image.clone());
        assert!(reopened.open(image));
    }
    check(&partitions, &edges);
    check(&reopened, &edges);
    let mut next = EdgeId(0);
    reopened.lease_edges(3, LIKES, 1, |edge| next = edge).unwrap();
    assert_eq!(next.0 >> 32, 3 + (3 << 16), "what was leased is never leased again");
}

#[test]
fn when_no_ordinal_is_left_the_lease_is_refused_by_name() {
    let partitions = Partitions::with_edge_runs(1);
    let all = EDGE_ORDINALS_MAX * 1_024;
    let error = partitions.lease_edges(7, LIKES, all + 1, |_| {}).unwrap_err();
    assert_eq!(error.kind, ErrorKind::LimitReached);
    assert!(error.detail.contains("458752 to 524287"), "{error}");
}

#[test]
fn edges_of_a_third_ordinal_are_found_though_nothing_of_the_second_was_kept() {
    let partitions = Partitions::with_edge_runs(1);
    let mut ids = Vec::new();
    partitions.lease_edges(3, LIKES, 2_049, |edge| ids.push(edge)).unwrap();
    let edge = ids[2_048];
    assert_eq!(edge.0 >> 32, 3 + (2 << 16));
    let block = EdgeBlock {
        edge_type: LIKES,
        ids: vec![edge],
        sources: vec![SOURCE],
        targets: vec![TARGET],
        ..EdgeBlock::default()
    };
    let vertices = VertexBlock { ids: vec![TARGET, SOURCE], ..VertexBlock::default() };
    let changes = Changes { vertices: vec![vertices], edges: vec![block], ..Changes::default() };
    // As a replay has it: nothing was leased of the ordinals before.
    let replayed = Partitions::with_edge_runs(1);
    apply(&replayed, 2, &changes);
    check(&replayed, &[edge]);
}
