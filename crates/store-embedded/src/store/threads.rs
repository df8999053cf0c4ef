//! The threads: each calls a step in a loop and sleeps when there is nothing to do.
//!
//! Closing is orderly. New commits are refused first, then the log thread and the applier drain the
//! accepted records, so everything acknowledged, and everything that was on its way, is on disk and
//! applied when [`Threads::join`] returns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Phase, Result};

use crate::base::commit_limits::{FULL_RETRY_MS, HOUSEKEEPING_MS, IDLE_BATCH_MS};
use crate::checkpoint::OpenFolder;
use crate::commit::{Stepped, WakeUp};

/// The threads of an open folder.
pub(crate) struct Threads {
    open: Arc<OpenFolder>,
    wakeups: Arc<WakeUps>,
    drainers: Vec<JoinHandle<()>>,
    helpers: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct WakeUps {
    closing: AtomicBool,
    next_file: WakeUp,
}

impl Threads {
    /// Starts them.
    pub(crate) fn start(open: &Arc<OpenFolder>) -> Result<Threads> {
        let wakeups = Arc::new(WakeUps::default());
        let mut threads =
            Threads { open: Arc::clone(open), wakeups, drainers: Vec::new(), helpers: Vec::new() };
        let drainers: [(&str, Loop); 2] =
            [("millrace-log", log_loop), ("millrace-apply", apply_loop)];
        let helpers: [(&str, Loop); 2] =
            [("millrace-logfile", next_file_loop), ("millrace-check", checkpoint_loop)];
        if open.is_read_only() {
            let thread = threads.spawn("millrace-forget", forget_loop)?;
            threads.helpers.push(thread);
            return Ok(threads);
        }
        for (name, run) in drainers {
            let thread = threads.spawn(name, run)?;
            threads.drainers.push(thread);
        }
        for (name, run) in helpers {
            let thread = threads.spawn(name, run)?;
            threads.helpers.push(thread);
        }
        Ok(threads)
    }

    /// Ends them, in order.
    fn join(&mut self) {
        let open = &self.open;
        let closed = Error::new(ErrorKind::Unavailable, "the data folder is closing");
        // Helpers log records of their own, so they end first.
        self.wakeups.closing.store(true, Ordering::Release);
        open.checkpoints.wakeup.notify();
        self.wakeups.next_file.notify();
        self.helpers.drain(..).for_each(join_quietly);
        // Best effort: without it the next opening replays more.
        let _ = open.checkpoint_at_close();
        open.store_neighbours();
        open.pipeline.sequencer.refuse(Some(closed.in_phase(Phase::Commit)));
        open.pipeline.sequencer.log_wakeup.notify();
        open.pipeline.sequencer.apply_wakeup.notify();
        self.drainers.drain(..).for_each(join_quietly);
        // Best effort: without it some ids and some room are lost, as in a crash.
        let _ = open.give_back();
        open.pipeline.progress.stop();
    }

