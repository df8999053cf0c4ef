//! The reads of a serializable transaction; many units of one partition become one
//! (docs/design/store.md, section 4).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::limits::READ_UNITS_MAX;
use crate::changes::ReadUnit;
use crate::reads::run::{EDGE_SLOT_BITS, PARTITION_BITS};

#[derive(Default)]
pub(in crate::transaction) struct ReadLog {
    units: FxHashSet<ReadUnit>,
    counts: FxHashMap<ReadUnit, u32>,
}

impl ReadLog {
    pub(in crate::transaction) fn record(&mut self, units: impl Iterator<Item = ReadUnit>) {
        units.for_each(|unit| self.record_one(unit));
    }

    pub(in crate::transaction) fn into_units(self) -> Vec<ReadUnit> {
        self.units.into_iter().collect()
    }

    fn record_one(&mut self, unit: ReadUnit) {
        let Some(partition) = partition_of(unit) else {
            self.units.insert(unit);
            return;
        };
        let count = self.counts.entry(partition).or_default();
        if READ_UNITS_MAX < *count || !self.units.insert(unit) {
            return;
        }
        *count += 1;
        if READ_UNITS_MAX < *count {
            self.units.retain(|unit| partition_of(*unit) != Some(partition));
            self.units.insert(partition);
        }
    }
}

/// The unit that many of this kind collapse into; seeks of one index are like units of a partition.
fn partition_of(unit: ReadUnit) -> Option<ReadUnit> {
    match unit {
        ReadUnit::Vertex(vertex) | ReadUnit::List(vertex) => {
            Some(ReadUnit::Vertices(vertex.0 >> PARTITION_BITS))
        }
        ReadUnit::Edge(edge) => Some(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS)),
        ReadUnit::Seek(index, _) => Some(ReadUnit::Index(index)),
        ReadUnit::Index(_)
        | ReadUnit::Label(_)
        | ReadUnit::EdgeType(_)
        | ReadUnit::Vertices(_)
        | ReadUnit::Edges(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::{IndexId, VertexId};

    use super::*;

    #[test]
    fn many_units_of_a_partition_become_one_and_stay_one() {
        let mut log = ReadLog::default();
        let vertices = |ids: std::ops::Range<u64>| ids.map(|id| ReadUnit::Vertex(VertexId(id)));
        log.record(vertices(0..u64::from(READ_UNITS_MAX)));
        log.record(vertices(0..10));
        assert_eq!(log.units.len(), READ_UNITS_MAX as usize, "repeats count once");
        log.record(vertices(5_000..5_001));
        log.record(vertices(6_000..6_001));
        log.record([ReadUnit::Vertex(VertexId(1 << 20)), ReadUnit::Label(None)].into_iter());
        log.record((0..5_000).map(|hash| ReadUnit::Seek(IndexId(3), hash)));
        let units = log.into_units();
        assert_eq!(units.len(), 4, "{units:?}");
        assert!(units.contains(&ReadUnit::Index(IndexId(3))), "{units:?}");
        assert!(units.contains(&ReadUnit::Vertices(0)), "{units:?}");
    }
}
