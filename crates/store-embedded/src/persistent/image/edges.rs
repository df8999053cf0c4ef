//! The edges of one type with their sources in this partition: their slots and their ends.
//!
//! After a bulk load ends are implied: the out lists are in slot order, so entry `row` of the out
//! section is the edge of row `row`. The first merge writes them out.

use crate::base::codec::{Malformed, Reader, put_u16s, put_u32s};
use crate::base::error::Result;
use crate::persistent::image::list::ListSection;
use crate::persistent::image::section::{Pinned, Section, SectionBody};
use crate::persistent::image::slot_set::SlotSet;

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

/// The edges of a type in memory, with the lists that imply their ends, if any.
pub(crate) struct PinnedEdges {
    pub(crate) edges: Pinned<EdgeSection>,
    /// The out lists, where the ends are implied by them: an entry for each row.
    lists: Option<Pinned<ListSection>>,
}

impl PinnedEdges {
    /// Loads both; `None` where the ends are implied by lists that do not have one for each row.
    pub(super) fn load(
        edges: &Section<EdgeSection>,
        lists: Option<&Section<ListSection>>,
    ) -> Result<Option<PinnedEdges>> {
        let edges = edges.get()?;
        if edges.ends != Ends::Implied {
            return Ok(Some(PinnedEdges { edges, lists: None }));
        }
        let lists = lists.map(Section::get).transpose()?;
        let lists = lists.filter(|lists| edges.slots.row_count() <= lists.neighbours().len());
        Ok(lists.map(|lists| PinnedEdges { edges, lists: Some(lists) }))
    }

    /// Source (as a local) and target of a row; `near` as of [`ListSection::ends_at`].
    pub(crate) fn ends(&self, row: u32, near: &mut usize) -> (u16, u32) {
        match (&self.edges.ends, &self.lists) {
            (Ends::Explicit { sources, targets }, _) => {
                (sources[row as usize], targets[row as usize])
            }
            (Ends::Implied, lists) => {
                lists.as_ref().expect("implied ends come with their lists").ends_at(row, near)
            }
        }
    }

    /// Gives `see` slot, row, source (as a local) and target of each edge, slots ascending. Where
    /// ends are implied, [`PinnedEdges::ends`] searches the lists for each edge; this reads them
    /// once.
    pub(super) fn each(&self, mut see: impl FnMut(u32, u32, (u16, u32))) {
        let Some(lists) = &self.lists else {
            return self.edges.slots.each(|slot, row| see(slot, row, self.ends(row, &mut 0)));
        };
        let mut ends = lists.each_end().zip(0..);
        self.edges.slots.each(|slot, row| {
            let own = ends.find(|(_, entry)| *entry == row);
            see(slot, row, own.expect("an implied end is an entry of the lists").0);
        });
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
