//! A traversal as instructions, before a language has looked at it: names and arguments.
//!
//! Text and bytes become the same [`Bytecode`], so the language that plans it has one form to read.
//! Nothing here is validated: a name may be no step, a symbol no constant. The language reports
//! that, by name and position.
//!
//! ```text
//!   g.withSack(1).V(x).has('age', gt(27)).where(__.out())
//!
//!   sources  withSack [1]
//!   steps    V [Binding x]   has ["age", Predicate gt [27]]   where [Bytecode { out [] }]
//! ```

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use millrace_model::{TextPosition, Value};

mod janusgraph;

pub use janusgraph::{
    EARTH_RADIUS_KM, Geoshape, GeoshapeKind, JANUSGRAPH_PREDICATES, WGS_84, is_of_janusgraph,
};

/// A traversal, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytecode {
    /// Instructions of the source, before the first step: strategies, side effects, `tx`.
    pub sources: Vec<Instruction>,
    /// The steps, first to last.
    pub steps: Vec<Instruction>,
}

/// One call: a step, or a word about the source. Its position takes no part in equality and hashes.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its name, as the client wrote it.
    pub name: Arc<str>,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// Where it stands, if it came as text.
    pub position: Option<TextPosition>,
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Instruction) -> bool {
        self.name == other.name && self.arguments == other.arguments
    }
}

impl Eq for Instruction {}

impl Hash for Instruction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.arguments.hash(state);
    }
}

/// An argument of an instruction.
///
/// A collection is a [`Value`] if all in it are; only one that holds something else is a list, set
/// or map of arguments. [`Argument::list`] and its kin see to that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A value; `T.id` and `Direction.OUT` too, as tokens.
    Value(Value),
    /// Ordered arguments, at least one of them no value.
    List(Vec<Argument>),
    /// Distinct arguments, at least one of them no value.
    Set(Vec<Argument>),
    /// Keys and values, at least one of them no value.
    Map(Vec<(Argument, Argument)>),
    /// A traversal without a source of its own; `Cardinality.single(x)` too, as the one source
    /// instruction `CardinalityValueTraversal`.
    Bytecode(Bytecode),
    /// A condition on a value.
    Predicate(Predicate),
    /// A constant of one of Gremlin's enumerations.
    Symbol(Symbol),
    /// The name of a class, without its package: a type, or a strategy to leave out.
    Type(Arc<str>),
    /// A circle or a box, or a point whose numbers are not known yet; another point is a value.
    Geoshape(Geoshape),
    /// A strategy and its settings.
    Strategy(Strategy),
    /// A function as text.
    Lambda(Lambda),
    /// An argument with a name, so that the same call with another argument is the same plan.
    Binding(Arc<str>, Box<Argument>),
    /// A vertex, by its id.
    Vertex(Value),
    /// An edge, by its id.
    Edge(Value),
}

/// A condition: `gt(27)`, `within(1, 2)`, `and(gt(1), lt(9))`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// `eq`, `neq`, `lt`, `lte`, `gt`, `gte`, `between`, `inside`, `outside`, `within`, `without`,
    /// `typeOf`, `and`, `or`, `not`, `startingWith`, `containing`, `regex` and their kin, and those of
    /// [`JANUSGRAPH_PREDICATES`].
    pub name: Arc<str>,
    /// The values that it compares with, or the predicates that it joins. Those of `within` are the
    /// values themselves.
    pub arguments: Vec<Argument>,
}

/// A constant: its enumeration and its name, as in `Order.desc`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// The enumeration.
    pub family: SymbolFamily,
    /// The name in it, such as `desc`, `onCreate`, `INT`.
    pub name: Arc<str>,
}

