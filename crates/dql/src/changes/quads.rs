//! Quads of one request, owned: names once each, rows of numbers.

use std::collections::HashMap;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result, TextPosition, Value, parse_vector};
use millrace_quads::text::json::Json;
use millrace_quads::{
    Action, BlankNames, Datatype, FacetValue, Literal, Node, NodeKind, Object, Statement, lists_of,
    parse_statements, statements_of,
};

use crate::limits::QUADS_MAX;
use crate::text::position;
use crate::tree::Offset;

/// The number of a node in [`Quads::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeNumber(pub u32);

/// A node, as quads name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeRef {
    /// By its uid.
    Uid(u64),
    /// A new one, by a name that holds in the request.
    Blank(Arc<str>),
    /// All nodes of a variable of the query.
    Variable(Arc<str>),
}

/// A facet.
pub type Facet = (Arc<str>, Value);

/// What stands behind the predicate.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectRef {
    /// A node.
    Node(NodeNumber),
    /// A value, as text and the type that was written with it.
    Literal {
        /// The text.
        text: Arc<str>,
        /// The type; without one a string.
        datatype: Datatype,
        /// Whether the type stands with it.
        is_typed: bool,
        /// The name of a type that is none of the known ones.
        other_type: Option<Arc<str>>,
        /// `en` of `"Ann"@en`.
        language: Option<Arc<str>>,
    },
    /// `val(v)`: the value that the query found for the subject.
    Variable {
        /// `v`.
        name: Arc<str>,
        /// The language of the predicate.
        language: Option<Arc<str>>,
    },
    /// `*`: all values and edges, or those of one language.
    All {
        /// The language.
        language: Option<Arc<str>>,
    },
}

/// One quad.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadRow {
    /// The node that it is about.
    pub subject: NodeNumber,
    /// Its predicate; none: `<s> * *`.
    pub predicate: Option<Arc<str>>,
    /// The other end.
    pub object: ObjectRef,
    /// Facets.
    pub facets: Vec<Facet>,
    /// The line of the request that it stands in, from 1; 0: it came in a message, or in JSON.
    pub line: u32,
}

impl QuadRow {
    /// An error about it, with its place.
    pub(crate) fn placed(&self, error: Error) -> Error {
        match (error.position, self.line) {
            (None, 1..) => error.at(TextPosition { line: self.line, column: 1 }),
            _ => error,
        }
    }
}

/// Quads in their order, with their nodes.
#[derive(Clone, Debug, Default)]
pub struct Quads {
    /// Its nodes, each once.
    pub nodes: Vec<NodeRef>,
    /// Its quads.
    pub rows: Vec<QuadRow>,
    /// The predicates that came in JSON, each with whether it has lists there.
    pub lists: HashMap<Arc<str>, bool>,
    numbers: HashMap<NodeRef, NodeNumber>,
    names: HashMap<Box<str>, Arc<str>>,
}

impl Quads {
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds the quads of a text in N-Quads, which begins at an offset of a request's own text.
    pub fn read_nquads(&mut self, text: &str, request: &str, at: Offset) -> Result<()> {
        let mut statements = parse_statements(text);
        let (mut line, mut counted) = (position(request, at).line, 0);
        while let Some(statement) = statements.next() {
            let statement = statement.map_err(|fault| {
                let found =
                    Offset(at.0.saturating_add(u32::try_from(fault.at).unwrap_or(u32::MAX)));
                bad(&fault.to_string()).at(position(request, found))
            })?;
            // A statement ends on the line that it stands in.
            let breaks = text.as_bytes()[counted..statements.at()].iter();
            line += breaks.filter(|byte| **byte == b'\n').count() as u32;
            counted = statements.at();
            self.push_at(&statement, line)?;
        }
        Ok(())
    }

    /// Adds the quads that a JSON says.
    pub fn read_json(&mut self, text: &str, action: Action, blanks: &mut BlankNames) -> Result<()> {
        let json = Json::parse_mutation(text).map_err(|fault| bad(&fault.to_string()))?;
        for (name, is_list) in lists_of(&json) {
            let name = self.name(name);
            *self.lists.entry(name).or_default() |= is_list;
        }
        let begin = self.rows.len();
        let statements = statements_of(&json, action, blanks);
        for statement in statements.map_err(|fault| bad(&fault.to_string()))? {
            self.push(&statement)?;
        }
        let vector = self.name(VECTOR);
        self.rows[begin..].iter_mut().for_each(|row| type_vector(row, &vector));
        Ok(())
    }

    /// Adds one.
    pub fn push(&mut self, statement: &Statement<'_>) -> Result<()> {
        self.push_at(statement, 0)
    }

