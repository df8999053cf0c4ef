//! The coverage of the seeds: a simulator that never reaches a case proves nothing about it.
//!
//! Actions name the cases that they must meet ([`Action::meets`](super::actions::Action)); cases of
//! no action stand here.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use super::actions::ACTIONS;
use super::gap::GAPS;
use super::overlap::Overlaps;
use super::sound::KINDS;

/// Cases that every long enough run must meet, besides those of its actions.
const MUST: &[&str] = &[
    "commits",
    "conflicts",
    "crashes",
    "crashes while opening",
    "openings on a full disk",
    "lives without a crash",
    "batches torn by power loss",
    "batches whose sectors landed out of order",
    "other files torn by power loss",
    "failed syncs of the log",
    "failed syncs of a segment",
    "failed syncs of a spill file",
    "failed syncs of a manifest",
    "writes refused after a fault",
    "writes refused on a full disk",
    "unknown commits that came back",
    "unknown commits that did not",
    "readers told that their snapshot is too old",
    "out-of-line commits beside the log",
    "spilled parts",
    "commits from an old snapshot",
    "async folders",
    "edges of overflow partitions",
    "loaded edges of overflow partitions",
    "disks with sectors of 4 KiB",
    "disks on which every write takes room",
    "work suspended between two operations of the disk",
    "external ids that came back",
    "external ids at a checkpoint",
];

/// Counts of the cases that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage {
    counts: BTreeMap<&'static str, u64>,
    pub(super) overlaps: Overlaps,
}

impl Coverage {
    pub(super) fn note(&mut self, what: &'static str) {
        self.note_many(what, 1);
    }

    pub(super) fn note_many(&mut self, what: &'static str, count: u64) {
        *self.counts.entry(what).or_default() += count;
    }

    pub(super) fn add(&mut self, other: &Coverage) {
        other.counts.iter().for_each(|(what, count)| self.note_many(what, *count));
        self.overlaps.add(&other.overlaps);
    }

    /// Cases that should have been met and were not.
    pub(super) fn missing(&self) -> Vec<String> {
        let of_actions = ACTIONS.iter().flat_map(|action| action.meets);
        let named = MUST.iter().chain(GAPS).chain(KINDS).chain(of_actions);
        let missing = named.filter(|what| self.counts.get(*what).is_none_or(|count| *count == 0));
        missing.map(|what| (*what).to_string()).chain(self.overlaps.missing()).collect()
    }
}

impl Display for Coverage {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (what, count) in &self.counts {
            writeln!(f, "{count:>12}  {what}")?;
        }
        write!(f, "overlaps\n{}", self.overlaps)
    }
}
