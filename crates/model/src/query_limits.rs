//! Deadline, cancelling and memory bound of the query that a thread works for.
//!
//! Long loops are in places that know no query: a scalar function over one huge value, the comparison
//! of candidates of an index. They call [`step`] for each piece of their work, and [`require_room`]
//! before a value that may be large grows. The engine puts the limits of a run in force for its thread
//! ([`enforce`]); without any both succeed. An error of either is to be returned at once.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::Result;

/// Units of work between two looks at the limits. A unit is about as much work as the comparison of two
/// short values: so there are some milliseconds between two looks, and a look costs nothing against them.
pub const UNITS_PER_CHECK: u64 = 1 << 14;

/// Bytes of text that are one unit of work.
pub const UNIT_BYTES: u64 = 32;

/// Bytes that a value takes without a question: nothing is refused for so few.
const BYTES_UNASKED_MAX: u64 = 1 << 16;

/// What a query may take.
pub trait QueryLimits: Send + Sync {
    /// Fails once the query was cancelled or its time is up.
    fn check(&self) -> Result<()>;

    /// Fails where so many bytes more are over its memory bound; holds none of them.
    fn require_room(&self, bytes: u64) -> Result<()>;
}

thread_local! {
    static IN_FORCE: RefCell<Option<Arc<dyn QueryLimits>>> = const { RefCell::new(None) };
    /// Units of work since the last look.
    static UNITS: Cell<u64> = const { Cell::new(0) };
}

/// Limits in force for the thread until this is dropped; then those of before are again.
#[must_use]
pub struct Enforced {
    before: Option<Arc<dyn QueryLimits>>,
    /// It belongs to its thread.
    thread: PhantomData<*const ()>,
}

impl Drop for Enforced {
    fn drop(&mut self) {
        IN_FORCE.with_borrow_mut(|limits| *limits = self.before.take());
    }
}

/// Puts the limits of a query in force for this thread.
pub fn enforce(limits: Arc<dyn QueryLimits>) -> Enforced {
    let before = IN_FORCE.replace(Some(limits));
    Enforced { before, thread: PhantomData }
}

/// Counts units of work, done or about to be done; looks at deadline and cancelling every
/// [`UNITS_PER_CHECK`].
#[inline]
pub fn step(units: u64) -> Result<()> {
    let done = UNITS.get().saturating_add(units);
    if done < UNITS_PER_CHECK {
        UNITS.set(done);
        return Ok(());
    }
    UNITS.set(0);
    ask(|limits| limits.check())
}

/// Counts the work on so many bytes.
#[inline]
pub fn step_bytes(bytes: usize) -> Result<()> {
    step(bytes as u64 / UNIT_BYTES + 1)
}

/// Fails where so many bytes more are over the memory bound of the query.
#[inline]
pub fn require_room(bytes: u64) -> Result<()> {
    if bytes <= BYTES_UNASKED_MAX { Ok(()) } else { ask(|limits| limits.require_room(bytes)) }
}

#[cold]
fn ask(question: impl FnOnce(&dyn QueryLimits) -> Result<()>) -> Result<()> {
    // Not under the borrow: a look may run anything.
    let limits = IN_FORCE.with_borrow(Clone::clone);
    limits.map_or(Ok(()), |limits| question(&*limits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};

    struct Refusing(ErrorKind);

    impl QueryLimits for Refusing {
        fn check(&self) -> Result<()> {
            Err(Error::new(self.0, "enough"))
        }

        fn require_room(&self, bytes: u64) -> Result<()> {
            if bytes < 1 << 20 { Ok(()) } else { self.check() }
        }
    }

    fn works_on() -> Result<()> {
        (0..=UNITS_PER_CHECK).try_for_each(|_| step(1))
    }

    #[test]
    fn the_innermost_limits_are_in_force_until_they_end() {
        assert!(works_on().is_ok() && require_room(u64::MAX).is_ok());
        let kind = || works_on().unwrap_err().kind;
        {
            let _outer = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
            assert_eq!(kind(), ErrorKind::Cancelled);
            {
                let _inner = enforce(Arc::new(Refusing(ErrorKind::DeadlineExceeded)));
                assert_eq!(kind(), ErrorKind::DeadlineExceeded);
            }
            assert_eq!(kind(), ErrorKind::Cancelled);
            assert!(require_room(1 << 19).is_ok() && require_room(1 << 20).is_err());
        }
        assert!(works_on().is_ok());
    }

    #[test]
    fn one_large_step_is_a_look() {
        let _limits = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
        assert!(step(UNITS_PER_CHECK).is_err());
        assert!(step_bytes(1 << 30).is_err());
    }
}
