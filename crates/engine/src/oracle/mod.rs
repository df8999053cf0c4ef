//! The slow interpreter: the same operators, one row at a time, obviously right
//! (docs/design/algebra.md, section 9).
//!
//! The reference for the bulk engine. Weights are expanded, so a row stands for itself; each operator
//! has all its input before it begins, so nothing stops early; an `Apply` runs its subplan once for
//! every outer row of weight 1, so scopes need no ordinals; state is maps; no rule touches the plan.
//! It is never optimized: a bug in a clever line here would stay hidden.

mod best_first;
mod cell;
mod elements;
mod expressions;
mod folds;
mod languages;
mod lookup;
mod loops;
mod multiplied;
mod operators;
mod output;
mod paths;
mod properties;
mod random;
mod recurse;
mod statistics;
mod sum;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{Batch, Error, ErrorKind, Result, Value};
use millrace_plan::{LetId, Name, Op, Parameter, ParameterId, Pipeline, Plan};

use crate::context::{Context, element_ids};
use crate::limits;
use crate::run::RandomStream;
use cell::{Cell, Row};

/// Runs a plan as it stands; all its rows, in one batch with the plan's output columns.
pub fn execute(plan: &Plan, context: &Context, parameters: &[Parameter]) -> Result<Batch> {
    let inside = element_ids::to_internal(parameters, context)?;
    let mut oracle = Oracle {
        plan,
        context,
        parameters: inside.as_deref().unwrap_or(parameters),
        lets: Vec::new(),
        side_effects: BTreeMap::new(),
        seen: Vec::new(),
        opaque_count: 0,
        seed: plan.seed.unwrap_or_else(|| context.next_seed()),
        streams: BTreeMap::new(),
    };
    for binding in &plan.lets {
        let rows = oracle.run(&binding.pipeline, vec![Row::default()])?;
        let cells = |row: &Row| binding.columns.iter().map(|column| row.get(*column)).collect();
        let rows = rows.iter().map(cells).collect::<Result<_>>()?;
        oracle.lets.push(rows);
    }
    let rows = oracle.run(&plan.root, vec![Row::default()])?;
    if plan.root.has_effect()
        && let Ok(transaction) = context.transaction()
    {
        transaction.finish_statement()?;
    }
    element_ids::to_external(output::batch(&rows, &plan.output)?, context)
}

/// The combinations that each `Dedup` of a `Repeat` has seen.
type Seen = BTreeMap<*const Op, BTreeSet<Vec<Cell>>>;

struct Oracle<'a> {
    plan: &'a Plan,
    context: &'a Context,
    parameters: &'a [Parameter],
    /// The rows of each `Let` that ran, by its columns.
    lets: Vec<Vec<Vec<Cell>>>,
    /// What was added, in order.
    side_effects: BTreeMap<Name, Vec<Value>>,
    /// The state of each `Dedup`, by its place, for each open `Repeat`; `None` inside an `Apply` or
    /// `Group`, since their scopes end before the next round.
    seen: Vec<Option<Seen>>,
    /// How many bags and fields cells were made: each is like no other.
    opaque_count: u64,
    seed: u64,
    /// Each random stream, at its position.
    streams: BTreeMap<u32, RandomStream>,
}

impl Oracle<'_> {
    /// The rows at the end of a pipeline, for these at its start.
    fn run(&mut self, pipeline: &Pipeline, rows: Vec<Row>) -> Result<Vec<Row>> {
        pipeline.ops.iter().try_fold(rows, |rows, op| {
            let rows = self.operator(op, rows)?;
            if limits::ORACLE_ROWS_MAX < rows.len() {
                let detail = "the oracle holds each row by itself, and these are too many";
                return Err(Error::new(ErrorKind::LimitReached, detail));
            }
            Ok(rows)
        })
    }

    fn parameter(&self, id: ParameterId) -> Result<&Parameter> {
        let detail = || format!("parameter {} is not bound", id.0);
        let bound = self.parameters.get(id.0 as usize);
        bound.ok_or_else(|| Error::new(ErrorKind::BadQuery, detail()))
    }

    fn bound_let(&self, id: LetId) -> Result<&[Vec<Cell>]> {
        let detail = || format!("Let {} is read before it ran", id.0);
        let bound = self.lets.get(id.0 as usize);
        bound.map(Vec::as_slice).ok_or_else(|| Error::new(ErrorKind::BadQuery, detail()))
    }

    /// The entries of a `Let`'s first column.
    fn first_of_let(&self, id: LetId) -> Result<impl Iterator<Item = &Cell>> {
        Ok(self.bound_let(id)?.iter().filter_map(|row| row.first()))
    }
}
