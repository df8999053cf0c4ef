//! The layout of an answer: which columns of which level have which names.

use std::sync::Arc;

use millrace_plan::LetId;

use crate::schema::Kind;

/// A block of the answer.
#[derive(Clone, Debug)]
pub(crate) struct BlockLayout {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// What it has.
    pub(crate) kind: BlockKind,
}

/// What a block has.
#[derive(Clone, Debug)]
pub(crate) enum BlockKind {
    /// Nodes.
    Nodes(LevelLayout),
    /// One row of values, each an object of its own.
    Values {
        /// The column with its bag.
        bag: usize,
        /// Names, and the columns in the bag.
        values: Vec<(Arc<str>, usize)>,
    },
    /// Shortest paths.
    Paths(PathsLayout),
    /// Nodes with all that is reached from them.
    Recursion(RecursionLayout),
    /// What is written already, as JSON.
    Whole(String),
}

/// Nodes of `@recurse`.
#[derive(Clone, Debug)]
pub(crate) struct RecursionLayout {
    /// The column with the bag of roots: the node, and the bag of what is reached from it.
    pub(crate) bag: usize,
    /// The column with the bag of the values of all nodes.
    pub(crate) values: usize,
    /// Their fields.
    pub(crate) node: NodeLayout,
    /// The predicates, by their numbers.
    pub(crate) steps: Vec<RecursionStep>,
    /// How many steps the last nodes are away, of which no facets of values are shown; none: as many as there are.
    pub(crate) rounds: Option<u64>,
}

/// A predicate of `@recurse`.
#[derive(Clone, Debug)]
pub(crate) struct RecursionStep {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// Whether there is one node at most.
    pub(crate) is_single: bool,
    /// The column with the bag of its edges, with their facets.
    pub(crate) edges: Option<(usize, Facets)>,
}

/// Paths: each a row with the uids of its nodes, the numbers of the predicates that lead to them, and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct PathsLayout {
    /// The column with the bag.
    pub(crate) bag: usize,
    /// The names of predicates, by their numbers, with those of the facets that are shown, and the columns of these.
    pub(crate) steps: Vec<(Arc<str>, ShownFacet)>,
}

/// The name of a facet that is shown, and its column; none: there is none.
pub(crate) type ShownFacet = Option<(Arc<str>, usize)>;

/// A level: nodes reached from the nodes of the level above it.
#[derive(Clone, Debug)]
pub(crate) struct LevelLayout {
    /// The column of the row that has its bag.
    pub(crate) bag: usize,
    /// The column of a node's parent in the bag; the first level has no parents.
    pub(crate) parent: Option<usize>,
    /// What the rows are.
    pub(crate) rows: RowLayout,
    /// The `Let` of the plan that has the rows, where what lies above is decided by them.
    pub(crate) bound: Option<LetId>,
}

/// What the rows of a level are.
#[derive(Clone, Debug)]
pub(crate) enum RowLayout {
    /// Nodes.
    Nodes(NodeLayout),
    /// Groups of nodes, with their keys and folds.
    Groups(GroupLayout),
}

/// The columns of a group, keys first.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupLayout {
    /// Names and columns of keys; those of nodes are uids.
    pub(crate) keys: Vec<(Arc<str>, usize, Kind)>,
    /// Names and columns of folds.
    pub(crate) folds: Vec<(Arc<str>, usize)>,
    /// The column with the number of nodes, by which groups are in order.
    pub(crate) size: usize,
}

/// The fields of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeLayout {
    /// The column of the node itself.
    pub(crate) column: usize,
    /// The column of its uid, where every object has one.
    pub(crate) uid: Option<usize>,
    /// Its fields, in the order of the query.
    pub(crate) fields: Vec<Field>,
    /// Names under which the number of a level's nodes is an object of its own.
    pub(crate) counts: Vec<Arc<str>>,
    /// Whether the nodes below are made one object with it.
    pub(crate) is_flat: bool,
    /// Whether a node has no fields below itself.
    pub(crate) ignores_reflex: bool,
}

impl NodeLayout {
    /// Whether the query names the uid itself, which is written once.
    pub(crate) fn names_uid(&self) -> bool {
        self.fields.iter().any(|own| !own.is_alias && matches!(own.kind, FieldKind::Uid(_)))
    }
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// Whether the query chose the name.
    pub(crate) is_alias: bool,
    /// Where it comes from.
    pub(crate) kind: FieldKind,
}

/// Where a field comes from.
#[derive(Clone, Debug)]
pub(crate) enum FieldKind {
    /// The uid of the node.
    Uid(usize),
    /// Values of a predicate.
    Value {
        /// Their column.
        column: usize,
        /// Whether they are written as a list, whatever their number.
        is_list: bool,
        /// The type that they have for the client.
        kind: Kind,
        /// Facets.
        facets: Facets,
    },
    /// A value as it is.
    Plain(usize),
    /// Whether a password fits the hash in a column.
    Password {
        /// The column.
        column: usize,
        /// The password.
        password: Arc<str>,
    },
    /// Nodes of the next level, or groups of them.
    Level {
        /// The level.
        level: Box<LevelLayout>,
        /// Whether there is one at most, which is written without a list.
        is_single: bool,
        /// Facets of the edges, in the level's columns.
        facets: Facets,
    },
}

/// Facets that are shown.
#[derive(Clone, Debug, Default)]
pub(crate) enum Facets {
    /// None.
    #[default]
    None,
    /// Each in a column, with its name.
    Columns(Vec<(Arc<str>, usize)>),
    /// Of the values of a list: these keys, with their names; none: all.
    OfList(Option<Vec<(Arc<str>, Arc<str>)>>),
    /// All that an edge has.
    OfEdge {
        /// A column of fields.
        column: usize,
        /// The name of the edge's field, which is in front of each.
        prefix: Arc<str>,
        /// The names of keys, by their numbers.
        names: Arc<[Arc<str>]>,
    },
}