/// The enumerations with constants that are not values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolFamily {
    /// `normSack`.
    Barrier,
    /// `single`, `list`, `set`.
    Cardinality,
    /// `keys`, `values`.
    Column,
    /// `second`, `minute`, `hour`, `day`.
    DateTimePart,
    /// `onCreate`, `onMatch`, `outV`, `inV`.
    Merge,
    /// `sum`, `minus`, `mult`, `div`, `min`, `max`, `assign`, `and`, `or`, `addAll`, `sumLong`.
    Operator,
    /// `asc`, `desc`, `shuffle`.
    Order,
    /// `any`, `none`, `unproductive`.
    Pick,
    /// `first`, `last`, `all`, `mixed`.
    Pop,
    /// `local`, `global`.
    Scope,
    /// `INT`, `STRING`, `VERTEX` and so on.
    Type,
}

/// A strategy: how a traversal is to be run or rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strategy {
    /// Its name, without the package of its class.
    pub name: Arc<str>,
    /// Its settings.
    pub configuration: Vec<(Arc<str>, Argument)>,
}

/// A function as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lambda {
    /// The text.
    pub text: Arc<str>,
    /// The language it is in.
    pub language: Arc<str>,
    /// How many arguments it takes; `None`: its sender does not know.
    pub arity: Option<u32>,
}

impl SymbolFamily {
    /// All of them, each with its name in Gremlin.
    pub const ALL: [(SymbolFamily, &'static str); 11] = [
        (SymbolFamily::Barrier, "Barrier"),
        (SymbolFamily::Cardinality, "Cardinality"),
        (SymbolFamily::Column, "Column"),
        (SymbolFamily::DateTimePart, "DT"),
        (SymbolFamily::Merge, "Merge"),
        (SymbolFamily::Operator, "Operator"),
        (SymbolFamily::Order, "Order"),
        (SymbolFamily::Pick, "Pick"),
        (SymbolFamily::Pop, "Pop"),
        (SymbolFamily::Scope, "Scope"),
        (SymbolFamily::Type, "GType"),
    ];

    /// Its name in Gremlin.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Bytecode {
    /// Looks at each argument of each instruction and at each one inside it, inner ones first.
    pub fn each_mut(&mut self, look: &mut dyn FnMut(&mut Argument)) {
        let instructions = self.sources.iter_mut().chain(&mut self.steps);
        instructions
            .flat_map(|instruction| &mut instruction.arguments)
            .for_each(|argument| argument.each_mut(look));
    }
}

impl Argument {
    /// Arguments as a list.
    pub fn list(arguments: Vec<Argument>) -> Argument {
        match values(arguments) {
            Ok(values) => Argument::Value(Value::list(values)),
            Err(arguments) => Argument::List(arguments),
        }
    }

    /// Arguments as a set.
    pub fn set(arguments: Vec<Argument>) -> Argument {
        match values(arguments) {
            Ok(values) => Argument::Value(Value::Set(Arc::from(values))),
            Err(arguments) => Argument::Set(arguments),
        }
    }

    /// Pairs as a map.
    pub fn map(pairs: Vec<(Argument, Argument)>) -> Argument {
        if pairs.iter().all(|(key, value)| key.is_value() && value.is_value()) {
            let both = |(key, value): (Argument, Argument)| Some((key.value()?, value.value()?));
            return Argument::Value(Value::map(pairs.into_iter().filter_map(both).collect()));
        }
        Argument::Map(pairs)
    }

    /// Looks at the argument and at each one inside it, inner ones first.
    pub fn each_mut(&mut self, look: &mut dyn FnMut(&mut Argument)) {
        match self {
            Argument::List(items) | Argument::Set(items) => {
                items.iter_mut().for_each(|item| item.each_mut(look));
            }
            Argument::Map(pairs) => {
                for (key, value) in pairs {
                    key.each_mut(look);
                    value.each_mut(look);
                }
            }
            Argument::Bytecode(bytecode) => bytecode.each_mut(look),
            Argument::Predicate(predicate) => {
                predicate.arguments.iter_mut().for_each(|argument| argument.each_mut(look));
            }
            Argument::Geoshape(geoshape) => {
                geoshape.numbers.iter_mut().for_each(|number| number.each_mut(look));
            }
            Argument::Strategy(strategy) => {
                strategy.configuration.iter_mut().for_each(|(_, setting)| setting.each_mut(look));
            }
            Argument::Binding(_, inner) => inner.each_mut(look),
            Argument::Value(_)
            | Argument::Symbol(_)
            | Argument::Type(_)
            | Argument::Lambda(_)
            | Argument::Vertex(_)
            | Argument::Edge(_) => {}
        }
        look(self);
    }

