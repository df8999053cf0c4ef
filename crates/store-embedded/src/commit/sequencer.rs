//! The one order of everything: under one short lock, who lost is found, a position is given, and
//! the record is queued for the log and for the applier.
//!
//! A large commit checks millions of cells. It does so outside of the lock, while the footprints
//! of the commits that overtake it are kept; inside it looks only at those.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Error, ErrorKind, LostRace, Phase, Position, Result};
use parking_lot::{Mutex, MutexGuard};

use super::bell::Bell;
use super::conflict::{ConflictTable, Footprint};
use super::frame::Record;
use super::limits::LARGE_FOOTPRINT;

/// A record with its place in the order.
#[derive(Clone)]
pub(crate) struct Sequenced {
    pub(crate) position: u64,
    pub(crate) record: Arc<Record>,
}

/// A record that wants a place in the order.
pub(crate) struct Submission {
    pub(crate) record: Record,
    pub(crate) footprint: Footprint,
    /// What it read from: anything newer in a cell it checks makes it lose.
    pub(crate) snapshot: u64,
}

/// Gives positions.
pub(crate) struct Sequencer {
    pub(crate) table: ConflictTable,
    state: Mutex<State>,
    /// Rung when there is something for the log.
    pub(crate) log_bell: Bell,
    /// Rung when there is something to apply.
    pub(crate) apply_bell: Bell,
    queued_bytes: AtomicU64,
}

#[derive(Default)]
struct State {
    position: u64,
    to_log: Vec<Sequenced>,
    to_apply: Vec<Sequenced>,
    refusal: Option<Error>,
    /// How many large commits are being validated.
    validating: u32,
    /// The footprints of the commits since the first of them began.
    overtaking: Vec<(u64, Footprint)>,
}

impl Sequencer {
    /// A sequencer that goes on after `position`.
    pub(crate) fn new(table: ConflictTable, position: u64) -> Self {
        Self {
            table,
            state: Mutex::new(State { position, ..State::default() }),
            log_bell: Bell::default(),
            apply_bell: Bell::default(),
            queued_bytes: AtomicU64::new(0),
        }
    }

    /// Validates the record against everything before it and gives it its position.
    pub(crate) fn sequence(&self, submission: Submission) -> Result<u64> {
        let Submission { record, mut footprint, snapshot } = submission;
        let bytes = record.payload.len() as u64;
        let record = Arc::new(record);
        if LARGE_FOOTPRINT < footprint.len() {
            footprint.compact();
            return self.sequence_large(record, footprint, snapshot);
        }
        // Outside of the lock this also brings the cells into the cache.
        let known_to = self.table.confirm(&footprint, snapshot)?;
        let mut state = self.state.lock();
        self.table.admit(&footprint, known_to)?;
        self.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.admit(state_ref(&mut state), record, footprint).map(|(position, was_empty)| {
            drop(state);
            self.ring(was_empty);
            position
        })
    }

    /// Bytes that wait for the log.
    pub(crate) fn queued_bytes(&self) -> u64 {
        self.queued_bytes.load(Ordering::Relaxed)
    }

    /// The last position given.
    pub(crate) fn position(&self) -> u64 {
        self.state.lock().position
    }

    /// Everything that waits for the log, in order.
    pub(crate) fn take_for_log(&self) -> Vec<Sequenced> {
        let taken = std::mem::take(&mut self.state.lock().to_log);
        let bytes: u64 = taken.iter().map(|entry| entry.record.payload.len() as u64).sum();
        self.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
        taken
    }

    /// Everything that waits to be applied, in order.
    pub(crate) fn take_for_apply(&self) -> Vec<Sequenced> {
        std::mem::take(&mut self.state.lock().to_apply)
    }

    /// From now on every record is refused with this error; `None` takes them again.
    pub(crate) fn refuse(&self, refusal: Option<Error>) {
        self.state.lock().refusal = refusal;
    }

    /// Whether records are refused.
    pub(crate) fn is_refusing(&self) -> bool {
        self.check_taking().is_err()
    }

    /// Why records are refused, if they are.
    pub(crate) fn check_taking(&self) -> Result<()> {
        self.state.lock().refusal.clone().map_or(Ok(()), Err)
    }

    fn sequence_large(
        &self,
        record: Arc<Record>,
        footprint: Footprint,
        snapshot: u64,
    ) -> Result<u64> {
        let checked = footprint.checked_keys();
        let from = {
            let mut state = self.state.lock();
            state.validating += 1;
            state.position
        };
        let confirmed = self.table.confirm(&footprint, snapshot);
        let bytes = record.payload.len() as u64;
        let mut state = self.state.lock();
        let mut overtaking = state.overtaking.iter().rev();
        let overtaken = overtaking.find_map(|(position, other)| {
            let key = other.set_keys().find(|key| checked.contains(*key))?;
            (from < *position).then_some(LostRace { winner: Position(*position), key })
        });
        state.validating -= 1;
        if state.validating == 0 {
            state.overtaking = Vec::new();
        }
        confirmed?;
        if let Some(race) = overtaken {
            return Err(lost(race));
        }
        self.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        let (position, was_empty) = self.admit(state_ref(&mut state), record, footprint)?;
        drop(state);
        self.ring(was_empty);
        Ok(position)
    }

