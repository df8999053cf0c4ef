//! A query, bound to the schema of a graph and to the values of its variables.

use std::any::Any;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use millrace_model::{Catalog, Error, ErrorKind, Result, Value};
use millrace_plan::Plan;
use millrace_plan::language::{
    AnswerWriter, Bound, Compiled, Normalized, Options, Profiler, SlotValue, ValueReader,
    slot_index,
};

use super::profiler::{OperatorProfiler, is_profiled};
use super::script::now;
use crate::answer::JsonAnswer;
use crate::form::AnswerForm;
use crate::schema::GraphSchema;
use crate::translate::{
    Facts, Input, NOW, Translated, Values, VariableInput, text_of_value, translate,
};
use crate::tree::{Fragment, Query};

/// A query as it was parsed.
pub(super) struct QueryScript {
    pub(super) text: Arc<str>,
    pub(super) query: Query,
    pub(super) fragments: Vec<Fragment>,
    pub(super) answer: AnswerForm,
}

/// A query with its plan: the key of the plan is its text, what of the schema it uses, and the values of the variables
/// that decide it.
pub(super) struct BoundQuery {
    text: Arc<str>,
    answer: AnswerForm,
    facts: Facts,
    fixed: Vec<(Arc<str>, Value)>,
    made: Mutex<Option<Made>>,
}

/// A plan, the slots of its parameters, and the writer of its answer.
struct Made {
    plan: Plan,
    writer: Box<dyn AnswerWriter>,
}

impl BoundQuery {
    pub(super) fn bind(
        (script, levels): (&QueryScript, usize),
        catalog: &Arc<Catalog>,
        values: &Values<'_>,
    ) -> Result<Bound> {
        let schema = GraphSchema::of(catalog);
        let QueryScript { text, query, fragments, answer } = script;
        let translated = translate(query, fragments, (text, &schema, values), *answer)?;
        let Translated { mut plan, inputs, fixed, facts, answer: layout } = translated;
        plan.levels = 4 * levels;
        let values_of_inputs = input_values(inputs, &fixed, values)?;
        let fixed = fixed.iter().filter_map(|name| Some((Arc::clone(name), values(name)?)));
        let bound = BoundQuery {
            text: Arc::clone(text),
            answer: *answer,
            facts,
            fixed: fixed.collect(),
            made: Mutex::new(Some(Made { plan, writer: Box::new(layout) })),
        };
        let catalog = Some(Arc::clone(catalog));
        Ok(Bound {
            statement: Box::new(bound),
            values: values_of_inputs,
            is_reusable: true,
            catalog,
        })
    }
}

impl BoundQuery {
    /// An answer that is known already.
    pub(super) fn of_answer(plan: Plan, answer: JsonAnswer) -> Bound {
        let bound = BoundQuery {
            text: format!("{:?}", answer.blocks).into(),
            answer: answer.form,
            facts: Facts::default(),
            fixed: Vec::new(),
            made: Mutex::new(Some(Made { plan, writer: Box::new(answer) })),
        };
        Bound { statement: Box::new(bound), values: Vec::new(), is_reusable: false, catalog: None }
    }
}

/// The values of slots; `fixed` are the variables that decide the plan.
pub(super) fn input_values(
    inputs: Vec<Input>,
    fixed: &[Arc<str>],
    values: &Values<'_>,
) -> Result<Vec<SlotValue>> {
    let fixed: HashSet<&Arc<str>> = fixed.iter().collect();
    let is_fixed = |name: &Arc<str>| fixed.contains(name);
    inputs.into_iter().map(|input| input_value(input, values, &is_fixed)).collect()
}

/// The value of a slot. One of a variable that decides the plan is a part of it.
fn input_value(
    input: Input,
    values: &Values<'_>,
    is_fixed: &dyn Fn(&Arc<str>) -> bool,
) -> Result<SlotValue> {
    let input = match input {
        Input::Variable(input) => input,
        Input::Data(value) => return Ok(SlotValue::of(value, None)),
        Input::Now => return Ok(SlotValue::of(now(), Some(Arc::from(NOW)))),
    };
    let name = Arc::clone(&input.name);
    let given = values(&name);
    let own = given.clone().or_else(|| input.default.clone()).unwrap_or_default();
    let value = input.read_value(&own).map_err(|error| match slot_index(&name) {
        Some(_) => error,
        None => Error { detail: format!("${name}: {}", error.detail), ..error },
    })?;
    let variable = given.filter(|_| !is_fixed(&name)).map(|_| name);
    Ok(SlotValue { value, variable, reader: Some(Arc::new(input)) })
}

impl ValueReader for VariableInput {
    fn read(&self, value: &Value) -> Result<Value> {
        self.read_value(value)
    }
}

impl VariableInput {
    fn read_value(&self, value: &Value) -> Result<Value> {
        self.reading.read(&text_of_value(&self.name, value)?)
    }
}

impl Normalized for BoundQuery {
    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.text.hash(&mut hasher);
        self.answer.hash(&mut hasher);
    }

    fn equals(&self, other: &dyn Normalized) -> bool {
        (other as &dyn Any).downcast_ref::<BoundQuery>().is_some_and(|other| {
            (&self.text, self.answer) == (&other.text, other.answer)
                && self.fixed == other.fixed
                && self.facts == other.facts
        })
    }

    fn byte_size(&self) -> usize {
        let fixed = self.fixed.iter().map(|(name, value)| name.len() + value.byte_size());
        self.text.len() + fixed.sum::<usize>()
    }

    fn compile(&self) -> Result<Compiled> {
        let made = mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner));
        let made = made.ok_or_else(|| Error::new(ErrorKind::Bug, "a query is compiled twice"))?;
        let is_profiled = is_profiled(&self.text);
        Ok(Compiled {
            slots: (0..made.plan.parameters.len()).collect(),
            plan: made.plan,
            options: Options::default(),
            profiler: is_profiled.then(|| Box::new(OperatorProfiler) as Box<dyn Profiler>),
            writer: Some(made.writer),
            columns: None,
            is_administrative: false,
        })
    }
}
