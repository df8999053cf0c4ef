//! State shared by the threads of the soak: the time left, the hubs, and counts of events.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, Result, VertexId};
use millrace_store::{Isolation, Store, Transaction};
use millrace_testkit::Rng;
use parking_lot::Mutex;

use super::names::Names;

const HUBS: usize = 8;

/// How much longer it goes on at most while something has not happened yet.
const PATIENCE: Duration = Duration::from_secs(60);

/// Things that must have happened for the soak to mean anything.
#[derive(Clone, Copy, Debug)]
pub(super) enum Met {
    Commit,
    Conflict,
    HubDeleted,
    Checkpoint,
    IndexBuilt,
    BulkLoad,
    OutOfLineCommit,
    Reading,
}

const MET: [Met; 8] = [
    Met::Commit,
    Met::Conflict,
    Met::HubDeleted,
    Met::Checkpoint,
    Met::IndexBuilt,
    Met::BulkLoad,
    Met::OutOfLineCommit,
    Met::Reading,
];

pub(super) struct Shared {
    pub(super) names: Names,
    ends: Instant,
    hubs: Mutex<Vec<VertexId>>,
    met: [AtomicU64; MET.len()],
}

impl Shared {
    pub(super) fn new(store: &Arc<dyn Store>, names: Names, time: Duration) -> Result<Shared> {
        let transaction = Transaction::begin(Arc::clone(store), Isolation::Snapshot)?;
        let hubs = transaction.create_vertices(&names.hub_labels(), HUBS, &[])?;
        transaction.commit()?.wait()?;
        let ends = Instant::now() + time;
        Ok(Shared { names, ends, hubs: Mutex::new(hubs), met: Default::default() })
    }

    /// Until the time is over, and longer on a machine too busy to have met everything by then.
    pub(super) fn goes_on(&self) -> bool {
        let now = Instant::now();
        now < self.ends || (now < self.ends + PATIENCE && !self.met_everything())
    }

    pub(super) fn count(&self, met: Met) {
        self.met[met as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Lets others commit so often before the thread that disturbs them goes on.
    pub(super) fn let_others(&self, commits: u64) {
        let count = || self.met[Met::Commit as usize].load(Ordering::Relaxed);
        let enough = count() + commits;
        while self.goes_on() && count() < enough {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// A hub that was there a moment ago.
    pub(super) fn hub(&self, rng: &mut Rng) -> VertexId {
        *rng.pick(&self.hubs.lock())
    }

    /// A hub is gone, and another has its place.
    pub(super) fn replace_hub(&self, old: VertexId, new: VertexId) {
        let mut hubs = self.hubs.lock();
        let place = hubs.iter().position(|hub| *hub == old).expect("one thread replaces hubs");
        hubs[place] = new;
    }

    pub(super) fn living_hubs(&self) -> BTreeSet<VertexId> {
        self.hubs.lock().iter().copied().collect()
    }

    pub(super) fn met_everything(&self) -> bool {
        MET.iter().all(|met| 0 < self.met[*met as usize].load(Ordering::Relaxed))
    }

    pub(super) fn message(&self) -> String {
        let counts =
            MET.map(|met| format!("{met:?} {}", self.met[met as usize].load(Ordering::Relaxed)));
        counts.join(", ")
    }

    /// Whether a transaction lost and may be tried again; any other error ends the soak.
    pub(super) fn lost(&self, outcome: Result<()>) -> bool {
        match outcome {
            Ok(()) => {
                self.count(Met::Commit);
                false
            }
            Err(error) if is_lost(&error) => {
                self.count(Met::Conflict);
                true
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Another was first, or the hub is gone.
fn is_lost(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Conflict | ErrorKind::NotFound)
}
