//! One version of a graph: records, lists and indexes as maps.
//!
//! Cloning shares the maps; a change copies a map that another version still shares.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    Catalog, Direction, EdgeId, EdgeTypeId, IndexId, KeyId, LogPosition, Owner, Result, Value,
    VertexId, compare,
};

use crate::base::index_keys::keys_of;
use crate::changes::Labels;
use crate::constraint::{self, holds_labels};
use crate::reads::ordered_keys::KeyMaker;

pub(super) type Properties = BTreeMap<KeyId, Value>;

/// In this order a range of the map is a scan of a type by source.
pub(super) type ListKey = (EdgeTypeId, Direction, VertexId);

#[derive(Clone)]
pub(super) struct VertexRecord {
    pub(super) labels: Labels,
    pub(super) properties: Properties,
}

#[derive(Clone)]
pub(super) struct EdgeRecord {
    pub(super) edge_type: EdgeTypeId,
    pub(super) source: VertexId,
    pub(super) target: VertexId,
    pub(super) properties: Properties,
}

/// The values of an index entry, equal by the order's equality.
#[derive(Clone)]
pub(super) struct IndexKey(pub(super) Vec<Value>);

#[derive(Clone, Default)]
pub(super) struct GraphVersion {
    pub(super) position: LogPosition,
    pub(super) catalog: Arc<Catalog>,
    pub(super) id_bound: u64,
    pub(super) vertices: Arc<BTreeMap<VertexId, VertexRecord>>,
    pub(super) edges: Arc<BTreeMap<EdgeId, EdgeRecord>>,
    pub(super) lists: Arc<BTreeMap<ListKey, BTreeSet<(VertexId, EdgeId)>>>,
    pub(super) indexes: Arc<BTreeMap<IndexId, BTreeMap<IndexKey, BTreeSet<u64>>>>,
}

impl GraphVersion {
    /// The properties of an element, if it exists and the owner's definitions hold for it.
    pub(super) fn owned(&self, owner: Owner, id: u64) -> Option<&Properties> {
        match owner {
            Owner::EdgeType(edge_type) => {
                let edge = self.edges.get(&EdgeId(id))?;
                (edge.edge_type == edge_type).then_some(&edge.properties)
            }
            Owner::AllEdges => self.edges.get(&EdgeId(id)).map(|edge| &edge.properties),
            Owner::Label(_) | Owner::AllVertices => {
                let vertex = self.vertices.get(&VertexId(id))?;
                holds_labels(owner, &vertex.labels).then_some(&vertex.properties)
            }
        }
    }

    /// Every element that an owner's definitions may hold for.
    pub(super) fn candidates(&self, owner: Owner) -> Vec<u64> {
        match owner {
            Owner::EdgeType(_) | Owner::AllEdges => self.edges.keys().map(|edge| edge.0).collect(),
            Owner::Label(_) | Owner::AllVertices => {
                self.vertices.keys().map(|vertex| vertex.0).collect()
            }
        }
    }

    /// The entries of an element in an index.
    pub(super) fn index_keys(&self, index: &IndexDefinition, id: u64) -> Vec<IndexKey> {
        self.fitting_keys(index, id).unwrap_or_default()
    }

    /// The same; an error of an element that does not fit the index.
    pub(super) fn fitting_keys(&self, index: &IndexDefinition, id: u64) -> Result<Vec<IndexKey>> {
        let Some(properties) = self.owned(index.owner, id) else { return Ok(Vec::new()) };
        let values = index.keys.iter().map(|key| properties.get(key).cloned());
        if index.kind == IndexKind::Made {
            let mut keys = Vec::new();
            let mut push = |key: &[u8]| keys.push(IndexKey(vec![Value::Bytes(key.into())]));
            let made = KeyMaker::of(index)
                .and_then(|maker| maker.each_of_values(values.collect(), &mut push));
            made.map_err(|error| constraint::of_stored(&self.catalog, index, id, error))?;
            return Ok(keys);
        }
        let values = values.collect::<Option<Vec<_>>>().unwrap_or_else(|| vec![Value::Null]);
        Ok(keys_of(values).into_iter().map(IndexKey).collect())
    }

    /// The types of a request: those asked for, or all by number.
    pub(super) fn types(&self, types: Option<&[EdgeTypeId]>) -> Vec<EdgeTypeId> {
        let all = || (0..self.catalog.edge_types.len() as u32).map(EdgeTypeId).collect();
        types.map_or_else(all, <[EdgeTypeId]>::to_vec)
    }
}

impl Ord for IndexKey {
    fn cmp(&self, other: &IndexKey) -> Ordering {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(left, right)| compare::order(left, right)).fold(Ordering::Equal, Ordering::then)
    }
}

impl PartialOrd for IndexKey {
    fn partial_cmp(&self, other: &IndexKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for IndexKey {
    fn eq(&self, other: &IndexKey) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for IndexKey {}
