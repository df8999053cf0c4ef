//! Parameterizes traversals: those that differ only in literals become equal, and share a plan.
//!
//! ```text
//!   has('name', 'marko').limit(1)  ──>  has('name', 0 := "?").limit(1)   values: 'marko'
//! ```
//!
//! A parameterized literal leaves a binding behind: its number as the name, and a placeholder of the same
//! type, the parameter slot. The planner must look only at the type of that value, never at the value; so
//! a literal becomes a slot only where a step says that it needs none at planning (`Parameters`). A vertex or an
//! edge becomes one wherever it stands: a parameter has its external id, a plan would have its internal
//! one. Variables lose their names: their values are treated as literals.

use std::sync::Arc;

use millrace_bytecode::{
    Argument, Bytecode, GeoshapeKind, Instruction, Predicate, Strategy, SymbolFamily,
    is_of_janusgraph,
};
use millrace_model::value::Point;
use millrace_model::{Decimal, EdgeId, ExternalId, Token, Value, VertexId};

use millrace_plan::language::SlotValue;

use crate::steps::{self, Fact, Parameters};
use crate::text::{VALUE_WITH_CARDINALITY, is_predicate};
use crate::translate::has_element;

/// Which literals of a call become parameter slots, judged by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralSlots {
    /// None.
    None,
    /// All.
    All,
    /// The last of two or three.
    Compared,
    /// Each second one, behind a cardinality if there is one.
    Assigned,
}

/// Which literals of a call by this name usually become parameter slots. A wrong guess costs only time.
pub fn literal_slots(name: &str) -> LiteralSlots {
    match parameters_of(name) {
        Parameters::All => LiteralSlots::All,
        Parameters::Compared => LiteralSlots::Compared,
        Parameters::Assigned => LiteralSlots::Assigned,
        Parameters::None | Parameters::Operands if is_predicate(name) && !is_read(name) => {
            LiteralSlots::All
        }
        Parameters::None | Parameters::Operands => LiteralSlots::None,
    }
}

/// Parameterizes the literals of a traversal, in the order in which they stand; the first slot is called
/// `0`. Equal values have a slot each.
pub fn parameterize(bytecode: &mut Bytecode) -> Vec<SlotValue> {
    let mut parameterizer = Parameterizer::default();
    parameterizer.bytecode(bytecode);
    parameterizer.values
}

/// The element that a reference names by a number; one named by a text needs a look-up in the graph.
pub(crate) fn element(argument: &Argument) -> Option<Value> {
    let number = |id: &Value| match id {
        Value::String(text) => match ExternalId::of_text(text) {
            ExternalId::Number(number) => Some(number),
            ExternalId::Text(_) => None,
        },
        id => id.as_int().and_then(|number| u64::try_from(number).ok()),
    };
    match argument {
        Argument::Vertex(id) => number(id).map(|number| Value::Vertex(VertexId(number))),
        Argument::Edge(id) => number(id).map(|number| Value::Edge(EdgeId(number))),
        _ => None,
    }
}

/// Replaces elements by their ids in the arguments of steps that compare ids. An id can be looked up at once, but an
/// element would have to be found before its id is known.
pub fn say_ids(bytecode: &mut Bytecode) {
    let of_steps = |steps: &mut [Instruction]| {
        let asking = steps.iter_mut().filter(|step| steps::is(step, Fact::ComparesIds));
        asking.flat_map(|step| &mut step.arguments).for_each(|argument| argument.each_mut(&mut id));
    };
    of_steps(&mut bytecode.steps);
    bytecode.each_mut(&mut |argument| {
        if let Argument::Bytecode(inner) = argument {
            of_steps(&mut inner.steps);
        }
    });
}

fn id(argument: &mut Argument) {
    match argument {
        Argument::Vertex(id) | Argument::Edge(id) => *argument = Argument::Value(id.clone()),
        // All in it may be values now.
        Argument::List(items) => *argument = Argument::list(std::mem::take(items)),
        Argument::Set(items) => *argument = Argument::set(std::mem::take(items)),
        _ => {}
    }
}

#[derive(Default)]
struct Parameterizer {
    values: Vec<SlotValue>,
    /// Whether this is inside the settings of a strategy, which rewrites a plan. None of its
    /// literals is parameterized.
    is_of_plan: bool,
}

impl Parameterizer {
    fn bytecode(&mut self, bytecode: &mut Bytecode) {
        for instruction in bytecode.sources.iter_mut().chain(&mut bytecode.steps) {
            self.instruction(instruction);
        }
    }

