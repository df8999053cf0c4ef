//! Who was first: the newest position of everything that two transactions can quarrel about, in a
//! table of fixed size.
//!
//! ```text
//!   group = hash(graph, vertex)    written │ incident │ deleted │ key       32 bytes, one cache line
//! ```
//!
//! Keys that fall on one cell share it: a transaction may be sent back although nobody wrote what
//! it wrote, never the other way round. What a reader would get wrong: an edge insert *sets*
//! `Incident` on its ends and never *checks* it, so inserts to one hub never conflict.

use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{EdgeId, GraphId, IndexId, Owner, VertexId};
use millrace_store::ReadUnit;

use crate::io::{Bug, Disk};

/// Cells of a group: one for each kind of mark.
const LANES: u32 = 4;
const LANE_WRITTEN: u32 = 0;
const LANE_INCIDENT: u32 = 1;
const LANE_DELETED: u32 = 2;
const LANE_KEY: u32 = 3;

/// Set in a footprint entry: the commit leaves its position in the cell.
const SETS: u32 = 1 << 30;
/// Set in a footprint entry: the commit loses if the cell is newer than its snapshot.
const CHECKS: u32 = 1 << 31;
const CELL: u32 = SETS - 1;

/// Something two transactions can quarrel about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The record of a vertex.
    Written(VertexId),
    /// The lists of a vertex.
    Incident(VertexId),
    /// The end of a vertex.
    Deleted(VertexId),
    /// The record of an edge, or its end.
    Edge(EdgeId),
    /// A value of a unique index, by hash.
    Unique(IndexId, u64),
    /// A key that `Merge` matched on.
    Claim(u64),
    /// The declarations of a graph.
    Catalog,
    /// The declarations of one owner.
    Declared(Owner),
    /// What serializable transactions read, where no other mark says that it changed.
    Read(ReadUnit),
}

/// The marks that say whether a unit changed. The record and the lists of a vertex, and an edge,
/// have marks of their own anyway, so a writer sets nothing more for them.
pub(crate) fn marks_of_unit(unit: ReadUnit) -> [Option<Mark>; 2] {
    match unit {
        ReadUnit::Vertex(vertex) => [Some(Mark::Written(vertex)), Some(Mark::Deleted(vertex))],
        ReadUnit::Edge(edge) => [Some(Mark::Edge(edge)), None],
        ReadUnit::List(vertex) => [Some(Mark::Incident(vertex)), None],
        ReadUnit::Seek(..)
        | ReadUnit::Index(_)
        | ReadUnit::Label(_)
        | ReadUnit::EdgeType(_)
        | ReadUnit::Vertices(_)
        | ReadUnit::Edges(_) => [Some(Mark::Read(unit)), None],
    }
}

/// The cells that a commit checks and sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    entries: Vec<u32>,
}

/// The newest position of every key, by cell.
pub(crate) struct ConflictTable {
    cells: Box<[AtomicU64]>,
    group_mask: u64,
    /// The bug that those who have the table have.
    planted: Option<Bug>,
}

impl ConflictTable {
    /// A table of `2^bits` cells that knows of no commit.
    pub(crate) fn new(bits: u32) -> Self {
        let cells = (0..1u64 << bits).map(|_| AtomicU64::new(0)).collect();
        Self { cells, group_mask: (1 << bits) / u64::from(LANES) - 1, planted: None }
    }

    /// The same, on a machine that may ask for a bug.
    pub(crate) fn on(disk: &dyn Disk, bits: u32) -> Self {
        Self { planted: disk.planted(), ..Self::new(bits) }
    }

    /// Whether the machine asks for a bug. Never in a release.
    pub(crate) fn is_planted(&self, bug: Bug) -> bool {
        cfg!(debug_assertions) && self.planted == Some(bug)
    }

    /// The cell of a mark in a graph.
    pub(crate) fn cell(&self, graph: GraphId, mark: Mark) -> u32 {
        let (class, number, lane) = spread(mark);
        let group = mix(number ^ mix(class << 32 | u64::from(graph.0))) & self.group_mask;
        group as u32 * LANES + lane
    }

    /// Whether a commit that read at `snapshot` lost: something it checks is newer.
    pub(crate) fn lost(&self, footprint: &Footprint, snapshot: u64) -> bool {
        footprint
            .entries
            .iter()
            .any(|entry| entry & CHECKS != 0 && snapshot < self.newest(entry & CELL))
    }

    /// Leaves the position of a commit in all cells it sets. Only under the sequencer's lock, so
    /// positions never fall.
    pub(crate) fn set(&self, footprint: &Footprint, position: u64) {
        for entry in footprint.entries.iter().filter(|entry| **entry & SETS != 0) {
            self.cells[(entry & CELL) as usize].store(position, Ordering::Relaxed);
        }
    }

    fn newest(&self, cell: u32) -> u64 {
        self.cells[cell as usize].load(Ordering::Relaxed)
    }
}

impl Footprint {
    /// Room for about `marks` marks.
    pub(crate) fn with_capacity(marks: usize) -> Self {
        Self { entries: Vec::with_capacity(marks) }
    }

    /// The commit loses if the cell is newer than its snapshot.
    pub(crate) fn check(&mut self, cell: u32) {
        self.entries.push(cell | CHECKS);
    }

    /// The commit leaves its position in the cell.
    pub(crate) fn set(&mut self, cell: u32) {
        self.entries.push(cell | SETS);
    }

    /// Both.
    pub(crate) fn take(&mut self, cell: u32) {
        self.entries.push(cell | SETS | CHECKS);
    }

