//! Requests of clients, typed. Names are the user's; nothing is looked up yet.

use millrace_model::schema::IndexKind;
use millrace_model::value::ValueMap;
use millrace_model::{Direction, PropertyType, Value};

use crate::admin;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A greeting: the server listens.
    Hello,
    /// A request that the listener of administration answers, too.
    Admin(admin::Request),
    /// The names of all graphs.
    ListGraphs,
    /// A description of a graph.
    ShowGraph {
        /// Which.
        graph: String,
    },
    /// A graph made, emptied or dropped.
    ChangeGraph {
        /// Which.
        graph: String,
        /// How.
        change: GraphChange,
    },
    /// A script; its text is the body.
    Script {
        /// On which graph.
        graph: String,
        /// The rights of the script.
        access: ScriptAccess,
    },
    /// Types, their properties, indexes.
    Schema {
        /// Of which graph.
        graph: String,
        /// The request.
        request: SchemaRequest,
    },
    /// Everything declared and stored goes.
    DropSchema {
        /// Of which graph.
        graph: String,
    },
    /// Elements of a type, or all.
    List {
        /// In which graph.
        graph: String,
        /// Nodes or relationships.
        element: Element,
        /// Of one type.
        type_name: Option<String>,
        /// Which of them.
        page: Page,
    },
    /// Elements with a property that compares so with a value.
    Find {
        /// In which graph.
        graph: String,
        /// Nodes or relationships.
        element: Element,
        /// Of this type.
        type_name: String,
        /// The property.
        property: String,
        /// How it compares.
        operation: Operation,
        /// The value to compare with; null where the operation takes none.
        value: Value,
        /// Which of them.
        page: Page,
    },
    /// One element, whole.
    Show {
        /// In which graph.
        graph: String,
        /// Which.
        target: Target,
    },
    /// One element removed, a node with its relationships.
    Remove {
        /// In which graph.
        graph: String,
        /// Which.
        target: Target,
    },
    /// A new node.
    AddNode {
        /// In which graph.
        graph: String,
        /// Its type.
        type_name: String,
        /// Its key.
        key: String,
        /// Its properties.
        properties: ValueMap,
    },
    /// A new relationship.
    AddRelationship {
        /// In which graph.
        graph: String,
        /// Its type.
        type_name: String,
        /// Where it starts.
        source: NodeName,
        /// Where it leads.
        target: NodeName,
        /// Its properties.
        properties: ValueMap,
    },
    /// One property, as an object of one.
    ShowProperty {
        /// In which graph.
        graph: String,
        /// Of which element.
        target: Target,
        /// Which.
        property: String,
    },
    /// All properties.
    ShowProperties {
        /// In which graph.
        graph: String,
        /// Of which element.
        target: Target,
    },
    /// Properties set or removed.
    ChangeProperties {
        /// In which graph.
        graph: String,
        /// Of which element.
        target: Target,
        /// How.
        change: PropertiesChange,
    },
    /// How many relationships a node has.
    Degree {
        /// In which graph.
        graph: String,
        /// Of which node.
        node: NodeName,
        /// Which of them.
        way: Way,
    },
    /// The nodes at the other ends.
    Neighbors {
        /// In which graph.
        graph: String,
        /// Of which node.
        node: NodeName,
        /// Along which relationships.
        way: Way,
    },
    /// The relationships themselves.
    Relationships {
        /// In which graph.
        graph: String,
        /// Of which node.
        node: NodeName,
        /// Which of them.
        way: Way,
    },
    /// The relationships between two nodes.
    Connected {
        /// In which graph.
        graph: String,
        /// One end.
        node: NodeName,
        /// The other end.
        other: NodeName,
        /// Which of them, as the first node sees them.
        way: Way,
    },
    /// Whether a graph answers.
    GraphHealth {
        /// Which.
        graph: String,
    },
    /// A route of RageDB's newest state that is not done here; refused by its name.
    Unsupported {
        /// Its name, for the message.
        what: &'static str,
    },
}

