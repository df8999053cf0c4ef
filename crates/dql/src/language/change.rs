//! A request that changes data or the schema, bound to the schema of a graph.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use millrace_model::{Catalog, Error, ErrorKind, Result};
use millrace_plan::Plan;
use millrace_plan::language::{AnswerWriter, Bound, Compiled, Normalized, Options, SlotValue};

use super::query::input_values;
use crate::changes::{Alter, Changes};
use crate::mutate::{Change, altered, translate_changes};
use crate::schema::GraphSchema;
use crate::translate::Values;
use crate::tree::{Fragment, Query};

/// A request as it was parsed.
pub(super) struct ChangeScript {
    pub(super) changes: Changes,
    pub(super) query: Option<Query>,
    pub(super) fragments: Vec<Fragment>,
}

/// A request with its plan, which is its key: requests of one kind have one plan.
pub(super) struct BoundChange {
    plan: Plan,
    layout: String,
    writer: Mutex<Option<Box<dyn AnswerWriter>>>,
}

impl BoundChange {
    pub(super) fn bind(
        (script, levels): (&ChangeScript, usize),
        catalog: &Arc<Catalog>,
        values: &Values<'_>,
    ) -> Result<Bound> {
        let schema = GraphSchema::of(catalog);
        let query = script.query.as_ref().map(|query| (query, script.fragments.as_slice()));
        let change = translate_changes(&script.changes, query, (&schema, values))?;
        BoundChange::of(change, levels, values)
    }

    /// A change of the schema.
    pub(super) fn alter(alter: &Alter, catalog: &Arc<Catalog>) -> Result<Bound> {
        BoundChange::of(altered(alter, &GraphSchema::of(catalog))?, 1, &|_| None)
    }

    fn of(change: Change, levels: usize, values: &Values<'_>) -> Result<Bound> {
        let Change { mut plan, inputs, answer, layout } = change;
        plan.levels = 4 * levels;
        let values: Vec<SlotValue> = input_values(inputs, &[], values)?;
        let bound = BoundChange { plan, layout, writer: Mutex::new(Some(answer)) };
        Ok(Bound { statement: Box::new(bound), values, is_reusable: false, catalog: None })
    }
}

impl Normalized for BoundChange {
    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.plan.columns.hash(&mut hasher);
        self.plan.lets.len().hash(&mut hasher);
        self.layout.hash(&mut hasher);
    }

    fn equals(&self, other: &dyn Normalized) -> bool {
        let other = (other as &dyn Any).downcast_ref::<BoundChange>();
        other.is_some_and(|other| self.layout == other.layout && self.plan == other.plan)
    }

    fn byte_size(&self) -> usize {
        self.plan.byte_size() + self.layout.len()
    }

    fn compile(&self) -> Result<Compiled> {
        let writer = mem::take(&mut *self.writer.lock().unwrap_or_else(PoisonError::into_inner));
        let writer =
            writer.ok_or_else(|| Error::new(ErrorKind::Bug, "a change is compiled twice"))?;
        Ok(Compiled {
            slots: (0..self.plan.parameters.len()).collect(),
            plan: self.plan.clone(),
            options: Options::default(),
            profiler: None,
            writer: Some(writer),
            columns: None,
            is_administrative: false,
        })
    }
}
