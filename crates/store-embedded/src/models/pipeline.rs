//! The way of a commit from its position to visibility: two threads, and a waiting committer that
//! helps.

use std::path::Path;
use std::sync::{Arc, Weak};

use loom::thread;
use millrace_model::{Catalog, Error, ErrorKind, GraphId, Result};

use super::check;
use crate::base::options::{Durability, LogOptions, Options};
use crate::commit::{ApplyQueue, Effect, Pipeline, Pump, Purpose, Record, Stepped, Waiting};
use crate::folder::Folder;
use crate::graph::{Graph, Graphs};
use crate::io::Machine;
use crate::io::sim::SimDisk;
use crate::log::{Demand, recover};
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutant, is_injected};

const LOG: LogOptions =
    LogOptions { file_bytes: 64 << 10, first_file_bytes: 32 << 10, batch_bytes_max: 16 << 10 };

/// A pipeline on a simulated disk, with the state shared by its threads.
struct Open {
    pipeline: Pipeline,
    graph: Arc<Graph>,
    closing: AtomicBool,
}

impl Open {
    fn new() -> Arc<Open> {
        let Machine { disk, random, .. } = SimDisk::new(1).machine(1);
        let folder = Arc::new(Folder::open(disk, Path::new("/data")).unwrap());
        let recovered = recover(&folder, &random, LOG, Demand::from(1), &mut |_| Ok(())).unwrap();
        let graphs = Arc::new(Graphs::default());
        let graph = graphs.make(GraphId(1), "graph", (Catalog::default(), 0), 0);
        let options = Options { conflict_bits: 4, log: LOG, ..Options::default() };
        let settings = (Durability::Sync, &options);
        let pipeline = Pipeline::new(recovered.writer, graphs, settings, 0);
        let open = Arc::new(Open { pipeline, graph, closing: AtomicBool::new(false) });
        let pump: Weak<dyn Pump> = Arc::downgrade(&(Arc::clone(&open) as Arc<dyn Pump>));
        open.pipeline.progress.set_pump(pump);
        open
    }

    /// Orders a lease of ids; its end says later whether it was applied.
    fn lease(&self, end: u64) -> u64 {
        let record = Record::new(&self.graph, Effect::Lease(end)).unwrap();
        self.pipeline.sequence_together(vec![record], Purpose::Change, &|| Ok(())).unwrap()
    }

    /// A thread's loop, as in `commit::threads`.
    fn run(&self, step: impl Fn() -> Result<Stepped>, sleep: impl Fn()) {
        loop {
            let sequencer = &self.pipeline.sequencer;
            let closing = sequencer.is_refusing() && self.closing.load(Ordering::Acquire);
            match step().unwrap() {
                Stepped::Worked => {}
                Stepped::Idle if closing => return,
                Stepped::Idle => sleep(),
                Stepped::Full => panic!("the disk is large"),
            }
        }
    }

    fn log(&self) {
        let wakeup = &self.pipeline.sequencer.log_wakeup;
        let step = || {
            let stepped = self.pipeline.log_step();
            self.pipeline.apply_left();
            stepped
        };
        self.run(step, || _ = wakeup.wait(None));
    }

    fn apply(&self) {
        let wakeup = &self.pipeline.sequencer.apply_wakeup;
        self.run(|| self.pipeline.apply_step(), || _ = wakeup.wait(None));
    }

    /// Closes in the order of `Threads::join`.
    fn close(&self) {
        let sequencer = &self.pipeline.sequencer;
        self.closing.store(true, Ordering::Release);
        sequencer.refuse(Some(Error::new(ErrorKind::Unavailable, "the data folder is closing")));
        sequencer.log_wakeup.notify();
        sequencer.apply_wakeup.notify();
    }

    /// The mutant: takes waiting commits although another thread may be applying them.
    fn help_beside(&self) {
        let mut queue = ApplyQueue::default();
        self.pipeline.sequencer.take_for_apply(&mut queue);
        let drained = queue.drain(|position, waiting| {
            if let Waiting::Effect(effect) = waiting
                && let Effect::Lease(end) = effect.1
            {
                effect.0.leases.asked(position, end);
            }
            self.pipeline.progress.publish_applied(position);
            Ok(())
        });
        drained.unwrap();
    }
}

impl Pump for Open {
    fn has_threads(&self) -> bool {
        true
    }

    fn pump(&self) -> Result<bool> {
        unreachable!("there are threads")
    }

    fn help(&self) {
        if is_injected(Mutant::Step) { self.help_beside() } else { self.pipeline.help_apply() }
    }
}

/// A second commit comes while the first is written and applied; its committer waits, and applies
/// commits that no other thread is applying. Then the folder closes.
///
/// Could go wrong: two apply at once, so a position is visible before one below it is applied; the
/// last commit waits for a thread that sleeps; a thread sleeps through the closing. Mutants: the
/// helper takes waiting commits without the applier's lock; no fence; a wakeup wakes no thread.
#[test]
fn one_applies_at_a_time_and_no_commit_is_left_waiting() {
    fn model() {
        let open = Open::new();
        open.lease(200);
        let threads = [Open::log, Open::apply].map(|run| {
            let open = Arc::clone(&open);
            thread::spawn(move || run(&open))
        });
        let position = open.lease(100);
        open.pipeline.progress.wait_visible(position, None).unwrap();
        assert_eq!(open.graph.leases.leased_end(), 200, "visible, and the first is not applied");
        open.close();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
    let unapplied = "visible, and the first is not applied";
    let mutants =
        [(Mutant::Step, unapplied), (Mutant::NoFence, "deadlock"), (Mutant::NoWake, "deadlock")];
    check(model, &mutants);
}

/// The folder closes while a commit is on its way, and no thread waits for it.
///
/// Could go wrong: a thread ends before the commit is on disk and applied. Mutant: the threads are
/// woken before the reason is set.
#[test]
fn what_was_accepted_before_closing_is_written_and_applied() {
    fn model() {
        let open = Open::new();
        let threads = [Open::log, Open::apply].map(|run| {
            let open = Arc::clone(&open);
            thread::spawn(move || run(&open))
        });
        let position = open.lease(100);
        if is_injected(Mutant::Step) {
            open.pipeline.sequencer.log_wakeup.notify();
            open.pipeline.sequencer.apply_wakeup.notify();
            open.closing.store(true, Ordering::Release);
        } else {
            open.close();
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(open.pipeline.progress.visible(), position, "accepted, and lost");
    }
    check(model, &[(Mutant::Step, "deadlock")]);
}
