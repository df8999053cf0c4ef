//! The conflict table: the newest position of everything that two transactions can conflict on, in
//! a table of fixed size, and the keys that recent commits changed, to confirm a hit.
//!
//! ```text
//!   group = hash(graph, vertex)    written │ incident │ deleted │ other       32 bytes, a cache line
//!   a cell newer than the snapshot ──> Recent: did one of *these* keys change? ──> lost, or not
//! ```
//!
//! Keys that fall on one cell share it, so a hit in the table is only a question; without a hit the
//! answer is no. An edge insert *sets* `Incident` on its ends and never *checks* it, so inserts to
//! one hub never conflict.

pub(super) mod mark;
pub(super) mod recent;

use std::sync::Arc;

use millrace_model::{GraphId, LogPosition, Result, WriteConflict};
use millrace_store::{ConflictQueue, ConflictTicketId};

use crate::base::commit_limits::{FOOTPRINT_COMPACT, RECENT_KEYS_MAX};
use crate::commit::conflict::mark::{FREE_BITS, LANE_SHIFT};
pub(crate) use crate::commit::conflict::mark::{Mark, marks_of_unit};
use crate::commit::conflict::recent::{KeySet, Recent, Seen};
use crate::commit::sequencer::lost;
use crate::io::{Bug, Disk};
use crate::sync::atomic::{AtomicU64, Ordering};

/// Cells of a group: one for each lane.
const LANES: u64 = 4;

/// Cells of a page of memory, or of a part of one.
const PAGE_CELLS: usize = 4096 / size_of::<AtomicU64>();

/// Set in a footprint entry: the commit leaves its position in the cell.
const SETS: u64 = 1;
/// Set in a footprint entry: the commit loses if the key changed after its snapshot.
const CHECKS: u64 = 2;

/// The keys that a commit checks and sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// The keys, each with its purpose (`SETS`, `CHECKS`) in its free bits.
    entries: Vec<u64>,
    compact_at: usize,
    /// The ticket it is committed with.
    pub(crate) ticket: Option<ConflictTicketId>,
    /// Whether it is too much work to be sent back because another commit holds a ticket.
    pub(crate) ignores_queue: bool,
}

/// The newest position of every key, by cell.
pub(crate) struct ConflictTable {
    cells: Box<[AtomicU64]>,
    group_mask: u64,
    recent: Recent,
    /// The commits that queue for a key.
    pub(crate) queue: Arc<ConflictQueue>,
    /// The injected bug of the components that have the table.
    injected: Option<Bug>,
}

impl ConflictTable {
    /// A table of `2^bits` cells that knows of no commit.
    pub(crate) fn new(bits: u32) -> Self {
        let cells: Box<[_]> = (0..1u64 << bits).map(|_| AtomicU64::new(0)).collect();
        // Else the system gives each page at its first check and once more at its first set, both
        // under the sequencer's lock, and all committers wait for it (decision 0068).
        for page in cells.chunks(PAGE_CELLS) {
            page[0].store(0, Ordering::Relaxed);
        }
        Self {
            cells,
            group_mask: (1 << bits) / LANES - 1,
            recent: Recent::new(RECENT_KEYS_MAX),
            queue: Arc::default(),
            injected: None,
        }
    }

    /// The same, on a machine that may ask for a bug.
    pub(crate) fn on(disk: &dyn Disk, bits: u32) -> Self {
        Self { injected: disk.injected(), ..Self::new(bits) }
    }

    /// Whether the machine asks for a bug. Never in a release.
    pub(crate) fn is_injected(&self, bug: Bug) -> bool {
        cfg!(debug_assertions) && self.injected == Some(bug)
    }

    /// The key of a mark in a graph.
    pub(crate) fn key(&self, graph: GraphId, mark: Mark) -> u64 {
        mark.key(graph)
    }

    /// Whether a commit that read at `snapshot` may have lost: a cell it checks is newer.
    pub(crate) fn may_have_lost(&self, footprint: &Footprint, snapshot: u64) -> bool {
        footprint.checked().any(|key| snapshot < self.newest(key))
    }

    /// Requires that nothing a commit checks changed since `snapshot`. Returns the position up to
    /// which that is known now: the next call goes on from there.
    pub(crate) fn confirm(&self, footprint: &Footprint, snapshot: u64) -> Result<u64> {
        if !self.may_have_lost(footprint, snapshot) {
            return Ok(snapshot);
        }
        let keys = KeySet::of(footprint.checked());
        match self.recent.look(&keys, snapshot) {
            Seen::Nothing(to) => Ok(to),
            Seen::Change(conflict) => Err(lost(conflict)),
            Seen::TooOld => Err(lost(self.newest_hit(footprint))),
        }
    }

