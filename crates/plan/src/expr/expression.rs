//! Expressions: evaluated for a whole batch at once, a column in, a column out.
//!
//! An expression may be a value, null or absent; `Property` of an element that has no such key is
//! absent. An error belongs to its row and is raised only if the row is still selected.

use millrace_model::Value;

use super::over::{Makes, Over};
use crate::base::{ColumnId, ColumnSet, End, LetId, Name, ParameterId};
use crate::functions::{Arithmetic, Function, Wanted};

/// `=`, `<` and kin, under the plan's compare mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
}

/// A collection that `In` asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetName {
    /// A `Let`.
    Let(LetId),
    /// A side effect; it waits for every `SideEffect` of that name upstream.
    SideEffect(Name),
}

/// The entries that an expression reads of a `Let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LetRead {
    /// The entry of its first row; null if it has none. A scalar.
    First,
    /// All its entries in order, as a list, weights expanded; absent ones are left out. A path.
    All,
}

/// An expression over the columns of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A column.
    Column(ColumnId),
    /// A constant.
    Literal(Value),
    /// A parameter that is one value.
    Parameter(ParameterId),
    /// A `Let` as one value.
    Let {
        /// Which.
        name: LetId,
        /// The entries that are read.
        read: LetRead,
    },
    /// A property of a vertex or edge, a value of a map, or a component of a value that has some.
    Property {
        /// The element.
        element: Box<Expr>,
        /// The key.
        key: Name,
    },
    /// The properties of an element, as a map of their keys.
    Properties {
        /// The element.
        element: Box<Expr>,
        /// Which; `None`: all.
        keys: Option<Vec<Name>>,
    },
    /// The id of an element, as an integer.
    Id(Box<Expr>),
    /// The labels of a vertex, as a list of names.
    Labels(Box<Expr>),
    /// Whether a vertex has a label.
    HasLabel {
        /// The vertex.
        vertex: Box<Expr>,
        /// The label.
        label: Name,
    },
    /// The type of an edge, as a name.
    EdgeType(Box<Expr>),
    /// A vertex that an edge has; null if the edge is not there.
    EdgeEnd {
        /// The edge.
        edge: Box<Expr>,
        /// Which vertex.
        end: End,
    },
    /// A comparison.
    Compare {
        /// Which.
        comparison: Comparison,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// All hold; three-valued.
    And(Vec<Expr>),
    /// One holds; three-valued.
    Or(Vec<Expr>),
    /// Does not hold; unknown stays unknown.
    Not(Box<Expr>),
    /// A value as it is; an error if it is an element that the statement deleted before.
    Living {
        /// The value.
        element: Box<Expr>,
        /// Whether a deleted vertex is none: it still has properties, which are no more.
        only_edges: bool,
    },
    /// Whether the entry is null or absent.
    IsNull(Box<Expr>),
    /// Whether the entry is absent.
    IsAbsent(Box<Expr>),
    /// Whether an entry is in a collection of the plan, by identity.
    InSet {
        /// The entry.
        item: Box<Expr>,
        /// The collection.
        set: SetName,
    },
    /// Whether an entry equals one of a list.
    InList {
        /// The entry.
        item: Box<Expr>,
        /// The list.
        list: Box<Expr>,
    },
    /// Arithmetic on numbers.
    Arithmetic {
        /// Which.
        operation: Arithmetic,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// A scalar function.
    Call {
        /// Which.
        function: Function,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// Whether the test holds with some value of a property in the place of the property, which is
    /// one of a column. Without entries, the test itself.
    AnyValue {
        /// The property that the test reads.
        property: Box<Expr>,
        /// The condition.
        test: Box<Expr>,
    },
    /// The only value of a property; an error where it has several. Absent stays absent.
    SingleValue(Box<Expr>),
    /// A list of the entries; absent ones are left out.
    List(Vec<Expr>),
    /// A map of names to entries; absent ones are left out.
    Map(Vec<(Name, Expr)>),
    /// The value of the first condition that holds, else the other (null if `None`).
    Case {
        /// Conditions and values.
        branches: Vec<(Expr, Expr)>,
        /// Otherwise.
        otherwise: Option<Box<Expr>>,
    },
    /// Another expression, evaluated for each entry of a list.
    Over(Box<Over>),
}

impl Expr {
    /// A column.
    pub fn column(column: ColumnId) -> Expr {
        Expr::Column(column)
    }

    /// A constant.
    pub fn literal(value: impl Into<Value>) -> Expr {
        Expr::Literal(value.into())
    }

    /// A property of a column's element.
    pub fn property(element: ColumnId, key: &str) -> Expr {
        Expr::Property { element: Box::new(Expr::Column(element)), key: Name::from(key) }
    }

    /// A comparison.
    pub fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
        Expr::Compare { comparison, left: Box::new(left), right: Box::new(right) }
    }

    /// A function of arguments.
    pub fn call(function: Function, arguments: Vec<Expr>) -> Expr {
        Expr::Call { function, arguments }
    }

    /// The entry of a list, or the property of an element or map, whichever the container is at run time.
    /// The container is evaluated more than once: a long one is projected first.
    pub fn at(container: Expr, part: Expr) -> Expr {
        let is_element = Expr::call(Function::IsA(Wanted::Element), vec![container.clone()]);
        let properties = Expr::Properties { element: Box::new(container.clone()), keys: None };
        let of_element = Expr::call(Function::At, vec![properties, part.clone()]);
        let of_other = Expr::call(Function::At, vec![container, part]);
        Expr::Case { branches: vec![(is_element, of_element)], otherwise: Some(Box::new(of_other)) }
    }

    /// All properties of an element, or a map itself, whichever the value is at run time. It is evaluated more than
    /// once: a long one is projected first.
    pub fn properties_of(value: Expr) -> Expr {
        let is_map = Expr::call(Function::IsA(Wanted::Map), vec![value.clone()]);
        let properties = Expr::Properties { element: Box::new(value.clone()), keys: None };
        Expr::Case { branches: vec![(is_map, value)], otherwise: Some(Box::new(properties)) }
    }

    /// The first of some values that is not null. All but the last are evaluated twice.
    pub fn coalesce(mut values: Vec<Expr>) -> Expr {
        let last = values.pop().map(Box::new);
        let branch = |value: Expr| (Expr::IsNull(Box::new(value.clone())).negate(), value);
        Expr::Case { branches: values.into_iter().map(branch).collect(), otherwise: last }
    }

    /// Whether a test holds with some value of the property that it reads.
    pub fn any_value(property: Expr, test: Expr) -> Expr {
        Expr::AnyValue { property: Box::new(property), test: Box::new(test) }
    }

    /// Another expression over the entries of a list, each in the column `item`.
    pub fn over(list: Expr, item: ColumnId, makes: Makes) -> Expr {
        Expr::Over(Box::new(Over { list, item, makes }))
    }

    /// The key, if this is a property.
    pub fn key(&self) -> Option<&Name> {
        if let Expr::Property { key, .. } = self { Some(key) } else { None }
    }

    /// Not this.
    pub fn negate(self) -> Expr {
        Expr::Not(Box::new(self))
    }

    /// The expressions directly inside this one.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Column(_) | Expr::Literal(_) | Expr::Parameter(_) | Expr::Let { .. } => {
                Vec::new()
            }
            Expr::Property { element: inner, .. }
            | Expr::Properties { element: inner, .. }
            | Expr::Id(inner)
            | Expr::Labels(inner)
            | Expr::HasLabel { vertex: inner, .. }
            | Expr::EdgeType(inner)
            | Expr::EdgeEnd { edge: inner, .. }
            | Expr::Living { element: inner, .. }
            | Expr::Not(inner)
            | Expr::IsNull(inner)
            | Expr::IsAbsent(inner)
            | Expr::SingleValue(inner)
            | Expr::InSet { item: inner, .. } => vec![inner],
            Expr::Compare { left, right, .. }
            | Expr::AnyValue { property: left, test: right }
            | Expr::Arithmetic { left, right, .. }
            | Expr::InList { item: left, list: right } => vec![left, right],
            Expr::And(inner) | Expr::Or(inner) | Expr::List(inner) => inner.iter().collect(),
            Expr::Call { arguments, .. } => arguments.iter().collect(),
            Expr::Map(pairs) => pairs.iter().map(|(_, value)| value).collect(),
            Expr::Case { branches, otherwise } => branches
                .iter()
                .flat_map(|(condition, value)| [condition, value])
                .chain(otherwise.as_deref())
                .collect(),
            Expr::Over(over) => over.outer().chain(over.inner()).collect(),
        }
    }

    /// The same, to change them.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Column(_) | Expr::Literal(_) | Expr::Parameter(_) | Expr::Let { .. } => {
                Vec::new()
            }
            Expr::Property { element: inner, .. }
            | Expr::Properties { element: inner, .. }
            | Expr::Id(inner)
            | Expr::Labels(inner)
            | Expr::HasLabel { vertex: inner, .. }
            | Expr::EdgeType(inner)
            | Expr::EdgeEnd { edge: inner, .. }
            | Expr::Living { element: inner, .. }
            | Expr::Not(inner)
            | Expr::IsNull(inner)
            | Expr::IsAbsent(inner)
            | Expr::SingleValue(inner)
            | Expr::InSet { item: inner, .. } => vec![inner],
            Expr::Compare { left, right, .. }
            | Expr::AnyValue { property: left, test: right }
            | Expr::Arithmetic { left, right, .. }
            | Expr::InList { item: left, list: right } => vec![left, right],
            Expr::And(inner) | Expr::Or(inner) | Expr::List(inner) => inner.iter_mut().collect(),
            Expr::Call { arguments, .. } => arguments.iter_mut().collect(),
            Expr::Map(pairs) => pairs.iter_mut().map(|(_, value)| value).collect(),
            Expr::Case { branches, otherwise } => branches
                .iter_mut()
                .flat_map(|(condition, value)| [condition, value])
                .chain(otherwise.as_deref_mut())
                .collect(),
            Expr::Over(over) => over.all_mut().0,
        }
    }

    /// Reads another column in place of one.
    pub fn replace_column(&mut self, from: ColumnId, into: ColumnId) {
        self.replace(&Expr::Column(from), &Expr::Column(into));
    }

    /// Reads another expression in place of one, wherever it stands.
    pub fn replace(&mut self, from: &Expr, into: &Expr) {
        if self == from {
            *self = into.clone();
            return;
        }
        if let Expr::Over(over) = self {
            return over.replace(from, into);
        }
        self.children_mut().into_iter().for_each(|child| child.replace(from, into));
    }
}

/// What it reads.
impl Expr {
    /// Calls `visit` for this expression and all inside it.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Adds the columns of its row that it reads; what it binds itself is none of them.
    pub fn read_columns(&self, columns: &mut ColumnSet) {
        if let Expr::Over(over) = self {
            return over.read_columns(columns);
        }
        if let Expr::Column(column) = self {
            columns.insert(*column);
        }
        self.children().into_iter().for_each(|child| child.read_columns(columns));
    }
}
