//! The requests of a connection that were sent and not answered, by their ids.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use millrace_wire::gremlin::RequestId;

/// Requests under way. When the connection is gone, nothing can be added.
#[derive(Default)]
pub(super) struct UnderWay {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    due: HashMap<RequestId, Instant>,
    /// Why there will be no more answers.
    gone: Option<String>,
}

impl UnderWay {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a request that was due at a moment, or says why it would not be answered.
    pub(super) fn add(&self, id: RequestId, due: Instant) -> Result<(), String> {
        let mut state = self.state();
        match &state.gone {
            Some(why) => Err(why.clone()),
            None => {
                state.due.insert(id, due);
                Ok(())
            }
        }
    }

    /// When an answered request was due; `None` if there is no such request, or it was taken already.
    pub(super) fn take(&self, id: RequestId) -> Option<Instant> {
        self.state().due.remove(&id)
    }

    /// All requests, when there will be no more answers.
    pub(super) fn end(&self, why: &str) -> Vec<Instant> {
        let mut state = self.state();
        state.gone.get_or_insert_with(|| why.to_owned());
        state.due.drain().map(|(_, due)| due).collect()
    }
}

/// The prefix of the ids of one run. It is random, not derived from the seed: a server may remember ids
/// of the run before.
pub(super) fn run_mark() -> u32 {
    RandomState::new().build_hasher().finish() as u32
}

/// An id that no other request has: the run, the connection, the number.
pub(super) fn id_of(run_mark: u32, connection: usize, number: u64) -> RequestId {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&run_mark.to_be_bytes());
    id[4..8].copy_from_slice(&(connection as u32).to_be_bytes());
    id[8..].copy_from_slice(&number.to_be_bytes());
    // Version 4 and its variant, which no number reaches: some drivers look.
    id[6] = id[6] & 0x0f | 0x40;
    id[8] = id[8] & 0x3f | 0x80;
    id
}