impl Request {
    /// The graph that it is about, if it is about one.
    pub fn graph(&self) -> Option<&str> {
        match self {
            Request::ShowGraph { graph }
            | Request::ChangeGraph { graph, .. }
            | Request::Script { graph, .. }
            | Request::Schema { graph, .. }
            | Request::DropSchema { graph }
            | Request::List { graph, .. }
            | Request::Find { graph, .. }
            | Request::Show { graph, .. }
            | Request::Remove { graph, .. }
            | Request::AddNode { graph, .. }
            | Request::AddRelationship { graph, .. }
            | Request::ShowProperty { graph, .. }
            | Request::ShowProperties { graph, .. }
            | Request::ChangeProperties { graph, .. }
            | Request::Degree { graph, .. }
            | Request::Neighbors { graph, .. }
            | Request::Relationships { graph, .. }
            | Request::Connected { graph, .. }
            | Request::GraphHealth { graph } => Some(graph),
            Request::Hello
            | Request::Admin(_)
            | Request::ListGraphs
            | Request::Unsupported { .. } => None,
        }
    }
}

/// A change of a graph as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphChange {
    /// Made, empty.
    Create,
    /// Everything in it goes.
    Empty,
    /// It goes itself.
    Drop,
}

/// The permissions of a script, by its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptAccess {
    /// `/db`: everything.
    Admin,
    /// `/rw`: read and write elements.
    ReadWrite,
    /// `/ro`: read.
    ReadOnly,
}

/// Nodes or relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Nodes.
    Node,
    /// Relationships.
    Relationship,
}

/// A type of nodes or of relationships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Nodes or relationships.
    pub element: Element,
    /// The type's name.
    pub type_name: String,
}

/// Schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaRequest {
    /// All types.
    Types(Element),
    /// The properties of a type, name to data type.
    ShowType(Owner),
    /// A type declared.
    DeclareType(Owner),
    /// A type declared no more; its elements must be gone.
    DropType(Owner),
    /// One property of a type.
    ShowProperty(Owner, String),
    /// A property declared.
    DeclareProperty(Owner, String, PropertyType),
    /// A property declared no more.
    DropProperty(Owner, String),
    /// The indexed properties of all types, or of one.
    Indexes(Element, Option<String>),
    /// An index made or ended.
    ChangeIndex(Owner, String, IndexChange),
}

/// A change of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexChange {
    /// Made, of a kind.
    Create(IndexKind),
    /// Ended, of a kind or of whichever there is.
    Drop(Option<IndexKind>),
}

/// A node, by id or by type and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeName {
    /// By id.
    Id(u64),
    /// By type and key.
    Key {
        /// Its type.
        type_name: String,
        /// Its key.
        key: String,
    },
}

/// One element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A node.
    Node(NodeName),
    /// A relationship, by id.
    Relationship(u64),
}

/// A change of an element's properties.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertiesChange {
    /// One is set.
    Set(String, Value),
    /// One is removed.
    Remove(String),
    /// These are set, the others stay.
    Merge(ValueMap),
    /// These are set, the others go.
    Replace(ValueMap),
    /// All go.
    Clear,
}

/// Relationships of a node: a direction, and types (`None`: all).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Which way.
    pub direction: Direction,
    /// Of these types.
    pub types: Option<Vec<String>>,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many are passed over.
    pub skip: u64,
    /// How many come at most.
    pub limit: u64,
}

/// How a property compares with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Not there.
    IsNull,
    /// There.
    NotIsNull,
    /// A text that begins so.
    StartsWith,
    /// A text that has this in it.
    Contains,
    /// A text that ends so.
    EndsWith,
    /// Not a text that begins so.
    NotStartsWith,
    /// Not a text that has this in it.
    NotContains,
    /// Not a text that ends so.
    NotEndsWith,
}

impl Operation {
    /// Every operation with RageDB's word for it.
    pub const ALL: [(&'static str, Operation); 14] = [
        ("EQ", Operation::Equal),
        ("NEQ", Operation::NotEqual),
        ("GT", Operation::Greater),
        ("GTE", Operation::GreaterEqual),
        ("LT", Operation::Less),
        ("LTE", Operation::LessEqual),
        ("IS_NULL", Operation::IsNull),
        ("NOT_IS_NULL", Operation::NotIsNull),
        ("STARTS_WITH", Operation::StartsWith),
        ("CONTAINS", Operation::Contains),
        ("ENDS_WITH", Operation::EndsWith),
        ("NOT_STARTS_WITH", Operation::NotStartsWith),
        ("NOT_CONTAINS", Operation::NotContains),
        ("NOT_ENDS_WITH", Operation::NotEndsWith),
    ];

    /// The operation of a word.
    pub fn parse(word: &str) -> Option<Operation> {
        Operation::ALL.iter().find(|(name, _)| *name == word).map(|(_, operation)| *operation)
    }

    /// Whether it compares with a value.
    pub fn takes_value(self) -> bool {
        !matches!(self, Operation::IsNull | Operation::NotIsNull)
    }
}
