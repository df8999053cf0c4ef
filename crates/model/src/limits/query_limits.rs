//! Deadline, cancelling and memory bound of the query that a thread works for.
//!
//! Long loops are in places that know no query: a scalar function over one huge value, the comparison
//! of candidates of an index. They call [`step`] for each piece of their work, and [`require_room`]
//! before a value that may be large grows. The engine puts the limits of a run in force for its thread
//! ([`enforce`]); without any both succeed. An error of either is to be returned at once.
//!
//! A loop that cannot fail, such as a sort or a hash, asks [`is_over`] instead and ends with any result:
//! the error is kept, and raised by the next question, at the latest by [`Enforced::finish`]. So is one that a
//! caller dropped, as a conversion does that gives null where it fails.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use crate::errors::error::{Error, Result};
use crate::values::value::Value;

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

    /// Fails like [`QueryLimits::check`], and on a thread that must not do work of many milliseconds.
    fn begin_long_work(&self) -> Result<()> {
        self.check()
    }
}

thread_local! {
    static IN_FORCE: RefCell<Option<Arc<dyn QueryLimits>>> = const { RefCell::new(None) };
    /// Units of work since the last look.
    static UNITS: Cell<u64> = const { Cell::new(0) };
    /// The error that a loop which cannot fail has met.
    static KEPT: RefCell<Option<Error>> = const { RefCell::new(None) };
    static IS_OVER: Cell<bool> = const { Cell::new(false) };
}

/// Limits in force for the thread until this is dropped; then those of before are again.
#[must_use]
pub struct Enforced {
    before: Option<Arc<dyn QueryLimits>>,
    kept_before: Option<Error>,
    /// It belongs to its thread.
    thread: PhantomData<*const ()>,
}

impl Drop for Enforced {
    fn drop(&mut self) {
        IN_FORCE.set(self.before.take());
        keep(self.kept_before.take());
    }
}

impl Enforced {
    /// Raises the error that is kept.
    pub fn finish(&self) -> Result<()> {
        raise()
    }
}

fn keep(error: Option<Error>) -> Option<Error> {
    IS_OVER.set(error.is_some());
    KEPT.replace(error)
}

/// Puts the limits of a query in force for this thread.
pub fn enforce(limits: Arc<dyn QueryLimits>) -> Enforced {
    let before = IN_FORCE.replace(Some(limits));
    Enforced { before, kept_before: keep(None), thread: PhantomData }
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
    raise()?;
    // Kept, since a caller may take any error for one of its value, and go on without it.
    ask(|limits| limits.check()).inspect_err(|error| drop(keep(Some(error.clone()))))
}

/// Fails once the query has ended, and on a thread that serves others meanwhile: asked in front of each piece of work that
/// takes many milliseconds and knows no step, such as the hash of a password.
pub fn begin_long_work() -> Result<()> {
    UNITS.set(0);
    raise()?;
    ask(|limits| limits.begin_long_work()).inspect_err(|error| drop(keep(Some(error.clone()))))
}

/// Counts units of work like [`step`]; whether there is nothing more to do, as the query has ended.
#[inline]
pub fn is_over(units: u64) -> bool {
    if IS_OVER.get() {
        return true;
    }
    step(units).is_err()
}

/// About how much work it is to look at all of a value, by its first entries.
pub fn work_of(value: &Value) -> u64 {
    let below = |entries: &[Value]| {
        let looked_at = entries.len().min(ENTRIES_LOOKED_AT);
        let units: u64 = entries[..looked_at].iter().map(work_of_entry).sum();
        entries.len() as u64 * units.max(1) / looked_at.max(1) as u64
    };
    match value {
        Value::List(entries) | Value::Set(entries) => below(entries) + 1,
        Value::Map(pairs) => pairs.iter().map(|(_, value)| 1 + work_of_entry(value)).sum(),
        other => work_of_entry(other),
    }
}

/// Entries of a list by which its size is judged.
const ENTRIES_LOOKED_AT: usize = 4;

