//! The wakeup, the watermark, the registry of readers, and which commit wins in the sequencer.

use std::sync::Arc;

use loom::thread::{self, JoinHandle};
use millrace_model::{Catalog, ErrorKind, GraphId, Result, VertexId};

use super::check;
use crate::base::options::Durability;
use crate::commit::{
    ConflictTable, Effect, Footprint, LogRoom, Mark, Progress, Purpose, Readers, Record, Sequenced,
    Sequencer, Submission, WakeUp,
};
use crate::graph::{Graph, Graphs};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Mutant, Mutex, is_injected};

const LOST: &str = "deadlock";

/// A worker takes items that two others put in a queue, and sleeps in between.
///
/// Could go wrong: a notification is lost, and the worker sleeps beside a full queue. Mutants: the
/// condition is not notified; the wakeup is notified before there is anything to take.
#[test]
fn a_wakeup_loses_no_notification() {
    fn put(queue: &Mutex<u32>, wakeup: &WakeUp) {
        if is_injected(Mutant::Step) {
            wakeup.notify();
            *queue.lock() += 1;
            return;
        }
        *queue.lock() += 1;
        wakeup.notify();
    }
    fn model() {
        let shared = Arc::new((Mutex::new(0), WakeUp::default()));
        let others = [(); 2].map(|()| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || put(&shared.0, &shared.1))
        });
        let mut taken = 0;
        while taken != 2 {
            let some = std::mem::take(&mut *shared.0.lock());
            taken += some;
            if some == 0 {
                shared.1.wait(None);
            }
        }
        others.into_iter().for_each(|other| other.join().unwrap());
    }
    check(model, &[(Mutant::NoWake, LOST), (Mutant::Step, LOST)]);
}

fn wait_for(progress: &Arc<Progress>, content: &Arc<AtomicU64>, position: u64) -> JoinHandle<()> {
    let (progress, content) = (Arc::clone(progress), Arc::clone(content));
    thread::spawn(move || {
        progress.wait_visible(position, None).unwrap();
        assert!(position <= content.load(Ordering::Relaxed), "a position without its content");
    })
}

/// The log thread publishes the durable position and the applier the applied one, while two wait
/// for different positions; then all is visible.
///
/// Could go wrong: a waiter misses the move it waits for; each of the two sees only its own move,
/// so neither makes the position visible; a position is seen before its content. Mutants: no
/// fence; one waiter is woken, not all; no order.
#[test]
fn the_watermark_wakes_waiters_and_shows_applied_commits() {
    fn model() {
        let progress = Arc::new(Progress::new(Durability::Sync, 0));
        let content = Arc::new(AtomicU64::new(0));
        let waiters = [1, 2].map(|position| wait_for(&progress, &content, position));
        let log = Arc::clone(&progress);
        let log = thread::spawn(move || log.publish_durable(2));
        for position in 1..=2 {
            content.store(position, Ordering::Relaxed);
            progress.publish_applied(position);
        }
        log.join().unwrap();
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
        assert_eq!(progress.visible(), 2);
    }
    let unseen = "a position without its content";
    check(model, &[(Mutant::NoFence, LOST), (Mutant::OneForAll, LOST), (Mutant::Relaxed, unseen)]);
}

/// The log and the applier move the watermark while a reader looks at it again and again.
///
/// Could go wrong: visible falls, or is ahead of durable or applied. Mutant: the applier stores a
/// value that it computed before the log moved.
#[test]
fn the_watermark_never_falls_and_is_ahead_of_nothing() {
    fn model() {
        let progress = Arc::new(Progress::new(Durability::Sync, 0));
        let (log, applier) = (Arc::clone(&progress), Arc::clone(&progress));
        let log = thread::spawn(move || {
            log.publish_durable(1);
            log.publish_durable(3);
        });
        let applier = thread::spawn(move || {
            applier.publish_applied(2);
            applier.publish_applied(3);
        });
        let first = progress.visible();
        let bounds = (progress.durable(), progress.applied());
        let second = if is_injected(Mutant::Step) { 0 } else { progress.visible() };
        assert!(first <= bounds.0.min(bounds.1), "visible is ahead");
        assert!(first <= second, "visible fell");
        log.join().unwrap();
        applier.join().unwrap();
        assert_eq!(progress.visible(), 3, "all is visible in the end");
    }
    check(model, &[(Mutant::NoFence, "all is visible in the end"), (Mutant::Step, "visible fell")]);
}

