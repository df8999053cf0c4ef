//! A block of lines to columns, on a parser thread. Names are numbered within the block, so that
//! the one thread that owns the graph's dictionary looks up each distinct name once a block.

use super::declared::uid_name;
use crate::declared::{DeclaredSchema, Judged};
use crate::error::{BadRow, Fault};
use crate::graph::{Dictionary, push_text};
use crate::progress::{DatatypeCounts, UnknownTypes};
use crate::source::Block;
use millrace_model::{Column, PropertyName, Value};
use millrace_quads::{
    Datatype, Facet, FacetValue, Literal, Node, NodeKind, Object, Quad, UnknownType, parse_line,
    vocabulary,
};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A vertex's number within a block: its name's number, doubled, plus one for a blank node.
pub(super) type Local = u32;

/// The parsed statements of one block.
#[derive(Default)]
pub(crate) struct QuadBlock {
    /// Distinct IRIs of vertices.
    pub(super) iris: Dictionary,
    /// Distinct blank nodes.
    pub(super) blanks: Dictionary,
    /// Edge types; the number of one is its place in `edges`.
    pub(super) edge_types: Dictionary,
    pub(super) edges: Vec<EdgeGroup>,
    /// Keys, as a [`PropertyName`] spells language and facet; the number of one is its place in
    /// `values`.
    pub(super) keys: Dictionary,
    pub(super) values: Vec<ValueGroup>,
    /// Labels: of which node, and which.
    pub(super) labels: Vec<(Local, Box<str>)>,
    /// Statements read.
    pub(crate) quads: u64,
    /// Lines that can't be loaded.
    pub(crate) bad: Vec<BadRow>,
    /// Literals of types that are not known.
    pub(crate) unknown_types: DatatypeCounts,
    /// What becomes of them.
    treatment: UnknownTypes,
    /// Whether `0x1f` and `31` name one vertex.
    pub(super) has_uids: bool,
    /// What a schema had to say of the statements.
    pub(super) judged: Judged,
    pub(super) key: String,
}

/// What a block is read by.
#[derive(Clone, Default)]
pub(crate) struct BlockRules {
    /// What becomes of literals of unknown types.
    pub(crate) treatment: UnknownTypes,
    /// The schema, if the load has one.
    pub(crate) declared: Option<Arc<DeclaredSchema>>,
    /// Blocks of JSON that were read.
    pub(crate) blocks: Arc<AtomicU64>,
}

/// Edges of one predicate.
#[derive(Default)]
pub(super) struct EdgeGroup {
    pub(super) sources: Vec<Local>,
    pub(super) targets: Vec<Local>,
    /// Facets by key; their owners are rows of this group.
    pub(super) facets: Vec<(Box<str>, ValueGroup)>,
}

/// Values of one key.
#[derive(Default)]
pub(super) struct ValueGroup {
    pub(super) owners: Vec<u32>,
    pub(super) values: Column,
}

/// Reads all lines of a block.
pub(crate) fn parse_block(block: &Block, rules: &BlockRules) -> QuadBlock {
    let mut result = QuadBlock::by(rules);
    let schema = rules.declared.as_deref();
    let lines = block.first_line..;
    match str::from_utf8(&block.bytes) {
        Ok(text) => lines.zip(text.split('\n')).for_each(|(number, line)| {
            result.add_line(block, number, line, schema);
        }),
        Err(_) => lines.zip(block.bytes.split(|byte| *byte == b'\n')).for_each(|(number, line)| {
            match str::from_utf8(line) {
                Ok(line) => result.add_line(block, number, line, schema),
                Err(error) => result.refuse_bytes(block, number, &line[..error.valid_up_to()]),
            }
        }),
    }
    result
}

impl QuadBlock {
    /// An empty block.
    pub(super) fn by(rules: &BlockRules) -> Self {
        let (treatment, has_uids) = (rules.treatment, rules.declared.is_some());
        Self { treatment, has_uids, ..Self::default() }
    }

