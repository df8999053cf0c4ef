//! Records to one graph in memory.

use super::XID;
use super::record::{EdgeRecord, Id, OwnEdge, Records, VertexRecord};
use super::repeats::Repeats;
use crate::error::{BadRow, LoadError, excerpt};
use crate::graph::{Dictionary, PropertyParts};
use millrace_model::{ExternalId, Owner, Value, VertexId};
use millrace_store::{Elements, Snapshot};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Everything the files said.
#[derive(Default)]
pub(crate) struct ElementGraph {
    /// Names of vertices in the files; the number of a name is its vertex.
    pub(super) names: Dictionary,
    /// The state of each vertex.
    pub(super) vertices: Vec<Known>,
    /// Label names.
    pub(super) labels: Dictionary,
    /// Distinct sets of labels, by number.
    pub(super) label_sets: Vec<Vec<u32>>,
    set_numbers: HashMap<Vec<u32>, u32>,
    /// Keys of vertices; the number of one is its place in `values`.
    pub(super) keys: Dictionary,
    pub(super) values: Vec<PropertyParts>,
    /// Edge types; the number of one is its place in `edges`.
    pub(super) edge_types: Dictionary,
    pub(super) edges: Vec<EdgeParts>,
    /// Keys of edges.
    pub(super) edge_keys: Dictionary,
    /// Edges that the lines of their targets have.
    incoming: Vec<Incoming>,
    incoming_bytes: u64,
    /// What elements of rows are, which may come again.
    pub(super) repeats: Repeats,
    files: Vec<Arc<str>>,
    described: u64,
    edge_count: u64,
}

/// A vertex.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// The id to keep, if it is a number. One that is a text is its name.
    pub(super) number: Option<u64>,
    /// The number of its set of labels.
    pub(super) labels: u32,
    /// The file, and the line of it that describes the vertex; 0: none does.
    file: u32,
    line: u64,
}

impl Known {
    pub(super) fn is_described(&self) -> bool {
        self.line != 0
    }
}

/// Edges of one type, in file order.
#[derive(Default)]
pub(super) struct EdgeParts {
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// The ids to keep; behind the last that has one, none has.
    pub(super) ids: Vec<Option<ExternalId>>,
    /// The file and the line of those that stand by themselves; of others, line 0.
    places: Vec<(u32, u64)>,
    /// A digest of each edge's properties, to be compared with those on its other side; empty for edges
    /// that stand by themselves.
    digests: Vec<u64>,
    /// By key; owners are rows of this type.
    pub(super) values: Vec<(u32, PropertyParts)>,
}

/// An edge in the line of its target, which may be in that of its source too.
struct Incoming {
    edge_type: u32,
    source: u32,
    target: u32,
    id: Option<ExternalId>,
    properties: Vec<(String, Value)>,
}

/// Identifies an edge on both sides: type, source, target, id.
type EdgeName = (u32, u32, u32, Option<ExternalId>);

impl ElementGraph {
    /// Adds the records of a block. Returns the number of good lines, and the bad ones.
    pub(crate) fn add(
        &mut self,
        records: Records,
        file: &Arc<str>,
        snapshot: &dyn Snapshot,
    ) -> Result<(u64, Vec<BadRow>), LoadError> {
        let Records { vertices, edges, repeated, mut bad } = records;
        let taken = taken(&vertices, snapshot)?;
        let mut good = edges.len() as u64;
        for (vertex, taken) in vertices.into_iter().zip(taken) {
            let line = vertex.line;
            match self.refusal(&vertex, taken) {
                None => self.add_vertex(vertex, file),
                Some(detail) => {
                    bad.push(BadRow { file: Arc::clone(file), line, column: 1, detail });
                    continue;
                }
            }
            good += 1;
        }
        for edge in edges {
            self.add_own_edge(edge, file);
        }
        good += self.add_repeated(repeated, file, snapshot, &mut bad)?;
        bad.sort_by_key(|row| row.line);
        Ok((good, bad))
    }

    /// The number of a vertex that a record describes.
    pub(super) fn described(&self, id: &Id) -> Option<u32> {
        let number = self.names.find(&id.name);
        number.filter(|number| self.vertices[*number as usize].is_described())
    }

    pub(super) fn refusal(&self, vertex: &VertexRecord, taken: bool) -> Option<String> {
        let id = excerpt(Id::text(&vertex.id.name));
        if taken {
            return Some(format!("the id {id} is in the graph already"));
        }
        if self.described(&vertex.id).is_some() {
            return Some(format!("the id {id} occurs twice in this load"));
        }
        let has_xid = vertex.properties.iter().any(|(key, _)| key == XID);
        (vertex.id.external.is_none() && has_xid).then(|| {
            format!("the key '{XID}' is where a load keeps an id like {id}: rename this one")
        })
    }

