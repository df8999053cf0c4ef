//! Paths as a tree: a step knows the step before it, and a way is its last step.

use std::cmp::Ordering;

use millrace_model::{EdgeId, Result, Value, VertexId};

use super::edges::Next;
use crate::limits;
use crate::run::{Charge, Run};

/// One step of a way; a way of no edges is a step without one.
pub(super) struct Step {
    /// The number of the step before it, or [`NONE`].
    before: u32,
    /// The row of the batch that the way belongs to.
    pub(super) row: u32,
    /// How many edges the way has up to here.
    pub(super) length: u32,
    /// The alternative by which its edge was walked.
    alternative: u32,
    pub(super) edge: EdgeId,
    pub(super) vertex: VertexId,
    /// What the way costs up to here.
    pub(super) cost: f64,
}

/// The number of no step.
const NONE: u32 = u32::MAX;

// A search holds millions of them.
const _: () = assert!(size_of::<Step>() == 40);

impl Step {
    /// The number of the step before it; the start of a way has none.
    #[inline]
    pub(super) fn before(&self) -> Option<u32> {
        (self.before != NONE).then_some(self.before)
    }

    pub(super) fn is_start(&self) -> bool {
        self.before == NONE
    }
}

/// The steps of the ways that a search goes on with.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) steps: Vec<Step>,
    /// What a search keeps beside each step, in bytes.
    beside: usize,
    charge: Charge,
    /// The most steps that are counted: memory of steps that were cut off is used again.
    charged: usize,
}

impl Tree {
    /// Drops all steps with their memory.
    pub(super) fn release(&mut self, run: &Run<'_>) {
        self.steps = Vec::new();
        (self.beside, self.charged) = (0, 0);
        self.charge.release(run);
    }

    /// Counts what a search keeps beside each step, in bytes.
    pub(super) fn keeps_beside(&mut self, bytes: usize) {
        self.beside = bytes;
    }

    /// Begins a way.
    pub(super) fn start(&mut self, row: u32, vertex: VertexId) {
        let edge = EdgeId::default();
        let (before, length, alternative, cost) = (NONE, 0, 0, 0.0);
        self.steps.push(Step { before, row, length, alternative, edge, vertex, cost });
    }

    /// Goes on by an edge.
    pub(super) fn go_on(&mut self, next: Next) {
        let Next { before, edge, vertex, price, alternative } = next;
        let Step { row, length, cost, .. } = self.steps[before as usize];
        let (length, cost) = (length + 1, cost + price);
        self.steps.push(Step { before, row, length, alternative, edge, vertex, cost });
    }

    /// The number of the next step.
    pub(super) fn end(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Cuts off the steps from a number on.
    pub(super) fn truncate_to(&mut self, end: u32) {
        self.steps.truncate(end as usize);
    }

    /// The steps of a way, last to first.
    pub(super) fn back(&self, last: u32) -> impl Iterator<Item = &Step> {
        self.numbers_back(last).map(|number| &self.steps[number as usize])
    }

    /// Their numbers.
    pub(super) fn numbers_back(&self, last: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(last), |&number| self.steps[number as usize].before())
    }

    pub(super) fn walks(&self, last: u32, edge: EdgeId) -> bool {
        self.back(last).any(|step| !step.is_start() && step.edge == edge)
    }

    pub(super) fn visits(&self, last: u32, vertex: VertexId) -> bool {
        self.back(last).any(|step| step.vertex == vertex)
    }

    /// The list order of two ways of one row and length: where they part first, the step decides.
    pub(super) fn in_list_order(&self, one: u32, other: u32) -> Ordering {
        let (mut order, mut both) = (Ordering::Equal, (one, other));
        while both.0 != both.1 {
            order = both.0.cmp(&both.1);
            let before = |number: u32| self.steps[number as usize].before;
            both = (before(both.0), before(both.1));
        }
        order
    }

    /// The edges of a way, as a list.
    pub(super) fn edges(&self, last: u32) -> Value {
        let steps = self.back(last).filter(|step| !step.is_start());
        forward(steps.map(|step| Value::Edge(step.edge)))
    }

    /// The alternatives by which the edges of a way were walked, as a list.
    pub(super) fn alternatives(&self, last: u32) -> Value {
        let steps = self.back(last).filter(|step| !step.is_start());
        forward(steps.map(|step| Value::I64(step.alternative.into())))
    }

    /// The vertices of a way, as a list.
    pub(super) fn vertices(&self, last: u32) -> Value {
        forward(self.back(last).map(|step| Value::Vertex(step.vertex)))
    }

    /// Counts the steps made since it was asked last.
    pub(super) fn charge(&mut self, run: &Run<'_>) -> Result<()> {
        if self.charged + limits::BATCH_ROWS_MAX < self.steps.len() {
            let bytes = (2 * size_of::<Step>() + self.beside) * (self.steps.len() - self.charged);
            self.charge.grow(bytes as u64, run)?;
            self.charged = self.steps.len();
        }
        Ok(())
    }
}

/// Values that come last to first, as a list.
fn forward(values: impl Iterator<Item = Value>) -> Value {
    let mut values: Vec<Value> = values.collect();
    values.reverse();
    Value::list(values)
}