    fn add_line(
        &mut self,
        block: &Block,
        number: u64,
        line: &str,
        schema: Option<&DeclaredSchema>,
    ) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let added = match parse_line(line) {
            Ok(Some(quad)) => match schema {
                None => self.add(&quad),
                Some(schema) => self.add_declared(schema, &quad),
            },
            Ok(None) => Ok(()),
            Err(fault) => Err(fault),
        };
        if let Err(Fault { at, detail }) = added {
            let (file, column) = (block.file.clone(), 1 + line[..at].chars().count() as u64);
            self.bad.push(BadRow { file, line: number, column, detail });
        }
    }

    #[cold]
    fn refuse_bytes(&mut self, block: &Block, number: u64, before: &[u8]) {
        let column = 1 + String::from_utf8_lossy(before).chars().count() as u64;
        let detail = "expected UTF-8 text, found other bytes: convert the file".to_string();
        self.bad.push(BadRow { file: block.file.clone(), line: number, column, detail });
    }

    /// Adds a statement: all of it, or nothing.
    fn add(&mut self, quad: &Quad<'_>) -> Result<(), Fault> {
        if let Object::Literal(literal) = &quad.object
            && let Some(unknown) = &literal.unknown_type
        {
            self.judge_unknown(quad, unknown)?;
        }
        match &quad.object {
            Object::Node(node) if vocabulary::is_type(&quad.predicate) => {
                self.add_label(quad, &node.name);
            }
            Object::Literal(literal) if vocabulary::is_type(&quad.predicate) => {
                self.add_label(quad, &literal.text);
            }
            Object::Node(node) => self.add_edge(quad, node),
            Object::Literal(literal) => self.add_value(quad, literal)?,
            // `parse_line` refuses these at their own position.
            Object::Variable { .. } => {
                return Err(Fault::new(0, "a load has no query, and so no val(…)"));
            }
        }
        self.quads += 1;
        Ok(())
    }

    /// Counts a literal of a type that is not known, and refuses it if the load does, or if its type
    /// would be lost.
    #[cold]
    fn judge_unknown(&mut self, quad: &Quad<'_>, unknown: &UnknownType) -> Result<(), Fault> {
        if self.treatment == UnknownTypes::Facet {
            let detail = if vocabulary::is_type(&quad.predicate) {
                "a label has no facets, so that its datatype would be lost: leave the datatype out, or \
                 use --unknown-types text"
            } else if quad.facets.iter().any(|facet| facet.key == vocabulary::DATATYPE) {
                "the facet 'datatype' is where --unknown-types facet keeps the datatype: rename this one"
            } else {
                self.unknown_types.add(&unknown.name);
                return Ok(());
            };
            return Err(Fault::new(unknown.at, detail));
        }
        self.unknown_types.add(&unknown.name);
        match self.treatment {
            UnknownTypes::Refuse => Err(Fault::new(unknown.at, refusal(&unknown.name))),
            UnknownTypes::Text | UnknownTypes::Facet => Ok(()),
        }
    }

    pub(super) fn add_label(&mut self, quad: &Quad<'_>, label: &str) {
        let owner = self.local(&quad.subject);
        self.labels.push((owner, label.into()));
    }

    pub(super) fn add_edge(&mut self, quad: &Quad<'_>, target: &Node<'_>) {
        let (source, target) = (self.local(&quad.subject), self.local(target));
        let group = self.edge_types.group(&mut self.edges, &quad.predicate);
        let row = group.sources.len() as u32;
        group.sources.push(source);
        group.targets.push(target);
        for facet in &quad.facets {
            push_facet(facets_of(&mut group.facets, facet.key), row, facet);
        }
    }

    fn add_value(&mut self, quad: &Quad<'_>, literal: &Literal<'_>) -> Result<(), Fault> {
        if quad.predicate == vocabulary::XID {
            let detail = "the key 'xid' is where a load keeps a vertex's own name: rename this one";
            return Err(Fault::new(literal.at, detail));
        }
        let value = match literal.datatype {
            Datatype::String => None,
            datatype => {
                let value = datatype.parse(&literal.text);
                Some(value.map_err(|detail| Fault::new(literal.at, detail))?)
            }
        };
        let owner = self.local(&quad.subject);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let name = PropertyName { key: &quad.predicate, language: literal.language, facet: None };
        name.push_to(&mut key);
        self.keys.group(&mut self.values, &key).push(owner, value, &literal.text);
        for facet in &quad.facets {
            key.clear();
            PropertyName { facet: Some(facet.key), ..name }.push_to(&mut key);
            push_facet(self.keys.group(&mut self.values, &key), owner, facet);
        }
        if let (UnknownTypes::Facet, Some(unknown)) = (self.treatment, &literal.unknown_type) {
            key.clear();
            PropertyName { facet: Some(vocabulary::DATATYPE), ..name }.push_to(&mut key);
            self.keys.group(&mut self.values, &key).push(owner, None, &unknown.name);
        }
        self.key = key;
        Ok(())
    }

    pub(super) fn local(&mut self, node: &Node<'_>) -> Local {
        match node.kind {
            // A line has no variables: `parse_line` refuses them.
            NodeKind::Iri | NodeKind::Variable if self.has_uids => {
                self.iris.intern(&uid_name(node)).0 * 2
            }
            NodeKind::Iri | NodeKind::Variable => self.iris.intern(&node.name).0 * 2,
            NodeKind::Blank => self.blanks.intern(&node.name).0 * 2 + 1,
        }
    }
}

impl ValueGroup {
    pub(super) fn push(&mut self, owner: u32, value: Option<Value>, text: &str) {
        self.owners.push(owner);
        match value {
            Some(value) => self.values.push(value),
            None => push_text(&mut self.values, text),
        }
    }
}

/// Why a literal of an unknown type is a bad row.
fn refusal(name: &str) -> String {
    format!(
        "the datatype <{name}> is not supported (those of XML Schema and RDF are, and geo:geojson); load such texts as \
         they are by --unknown-types text, or with the datatype as a facet by --unknown-types facet"
    )
}

/// One predicate has few facets: a list beats a table.
fn facets_of<'a>(facets: &'a mut Vec<(Box<str>, ValueGroup)>, key: &str) -> &'a mut ValueGroup {
    let found = facets.iter().position(|(known, _)| **known == *key);
    let at = found.unwrap_or_else(|| {
        facets.push((key.into(), ValueGroup::default()));
        facets.len() - 1
    });
    &mut facets[at].1
}

fn push_facet(group: &mut ValueGroup, owner: u32, facet: &Facet<'_>) {
    match &facet.value {
        FacetValue::Text(text) => group.push(owner, None, text),
        FacetValue::Bare(value) => group.push(owner, Some(value.clone()), ""),
    }
}
