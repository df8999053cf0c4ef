//! Work that must not wait: what a thread that serves others may do by itself.
//!
//! Such a thread tries a small piece of work under [`attempt`]. Whoever would have to read a file,
//! or to look at much, calls [`refuse`] first, and the attempt ends with nothing: the caller hands
//! the work to a thread that may wait, where it begins anew. What a reader would get wrong: the
//! demand is of the *thread*, since reads pass many that know no request; so nothing under an attempt
//! goes on in another thread, and an attempt has no effects.

use std::cell::Cell;

use millrace_model::{Error, ErrorKind, Result};

/// What is demanded of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// Nothing: it may wait.
    Nothing,
    /// That it does not wait.
    AtOnce,
    /// The same, and somebody would have had to.
    Refused,
}

thread_local! {
    static DEMAND: Cell<Demand> = const { Cell::new(Demand::Nothing) };
}

/// Ends the demand, also where the work panics.
struct Under;

impl Drop for Under {
    fn drop(&mut self) {
        DEMAND.set(Demand::Nothing);
    }
}

/// What the work gives; `None` if it would have had to wait.
pub fn attempt<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _under = Under;
    DEMAND.set(Demand::AtOnce);
    let given = work();
    (DEMAND.get() != Demand::Refused).then_some(given)
}

/// Whether this thread must not wait; for who would share its work with threads that know no demand.
#[inline]
pub fn is_demanded() -> bool {
    DEMAND.get() != Demand::Nothing
}

/// Fails where this thread must not wait; the attempt it is in gives nothing then, whatever becomes
/// of the error.
#[inline]
pub fn refuse() -> Result<()> {
    if !is_demanded() {
        return Ok(());
    }
    DEMAND.set(Demand::Refused);
    Err(Error::new(ErrorKind::Unavailable, "this cannot be done at once"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_would_wait_gives_nothing_even_if_the_error_is_lost() {
        assert_eq!(attempt(|| (7, is_demanded())), Some((7, true)));
        assert_eq!(attempt(|| refuse().is_err()), None);
        assert!(refuse().is_ok(), "outside anybody may wait");
        let panicked = std::panic::catch_unwind(|| attempt(|| panic!("in an attempt")));
        assert!(panicked.is_err() && refuse().is_ok(), "the demand ends with the attempt");
    }
}
