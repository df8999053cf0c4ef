//! Ids that clients chose and that are no slots: no two elements are shown under one.
//!
//! What a reader would get wrong: that two have the same outer id, the unique index finds. This is
//! about an outer id that is the number of a slot: the element in that slot must have one itself.

use millrace_model::outer::decode_outer;
use millrace_model::{OUTER_KEY, OuterId, Owner, Result};
use millrace_store::outer::with_elements;

use super::GraphCheck;
use super::partition::Several;

impl GraphCheck<'_, '_, '_, '_> {
    /// Judges some vertices, or some edges, by the ids that they are shown under.
    pub(super) fn shown_twice(&mut self, owner: Owner, ids: &[u64]) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let outer_of = |slots: &[u64]| -> Result<Vec<Option<OuterId>>> {
            let kept = with_elements(owner, slots, |elements| {
                partitions.gather(at, elements, &[OUTER_KEY])
            })?;
            Ok((0..slots.len()).map(|row| decode_outer(&kept[0], row)).collect())
        };
        let slots = outer_of(ids)?.into_iter().filter_map(|outer| match outer {
            Some(OuterId::Number(number)) => Some(number),
            Some(OuterId::Text(_)) | None => None,
        });
        let slots: Vec<u64> = slots.collect();
        let there = with_elements(owner, &slots, |elements| partitions.exist(at, elements))?;
        let mut twice = Several::default();
        for (row, own) in outer_of(&slots)?.into_iter().enumerate() {
            if there.get(row) && own.is_none() {
                twice.add(slots[row]);
            }
        }
        let kind = if owner == Owner::AllEdges { "edges" } else { "vertices" };
        if let Some(fault) = twice.tell(kind, "are shown under an id that another one has") {
            self.find("records", fault);
        }
        Ok(())
    }
}
