//! Ids that clients chose and that are no slots: no two elements are shown under one.
//!
//! The check of the unique index finds two elements with the same external id. This one is about an
//! external id that is the number of a slot: the element in that slot must have an external id
//! itself.

use millrace_model::external_id::decode_external;
use millrace_model::{EXTERNAL_ID_KEY, ExternalId, Owner, Result};
use millrace_store::external_ids::with_elements;

use super::GraphCheck;
use super::partition::Several;

impl GraphCheck<'_, '_, '_, '_> {
    /// Judges some vertices, or some edges, by the ids that they are shown under.
    pub(super) fn find_duplicates(&mut self, owner: Owner, ids: &[u64]) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let external_of = |slots: &[u64]| -> Result<Vec<Option<ExternalId>>> {
            let kept = with_elements(owner, slots, |elements| {
                partitions.gather(at, elements, &[EXTERNAL_ID_KEY])
            })?;
            Ok((0..slots.len()).map(|row| decode_external(&kept[0], row)).collect())
        };
        let slots = external_of(ids)?.into_iter().filter_map(|external| match external {
            Some(ExternalId::Number(number)) => Some(number),
            Some(ExternalId::Text(_)) | None => None,
        });
        let slots: Vec<u64> = slots.collect();
        let there = with_elements(owner, &slots, |elements| partitions.exist(at, elements))?;
        let mut twice = Several::default();
        for (row, own) in external_of(&slots)?.into_iter().enumerate() {
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