    pub(super) fn add_vertex(&mut self, vertex: VertexRecord, file: &Arc<str>) {
        let source = self.vertex(&vertex.id);
        let (labels, file) = (self.label_set(&vertex.labels), self.file(file));
        let known = &mut self.vertices[source as usize];
        (known.labels, known.file, known.line) = (labels, file, vertex.line);
        self.described += 1;
        for (key, value) in vertex.properties {
            self.keys.group(&mut self.values, &key).push_value(source, value);
        }
        for edge in vertex.edges {
            let target = self.vertex(&edge.other);
            let edge_type = self.edge_type(&edge.edge_type);
            self.edges[edge_type as usize].digests.push(digest(&edge.properties));
            self.add_edge((edge_type, source, target), edge.id, edge.properties);
        }
        for edge in vertex.incoming {
            let OwnEdge { edge_type, id, other, properties } = edge;
            let (edge_type, other) = (self.edge_type(&edge_type), self.vertex(&other));
            let (source, target) = (other, source);
            let values = properties.iter().map(|(key, value)| 64 + key.len() + value.byte_size());
            self.incoming_bytes += 256 + values.sum::<usize>() as u64;
            self.incoming.push(Incoming { edge_type, source, target, id, properties });
        }
    }

    pub(super) fn add_own_edge(&mut self, record: EdgeRecord, file: &Arc<str>) {
        let EdgeRecord { line, source, edge } = record;
        let (source, target) = (self.vertex(&source), self.vertex(&edge.other));
        let edge_type = self.edge_type(&edge.edge_type);
        let file = self.file(file);
        let parts = &mut self.edges[edge_type as usize];
        parts.places.resize(parts.sources.len(), (0, 0));
        parts.places.push((file, line));
        self.add_edge((edge_type, source, target), edge.id, edge.properties);
    }

    fn file(&mut self, file: &Arc<str>) -> u32 {
        if self.files.last() != Some(file) {
            self.files.push(Arc::clone(file));
        }
        self.files.len() as u32 - 1
    }

    fn label_set(&mut self, labels: &[String]) -> u32 {
        let mut set: Vec<u32> = labels.iter().map(|label| self.labels.intern(label).0).collect();
        set.sort_unstable();
        set.dedup();
        let sets = &mut self.label_sets;
        *self.set_numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() as u32 - 1
        })
    }

    fn edge_type(&mut self, name: &str) -> u32 {
        let (edge_type, new) = self.edge_types.intern(name);
        if new {
            self.edges.push(EdgeParts::default());
        }
        edge_type
    }

    /// Adds the edges that stand only in lines of their targets: the union of both sides, as TinkerPop
    /// reads it. To be called after the last line; returns the edges with contradicting sides.
    pub(super) fn add_incoming(&mut self) -> Vec<BadRow> {
        let mut waiting: HashMap<EdgeName, Vec<usize>> = HashMap::new();
        for (place, edge) in self.incoming.iter().enumerate().rev() {
            let name = (edge.edge_type, edge.source, edge.target, edge.id.clone());
            waiting.entry(name).or_default().push(place);
        }
        if waiting.is_empty() {
            return Vec::new();
        }
        let mut has_partner = vec![false; self.incoming.len()];
        let mut bad = Vec::new();
        for (edge_type, parts) in (0..).zip(&self.edges) {
            for (row, (source, target)) in parts.sources.iter().zip(&parts.targets).enumerate() {
                let id = parts.ids.get(row).cloned().flatten();
                let places = waiting.get_mut(&(edge_type, *source, *target, id));
                let Some(place) = places.and_then(Vec::pop) else { continue };
                has_partner[place] = true;
                let edge = &self.incoming[place];
                if parts.digests.get(row).is_some_and(|known| *known != digest(&edge.properties)) {
                    bad.push(self.differs(edge, "its properties are others"));
                }
            }
        }
        let others = self.of_other_edges(&has_partner);
        let incoming = std::mem::take(&mut self.incoming).into_iter().zip(has_partner);
        for (edge, _) in incoming.filter(|(_, has_partner)| !has_partner) {
            if edge.id.as_ref().is_some_and(|id| others.contains(id)) {
                bad.push(self.differs(&edge, "its label or its ends are others"));
                continue;
            }
            self.add_edge((edge.edge_type, edge.source, edge.target), edge.id, edge.properties);
        }
        bad
    }

    /// The ids of incoming edges without a partner that edges of `outE` have.
    fn of_other_edges(&self, has_partner: &[bool]) -> HashSet<ExternalId> {
        let alone = self.incoming.iter().zip(has_partner).filter(|(_, has_partner)| !**has_partner);
        let alone: HashSet<&ExternalId> = alone.filter_map(|(edge, _)| edge.id.as_ref()).collect();
        let known = self.edges.iter().flat_map(|parts| &parts.ids).flatten();
        known.filter(|id| alone.contains(id)).cloned().collect()
    }

    /// The bad row of an edge with contradicting sides.
    fn differs(&self, edge: &Incoming, how: &str) -> BadRow {
        let Known { file, line, .. } = self.vertices[edge.target as usize];
        let edge_type = excerpt(self.edge_types.text(edge.edge_type));
        let id = edge.id.as_ref().map_or_else(String::new, |id| format!(" {id}"));
        let detail = format!("inE: {edge_type}: the edge{id} stands in outE too, and there {how}");
        BadRow { file: Arc::clone(&self.files[file as usize]), line, column: 1, detail }
    }

    fn add_edge(
        &mut self,
        (edge_type, source, target): (u32, u32, u32),
        id: Option<ExternalId>,
        properties: Vec<(String, Value)>,
    ) {
        let edges = &mut self.edges[edge_type as usize];
        let row = edges.sources.len() as u32;
        edges.sources.push(source);
        edges.targets.push(target);
        if id.is_some() {
            edges.ids.resize(row as usize, None);
            edges.ids.push(id);
        }
        for (key, value) in properties {
            let key = self.edge_keys.intern(&key).0;
            values_of(&mut edges.values, key).push_value(row, value);
        }
        self.edge_count += 1;
    }

    pub(super) fn vertex(&mut self, id: &Id) -> u32 {
        let (vertex, new) = self.names.intern(&id.name);
        if new {
            let number = match id.external {
                Some(ExternalId::Number(number)) => Some(number),
                Some(ExternalId::Text(_)) | None => None,
            };
            self.vertices.push(Known { number, ..Known::default() });
        }
        vertex
    }

    /// Bytes that it holds, about, and that handing it over takes besides.
    pub(crate) fn byte_size(&self) -> u64 {
        let names = self.names.byte_size() + 64 * self.vertices.len() as u64;
        let values: u64 = self.values.iter().map(PropertyParts::byte_size).sum();
        let edges = |edges: &EdgeParts| {
            let values = edges.values.iter().map(|(_, parts)| parts.byte_size());
            let texts = (size_of::<Option<ExternalId>>() * edges.ids.len()) as u64;
            96 * edges.sources.len() as u64 + 256 + texts + values.sum::<u64>()
        };
        let edges: u64 = self.edges.iter().map(edges).sum();
        names + values + edges + self.incoming_bytes + self.repeats.byte_size()
    }

    /// Vertices and edges so far.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.described, self.edge_count)
    }

    /// The bad row of an edge to a vertex that no line describes.
    pub(super) fn dangling(&self, edge_type: u32, parts: &EdgeParts, row: usize) -> BadRow {
        let (source, target) = (parts.sources[row], parts.targets[row]);
        let edge_type = self.edge_types.text(edge_type);
        let is_described = |vertex: u32| self.vertices[vertex as usize].is_described();
        let (side, own, other) = match is_described(source) {
            true => ("outE", source, target),
            false => ("inE", target, source),
        };
        let edge_type = excerpt(edge_type);
        let other = excerpt(Id::text(self.names.text(other)));
        let (detail, file, line) = match parts.places.get(row) {
            Some((file, line)) if *line != 0 => {
                (format!("{edge_type}: the vertex {other} is not in this load"), *file, *line)
            }
            _ => {
                let Known { file, line, .. } = self.vertices[own as usize];
                let detail = format!("{side}: {edge_type}: no line describes the vertex {other}");
                (detail, file, line)
            }
        };
        BadRow { file: Arc::clone(&self.files[file as usize]), line, column: 1, detail }
    }
}

