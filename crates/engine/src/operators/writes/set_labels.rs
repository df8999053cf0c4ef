//! `SetLabels`: adds labels to vertices and removes others, of each vertex once.
//!
//! A vertex that has the labels already is not written: it causes no write conflict, unless they are claimed.

use std::collections::BTreeSet;

use millrace_model::{Batch, LabelId, Result, VertexId};
use millrace_plan::{Expr, Label, Name, WriteCounts, op};
use millrace_store::{Elements, Labels};

use super::claim::label_number;
use super::create::must_labels;
use super::label_names::{LabelNames, NamedRows, known};
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::Resolved;
use crate::operators::vertices::Vertices;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::run::Run;

pub(crate) struct SetLabels {
    vertex: usize,
    changes: Changes,
    claims: bool,
    keep: Keep,
}

/// The labels that vertices gain and lose.
enum Changes {
    /// The same for all rows.
    Known(Change),
    /// Those that rows know; the flag: they are added.
    OfRows(LabelNames, bool),
}

struct Change {
    /// By name, so that new ones are made in this order.
    add: BTreeSet<Name>,
    remove: Vec<Resolved<LabelId>>,
}

impl Change {
    fn new(add: Vec<Name>, remove: &[Name]) -> Change {
        Change {
            add: add.into_iter().collect(),
            remove: remove.iter().map(Resolved::new).collect(),
        }
    }

    fn apply(&self, vertices: BTreeSet<VertexId>, claims: bool, run: &Run<'_>) -> Result<()> {
        if vertices.is_empty() {
            return Ok(());
        }
        let vertices: Vec<VertexId> = vertices.into_iter().collect();
        self.change(&vertices, claims, run)?;
        run.context.refresh_catalog();
        Ok(())
    }

    fn change(&self, vertices: &[VertexId], claims: bool, run: &Run<'_>) -> Result<()> {
        let added = must_labels(&self.add, run)?;
        let removed = self.remove.iter().filter_map(|label| label.label(run.context));
        let removed: Vec<LabelId> = removed.collect();
        let graph = run.context.graph();
        let old = graph.labels(vertices)?;
        let exist = graph.exist(Elements::Vertices(vertices))?;
        let mut changes: Vec<(VertexId, Labels)> = Vec::new();
        let mut counts = WriteCounts::default();
        let mut claimed: Vec<u64> = Vec::new();
        for (place, (vertex, old)) in vertices.iter().zip(old).enumerate() {
            if claims {
                let is_named = |label: &&LabelId| added.contains(label) || removed.contains(label);
                let found = old.iter().filter(is_named);
                claimed.extend(found.map(|label| label_number(*vertex, *label)));
            }
            let mut new: BTreeSet<LabelId> = old.iter().chain(added.iter()).copied().collect();
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
        let transaction = run.context.transaction()?;
        transaction.claim(claimed)?;
        transaction.set_labels(&changes)
    }
}

impl WholeWrite for SetLabels {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        match &self.changes {
            Changes::Known(change) => {
                let vertices = Vertices::of(&batch, self.vertex, "SetLabels")?;
                change.apply(vertices.ids.iter().copied().collect(), self.claims, run)?;
            }
            Changes::OfRows(labels, adds) => {
                for NamedRows { names, rows } in labels.groups(&batch, run)? {
                    let rows = batch.take(&rows);
                    let vertices = Vertices::of(&rows, self.vertex, "SetLabels")?;
                    let change = match adds {
                        true => Change::new(names, &[]),
                        false => Change::new(Vec::new(), &names),
                    };
                    change.apply(vertices.ids.iter().copied().collect(), self.claims, run)?;
                }
            }
        }
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::SetLabels {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let vertex = compiler.slot(place.layout, self.vertex)?;
        let all = if self.add.is_empty() { &self.remove } else { &self.add };
        let exprs: Vec<&Expr> = all.iter().filter_map(Label::expr).collect();
        let changes = match exprs.is_empty() {
            true => Changes::Known(Change::new(known(&self.add), &known(&self.remove))),
            false => {
                let labels = LabelNames::new(all, compiler.exprs(place.layout, exprs)?);
                Changes::OfRows(labels, !self.add.is_empty())
            }
        };
        Ok((
            Box::new(Completing::new(SetLabels { vertex, changes, claims: self.claims, keep })),
            after,
        ))
    }
}
