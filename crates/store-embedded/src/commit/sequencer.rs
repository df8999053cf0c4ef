//! The one order of everything: under one short lock, conflicts are found, room in the log is
//! taken, a position is given, and the record is queued for the log and for the applier.
//!
//! An out-of-line commit checks millions of cells. It does so outside of the lock, while the
//! footprints of the commits that overtake it are kept; inside it looks only at those.

use millrace_model::{Error, ErrorKind, LogPosition, Phase, Result, WriteConflict};
use millrace_store::non_blocking;

use crate::base::commit_limits::{APPLIED_HERE_BYTES_MAX, FOOTPRINT_ENTRIES_MAX};
use crate::commit::apply_queue::ApplyQueue;
use crate::commit::conflict::{ConflictTable, Footprint};
use crate::commit::frame::Record;
use crate::commit::log_room::{LogRoom, Purpose};
use crate::commit::wakeup::WakeUp;
use crate::io::Bug;
use crate::log::FrameBuffer;
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};

/// A record that wants a place in the order.
pub(crate) struct Submission {
    pub(crate) record: Record,
    pub(crate) footprint: Footprint,
    /// The position of its snapshot: anything newer in a cell that it checks is a write conflict.
    pub(crate) snapshot: u64,
}

/// The outcome of a submission, or of several records, without a write conflict.
pub(crate) enum Sequenced<T> {
    /// It has this position; of several the last one has.
    At(u64),
    /// The log has no room for so many bytes of frames. Nothing happened, and here it is again.
    NoRoom(T, u64),
}

/// Gives positions.
pub(crate) struct Sequencer {
    pub(crate) table: ConflictTable,
    pub(crate) room: LogRoom,
    state: Mutex<State>,
    /// Notified when there is something for the log.
    pub(crate) log_wakeup: WakeUp,
    /// Notified when what is to be applied goes to the log, too.
    pub(crate) apply_wakeup: WakeUp,
    /// Whether there is a refusal, for callers that ask before they take the lock.
    refusing: AtomicBool,
}

#[derive(Default)]
struct State {
    position: u64,
    /// The last position that the log took.
    taken_to: u64,
    /// Where this process began to give positions, if one before it did for the same clients: what
    /// read before is sent back.
    owner_began: u64,
    to_log: FrameBuffer,
    to_apply: ApplyQueue,
    refusal: Option<Error>,
    /// How many out-of-line commits are being validated.
    validating: u32,
    /// The footprints of the commits since the first of them began.
    overtaking: Vec<(u64, Footprint)>,
}

impl Sequencer {
    /// A sequencer that goes on after `position`, on a log that has room.
    pub(crate) fn new(table: ConflictTable, room: LogRoom, position: u64) -> Self {
        Self {
            table,
            room,
            state: Mutex::new(State::after(position)),
            log_wakeup: WakeUp::default(),
            apply_wakeup: WakeUp::default(),
            refusing: AtomicBool::new(false),
        }
    }

    /// Validates the record against everything before it and gives it its position.
    pub(crate) fn sequence(
        &self,
        mut submission: Submission,
        purpose: Purpose,
    ) -> Result<Sequenced<Submission>> {
        if FOOTPRINT_ENTRIES_MAX < submission.footprint.len() {
            submission.footprint.compact();
            return self.sequence_validated_outside(submission, purpose);
        }
        // Outside of the lock this also brings the cells into the cache.
        let known_to = self.table.confirm(&submission.footprint, submission.snapshot)?;
        let state = self.state.lock();
        self.table.admit(&submission.footprint, known_to)?;
        self.admit(state, submission, purpose)
    }

    /// Gives records that conflict with nothing positions that follow one another; so the log takes
    /// them together.
    pub(crate) fn sequence_together(
        &self,
        records: Vec<Record>,
        purpose: Purpose,
    ) -> Result<Sequenced<Vec<Record>>> {
        let mut state = self.state.lock();
        state.check_taking()?;
        let bytes = records.iter().map(Record::frame_bytes).sum();
        if !self.has_room(bytes, purpose) {
            return Ok(Sequenced::NoRoom(records, bytes));
        }
        let before = state.position;
        let _used: Vec<_> =
            records.into_iter().map(|record| self.accept(&mut state, record)).collect();
        let position = state.position;
        self.notify_log(state, before);
        Ok(Sequenced::At(position))
    }

