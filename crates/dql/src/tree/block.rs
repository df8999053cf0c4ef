//! Query blocks, and the pages, orders and directives that blocks and children share.

use super::{Child, Facets, Filter, Function, Name, Offset, Predicate, Value};

/// `a as films(func: eq(name, "x"), first: 5) @filter(…) { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it begins.
    pub offset: Offset,
    /// `a` of `a as films(…)`: a variable with its uids, or with a path.
    pub variable: Option<Name>,
    /// Its name in the answer; `var` has no answer, and `shortest` has paths.
    pub name: Name,
    /// Where it begins in the graph.
    pub root: Root,
    /// Which of the elements are wanted.
    pub page: Page,
    /// Their order.
    pub order: Vec<Order>,
    /// What stands behind `@`.
    pub directives: Directives,
    /// What is read of each element.
    pub children: Vec<Child>,
}

/// Where a block begins in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// `me()`: nowhere, for aggregates of variables.
    Absent,
    /// `func: eq(name, "Alice")`.
    Function(Function),
    /// `shortest(from: 0x1, to: 0x2)`.
    Shortest(Box<ShortestPath>),
    /// `_xid_: XID`, the form of 2016: one element by its id. Also `_uid_` and `id`.
    Id {
        /// The kind of the id.
        key: Name,
        /// The id, or a list of them.
        value: Value,
    },
}

/// `shortest(from: 0x1, to: uid(b), numpaths: 3, depth: 4, minweight: 1, maxweight: 5, maxfrontiersize: 1000)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortestPath {
    /// `from`.
    pub from: Option<PathEnd>,
    /// `to`.
    pub to: Option<PathEnd>,
    /// `numpaths`.
    pub path_count: Option<Value>,
    /// `depth`.
    pub depth: Option<Value>,
    /// `minweight`.
    pub weight_min: Option<Value>,
    /// `maxweight`.
    pub weight_max: Option<Value>,
    /// `maxfrontiersize`.
    pub frontier_size_max: Option<Value>,
}

/// One of the ends of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// `0x1`, `$from`.
    Uid(Value),
    /// `uid(a)`: a variable with one uid.
    Variable(Name),
}

/// `first`, `offset` and `after`: in boxes, as most children have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// `first: 5`; `-5` is the last five.
    pub first: Option<Box<Value>>,
    /// `offset: 10`.
    pub offset: Option<Box<Value>>,
    /// `after: 0x1f`, a uid.
    pub after: Option<Box<Value>>,
}

/// `orderasc: name@en`, `orderdesc: val(x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Where the keyword begins.
    pub offset: Offset,
    /// Whether it is `orderdesc`.
    pub is_descending: bool,
    /// What is compared.
    pub key: OrderKey,
}

/// What an order compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// `name`, `name@en`.
    Predicate(Predicate),
    /// `val(x)`.
    Variable(Name),
    /// `$x`: the predicate that a variable of the request names.
    Parameter(Value),
}

/// What stands behind `@` at a block or a child: in boxes, as most children have nothing there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// `@filter(…)`; an empty one is none.
    pub filter: Option<Box<Filter>>,
    /// Each `@facets`.
    pub facets: Vec<Facets>,
    /// `@groupby(…)`.
    pub group_by: Option<Box<GroupBy>>,
    /// `@cascade`.
    pub cascade: Option<Box<Cascade>>,
    /// `@normalize`.
    pub normalize: Option<Offset>,
    /// `@ignorereflex`.
    pub ignore_reflex: Option<Offset>,
    /// `@recurse`.
    pub recursion: Option<Box<Recursion>>,
}

/// `@groupby(age, n: name@en)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupBy {
    /// Where the directive begins.
    pub offset: Offset,
    /// The predicates, one or more.
    pub keys: Vec<GroupKey>,
}

/// A predicate of `@groupby`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupKey {
    /// `n` of `n: name`.
    pub alias: Option<Name>,
    /// The predicate.
    pub predicate: Predicate,
}

/// `@cascade`, or `@cascade(name, friend)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// Where the directive begins.
    pub offset: Offset,
    /// The predicates that have to be there; without any, all that are read.
    pub predicates: Vec<Predicate>,
}

/// `@recurse`, or `@recurse(depth: 3, loop: true)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recursion {
    /// Where the directive begins.
    pub offset: Offset,
    /// `depth`.
    pub depth: Option<Value>,
    /// `loop`.
    pub is_loop: Option<Value>,
}
