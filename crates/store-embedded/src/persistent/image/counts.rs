//! The numbers of vertices and edges in an image, by label and type, so that counting never reads a
//! section.

use std::collections::BTreeMap;

use millrace_model::{EdgeTypeId, LabelId};

use crate::base::codec::{Malformed, Reader, put_u32, put_u64};

/// Counts of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Vertices with a record.
    pub vertices: u64,
    /// Of these, how many have each label.
    pub labels: BTreeMap<LabelId, u64>,
    /// Edges of each type with their source here.
    pub edges: BTreeMap<EdgeTypeId, u64>,
}

impl Counts {
    /// Appends them to `bytes`.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        put_u64(bytes, self.vertices);
        let labels = self.labels.iter().map(|(label, count)| (label.0, *count));
        put_pairs(bytes, labels);
        let edges = self.edges.iter().map(|(edge_type, count)| (edge_type.0, *count));
        put_pairs(bytes, edges);
    }

    /// Takes them.
    pub(crate) fn decode(reader: &mut Reader<'_>) -> Result<Counts, Malformed> {
        let vertices = reader.u64()?;
        let labels = pairs(reader)?.into_iter().map(|(label, count)| (LabelId(label), count));
        let labels = labels.collect();
        let edges = pairs(reader)?.into_iter();
        let edges = edges.map(|(edge_type, count)| (EdgeTypeId(edge_type), count)).collect();
        Ok(Counts { vertices, labels, edges })
    }
}

fn put_pairs(bytes: &mut Vec<u8>, pairs: impl ExactSizeIterator<Item = (u32, u64)>) {
    put_u64(bytes, pairs.len() as u64);
    for (number, count) in pairs {
        put_u32(bytes, number);
        put_u64(bytes, count);
    }
}

fn pairs(reader: &mut Reader<'_>) -> Result<Vec<(u32, u64)>, Malformed> {
    let count = reader.count(12)?;
    (0..count).map(|_| Ok((reader.u32()?, reader.u64()?))).collect()
}
