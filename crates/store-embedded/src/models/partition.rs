//! The lock of a partition, and its readers' view of lists and of vertices that come and go.

use std::ops::ControlFlow;
use std::sync::Arc;

use loom::thread;
use millrace_model::{Direction, EdgeId, EdgeTypeId, LogPosition, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Labels, Run, VertexBlock};

use super::check;
use crate::base::options::Durability;
use crate::commit::{Progress, Readers};
use crate::live::{ChunkLock, Commit, Partitions, route};
use crate::sync::{Mutant, is_injected};

const LIKES: EdgeTypeId = EdgeTypeId(0);
const HUB: VertexId = VertexId(7);

/// A reader asks again under its own read, of the same partition and of another, while one writes
/// to both.
///
/// Could go wrong: the inner read waits for a writer that waits for the outer one; a writer and a
/// reader are in at once. Mutants: the inner read is another thread's, which the lock's doc
/// forbids; the reader lets go in between.
#[test]
fn a_read_within_a_read_passes_a_writer_that_waits() {
    fn again(locks: &Arc<[ChunkLock<u64>; 2]>) -> u64 {
        if is_injected(Mutant::OtherStep) {
            let locks = Arc::clone(locks);
            return thread::spawn(move || *locks[0].read()).join().unwrap();
        }
        let other = locks[1].read();
        assert!(*other <= 1);
        *locks[0].read()
    }
    fn model() {
        let locks = Arc::new([ChunkLock::new(0), ChunkLock::new(0)]);
        let writer = Arc::clone(&locks);
        let writer = thread::spawn(move || {
            *writer[0].write() = 1;
            *writer[1].write() = 1;
        });
        let outer = locks[0].read();
        let first = *outer;
        let outer = (!is_injected(Mutant::Step)).then_some(outer);
        assert_eq!(first, again(&locks), "written under a reader");
        drop(outer);
        writer.join().unwrap();
        assert_eq!((*locks[0].read(), *locks[1].read()), (1, 1));
    }
    check(model, &[(Mutant::OtherStep, "deadlock"), (Mutant::Step, "written under a reader")]);
}

fn edge(partitions: &Partitions) -> EdgeEnds {
    let mut id = EdgeId(0);
    partitions.lease_edges(0, LIKES, 1, |leased| id = leased).unwrap();
    EdgeEnds { edge: id, edge_type: LIKES, source: HUB, target: VertexId(9) }
}

fn insert(edge: EdgeEnds) -> Changes {
    let edges = EdgeBlock {
        edge_type: LIKES,
        ids: vec![edge.edge],
        sources: vec![edge.source],
        targets: vec![edge.target],
        properties: Vec::new(),
    };
    Changes { edges: vec![edges], ..Changes::default() }
}

fn apply(partitions: &Partitions, position: u64, changes: &Changes) {
    let commits = [Commit::new(LogPosition(position), changes)];
    for part in route(&commits) {
        partitions.get_or_create(part.ordinal).apply(&commits, &part).unwrap();
    }
}

fn degree(partitions: &Partitions, at: u64) -> usize {
    let mut found = 0;
    let mut sink = |_: usize, run: Run<'_>| {
        found += run.len();
        ControlFlow::Continue(())
    };
    partitions.expand(LogPosition(at), &[HUB], None, Direction::Out, &mut sink).unwrap();
    found
}