    fn instruction(&mut self, instruction: &mut Instruction) {
        let arguments = &mut instruction.arguments;
        let variables: Vec<Option<Arc<str>>> = arguments.iter_mut().map(unbind).collect();
        let parameters =
            if self.is_of_plan { Parameters::None } else { parameters_of(&instruction.name) };
        // A cardinality stands before the first key.
        let key = usize::from(arguments.first().is_some_and(is_cardinality));
        let of_label = arguments.get(key).is_some_and(is_label);
        let count = arguments.len();
        for ((index, argument), variable) in arguments.iter_mut().enumerate().zip(variables) {
            let itself = match parameters {
                Parameters::None | Parameters::Operands => false,
                Parameters::All => true,
                Parameters::Compared => index > 0 && index + 1 == count && !of_label,
                Parameters::Assigned => index > key && (index - key) % 2 == 1 && !of_label,
            };
            let operands = itself || parameters == Parameters::Operands;
            self.unbound(argument, variable, itself, operands);
        }
    }

    /// Parameterizes an argument if it is a value that stands for itself, or a predicate's operands.
    fn argument(&mut self, argument: &mut Argument, itself: bool, operands: bool) {
        let variable = unbind(argument);
        self.unbound(argument, variable, itself, operands);
    }

    fn unbound(
        &mut self,
        argument: &mut Argument,
        variable: Option<Arc<str>>,
        itself: bool,
        operands: bool,
    ) {
        if let Some(value) = element(argument) {
            *argument = self.with_elements(value, variable);
            return;
        }
        if let Argument::Geoshape(geoshape) = argument {
            geoshape.numbers.iter_mut().for_each(|number| drop(unbind(number)));
            if geoshape.kind == GeoshapeKind::Point
                && let Ok(Some(operands)) = geoshape.operands()
                && let Some(point) = operands.into_iter().next()
            {
                *argument = Argument::Value(point);
            }
        }
        match argument {
            Argument::Value(value) if has_element(value) => {
                let value = std::mem::replace(value, Value::Null);
                *argument = self.with_elements(value, variable);
            }
            Argument::Value(value) => {
                if let Some(blank) = blank(value).filter(|_| itself) {
                    let value = std::mem::replace(value, Value::Null);
                    *argument = self.bind_slot(value, blank, variable);
                }
            }
            Argument::Predicate(predicate) => self.predicate(predicate, operands),
            Argument::Bytecode(bytecode) => self.bytecode(bytecode),
            // A collection becomes a value if the values of its variables leave only values in it.
            Argument::List(items) => *argument = Argument::list(self.items(items)),
            Argument::Set(items) => *argument = Argument::set(self.items(items)),
            Argument::Map(pairs) => *argument = Argument::map(self.pairs(pairs)),
            Argument::Strategy(strategy) => self.strategy(strategy),
            // Only a predicate takes it, as operands.
            Argument::Geoshape(_)
            | Argument::Binding(..)
            | Argument::Symbol(_)
            | Argument::Type(_)
            | Argument::Lambda(_)
            | Argument::Vertex(_)
            | Argument::Edge(_) => {}
        }
    }

    fn bind_slot(&mut self, value: Value, blank: Value, variable: Option<Arc<str>>) -> Argument {
        let name = Arc::from(self.values.len().to_string());
        self.values.push(SlotValue::of(value, variable));
        Argument::Binding(name, Box::new(Argument::Value(blank)))
    }

    /// A value with the elements in it parameterized. A collection stays one: a step may look at its entries.
    fn with_elements(&mut self, value: Value, variable: Option<Arc<str>>) -> Argument {
        let mut all = |values: &[Value]| -> Vec<Argument> {
            values.iter().map(|value| self.with_elements(value.clone(), None)).collect()
        };
        match &value {
            whole if !has_element(whole) => Argument::Value(value),
            Value::List(values) => Argument::list(all(values)),
            Value::Set(values) => Argument::set(all(values)),
            Value::Map(pairs) => {
                let pair = |(key, value): &(Value, Value)| {
                    let key = self.with_elements(key.clone(), None);
                    (key, self.with_elements(value.clone(), None))
                };
                Argument::map(pairs.iter().map(pair).collect())
            }
            whole => {
                let blank = blank(whole);
                // A variable is recognized again by the blank of its value.
                let variable = variable.filter(|_| blank.is_some());
                let blank = blank.unwrap_or_else(|| value.clone());
                self.bind_slot(value, blank, variable)
            }
        }
    }

    fn items(&mut self, items: &mut Vec<Argument>) -> Vec<Argument> {
        items.iter_mut().for_each(|item| self.argument(item, false, false));
        std::mem::take(items)
    }

    fn pairs(&mut self, pairs: &mut Vec<(Argument, Argument)>) -> Vec<(Argument, Argument)> {
        for (key, value) in pairs.iter_mut() {
            self.argument(key, false, false);
            self.argument(value, false, false);
        }
        std::mem::take(pairs)
    }

