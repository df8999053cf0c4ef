//! The operators: each one in docs/design/algebra.md, section 10 is a variant. No match on [`Op`] has a
//! wildcard.

use millrace_model::{Direction, ErrorKind};

use crate::call::Call;
use crate::expr::Expr;
pub use crate::fold::{Fold, Missing, SideFold};
use crate::intersect::Intersect;
use crate::languages::Languages;
use crate::lookup::Lookup;
use crate::paths::PathPattern;
use crate::plan::{ColumnId, LetId, Name, Pipeline};
use crate::random::Random;
use crate::recursive_expand::RecursiveExpand;
use crate::repeat::Repeat;
pub use crate::rows_source::RowsSource;
pub use crate::seek::{SeekBound, SeekRange};
use crate::writes::{Definition, OwnerName, Properties, Template};

/// Vertices or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// Vertices.
    Vertex,
    /// Edges.
    Edge,
}

/// What a `Scan` lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanSource {
    /// Vertices with a label (`None`: all), by id.
    Vertices(Option<Name>),
    /// Edges of types (`None`: all), by type, then source.
    Edges(Option<Vec<Name>>),
}

/// How often `both` sees a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loops {
    /// Twice, as Gremlin counts.
    Twice,
    /// Once, as Cypher counts.
    Once,
}

/// An end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Where it starts.
    Source,
    /// Where it leads.
    Target,
}

/// Where null and absent entries go in an order, apart from its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// Before all values.
    First,
    /// After all values.
    Last,
}

/// One key of a `Sort`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// What is compared, by the total order.
    pub by: Expr,
    /// Largest first.
    pub descending: bool,
    /// Where null goes.
    pub nulls: Nulls,
}

/// What an `Apply` makes of its subplan's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum ApplyKind {
    /// Outer row × its rows.
    Flat,
    /// As flat; an outer row without rows stays, the subplan's columns null.
    Optional,
    /// The outer row with one value.
    Value {
        /// What the rows fold to.
        fold: Fold,
        /// Where it goes.
        to: ColumnId,
    },
    /// Outer rows that have a row.
    Exists,
    /// Outer rows that have none.
    Absent,
    /// The outer row with a bag of the given columns.
    Bag {
        /// The subplan's columns that the bag holds.
        columns: Vec<ColumnId>,
        /// Where it goes.
        to: ColumnId,
    },
    /// The subplan runs to its end; the outer row passes once.
    Effect,
}

/// Which branches a row of a `Union` enters.
#[derive(Clone, Debug, PartialEq)]
pub enum UnionPick {
    /// All of them.
    All,
    /// The first branch with a true condition (one condition for each branch).
    First(Vec<Expr>),
}

/// What a `Join` makes of rows that agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// Row × the rows that agree with it.
    Inner,
    /// As inner; a row without any stays, the others' columns null.
    Left,
    /// Rows that agree with one.
    Semi,
    /// Rows that agree with none.
    Anti,
}

