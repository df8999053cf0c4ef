//! Work that calls itself once for each level of a nested text or plan, on a stack that has room for it.
//!
//! Stacks are as long as a thread was made with, and the end of one ends the process. So where people may nest
//! hundreds of levels, the work gets a stack of its own, which is given back behind it.

/// Levels for which every thread has room.
pub const LEVELS_UNASKED_MAX: usize = 100;

/// Bytes of stack that a level may take, in any pass over a text or a plan, without optimization.
const LEVEL_BYTES: usize = 24 << 10;

/// Bytes that must be free for one level of a text that is being read.
const FREE_BYTES_MIN: usize = 128 << 10;

/// Bytes by which a stack grows while a text is read.
const GROWTH_BYTES: usize = 4 << 20;

/// Does work that goes so many levels deep.
pub fn with_levels<T>(levels: usize, work: impl FnOnce() -> T) -> T {
    if levels <= LEVELS_UNASKED_MAX {
        return work();
    }
    let bytes = levels * LEVEL_BYTES;
    stacker::maybe_grow(bytes, bytes, work)
}

/// Does work that is one level deeper, whose last level is not known yet.
pub fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(FREE_BYTES_MIN, GROWTH_BYTES, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Takes more than a kibibyte of stack for each level.
    fn go(level: usize, call: &dyn Fn(&dyn Fn() -> usize) -> usize) -> usize {
        let bytes = black_box([level as u8; 1 << 10]);
        match level {
            0 => usize::from(bytes[0]),
            _ => 1 + call(&|| go(level - 1, call)),
        }
    }

    #[test]
    fn work_deeper_than_the_stack_of_its_thread_is_done() {
        let on_a_small_stack = |work: fn() -> usize| {
            let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work);
            thread.expect("it starts").join().expect("the stack suffices")
        };
        let known = || with_levels(5_000, || go(5_000, &|work| work()));
        assert_eq!(on_a_small_stack(known), 5_000);
        let unknown = || go(20_000, &|work| deeper(work));
        assert_eq!(on_a_small_stack(unknown), 20_000);
    }
}