    /// The same under the sequencer's lock, where no other commit may hold a ticket for a key that
    /// it sets either.
    pub(crate) fn admit(&self, footprint: &Footprint, known_to: u64) -> Result<()> {
        self.confirm(footprint, known_to)?;
        if footprint.ignores_queue {
            return Ok(());
        }
        self.queue.pass(footprint.ticket, false, &footprint.set_keys())
    }

    /// Leaves the position of a commit in all cells it sets. Only under the sequencer's lock, so
    /// positions never fall.
    pub(crate) fn set(&self, footprint: &Footprint, position: u64) {
        self.recent.push(position, footprint.set_keys());
        for key in footprint.set_keys() {
            self.cells[self.cell(key)].store(position, Ordering::Relaxed);
        }
    }

    /// The newest cell of those it checks, where it is not known which commit changed it.
    fn newest_hit(&self, footprint: &Footprint) -> WriteConflict {
        let hits = footprint.checked().map(|key| (self.newest(key), key));
        let (winner, key) = hits.max().unwrap_or_default();
        WriteConflict { winner: LogPosition(winner), key }
    }

    fn newest(&self, key: u64) -> u64 {
        self.cells[self.cell(key)].load(Ordering::Relaxed)
    }

    fn cell(&self, key: u64) -> usize {
        let group = key >> 4 & self.group_mask;
        (group * LANES + (key >> LANE_SHIFT) % LANES) as usize
    }
}

impl Footprint {
    /// Room for about `marks` marks.
    pub(crate) fn with_capacity(marks: usize) -> Self {
        Self { entries: Vec::with_capacity(marks), ..Self::default() }
    }

    /// The commit loses if the key changed after its snapshot.
    pub(crate) fn check(&mut self, key: u64) {
        self.push(key | CHECKS);
    }

    /// The commit changes the key.
    pub(crate) fn set(&mut self, key: u64) {
        self.push(key | SETS);
    }

    /// Both.
    pub(crate) fn take(&mut self, key: u64) {
        self.push(key | SETS | CHECKS);
    }