    fn predicate(&mut self, predicate: &mut Predicate, operands: bool) {
        let is_read = is_read(&predicate.name);
        let is_of_janusgraph = is_of_janusgraph(&predicate.name);
        if is_of_janusgraph {
            spread_geoshape(&mut predicate.arguments);
        }
        for argument in &mut predicate.arguments {
            let is_refused = is_of_janusgraph && is_blank_text(argument);
            self.argument(argument, operands && !is_read && !is_refused, operands);
        }
    }

    fn strategy(&mut self, strategy: &mut Strategy) {
        let outer = std::mem::replace(&mut self.is_of_plan, true);
        strategy
            .configuration
            .iter_mut()
            .for_each(|(_, setting)| self.argument(setting, false, false));
        self.is_of_plan = outer;
    }
}

/// A variable's value in its place; its name, if there was one.
fn unbind(argument: &mut Argument) -> Option<Arc<str>> {
    let mut variable = None;
    while let Argument::Binding(name, inner) = argument {
        variable.get_or_insert(Arc::clone(name));
        *argument = std::mem::replace(inner, Argument::Value(Value::Null));
    }
    variable
}

/// Whether a predicate's operands are part of the plan: a pattern is made ready when the plan is, and a type
/// is no value.
fn is_read(predicate: &str) -> bool {
    matches!(
        predicate,
        "regex"
            | "notRegex"
            | "typeOf"
            | "textRegex"
            | "textNotRegex"
            | "textContainsRegex"
            | "textNotContainsRegex"
    )
}

/// Replaces a shape as the only argument of a predicate by its operands. One that is none stays, and is refused later.
fn spread_geoshape(arguments: &mut Vec<Argument>) {
    let [argument] = arguments.as_mut_slice() else { return };
    // A variable that stands for a text stays one.
    let mut inner = &mut *argument;
    while let Argument::Binding(_, own) = inner {
        inner = own;
    }
    let Argument::Geoshape(geoshape) = inner else { return };
    geoshape.numbers.iter_mut().for_each(|number| drop(unbind(number)));
    if let Ok(Some(operands)) = geoshape.operands() {
        *arguments = operands.into_iter().map(Argument::Value).collect();
    }
}

/// Whether an argument is a text that predicates of JanusGraph refuse, which they do while the plan is made.
fn is_blank_text(argument: &Argument) -> bool {
    match argument {
        Argument::Value(Value::String(text)) => text.trim().is_empty(),
        Argument::Binding(_, inner) => is_blank_text(inner),
        _ => false,
    }
}

fn parameters_of(name: &str) -> Parameters {
    match steps::named(name) {
        Some(step) => step.parameters,
        None if name == VALUE_WITH_CARDINALITY => Parameters::All,
        None => Parameters::None,
    }
}

fn is_cardinality(argument: &Argument) -> bool {
    matches!(argument, Argument::Symbol(symbol) if symbol.family == SymbolFamily::Cardinality)
}

fn is_label(argument: &Argument) -> bool {
    matches!(argument, Argument::Value(Value::Token(Token::Label)))
}

/// A placeholder for all values of one type. Null, tokens and collections have none: a step may treat them unlike
/// any other value.
fn blank(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(_) => Value::Bool(false),
        Value::I8(_) => Value::I8(0),
        Value::I16(_) => Value::I16(0),
        Value::I32(_) => Value::I32(0),
        Value::I64(_) => Value::I64(0),
        Value::F32(_) => Value::F32(0.0),
        Value::F64(_) => Value::F64(0.0),
        Value::Decimal(_) => Value::Decimal(Arc::new(Decimal { unscaled: 0, scale: 0 })),
        // Not empty: JanusGraph's predicates refuse a text without any character but spaces.
        Value::String(_) => Value::string("?"),
        Value::Bytes(_) => Value::Bytes(Arc::from([])),
        Value::Uuid(_) => Value::Uuid([0; 16]),
        Value::Vertex(_) => Value::Vertex(VertexId::default()),
        Value::Edge(_) => Value::Edge(EdgeId::default()),
        Value::Point(point) => {
            let coordinates = vec![0.0; point.coordinates.len()];
            Value::Point(Arc::new(Point { srid: point.srid, coordinates }))
        }
        Value::DateTime(timestamp) => {
            let mut blank = *timestamp;
            (blank.seconds, blank.nanos, blank.offset_seconds) = (0, 0, 0);
            Value::DateTime(blank)
        }
        Value::Null
        | Value::Date(_)
        | Value::Time(_)
        | Value::ZonedDateTime(_)
        | Value::Duration(_)
        | Value::Geometry(_)
        | Value::List(_)
        | Value::Vector(_)
        | Value::Set(_)
        | Value::Map(_)
        | Value::Path(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::Subgraph(_)
        | Value::MapEntry(_)
        | Value::Token(_)
        | Value::PropertyValues(_) => return None,
    })
}
