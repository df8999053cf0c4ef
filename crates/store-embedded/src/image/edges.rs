//! The edges of one type whose sources are in this partition: their slots and their ends.
//!
//! After a bulk load ends are implied: the out lists are in slot order, so entry `row` of the out
//! section is the edge of row `row`. The first merge writes them out.

use super::section::SectionBody;
use super::slot_set::SlotSet;
use crate::codec::{Malformed, Reader, put_u16s, put_u32s};
use crate::error::Result;

/// Slots and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSection {
    /// Which slots are edges, and their rows.
    pub slots: SlotSet,
    /// Sources and targets.
    pub ends: Ends,
}

/// Where the ends of edges are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// By row; a dead row holds zeros.
    Explicit {
        /// Sources, as locals of this partition.
        sources: Vec<u16>,
        /// Targets.
        targets: Vec<u32>,
    },
    /// In the out lists: row = place in the section.
    Implied,
}

impl EdgeSection {
    /// A section of (slot, source, target), slots ascending.
    pub fn of_ascending(slots: &[u32], ends: impl Iterator<Item = (u16, u32)>) -> EdgeSection {
        let (sources, targets) = ends.unzip();
        EdgeSection::of_columns(slots, sources, targets)
    }

    /// A section of edges in columns of one length, slots ascending.
    pub(crate) fn of_columns(slots: &[u32], sources: Vec<u16>, targets: Vec<u32>) -> EdgeSection {
        let slots_of = SlotSet::of_ascending(slots);
        let rows = slots_of.row_count();
        if rows == slots.len() {
            return EdgeSection { slots: slots_of, ends: Ends::Explicit { sources, targets } };
        }
        let (mut source_rows, mut target_rows) = (vec![0; rows], vec![0; rows]);
        let mut ends = sources.iter().zip(&targets);
        slots_of.each(|_, row| {
            let (source, target) = ends.next().expect("each slot has its ends");
            (source_rows[row as usize], target_rows[row as usize]) = (*source, *target);
        });
        let ends = Ends::Explicit { sources: source_rows, targets: target_rows };
        EdgeSection { slots: slots_of, ends }
    }
}

impl SectionBody for EdgeSection {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.slots.encode(bytes);
        match &self.ends {
            Ends::Explicit { sources, targets } => {
                bytes.push(0);
                put_u16s(bytes, sources);
                put_u32s(bytes, targets);
            }
            Ends::Implied => bytes.push(1),
        }
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<EdgeSection, Malformed> {
        let slots = SlotSet::decode(reader)?;
        let ends = match reader.u8()? {
            0 => Ends::Explicit { sources: reader.u16s()?, targets: reader.u32s()? },
            1 => Ends::Implied,
            _ => return Err(reader.malformed("the ends of edges have an unknown form")),
        };
        let rows = slots.row_count();
        match &ends {
            Ends::Explicit { sources, targets }
                if sources.len() != rows || targets.len() != rows =>
            {
                Err(reader.malformed("edges have more or fewer ends than rows"))
            }
            Ends::Explicit { .. } | Ends::Implied => Ok(EdgeSection { slots, ends }),
        }
    }

    fn byte_size(&self) -> usize {
        let ends = match &self.ends {
            Ends::Explicit { sources, targets } => sources.capacity() * 2 + targets.capacity() * 4,
            Ends::Implied => 0,
        };
        size_of::<EdgeSection>() + self.slots.byte_size() + ends
    }
}