    /// Gives the record of a new owner its position. From there on what read before it loses.
    pub(crate) fn sequence_owner(
        &self,
        record: Record,
        purpose: Purpose,
    ) -> Result<Sequenced<Record>> {
        let mut state = self.state.lock();
        state.check_taking()?;
        let bytes = record.frame_bytes();
        if !self.has_room(bytes, purpose) {
            return Ok(Sequenced::NoRoom(record, bytes));
        }
        let before = state.position;
        let (position, _used) = self.accept(&mut state, record);
        state.owner_began = position;
        self.notify_log(state, before);
        Ok(Sequenced::At(position))
    }

    /// The last position given.
    pub(crate) fn position(&self) -> u64 {
        self.state.lock().position
    }

    /// Takes everything that waits for the log, in order, for an empty buffer. It is applied while
    /// it is written: sooner, no reader could see it, and a few commits at a time cost more. A
    /// batch of at most `APPLIED_HERE_BYTES_MAX` may be left for the writing thread to apply
    /// afterwards; says whether it is.
    pub(crate) fn take_for_log(&self, taken: &mut FrameBuffer, may_leave: bool) -> bool {
        debug_assert!(taken.is_empty(), "what was taken before is done");
        let mut state = self.state.lock();
        std::mem::swap(taken, &mut state.to_log);
        state.taken_to = state.position;
        // By what the log takes: the applier may have had a part of it, and be at it.
        let is_small = taken.bytes() <= APPLIED_HERE_BYTES_MAX && state.to_apply.is_small();
        let (is_left, is_some) = (may_leave && is_small, !state.to_apply.is_empty());
        drop(state);
        if is_some && !is_left {
            self.apply_wakeup.notify();
        }
        is_left
    }

    /// How many records the log has not taken yet.
    pub(crate) fn waiting_for_log(&self) -> u64 {
        let state = self.state.lock();
        state.position - state.taken_to
    }

    /// Whether the records waiting to be applied are at most `APPLIED_HERE_BYTES_MAX`.
    pub(crate) fn may_apply_on_log_thread(&self) -> bool {
        self.state.lock().to_apply.is_small()
    }

    /// Takes everything that waits to be applied, in order, for an empty queue.
    pub(crate) fn take_for_apply(&self, taken: &mut ApplyQueue) {
        debug_assert!(taken.is_empty(), "what was taken before is done");
        std::mem::swap(taken, &mut self.state.lock().to_apply);
    }

    /// From now on every record is refused with this error; `None` takes them again.
    pub(crate) fn refuse(&self, refusal: Option<Error>) {
        let mut state = self.state.lock();
        self.refusing.store(refusal.is_some(), Ordering::Release);
        state.refusal = refusal;
    }

    /// Whether records are refused.
    pub(crate) fn is_refusing(&self) -> bool {
        self.check_taking().is_err()
    }

    /// Why records are refused, if they are.
    pub(crate) fn check_taking(&self) -> Result<()> {
        if !self.refusing.load(Ordering::Acquire) {
            return Ok(());
        }
        self.state.lock().check_taking()
    }

    fn sequence_validated_outside(
        &self,
        submission: Submission,
        purpose: Purpose,
    ) -> Result<Sequenced<Submission>> {
        let footprint = &submission.footprint;
        let checked = footprint.checked_keys();
        let from = {
            let mut state = self.state.lock();
            state.validating += 1;
            state.position
        };
        let confirmed = self.table.confirm(footprint, submission.snapshot);
        let mut state = self.state.lock();
        let mut overtaking = state.overtaking.iter().rev();
        let overtaken = overtaking.find_map(|(position, other)| {
            let key = other.set_keys().find(|key| checked.contains(*key))?;
            (from < *position).then_some(WriteConflict { winner: LogPosition(*position), key })
        });
        state.validating -= 1;
        if state.validating == 0 {
            state.overtaking = Vec::new();
        }
        confirmed?;
        if let Some(conflict) = overtaken {
            return Err(lost(conflict));
        }
        self.admit(state, submission, purpose)
    }

