//! Readers, an applier and a checkpoint at once: a reader at a position sees all of every commit
//! up to it and nothing of any later one, however many chunks and locks its read takes.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Direction, EdgeId, EdgeTypeId, ErrorKind, LogPosition, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Run};

use crate::live::{Commit, Partitions, route};

const COMMITS: u64 = 3_000;
const LIKES: EdgeTypeId = EdgeTypeId(0);

/// Vertices in turn from four partitions.
fn vertices() -> Vec<VertexId> {
    (0..4_000).map(|row: u64| VertexId(((row % 4) << 16) | (row / 4))).collect()
}

/// Every commit adds one edge to each of two lists in different partitions; from the hundredth on
/// it also takes away those of the commit a hundred before. So any visible state has as many edges
/// at even as at odd partitions.
fn change(partitions: &Partitions, at: u64, made: &mut Vec<[EdgeEnds; 2]>) -> Changes {
    let ends = [0, 1].map(|side| {
        let source = VertexId(((at % 2 * 2 + side) << 16) | (at * 7 % 1_000));
        let target = VertexId(((side + 1) << 16) | (at % 3));
        let mut edge = EdgeId(0);
        partitions.lease_edges((source.0 >> 16) as u32, LIKES, 1, |id| edge = id).unwrap();
        EdgeEnds { edge, edge_type: LIKES, source, target }
    });
    made.push(ends);
    let edges = EdgeBlock {
        edge_type: LIKES,
        ids: ends.map(|edge| edge.edge).to_vec(),
        sources: ends.map(|edge| edge.source).to_vec(),
        targets: ends.map(|edge| edge.target).to_vec(),
        properties: Vec::new(),
    };
    let gone = made.len().checked_sub(101).map(|place| made[place]);
    let deleted_edges = gone.into_iter().flatten().collect();
    Changes { edges: vec![edges], deleted_edges, ..Changes::default() }
}

fn apply(partitions: &Partitions, visible: &AtomicU64) {
    let mut made = Vec::new();
    while visible.load(Ordering::Relaxed) < COMMITS {
        let first = visible.load(Ordering::Relaxed) + 1;
        let group: Vec<Changes> =
            (first..first + 3).map(|at| change(partitions, at, &mut made)).collect();
        let commits: Vec<Commit<'_>> = (first..)
            .map(LogPosition)
            .zip(&group)
            .map(|(position, changes)| Commit::new(position, changes))
            .collect();
        for part in route(&commits) {
            partitions.get_or_create(part.ordinal).apply(&commits, &part).unwrap();
        }
        visible.store(first + 2, Ordering::Release);
    }
}

fn read(partitions: &Partitions, at: u64, direction: Direction) {
    let (mut even, mut odd) = (0, 0);
    let mut sink = |row: usize, run: Run<'_>| {
        *(if row.is_multiple_of(2) { &mut even } else { &mut odd }) += run.len() as u64;
        ControlFlow::Continue(())
    };
    let frontier = vertices();
    // These readers are not pinned, so one that was not scheduled for long may be too old.
    match partitions.expand(LogPosition(at), &frontier, None, direction, &mut sink) {
        Err(error) if error.kind == ErrorKind::Conflict => return,
        result => result.unwrap(),
    }
    let expected = at.min(100);
    assert_eq!((even, odd), (expected, expected), "{direction} lists at {at}");
    if let Ok(count) = partitions.count_edges(LogPosition(at), None) {
        assert_eq!(count, 2 * expected);
    }
}

#[test]
fn a_reader_sees_whole_commits_while_others_are_applied_and_checkpointed() {
    let partitions = Partitions::default();
    let visible = AtomicU64::new(0);
    (0..4).for_each(|ordinal| {
        partitions.get_or_create(ordinal);
    });
    std::thread::scope(|threads| {
        threads.spawn(|| apply(&partitions, &visible));
        threads.spawn(|| {
            while visible.load(Ordering::Acquire) < COMMITS {
                let checkpoint = LogPosition(visible.load(Ordering::Acquire));
                for partition in partitions.iter() {
                    let image = partition.image_at(checkpoint).unwrap();
                    partition.install_base(Arc::new(image));
                }
                // Most readers shall end before their root goes.
                let passed = checkpoint.0 + 600;
                while visible.load(Ordering::Acquire) < passed.min(COMMITS) {
                    std::thread::yield_now();
                }
            }
        });
        for direction in [Direction::Out, Direction::In] {
            let (partitions, visible) = (&partitions, &visible);
            threads.spawn(move || {
                while visible.load(Ordering::Acquire) < COMMITS {
                    read(partitions, visible.load(Ordering::Acquire), direction);
                }
            });
        }
    });
    read(&partitions, COMMITS, Direction::Out);
}
