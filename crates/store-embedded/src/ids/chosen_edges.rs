//! The numbers that clients chose for edges lately: a hint, so that leases pass over them.

use std::collections::BTreeSet;

use millrace_model::{Bits, ExternalId};
use parking_lot::Mutex;

use crate::base::commit_limits::EXTERNAL_IDS_NOTED_MAX;

/// The numbers that were chosen for edges lately.
#[derive(Default)]
pub(crate) struct ChosenEdges {
    noted: Mutex<BTreeSet<u64>>,
}

impl ChosenEdges {
    /// Notes the numbers among some ids. When they are too many, older ones are forgotten: most are
    /// in the index by then.
    pub(crate) fn note(&self, ids: &[ExternalId]) {
        let mut noted = self.noted.lock();
        if EXTERNAL_IDS_NOTED_MAX < noted.len() + ids.len() {
            noted.clear();
        }
        noted.extend(ids.iter().filter_map(|id| match id {
            ExternalId::Number(number) => Some(*number),
            ExternalId::Text(_) => None,
        }));
    }

    /// Marks those of some numbers that are noted.
    pub(crate) fn add_to(&self, external: &mut Bits, numbers: &[u64]) {
        let noted = self.noted.lock();
        let known = numbers.iter().enumerate().filter(|(_, number)| noted.contains(number));
        known.for_each(|(row, _)| external.set(row, true));
    }
}