/// An applier appends edges to one list in place, which grows meanwhile, and publishes each; a
/// reader reads the list at the visible position, twice.
///
/// Could go wrong: a reader sees an edge that is not visible yet, misses one that is, or sees the
/// list in the midst of its growth. Mutant: a position is published before it is applied.
#[test]
fn a_reader_sees_a_tail_up_to_its_position_while_it_grows() {
    fn model() {
        let shared = Arc::new((Partitions::default(), Progress::new(Durability::Async, 0)));
        // A list holds three in itself, so the next one makes it grow.
        (1..=3).for_each(|at| apply(&shared.0, at, &insert(edge(&shared.0))));
        shared.1.publish_applied(3);
        let applier = Arc::clone(&shared);
        let applier = thread::spawn(move || {
            for at in 4..=5 {
                let (partitions, progress) = &*applier;
                if is_injected(Mutant::Step) {
                    progress.publish_applied(at);
                }
                apply(partitions, at, &insert(edge(partitions)));
                progress.publish_applied(at);
            }
        });
        for _ in 0..2 {
            let at = shared.1.visible();
            assert_eq!(degree(&shared.0, at), at as usize, "not the list at {at}");
        }
        applier.join().unwrap();
        assert_eq!(degree(&shared.0, 4), 4);
    }
    check(model, &[(Mutant::Step, "not the list at")]);
}

/// An applier takes an edge away, and then frees versions that no registered reader takes; a reader
/// that registers sees the list at its position.
///
/// Could go wrong: the reader's version is freed under it. Mutant: it reads where it is not
/// registered.
#[test]
fn a_list_version_is_not_freed_under_a_registered_reader() {
    fn model() {
        let partitions = Arc::new(Partitions::default());
        let progress = Arc::new(Progress::new(Durability::Async, 0));
        let readers = Arc::new(Readers::default());
        let edges = [edge(&partitions), edge(&partitions)];
        edges.iter().zip(1..).for_each(|(edge, at)| apply(&partitions, at, &insert(*edge)));
        progress.publish_durable(9);
        progress.publish_applied(2);
        let applier = (Arc::clone(&partitions), Arc::clone(&progress), Arc::clone(&readers));
        let applier = thread::spawn(move || {
            let (partitions, progress, readers) = applier;
            for (edge, at) in edges.into_iter().zip(3..) {
                partitions.pin(readers.pinned(&progress));
                let gone = Changes { deleted_edges: vec![edge], ..Changes::default() };
                apply(&partitions, at, &gone);
                progress.publish_applied(at);
            }
            partitions.pin(readers.pinned(&progress));
            apply(&partitions, 5, &insert(edge(&partitions)));
        });
        let early = progress.visible();
        let entered = readers.enter(&progress);
        let at = if is_injected(Mutant::Step) { early } else { entered };
        assert_eq!(degree(&partitions, at), 4 - at as usize, "not the list at {at}");
        readers.leave(entered);
        applier.join().unwrap();
    }
    check(model, &[(Mutant::Step, "not the list at")]);
}

fn vertex(id: u64) -> Changes {
    let (labels, ids) = (Labels::default(), vec![VertexId(id)]);
    let block = VertexBlock { labels, ids, properties: Vec::new() };
    Changes { vertices: vec![block], ..Changes::default() }
}

/// Two committers ask which vertices are there, for the first time of all, while one is made and
/// one is deleted.
///
/// Could go wrong: a change falls between the bits that were read and their publication, and is
/// missed for good. Mutant: the committer that asks lets go of the partition in between.
#[test]
fn no_vertex_is_missed_while_the_bits_of_all_are_made() {
    fn model() {
        let partitions = Arc::new(Partitions::default());
        apply(&partitions, 1, &vertex(7));
        let asked = [VertexId(7), VertexId(9)];
        let applier = Arc::clone(&partitions);
        let applier = thread::spawn(move || {
            let gone = Changes { deleted_vertices: vec![VertexId(7)], ..Changes::default() };
            apply(&applier, 2, &vertex(9));
            apply(&applier, 3, &gone);
        });
        let other = Arc::clone(&partitions);
        let other = thread::spawn(move || other.live(&asked).unwrap());
        match is_injected(Mutant::Step) {
            true => _ = partitions.live_unlocked(VertexId(9)).unwrap(),
            false => _ = partitions.live(&asked).unwrap(),
        }
        other.join().unwrap();
        applier.join().unwrap();
        let live = partitions.live(&asked).unwrap();
        assert_eq!(live.ones().collect::<Vec<_>>(), [1], "a change was missed");
    }
    check(model, &[(Mutant::Step, "a change was missed")]);
}
