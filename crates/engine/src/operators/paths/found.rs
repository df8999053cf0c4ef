//! The ways that a search found, as columns of rows.
//!
//! A way as a path shares its beginning with the ways found before it: its steps are made once, when the first way that
//! has them is emitted, and are counted as long as any path holds them.

use std::sync::Arc;

use millrace_model::{
    Batch, Column, ColumnValues, Path, Result, Value, VertexId, WalkStep, WalkSteps,
};

use super::bounds::PathWanted;
use super::tree::Tree;
use crate::limits;
use crate::pipeline::{Keep, add};
use crate::run::{Charge, Run};

/// Rows of ways, until they are a batch.
pub(super) struct FoundWays {
    wanted: PathWanted,
    walks: Walks,
    charge: Charge,
    rows: Vec<u32>,
    edges: Vec<Value>,
    vertices: Vec<Value>,
    whole: Vec<Value>,
    alternatives: Vec<Value>,
    ends: Vec<VertexId>,
    costs: Vec<f64>,
    /// Objects of the lists and paths in these rows.
    objects: usize,
}

/// The steps of a tree as steps of paths, made where a path needs them.
#[derive(Default)]
pub(super) struct Walks {
    steps: WalkSteps,
    made: Vec<Option<Arc<WalkStep>>>,
}

impl FoundWays {
    pub(super) fn new(wanted: PathWanted) -> FoundWays {
        FoundWays {
            wanted,
            walks: Walks::default(),
            charge: Charge::default(),
            rows: Vec::new(),
            edges: Vec::new(),
            vertices: Vec::new(),
            whole: Vec::new(),
            alternatives: Vec::new(),
            ends: Vec::new(),
            costs: Vec::new(),
            objects: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the rows hold so many objects that they should be emitted.
    pub(super) fn is_full(&self) -> bool {
        limits::PATH_BATCH_OBJECTS_MAX <= self.objects
    }

    /// Forgets rows that were not emitted, and the steps of an earlier tree.
    pub(super) fn clear(&mut self) {
        self.walks.made.clear();
        self.rows.clear();
        for values in [&mut self.edges, &mut self.vertices, &mut self.whole, &mut self.alternatives]
        {
            values.clear();
        }
        self.ends.clear();
        self.costs.clear();
        self.objects = 0;
    }

    /// Forgets the steps of the tree from a number on, which will be others.
    pub(super) fn truncate_to(&mut self, end: u32) {
        self.walks.made.truncate(end as usize);
    }

    /// Adds the way that ends with a step.
    pub(super) fn push(&mut self, tree: &Tree, last: u32) {
        let step = &tree.steps[last as usize];
        let edge_count = step.length as usize;
        self.rows.push(step.row);
        if self.wanted.edges {
            self.edges.push(tree.edges(last));
            self.objects += edge_count;
        }
        if self.wanted.vertices {
            self.vertices.push(tree.vertices(last));
            self.objects += edge_count;
        }
        if self.wanted.whole {
            self.whole.push(Value::Path(Arc::new(self.walks.path(tree, last))));
            // Operators that ask for the objects of paths make lists of them, of a batch at once.
            self.objects += edge_count / limits::PATH_OBJECTS_SHARED;
        }
        if self.wanted.alternatives {
            self.alternatives.push(tree.alternatives(last));
            self.objects += edge_count;
        }
        if self.wanted.to {
            self.ends.push(step.vertex);
        }
        if self.wanted.cost {
            self.costs.push(step.cost);
        }
    }

    /// The rows as a batch.
    pub(super) fn finish(&mut self, batch: &Batch, keep: &Keep, run: &Run<'_>) -> Result<Batch> {
        self.charge.set(self.walks.steps.bytes(), run)?;
        let mut result = keep.take(batch, &std::mem::take(&mut self.rows));
        let lists = [
            (self.wanted.edges, &mut self.edges),
            (self.wanted.vertices, &mut self.vertices),
            (self.wanted.whole, &mut self.whole),
            (self.wanted.alternatives, &mut self.alternatives),
        ];
        for (_, values) in lists.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            add(&mut result, Column::from_values(std::mem::take(values)));
        }
        if self.wanted.to {
            add(&mut result, Column::vertices(std::mem::take(&mut self.ends)));
        }
        if self.wanted.cost {
            let costs = ColumnValues::F64(std::mem::take(&mut self.costs));
            add(&mut result, Column::of(costs));
        }
        self.objects = 0;
        Ok(result)
    }
}

impl Walks {
    /// The way that ends with a step, as a path.
    pub(super) fn path(&mut self, tree: &Tree, last: u32) -> Path {
        let mut missing = Vec::new();
        let mut number = last;
        let mut walk = loop {
            if let Some(made) = self.made.get(number as usize).cloned().flatten() {
                break made;
            }
            let step = &tree.steps[number as usize];
            let Some(before) = step.before() else { break self.steps.start(step.vertex) };
            missing.push(number);
            number = before;
        };
        if self.made.len() <= last as usize {
            self.made.resize(last as usize + 1, None);
        }
        self.made[number as usize] = Some(walk.clone());
        for number in missing.into_iter().rev() {
            let step = &tree.steps[number as usize];
            walk = self.steps.step(walk, step.edge, step.vertex);
            self.made[number as usize] = Some(walk.clone());
        }
        Path::walked(walk)
    }
}
