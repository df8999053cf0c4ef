//! One run of a prepared plan: parameters, `Let`s, side effects, and the context it runs in.
//!
//! The state that operators share during a run is here; their own state is in them. Between two pulls of a
//! cursor a run is its [`RunState`], a value that borrows nothing.

use std::borrow::Cow;
use std::cell::{OnceCell, Ref, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::compare::CompareMode;
use millrace_model::{Batch, Column, Error, ErrorKind, PathArena, Result, Value};
use millrace_plan::{LetId, LetRead, Name, Parameter, ParameterId};
use rustc_hash::FxHashMap;

use super::collections::{Collection, SideEffects};
use super::random_stream::RandomStream;
use crate::context::Context;

/// A `Let` that ran.
pub(crate) struct Bound {
    /// Its columns, with weights.
    pub(crate) rows: Batch,
    /// Its first column as a set, made when first asked.
    pub(crate) set: Option<Collection>,
}

/// The state that operators share during a run.
pub(crate) struct Run<'a> {
    pub(crate) context: &'a Context,
    pub(crate) compare: CompareMode,
    /// Whether operators count their work.
    pub(crate) profiled: bool,
    state: &'a RunState<'a>,
}

/// A run without its context.
pub(crate) struct RunState<'p> {
    /// Unique in the process.
    number: u64,
    parameters: Cow<'p, [Parameter]>,
    compare: CompareMode,
    profiled: bool,
    lets: RefCell<Vec<Option<Bound>>>,
    side_effects: RefCell<SideEffects>,
    seed: u64,
    /// The position of each random stream.
    stream_positions: RefCell<FxHashMap<u32, u64>>,
    /// The paths of this run, if it has any.
    trail: OnceCell<Arc<PathArena>>,
}

impl<'p> RunState<'p> {
    pub(crate) fn new(
        parameters: Cow<'p, [Parameter]>,
        (compare, seed): (CompareMode, u64),
        profiled: bool,
    ) -> RunState<'p> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        RunState {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            parameters,
            compare,
            profiled,
            lets: RefCell::default(),
            side_effects: RefCell::default(),
            seed,
            stream_positions: RefCell::default(),
            trail: OnceCell::new(),
        }
    }

    /// The same with parameters of its own.
    pub(crate) fn into_owned(self) -> RunState<'static> {
        let RunState { number, parameters, compare, profiled, lets, side_effects, .. } = self;
        RunState {
            number,
            parameters: Cow::Owned(parameters.into_owned()),
            compare,
            profiled,
            lets,
            side_effects,
            seed: self.seed,
            stream_positions: self.stream_positions,
            trail: self.trail,
        }
    }

    /// The run in its context.
    pub(crate) fn run<'a>(&'a self, context: &'a Context) -> Run<'a> {
        Run { context, compare: self.compare, profiled: self.profiled, state: self }
    }
}

