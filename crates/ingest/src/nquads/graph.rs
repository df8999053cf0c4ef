//! Blocks to one graph in memory: names become vertices, the rest stays in the columns the parsers
//! made. A vertex exists by being named.

use super::block::{Local, QuadBlock, ValueGroup};
use super::declared::uid_of;
use super::vocabulary::{RESOURCE, XID};
use crate::declared::{DeclaredPredicate, DeclaredSchema, EXTERNAL_NAME, Judged};
use crate::graph::{Dictionary, PropertyParts};
use millrace_model::PropertyName;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// Marks in [`QuadGraph::names`] which dictionary names a vertex.
const BLANK: u32 = 1 << 31;

/// Everything the files said.
#[derive(Default)]
pub(crate) struct QuadGraph {
    /// Names that become `xid`.
    pub(super) iris: Dictionary,
    /// Names that hold only within this load (all its files share them).
    blanks: Dictionary,
    /// The vertex of each IRI.
    iri_vertices: Vec<u32>,
    blank_vertices: Vec<u32>,
    /// The name of each vertex: an IRI's number, or a blank node's with [`BLANK`].
    names: Vec<u32>,
    /// Label names.
    pub(super) labels: Dictionary,
    /// Which vertex has which label; not sorted, with repeats.
    pub(super) labelled: Vec<(u32, u32)>,
    /// Edge types; the number of one is its place in `edges`.
    pub(super) edge_types: Dictionary,
    pub(super) edges: Vec<EdgeParts>,
    /// Property keys; the number of one is its place in `values`.
    pub(super) keys: Dictionary,
    pub(super) values: Vec<PropertyParts>,
    /// Keys of facets.
    pub(super) facet_keys: Dictionary,
    /// The prefix for names of blank nodes, if they are stored.
    blank_prefix: Option<Arc<str>>,
    /// The schema, if the load has one.
    declared: Option<Arc<DeclaredSchema>>,
    /// What it had to say of the statements.
    judged: Judged,
}

/// Edges of one type, in file order.
#[derive(Default)]
pub(super) struct EdgeParts {
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// By facet key; owners are rows of this type.
    pub(super) facets: Vec<(u32, PropertyParts)>,
}

/// A block's numbers as the graph's.
struct Renumbering {
    iris: Vec<u32>,
    blanks: Vec<u32>,
}

impl Renumbering {
    fn vertex(&self, local: Local) -> u32 {
        let names = if local.is_multiple_of(2) { &self.iris } else { &self.blanks };
        names[(local / 2) as usize]
    }
}

impl QuadGraph {
    /// Adds the statements of a block. Blocks come in file order, which decides which value is last.
    pub(crate) fn add(&mut self, mut block: QuadBlock) {
        self.judged.add(std::mem::take(&mut block.judged));
        let vertices = self.renumber(&block);
        for (owner, label) in &block.labels {
            let label = self.labels.intern(label).0;
            self.labelled.push((vertices.vertex(*owner), label));
        }
        for (name, group) in block.keys.iter().zip(block.values) {
            let key = self.keys.group(&mut self.values, name);
            let ValueGroup { owners, values } = group;
            key.push(owners.iter().map(|owner| vertices.vertex(*owner)), values);
        }
        for (name, group) in block.edge_types.iter().zip(block.edges) {
            let edges = self.edge_types.group(&mut self.edges, name);
            let first = edges.sources.len() as u32;
            edges.sources.extend(group.sources.iter().map(|local| vertices.vertex(*local)));
            edges.targets.extend(group.targets.iter().map(|local| vertices.vertex(*local)));
            for (key, facet) in group.facets {
                let key = self.facet_keys.intern(&key).0;
                let owners = facet.owners.iter().map(|row| first + row);
                facets_of(&mut edges.facets, key).push(owners, facet.values);
            }
        }
    }

    fn renumber(&mut self, block: &QuadBlock) -> Renumbering {
        let mut vertices = Renumbering { iris: Vec::new(), blanks: Vec::new() };
        for iri in block.iris.iter() {
            let (number, new) = self.iris.intern(iri);
            if new {
                self.iri_vertices.push(self.names.len() as u32);
                self.names.push(number);
            }
            vertices.iris.push(self.iri_vertices[number as usize]);
        }
        for blank in block.blanks.iter() {
            let (number, new) = self.blanks.intern(blank);
            if new {
                self.blank_vertices.push(self.names.len() as u32);
                self.names.push(number | BLANK);
            }
            vertices.blanks.push(self.blank_vertices[number as usize]);
        }
        vertices
    }

