//! The memory of a load: a share of the store's budget, taken before blocks are parsed and as the
//! graph in memory grows.

use super::Block;
use crate::error::LoadError;
use crate::limits::{BLOCK_CELL_BYTES, PARSING_MEMORY_SHARE};
use millrace_model::{Error, MemoryBudget, MemoryShare, Reservation};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The blocks that are read and not consumed yet.
pub(crate) struct Parsing {
    budget: MemoryBudget,
    /// Their bytes.
    parsed: Mutex<u64>,
    fewer: Condvar,
}

/// The memory of one of these blocks until it is consumed.
pub(crate) struct Ahead {
    parsing: Arc<Parsing>,
    reservation: Reservation,
}

impl Parsing {
    pub(crate) fn of(budget: &MemoryBudget) -> Arc<Parsing> {
        Arc::new(Parsing { budget: budget.clone(), parsed: Mutex::new(0), fewer: Condvar::new() })
    }

    /// Takes the memory of a block and of what parsing makes of it. Waits while the blocks before it
    /// hold too much.
    pub(crate) fn admit(self: &Arc<Self>, block: &Block) -> Result<Ahead, LoadError> {
        let (bytes, most) = (parsed_bytes(block), self.budget.bytes_max() / PARSING_MEMORY_SHARE);
        let mut parsed = self.parsed();
        while *parsed != 0 && most < parsed.saturating_add(bytes) {
            parsed = self.fewer.wait(parsed).unwrap_or_else(PoisonError::into_inner);
        }
        let reservation = self.budget.reserve(bytes).map_err(limit)?;
        *parsed += bytes;
        drop(parsed);
        Ok(Ahead { parsing: Arc::clone(self), reservation })
    }

    fn parsed(&self) -> MutexGuard<'_, u64> {
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        *self.parsing.parsed() -= self.reservation.bytes();
        self.parsing.fewer.notify_all();
    }
}

/// Bytes of a block and of its values, about: each is behind a delimiter or on a line, whatever the format.
pub(crate) fn parsed_bytes(block: &Block) -> u64 {
    let is_delimiter = |byte: &&u8| matches!(**byte, b',' | b';' | b'\t' | b'|' | b'[' | b'\n');
    let delimiters = block.bytes.iter().filter(is_delimiter).count() as u64;
    2 * block.bytes.len() as u64 + delimiters * BLOCK_CELL_BYTES
}

/// Takes what a load holds, in all.
pub(crate) fn hold(share: &MemoryShare, bytes: u64) -> Result<(), LoadError> {
    share.reserve(bytes).map_err(limit)
}

fn limit(error: Error) -> LoadError {
    LoadError::Store(error.with_help("load in batches (--batch-rows), or raise memory.max"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::ErrorKind;

    fn block(bytes: &[u8]) -> Block {
        Block { file: Arc::from("in"), source: 0, first_line: 1, bytes: bytes.to_vec() }
    }

    #[test]
    fn blocks_wait_for_those_before_them_and_one_beyond_the_bound_is_refused() {
        let budget = MemoryBudget::new(1 << 20);
        let parsing = Parsing::of(&budget);
        let first = parsing.admit(&block(&[b'x'; 100 << 10])).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| parsing.admit(&block(&[b'x'; 100 << 10])).map(drop));
            assert_eq!(budget.used(), 200 << 10);
            drop(first);
            second.join().unwrap().unwrap();
        });
        assert_eq!(budget.used(), 0);
        let Err(LoadError::Store(error)) = parsing.admit(&block(&[b','; 100 << 10])) else {
            panic!("as many values are more than the budget");
        };
        assert_eq!(error.kind, ErrorKind::LimitReached);
    }
}
