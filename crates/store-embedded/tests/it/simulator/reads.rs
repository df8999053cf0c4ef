//! The reads of a serializable transaction, which must be unchanged when it commits.

use std::collections::BTreeSet;

use millrace_model::schema::IndexKind;
use millrace_model::{Catalog, EdgeId, Value, VertexId};
use millrace_store::ReadUnit;
use millrace_store::key_hash::hash_values;
use millrace_testkit::Rng;

use super::claim::FAR;
use super::model::{LABELS, Model, TYPES};
use super::schema::{INDEXES, Names, Values, value};

/// Something that was read.
#[derive(Clone, Debug)]
pub(super) enum Read {
    Vertex(u64),
    Edge(u64),
    List(u64),
    Label(Option<usize>),
    Type(Option<usize>),
    Seek(usize, Values),
    Index(usize),
    /// The vertex found by an id that is no internal id.
    ExternalId(u64),
}

impl Read {
    /// Something to read in a graph; none if there is nothing of the kind.
    pub(super) fn any(rng: &mut Rng, model: &Model) -> Option<Read> {
        let vertex = |rng: &mut Rng| {
            let ids: Vec<&u64> = model.vertices.keys().collect();
            (!ids.is_empty()).then(|| *ids[rng.index(ids.len())])
        };
        let index = |rng: &mut Rng| {
            let defined: Vec<&usize> = model.indexes.iter().collect();
            (!defined.is_empty()).then(|| *defined[rng.index(defined.len())])
        };
        match rng.below(8) {
            0 => vertex(rng).map(Read::Vertex),
            1 => vertex(rng).map(Read::List),
            2 => {
                let ids: Vec<&u64> = model.edges.keys().collect();
                (!ids.is_empty()).then(|| Read::Edge(*ids[rng.index(ids.len())]))
            }
            3 => Some(Read::Label(rng.chance(0.7).then(|| rng.index(LABELS)))),
            4 => Some(Read::Type(rng.chance(0.7).then(|| rng.index(TYPES)))),
            5 => {
                let index = index(rng)?;
                if INDEXES[index].kind == IndexKind::Made {
                    return Some(Read::Index(index));
                }
                let keys = INDEXES[index].keys.len();
                Some(Read::Seek(index, (0..keys).map(|_| rng.below(5) as i64).collect()))
            }
            6 => index(rng).map(Read::Index),
            _ => Some(Read::ExternalId(*rng.pick(&FAR))),
        }
    }

    /// The same as the store takes it; none if the index is gone by now.
    pub(super) fn unit(&self, names: Names, catalog: &Catalog) -> Option<ReadUnit> {
        let index_id = |index: usize| names.defined(catalog, index).map(|found| found.id);
        Some(match self {
            Read::Vertex(id) => ReadUnit::Vertex(VertexId(*id)),
            Read::Edge(id) => ReadUnit::Edge(EdgeId(*id)),
            Read::List(id) => ReadUnit::List(VertexId(*id)),
            Read::Label(label) => ReadUnit::Label(label.map(|label| names.labels[label])),
            Read::Type(kind) => ReadUnit::EdgeType(kind.map(|kind| names.types[kind])),
            Read::Seek(index, numbers) => {
                let keys = INDEXES[*index].keys.iter().zip(numbers);
                let values: Vec<_> = keys.map(|(key, number)| value(*key, *number)).collect();
                ReadUnit::Seek(index_id(*index)?, hash_values(&values)?)
            }
            Read::Index(index) => ReadUnit::Index(index_id(*index)?),
            // Before the first external id, it may come with any vertex.
            Read::ExternalId(id) => match catalog.external_index() {
                Some(index) => ReadUnit::Seek(index.id, hash_values(&[Value::I64(*id as i64)])?),
                None => ReadUnit::Label(None),
            },
        })
    }

    /// The result of the read, in a form by which two graphs can be compared.
    pub(super) fn look(&self, names: Names, model: &Model) -> String {
        let ids = |found: BTreeSet<u64>| format!("{found:?}");
        match self {
            Read::Vertex(id) => format!("{:?}", model.vertices.get(id)),
            Read::Edge(id) => format!("{:?}", model.edges.get(id)),
            Read::List(id) => ids(model.incident(*id).map(|(edge, _)| edge).collect()),
            Read::Label(label) => {
                let has = |own: &[bool; LABELS]| label.is_none_or(|label| own[label]);
                let carriers = model.vertices.iter().filter(|(_, vertex)| has(&vertex.labels));
                ids(carriers.map(|(id, _)| *id).collect())
            }
            Read::Type(kind) => {
                let of_type = model.edges.iter();
                let of_type = of_type.filter(|(_, edge)| kind.is_none_or(|kind| kind == edge.kind));
                ids(of_type.map(|(id, _)| *id).collect())
            }
            Read::Seek(index, wanted) => {
                let entries = model.entries(*index).into_iter();
                let found = entries.filter(|(_, values)| values == wanted);
                ids(found.map(|(id, _)| id).collect())
            }
            Read::Index(index) if INDEXES[*index].kind == IndexKind::Made => {
                format!("{:?}", model.made_keys(*index, names))
            }
            Read::Index(index) => format!("{:?}", model.entries(*index)),
            Read::ExternalId(id) => format!("{:?}", model.with_external_id(*id)),
        }
    }
}
