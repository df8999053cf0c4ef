//! `SetLabels`: adds labels to vertices and removes others, of each vertex once.
//!
//! A vertex that has the labels already is not written: it causes no write conflict.

use std::collections::BTreeSet;

use millrace_model::{Batch, LabelId, Result, VertexId};
use millrace_plan::{Name, WriteCounts, op};
use millrace_store::{Elements, Labels};

use super::Compile;
use super::create::must_label;
use super::keep::Keep;
use super::vertices::Vertices;
use super::whole::{Completing, WholeWrite};
use crate::names::Resolved;
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct SetLabels {
    vertex: usize,
    /// By name, so that new ones are made in this order.
    add: BTreeSet<Name>,
    remove: Vec<Resolved<LabelId>>,
    keep: Keep,
}

impl SetLabels {
    fn change(&self, vertices: &[VertexId], run: &Run<'_>) -> Result<()> {
        let added = self.add.iter().map(|name| must_label(name, run));
        let added: Vec<LabelId> = added.collect::<Result<_>>()?;
        let removed = self.remove.iter().filter_map(|label| label.label(run.context));
        let removed: Vec<LabelId> = removed.collect();
        let graph = run.context.graph();
        let old = graph.labels(vertices)?;
        let exist = graph.exist(Elements::Vertices(vertices))?;
        let mut changes: Vec<(VertexId, Labels)> = Vec::new();
        let mut counts = WriteCounts::default();
        for (place, (vertex, old)) in vertices.iter().zip(old).enumerate() {
            let mut new: BTreeSet<LabelId> = old.iter().chain(&added).copied().collect();
            new.retain(|label| !removed.contains(label));
            let kept = old.iter().filter(|label| new.contains(label)).count();
            counts.labels_added += (new.len() - kept) as u64;
            counts.labels_removed += (old.len() - kept) as u64;
            // The store refuses a vertex that is gone.
            if !exist.get(place) || !new.iter().eq(old.iter()) {
                changes.push((*vertex, new.into_iter().collect()));
            }
        }
        run.context.count_writes(counts);
        run.context.transaction()?.set_labels(&changes)
    }
}

impl WholeWrite for SetLabels {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let vertices = Vertices::of(&batch, self.vertex, "SetLabels")?;
        let vertices: BTreeSet<VertexId> = vertices.ids.iter().copied().collect();
        let vertices: Vec<VertexId> = vertices.into_iter().collect();
        if !vertices.is_empty() {
            self.change(&vertices, run)?;
            run.context.refresh_catalog();
        }
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::SetLabels {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let vertex = compiler.slot(place.layout, self.vertex)?;
        let add = self.add.iter().cloned().collect();
        let remove = self.remove.iter().map(Resolved::new).collect();
        Ok((Box::new(Completing::new(SetLabels { vertex, add, remove, keep })), after))
    }
}
