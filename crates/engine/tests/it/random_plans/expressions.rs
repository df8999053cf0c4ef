//! Random expressions over the columns that are there, by the kind of value wanted.

use std::cell::Cell;
use std::rc::Rc;

use millrace_model::Value;
use millrace_model::compare::CompareMode;
use millrace_plan::functions::{Conversion, IndexMode, OnFailure, Outside, Overflow};
use millrace_plan::{
    Arithmetic, ColumnId, Comparison, End, Expr, Function, LetId, LetRead, Makes, Name, Quantifier,
    SetName, Unknown,
};
use millrace_testkit::Rng;

use super::graph::{LABELS, TYPES, number, odd};
use super::paths::TAGS;

/// The kind of a column's values, null and absent aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Vertex,
    Edge,
    Int,
    /// Numbers of several types.
    Number,
    List,
    /// Lists of edges.
    Edges,
    Path,
    /// Any value that is no element.
    Any,
    /// Only to be given out.
    Opaque,
}

/// The columns in sight, and the collections that may be asked.
#[derive(Clone, Default)]
pub(super) struct Sight {
    pub(super) columns: Vec<(ColumnId, Kind)>,
    pub(super) lets: Vec<LetId>,
    pub(super) side_effects: Vec<Name>,
    /// How many rows there may be, roughly.
    pub(super) rows: u64,
    /// Whether elements may be made; their ids then differ from run to run.
    pub(super) writes: bool,
    /// How many columns expressions have bound themselves.
    pub(super) bound: Rc<Cell<u32>>,
}

/// Columns that expressions bind are numbered from here: no operator makes one.
const BOUND_FROM: u32 = 1_000_000;

const KEYS: [&str; 5] = ["i", "n", "s", "l", "unknown"];

impl Sight {
    /// A column of one of the kinds.
    pub(super) fn column(&self, rng: &mut Rng, kinds: &[Kind]) -> Option<ColumnId> {
        let fit: Vec<_> = self.columns.iter().filter(|(_, kind)| kinds.contains(kind)).collect();
        (!fit.is_empty()).then(|| rng.pick(&fit).0)
    }

    pub(super) fn element(&self, rng: &mut Rng) -> Option<ColumnId> {
        self.column(rng, &[Kind::Vertex, Kind::Edge])
    }

    fn property(&self, rng: &mut Rng, key: &str) -> Option<Expr> {
        self.element(rng).map(|element| Expr::property(element, key))
    }

    pub(super) fn int(&self, rng: &mut Rng) -> Expr {
        let literal = |rng: &mut Rng| Expr::literal(rng.below(4) as i64);
        match rng.below(8) {
            0 | 1 => self.property(rng, "i").unwrap_or_else(|| literal(rng)),
            2 | 3 => self.column(rng, &[Kind::Int]).map_or_else(|| literal(rng), Expr::Column),
            4 => match self.element(rng) {
                Some(element) if !self.writes => Expr::Id(Box::new(Expr::Column(element))),
                Some(_) | None => literal(rng),
            },
            5 => self.arithmetic(rng),
            _ => literal(rng),
        }
    }

    fn arithmetic(&self, rng: &mut Rng) -> Expr {
        // Few that can fail: an error hides everything else a plan does.
        let operations = if rng.chance(0.05) {
            [Arithmetic::Divide, Arithmetic::Remainder, Arithmetic::Multiply]
        } else {
            [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply]
        };
        let operation = *rng.pick(&operations);
        let (left, right) = (Box::new(self.int(rng)), Box::new(self.int(rng)));
        Expr::Arithmetic { operation, left, right }
    }

    pub(super) fn numeric(&self, rng: &mut Rng) -> Expr {
        match rng.below(5) {
            0 | 1 => self.property(rng, "n").unwrap_or_else(|| self.int(rng)),
            2 => self.column(rng, &[Kind::Number]).map_or_else(|| self.int(rng), Expr::Column),
            3 => Expr::Literal(number(rng)),
            _ => self.int(rng),
        }
    }

    pub(super) fn list(&self, rng: &mut Rng) -> Expr {
        match rng.below(5) {
            4 if rng.chance(0.5) => self.comprehension(rng),
            0 => self.property(rng, "l").unwrap_or_else(|| Expr::List(Vec::new())),
            1 => match self.column(rng, &[Kind::List]) {
                Some(list) => Expr::Column(list),
                None => Expr::Literal(Value::Null),
            },
            2 => match self.column(rng, &[Kind::Vertex]) {
                Some(vertex) => Expr::Labels(Box::new(Expr::Column(vertex))),
                None => Expr::List(Vec::new()),
            },
            _ => Expr::List((0..rng.below(4)).map(|_| self.any(rng)).collect()),
        }
    }