    /// Bytes that it holds, about, and that handing it over takes besides.
    pub(crate) fn byte_size(&self) -> u64 {
        let names = self.iris.byte_size() + self.blanks.byte_size() + 32 * self.names.len() as u64;
        let values: u64 = self.values.iter().map(PropertyParts::byte_size).sum();
        let edges = |edges: &EdgeParts| {
            let facets = edges.facets.iter().map(|(_, parts)| parts.byte_size());
            48 * edges.sources.len() as u64 + size_of::<EdgeParts>() as u64 + facets.sum::<u64>()
        };
        let edges: u64 = self.edges.iter().map(edges).sum();
        names + values + edges + 16 * self.labelled.len() as u64
    }

    /// How many vertices were named.
    pub(crate) fn vertex_count(&self) -> usize {
        self.names.len()
    }

    /// How many edges were stated, repeats included.
    pub(crate) fn edge_count(&self) -> usize {
        self.edges.iter().map(|edges| edges.sources.len()).sum()
    }

    /// A graph in which blank nodes keep their names, behind a prefix.
    pub(crate) fn naming_blanks(prefix: Arc<str>) -> Self {
        Self { blank_prefix: Some(prefix), ..Self::default() }
    }

    /// The same under a schema.
    pub(crate) fn declared_by(self, declared: Option<Arc<DeclaredSchema>>) -> Self {
        Self { declared, ..self }
    }

    /// Whether it is under a schema.
    pub(super) fn has_schema(&self) -> bool {
        self.declared.is_some()
    }

    /// What a predicate is: as the schema has it, or as its first statement. `None` without a schema.
    pub(super) fn predicate(&self, name: &str) -> Option<&DeclaredPredicate> {
        self.declared.as_ref()?.get(name).or_else(|| self.judged.undeclared.get(name))
    }

    /// Whether a vertex may have several values of a name.
    pub(super) fn is_list(&self, name: &str) -> bool {
        let name = PropertyName::of(name);
        let predicate = self.predicate(name.key);
        name.facet.is_none() && predicate.is_some_and(|predicate| predicate.is_list)
    }

    /// Whether a vertex may have one edge of a type only.
    pub(super) fn is_single(&self, edge_type: &str) -> bool {
        self.predicate(edge_type).is_some_and(|predicate| !predicate.is_list)
    }

    /// What the schema had to say of the statements.
    pub(crate) fn judged(&self) -> &Judged {
        &self.judged
    }

    /// The key of external names.
    pub(super) fn name_key(&self) -> &'static str {
        if self.has_schema() { EXTERNAL_NAME } else { XID }
    }

    /// Whether a vertex has an external name.
    pub(super) fn has_names(&self) -> bool {
        (0..self.names.len() as u32).any(|vertex| self.xid(vertex).is_some())
    }

    /// The uid that names a vertex, under a schema.
    pub(super) fn uid(&self, vertex: u32) -> Option<u64> {
        let name = self.names[vertex as usize];
        let is_uid = self.has_schema() && name & BLANK == 0;
        is_uid.then(|| uid_of(self.iris.text(name))).flatten()
    }

    /// Whether this is a part of a load: the rest is in the graph, or will be.
    pub(super) fn is_batch(&self) -> bool {
        self.blank_prefix.is_some()
    }

    /// Whether blank nodes were named.
    pub(crate) fn has_blanks(&self) -> bool {
        self.blanks.len() != 0
    }

    /// The external name of a vertex; a blank node has none, or one behind the prefix, and a uid is no name.
    pub(super) fn xid(&self, vertex: u32) -> Option<Cow<'_, str>> {
        let name = self.names[vertex as usize];
        if name & BLANK == 0 {
            let text = self.iris.text(name);
            let is_uid = self.has_schema() && uid_of(text).is_some();
            return (!is_uid).then_some(Cow::Borrowed(text));
        }
        let prefix = self.blank_prefix.as_ref()?;
        Some(Cow::Owned(format!("{prefix}{}", self.blanks.text(name & !BLANK))))
    }

    /// Each vertex's label set as a number, and the sets by number, each ascending.
    pub(super) fn label_sets(&mut self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let resource = self.labels.intern(RESOURCE).0;
        let mut labelled = std::mem::take(&mut self.labelled);
        labelled.sort_unstable();
        labelled.dedup();
        let mut sets = vec![vec![resource]];
        let mut numbers = FxHashMap::from_iter([(sets[0].clone(), 0)]);
        let mut set_of = vec![0; self.names.len()];
        for group in labelled.chunk_by(|(a, _), (b, _)| a == b) {
            let set: Vec<u32> = group.iter().map(|(_, label)| *label).collect();
            let number = *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            });
            set_of[group[0].0 as usize] = number;
        }
        (set_of, sets)
    }
}

fn facets_of(facets: &mut Vec<(u32, PropertyParts)>, key: u32) -> &mut PropertyParts {
    let found = facets.iter().position(|(known, _)| *known == key);
    let at = found.unwrap_or_else(|| {
        facets.push((key, PropertyParts::default()));
        facets.len() - 1
    });
    &mut facets[at].1
}