    /// Brings repeated keys together.
    pub(crate) fn compact(&mut self) {
        self.entries.sort_unstable();
        self.entries.dedup_by(|entry, kept| {
            let same = *entry & !FREE_BITS == *kept & !FREE_BITS;
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

    /// The keys it checks, as a set.
    pub(crate) fn checked_keys(&self) -> KeySet {
        KeySet::of(self.checked())
    }

    /// The keys it sets.
    pub(crate) fn set_keys(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        self.entries.iter().filter(|entry| **entry & SETS != 0).map(|entry| entry & !FREE_BITS)
    }

    fn checked(&self) -> impl Iterator<Item = u64> + '_ {
        self.entries.iter().filter(|entry| **entry & CHECKS != 0).map(|entry| entry & !FREE_BITS)
    }

    fn push(&mut self, entry: u64) {
        // A transaction of millions of edges often marks far fewer vertices.
        if self.entries.len() == self.compact_at.max(FOOTPRINT_COMPACT) {
            self.compact();
            self.compact_at = 2 * self.entries.len();
        }
        self.entries.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::{EdgeId, ErrorKind, VertexId};

    use super::*;

    const GRAPH: GraphId = GraphId(1);

    fn footprint(table: &ConflictTable, checks: &[Mark], sets: &[Mark]) -> Footprint {
        let mut footprint = Footprint::default();
        checks.iter().for_each(|mark| footprint.check(table.key(GRAPH, *mark)));
        sets.iter().for_each(|mark| footprint.set(table.key(GRAPH, *mark)));
        footprint
    }

    #[test]
    fn edges_of_a_hub_commute_and_its_deletion_does_not() {
        let table = ConflictTable::new(12);
        let hub = VertexId(7);
        let insert = footprint(&table, &[Mark::Deleted(hub)], &[Mark::Incident(hub)]);
        let delete = footprint(&table, &[Mark::Incident(hub)], &[Mark::Deleted(hub)]);
        table.set(&insert, 5);
        assert!(table.confirm(&insert, 4).is_ok());
        let error = table.confirm(&delete, 4).unwrap_err();
        let key = table.key(GRAPH, Mark::Incident(hub));
        assert_eq!(error.kind, ErrorKind::Conflict);
        assert_eq!(
            error.write_conflict,
            Some(Box::new(WriteConflict { winner: LogPosition(5), key }))
        );
        assert!(table.confirm(&delete, 5).is_ok());
        table.set(&delete, 6);
        assert!(table.confirm(&insert, 5).is_err());
    }

    #[test]
    fn the_marks_of_a_vertex_share_a_group_and_differ() {
        let table = ConflictTable::new(16);
        let marks = [Mark::Written(VertexId(3)), Mark::Incident(VertexId(3))];
        let cells = marks.map(|mark| table.cell(table.key(GRAPH, mark)));
        assert_eq!(cells[0] / LANES as usize, cells[1] / LANES as usize);
        assert_ne!(cells[0], cells[1]);
        assert_ne!(table.key(GRAPH, marks[0]), table.key(GraphId(2), marks[0]));
    }

    #[test]
    fn a_shared_cell_is_no_conflict() {
        let table = ConflictTable::new(8);
        for vertex in 1..10_000 {
            let own = [Mark::Written(VertexId(vertex)), Mark::Edge(EdgeId(vertex))];
            table.set(&footprint(&table, &[], &own), vertex);
        }
        let other = footprint(&table, &[Mark::Written(VertexId(1 << 20))], &[]);
        assert!(table.may_have_lost(&other, 1), "the table is full of hits");
        assert_eq!(table.confirm(&other, 1), Ok(9_999));
        let mine = footprint(&table, &[Mark::Written(VertexId(500))], &[]);
        let lost = table.confirm(&mine, 1).unwrap_err().write_conflict.unwrap();
        assert_eq!(
            lost.winner,
            LogPosition(500),
            "the one that was first, not the last in the cell"
        );
    }

    /// Hits older than the remembered commits cannot be confirmed. Such a hit is a conflict, which
    /// may be tried again, so nothing is overlooked.
    #[test]
    fn a_snapshot_older_than_what_is_remembered_loses_where_a_cell_is_newer_and_nowhere_else() {
        let table = ConflictTable { recent: Recent::new(1), ..ConflictTable::new(14) };
        let many: Vec<Mark> = (0..5_000).map(|edge| Mark::Edge(EdgeId(edge))).collect();
        table.set(&footprint(&table, &[], &many), 10);
        let (mut lost, mut won) = (0, 0);
        for vertex in 0..1_000 {
            let own = footprint(&table, &[Mark::Written(VertexId(vertex))], &[]);
            match table.confirm(&own, 9) {
                Ok(_) => won += 1,
                Err(error) => {
                    assert!(table.may_have_lost(&own, 9));
                    assert_eq!(error.kind, ErrorKind::Conflict);
                    assert_eq!(
                        error.write_conflict.map(|conflict| conflict.winner),
                        Some(LogPosition(10))
                    );
                    lost += 1;
                }
            }
            assert!(table.confirm(&own, 10).is_ok(), "tried again it wins");
        }
        assert!(100 < lost && 100 < won, "{lost} lost, {won} won");
        let mine = footprint(&table, &[many[7]], &[]);
        assert!(table.confirm(&mine, 9).is_err(), "what did change is never overlooked");
    }

    #[test]
    fn compacting_keeps_what_each_key_is_there_for() {
        let table = ConflictTable::new(8);
        let mut many = Footprint::default();
        for vertex in 0..10_000u64 {
            many.check(table.key(GRAPH, Mark::Deleted(VertexId(vertex % 100))));
            many.set(table.key(GRAPH, Mark::Incident(VertexId(vertex % 100))));
        }
        many.compact();
        assert_eq!(many.len(), 200);
        let delete = footprint(&table, &[], &[Mark::Deleted(VertexId(77))]);
        let insert = footprint(&table, &[], &[Mark::Incident(VertexId(77))]);
        let checked = many.checked_keys();
        assert!(delete.set_keys().any(|key| checked.contains(key)));
        assert!(
            !insert.set_keys().any(|key| checked.contains(key)),
            "incident keys are set, not checked"
        );
    }

    #[test]
    fn a_commit_without_the_ticket_of_a_queued_key_is_refused() {
        let table = ConflictTable::new(8);
        let key = table.key(GRAPH, Mark::Incident(VertexId(1)));
        let ticket = table.queue.take(&[key], None, || LogPosition(0)).unwrap();
        let mut insert = footprint(&table, &[], &[Mark::Incident(VertexId(1))]);
        assert_eq!(
            table.admit(&insert, 0).unwrap_err().write_conflict.map(|lost| lost.key),
            Some(key)
        );
        insert.ticket = Some(ticket.id());
        table.admit(&insert, 0).unwrap();
        table.admit(&footprint(&table, &[Mark::Incident(VertexId(1))], &[]), 0).unwrap();
    }
}