    /// The sight of an expression over entries, and the column of the entry.
    fn with_entry(&self, kind: Kind) -> (Sight, ColumnId) {
        let item = ColumnId(BOUND_FROM + self.bound.get());
        self.bound.set(self.bound.get() + 1);
        let mut inner = self.clone();
        inner.columns.push((item, kind));
        (inner, item)
    }

    fn comprehension(&self, rng: &mut Rng) -> Expr {
        let list = self.list(rng);
        let (inner, item) = self.with_entry(Kind::Any);
        let keep = rng.chance(0.6).then(|| inner.about_entry(rng, item));
        let value = rng.chance(0.6).then(|| match rng.below(3) {
            0 => Expr::List(vec![Expr::Column(item), inner.any(rng)]),
            1 => inner.list(rng),
            _ => inner.any(rng),
        });
        Expr::over(list, item, Makes::List { keep, value })
    }

    /// A truth, often about the entry of a list.
    fn about_entry(&self, rng: &mut Rng, item: ColumnId) -> Expr {
        if rng.chance(0.3) {
            return self.truth(rng, 1);
        }
        let comparisons = [Comparison::Equal, Comparison::Less, Comparison::GreaterEqual];
        Expr::compare(*rng.pick(&comparisons), Expr::Column(item), self.numeric(rng))
    }

    fn quantified(&self, rng: &mut Rng) -> Expr {
        let list = self.list(rng);
        let (inner, item) = self.with_entry(Kind::Any);
        let quantifiers = [Quantifier::All, Quantifier::Any, Quantifier::None, Quantifier::Single];
        let (quantifier, unknown) =
            (*rng.pick(&quantifiers), *rng.pick(&[Unknown::Stays, Unknown::IsFalse]));
        let holds = inner.about_entry(rng, item);
        Expr::over(list, item, Makes::Truth { quantifier, unknown, holds })
    }

    /// A fold of a list: how many entries pass a test, or a list made of them.
    fn reduced(&self, rng: &mut Rng) -> Expr {
        let list = self.list(rng);
        let counts = rng.chance(0.5);
        let (inner, item) = self.with_entry(Kind::Any);
        let (inner, accumulator) = inner.with_entry(if counts { Kind::Int } else { Kind::List });
        let before = Expr::Column(accumulator);
        let next = match counts {
            true => {
                let one = Expr::call(
                    Function::Add(Overflow::Double),
                    vec![before.clone(), Expr::literal(1)],
                );
                Expr::Case {
                    branches: vec![(inner.about_entry(rng, item), one)],
                    otherwise: Some(Box::new(before)),
                }
            }
            false => Expr::List(vec![before, inner.any(rng)]),
        };
        let start = if counts { self.int(rng) } else { self.list(rng) };
        Expr::over(list, item, Makes::Fold { accumulator, start, next })
    }

    /// Any value, elements aside: their ids may differ between two runs that create.
    pub(super) fn any(&self, rng: &mut Rng) -> Expr {
        match rng.below(12) {
            0..=2 => {
                let key = *rng.pick(&KEYS);
                self.property(rng, key).unwrap_or(Expr::Literal(Value::Null))
            }
            3 | 4 => {
                let kinds = [Kind::Int, Kind::Number, Kind::Any, Kind::List];
                self.column(rng, &kinds).map_or_else(|| self.int(rng), Expr::Column)
            }
            5 => match self.lets.as_slice() {
                [] => Expr::Literal(Value::Null),
                lets => self.of_let(rng, lets),
            },
            6 if rng.chance(0.1) => match self.property(rng, "s") {
                Some(property) => Expr::SingleValue(Box::new(property)),
                None => Expr::literal("a"),
            },
            6 => Expr::literal(*rng.pick(&["", "a", "b"])),
            7 => Expr::Case {
                branches: vec![(self.truth(rng, 1), self.int(rng))],
                otherwise: rng.chance(0.5).then(|| Box::new(self.numeric(rng))),
            },
            8 => match self.column(rng, &[Kind::Edge]) {
                Some(edge) => Expr::EdgeType(Box::new(Expr::Column(edge))),
                None => self.numeric(rng),
            },
            9 if rng.chance(0.2) => Expr::Literal(odd(rng)),
            9 if rng.chance(0.2) => self.reduced(rng),
            9 if rng.chance(0.3) => self.of_path(rng),
            9 if rng.chance(0.5) => self.call(rng),
            9 => Expr::Map(vec![(Name::from("a"), self.numeric(rng))]),
            _ => self.numeric(rng),
        }
    }

