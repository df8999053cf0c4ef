//! Both directions: every entry of an out list stands in an in list, and the other way round.
//!
//! An edge is hashed with its type, ends and slot; the hashes of all edges from one partition to
//! another are added up, once over out lists and once over in lists. Sums that differ prove a
//! fault; that equal sums hide one has a chance of 2^-64.

use std::collections::BTreeMap;

use millrace_model::{EdgeTypeId, Result, random};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

use super::GraphCheck;
use super::partition::{Several, entries, image_of};
use crate::persistent::home;
use crate::persistent::image::{Half, ListSection};

/// All edges of a type from one partition to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) edge_type: EdgeTypeId,
    pub(super) source: u32,
    pub(super) target: u32,
    /// How far above the ends' partitions those lie that have the edges: overflow partitions do.
    pub(super) above: u32,
}

/// An edge as (source, target, slot).
type Row = (u32, u32, u32);

/// Count and sum of hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    count: u64,
    hashes: u64,
}

impl Sum {
    pub(super) fn add(&mut self, edge_type: EdgeTypeId, source: u32, target: u32, slot: u32) {
        self.count += 1;
        let ends = u64::from(source) << 32 | u64::from(target);
        let edge = u64::from(edge_type.0) << 32 | u64::from(slot);
        self.hashes = self.hashes.wrapping_add(mix(mix(ends) ^ edge));
    }

    pub(super) fn merge(&mut self, other: Sum) {
        self.count += other.count;
        self.hashes = self.hashes.wrapping_add(other.hashes);
    }
}

/// The n-th number of a stream for a word: every bit of the input changes half of the output.
pub(super) fn mix(word: u64) -> u64 {
    random::mix(word.wrapping_add(random::STEP))
}

/// The sums of both directions.
#[derive(Default)]
pub(super) struct Directions {
    sums: BTreeMap<Place, [Sum; 2]>,
}

impl Directions {
    /// Adds a section of lists.
    pub(super) fn add(
        &mut self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        half: Half,
        lists: &ListSection,
    ) {
        for (local, list) in lists.iter() {
            let own = home(ordinal) << PARTITION_BITS | u32::from(local);
            for (neighbour, slot) in list.iter() {
                let (source, target) = match half {
                    Half::Out => (own, neighbour),
                    Half::In => (neighbour, own),
                };
                let place = Place {
                    edge_type,
                    source: source >> PARTITION_BITS,
                    target: target >> PARTITION_BITS,
                    above: ordinal - home(ordinal),
                };
                let sums = self.sums.entry(place).or_default();
                sums[half as usize].add(edge_type, source, target, slot);
            }
        }
    }

    /// The sum over all out lists, or all in lists.
    pub(super) fn total(&self, half: Half) -> Sum {
        let mut total = Sum::default();
        self.sums.values().for_each(|sums| total.merge(sums[half as usize]));
        total
    }
}

impl GraphCheck<'_, '_, '_, '_> {
    pub(super) fn directions(&mut self, directions: &Directions) -> Result<()> {
        for (place, [out, incoming]) in &directions.sums {
            if out != incoming {
                let outcome = self.name_differences(*place);
                self.met(format!("partition {}", place.source), outcome)?;
            }
        }
        Ok(())
    }

    fn name_differences(&mut self, place: Place) -> Result<()> {
        let at = self.view.at;
        let read = |graph: &Self, ordinal, half| match image_of(graph, place.above + ordinal, at)? {
            Some(image) => entries(&image, place, half),
            None => Ok(Vec::new()),
        };
        let out = read(self, place.source, Half::Out)?;
        let incoming = read(self, place.target, Half::In)?;
        let base = u64::from(place.above + place.source) << EDGE_SLOT_BITS;
        let edge = |(source, target, slot): &Row| {
            format!("{} from {source} to {target}", base | u64::from(*slot))
        };
        let (mut only_out, mut only_in) = (Several::default(), Several::default());
        let missing = |rows: &[Row], others: &[Row], some: &mut Several| {
            let rows = rows.iter().filter(|row| others.binary_search(row).is_err());
            rows.for_each(|row| some.add(edge(row)));
        };
        missing(&out, &incoming, &mut only_out);
        missing(&incoming, &out, &mut only_in);
        let [source, target] = [place.source, place.target].map(|end| place.above + end);
        let at = format!("partitions {source} and {target}");
        let faults = [
            only_out.tell("edges", "are in the list of their source and not of their target"),
            only_in.tell("edges", "are in the list of their target and not of their source"),
        ];
        faults.into_iter().flatten().for_each(|fault| self.find(&at, fault));
        Ok(())
    }
}