/// The same of a value alone.
fn work_of_entry(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64 / UNIT_BYTES + 1,
        Value::Bytes(bytes) => bytes.len() as u64 / UNIT_BYTES + 1,
        Value::List(entries) | Value::Set(entries) => entries.len() as u64 + 1,
        Value::Map(pairs) => pairs.len() as u64 + 1,
        Value::Vector(numbers) => numbers.len() as u64 * 4 / UNIT_BYTES + 1,
        Value::Path(path) => path.len() as u64 + 1,
        Value::Geometry(shape) => shape.point_count() as u64 * 16 / UNIT_BYTES + 1,
        _ => 1,
    }
}

/// Puts items in order like `slice::sort_by`. The comparison says how many units of work it is; after an error
/// the items are in any order.
pub fn sort_by<T>(
    items: &mut [T],
    compare: impl Fn(&T, &T) -> Ordering,
    units: impl Fn(&T, &T) -> u64,
) -> Result<()> {
    stoppable(|| items.sort_by(stopping(compare, units)))
}

/// Puts the first so many items in front, in any order, like `slice::select_nth_unstable_by`. The comparison says how
/// many units of work it is.
pub fn select_by<T>(
    items: &mut [T],
    count: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    units: impl Fn(&T, &T) -> u64,
) -> Result<()> {
    stoppable(|| {
        items.select_nth_unstable_by(count, stopping(compare, units));
    })
}

/// A comparison that stops the work around it when the query has ended.
fn stopping<T>(
    compare: impl Fn(&T, &T) -> Ordering,
    units: impl Fn(&T, &T) -> u64,
) -> impl Fn(&T, &T) -> Ordering {
    move |left, right| {
        if let Err(error) = step(units(left, right)) {
            stop(error);
        }
        compare(left, right)
    }
}

/// Runs work that ends where something in it calls [`stop`], on this thread or on one that it waits for: a sort
/// asks its order, and has no other way to end early.
pub fn stoppable<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Stopped>() {
        Ok(stopped) => stopped.0,
        Err(payload) => resume_unwind(payload),
    })
}

/// Ends the work of the nearest [`stoppable`] with an error.
pub fn stop(error: Error) -> ! {
    resume_unwind(Box::new(Stopped(error)))
}

struct Stopped(Error);

/// Whether a look at the limits is due, on a thread of a pool where none are in force.
#[inline]
pub fn is_due(units: u64) -> bool {
    let done = UNITS.get().saturating_add(units);
    let is_due = UNITS_PER_CHECK <= done;
    UNITS.set(if is_due { 0 } else { done });
    is_due
}

#[cold]
fn raise() -> Result<()> {
    if IS_OVER.get() { KEPT.with_borrow(Clone::clone).map_or(Ok(()), Err) } else { Ok(()) }
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
    use crate::errors::error::{Error, ErrorKind};

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
    fn each_piece_of_long_work_is_a_look() {
        assert!(begin_long_work().is_ok(), "no limits");
        let limits = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
        assert!(step(1).is_ok());
        assert_eq!(begin_long_work().unwrap_err().kind, ErrorKind::Cancelled);
        assert!(limits.finish().is_err(), "also where the caller drops the error");
    }

    #[test]
    fn a_loop_that_cannot_fail_leaves_its_error_to_the_next_question() {
        let limits = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
        assert!(!is_over(1) && limits.finish().is_ok());
        assert!(is_over(UNITS_PER_CHECK) && is_over(0));
        assert!(limits.finish().is_err() && step(UNITS_PER_CHECK).is_err());
        drop(limits);
        assert!(!is_over(UNITS_PER_CHECK));
    }

    #[test]
    fn a_sort_ends_where_the_query_does() {
        let mut items: Vec<u64> = (0..UNITS_PER_CHECK).rev().collect();
        sort_by(&mut items, u64::cmp, |_, _| 1).expect("no limits");
        assert!(items.is_sorted());
        items.sort_by_key(|item| item.wrapping_mul(7_919) % 1_000);
        let _limits = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
        let error = sort_by(&mut items, u64::cmp, |_, _| 1).expect_err("cancelled");
        assert_eq!(error.kind, ErrorKind::Cancelled);
    }

    #[test]
    fn a_step_of_many_units_is_a_look() {
        let _limits = enforce(Arc::new(Refusing(ErrorKind::Cancelled)));
        assert!(step(UNITS_PER_CHECK).is_err());
        assert!(step_bytes(1 << 30).is_err());
    }
}