    /// How many entries a `Let` has, or the label test of its first: not the entries themselves,
    /// which are elements.
    fn of_let(&self, rng: &mut Rng, lets: &[LetId]) -> Expr {
        let name = *rng.pick(lets);
        if rng.chance(0.5) {
            let all = Expr::Let { name, read: LetRead::All };
            return Expr::Call { function: Function::Size, arguments: vec![all] };
        }
        let first = Box::new(Expr::Let { name, read: LetRead::First });
        Expr::Property { element: first, key: Name::from("i") }
    }

    /// A function of a path or a list of edges.
    fn of_path(&self, rng: &mut Rng) -> Expr {
        let Some(path) = self.column(rng, &[Kind::Path]) else { return self.call(rng) };
        let objects = Expr::call(Function::Objects, vec![Expr::Column(path)]);
        match rng.below(5) {
            0 => Expr::call(Function::Size, vec![objects]),
            1 => Expr::call(Function::PathTags, vec![Expr::Column(path)]),
            2 => Expr::call(Function::AreDistinct, vec![objects]),
            3 if rng.chance(0.2) => {
                let function = *rng.pick(&[Function::PathFrom, Function::PathTo]);
                let tag = Expr::literal(*rng.pick(&TAGS));
                let part = Expr::call(function, vec![Expr::Column(path), tag]);
                Expr::call(Function::IsSimple, vec![part])
            }
            _ => Expr::call(Function::IsSimple, vec![Expr::Column(path)]),
        }
    }

    /// A function of each family, by the kinds of its arguments; few that can fail.
    fn call(&self, rng: &mut Rng) -> Expr {
        let index = IndexMode { first: 1, from_end: true, outside: Outside::Missing };
        let choice = rng.below(11);
        if choice == 10 {
            return self.by_type(rng);
        }
        let function = match choice {
            0 => Function::Size,
            1 => Function::Distinct,
            2 => Function::ElementAt(index),
            3 => Function::ToText(OnFailure::Null),
            4 => Function::ToInteger(OnFailure::Null),
            5 => Function::Add(Overflow::Double),
            6 => Function::EquivalenceKey,
            7 => Function::OrNull,
            8 => Function::SortList(*rng.pick(&[CompareMode::Plain, CompareMode::NullIsUnknown])),
            _ => Function::TypeName,
        };
        let list = |rng: &mut Rng| Expr::List(vec![self.any(rng), self.numeric(rng)]);
        let arguments = match choice {
            0 | 1 | 8 => vec![list(rng)],
            2 => vec![list(rng), Expr::literal(rng.below(4) as i64 - 2)],
            5 => vec![self.int(rng), Expr::literal(1)],
            _ => vec![self.any(rng)],
        };
        Expr::Call { function, arguments }
    }

    /// A function that asks for types at run time; few arguments that it refuses.
    fn by_type(&self, rng: &mut Rng) -> Expr {
        let key = |rng: &mut Rng| Expr::literal(*rng.pick(&["a", "i", "s"]));
        let map = |rng: &mut Rng| Expr::Map(vec![(Name::from("a"), self.any(rng))]);
        let call = |function, arguments| Expr::Call { function, arguments };
        match rng.below(8) {
            0 => {
                let conversions = [
                    Conversion::IntegerOrNull,
                    Conversion::FloatOrNull,
                    Conversion::BooleanOrNull,
                    Conversion::TextOrNull,
                ];
                call(Function::Convert(*rng.pick(&conversions)), vec![self.any(rng)])
            }
            1 => call(Function::Operate(Arithmetic::Add), vec![self.list(rng), self.any(rng)]),
            2 => {
                let operations = [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply];
                let operation = Function::Operate(*rng.pick(&operations));
                call(operation, vec![self.numeric(rng), self.numeric(rng)])
            }
            3 => match self.element(rng) {
                Some(element) => Expr::at(Expr::Column(element), key(rng)),
                None => Expr::at(map(rng), key(rng)),
            },
            4 => Expr::at(self.list(rng), Expr::literal(rng.below(4) as i64 - 2)),
            5 => call(Function::IsEmpty, vec![self.list(rng)]),
            6 => Expr::coalesce(vec![self.any(rng), self.any(rng)]),
            _ => match self.column(rng, &[Kind::Edge]) {
                Some(edge) => {
                    let (edge, end) = (Expr::Column(edge), *rng.pick(&[End::Source, End::Target]));
                    let vertex = Expr::EdgeEnd { edge: Box::new(edge), end };
                    Expr::Property { element: Box::new(vertex), key: Name::from("i") }
                }
                None => call(Function::ValueType, vec![self.any(rng)]),
            },
        }
    }