/// Properties in short: equal where these are, in any order.
pub(super) fn digest(properties: &[(String, Value)]) -> u64 {
    let of_one = |property: &(String, Value)| {
        let mut hasher = DefaultHasher::new();
        property.hash(&mut hasher);
        hasher.finish()
    };
    properties.iter().map(of_one).fold(0, u64::wrapping_add)
}

/// Which vertices' ids are in the graph.
pub(super) fn taken(
    vertices: &[VertexRecord],
    snapshot: &dyn Snapshot,
) -> Result<Vec<bool>, LoadError> {
    let number = |vertex: &VertexRecord| match &vertex.id.external {
        Some(ExternalId::Number(number)) => *number,
        Some(ExternalId::Text(_)) | None => 0,
    };
    let ids: Vec<u64> = vertices.iter().map(number).collect();
    let found = snapshot.find_external(&ids)?;
    let places = found.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect());
    let exist = snapshot.exist(Elements::Vertices(&places))?;
    let rows = ids.iter().enumerate();
    let mut taken: Vec<bool> = rows.map(|(row, id)| *id != 0 && exist.get(row)).collect();
    let text = |(row, vertex): (usize, &VertexRecord)| match &vertex.id.external {
        Some(ExternalId::Text(text)) => Some((row, Arc::clone(text))),
        Some(ExternalId::Number(_)) | None => None,
    };
    let (rows, texts): (Vec<usize>, Vec<Arc<str>>) =
        vertices.iter().enumerate().filter_map(text).unzip();
    let found = snapshot.find_texts(Owner::AllVertices, &texts)?;
    rows.into_iter().zip(found).for_each(|(row, slot)| taken[row] = slot.is_some());
    Ok(taken)
}

/// One type has few keys: a list beats a table.
fn values_of(values: &mut Vec<(u32, PropertyParts)>, key: u32) -> &mut PropertyParts {
    let found = values.iter().position(|(known, _)| *known == key);
    let at = found.unwrap_or_else(|| {
        values.push((key, PropertyParts::default()));
        values.len() - 1
    });
    &mut values[at].1
}