    fn spawn(&self, name: &str, run: Loop) -> Result<JoinHandle<()>> {
        let (open, wakeups) = (Arc::clone(&self.open), Arc::clone(&self.wakeups));
        let thread = std::thread::Builder::new().name(name.to_string());
        thread.spawn(move || run(&open, &wakeups)).map_err(|error| {
            Error::new(ErrorKind::Unavailable, format!("cannot start a thread: {error}"))
        })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.join();
    }
}

type Loop = fn(&OpenFolder, &WakeUps);

fn log_loop(open: &OpenFolder, wakeups: &WakeUps) {
    let pipeline = &open.pipeline;
    loop {
        // Asked first: what came before closing is drained.
        let closing = pipeline.sequencer.is_refusing() && wakeups.closing.load(Ordering::Acquire);
        if let Some(delay) = pipeline.group_commit_delay()
            && !closing
        {
            std::thread::sleep(delay);
        }
        let began_ns = open.machine.clock.monotonic_ns();
        let stepped = pipeline.log_step();
        let wrote_ns = open.machine.clock.monotonic_ns() - began_ns;
        pipeline.apply_left();
        match stepped {
            Ok(Stepped::Worked) => {
                pipeline.write_times.note(wrote_ns);
                open.folder.watch().note_sync(wrote_ns, began_ns + wrote_ns);
                open.folder.pacer().note_log_sync();
                if pipeline.next_file_due() {
                    wakeups.next_file.notify();
                }
            }
            Ok(Stepped::Idle) if closing => return,
            Ok(Stepped::Idle) => {
                let notified =
                    pipeline.sequencer.log_wakeup.wait(Some(Duration::from_millis(IDLE_BATCH_MS)));
                if !notified && !idle(open) {
                    return;
                }
            }
            Ok(Stepped::Full) if closing => return,
            Ok(Stepped::Full) => std::thread::sleep(Duration::from_millis(FULL_RETRY_MS)),
            Err(error) => {
                open.folder.watch().note_task("the commit log", &Err::<(), _>(error));
                return;
            }
        }
    }
}

/// Vouches for the last batch, then sleeps for good until there is something to write.
fn idle(open: &OpenFolder) -> bool {
    match open.pipeline.idle_step() {
        Ok(Stepped::Worked) => true,
        Ok(Stepped::Idle | Stepped::Full) => {
            open.pipeline.sequencer.log_wakeup.wait(None);
            // The notification was taken here, but the queue says the same.
            true
        }
        Err(_) => false,
    }
}

fn apply_loop(open: &OpenFolder, wakeups: &WakeUps) {
    let pipeline = &open.pipeline;
    loop {
        let closing = pipeline.sequencer.is_refusing() && wakeups.closing.load(Ordering::Acquire);
        match pipeline.apply_step() {
            Ok(Stepped::Worked | Stepped::Full) => {}
            Ok(Stepped::Idle) if closing => return,
            Ok(Stepped::Idle) => {
                pipeline.sequencer.apply_wakeup.wait(None);
            }
            Err(error) => {
                open.folder.watch().note_task("applying commits", &Err::<(), _>(error));
                return;
            }
        }
    }
}

fn next_file_loop(open: &OpenFolder, wakeups: &WakeUps) {
    while !wakeups.closing.load(Ordering::Acquire) {
        // An error leaves the log to help itself when the file is full. Until there is room again,
        // no other commit is let in.
        let outcome = open.pipeline.next_file_step();
        open.folder.watch().note_task("the next file of the commit log", &outcome);
        let failed = outcome.is_err();
        if failed {
            open.look_at_space();
        }
        wakeups.next_file.wait(failed.then(|| Duration::from_millis(FULL_RETRY_MS)));
    }
}

fn checkpoint_loop(open: &OpenFolder, wakeups: &WakeUps) {
    while !wakeups.closing.load(Ordering::Acquire) {
        open.checkpoints.wakeup.wait(Some(Duration::from_millis(HOUSEKEEPING_MS)));
        if wakeups.closing.load(Ordering::Acquire) {
            return;
        }
        open.forget();
        open.look_at_space();
        open.retry_room();
        open.take_back_left();
        open.note_refusal();
        if open.checkpoint_due() {
            // After an error the old segments hold and the log keeps growing; admission slows
            // writers, and the next look tries again.
            let outcome = open.checkpoint();
            open.folder.watch().note_task("a checkpoint", &outcome);
            open.checkpoints.note_outcome(outcome);
        } else {
            let _running = open.lock_checkpoints();
            open.store_neighbours();
        }
    }
}

/// The housekeeping of a folder that is open to be read only: memory is given back.
fn forget_loop(open: &OpenFolder, wakeups: &WakeUps) {
    while !wakeups.closing.load(Ordering::Acquire) {
        open.checkpoints.wakeup.wait(Some(Duration::from_millis(HOUSEKEEPING_MS)));
        open.forget();
    }
}

fn join_quietly(thread: JoinHandle<()>) {
    // A thread that panicked has said so on the standard error; closing goes on.
    let _ = thread.join();
}
