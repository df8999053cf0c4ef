//! Work on a thread that must not block, such as one that serves sockets.
//!
//! The thread runs a small piece of work under [`try_run`]. A read that would have to load from a file, and
//! a commit that would have to wait, call [`would_block`] first; whatever lists rows calls [`walk`], for
//! which an attempt has a budget. Once either has failed, the attempt gives nothing, and the caller hands
//! the work to a thread that may block, which starts it anew.
//!
//! The mode belongs to the *thread*, because reads pass through many layers that know no request.
//! So nothing under an attempt continues on another thread. An attempt that gives nothing has had no
//! effect: a store calls [`begin_effect`] at the point from which a commit cannot fail any more.

use std::cell::Cell;
use std::ops::ControlFlow;

use millrace_model::{Error, ErrorKind, Result};

use crate::base::limits::NON_BLOCKING_ROWS_MAX;
use crate::reads::run::{Run, RunSink};

/// Whether this thread may block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It may.
    Blocking,
    /// It must not.
    NonBlocking,
    /// It must not, and a read would have had to.
    WouldBlock,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Blocking) };
    /// The rows that the attempt may still walk.
    static ROWS_LEFT: Cell<usize> = const { Cell::new(0) };
}

/// Lets the thread block again, also after a panic.
struct Attempt;

impl Drop for Attempt {
    fn drop(&mut self) {
        MODE.set(Mode::Blocking);
    }
}

/// Runs the work; `None` if it would have blocked, or walked more than [`NON_BLOCKING_ROWS_MAX`] rows.
pub fn try_run<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _attempt = Attempt;
    MODE.set(Mode::NonBlocking);
    ROWS_LEFT.set(NON_BLOCKING_ROWS_MAX);
    let result = work();
    (MODE.get() != Mode::WouldBlock).then_some(result)
}

/// Whether this thread must not block. Work that is shared with other threads asks first.
#[inline]
pub fn is_required() -> bool {
    MODE.get() != Mode::Blocking
}

/// Whether the attempt has failed already.
#[inline]
pub fn has_failed() -> bool {
    MODE.get() == Mode::WouldBlock
}

/// Fails if this thread must not block. The attempt then gives nothing, even if the caller drops
/// the error.
#[inline]
pub fn would_block() -> Result<()> {
    if !is_required() {
        return Ok(());
    }
    MODE.set(Mode::WouldBlock);
    Err(Error::new(ErrorKind::Unavailable, "this would block"))
}

/// Counts rows that are about to be walked. Fails like [`would_block`] if an attempt has walked too many.
#[inline]
pub fn walk(rows: usize) -> Result<()> {
    if !is_required() {
        return Ok(());
    }
    match ROWS_LEFT.get().checked_sub(rows) {
        Some(left) => {
            ROWS_LEFT.set(left);
            Ok(())
        }
        None => would_block(),
    }
}

/// Expands into a sink, with each run counted by [`walk`] before the sink takes it.
pub fn walk_runs(
    sink: &mut dyn RunSink,
    expand: impl FnOnce(&mut dyn RunSink) -> Result<()>,
) -> Result<()> {
    if !is_required() {
        return expand(sink);
    }
    let mut failed = None;
    expand(&mut |row: usize, run: Run<'_>| match walk(run.len() + 1) {
        Ok(()) => sink.run(row, run),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// Ends the demand, so that the attempt stands, whatever it does from here on. Fails if it would have
/// blocked already, even if that error was dropped: an effect then would happen twice.
pub fn begin_effect() -> Result<()> {
    if has_failed() {
        return would_block();
    }
    MODE.set(Mode::Blocking);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_would_wait_gives_nothing_even_if_the_error_is_lost() {
        assert_eq!(try_run(|| (7, is_required())), Some((7, true)));
        assert_eq!(try_run(|| would_block().is_err()), None);
        assert!(would_block().is_ok(), "outside anybody may wait");
        let panicked = std::panic::catch_unwind(|| try_run(|| panic!("in an attempt")));
        assert!(panicked.is_err() && would_block().is_ok(), "the demand ends with the attempt");
    }

    #[test]
    fn an_attempt_walks_so_many_rows_and_no_more() {
        assert_eq!(try_run(|| walk(NON_BLOCKING_ROWS_MAX).is_ok()), Some(true));
        let twice = || (walk(NON_BLOCKING_ROWS_MAX).is_ok(), walk(1).is_ok());
        assert_eq!(try_run(twice), None);
        assert!(walk(usize::MAX).is_ok(), "outside of an attempt there is no budget");
    }

    #[test]
    fn an_effect_stands_and_none_begins_once_the_attempt_has_failed() {
        assert_eq!(try_run(|| begin_effect().is_ok() && would_block().is_ok()), Some(true));
        let mut happened = false;
        let tried = try_run(|| {
            // Dropped, as a layer above may do.
            let _dropped = would_block();
            happened = begin_effect().is_ok();
        });
        assert_eq!((tried, happened), (None, false));
    }
}