    /// Brings repeated cells together. A footprint never has more entries than the table after it.
    pub(crate) fn compact(&mut self) {
        self.entries.sort_unstable_by_key(|entry| entry & CELL);
        self.entries.dedup_by(|entry, kept| {
            let same = *entry & CELL == *kept & CELL;
            if same {
                *kept |= *entry;
            }
            same
        });
    }

    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The cells this commit sets that `other` checks: whether it would make `other` lose.
    pub(crate) fn spoils(&self, checked: &CellSet) -> bool {
        self.entries.iter().any(|entry| entry & SETS != 0 && checked.contains(entry & CELL))
    }

    /// The cells it checks, as a set.
    pub(crate) fn checked_cells(&self, table: &ConflictTable) -> CellSet {
        let mut words = vec![0u64; table.cells.len().div_ceil(64)];
        for entry in self.entries.iter().filter(|entry| **entry & CHECKS != 0) {
            let cell = (entry & CELL) as usize;
            words[cell / 64] |= 1 << (cell % 64);
        }
        CellSet { words }
    }
}

/// A set of cells.
pub(crate) struct CellSet {
    words: Vec<u64>,
}

impl CellSet {
    fn contains(&self, cell: u32) -> bool {
        let cell = cell as usize;
        self.words[cell / 64] >> (cell % 64) & 1 == 1
    }
}

/// Class, number and lane of a mark; the three marks of a vertex share their class, so a group.
fn spread(mark: Mark) -> (u64, u64, u32) {
    match mark {
        Mark::Written(vertex) => (1, vertex.0, LANE_WRITTEN),
        Mark::Incident(vertex) => (1, vertex.0, LANE_INCIDENT),
        Mark::Deleted(vertex) => (1, vertex.0, LANE_DELETED),
        Mark::Edge(edge) => (2, edge.0, LANE_WRITTEN),
        Mark::Unique(index, hash) => (3, mix(hash) ^ u64::from(index.0), LANE_KEY),
        Mark::Claim(hash) => (4, hash, LANE_KEY),
        Mark::Catalog => (5, 0, LANE_KEY),
        Mark::Declared(owner) => (6, owner_number(owner), LANE_KEY),
        Mark::Read(unit) => spread_unit(unit),
    }
}

fn spread_unit(unit: ReadUnit) -> (u64, u64, u32) {
    match unit {
        ReadUnit::Vertex(vertex) | ReadUnit::List(vertex) => (7, vertex.0, LANE_KEY),
        ReadUnit::Edge(edge) => (8, edge.0, LANE_KEY),
        ReadUnit::Seek(index, hash) => (9, mix(hash) ^ u64::from(index.0), LANE_KEY),
        ReadUnit::Index(index) => (10, u64::from(index.0), LANE_KEY),
        ReadUnit::Label(label) => (11, label.map_or(u64::MAX, |label| label.0.into()), LANE_KEY),
        ReadUnit::EdgeType(kind) => (12, kind.map_or(u64::MAX, |kind| kind.0.into()), LANE_KEY),
        ReadUnit::Vertices(partition) => (13, partition, LANE_KEY),
        ReadUnit::Edges(partition) => (14, partition, LANE_KEY),
    }
}

fn owner_number(owner: Owner) -> u64 {
    match owner {
        Owner::Label(label) => 1 << 32 | u64::from(label.0),
        Owner::EdgeType(edge_type) => 2 << 32 | u64::from(edge_type.0),
        Owner::AllVertices => 3 << 32,
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^ number >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: GraphId = GraphId(1);

    fn footprint(table: &ConflictTable, checks: &[Mark], sets: &[Mark]) -> Footprint {
        let mut footprint = Footprint::default();
        checks.iter().for_each(|mark| footprint.check(table.cell(GRAPH, *mark)));
        sets.iter().for_each(|mark| footprint.set(table.cell(GRAPH, *mark)));
        footprint
    }

    #[test]
    fn edges_of_a_hub_commute_and_its_deletion_does_not() {
        let table = ConflictTable::new(12);
        let hub = VertexId(7);
        let insert = footprint(&table, &[Mark::Deleted(hub)], &[Mark::Incident(hub)]);
        let delete = footprint(&table, &[Mark::Incident(hub)], &[Mark::Deleted(hub)]);
        table.set(&insert, 5);
        assert!(!table.lost(&insert, 4));
        assert!(table.lost(&delete, 4));
        assert!(!table.lost(&delete, 5));
        table.set(&delete, 6);
        assert!(table.lost(&insert, 5));
    }

    #[test]
    fn the_marks_of_a_vertex_share_a_group_and_differ() {
        let table = ConflictTable::new(16);
        let marks = [Mark::Written(VertexId(3)), Mark::Incident(VertexId(3))];
        let cells = marks.map(|mark| table.cell(GRAPH, mark));
        assert_eq!(cells[0] / LANES, cells[1] / LANES);
        assert_ne!(cells[0], cells[1]);
        assert_ne!(table.cell(GRAPH, marks[0]), table.cell(GraphId(2), marks[0]));
    }

    #[test]
    fn compacting_keeps_what_each_cell_is_there_for() {
        let table = ConflictTable::new(8);
        let mut many = Footprint::default();
        for vertex in 0..10_000 {
            many.check(table.cell(GRAPH, Mark::Deleted(VertexId(vertex))));
            many.set(table.cell(GRAPH, Mark::Incident(VertexId(vertex))));
        }
        many.compact();
        assert!(many.len() <= 256, "{}", many.len());
        let delete = footprint(&table, &[], &[Mark::Deleted(VertexId(77))]);
        let insert = footprint(&table, &[], &[Mark::Incident(VertexId(77))]);
        let checked = many.checked_cells(&table);
        assert!(delete.spoils(&checked));
        assert!(!insert.spoils(&checked), "incident cells are set, not checked");
    }
}
