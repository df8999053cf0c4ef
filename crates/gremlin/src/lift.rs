//! Literals to numbered values: traversals that differ only in them are equal, and share a plan.
//!
//! ```text
//!   has('name', 'marko').limit(1)  ──>  has('name', 0 := "").limit(1)   values: 'marko'
//! ```
//!
//! A lifted literal leaves a binding behind: its number as the name, and an empty value of the same
//! type. The planner must look only at the type of that value, never at the value; so a literal is
//! lifted only where `PLACES` says that no step needs it at planning. A vertex or an edge is lifted
//! wherever it stands: as a parameter it is what its id shows, in a plan it would be a place.
//! Variables lose their names: their values are lifted like literals where they may be, and literals
//! everywhere else.

use std::sync::Arc;

use millrace_model::bytecode::{
    Argument, Bytecode, Instruction, Predicate, Strategy, SymbolFamily,
};
use millrace_model::{Decimal, EdgeId, ExternalId, Token, Value, VertexId};

use crate::text::is_predicate;

/// Which arguments of a step are lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// None. Traversals inside are looked into all the same.
    None,
    /// All.
    All,
    /// The operands of predicates; nothing that stands for itself.
    Operands,
    /// What a property is compared with: the last of two or three.
    Compared,
    /// What properties become: each second one, behind a cardinality if there is one.
    Assigned,
}

/// The steps that take literals, and what is lifted of them. What is not listed is not lifted.
const PLACES: &[(&str, Place, &str)] = &[
    ("CardinalityValueTraversal", Place::All, "a value to be written"),
    ("E", Place::All, "ids are looked up, whatever they are"),
    ("V", Place::All, "ids are looked up, whatever they are"),
    ("addE", Place::None, "a label is a name of the catalog"),
    ("addV", Place::None, "a label is a name of the catalog"),
    ("all", Place::Operands, "values are compared"),
    ("any", Place::Operands, "values are compared"),
    ("as", Place::None, "a tag becomes a column"),
    ("by", Place::None, "a key is a name of the catalog, an order a choice of operator"),
    ("call", Place::None, "a service reads its own parameters"),
    ("cap", Place::None, "a side effect is known by its name"),
    ("choose", Place::Operands, "values are compared; what stands for itself is a key"),
    ("constant", Place::All, "a value that is handed on"),
    ("filter", Place::Operands, "values are compared"),
    ("format", Place::None, "the text names tags and properties"),
    ("has", Place::Compared, "values are compared; key and label are names of the catalog"),
    ("hasId", Place::All, "ids are compared"),
    ("hasLabel", Place::None, "a label is a name of the catalog"),
    ("inject", Place::All, "values that are handed on"),
    ("is", Place::All, "values are compared"),
    ("limit", Place::None, "rules move ranges by their numbers"),
    ("math", Place::None, "the text is a formula"),
    ("none", Place::Operands, "values are compared"),
    ("option", Place::None, "keys are told apart when the plan is made"),
    ("project", Place::None, "names of the result"),
    ("property", Place::Assigned, "values are written; keys are names of the catalog"),
    ("range", Place::None, "rules move ranges by their numbers"),
    ("select", Place::None, "a tag is a column"),
    ("skip", Place::None, "rules move ranges by their numbers"),
    ("tail", Place::None, "rules move ranges by their numbers"),
    ("times", Place::None, "rounds are counted when the plan is made"),
    ("values", Place::None, "a key is a name of the catalog"),
    ("where", Place::None, "operands are tags"),
    ("withSack", Place::None, "the plan begins with it"),
    ("withSideEffect", Place::None, "the plan begins with it"),
];

/// Which literals of a call are lifted, as far as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// None.
    None,
    /// All.
    All,
    /// The last of two or three.
    Compared,
    /// Each second one, behind a cardinality if there is one.
    Assigned,
}

/// Which literals of a call by this name are usually lifted. A wrong guess costs the caller only time.
pub fn taken_by(name: &str) -> Taken {
    match place_of(name) {
        Place::All => Taken::All,
        Place::Compared => Taken::Compared,
        Place::Assigned => Taken::Assigned,
        Place::None | Place::Operands if is_predicate(name) && !is_read(name) => Taken::All,
        Place::None | Place::Operands => Taken::None,
    }
}

/// A literal that was lifted.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The value.
    pub value: Value,
    /// The variable that held it, if one did.
    pub variable: Option<Arc<str>>,
}

/// Lifts the literals of a traversal, in the order in which they stand; the first is called `0`. Values
/// that look alike are not joined.
pub fn lift(bytecode: &mut Bytecode) -> Vec<Lifted> {
    let mut lifter = Lifter::default();
    lifter.bytecode(bytecode);
    lifter.values
}

