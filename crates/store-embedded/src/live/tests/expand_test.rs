//! Hops over many lists at once, of which some were modified: whatever was read ahead of them, each
//! row gets the runs of its own vertex, as of its reader's position.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Direction, EdgeId, EdgeTypeId, LogPosition, VertexId};
use millrace_store::{Changes, EdgeBlock, EdgeEnds, Run};

use crate::base::limits::{CHUNK_ROWS_MAX, ROWS_AHEAD, TAIL_ENTRIES_MIN};
use crate::live::tests::differential_test::Random;
use crate::live::{Commit, Partitions, route};

const LIKES: EdgeTypeId = EdgeTypeId(0);
const COMMITS: u64 = 6_000;

/// The commit at which the base is taken.
const CHECKPOINT: u64 = 2_000;

/// Vertices of each of two partitions: several pages, and more than are looked at ahead.
const VERTICES: u64 = 300;

/// An edge, and the commits it came and went with.
struct Made {
    ends: EdgeEnds,
    from: u64,
    until: u64,
}

struct Lists {
    partitions: Partitions,
    made: Vec<Made>,
    random: Random,
}

impl Lists {
    fn random_vertex(&mut self) -> VertexId {
        // Some lists stay as they are, one outgrows its tail.
        let local = match self.random.below(10) {
            0 => 77,
            _ => self.random.below(VERTICES as usize / 3) * 3 + self.random.below(2),
        };
        VertexId((self.random.below(2) as u64) << 16 | local as u64)
    }

    fn commit(&mut self, at: u64) {
        let mut changes = Changes::default();
        let gone = self.random.below(self.made.len().max(1));
        let deletes = self.random.below(40) == 0;
        match self.made.get_mut(gone) {
            Some(made) if deletes && made.until == u64::MAX => {
                made.until = at;
                changes.deleted_edges.push(made.ends);
            }
            _ => {
                let (source, target) = (self.random_vertex(), self.random_vertex());
                let mut edge = EdgeId(0);
                let ordinal = (source.0 >> 16) as u32;
                self.partitions.lease_edges(ordinal, LIKES, 1, |id| edge = id).unwrap();
                let ends = EdgeEnds { edge, edge_type: LIKES, source, target };
                self.made.push(Made { ends, from: at, until: u64::MAX });
                changes.edges.push(EdgeBlock {
                    edge_type: LIKES,
                    ids: vec![edge],
                    sources: vec![source],
                    targets: vec![target],
                    ..EdgeBlock::default()
                });
            }
        }
        let commits = [Commit::new(LogPosition(at), &changes)];
        for part in route(&commits) {
            self.partitions.get_or_create(part.ordinal).apply(&commits, &part).unwrap();
        }
    }

    /// The edges of a vertex at a position, and their other ends, sorted.
    fn expected(&self, at: u64, vertex: VertexId, direction: Direction) -> Vec<(EdgeId, VertexId)> {
        let there = self.made.iter().filter(|made| made.from <= at && at < made.until);
        let mut edges = Vec::new();
        for EdgeEnds { edge, source, target, .. } in there.map(|made| made.ends) {
            if direction != Direction::In && source == vertex {
                edges.push((edge, target));
            }
            if direction != Direction::Out && target == vertex {
                edges.push((edge, source));
            }
        }
        edges.sort_unstable();
        edges
    }

    fn check(&self, at: u64, frontier: &[VertexId], direction: Direction) {
        let mut found: Vec<Vec<(EdgeId, VertexId)>> = vec![Vec::new(); frontier.len()];
        let mut last = 0;
        let mut sink = |row: usize, run: Run<'_>| {
            assert!(last <= row && !run.is_empty(), "rows come in order, and no run is empty");
            last = row;
            let edges = (0..run.len()).map(|index| (run.edge(index), run.neighbours.get(index)));
            found[row].extend(edges);
            ControlFlow::Continue(())
        };
        self.partitions
            .expand(LogPosition(at), frontier, Some(&[LIKES]), direction, &mut sink)
            .unwrap();
        for (vertex, mut edges) in frontier.iter().zip(found) {
            edges.sort_unstable();
            let expected = self.expected(at, *vertex, direction);
            assert_eq!(edges, expected, "{direction} list of {vertex:?} at {at}");
        }
    }
}

#[test]
fn each_row_of_a_hop_gets_its_own_list_whatever_was_read_ahead() {
    let partitions = Partitions::default();
    let mut lists = Lists { partitions, made: Vec::new(), random: Random::new(5) };
    for at in 1..=COMMITS {
        lists.commit(at);
        if at == CHECKPOINT {
            for partition in lists.partitions.iter() {
                partition.install_base(Arc::new(partition.image_at(LogPosition(at)).unwrap()));
            }
        }
    }
    let hub = lists.expected(COMMITS, VertexId(77), Direction::Out).len();
    assert!(2 * TAIL_ENTRIES_MIN < hub, "{hub} edges: a tail was merged");
    let sorted: Vec<VertexId> = (0..VERTICES).map(VertexId).collect();
    let both: Vec<VertexId> =
        (0..2 * VERTICES).map(|row| VertexId((row / VERTICES) << 16 | (row % VERTICES))).collect();
    let scattered: Vec<VertexId> = (0..CHUNK_ROWS_MAX + ROWS_AHEAD + 1)
        .map(|_| both[lists.random.below(both.len())])
        .collect();
    let every_fifth: Vec<VertexId> = sorted.iter().copied().step_by(5).collect();
    for at in [1, CHECKPOINT, CHECKPOINT + 1, CHECKPOINT + 500, COMMITS - 1_000, COMMITS] {
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            for frontier in [&sorted, &both, &scattered, &every_fifth] {
                lists.check(at, frontier, direction);
            }
            lists.check(at, &sorted[77..78], direction);
        }
    }
}