    fn admit(
        &self,
        state: &mut State,
        record: Arc<Record>,
        footprint: Footprint,
    ) -> Result<(u64, (bool, bool))> {
        if let Some(refusal) = &state.refusal {
            self.queued_bytes.fetch_sub(record.payload.len() as u64, Ordering::Relaxed);
            return Err(refusal.clone());
        }
        state.position += 1;
        let position = state.position;
        self.table.set(&footprint, position);
        if state.validating != 0 {
            state.overtaking.push((position, footprint));
        }
        let was_empty = (state.to_log.is_empty(), state.to_apply.is_empty());
        state.to_log.push(Sequenced { position, record: Arc::clone(&record) });
        state.to_apply.push(Sequenced { position, record });
        Ok((position, was_empty))
    }

    fn ring(&self, (log, apply): (bool, bool)) {
        if log {
            self.log_bell.ring();
        }
        if apply {
            self.apply_bell.ring();
        }
    }
}

fn state_ref<'a>(state: &'a mut MutexGuard<'_, State>) -> &'a mut State {
    state
}

/// Another transaction was first.
pub(crate) fn lost(race: LostRace) -> Error {
    Error::new(ErrorKind::Conflict, "another transaction was first")
        .with_help("run the transaction again")
        .in_phase(Phase::Commit)
        .with_lost_race(race)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use millrace_model::{Catalog, GraphId, VertexId};

    use super::*;
    use crate::commit::conflict::Mark;
    use crate::commit::frame::Effect;
    use crate::graph::Graph;

    const GRAPH: GraphId = GraphId(1);

    fn sequencer() -> Sequencer {
        Sequencer::new(ConflictTable::new(16), 10)
    }

    fn record() -> Record {
        let graph = Graph::new(GRAPH, "graph", (Catalog::default(), 0), 0);
        Record::new(&graph, Effect::Lease(1)).unwrap()
    }

    fn submit(sequencer: &Sequencer, taken: &[Mark], snapshot: u64) -> Result<u64> {
        let mut footprint = Footprint::default();
        taken.iter().for_each(|mark| footprint.take(sequencer.table.key(GRAPH, *mark)));
        sequencer.sequence(Submission { record: record(), footprint, snapshot })
    }

    fn kind(outcome: Result<u64>) -> ErrorKind {
        outcome.unwrap_err().kind
    }

    #[test]
    fn the_first_committer_wins_and_positions_follow_one_another() {
        let sequencer = sequencer();
        let (left, right) = (Mark::Written(VertexId(1)), Mark::Written(VertexId(2)));
        assert_eq!(submit(&sequencer, &[left], 10), Ok(11));
        assert_eq!(submit(&sequencer, &[right], 10), Ok(12));
        assert_eq!(kind(submit(&sequencer, &[left], 10)), ErrorKind::Conflict);
        assert_eq!(submit(&sequencer, &[left], 11), Ok(13));
        let positions =
            |queue: Vec<Sequenced>| queue.iter().map(|e| e.position).collect::<Vec<_>>();
        assert_eq!(positions(sequencer.take_for_log()), [11, 12, 13]);
        assert_eq!(positions(sequencer.take_for_apply()), [11, 12, 13]);
        assert_eq!(sequencer.queued_bytes(), 0);
    }

    #[test]
    fn a_large_commit_loses_to_one_before_it_and_wins_where_nothing_met() {
        let sequencer = sequencer();
        let many: Vec<Mark> =
            (1..20_000).map(|vertex| Mark::Edge(millrace_model::EdgeId(vertex))).collect();
        assert!(LARGE_FOOTPRINT < many.len());
        assert_eq!(submit(&sequencer, &[Mark::Written(VertexId(7))], 10), Ok(11));
        let claimed = Mark::Claim(5);
        assert_eq!(submit(&sequencer, &[claimed], 10), Ok(12));
        let with_claim: Vec<Mark> = many.iter().copied().chain([claimed]).collect();
        assert_eq!(kind(submit(&sequencer, &with_claim, 11)), ErrorKind::Conflict);
        assert_eq!(submit(&sequencer, &with_claim, 12), Ok(13));
        assert_eq!(kind(submit(&sequencer, &[many[77]], 12)), ErrorKind::Conflict);
    }

    #[test]
    fn a_large_commit_and_small_ones_that_overtake_it_never_both_win() {
        let sequencer = Arc::new(sequencer());
        let contested = Mark::Claim(99);
        let many: Vec<Mark> = (1..200_000)
            .map(|vertex| Mark::Edge(millrace_model::EdgeId(vertex)))
            .chain([contested])
            .collect();
        for round in 0..20 {
            let snapshot = sequencer.position();
            let other = Arc::clone(&sequencer);
            let small = std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_micros(round * 150));
                submit(&other, &[contested], snapshot)
            });
            let large = submit(&sequencer, &many, snapshot);
            let small = small.join().unwrap();
            assert!(large.is_err() || small.is_err(), "both won in round {round}");
            assert!(large.is_ok() || small.is_ok(), "both lost in round {round}");
        }
    }

    #[test]
    fn a_refusal_holds_until_it_is_taken_back() {
        let sequencer = sequencer();
        sequencer.refuse(Some(Error::new(ErrorKind::ReadOnly, "full")));
        assert_eq!(kind(submit(&sequencer, &[], 10)), ErrorKind::ReadOnly);
        assert_eq!(sequencer.queued_bytes(), 0);
        sequencer.refuse(None);
        assert_eq!(submit(&sequencer, &[], 10), Ok(11));
    }
}