    /// Gives a record its position and queues it, if the log has room. Its former content is freed
    /// without the lock.
    fn admit(
        &self,
        mut state: MutexGuard<'_, State>,
        submission: Submission,
        purpose: Purpose,
    ) -> Result<Sequenced<Submission>> {
        state.check_taking()?;
        if submission.snapshot < state.owner_began {
            return Err(lost(WriteConflict { winner: LogPosition(state.owner_began), key: 0 }));
        }
        let bytes = submission.record.frame_bytes();
        if !self.has_room(bytes, purpose) {
            return Ok(Sequenced::NoRoom(submission, bytes));
        }
        non_blocking::begin_effect()?;
        let Submission { record, footprint, .. } = submission;
        self.table.set(&footprint, state.position + 1);
        let before = state.position;
        let (position, _used) = self.accept(&mut state, record);
        let mut footprint = Some(footprint);
        if state.validating != 0 {
            state.overtaking.extend(footprint.take().map(|footprint| (position, footprint)));
        }
        self.notify_log(state, before);
        Ok(Sequenced::At(position))
    }

    /// Notifies the log thread if the log had taken all records up to `before`, and there are more
    /// now; lets the lock go.
    fn notify_log(&self, state: MutexGuard<'_, State>, before: u64) {
        let is_first = before == state.taken_to && before != state.position;
        drop(state);
        if is_first {
            self.log_wakeup.notify();
        }
    }

    fn has_room(&self, bytes: u64, purpose: Purpose) -> bool {
        self.room.fits(bytes, purpose) || self.table.is_injected(Bug::RoomUnasked)
    }

    /// Queues a record at the next position. The returned buffers are to be freed without the lock.
    #[inline]
    fn accept(&self, state: &mut State, mut record: Record) -> (u64, (Record, Vec<u8>)) {
        state.position += 1;
        let position = state.position;
        self.room.note_accepted(record.frame_bytes());
        let payload = std::mem::take(&mut record.payload);
        let frame = record.frame(position, &payload);
        state.to_log.push(&frame);
        state.to_apply.push(&mut record, &frame);
        (position, (record, payload))
    }
}

impl State {
    fn after(position: u64) -> Self {
        Self { position, taken_to: position, ..Self::default() }
    }

    fn check_taking(&self) -> Result<()> {
        self.refusal.clone().map_or(Ok(()), Err)
    }
}

