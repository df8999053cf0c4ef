//! Which edge type each run of 1,024 slots of a partition is leased to.

use millrace_model::EdgeTypeId;

use crate::base::codec::{Malformed, Reader, put_u32s};
use crate::base::limits::EDGE_RUN_BITS;

/// No type has this number: names are fewer.
const NOBODY: u32 = u32::MAX;

/// Run number to type. In a transaction layer only the runs it has edges in are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTable {
    types: Vec<u32>,
}

impl RunTable {
    /// The type of a slot, if its run is leased.
    #[inline]
    pub fn edge_type(&self, slot: u32) -> Option<EdgeTypeId> {
        let edge_type = *self.types.get((slot >> EDGE_RUN_BITS) as usize)?;
        (edge_type != NOBODY).then_some(EdgeTypeId(edge_type))
    }

    /// Leases a run to a type.
    pub fn lease(&mut self, run: u32, edge_type: EdgeTypeId) {
        let run = run as usize;
        if run >= self.types.len() {
            self.types.resize(run + 1, NOBODY);
        }
        debug_assert!(matches!(self.types[run], NOBODY) || self.types[run] == edge_type.0);
        self.types[run] = edge_type.0;
    }

    /// Leases every run that has a slot of `first .. first + len`.
    pub fn lease_slots(&mut self, first: u32, len: u32, edge_type: EdgeTypeId) {
        if len > 0 {
            for run in first >> EDGE_RUN_BITS..=(first + (len - 1)) >> EDGE_RUN_BITS {
                self.lease(run, edge_type);
            }
        }
    }

    /// The lowest run above all leased ones.
    pub fn next_run(&self) -> u32 {
        self.types.len() as u32
    }

    /// Run and type of each leased run, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, EdgeTypeId)> + '_ {
        let runs = self.types.iter().zip(0..);
        runs.filter(|(edge_type, _)| **edge_type != NOBODY)
            .map(|(edge_type, run)| (run, EdgeTypeId(*edge_type)))
    }

    /// Bytes in memory beyond the struct.
    pub fn byte_size(&self) -> usize {
        self.types.len() * 4
    }

    /// Appends it to `bytes`.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        put_u32s(bytes, &self.types);
    }

    /// Takes it.
    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<RunTable, Malformed> {
        let types = reader.u32s()?;
        if types.len() > 1 << (32 - EDGE_RUN_BITS) {
            return Err(reader.malformed("there are more runs than slots"));
        }
        Ok(RunTable { types })
    }
}