    /// A truth, true rather often.
    pub(super) fn truth(&self, rng: &mut Rng, depth: u64) -> Expr {
        match rng.below(if depth == 0 { 7 } else { 13 }) {
            12 => self.quantified(rng),
            0 => self.has_label(rng),
            1 => self.membership(rng),
            2 => Expr::IsNull(Box::new(self.any(rng))),
            3 => Expr::IsAbsent(Box::new(self.any(rng))),
            4 => {
                let (item, list) = (Box::new(self.numeric(rng)), Box::new(self.list(rng)));
                Expr::InList { item, list }
            }
            5 | 6 => self.comparison(rng),
            7 => self.truth(rng, depth - 1).negate(),
            8 if rng.chance(0.4) => self.alternatives(rng),
            8 => Expr::Or((0..2).map(|_| self.truth(rng, depth - 1)).collect()),
            9 => Expr::And((0..2).map(|_| self.truth(rng, depth - 1)).collect()),
            10 => self.any_value(rng),
            _ => {
                let text = self.property(rng, "s").unwrap_or_else(|| Expr::literal("ab"));
                let function = *rng.pick(&[Function::StartsWith, Function::Contains]);
                Expr::Call { function, arguments: vec![text, Expr::literal("a")] }
            }
        }
    }

    /// A test of each value of a property; now and then of another property too.
    fn any_value(&self, rng: &mut Rng) -> Expr {
        let Some(property) = self.property(rng, "s") else { return Expr::literal(true) };
        let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Greater];
        let comparison = *rng.pick(&comparisons);
        let own = Expr::compare(comparison, property.clone(), Expr::literal("a"));
        let test = match rng.below(4) {
            0 => own.negate(),
            1 => Expr::And(vec![own, self.comparison(rng)]),
            2 => {
                let below = Expr::compare(Comparison::Less, property.clone(), Expr::literal("b"));
                Expr::And(vec![own, below])
            }
            _ => own,
        };
        Expr::any_value(property, test)
    }

    fn comparison(&self, rng: &mut Rng) -> Expr {
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ];
        let comparison = *rng.pick(&comparisons);
        if rng.chance(0.2)
            && let (Some(left), Some(right)) =
                (self.column(rng, &[Kind::Vertex]), self.column(rng, &[Kind::Vertex]))
        {
            let comparison = if self.writes { Comparison::NotEqual } else { comparison };
            return Expr::compare(comparison, Expr::Column(left), Expr::Column(right));
        }
        match rng.below(3) {
            0 => Expr::compare(comparison, self.any(rng), self.any(rng)),
            _ => Expr::compare(comparison, self.numeric(rng), self.numeric(rng)),
        }
    }

    /// A truth about a property of an element that is not in sight yet.
    pub(super) fn asked_of_an_index(&self, rng: &mut Rng, element: ColumnId) -> Expr {
        let key = *rng.pick(&["i", "i", "n", "n", "s"]);
        let property = Expr::property(element, key);
        if key == "s" && rng.chance(0.5) {
            let prefix = match rng.below(4) {
                0 => self.any(rng),
                _ => Expr::literal(*rng.pick(&["", "a", "ab"])),
            };
            let arguments = vec![property, prefix];
            return Expr::Call { function: Function::StartsWith, arguments };
        }
        let comparisons = [
            Comparison::Equal,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ];
        let value = match rng.below(8) {
            0 => self.any(rng),
            1 => return Expr::IsNull(Box::new(property)).negate(),
            2 | 3 => self.numeric(rng),
            _ if key == "s" => Expr::literal(*rng.pick(&["", "a", "b"])),
            _ => Expr::literal(rng.below(3) as i64),
        };
        let comparison = *rng.pick(&comparisons);
        if rng.chance(0.8) {
            Expr::compare(comparison, property, value)
        } else {
            Expr::compare(comparison, value, property)
        }
    }

    fn has_label(&self, rng: &mut Rng) -> Expr {
        match self.column(rng, &[Kind::Vertex]) {
            Some(vertex) => Expr::HasLabel {
                vertex: Box::new(Expr::Column(vertex)),
                label: Name::from(*rng.pick(&LABELS)),
            },
            None => match self.column(rng, &[Kind::Edge]) {
                Some(edge) => Expr::compare(
                    Comparison::Equal,
                    Expr::EdgeType(Box::new(Expr::Column(edge))),
                    Expr::literal(*rng.pick(&TYPES)),
                ),
                None => Expr::literal(rng.chance(0.7)),
            },
        }
    }

    fn membership(&self, rng: &mut Rng) -> Expr {
        let mut sets: Vec<SetName> = self.lets.iter().map(|id| SetName::Let(*id)).collect();
        sets.extend(self.side_effects.iter().map(|name| SetName::SideEffect(name.clone())));
        if sets.is_empty() {
            return self.comparison(rng);
        }
        let item =
            self.column(rng, &[Kind::Vertex]).map_or_else(|| self.numeric(rng), Expr::Column);
        let asked = Expr::InSet { item: Box::new(item), set: rng.pick(&sets).clone() };
        if rng.chance(0.5) { asked.negate() } else { asked }
    }
}