    fn push_at(&mut self, statement: &Statement<'_>, line: u32) -> Result<()> {
        if self.rows.len() == QUADS_MAX {
            let detail = format!("a mutation has more than {QUADS_MAX} quads");
            let error = Error::new(ErrorKind::LimitReached, detail);
            return Err(error.with_help("send them in several mutations, or load them from a file"));
        }
        let row = match statement {
            Statement::Quad(quad) => QuadRow {
                subject: self.node(&quad.subject)?,
                predicate: Some(self.name(&quad.predicate)),
                object: self.object(&quad.object)?,
                facets: quad.facets.iter().map(|facet| self.facet(facet)).collect(),
                line,
            },
            Statement::AllValues { subject, predicate, language } => QuadRow {
                subject: self.node(subject)?,
                predicate: Some(self.name(predicate)),
                object: ObjectRef::All { language: language.map(|tag| self.name(tag)) },
                facets: Vec::new(),
                line,
            },
            Statement::AllPredicates { subject } => QuadRow {
                subject: self.node(subject)?,
                predicate: None,
                object: ObjectRef::All { language: None },
                facets: Vec::new(),
                line,
            },
        };
        self.rows.push(row);
        Ok(())
    }

    /// The variables that its quads use.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let nodes = self.nodes.iter().filter_map(|node| match node {
            NodeRef::Variable(name) => Some(&**name),
            NodeRef::Uid(_) | NodeRef::Blank(_) => None,
        });
        nodes.chain(self.rows.iter().filter_map(|row| match &row.object {
            ObjectRef::Variable { name, .. } => Some(&**name),
            ObjectRef::Node(_) | ObjectRef::Literal { .. } | ObjectRef::All { .. } => None,
        }))
    }

    fn object(&mut self, object: &Object<'_>) -> Result<ObjectRef> {
        Ok(match object {
            Object::Node(node) => ObjectRef::Node(self.node(node)?),
            Object::Literal(literal) => self.literal(literal),
            Object::Variable { name, language } => ObjectRef::Variable {
                name: self.name(name),
                language: language.map(|tag| self.name(tag)),
            },
        })
    }

    fn literal(&mut self, literal: &Literal<'_>) -> ObjectRef {
        ObjectRef::Literal {
            text: Arc::from(&*literal.text),
            datatype: literal.datatype,
            is_typed: literal.is_typed,
            other_type: literal.unknown_type.as_ref().map(|unknown| self.name(&unknown.name)),
            language: literal.language.map(|tag| self.name(tag)),
        }
    }

    fn facet(&mut self, facet: &millrace_quads::Facet<'_>) -> Facet {
        let value = match &facet.value {
            FacetValue::Text(text) => Value::from(&**text),
            FacetValue::Bare(value) => value.clone(),
        };
        (self.name(facet.key), value)
    }

    fn node(&mut self, node: &Node<'_>) -> Result<NodeNumber> {
        let named = match node.kind {
            NodeKind::Blank => NodeRef::Blank(self.name(&node.name)),
            NodeKind::Variable => NodeRef::Variable(self.name(&node.name)),
            NodeKind::Iri => NodeRef::Uid(node.uid().ok_or_else(|| {
                bad(&format!("`<{}>` is no uid", node.name)).with_help(
                    "name a node as <0x1f>, <31>, _:name or uid(v); `millrace load` maps other names",
                )
            })?),
        };
        if let NodeRef::Uid(uid) = named
            && i64::try_from(uid).is_err()
        {
            return Err(bad(&format!("Uid: [{uid}] cannot be greater than {}", i64::MAX)));
        }
        if let Some(number) = self.numbers.get(&named) {
            return Ok(*number);
        }
        let number = NodeNumber(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(named.clone());
        self.numbers.insert(named, number);
        Ok(number)
    }

    fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = Arc::from(name);
        self.names.insert(Box::from(name), Arc::clone(&shared));
        shared
    }
}

/// The datatype of a vector.
const VECTOR: &str = "float32vector";

/// In JSON a text of numbers in brackets is a vector, unless its predicate has texts.
fn type_vector(row: &mut QuadRow, name: &Arc<str>) {
    let ObjectRef::Literal { text, datatype: Datatype::String, other_type, language: None, .. } =
        &mut row.object
    else {
        return;
    };
    let is_vector = || parse_vector(text).is_some_and(|numbers| !numbers.is_empty());
    if other_type.is_none() && is_vector() {
        *other_type = Some(Arc::clone(name));
    }
}

fn bad(detail: &str) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Parse)
}
