//! Work on a thread that must not block, such as one that serves sockets.
//!
//! The thread runs a small piece of work under [`try_run`]. A read that would have to load from a
//! file or look at many rows calls [`would_block`] first. The attempt then gives nothing, and the
//! caller hands the work to a thread that may block, which starts it anew.
//!
//! The mode belongs to the *thread*, because reads pass through many layers that know no request.
//! So nothing under an attempt continues on another thread, and an attempt has no effects.

use std::cell::Cell;

use millrace_model::{Error, ErrorKind, Result};

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
}

/// Lets the thread block again, also after a panic.
struct Attempt;

impl Drop for Attempt {
    fn drop(&mut self) {
        MODE.set(Mode::Blocking);
    }
}

/// Runs the work; `None` if it would have blocked.
pub fn try_run<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _attempt = Attempt;
    MODE.set(Mode::NonBlocking);
    let result = work();
    (MODE.get() != Mode::WouldBlock).then_some(result)
}

/// Whether this thread must not block. Work that is shared with other threads asks first.
#[inline]
pub fn is_required() -> bool {
    MODE.get() != Mode::Blocking
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
}