/// The element that a reference names by a number; one named by a text needs a look-up in the graph.
pub fn element(argument: &Argument) -> Option<Value> {
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

/// Puts the ids of elements that were sent in their places where a step asks for ids: what is sought by
/// an id is looked up, and an element would have to be found before its id is known.
pub fn say_ids(bytecode: &mut Bytecode) {
    let of_steps = |steps: &mut [Instruction]| {
        let asking = steps.iter_mut().filter(|step| &*step.name == "hasId");
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

/// Whether a value can stand where another one was lifted: the planner knew only what both share.
pub fn is_alike(one: &Value, other: &Value) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other) && blank(one).is_some()
}

#[derive(Default)]
struct Lifter {
    values: Vec<Lifted>,
    /// Whether this is inside the settings of a strategy, which rewrites a plan. No literal of it is
    /// lifted.
    is_of_plan: bool,
}

impl Lifter {
    fn bytecode(&mut self, bytecode: &mut Bytecode) {
        for instruction in bytecode.sources.iter_mut().chain(&mut bytecode.steps) {
            self.instruction(instruction);
        }
    }

    fn instruction(&mut self, instruction: &mut Instruction) {
        let arguments = &mut instruction.arguments;
        let variables: Vec<Option<Arc<str>>> = arguments.iter_mut().map(unbind).collect();
        let place = if self.is_of_plan { Place::None } else { place_of(&instruction.name) };
        // A cardinality stands before the first key.
        let key = usize::from(arguments.first().is_some_and(is_cardinality));
        let of_label = arguments.get(key).is_some_and(is_label);
        let count = arguments.len();
        for ((index, argument), variable) in arguments.iter_mut().enumerate().zip(variables) {
            let itself = match place {
                Place::None | Place::Operands => false,
                Place::All => true,
                Place::Compared => index > 0 && index + 1 == count && !of_label,
                Place::Assigned => index > key && (index - key) % 2 == 1 && !of_label,
            };
            let operands = itself || place == Place::Operands;
            self.unbound(argument, variable, itself, operands);
        }
    }

    /// Lifts an argument if it is a value that stands for itself, or a predicate's operands.
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
        match argument {
            Argument::Value(value) if has_element(value) => {
                let value = std::mem::replace(value, Value::Null);
                *argument = self.with_elements(value, variable);
            }
            Argument::Value(value) => {
                if let Some(blank) = blank(value).filter(|_| itself) {
                    let value = std::mem::replace(value, Value::Null);
                    *argument = self.lifted(value, blank, variable);
                }
            }
            Argument::Predicate(predicate) => self.predicate(predicate, operands),
            Argument::Bytecode(bytecode) => self.bytecode(bytecode),
            // What its variables held may make a collection one of values.
            Argument::List(items) => *argument = Argument::list(self.items(items)),
            Argument::Set(items) => *argument = Argument::set(self.items(items)),
            Argument::Map(pairs) => *argument = Argument::map(self.pairs(pairs)),
            Argument::Strategy(strategy) => self.strategy(strategy),
            Argument::Binding(..)
            | Argument::Symbol(_)
            | Argument::Type(_)
            | Argument::Lambda(_)
            | Argument::Vertex(_)
            | Argument::Edge(_) => {}
        }
    }

    fn lifted(&mut self, value: Value, blank: Value, variable: Option<Arc<str>>) -> Argument {
        let name = Arc::from(self.values.len().to_string());
        self.values.push(Lifted { value, variable });
        Argument::Binding(name, Box::new(Argument::Value(blank)))
    }

    /// A value with the elements in it lifted. A collection stays one: a step may look at its entries.
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
                // A variable is known again by what its value is like.
                let variable = variable.filter(|_| blank.is_some());
                let blank = blank.unwrap_or_else(|| value.clone());
                self.lifted(value, blank, variable)
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
        for argument in &mut predicate.arguments {
            self.argument(argument, operands && !is_read, operands);
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
    matches!(predicate, "regex" | "notRegex" | "typeOf")
}

fn place_of(name: &str) -> Place {
    let found = PLACES.binary_search_by_key(&name, |(step, _, _)| step);
    found.map_or(Place::None, |row| PLACES[row].1)
}

fn is_cardinality(argument: &Argument) -> bool {
    matches!(argument, Argument::Symbol(symbol) if symbol.family == SymbolFamily::Cardinality)
}

fn is_label(argument: &Argument) -> bool {
    matches!(argument, Argument::Value(Value::Token(Token::Label)))
}

/// Whether a vertex or an edge is in a value.
pub(crate) fn has_element(value: &Value) -> bool {
    match value {
        Value::Vertex(_)
        | Value::Edge(_)
        | Value::VertexProperty(_)
        | Value::Property(_)
        | Value::Tree(_)
        | Value::Subgraph(_) => true,
        Value::List(values) | Value::Set(values) => values.iter().any(has_element),
        Value::Path(path) => path.objects.iter().any(has_element),
        Value::Map(pairs) => pairs.iter().any(|(key, own)| has_element(key) || has_element(own)),
        Value::MapEntry(entry) => has_element(&entry.0) || has_element(&entry.1),
        _ => false,
    }
}

/// The value that says only its type. Null, tokens and collections stay what they are: a step may
/// treat them unlike any other value.
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
        Value::String(_) => Value::string(""),
        Value::Bytes(_) => Value::Bytes(Arc::from([])),
        Value::Uuid(_) => Value::Uuid([0; 16]),
        Value::Vertex(_) => Value::Vertex(VertexId::default()),
        Value::Edge(_) => Value::Edge(EdgeId::default()),
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
        | Value::Point(_)
        | Value::List(_)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_sorted_and_each_has_its_reason() {
        assert!(PLACES.is_sorted_by_key(|(name, _, _)| name));
        assert!(PLACES.iter().all(|(_, _, reason)| reason.len() > 10));
    }
}
