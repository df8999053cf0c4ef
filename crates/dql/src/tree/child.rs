//! What a block reads of each element.

use super::{Directives, Math, Name, Offset, Order, Page, Predicate, Value};

/// `x as alias: selection`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Where it begins.
    pub offset: Offset,
    /// `x` of `x as age`.
    pub variable: Option<Name>,
    /// `years` of `years: age`.
    pub alias: Option<Name>,
    /// What is read.
    pub selection: Selection,
}

/// What a child reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// `name@en`, `friend (first: 2) @filter(…) { … }`.
    Predicate(Box<Traversal>),
    /// `uid`.
    Uid,
    /// `val(x)`.
    Variable(Name),
    /// `count(uid)`: the number of elements of the block.
    CountUid,
    /// `count(friend @filter(…))`, `count(friend) @filter(…)`.
    Count(Box<Traversal>),
    /// `min(val(x))`, or `max(name)` in a group.
    Aggregate(Aggregate, AggregateOf),
    /// `math(x + 1)`.
    Math(Math),
    /// `expand(_all_) { … }`.
    Expand(Box<Expand>),
    /// `checkpwd(password, "secret")`.
    PasswordCheck(Box<PasswordCheck>),
    /// `...name`: the children of a fragment.
    Fragment(Name),
}

/// A predicate, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The predicate.
    pub predicate: Predicate,
    /// Which of the elements are wanted.
    pub page: Page,
    /// Their order.
    pub order: Vec<Order>,
    /// What stands behind `@`.
    pub directives: Directives,
    /// What is read of each element.
    pub children: Vec<Child>,
}

/// A function over the values of a variable or of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// `min`
    Min,
    /// `max`
    Max,
    /// `sum`
    Sum,
    /// `avg`
    Avg,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Aggregate; 4] =
        [Aggregate::Min, Aggregate::Max, Aggregate::Sum, Aggregate::Avg];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Aggregate::Min => "min",
            Aggregate::Max => "max",
            Aggregate::Sum => "sum",
            Aggregate::Avg => "avg",
        }
    }
}

/// The values of an aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AggregateOf {
    /// `val(x)`.
    Variable(Name),
    /// `name`, in a group.
    Predicate(Predicate),
}

/// `expand(_all_) @filter(…) { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expand {
    /// Which predicates it stands for.
    pub of: ExpandOf,
    /// Which of the elements are wanted.
    pub page: Page,
    /// Their order.
    pub order: Vec<Order>,
    /// What stands behind `@`.
    pub directives: Directives,
    /// What is read of each element.
    pub children: Vec<Child>,
}

/// The predicates of an `expand`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpandOf {
    /// `val(x)`: those that a variable names.
    Variable(Name),
    /// `_all_`, `_forward_`, `_reverse_`, or types by name: `Person, Animal`.
    Names(Vec<Name>),
}

/// `checkpwd(password, "secret")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordCheck {
    /// The predicate with the password.
    pub predicate: Predicate,
    /// The password to compare.
    pub password: Value,
}