/// An operator: rows in, rows out. Order and scope are kept unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Each row, once for every vertex or edge listed.
    Scan {
        /// What is listed.
        source: ScanSource,
        /// The new column.
        to: ColumnId,
    },
    /// Each row, once for every element with keys that equal the values and a last key in the range,
    /// by id. Uses an index where there is one, else a scan. In every mode null, as a key,
    /// value or bound, finds nothing, and a bound holds only what compares with it: numbers with
    /// numbers, never NaN.
    Seek {
        /// The owner of the keys.
        owner: OwnerName,
        /// The keys that equal a value.
        keys: Vec<Name>,
        /// A value for each key.
        values: Vec<Expr>,
        /// The range of one more key.
        range: Option<SeekRange>,
        /// The new column.
        to: ColumnId,
    },
    /// Each row, once for every element of the ids (one, or a list; elements, integers or texts).
    LookupById {
        /// Vertices or edges.
        element: ElementKind,
        /// The ids.
        ids: Expr,
        /// What ids name, and what becomes of those that name none.
        mode: crate::lookup_mode::LookupMode,
        /// The new column.
        to: ColumnId,
    },
    /// Each row, once for every row of literal values or of a parameter's batch.
    Rows {
        /// The batch.
        source: RowsSource,
        /// A new column for each column of the batch.
        to: Vec<ColumnId>,
    },
    /// Each row, once for every row of a `Let`.
    LetRef {
        /// The `Let`.
        name: LetId,
        /// The new column.
        to: ColumnId,
    },
    /// Each row, once for every edge of a vertex, in list order. A null vertex has none.
    Expand {
        /// The vertex.
        from: ColumnId,
        /// Edge types; `None`: all.
        types: Option<Vec<Name>>,
        /// Which way.
        direction: Direction,
        /// A new column for the edge.
        edge: Option<ColumnId>,
        /// A new column for the other end.
        to: Option<ColumnId>,
        /// How `both` sees loops.
        loops: Loops,
    },
    /// Each row, once for every edge between two vertices, in the first's order. Null has none.
    ExpandInto {
        /// The first.
        from: ColumnId,
        /// The second.
        into: ColumnId,
        /// Edge types; `None`: all.
        types: Option<Vec<Name>>,
        /// Which way, seen from the first.
        direction: Direction,
        /// A new column for the edge.
        edge: Option<ColumnId>,
        /// How `both` sees loops.
        loops: Loops,
    },
    /// Each row, once for every common neighbour of several vertices; weights multiply.
    Intersect(Intersect),
    /// Each row, once for every way.
    PathExpand {
        /// Which ways.
        path: PathPattern,
        /// A new column for their edges, as a list.
        edges: Option<ColumnId>,
        /// A new column for where they end.
        to: Option<ColumnId>,
        /// A new column for what they cost, a double: without a weight, how many edges they have.
        cost: Option<ColumnId>,
    },
    /// Each row, once for every way to walk the edges of a list, none of them twice: at most two,
    /// the one that begins at the first edge's source before the other. There is none for null and
    /// for no edges at all.
    TrailEndpoints {
        /// The list.
        list: ColumnId,
        /// Which way each edge is walked.
        direction: Direction,
        /// A new column for where it starts.
        from: Option<ColumnId>,
        /// A new column for where it ends.
        to: Option<ColumnId>,
    },
    /// Adds a path: another with one more object, or with more tags on its last one. Behind an
    /// `Apply` the path of its end goes on where steps inside stay, the outer row's where they hide.
    PathStep {
        /// The path so far; `None`, and null of a row: there is none yet.
        before: Option<ColumnId>,
        /// What it goes on to; `None`: nowhere, only its last object is tagged.
        object: Option<ColumnId>,
        /// Tags of the last object.
        tags: Vec<Name>,
        /// The new column.
        to: ColumnId,
    },
    /// Adds an end of an edge.
    Endpoints {
        /// The edge.
        edge: ColumnId,
        /// Which end.
        end: End,
        /// The new column.
        to: ColumnId,
    },
    /// Adds properties of an element, as data.
    Fields {
        /// The element.
        element: ColumnId,
        /// Which; `None`: all.
        keys: Option<Vec<Name>>,
        /// In which languages, where keys are bare; `None`: keys are what names are, whatever these
        /// say.
        languages: Option<Languages>,
        /// The new column.
        to: ColumnId,
    },
    /// Adds what a name has for the row.
    Lookup(Lookup),
    /// Calls a procedure.
    Call(Call),
    /// Keeps rows for which the predicate is true; unknown is false.
    Filter {
        /// What must hold.
        predicate: Expr,
    },
    /// Adds columns.
    Project {
        /// New column and its expression.
        columns: Vec<(ColumnId, Expr)>,
    },
    /// Each row, once for every entry of a list. Null has none; weights multiply.
    Unwind {
        /// The list.
        list: Expr,
        /// The new column.
        to: ColumnId,
        /// A new column for the place in the list, from 0.
        position: Option<ColumnId>,
    },
    /// Each row, once for every value of a property; what is no entries, null and absent too, is its
    /// own only value, of ordinal 0. Weights multiply.
    UnwindValues {
        /// The property.
        property: Expr,
        /// The new column.
        to: ColumnId,
        /// A new column for the value's ordinal.
        ordinal: Option<ColumnId>,
    },
    /// One row for each distinct key of a scope, in order of first appearance; without keys one
    /// row for each scope. Keeps only the keys and folds.
    Aggregate {
        /// The keys.
        keys: Vec<ColumnId>,
        /// New column and its fold.
        folds: Vec<(ColumnId, Fold)>,
    },
    /// One row for each scope: a bag of its rows. Nothing else is left.
    Fold {
        /// The columns that the bag holds.
        columns: Vec<ColumnId>,
        /// Where it goes.
        to: ColumnId,
    },
    /// The first row of each distinct combination in a scope, weight 1.
    Dedup {
        /// Columns compared, by identity.
        columns: Vec<ColumnId>,
    },
    /// Rows of a scope in order, stable.
    Sort {
        /// The keys, first decides.
        keys: Vec<SortKey>,
    },
    /// The first rows of a scope in order.
    TopK {
        /// How many rows, by weight.
        count: u64,
        /// The keys.
        keys: Vec<SortKey>,
    },
    /// Rows `from..to` of a scope, by weight; splits weights.
    Range {
        /// The first row, from 0.
        from: u64,
        /// End, exclusive; `None`: to the end.
        to: Option<u64>,
    },
    /// The last rows of a scope, by weight; splits weights.
    Tail {
        /// How many.
        count: u64,
    },
    /// Random numbers of the query's generator: `Sample`, `Coin`, `Number`.
    Random(Random),
    /// Collects its scope before one row goes on; with `merge`, rows equal on the live columns
    /// become one, weights added.
    Barrier {
        /// Columns to merge on; `None` is a plain barrier. Other columns are dropped.
        merge: Option<Vec<ColumnId>>,
    },
    /// Rows of all branches; opens no scope.
    Union {
        /// Subplans that start from the picked rows.
        branches: Vec<Pipeline>,
        /// Which rows enter which.
        pick: UnionPick,
    },
    /// Runs a subplan once for the whole batch of outer rows; each is a scope.
    Apply {
        /// The subplan; starts from the outer rows.
        sub: Pipeline,
        /// What is made of its rows.
        kind: ApplyKind,
    },
    /// Rows joined with those of a subplan that starts from one row without columns and has no
    /// effect: it runs once for all. Compared by identity; a null or absent key agrees with nothing.
    Join {
        /// The subplan.
        right: Pipeline,
        /// What is made of rows that agree.
        kind: JoinKind,
        /// A column of the rows, and one of the subplan's.
        on: Vec<(ColumnId, ColumnId)>,
    },
    /// Runs a subplan once, each group of a scope's rows being a scope: the group's rows are what
    /// it starts from. A group, in order of first appearance, gives its keys × the subplan's rows;
    /// of their columns those that the subplan made.
    Group {
        /// The keys.
        keys: Vec<ColumnId>,
        /// The subplan.
        sub: Pipeline,
    },
    /// Rounds of a body.
    Repeat(Box<Repeat>),
    /// Rounds that go each edge once.
    RecursiveExpand(Box<RecursiveExpand>),
    /// Adds a value of every row, w times, to a named collection; all rows of the scope are added
    /// before one goes on.
    SideEffect {
        /// The collection.
        name: Name,
        /// What is added.
        value: Expr,
        /// What it is collected into.
        fold: SideFold,
    },
    /// Makes an element for each single row.
    Create {
        /// What is made.
        template: Template,
        /// The id of each element, chosen by the client: an integer from 1 or a text, which no other
        /// vertex, or no other edge, has. Null: the store gives a number.
        id: Option<Expr>,
        /// The new column.
        to: ColumnId,
    },
    /// Finds elements by keys or ends, or makes one: all rows at once, equal keys make one.
    Merge {
        /// What is matched, and made where there is none: labels or type, ends, `properties.keyed`.
        template: Template,
        /// More properties of a made element; their values may read `to`.
        on_create: Properties,
        /// Properties set on found elements; their values may read `to`.
        on_match: Properties,
        /// The new column.
        to: ColumnId,
        /// A new column: whether it was made.
        created: Option<ColumnId>,
    },
    /// Sets properties; the last row of an element wins. A null value removes.
    Set {
        /// The element; null is passed over.
        element: ColumnId,
        /// What is set.
        properties: Properties,
        /// Whether all other properties are removed.
        replace: bool,
    },
    /// Removes properties.
    Remove {
        /// The element; null is passed over.
        element: ColumnId,
        /// Which; `None`: all.
        keys: Option<Vec<Name>>,
    },
    /// Deletes elements; idempotent.
    Delete {
        /// The elements.
        element: Expr,
        /// Whether a vertex's edges go with it; else they must be gone when the statement ends.
        detach: bool,
    },
    /// Ends the query with an error as soon as there is a row.
    Fail {
        /// What is said.
        message: Expr,
        /// What a caller can do about it: [`ErrorKind::Failed`] where the query itself says that it fails.
        kind: ErrorKind,
    },
    /// Changes the catalog.
    Define {
        /// The change.
        definition: Definition,
    },
}