/// Another transaction was first.
pub(crate) fn lost(conflict: WriteConflict) -> Error {
    Error::new(ErrorKind::Conflict, "another transaction was first")
        .with_help("run the transaction again")
        .in_phase(Phase::Commit)
        .with_write_conflict(conflict)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use millrace_model::{Catalog, GraphId, VertexId};

    use super::*;
    use crate::commit::conflict::Mark;
    use crate::commit::frame::Effect;
    use crate::graph::Graphs;

    const GRAPH: GraphId = GraphId(1);

    fn sequencer() -> Sequencer {
        Sequencer::new(ConflictTable::new(16), LogRoom::plenty(), 10)
    }

    fn record() -> Record {
        let graph = Graphs::default().make(GRAPH, "graph", (Catalog::default(), 0), 0);
        Record::new(&graph, Effect::Lease(1)).unwrap()
    }

    fn submit(sequencer: &Sequencer, taken: &[Mark], snapshot: u64) -> Result<u64> {
        let mut footprint = Footprint::default();
        taken.iter().for_each(|mark| footprint.take(sequencer.table.key(GRAPH, *mark)));
        let submission = Submission { record: record(), footprint, snapshot };
        match sequencer.sequence(submission, Purpose::Change)? {
            Sequenced::At(position) => Ok(position),
            Sequenced::NoRoom(..) => panic!("there is room"),
        }
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
        let (mut to_log, mut to_apply) = (FrameBuffer::default(), ApplyQueue::default());
        sequencer.take_for_log(&mut to_log, false);
        sequencer.take_for_apply(&mut to_apply);
        assert_eq!(sequencer.room.unwritten(), to_log.bytes() as u64);
        assert_eq!(to_log.frames().map(|frame| frame.position).collect::<Vec<_>>(), [11, 12, 13]);
        let mut applied = Vec::new();
        let drained = to_apply.drain(|position, _| {
            applied.push(position);
            Ok(())
        });
        assert!(drained.is_ok());
        assert_eq!(applied, [11, 12, 13]);
    }

    #[test]
    fn the_log_is_notified_of_the_first_record_that_it_has_not_taken() {
        let sequencer = sequencer();
        let commit = || submit(&sequencer, &[], 10).unwrap();
        let notified = || sequencer.log_wakeup.wait(Some(Duration::ZERO));
        commit();
        assert!(notified(), "by the first");
        commit();
        assert!(!notified() && sequencer.waiting_for_log() == 2, "once for both");
        sequencer.take_for_log(&mut FrameBuffer::default(), false);
        assert_eq!(sequencer.waiting_for_log(), 0);
        commit();
        assert!(notified(), "by the first since");
    }

    #[test]
    fn a_commit_validated_outside_loses_to_one_before_it_and_wins_without_overlap() {
        let sequencer = sequencer();
        let many: Vec<Mark> =
            (1..20_000).map(|vertex| Mark::Edge(millrace_model::EdgeId(vertex))).collect();
        assert!(FOOTPRINT_ENTRIES_MAX < many.len());
        assert_eq!(submit(&sequencer, &[Mark::Written(VertexId(7))], 10), Ok(11));
        let claimed = Mark::Claim(5);
        assert_eq!(submit(&sequencer, &[claimed], 10), Ok(12));
        let with_claim: Vec<Mark> = many.iter().copied().chain([claimed]).collect();
        assert_eq!(kind(submit(&sequencer, &with_claim, 11)), ErrorKind::Conflict);
        assert_eq!(submit(&sequencer, &with_claim, 12), Ok(13));
        assert_eq!(kind(submit(&sequencer, &[many[77]], 12)), ErrorKind::Conflict);
    }

    #[test]
    fn a_commit_validated_outside_and_small_ones_that_overtake_it_never_both_win() {
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
                std::thread::sleep(Duration::from_micros(round * 150));
                submit(&other, &[contested], snapshot)
            });
            let large = submit(&sequencer, &many, snapshot);
            let small = small.join().unwrap();
            assert!(large.is_err() || small.is_err(), "both won in round {round}");
            assert!(large.is_ok() || small.is_ok(), "both lost in round {round}");
        }
    }

    #[test]
    fn what_the_log_has_no_room_for_comes_back_as_it_was_and_leaves_no_mark() {
        let sequencer = sequencer();
        sequencer.room.note_log(0, 0);
        let mut footprint = Footprint::default();
        footprint.take(sequencer.table.key(GRAPH, Mark::Claim(5)));
        let submission = Submission { record: record(), footprint, snapshot: 10 };
        let Ok(Sequenced::NoRoom(back, bytes)) = sequencer.sequence(submission, Purpose::Change)
        else {
            panic!("there is no room")
        };
        assert_eq!((bytes, sequencer.position()), (back.record.frame_bytes(), 10));
        let together = sequencer.sequence_together(vec![record(), record()], Purpose::Upkeep);
        let Ok(Sequenced::NoRoom(records, bytes)) = together else { panic!("there is no room") };
        assert_eq!((records.len(), bytes), (2, 2 * back.record.frame_bytes()));
        sequencer.room.note_log(1 << 40, 0);
        let together = sequencer.sequence_together(records, Purpose::Upkeep);
        assert!(matches!(together, Ok(Sequenced::At(12))));
        let behind = sequencer.sequence(back, Purpose::Change);
        assert!(matches!(behind, Ok(Sequenced::At(13))), "it met nobody");
    }

    #[test]
    fn what_read_before_an_owner_began_is_sent_back_and_may_be_run_again() {
        let sequencer = sequencer();
        assert_eq!(submit(&sequencer, &[Mark::Claim(1)], 10), Ok(11));
        let began = sequencer.sequence_owner(record(), Purpose::Upkeep).unwrap();
        assert!(matches!(began, Sequenced::At(12)));
        let back = submit(&sequencer, &[Mark::Claim(2)], 11).unwrap_err();
        assert_eq!(back.kind, ErrorKind::Conflict);
        assert_eq!(back.write_conflict.map(|conflict| conflict.winner), Some(LogPosition(12)));
        assert_eq!(submit(&sequencer, &[Mark::Claim(2)], 12), Ok(13));
    }

    #[test]
    fn a_refusal_holds_until_it_is_taken_back() {
        let sequencer = sequencer();
        sequencer.refuse(Some(Error::new(ErrorKind::ReadOnly, "full")));
        assert_eq!(kind(submit(&sequencer, &[], 10)), ErrorKind::ReadOnly);
        assert_eq!(sequencer.room.unwritten(), 0);
        sequencer.refuse(None);
        assert_eq!(submit(&sequencer, &[], 10), Ok(11));
    }
}