impl Run<'_> {
    /// The same run in another context.
    pub(crate) fn in_context<'b>(&'b self, context: &'b Context) -> Run<'b> {
        Run { context, compare: self.compare, profiled: self.profiled, state: self.state }
    }

    /// What runs of the same plan on other threads begin with.
    pub(crate) fn begun_as(&self) -> (&[Parameter], CompareMode, u64, bool) {
        (&self.state.parameters, self.compare, self.state.seed, self.profiled)
    }

    /// The value of a parameter.
    pub(crate) fn value(&self, parameter: ParameterId) -> Result<&Value> {
        match self.state.parameters.get(parameter.0 as usize) {
            Some(Parameter::Value(value)) => Ok(value),
            Some(Parameter::Rows(_)) => Err(mismatch(parameter, "one value", "rows")),
            None => Err(mismatch(parameter, "one value", "nothing")),
        }
    }

    /// The rows of a parameter.
    pub(crate) fn rows(&self, parameter: ParameterId) -> Result<&Batch> {
        match self.state.parameters.get(parameter.0 as usize) {
            Some(Parameter::Rows(rows)) => Ok(rows),
            Some(Parameter::Value(_)) => Err(mismatch(parameter, "rows", "one value")),
            None => Err(mismatch(parameter, "rows", "nothing")),
        }
    }

    /// Keeps the rows of a `Let` that ran.
    pub(crate) fn bind(&self, id: LetId, rows: Batch) {
        let mut lets = self.state.lets.borrow_mut();
        if lets.len() <= id.0 as usize {
            lets.resize_with(id.0 as usize + 1, || None);
        }
        lets[id.0 as usize] = Some(Bound { rows, set: None });
    }

    /// The rows of a `Let`.
    pub(crate) fn bound(&self, id: LetId) -> Batch {
        let lets = self.state.lets.borrow();
        lets[id.0 as usize].as_ref().expect("lets run before what refers to them").rows.clone()
    }

    /// A `Let` as one value.
    pub(crate) fn bound_value(&self, id: LetId, read: LetRead) -> Result<Value> {
        let rows = self.bound(id);
        let entries = || (0..rows.len).map(|row| (rows.columns[0].get(row), rows.weight(row)));
        Ok(match read {
            LetRead::First => entries().next().and_then(|(entry, _)| entry).unwrap_or_default(),
            LetRead::All => {
                self.room_for_weights(entries().map(|(_, weight)| weight))?;
                let repeated = entries().flat_map(|(entry, weight)| {
                    entry.into_iter().flat_map(move |value| (0..weight).map(move |_| value.clone()))
                });
                Value::list(repeated.collect())
            }
        })
    }

    /// A `Let` as a set.
    pub(crate) fn bound_set(&self, id: LetId) -> Ref<'_, Collection> {
        if let Some(bound) = &mut self.state.lets.borrow_mut()[id.0 as usize]
            && bound.set.is_none()
        {
            let mut set = Collection::new(self.context.graph().id_space());
            set.add(&bound.rows.columns[0]);
            bound.set = Some(set);
        }
        Ref::map(self.state.lets.borrow(), |lets| {
            let bound = lets[id.0 as usize].as_ref().expect("lets run before what refers to them");
            bound.set.as_ref().expect("made above")
        })
    }

    /// The collections of this run.
    pub(crate) fn side_effects(&self) -> &RefCell<SideEffects> {
        &self.state.side_effects
    }

    /// A random stream, from its position.
    pub(crate) fn stream(&self, stream: u32) -> RandomStream {
        let position =
            self.state.stream_positions.borrow().get(&stream).copied().unwrap_or_default();
        RandomStream::new(self.state.seed, stream, position)
    }

    /// Leaves a stream, to go on with it later.
    pub(crate) fn leave(&self, stream: u32, at: &RandomStream) {
        self.state.stream_positions.borrow_mut().insert(stream, at.position());
    }

    /// The steps that the paths of this run are made of; the operator that adds some charges for them.
    pub(crate) fn trail(&self) -> &Arc<PathArena> {
        self.state.trail.get_or_init(Arc::default)
    }

    /// Whether entries are in a named collection; all false if nothing was ever added.
    pub(crate) fn in_side_effect(&self, name: &Name, column: &Column) -> Vec<bool> {
        match self.state.side_effects.borrow().get(name) {
            Some(collection) => collection.contains(column),
            None => vec![false; column.len()],
        }
    }

    /// The values collected under a name, in order; counted, each value with how often it is there.
    /// `None` if there are none.
    pub(crate) fn collected(&self, name: &Name, counted: bool) -> Result<Option<Value>> {
        let collections = self.state.side_effects.borrow();
        let Some(collection) = collections.get(name).filter(|own| !own.is_empty()) else {
            return Ok(None);
        };
        if counted {
            return collection.counted().map(Some);
        }
        self.room_for_weights(collection.weights())?;
        Ok(Some(collection.listed()))
    }

    /// Counts rows of the result, `emitted` so far, against their limit.
    pub(crate) fn count(&self, batch: &Batch, emitted: &mut u64) -> Result<()> {
        let weights = (0..batch.len).map(|row| batch.weight(row));
        *emitted = weights.fold(*emitted, u64::saturating_add);
        self.context.guard().check_result(*emitted)
    }

    /// Fails where a value for each single row of these weights does not fit the budget: before
    /// they are made, as few rows may stand for more than fits anywhere.
    pub(crate) fn room_for_weights(&self, weights: impl Iterator<Item = u64>) -> Result<()> {
        let values = weights.fold(0, u64::saturating_add);
        self.context.guard().require_room(values.saturating_mul(size_of::<Value>() as u64))
    }

    /// Its number: unique in the process.
    pub(super) fn number(&self) -> u64 {
        self.state.number
    }

    /// Charges the memory budget.
    pub(crate) fn charge(&self, bytes: u64) -> Result<()> {
        self.context.guard().charge(bytes)
    }
}

fn mismatch(parameter: ParameterId, wanted: &str, found: &str) -> Error {
    let number = parameter.0;
    let detail = format!("parameter {number} expects {wanted}, but is bound to {found}");
    Error::new(ErrorKind::BadQuery, detail)
}