    fn is_value(&self) -> bool {
        matches!(self, Argument::Value(_))
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Argument::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// The values, if all are values.
fn values(arguments: Vec<Argument>) -> Result<Vec<Value>, Vec<Argument>> {
    if arguments.iter().all(Argument::is_value) {
        return Ok(arguments.into_iter().filter_map(Argument::value).collect());
    }
    Err(arguments)
}

impl Predicate {
    /// A predicate; for `within` and `without`, a single list or set stands for its members.
    pub fn new(name: &str, arguments: Vec<Argument>) -> Predicate {
        let arguments = match name {
            "within" | "without" => spread(arguments),
            _ => arguments,
        };
        Predicate { name: Arc::from(name), arguments }
    }
}

fn spread(mut arguments: Vec<Argument>) -> Vec<Argument> {
    match arguments.as_mut_slice() {
        [Argument::Value(Value::List(values) | Value::Set(values))] => {
            values.iter().cloned().map(Argument::Value).collect()
        }
        [Argument::List(inner) | Argument::Set(inner)] => std::mem::take(inner),
        _ => arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(int: i64) -> Argument {
        Argument::Value(Value::I64(int))
    }

    #[test]
    fn where_an_instruction_stands_is_no_part_of_it() {
        let at = |column| Instruction {
            name: Arc::from("limit"),
            arguments: vec![int(1)],
            position: Some(TextPosition { line: 1, column }),
        };
        assert_eq!(at(1), at(9));
        assert_ne!(at(1), Instruction { arguments: vec![int(2)], ..at(1) });
        let distinct = std::collections::HashSet::from([at(1), at(9)]);
        assert_eq!(distinct.len(), 1);
    }

    #[test]
    fn a_collection_of_values_is_a_value() {
        let (one, two) = (int(1), int(2));
        assert_eq!(
            Argument::list(vec![one.clone(), two]),
            Argument::Value(Value::list(vec![Value::I64(1), Value::I64(2)]))
        );
        assert_eq!(
            Argument::map(vec![(one.clone(), Argument::list(vec![]))]),
            Argument::Value(Value::map(vec![(Value::I64(1), Value::list(vec![]))]))
        );
        let vertex = Argument::Vertex(Value::I64(7));
        let mixed = vec![one.clone(), vertex.clone()];
        assert_eq!(Argument::set(mixed.clone()), Argument::Set(mixed));
        assert_eq!(
            Argument::map(vec![(one, vertex.clone())]),
            Argument::Map(vec![(int(1), vertex)])
        );
    }

    #[test]
    fn within_takes_values_or_one_list_of_them() {
        let values = vec![int(1), int(2)];
        let list = Argument::list(values.clone());
        assert_eq!(Predicate::new("within", vec![list.clone()]).arguments, values);
        assert_eq!(Predicate::new("without", values.clone()).arguments, values);
        assert_eq!(Predicate::new("within", vec![list.clone(), int(3)]).arguments.len(), 2);
        assert_eq!(Predicate::new("eq", vec![list.clone()]).arguments, vec![list]);
    }

    #[test]
    fn families_stand_in_their_order() {
        for (index, (family, name)) in SymbolFamily::ALL.into_iter().enumerate() {
            assert_eq!(family as usize, index);
            assert_eq!(family.name(), name);
        }
    }
}
