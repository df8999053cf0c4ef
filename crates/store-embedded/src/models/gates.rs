//! Id leases, admission to a disk that fills up, and the gate of definitions.

use std::ops::Range;
use std::sync::Arc;

use loom::thread;

use super::check;
use crate::base::commit_limits::SPACE_RESERVE_BYTES;
use crate::base::options::Durability;
use crate::commit::{Admission, Progress, Readers};
use crate::graph::SchemaLock;
use crate::ids::{BlockSize, Lease, Leases};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Mutant, Mutex, is_injected};

const SIZE: BlockSize = BlockSize { ids: 4, renew_percent: 25 };

/// A log in which leases are records: the ids up to the durable end are leased for good.
#[derive(Default)]
struct Log {
    /// The last position, and up to where ids are leased at it.
    written: Mutex<(u64, u64)>,
    durable: AtomicU64,
}

impl Log {
    /// Writes a record that leases up to `end`, which counts when it is durable.
    fn lease(&self, leases: &Leases, end: u64) {
        let mut written = self.written.lock();
        *written = (written.0 + 1, written.1.max(end));
        leases.asked(written.0, end);
        drop(written);
    }

    /// Makes the written records durable.
    fn sync(&self) {
        let position = self.written.lock().0;
        self.durable.fetch_max(position, Ordering::AcqRel);
    }
}

fn take_three(leases: &Leases, log: &Log) -> Vec<Range<u64>> {
    loop {
        let durable =
            if is_injected(Mutant::Step) { u64::MAX } else { log.durable.load(Ordering::Acquire) };
        match leases.take(3, SIZE, durable).unwrap() {
            Lease::Granted { ids, renew } => {
                let position = log.durable.load(Ordering::Acquire);
                let asked = leases.leased_end();
                assert!(ids.iter().all(|range| range.end <= asked), "beyond what was asked for");
                assert!(position != 0, "ids are given before any record is durable");
                renew.into_iter().for_each(|end| log.lease(leases, end));
                return ids;
            }
            Lease::Wait(_) => log.sync(),
            Lease::Ask(end) => log.lease(leases, end),
        }
    }
}

/// Two that create vertices take ids, and each may be the one that writes the record for more.
///
/// Could go wrong: an id is given twice, or before the record that leases it is durable, so that a
/// restart gives it again. Mutant: ids asked for count as durable.
#[test]
fn no_id_is_given_twice_nor_before_it_is_leased_for_good() {
    fn model() {
        let shared = Arc::new((Leases::behind(0), Log::default()));
        let other = Arc::clone(&shared);
        let other = thread::spawn(move || take_three(&other.0, &other.1));
        let mut ids: Vec<u64> = take_three(&shared.0, &shared.1).into_iter().flatten().collect();
        ids.extend(other.join().unwrap().into_iter().flatten());
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3, 4, 5, 6], "each id once");
    }
    check(model, &[(Mutant::Step, "before any record is durable")]);
}

/// A vertex is made and becomes visible while a reader registers.
///
/// Could go wrong: the reader sees a vertex that is not below its bound of ids. Mutants: the bound
/// is read before the position; no order.
#[test]
fn what_a_reader_sees_is_below_its_bound_of_ids() {
    fn model() {
        let leases = Arc::new(Leases::behind(0));
        leases.asked(1, 4);
        let progress = Arc::new(Progress::new(Durability::Async, 1));
        let writer = (Arc::clone(&leases), Arc::clone(&progress));
        let writer = thread::spawn(move || {
            writer.0.take(2, SIZE, 1).unwrap();
            writer.1.publish_applied(2);
        });
        let readers = Readers::default();
        let early = leases.bound();
        let position = readers.enter(&progress);
        let bound = if is_injected(Mutant::Step) { early } else { leases.bound() };
        assert!(position < 2 || 3 <= bound, "a vertex beyond the bound");
        writer.join().unwrap();
    }
    let beyond = "a vertex beyond the bound";
    check(model, &[(Mutant::Step, beyond), (Mutant::Relaxed, beyond)]);
}

/// A checkpoint notes that it will need much, and asks for a look at the disk; a committer looks.
///
/// Could go wrong: the look that was asked for judges by the need noted before, and no second look
/// follows. Mutants: no order; the look is asked for before the need is noted.
#[test]
fn a_look_at_the_disk_that_was_asked_for_knows_what_is_needed() {
    const LARGE: u64 = SPACE_RESERVE_BYTES * 10;
    fn model() {
        let admission = Arc::new(Admission::default());
        let other = Arc::clone(&admission);
        let other = thread::spawn(move || {
            if is_injected(Mutant::Step) {
                other.look_soon();
                other.note_pending(LARGE);
            } else {
                other.note_pending(LARGE);
                other.look_soon();
            }
        });
        let commit = || admission.check_space(0, 0, || Ok(LARGE));
        let before = commit();
        other.join().unwrap();
        assert!(before.is_err() || commit().is_err(), "a commit that finds no room is let in");
    }
    let let_in = "a commit that finds no room is let in";
    check(model, &[(Mutant::Relaxed, let_in), (Mutant::Step, let_in)]);
}

/// One schema change runs while two loads want to end.
///
/// Could go wrong: a load is overtaken by the schema change; a waiter is not woken. Mutants: no
/// waiter is woken; a load does not ask.
#[test]
fn a_schema_change_is_alone_and_everybody_behind_it_is_woken() {
    fn model() {
        let shared = Arc::new((SchemaLock::default(), AtomicU64::new(0)));
        let loads = [(); 2].map(|()| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let _leave = (!is_injected(Mutant::Step)).then(|| shared.0.shared());
                let before = shared.1.load(Ordering::Acquire);
                let after = shared.1.load(Ordering::Acquire);
                assert!(before == after && before != 1, "a load is overtaken");
            })
        });
        shared.0.enter();
        shared.1.store(1, Ordering::Release);
        shared.1.store(2, Ordering::Release);
        shared.0.leave();
        loads.into_iter().for_each(|load| load.join().unwrap());
    }
    check(model, &[(Mutant::NoWake, "deadlock"), (Mutant::Step, "a load is overtaken")]);
}
