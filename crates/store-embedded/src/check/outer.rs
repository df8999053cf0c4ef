//! Ids that clients chose and that are no slots: no two vertices are shown under one.
//!
//! What a reader would get wrong: that two have the same outer id, the unique index finds. This is
//! about an outer id that is the number of a slot: the vertex in that slot must have one itself.

use millrace_model::outer::decode_outer;
use millrace_model::{OUTER_KEY, Result, VertexId};
use millrace_store::Elements;

use super::GraphCheck;
use super::partition::Several;
use crate::commit::limits::VERTICES_MAX;

impl GraphCheck<'_, '_, '_, '_> {
    /// Judges some vertices by the ids that they are shown under.
    pub(super) fn shown_twice(&mut self, ids: &[u64]) -> Result<()> {
        let (at, partitions) = (self.view.at, &self.view.graph.partitions);
        let outer_of = |vertices: &[VertexId]| -> Result<Vec<Option<u64>>> {
            let kept = partitions.gather(at, Elements::Vertices(vertices), &[OUTER_KEY])?.remove(0);
            Ok((0..vertices.len()).map(|row| decode_outer(&kept, row)).collect())
        };
        let vertices: Vec<VertexId> = ids.iter().copied().map(VertexId).collect();
        let outer = outer_of(&vertices)?;
        let slots = outer.into_iter().flatten().filter(|id| *id < VERTICES_MAX);
        let slots: Vec<VertexId> = slots.map(VertexId).collect();
        let there = partitions.exist(at, Elements::Vertices(&slots))?;
        let mut twice = Several::default();
        for (row, own) in outer_of(&slots)?.into_iter().enumerate() {
            if there.get(row) && own.is_none() {
                twice.add(slots[row]);
            }
        }
        if let Some(fault) = twice.tell("vertices", "are shown under an id that another one has") {
            self.find("records", fault);
        }
        Ok(())
    }
}
