//! `Claim`: a number for what each row claims, which the transaction claims.
//!
//! Others make the same numbers: a `Merge` those of what it makes, a `SetLabels` those of labels that it finds.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use millrace_model::{Batch, Column, LabelId, Result, Value, VertexId};
use millrace_plan::{Claimed, Name, op};
use millrace_store::key_hash::hash_row;
use rustc_hash::{FxHashSet, FxHasher};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::run::Run;

/// The number of vertices with labels and values of keys, by the hash of the values.
pub(super) fn vertices_number(labels: &[Name], keys: &[Name], values: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (labels, keys, values).hash(&mut hasher);
    hasher.finish()
}

/// The number of edges of a type between two vertices, with values of keys by their hash.
pub(super) fn edges_number<'k>(
    edge_type: &str,
    ends: &(Option<Value>, Option<Value>),
    (keys, values): (impl Iterator<Item = &'k Name>, u64),
) -> u64 {
    let mut hasher = FxHasher::default();
    (edge_type, ends, values).hash(&mut hasher);
    keys.for_each(|key| key.hash(&mut hasher));
    hasher.finish()
}

/// The number of a label of a vertex.
pub(super) fn label_number(vertex: VertexId, label: LabelId) -> u64 {
    let mut hasher = FxHasher::default();
    ("label", vertex, label).hash(&mut hasher);
    hasher.finish()
}

/// What the values of a row are.
enum Numbers {
    /// Those of keys.
    Vertex { labels: Vec<Name>, keys: Vec<Name> },
    /// Type, source, target.
    Edge,
}

impl Numbers {
    /// The number of a row; none where a value is null.
    fn of(&self, values: &[&Column], row: usize) -> Option<u64> {
        match self {
            Numbers::Vertex { labels, keys } => {
                Some(vertices_number(labels, keys, hash_row(values, row)?))
            }
            Numbers::Edge => {
                let value = |column: &Column| column.get(row).filter(|value| !value.is_null());
                let mut values = values.iter().map(|column| value(column));
                let (edge_type, source, target) =
                    (values.next()??, values.next()??, values.next()??);
                let Value::String(edge_type) = edge_type else { return None };
                let keyless = (std::iter::empty(), hash_row(&[], row)?);
                Some(edges_number(&edge_type, &(Some(source), Some(target)), keyless))
            }
        }
    }
}

pub(crate) struct Claim {
    numbers: Numbers,
    values: Exprs,
    keep: Keep,
}

impl WholeWrite for Claim {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let transaction = run.context.transaction()?;
        let values = self.values.evaluate(&batch, run)?;
        let values: Vec<Arc<Column>> =
            values.into_iter().map(|value| value.into_column(batch.len)).collect();
        let values: Vec<&Column> = values.iter().map(|column| &**column).collect();
        let numbers = (0..batch.len).filter_map(|row| self.numbers.of(&values, row));
        let distinct: FxHashSet<u64> = numbers.collect();
        transaction.claim(distinct)?;
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Claim {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let (numbers, values) = match &self.of {
            Claimed::Vertex { labels, keys, values } => {
                let numbers = Numbers::Vertex { labels: labels.clone(), keys: keys.clone() };
                (numbers, compiler.exprs(place.layout, values)?)
            }
            Claimed::Edge { edge_type, source, target } => {
                (Numbers::Edge, compiler.exprs(place.layout, [edge_type, source, target])?)
            }
        };
        Ok((Box::new(Completing::new(Claim { numbers, values, keep })), after))
    }
}