/// The log fails while two wait for commits that it did not write.
///
/// Could go wrong: a waiter sleeps for good. Mutant: one is woken, not all.
#[test]
fn a_failed_log_wakes_everybody() {
    fn model() {
        let progress = Arc::new(Progress::new(Durability::Sync, 0));
        let waiters = [1, 2].map(|position| {
            let progress = Arc::clone(&progress);
            thread::spawn(move || {
                let error = progress.wait_visible(position, None).unwrap_err();
                assert_eq!(error.kind, ErrorKind::OutcomeUnknown);
            })
        });
        progress.fail(&millrace_model::Error::new(ErrorKind::Io, "the sync failed"));
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
    }
    check(model, &[(Mutant::OneForAll, LOST)]);
}

/// A reader registers and reads the newest of three versions, while others make new ones and free
/// those that no registered reader takes.
///
/// Could go wrong: the version is freed between the moment the position is read and the moment the
/// reader is registered. Mutant: just that.
#[test]
fn a_version_is_not_freed_under_a_reader_that_registers() {
    fn read(progress: &Progress, readers: &Readers, freed_below: &AtomicU64) {
        let early = progress.visible();
        let entered = readers.enter(progress);
        let position = if is_injected(Mutant::Step) { early } else { entered };
        let freed = freed_below.load(Ordering::SeqCst);
        assert!(freed <= position, "what a reader takes is freed");
        readers.leave(entered);
    }
    fn model() {
        let progress = Arc::new(Progress::new(Durability::Async, 1));
        let (readers, freed) = (Arc::new(Readers::default()), Arc::new(AtomicU64::new(0)));
        let others = [(); 2].map(|()| {
            let (progress, readers) = (Arc::clone(&progress), Arc::clone(&readers));
            let freed = Arc::clone(&freed);
            thread::spawn(move || read(&progress, &readers, &freed))
        });
        for position in 2..=3 {
            progress.publish_durable(position);
            progress.publish_applied(position);
            let oldest = readers.pinned(&progress).oldest().0;
            freed.fetch_max(oldest, Ordering::SeqCst);
        }
        others.into_iter().for_each(|other| other.join().unwrap());
        assert_eq!(readers.len(), 0);
    }
    check(model, &[(Mutant::Step, "what a reader takes is freed")]);
}

const GRAPH: GraphId = GraphId(1);

fn sequencer() -> (Arc<Sequencer>, Arc<Graph>) {
    let graph = Graphs::default().make(GRAPH, "graph", (Catalog::default(), 0), 0);
    (Arc::new(Sequencer::new(ConflictTable::new(4), LogRoom::plenty(), 10)), graph)
}

/// Commits a transaction that takes these marks and read at position 10. The mutant judges before
/// the lock only.
fn submit(sequencer: &Sequencer, graph: &Arc<Graph>, marks: &[Mark]) -> Result<u64> {
    let record = Record::new(graph, Effect::Lease(1)).unwrap();
    let (mut judged, mut unjudged) = (Footprint::default(), Footprint::default());
    for mark in marks {
        let key = sequencer.table.key(GRAPH, *mark);
        judged.take(key);
        unjudged.set(key);
    }
    let mut footprint = judged;
    if is_injected(Mutant::Step) {
        sequencer.table.confirm(&footprint, 10)?;
        footprint = unjudged;
    }
    let submission = Submission { record, footprint, snapshot: 10 };
    match sequencer.sequence(submission, Purpose::Change)? {
        Sequenced::At(position) => Ok(position),
        Sequenced::NoRoom(..) => unreachable!("there is plenty"),
    }
}

fn compete(left: &'static [Mark], right: &'static [Mark]) {
    let (sequencer, graph) = sequencer();
    let other = (Arc::clone(&sequencer), Arc::clone(&graph));
    let other = thread::spawn(move || submit(&other.0, &other.1, right));
    let mine = submit(&sequencer, &graph, left);
    let other = other.join().unwrap();
    assert!(mine.is_err() || other.is_err(), "both won");
    assert_eq!(mine.or(other), Ok(11), "both lost");
}

/// Two commits that read at one position change one thing.
///
/// Could go wrong: both win, for each looked at a cell that the other had not set yet; both lose.
/// Mutant: they are judged before they have the lock only.
#[test]
fn of_two_commits_that_meet_one_wins() {
    const MARK: &[Mark] = &[Mark::Written(VertexId(7))];
    check(|| compete(MARK, MARK), &[(Mutant::Step, "both won")]);
}

/// The same of an out-of-line commit, which is judged outside of the lock, and a small one that
/// overtakes it. (Here a commit of more than two marks is large.)
#[test]
fn of_an_out_of_line_commit_and_one_that_overtakes_it_one_wins() {
    const LARGE: &[Mark] = &[
        Mark::Written(VertexId(1)),
        Mark::Written(VertexId(2)),
        Mark::Written(VertexId(3)),
        Mark::Claim(9),
    ];
    check(|| compete(LARGE, &[Mark::Claim(9)]), &[(Mutant::Step, "both won")]);
}
