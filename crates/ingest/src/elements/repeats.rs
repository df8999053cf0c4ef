//! Elements of rows, as queries give them: a node or a relationship stands in as many rows as it is found in, and
//! each is one element. A node that stands in no row may be known by the relationships that do.

use super::graph::{ElementGraph, digest, taken};
use super::record::{EdgeRecord, Id, Records, Repeated, VertexRecord};
use crate::error::{BadRow, LoadError, excerpt};
use millrace_model::{ExternalId, Value};
use millrace_store::Snapshot;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What is remembered of elements of rows.
#[derive(Default)]
pub(super) struct Repeats {
    /// Digests of vertices.
    vertices: FxHashMap<u32, u64>,
    /// Digests of edges by their ids, which come from files.
    edges: HashMap<ExternalId, u64>,
    /// Ends of edges that no row describes yet: the file, and what the first edge says.
    ends: Vec<(Arc<str>, VertexRecord)>,
    named: FxHashSet<u32>,
    bytes: u64,
}

impl Repeats {
    /// Bytes that it holds, about.
    pub(super) fn byte_size(&self) -> u64 {
        self.bytes
    }
}

impl ElementGraph {
    /// Adds the elements of rows; returns how many are new.
    pub(super) fn add_repeated(
        &mut self,
        repeated: Repeated,
        file: &Arc<str>,
        snapshot: &dyn Snapshot,
        bad: &mut Vec<BadRow>,
    ) -> Result<u64, LoadError> {
        let Repeated { vertices, edges, ends } = repeated;
        let mut good = 0;
        let mut refuse = |line: u64, detail: String| {
            bad.push(BadRow { file: Arc::clone(file), line, column: 1, detail });
        };
        let (again, new): (Vec<_>, Vec<_>) =
            vertices.into_iter().partition(|vertex| self.described(&vertex.id).is_some());
        let taken = taken(&new, snapshot)?;
        let taken = taken.into_iter().chain(std::iter::repeat_n(false, again.len()));
        for (vertex, taken) in new.into_iter().chain(again).zip(taken) {
            let (line, digest) = (vertex.line, digest_of_vertex(&vertex));
            if let Some(number) = self.described(&vertex.id) {
                if self.repeats.vertices.get(&number) != Some(&digest) {
                    let id = excerpt(Id::text(&vertex.id.name));
                    let detail = "occurs twice in this load, with other labels or properties";
                    refuse(line, format!("the node {id} {detail}"));
                }
                continue;
            }
            match self.refusal(&vertex, taken) {
                Some(detail) => refuse(line, detail),
                None => {
                    let number = self.vertex(&vertex.id);
                    self.add_vertex(vertex, file);
                    self.repeats.vertices.insert(number, digest);
                    self.repeats.bytes += 32;
                    good += 1;
                }
            }
        }
        for edge in edges {
            match self.is_repeated(&edge) {
                Ok(true) => {}
                Ok(false) => {
                    self.add_own_edge(edge, file);
                    good += 1;
                }
                Err(detail) => refuse(edge.line, detail),
            }
        }
        for vertex in ends {
            self.add_end(vertex, file);
        }
        Ok(good)
    }

    /// Whether an edge was there before.
    fn is_repeated(&mut self, record: &EdgeRecord) -> Result<bool, String> {
        let Some(id) = &record.edge.id else { return Ok(false) };
        let digest = digest_of_edge(record);
        match self.repeats.edges.get(id) {
            Some(known) if *known == digest => Ok(true),
            Some(_) => Err(format!(
                "the relationship {} occurs twice in this load, with another type, ends or properties",
                excerpt(&id.to_string())
            )),
            None => {
                self.repeats.bytes += 96;
                self.repeats.edges.insert(id.clone(), digest);
                Ok(false)
            }
        }
    }

    fn add_end(&mut self, vertex: VertexRecord, file: &Arc<str>) {
        let number = self.vertex(&vertex.id);
        if self.described(&vertex.id).is_some() || !self.repeats.named.insert(number) {
            return;
        }
        let properties =
            vertex.properties.iter().map(|(key, value)| 64 + key.len() + value.byte_size());
        let labels = vertex.labels.iter().map(|label| 32 + label.len());
        let bytes = 256 + properties.sum::<usize>() + labels.sum::<usize>();
        self.repeats.bytes += bytes as u64;
        self.repeats.ends.push((Arc::clone(file), vertex));
    }

    /// After the last record: the nodes that only relationships describe. Returns their number and the bad rows.
    pub(super) fn add_ends(
        &mut self,
        snapshot: &dyn Snapshot,
    ) -> Result<(u64, Vec<BadRow>), LoadError> {
        let ends = std::mem::take(&mut self.repeats.ends);
        let (mut count, mut bad) = (0, Vec::new());
        for (file, vertex) in ends {
            if self.described(&vertex.id).is_none() {
                let records = Records { vertices: vec![vertex], ..Records::default() };
                let (good, refused) = self.add(records, &file, snapshot)?;
                count += good;
                bad.extend(refused);
            }
        }
        Ok((count, bad))
    }
}

fn digest_of_vertex(vertex: &VertexRecord) -> u64 {
    let mut labels: Vec<&str> = vertex.labels.iter().map(String::as_str).collect();
    labels.sort_unstable();
    digest_with(&labels, &vertex.properties)
}

fn digest_of_edge(record: &EdgeRecord) -> u64 {
    let edge = &record.edge;
    digest_with(&(&edge.edge_type, &record.source.name, &edge.other.name), &edge.properties)
}

fn digest_with(what: &impl Hash, properties: &[(String, Value)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    digest(properties).hash(&mut hasher);
    hasher.finish()
}
